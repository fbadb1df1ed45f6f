"""What links a mail to somebody: our Message-ID, the token in an address of ours, the sender, the failed recipient.

Hints only. Whose they are is looked up elsewhere, in this order; a hint that fits nobody links nobody.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.domain.mail_decode import addresses, sender_address
from app.domain.mail_parts import Part

_OURS = re.compile(r"<(sw\.\d{1,18}\.[A-Za-z0-9_]{1,64}@[^<>\s@]{1,253})>", re.IGNORECASE)
_ANY_ID = re.compile(r"<([^<>\s@]{1,200})@[^<>\s@]{1,253}>")
_MOST_IDS = 50
_REPLY_TO_US = re.compile(r"[^+@\s]{1,64}?[+-]r\.([a-z0-9_]{1,64})")
_UNSUBSCRIBE = re.compile(r"(?:unsub|unsubscribe)(?:[+-](?:r\.)?([a-z0-9_]{1,64}))?")
_RECEIVED_BY = ("to", "cc", "delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "x-forwarded-to")
_THREAD = ("in-reply-to", "references", "original-message-id", "x-original-message-id")


@dataclass(frozen=True, slots=True)
class MailMatch:
    """message_id: ours, with its angle brackets. token: of the reply or unsubscribe address. The others: lower case.

    recipient: the address that we mailed and that a report is about. None: not present.
    """

    message_id: str | None = None
    token: str | None = None
    sender: str | None = None
    recipient: str | None = None


def our_message_id(*texts: str) -> str | None:
    """The last Message-ID of ours in the first of `texts` that holds one: in References the last is the nearest."""
    for text in texts:
        found = _OURS.findall(text)
        if found:
            return f"<{found[-1]}>"
    return None


def answered_message_id(mail: Part) -> str | None:
    """Our Message-ID that this mail says it answers; References counts as much as In-Reply-To."""
    return our_message_id(*(text for name in _THREAD for text in mail.raws(name)))


def answered_ids(mail: Part) -> tuple[str, ...]:
    """The left parts of all Message-IDs that this mail says it answers, the nearest first: ours or anybody's."""
    found = [each for name in _THREAD for text in mail.raws(name) for each in reversed(_ANY_ID.findall(text))]
    return tuple(dict.fromkeys(found))[:_MOST_IDS]


def token_of(message_id: str) -> str:
    """The token within a Message-ID of ours: the key of the attempt that carried it."""
    return message_id.partition("@")[0].rpartition(".")[2]


def own_message_id(mail: Part) -> str | None:
    """The mail's own Message-ID when it is one of ours: a copy of what we sent."""
    return our_message_id(mail.raw("message-id"))


def received_by(mail: Part) -> tuple[str, ...]:
    """The addresses that the mail was sent to or delivered to."""
    return tuple(address for name in _RECEIVED_BY for raw in mail.raws(name) for address in addresses(raw))


def reply_token(mail: Part) -> str | None:
    """The token of the reply address or the unsubscribe address that got this mail, in either form."""
    for address in received_by(mail):
        local = address.partition("@")[0]
        found = _REPLY_TO_US.fullmatch(local) or _UNSUBSCRIBE.fullmatch(local)
        if found and found[1]:
            return found[1]
    return None


def is_to_unsubscribe(mail: Part) -> bool:
    """Whether an unsubscribe address of ours got this mail."""
    return any(_UNSUBSCRIBE.fullmatch(address.partition("@")[0]) for address in received_by(mail))


def from_address(mail: Part) -> str | None:
    """Who wrote the mail, lower case: From, else Sender, else the envelope."""
    return next(filter(None, (sender_address(mail.raw(name)) for name in ("from", "sender", "return-path"))), None)
