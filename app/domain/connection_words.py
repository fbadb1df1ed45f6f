"""What keeps a connection to a provider from working, in words that the front desk understands, with what to do.

The provider's own code stands in brackets at the end, for whoever asks the provider. A mailbox's faults have their
words in mailbox_fault.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app.domain.mailbox_fault import WORDS, MailboxFault, read_mailbox_code
from app.domain.reasons import Why, told
from app.domain.remedies import remedy
from app.domain.secret import SecretName
from app.domain.secret_place import SecretsUnavailable, Unavailable


class Connection(StrEnum):
    """What can be tested: each is one account at one provider."""

    TWILIO = "twilio"
    SENDGRID = "sendgrid"
    IMAP = "imap"

    @property
    def called(self) -> str:
        """Its name at the beginning of a sentence."""
        return _CALLED[self]

    @property
    def secret(self) -> SecretName:
        """The key that it needs."""
        return _SECRETS[self]


_CALLED: Final[Mapping[Connection, str]] = {
    Connection.TWILIO: "Twilio",
    Connection.SENDGRID: "SendGrid",
    Connection.IMAP: "The mailbox",
}
_SECRETS: Final[Mapping[Connection, SecretName]] = {
    Connection.TWILIO: SecretName.TWILIO_AUTH_TOKEN,
    Connection.SENDGRID: SecretName.SENDGRID_API_KEY,
    Connection.IMAP: SecretName.IMAP_PASSWORD,
}


@dataclass(frozen=True, slots=True)
class ConnectionWords:
    """told: what is wrong, a sentence. hint: what to do about it."""

    told: str
    hint: str


_Words = tuple[str, str]
_ITSELF: Final = "Nothing is lost: it is tried again by itself."
# what holds for every provider; {it} is the provider's name
_OF_ALL: Final[Mapping[Why, _Words]] = {
    Why.BAD_CREDENTIALS: ("{it} refuses the account or its key.", "Copy the account's name and its key once more."),
    Why.KEY_TOO_NARROW: (
        "The key lacks a right at {it} that is needed.",
        "Give the key the right that is named, or make a new one that has it.",
    ),
    Why.NO_CREDIT: ("The account at {it} has no credit left.", "Pay, or take a larger plan; then test again."),
    Why.ACCOUNT_SUSPENDED: (
        "The account at {it} is suspended or closed.",
        "Sign in there: {it} says why, and what it wants to have.",
    ),
    Why.ACCOUNT_LIMITED: (
        "The account at {it} is a trial one, or shut for the country of the number.",
        "Upgrade the account, or open the country in its settings; then test again.",
    ),
    Why.OFFLINE: ("{it} can't be reached.", "Look whether this computer is on the internet, then test again."),
    Why.CERTIFICATE_WRONG: (
        "What answers in the place of {it} can't prove to be it.",
        "Set this computer's date right. In a network that inspects traffic, ask whoever looks after it.",
    ),
    Why.NO_ANSWER: ("{it} did not answer in time.", _ITSELF),
    Why.BUSY: ("{it} asks to wait: it was asked too much at once.", _ITSELF),
    Why.REFUSED: ("{it} refused to answer.", "Ask {it}, with the code in brackets."),
    Why.NO_PROVIDER: ("{it} is not set up.", "Fill in its settings first."),
    Why.NO_KEY: ("There is no key for {it} on this computer.", "Give it under Keys and connections."),
}
_OF_ONE: Final[Mapping[tuple[Connection, Why], _Words]] = {
    (Connection.TWILIO, Why.BAD_CREDENTIALS): (
        "Twilio refuses the account or its token.",
        "Copy Account SID and Auth Token from Twilio's console once more: a token that was renewed there is another.",
    ),
    (Connection.TWILIO, Why.NUMBER_NOT_OURS): (
        "Twilio lets nothing go from the sender's number.",
        "Look in Twilio's console whether the number is yours and may send texts.",
    ),
    (Connection.TWILIO, Why.NUMBER_NOT_REGISTERED): (
        "The sender's number is not registered with the phone companies yet.",
        "Register it in Twilio's console (A2P 10DLC, or toll-free verification) and wait until that is through.",
    ),
    (Connection.SENDGRID, Why.BAD_CREDENTIALS): (
        "SendGrid refuses the key: it is mistyped, or was deleted there.",
        "Make a new API key at SendGrid and give that one.",
    ),
    (Connection.SENDGRID, Why.SENDER_NOT_VERIFIED): (
        "SendGrid does not know the sender's address as yours.",
        "Verify the address at SendGrid, or better its whole domain; then test again.",
    ),
    (Connection.SENDGRID, Why.NO_UNSUBSCRIBE_GROUP): (
        "SendGrid does not know the unsubscribe group.",
        "Copy the group's number from SendGrid, under Suppressions, Unsubscribe Groups.",
    ),
    (Connection.IMAP, Why.BAD_CREDENTIALS): WORDS[MailboxFault.WRONG_PASSWORD],
    (Connection.IMAP, Why.NO_KEY): ("There is no password for the mailbox on this computer.", "Type it in once."),
}
# codes that say more than their reason does; those of ours are not repeated in brackets
_OWN: Final[Mapping[tuple[Why, str], _Words]] = {
    (Why.NUMBER_NOT_OURS, "not in the account"): (
        "The sender's number is not in this account at {it}.",
        "Copy the number from the console as it stands there, or buy one.",
    ),
    (Why.NUMBER_NOT_OURS, "no sms"): (
        "The sender's number can't send texts.",
        "Choose a number that can in Twilio's console, and save that one.",
    ),
    (Why.NUMBER_NOT_OURS, "no voice"): (
        "The sender's number can't make calls.",
        "Choose a number that can in Twilio's console, and save that one.",
    ),
    (Why.BAD_CREDENTIALS, "not a key"): (
        "What was given is no key of {it}.",
        "Copy the whole key once more; it is shown only when it is made.",
    ),
    (Why.OFFLINE, "not an address of SendGrid"): (
        "The key is not sent to the address in the settings: it is none of SendGrid's.",
        "Take the address out of SendGrid's settings, or write the one for its region.",
    ),
    (Why.OFFLINE, "proxy"): (
        "{it} can't be reached: the proxy of this network lets nothing through.",
        "Ask whoever looks after the network to let it through.",
    ),
}
_NO_NAME: Final = frozenset({"NameResolutionError", "gaierror"})
_NO_NAME_WORDS: Final[_Words] = (
    "{it} can't be found: this computer is offline, or the address in the settings is wrong.",
    "Look whether this computer is on the internet, then test again.",
)
_NOT_CONFIRMED: Final = "not confirmed yet"
_NOT_CONFIRMED_WORDS: Final[_Words] = (
    "The sender's address waits to be confirmed.",
    "Open the mail that {it} sent to that address, press its button, and test again.",
)
_OWN_ACCOUNT: Final = "20404"
_NO_SUCH_ACCOUNT: Final[_Words] = (
    "There is no such account at {it}.",
    "Copy the Account SID from the console once more; it begins with AC.",
)


def connection_words(connection: Connection, why: Why, code: str = "") -> ConnectionWords:
    """What is wrong with a connection. code: the provider's, or one of ours that says more."""
    mailbox = read_mailbox_code(code)
    if mailbox is not None:
        (sentence, hint), detail = WORDS[mailbox[0]], mailbox[1]
        return ConnectionWords(_with_code(sentence, detail), hint)
    if why is Why.NO_KEYRING:
        fault = SecretsUnavailable(Unavailable(code) if code in set(Unavailable) else Unavailable.FAULT)
        return ConnectionWords(fault.told, fault.hint)
    sentence, hint = _words(connection, why, code)
    named = {"it": connection.called}
    shown = "" if (why, code) in _OWN else code.removesuffix(f", {_NOT_CONFIRMED}")
    return ConnectionWords(_with_code(sentence.format_map(named), shown), hint.format_map(named))


def _words(connection: Connection, why: Why, code: str) -> _Words:
    if (why, code) in _OWN:
        return _OWN[why, code]
    if why is Why.OFFLINE and code in _NO_NAME:
        return _NO_NAME_WORDS
    if why is Why.SENDER_NOT_VERIFIED and code.endswith(_NOT_CONFIRMED):
        return _NOT_CONFIRMED_WORDS
    if why is Why.REFUSED and code == _OWN_ACCOUNT:
        return _NO_SUCH_ACCOUNT
    found = _OF_ONE.get((connection, why)) or _OF_ALL.get(why)
    return found or (told(why, {"provider": connection.value, "code": code or "–"}), remedy(why))


def _with_code(sentence: str, code: str) -> str:
    return f"{sentence.rstrip('.')} ({code})." if code else sentence
