"""Why a mailbox can't be read: one word a fault, kept as an Outage's code, and what staff are told to do about it.

A code is the fault's word, and after a colon what the server said or which folder it is about.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from app.domain.reasons import Why

_LONGEST_DETAIL_CHARS = 120


class MailboxFault(StrEnum):
    """Everything that stands between the app and a mailbox."""

    NO_SUCH_HOST = "no_such_host"
    NOT_REACHED = "not_reached"
    NOT_LISTENING = "not_listening"
    UNKNOWN_CERTIFICATE = "unknown_certificate"
    CERTIFICATE_NAME = "certificate_name"
    CERTIFICATE_DATE = "certificate_date"
    NO_TLS = "no_tls"
    NOT_IMAP = "not_imap"
    WRONG_PASSWORD = "wrong_password"  # noqa: S105 (a fault's word)
    APP_PASSWORD = "app_password"  # noqa: S105 (a fault's word)
    OAUTH_ONLY = "oauth_only"
    NO_FOLDER = "no_folder"
    SILENT = "silent"
    DROPPED = "dropped"
    BUSY = "busy"
    REFUSED = "refused"


WHY: Mapping[MailboxFault, Why] = {
    MailboxFault.NO_SUCH_HOST: Why.OFFLINE,
    MailboxFault.NOT_REACHED: Why.OFFLINE,
    MailboxFault.NOT_LISTENING: Why.OFFLINE,
    MailboxFault.UNKNOWN_CERTIFICATE: Why.CERTIFICATE_WRONG,
    MailboxFault.CERTIFICATE_NAME: Why.CERTIFICATE_WRONG,
    MailboxFault.CERTIFICATE_DATE: Why.CERTIFICATE_WRONG,
    MailboxFault.NO_TLS: Why.OFFLINE,
    MailboxFault.NOT_IMAP: Why.OFFLINE,
    MailboxFault.WRONG_PASSWORD: Why.BAD_CREDENTIALS,
    MailboxFault.APP_PASSWORD: Why.BAD_CREDENTIALS,
    MailboxFault.OAUTH_ONLY: Why.BAD_CREDENTIALS,
    MailboxFault.NO_FOLDER: Why.REFUSED,
    MailboxFault.SILENT: Why.NO_ANSWER,
    MailboxFault.DROPPED: Why.NO_ANSWER,
    MailboxFault.BUSY: Why.BUSY,
    MailboxFault.REFUSED: Why.REFUSED,
}

# what is told, and what to do about it
WORDS: Mapping[MailboxFault, tuple[str, str]] = {
    MailboxFault.NO_SUCH_HOST: (
        "There is no mail server of this name, or this computer is offline.",
        "Check the server's name and the internet connection.",
    ),
    MailboxFault.NOT_REACHED: ("The mail server can't be reached.", "Check the internet connection, then try again."),
    MailboxFault.NOT_LISTENING: (
        "The mail server does not answer at this port.",
        "Check the port: for IMAP with TLS it is 993 nearly everywhere.",
    ),
    MailboxFault.UNKNOWN_CERTIFICATE: (
        "The mail server can't prove who it is: nobody this computer trusts has signed its certificate.",
        "Check the server's name. In a network that inspects traffic, ask whoever looks after it.",
    ),
    MailboxFault.CERTIFICATE_NAME: (
        "The mail server proves to be another one than was asked for.",
        "Take the server's name as the mail provider writes it.",
    ),
    MailboxFault.CERTIFICATE_DATE: (
        "The mail server's certificate is not valid today.",
        "Check this computer's date; if it is right, tell the mail provider.",
    ),
    MailboxFault.NO_TLS: (
        "No secure connection can be made at this port.",
        "Check the port: for IMAP with TLS it is 993 nearly everywhere.",
    ),
    MailboxFault.NOT_IMAP: (
        "What answers there is no IMAP server.",
        "Check the server's name and port: the one that mail is sent through is another.",
    ),
    MailboxFault.WRONG_PASSWORD: (
        "The mailbox refuses the user name or the password.",
        "Type the password again. With two-step sign-in the mailbox wants an app password.",
    ),
    MailboxFault.APP_PASSWORD: (
        "The mailbox wants an app password, not the one used to sign in.",
        "Make an app password in the account's security settings and type that.",
    ),
    MailboxFault.OAUTH_ONLY: (
        "This mailbox takes no password from programs, as with Microsoft 365.",
        "Have answers forwarded to a mailbox that takes one.",
    ),
    MailboxFault.NO_FOLDER: (
        "The mailbox has no folder of this name.",
        "Write the folder as the mail server calls it; a subfolder with what is above it, such as INBOX/Replies.",
    ),
    MailboxFault.SILENT: ("The mail server did not answer in time.", "It is tried again by itself."),
    MailboxFault.DROPPED: ("The mail server ended the connection.", "It is tried again by itself."),
    MailboxFault.BUSY: ("The mail server asks to wait.", "It is tried again by itself."),
    MailboxFault.REFUSED: (
        "The mail server refused to give the mail.",
        "Ask the mail provider, with the server's words.",
    ),
}


def mailbox_code(fault: MailboxFault, detail: str = "") -> str:
    """The code of an Outage. detail: one line of the server's, or a folder; cut when it is long."""
    line = " ".join(detail.split())[:_LONGEST_DETAIL_CHARS]
    return f"{fault.value}: {line}" if line else fault.value


def read_mailbox_code(code: str) -> tuple[MailboxFault, str] | None:
    """The fault and the detail of a code; None for a code that is no mailbox's."""
    word, _, detail = code.partition(":")
    fault = _FAULTS.get(word)
    return None if fault is None else (fault, detail.strip())


_FAULTS = {fault.value: fault for fault in MailboxFault}
