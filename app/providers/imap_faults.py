"""What goes wrong with a mail server, as an Outage: its own errors, the library's and the network's."""

from __future__ import annotations

import imaplib
import re
import socket
import ssl
from datetime import timedelta

from app.domain.answer import Outage
from app.domain.mailbox_fault import WHY, MailboxFault, mailbox_code
from app.domain.reasons import Why

# A password that is refused is not shown again at every look: servers lock the account that somebody else needs too.
WAIT_AFTER_REFUSED_LOGIN = timedelta(minutes=30)

# OpenSSL's numbers of X509_verify_cert
_DATE_NUMBERS = frozenset({9, 10})
_NAME_NUMBERS = frozenset({62, 64})
_CODE = re.compile(r"\[([A-Z-]+)[^\]]*\]")
_WAIT_CODES = frozenset({"UNAVAILABLE", "INUSE", "LIMIT", "SERVERBUG", "OVERQUOTA", "THROTTLED"})
_WAIT_WORDS = re.compile(r"too many|try again|temporar|rate.?limit|throttl|not available|unavailable", re.IGNORECASE)
_OAUTH_WORDS = re.compile(r"oauth|basic ?auth|AADSTS|modern auth", re.IGNORECASE)
_APP_WORDS = re.compile(r"application-specific|app(?:lication)?[- ]password", re.IGNORECASE)


class MailboxUnread(Exception):
    """The mailbox can't be read just now, for a reason that is known."""

    def __init__(self, fault: MailboxFault, detail: str = "") -> None:
        super().__init__(mailbox_code(fault, detail))
        self.fault = fault
        self.detail = detail

    def as_outage(self) -> Outage:
        """The same as a value."""
        why = WHY[self.fault]
        wait = WAIT_AFTER_REFUSED_LOGIN if why is Why.BAD_CREDENTIALS else None
        return Outage(why, mailbox_code(self.fault, self.detail), wait)


def of_connection(exc: Exception) -> MailboxUnread:
    """What an error says that came before the server knew us, or in the middle of anything."""
    match exc:
        case MailboxUnread():
            return exc
        case ssl.SSLCertVerificationError():
            return _of_certificate(exc)
        case ssl.SSLEOFError() | ssl.SSLZeroReturnError():
            return MailboxUnread(MailboxFault.DROPPED)
        case ssl.SSLError():
            return MailboxUnread(MailboxFault.NO_TLS, exc.reason or "")
        case TimeoutError():
            return MailboxUnread(MailboxFault.SILENT)
        case socket.gaierror() | UnicodeError():  # a name that can't be a host's at all fails in its encoding
            return MailboxUnread(MailboxFault.NO_SUCH_HOST)
        case ConnectionRefusedError():
            return MailboxUnread(MailboxFault.NOT_LISTENING)
        case ConnectionError():
            return MailboxUnread(MailboxFault.DROPPED)
        case OSError():
            return MailboxUnread(MailboxFault.NOT_REACHED, exc.strerror or "")
        case imaplib.IMAP4.error():
            return _of_protocol(str(exc))
        case _:
            return MailboxUnread(MailboxFault.REFUSED, type(exc).__name__)


def of_login(told: str, *, oauth_only: bool) -> MailboxUnread:
    """What the server's no to a login says. oauth_only: its capabilities leave a password no way."""
    code = next(iter(_CODE.findall(told)), "")
    if _APP_WORDS.search(told):
        return MailboxUnread(MailboxFault.APP_PASSWORD, told)
    if oauth_only or _OAUTH_WORDS.search(told):
        return MailboxUnread(MailboxFault.OAUTH_ONLY, told)
    if code in _WAIT_CODES or (code != "AUTHENTICATIONFAILED" and _WAIT_WORDS.search(told)):
        return MailboxUnread(MailboxFault.BUSY, told)
    return MailboxUnread(MailboxFault.WRONG_PASSWORD, told)


def of_refusal(told: str) -> MailboxUnread:
    """What the server's no to anything else says."""
    code = next(iter(_CODE.findall(told)), "")
    wait = code in _WAIT_CODES or _WAIT_WORDS.search(told)
    return MailboxUnread(MailboxFault.BUSY if wait else MailboxFault.REFUSED, told)


def said(data: object) -> str:
    """The words of a server's answer, whatever the library makes of them."""
    if isinstance(data, bytes):
        return data.decode("utf-8", errors="replace")
    if isinstance(data, list | tuple):
        return " ".join(filter(None, (said(each) for each in data)))
    return "" if data is None else str(data)


def _of_certificate(exc: ssl.SSLCertVerificationError) -> MailboxUnread:
    if exc.verify_code in _DATE_NUMBERS:
        return MailboxUnread(MailboxFault.CERTIFICATE_DATE, exc.verify_message)
    if exc.verify_code in _NAME_NUMBERS:
        return MailboxUnread(MailboxFault.CERTIFICATE_NAME, exc.verify_message)
    return MailboxUnread(MailboxFault.UNKNOWN_CERTIFICATE, exc.verify_message)


def _of_protocol(told: str) -> MailboxUnread:
    """The library has one class for a line that is no IMAP, for a goodbye and for an end in the middle."""
    if "unexpected response" in told or "not IMAP4 compliant" in told or "unterminated line" in told:
        return MailboxUnread(MailboxFault.NOT_IMAP)
    if "socket error" in told or "EOF" in told:
        return MailboxUnread(MailboxFault.DROPPED)
    if "BYE" in told or _WAIT_WORDS.search(told):
        return MailboxUnread(MailboxFault.BUSY, told)
    return MailboxUnread(MailboxFault.DROPPED, told)
