"""Every stop, from whatever side it comes: inbox insert-if-absent, person version + 1, follow-ups ended, messages
cancelled or marked `stop_requested`, all in the caller's one transaction (I8).

Whom it concerns: concerned.py. What it says of them: event_facts.py. What ends: event_ends.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from app.domain.errors import OperatorError
from app.domain.events import FACT_OF, RECORD_OF, Applied, EventKind, InboxEvent
from app.domain.ids import InboxEventId, PersonId
from app.domain.reasons import Why
from app.domain.snapshot import Person
from app.domain.stopping import dated
from app.engine.checkpoints import reach
from app.engine.concerned import Part, closed_for, others, whom
from app.engine.event_ends import end_follow_ups
from app.engine.event_facts import close_addresses, line, write_facts, write_other
from app.engine.ports import ProblemNote, UnitOfWork

# another payload under a known id: what only silences is taken at its word, what adds something is shown to staff
_SILENCING = frozenset(FACT_OF) - frozenset(RECORD_OF) - {EventKind.CONVERTED, EventKind.CLOSED}


def apply_event(uow: UnitOfWork, event: InboxEvent, now: datetime) -> Applied:
    """Apply `event` once; a second copy changes nothing and says so.

    The first stop that is applied ends the follow-up and stays (I3); a later one adds its fact, its suppression and its
    log line. An event that matches nobody is kept, listed, and its address suppressed where it asks for that (I17).
    Raises OperatorError when there is no such person, or an opt-in has no evidence.
    """
    found = whom(uow, event)
    named = replace(event, person_id=found.person_id)
    if named.person_id is not None:
        _read(uow, named.person_id)
    event_id = uow.events.insert_if_absent(named)
    if event_id is not None:
        return _take_in(uow, named, event_id, found.candidates, now)
    if uow.inbox.differs(named):
        another = _another(named)
        event_id = uow.events.insert_if_absent(another)
        if event_id is not None:
            return _told_twice(uow, another, event_id, found.candidates, now)
    return Applied(uow.events.known(event.source, event.key), named.person_id, duplicate=True)


def match_event(uow: UnitOfWork, event_id: InboxEventId, person_id: PersonId, by: str, now: datetime) -> Applied:
    """An event of the unmatched list is this person's: it is applied, once, with everything that it does.

    Raises OperatorError when it is not on the list, or there is no such person.
    """
    event = _waiting(uow, event_id)
    _read(uow, person_id)
    uow.inbox.match(event_id, person_id)
    uow.inbox.solve(event_id, now, by)
    found = replace(event, person_id=person_id)
    uow.log.add([line(now, "event.matched", replace(found, actor=by), event_id, person_id)])
    return _apply(uow, found, event_id, now)


def set_event_aside(uow: UnitOfWork, event_id: InboxEventId, by: str, now: datetime) -> None:
    """Somebody looked at an event of the unmatched list, and it is nobody's. Raises OperatorError as `match_event`."""
    event = _waiting(uow, event_id)
    uow.inbox.set_aside(event_id)
    uow.inbox.solve(event_id, now, by)
    uow.log.add([line(now, "event.set_aside", replace(event, actor=by), event_id, None)])


def _waiting(uow: UnitOfWork, event_id: InboxEventId) -> InboxEvent:
    event = uow.inbox.unmatched(event_id)
    if event is None:
        raise OperatorError(f"There is no event {event_id} on the list.", "stopwell unmatched shows the list.")
    return event


def _read(uow: UnitOfWork, person_id: PersonId) -> Person:
    person = uow.people.read(person_id)
    if person is None:
        raise OperatorError(f"there is no person {person_id}")
    return person


def _another(event: InboxEvent) -> InboxEvent:
    """The event under a key of its own, made of its payload."""
    key = f"{event.key}#{event.payload_hash[:12]}"
    if event.kind in _SILENCING:
        return replace(event, key=key)
    return replace(event, key=key, kind=EventKind.OTHER, needs_human=True)


def _told_twice(
    uow: UnitOfWork, event: InboxEvent, event_id: InboxEventId, candidates: Sequence[PersonId], now: datetime
) -> Applied:
    facts = {"source": event.source}
    uow.log.problem([ProblemNote(now, Why.OTHER_TEXT, event.person_id, inbox_event_id=event_id, facts=facts)])
    return replace(_take_in(uow, event, event_id, candidates, now), other_text=True)


def _take_in(
    uow: UnitOfWork, event: InboxEvent, event_id: InboxEventId, candidates: Sequence[PersonId], now: datetime
) -> Applied:
    if event.person_id is not None:
        return _apply(uow, event, event_id, now)
    uow.people.lock(sorted(candidates), to_write=True)
    suppressed = close_addresses(uow, event, event_id, None, now)
    held = [
        Applied(part.event_id, candidate, came_in_at=event.happened_at, read_at=event.received_at, changed_at=now)
        for candidate in sorted(candidates)
        if (part := write_other(uow, event, None, _read(uow, candidate), now)) is not None
    ]
    uow.log.problem([ProblemNote(now, Why.WHOSE_REPLY if candidates else Why.UNMATCHED, inbox_event_id=event_id)])
    uow.log.add([line(now, "event.unmatched", event, event_id, None)])
    return Applied(
        event_id,
        None,
        unmatched=True,
        came_in_at=event.happened_at,
        read_at=event.received_at,
        dated=dated(event, None, now),
        suppressed=suppressed,
        others=tuple(held),
    )


def _apply(uow: UnitOfWork, event: InboxEvent, event_id: InboxEventId, now: datetime) -> Applied:
    if event.person_id is None:
        raise ValueError("an event that matches nobody is listed, not applied")
    concerned = others(uow, event, _read(uow, event.person_id))
    # everybody at once and in id order, and only then anything of theirs (engine/ports.py)
    uow.people.lock(sorted({event.person_id, *concerned}), to_write=True)
    person = _read(uow, event.person_id)
    suppressed = write_facts(uow, event, event_id, person, now)
    parts = [Part(event, event_id, person, closed_for(event, person, person), own=True)]
    for other in sorted(concerned & others(uow, event, person)):
        part = write_other(uow, event, person, _read(uow, other), now)
        parts += [part] if part is not None else []
    done = end_follow_ups(uow, parts, now)
    uow.enrollments.ask_waits(sorted(part.person.id for part in parts), now)  # some may wait for just this
    uow.events.mark_applied(event_id, now)
    reach("event.before_commit")
    return replace(
        done[person.id],
        dated=dated(event, person, now),
        suppressed=suppressed,
        others=tuple(done[part.person.id] for part in parts if not part.own),
    )
