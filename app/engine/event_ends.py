"""What an event does to follow-ups and their messages: ended, cancelled, marked `stop_requested`, or past a step."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.domain.errors import StoreError
from app.domain.events import FACT_OF, Applied, CancelledMessage, EndedFollowUp
from app.domain.ids import EnrollmentId, PersonId
from app.domain.journey import CONTACT_STEPS
from app.domain.reasons import Why
from app.domain.snapshot import Snapshot
from app.domain.states import End, WaitsFor
from app.domain.stopping import WILL, closing_why, ended_by, ended_by_shared, stands_at_closed
from app.domain.verdict import Ends
from app.engine import moves
from app.engine.concerned import Part
from app.engine.ports import EnrollmentMove, EnrollmentRow, LogLine, UnitOfWork

log = logging.getLogger(__name__)

_WHY_UNREADABLE = {
    End.STOPPED: Why.STAFF_STOP,
    End.REPLIED: Why.REPLY,
    End.CONVERTED: Why.GOAL,
    End.CLOSED: Why.NO_LONGER_TRUE,
    End.OPTED_OUT: Why.OPT_OUT,
    End.SUPPRESSED: Why.HARD_BOUNCE,
}


@dataclass(frozen=True, slots=True)
class _Live:
    """One person's live follow-ups, locked. snapshots: of those that can be read here."""

    rows: Mapping[EnrollmentId, EnrollmentRow]
    snapshots: Mapping[EnrollmentId, Snapshot]
    ends: Mapping[EnrollmentId, Ends]


def end_follow_ups(uow: UnitOfWork, parts: Sequence[Part], now: datetime) -> Mapping[PersonId, Applied]:
    """End what the event ends for each of the people, cancel what waited; what was done, by person."""
    ids = uow.stops.live_of([part.person.id for part in parts])
    rows = uow.enrollments.rows(ids)
    snapshots = _read(uow, ids, now)
    live = {part.person.id: _live(part, rows, snapshots) for part in parts}
    written = [
        moves.ended(rows[i].seen, end, now, event_id=part.event_id)
        for part in parts
        for i, end in live[part.person.id].ends.items()
    ]
    _move(uow, written)
    return {part.person.id: _settle(uow, part, live[part.person.id], now) for part in parts}


def _move(uow: UnitOfWork, wanted: Sequence[EnrollmentMove]) -> None:
    if len(uow.enrollments.move(wanted)) != len(wanted):
        raise AssertionError("a locked enrollment changed under its lock")


def _live(part: Part, rows: Mapping[EnrollmentId, EnrollmentRow], snapshots: Mapping[EnrollmentId, Snapshot]) -> _Live:
    own = {i: row for i, row in sorted(rows.items()) if row.person_id == part.person.id}
    ends = {i: end for i, row in own.items() if (end := _ended_by(part, row, snapshots.get(i))) is not None}
    return _Live(own, {i: snapshots[i] for i in own if i in snapshots}, ends)


def _settle(uow: UnitOfWork, part: Part, live: _Live, now: datetime) -> Applied:
    ids = sorted(live.ends)
    why = next((end.why for end in live.ends.values()), Why.FOLLOW_UP_ENDED)
    cancelled = list(uow.outbox.cancel_waiting(ids, why, part.event_id, now)) if ids else []
    on_their_way = tuple(uow.outbox.request_stop(ids, part.event_id, now)) if ids else ()
    uow.log.add([_ended_line(part, live.rows[i], live.ends[i], now) for i in ids])
    uow.log.add([_message_line("message.cancelled", part, each, now, {"why": why.value}) for each in cancelled])
    uow.log.add([_message_line("message.stop_requested", part, each, now, {}) for each in on_their_way])
    if part.closed:
        cancelled += _past_closed(uow, part, live, now)
    if ids:
        accepted = uow.outbox.last_accepted(ids)
    else:
        accepted = uow.stops.last_accepted_by(part.person.id) if part.event.kind in FACT_OF else ()
    return Applied(
        event_id=part.event_id,
        person_id=part.person.id,
        came_in_at=part.event.happened_at,
        read_at=part.event.received_at,
        changed_at=now,
        ended=tuple(_ended(live.snapshots.get(i), live.ends[i]) for i in ids),
        cancelled=tuple(cancelled),
        on_their_way=on_their_way,
        accepted=tuple(accepted),
    )


