"""What came in, as events: each item of inbound.py with what it was found to be. Pure; whose it is, the engine finds.

A text or call that stops nothing is told as it is; only what people wrote can be a reply.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from app.domain.events import EventKind, InboxEvent, payload_hash
from app.domain.inbound import CallIn, ListedIn, ListName, MailIn, TextIn
from app.domain.mail_inbound import InboundMail, MailKind
from app.domain.reasons import Why
from app.domain.states import Channel
from app.domain.text_reply import ReplyKind, TextReply

MOST_TEXT_CHARS: Final = 20_000  # of an event's words; a mail's own bytes are kept beside it
MOST_ADDRESS_CHARS: Final = 320

_OF_MAIL: Final = {
    MailKind.REPLY: EventKind.REPLIED,
    MailKind.OPT_OUT: EventKind.OPTED_OUT,
    MailKind.OPT_IN: EventKind.OPTED_IN,
    MailKind.AUTO_REPLY: EventKind.AUTO_REPLY,
    MailKind.BOUNCE_HARD: EventKind.BOUNCED,
    MailKind.BOUNCE_SOFT: EventKind.BOUNCED_SOFT,
    MailKind.COMPLAINT: EventKind.COMPLAINED,
    MailKind.OTHER: EventKind.OTHER,
}
_OF_LIST: Final = {
    ListName.BOUNCES: EventKind.BOUNCED,
    ListName.INVALID: EventKind.BOUNCED,
    ListName.BLOCKS: EventKind.BOUNCED_SOFT,
    ListName.SPAM_REPORTS: EventKind.COMPLAINED,
    ListName.UNSUBSCRIBES: EventKind.OPTED_OUT,
    ListName.GROUP_UNSUBSCRIBES: EventKind.OPTED_OUT,
}
_BY_A_PERSON: Final = frozenset({EventKind.REPLIED, EventKind.OPTED_OUT, EventKind.OPTED_IN})


def storable(text: str, most: int = MOST_TEXT_CHARS) -> str:
    """`text` as both databases can keep it: no NUL, no half of a surrogate pair, and not without end."""
    whole = text.replace("\x00", "").encode("utf-8", "ignore").decode("utf-8")
    return whole if len(whole) <= most else f"{whole[: most - 1]}…"


def text_event(item: TextIn, read: TextReply, now: datetime) -> InboxEvent:
    """A text. What it revokes: the channels that it names, else texts and calls (RULES B7).

    A wrong number closes the number, and the person is looked for by another way (RULES C5).

    HELP ends nothing. The carrier's own answer to it names the practice, and a person looks all the same: they may be
    asking for help.
    """
    needs_human = read.needs_human
    match read.kind:
        case ReplyKind.OPT_OUT:
            kind = EventKind.DISCONNECTED if read.wrong_number else EventKind.OPTED_OUT
        case ReplyKind.OPT_IN:
            kind = EventKind.OPTED_IN
        case ReplyKind.HELP:
            kind, needs_human = EventKind.OTHER, True
        case ReplyKind.REPLY:
            kind = EventKind.AUTO_REPLY if read.automatic else EventKind.REPLIED
    return InboxEvent(
        source=item.source,
        key=item.key,
        kind=kind,
        happened_at=item.at,
        received_at=now,
        channel=Channel.SMS,
        address=storable(item.sender, MOST_ADDRESS_CHARS),
        channels=tuple(sorted(read.channels or ())) if kind is EventKind.OPTED_OUT else (),
        text=storable(item.body),
        note=_pictures(item.pictures),
        needs_human=needs_human,
        payload_hash=_hash_of(item.body),
    )


def own_text(item: TextIn, now: datetime) -> InboxEvent:
    """A text from a number of the practice's own: it is nobody's answer."""
    return InboxEvent(
        source=item.source,
        key=item.key,
        kind=EventKind.OTHER,
        happened_at=item.at,
        received_at=now,
        channel=Channel.SMS,
        address=storable(item.sender, MOST_ADDRESS_CHARS),
        text=storable(item.body),
        note="from a number of the practice",
        payload_hash=_hash_of(item.body),
    )


def call_event(item: CallIn, now: datetime) -> InboxEvent:
    """A call to our number: an answer, which a person returns or has taken."""
    return InboxEvent(
        source=item.source,
        key=item.key,
        kind=EventKind.REPLIED,
        happened_at=item.at,
        received_at=now,
        channel=Channel.CALL,
        address=storable(item.sender, MOST_ADDRESS_CHARS),
        note="called us" if item.seconds else "called us; nobody answered",
        needs_human=True,
    )


def mail_event(
    item: MailIn, key: str, read: InboundMail, now: datetime, *, subject: str, about: str | None = None
) -> InboxEvent:
    """A mail. key: by mail_key. about: the address that we mailed, of a report about a message of ours: it knows best.

    The time is the mailbox's own: whoever writes a mail chooses its date.
    """
    kind = _OF_MAIL[read.kind]
    address = about or read.match.recipient or read.match.sender
    return InboxEvent(
        source=item.source,
        key=key,
        kind=kind,
        happened_at=item.at,
        received_at=now,
        channel=Channel.EMAIL,
        address=None if address is None else storable(address, MOST_ADDRESS_CHARS),
        channels=tuple(sorted(read.opt_out_channels)) if kind is EventKind.OPTED_OUT else (),
        text=storable(read.new_text or ""),
        note=storable(_note_of(read, kind, subject), 500),
        needs_human=read.needs_human,
    )


def listed_event(item: ListedIn, now: datetime) -> InboxEvent:
    """An address on one of a provider's lists."""
    return InboxEvent(
        source=item.source,
        key=item.key,
        kind=_OF_LIST[item.list_name],
        happened_at=item.at,
        received_at=now,
        channel=Channel.EMAIL,
        address=storable(item.address.strip().lower(), MOST_ADDRESS_CHARS),
        channels=(Channel.EMAIL,) if _OF_LIST[item.list_name] is EventKind.OPTED_OUT else (),
        note=storable(" ".join(part for part in (item.status, item.reason) if part) or item.list_name.value, 500),
        why=Why.INVALID_ADDRESS if item.list_name is ListName.INVALID else None,
    )


def _note_of(read: InboundMail, kind: EventKind, subject: str) -> str:
    if read.bounce is not None:
        return " ".join(part for part in (read.bounce.action, read.bounce.status) if part)
    if read.calendar is not None:
        return " ".join(part for part in ("calendar", read.calendar.partstat, read.calendar.uid) if part)
    if read.return_date is not None:
        return f"back on {read.return_date.isoformat()}"
    if kind in _BY_A_PERSON:
        return subject
    return read.subtype


def _pictures(count: int) -> str:
    if not count:
        return ""
    return "1 picture" if count == 1 else f"{count} pictures"


def _hash_of(body: str) -> str:
    """By the words alone: one way of reading gives the blanks that another leaves out, and a provider's own copy may
    be emptied later.
    """
    words = " ".join(storable(body).split())
    return payload_hash(words) if words else ""
