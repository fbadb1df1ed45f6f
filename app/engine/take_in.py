"""What came in is taken in: judged, matched to somebody, applied, or kept for a person to see. Once each (I8, I17).

A text or call: take_in_text.py; a mail: take_in_mail.py; an entry of a provider's list: take_in_listed.py.
"""

from __future__ import annotations

import logging
from datetime import datetime
from typing import assert_never

from app.domain.errors import OperatorError, StoreError
from app.domain.events import Applied, EventKind, InboxEvent
from app.domain.inbound import CallIn, InboundItem, ListedIn, MailIn, TextIn
from app.domain.inbound_events import MOST_ADDRESS_CHARS, storable
from app.domain.reasons import Why
from app.domain.states import Channel
from app.engine.again import again
from app.engine.event_facts import line
from app.engine.ports import OpenUow, ProblemNote, UnitOfWork
from app.engine.take_in_listed import take_listed
from app.engine.take_in_mail import keep_raw, key_of_mail, take_mail
from app.engine.take_in_text import take_call, take_text

log = logging.getLogger(__name__)


def take_in(uow: UnitOfWork, item: InboundItem, now: datetime) -> Applied:
    """Take `item` in, in the caller's transaction, with all that follows from it. A second reading changes nothing."""
    match item:
        case TextIn():
            return take_text(uow, item, now)
        case CallIn():
            return take_call(uow, item, now)
        case MailIn():
            return take_mail(uow, item, now)
        case ListedIn():
            return take_listed(uow, item, now)
        case _:
            assert_never(item)


def take_or_keep(open_uow: OpenUow, item: InboundItem, now: datetime) -> Applied:
    """Take `item` in, in a transaction of its own; one that can't be is kept as it came, and listed (CASES 41).

    So what one sender wrote never keeps anything else from being read, nor is it read for ever. Raises StoreError when
    the database can't be used: then nothing was taken, and the item is to be brought again.
    """
    try:
        return again(lambda: _take(open_uow, item, now))
    except StoreError:
        raise
    except Exception as fault:
        log.exception("take_in.failed", extra={"source": item.source})
        because = fault.told if isinstance(fault, OperatorError) else type(fault).__name__
        return again(lambda: _keep(open_uow, item, because, now))


def _take(open_uow: OpenUow, item: InboundItem, now: datetime) -> Applied:
    with open_uow() as uow:
        return take_in(uow, item, now)


def _keep(open_uow: OpenUow, item: InboundItem, because: str, now: datetime) -> Applied:
    with open_uow() as uow:
        return keep_unreadable(uow, item, because, now)


def keep_unreadable(uow: UnitOfWork, item: InboundItem, because: str, now: datetime) -> Applied:
    """Keep `item` as it came, judged by nobody yet: on the list of what fits nobody, and among the problems."""
    channel, address = _from(item)
    event = InboxEvent(
        source=item.source,
        key=key_of_mail(item) if isinstance(item, MailIn) else item.key,
        kind=EventKind.OTHER,
        happened_at=item.at,
        received_at=now,
        channel=channel,
        address=None if address is None else storable(address, MOST_ADDRESS_CHARS),
        text=storable(item.body) if isinstance(item, TextIn) else "",
        note="could not be read",
        needs_human=True,
    )
    event_id = uow.events.insert_if_absent(event)
    if event_id is None:
        return Applied(uow.events.known(event.source, event.key), None, duplicate=True)
    if isinstance(item, MailIn):
        keep_raw(uow, event_id, item.raw)
    facts = {"provider": item.source, "because": because}
    uow.log.problem([ProblemNote(now, Why.UNREADABLE, inbox_event_id=event_id, facts=facts)])
    uow.log.add([line(now, "event.unreadable", event, event_id, None, {"because": because})])
    return Applied(event_id, None, unmatched=True, came_in_at=item.at, read_at=now, changed_at=now)


def _from(item: InboundItem) -> tuple[Channel, str | None]:
    match item:
        case TextIn():
            return Channel.SMS, item.sender
        case CallIn():
            return Channel.CALL, item.sender
        case ListedIn():
            return Channel.EMAIL, item.address
        case MailIn():
            return Channel.EMAIL, None
        case _:
            assert_never(item)