def _past_closed(uow: UnitOfWork, part: Part, live: _Live, now: datetime) -> list[CancelledMessage]:
    """Cancel what waits for a closed address; a follow-up of somebody else who has it goes on past that step.

    What was written by hand is cancelled for everybody. A step of the person's own that may be skipped is skipped by
    the guard, when its message is about to go. What is with the provider already is looked at once more right before
    the call, finds the address closed, and comes back to the guards.
    """
    why = Why.SHARED_ADDRESS if part.event.kind in WILL and not part.own else closing_why(part.event)
    going_on = [] if part.own else [i for i in live.rows if i not in live.ends]
    found = uow.stops.cancel_to(part.person.id, part.closed, going_on, why or Why.OPT_OUT, part.event_id, now)
    uow.log.add(
        [_message_line("message.cancelled", part, each, now, {"why": (why or Why.OPT_OUT).value}) for each, _ in found]
    )
    on = []
    # read again: one that ended just now may have woken this one, which makes the first picture stale (I9)
    rows = uow.enrollments.rows({i for _, i in found if i is not None})
    for i, row in sorted(rows.items()):
        step = stands_at_closed(part.closed, live.snapshots[i])
        if step is None:
            continue
        on.append(moves.moved(row.seen, step=step.next, waits_for=WaitsFor.NOTHING, entered_at=now, wake_at=now))
        facts = {"step": step.id, "why": Why.SHARED_ADDRESS.value}
        uow.log.add([_line("step.skipped", part, now, facts, enrollment_id=i)])
    _move(uow, on)
    return [each for each, _ in found]


def _read(uow: UnitOfWork, live: Sequence[EnrollmentId], now: datetime) -> Mapping[EnrollmentId, Snapshot]:
    """Live rows of all; those of which something can't be read here, such as a newer journey's version, left out."""
    try:
        return uow.snapshots.of_enrollments(live, now)
    except StoreError:
        raise
    except Exception:
        log.info("event.one_by_one", exc_info=True)
    snapshots: dict[EnrollmentId, Snapshot] = {}
    for enrollment_id in live:
        try:
            snapshots.update(uow.snapshots.of_enrollments([enrollment_id], now))
        except StoreError:
            raise
        except Exception:
            log.exception("event.unreadable", extra={"enrollment_id": enrollment_id})
    return snapshots


def _ended_by(part: Part, row: EnrollmentRow, seen: Snapshot | None) -> Ends | None:
    """How the event ends it. Where nothing can be asked about it, whatever may be a stop is one: rather too silent."""
    event = part.event
    if seen is not None:
        return ended_by(event, seen) if part.own else ended_by_shared(event, part.closed, seen)
    end = FACT_OF.get(event.kind)
    if end is None or event.journey_id not in (None, row.journey_id):
        return None
    return Ends(end, _WHY_UNREADABLE[end])


def _ended(seen: Snapshot | None, ends: Ends) -> EndedFollowUp:
    name = seen.journey.name if seen is not None and seen.journey else ""
    return EndedFollowUp(name, ends.end, _steps_left(seen))


def _steps_left(seen: Snapshot | None) -> int:
    """How many messages of the journey were not said: those after the step it stood at count by what was said."""
    if seen is None or seen.journey is None:
        return 0
    contacts = [step for step in seen.journey.journey.steps.values() if isinstance(step, CONTACT_STEPS)]
    said = {step for step, _, _ in seen.said}
    return sum(1 for step in contacts if step.id not in said)


def _ended_line(part: Part, row: EnrollmentRow, ends: Ends, now: datetime) -> LogLine:
    return LogLine(
        now,
        "follow_up.ended",
        part.event.actor,
        person_id=row.person_id,
        enrollment_id=row.seen.id,
        inbox_event_id=part.event_id,
        journey_id=row.journey_id,
        facts={"end": ends.end.value, "why": ends.why.value},
    )


def _message_line(name: str, part: Part, message: CancelledMessage, now: datetime, facts: dict[str, str]) -> LogLine:
    return LogLine(
        now,
        name,
        person_id=part.person.id,
        message_id=message.message_id,
        inbox_event_id=part.event_id,
        facts=dict(facts),
    )


def _line(
    name: str, part: Part, now: datetime, facts: dict[str, str], enrollment_id: EnrollmentId | None = None
) -> LogLine:
    return LogLine(
        now,
        name,
        person_id=part.person.id,
        enrollment_id=enrollment_id,
        inbox_event_id=part.event_id,
        facts=dict(facts),
    )
