"""What came in and is nobody's, and asks for nothing: kept, and off every list from the start (ADR 0022)."""

from __future__ import annotations

from datetime import datetime

from app.domain.events import Applied, InboxEvent
from app.domain.reasons import Why
from app.engine.event_facts import close_addresses, line
from app.engine.ports import ProblemNote, UnitOfWork


def set_aside_at_once(uow: UnitOfWork, event: InboxEvent, now: datetime) -> Applied:
    """Keep `event`, close the address that it closes, and ask nobody whose it is. A copy changes nothing."""
    event_id = uow.events.insert_if_absent(event)
    if event_id is None:
        return Applied(uow.events.known(event.source, event.key), None, duplicate=True)
    suppressed = close_addresses(uow, event, event_id, None, now)
    uow.inbox.set_aside(event_id)
    uow.log.add([line(now, "event.set_aside", event, event_id, None)])
    return Applied(
        event_id,
        None,
        came_in_at=event.happened_at,
        read_at=event.received_at,
        changed_at=now,
        suppressed=suppressed,
    )


def listed_untouched(uow: UnitOfWork, event: InboxEvent, now: datetime) -> Applied:
    """Put `event` on the list of what fits nobody, and touch nobody: it names an address, and nothing ties it to us."""
    event_id = uow.events.insert_if_absent(event)
    if event_id is None:
        return Applied(uow.events.known(event.source, event.key), None, duplicate=True)
    uow.log.problem([ProblemNote(now, Why.UNMATCHED, inbox_event_id=event_id)])
    uow.log.add([line(now, "event.unmatched", event, event_id, None)])
    return Applied(event_id, None, unmatched=True, came_in_at=event.happened_at, read_at=event.received_at)
