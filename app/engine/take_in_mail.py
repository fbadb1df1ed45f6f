"""A mail that came in: what it is, which message of ours it is about, whose it is, and the event that it makes.

Best hint first: our Message-ID, or the provider's own; the token of the reply address; the sender's address. The first
two name the message and the person, whoever wrote (CASES 34); the last names the person alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from app.domain.delivery_status import Delivered
from app.domain.events import Applied, EventKind, InboxEvent
from app.domain.ids import InboxEventId
from app.domain.inbound import MailIn
from app.domain.inbound_events import mail_event
from app.domain.mail_inbound import InboundMail, MailKind, classify_mail
from app.domain.mail_key import mail_key
from app.domain.mail_match import MailMatch, answered_ids, token_of
from app.domain.mail_parts import Part, parse_mail
from app.domain.states import Channel
from app.domain.stopping import key_of
from app.engine.apply_event import apply_event
from app.engine.failed_mail import failed
from app.engine.ports import AcceptedNote, LogLine, UnitOfWork
from app.engine.set_aside import listed_untouched, set_aside_at_once
from app.engine.status import settle

MOST_RAW_BYTES: Final = 2_000_000  # what is kept of a mail; the whole of it stays in the mailbox
SENDGRID: Final = "sendgrid"  # whose own Message-IDs begin with the id that it accepted a message by
OWN_COPY: Final = "own_copy"
DELIVERED: Final = "dsn_success"

_BOUNCES: Final = frozenset({EventKind.BOUNCED, EventKind.BOUNCED_SOFT})
_BY_MACHINES: Final = frozenset({EventKind.OTHER, EventKind.AUTO_REPLY})


@dataclass(frozen=True, slots=True)
class _Link:
    """The message of ours that a mail is about, and what told so."""

    note: AcceptedNote
    by: str


def take_mail(uow: UnitOfWork, item: MailIn, now: datetime) -> Applied:
    """Apply a mail. One that is nobody's and asks for nothing is set aside; a report that names no message of ours
    goes on the list and touches nobody (CASES 53).
    """
    mail = parse_mail(item.raw)
    key = mail_key(mail, item.raw, item.key)
    known = uow.events.known(item.source, key)
    if known is not None:
        return Applied(known, None, duplicate=True)
    read, link = _judge(uow, item.raw, mail)
    about = link.note.to if link and read.match.recipient else None
    event = mail_event(item, key, read, now, subject=mail.read("subject"), about=about)
    if read.subtype == OWN_COPY:
        return set_aside_at_once(uow, event, now)
    if link is not None:
        return _about_a_message(uow, item, replace(event, person_id=link.note.person_id), read, link, now)
    if event.kind in _BOUNCES:
        return _kept(uow, item, listed_untouched(uow, event, now))
    if event.kind in _BY_MACHINES and not event.needs_human and not _is_known(uow, event):
        return set_aside_at_once(uow, event, now)
    return _kept(uow, item, apply_event(uow, event, now))


def key_of_mail(item: MailIn) -> str:
    """What tells a copy of this mail."""
    return mail_key(parse_mail(item.raw), item.raw, item.key)


def keep_raw(uow: UnitOfWork, event_id: InboxEventId, raw: bytes) -> None:
    """Keep a mail as it came; of a very long one the beginning, for what it carries is in the mailbox."""
    uow.inbox.keep_raw(event_id, raw[:MOST_RAW_BYTES], cut=len(raw) > MOST_RAW_BYTES)


def _judge(uow: UnitOfWork, raw: bytes, mail: Part) -> tuple[InboundMail, _Link | None]:
    own = uow.matching.own_emails()
    read = classify_mail(raw, own)
    link = _link(uow, read.match, mail)
    if read.kind is MailKind.REPLY and _has_opted_out(uow, read.match, link):  # then they may ask to come back
        read = classify_mail(raw, own, opted_out=True)
    return read, link


def _link(uow: UnitOfWork, match: MailMatch, mail: Part) -> _Link | None:
    hints = [("message_id", token_of(match.message_id or "")), ("token", match.token or "")]
    for by, token in hints:
        found = uow.matching.by_keys([token, token.lower()]) if token else None
        if found is not None:
            return _Link(found, by)
    ids = answered_ids(mail)
    found = uow.matching.by_provider_ids(SENDGRID, ids) if ids else None
    return None if found is None else _Link(found, "provider_id")


def _has_opted_out(uow: UnitOfWork, match: MailMatch, link: _Link | None) -> bool:
    told = {match.sender, link.note.to if link else None}
    addresses = {key for each in told if (key := key_of(Channel.EMAIL, each)) is not None}
    return any(uow.matching.has_opted_out(Channel.EMAIL, each) for each in addresses)


def _is_known(uow: UnitOfWork, event: InboxEvent) -> bool:
    address = key_of(Channel.EMAIL, event.address)
    return address is not None and bool(uow.people.with_address(Channel.EMAIL, address))


def _about_a_message(
    uow: UnitOfWork, item: MailIn, event: InboxEvent, read: InboundMail, link: _Link, now: datetime
) -> Applied:
    applied = _kept(uow, item, apply_event(uow, event, now))
    note = link.note
    uow.log.add(
        [
            LogLine(
                now,
                "event.linked",
                person_id=note.person_id,
                message_id=note.message_id,
                inbox_event_id=applied.event_id,
                facts={"by": link.by},
            )
        ]
    )
    if read.subtype == DELIVERED:
        settle(uow, note, Delivered(item.at), now)
    elif read.bounce is not None and read.bounce.action != "delayed":
        failed(uow, event, note, read.bounce.status or "", now)
    return applied


def _kept(uow: UnitOfWork, item: MailIn, applied: Applied) -> Applied:
    if applied.event_id is not None and not applied.duplicate:
        keep_raw(uow, applied.event_id, item.raw)
    return applied
