"""What staff do short of a stop: pause one person's follow-ups, go on, mark a reply as handled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from app.domain.errors import OperatorError
from app.domain.ids import EnrollmentId, JourneyId, PersonId
from app.domain.reasons import Why
from app.domain.snapshot import EnrollmentSeen
from app.domain.states import Contact, EnrollmentState
from app.engine import moves
from app.engine.ports import LogLine, UnitOfWork


@dataclass(frozen=True, slots=True)
class Held:
    """Which follow-ups were changed, and of how many."""

    changed: tuple[EnrollmentId, ...]
    of: int


def pause_enrollments(
    uow: UnitOfWork,
    person_id: PersonId,
    until: datetime | None,
    by: str,
    now: datetime,
    journey_id: JourneyId | None = None,
) -> Held:
    """Pause the person's active follow-ups, all or one journey's, until a date or (None) until resumed.

    A message that waits in the outbox stays there, held. Raises OperatorError when `until` is not ahead of `now`.
    """
    if until is not None and until <= now:
        raise OperatorError("A hold ends in the future.", "Give a later date, or none to hold until it is lifted.")
    live = _live(uow, person_id, journey_id)
    changed = uow.enrollments.move([moves.paused(seen, until, by) for seen in live])
    _log(uow, "follow_up.paused", person_id, changed, by, now, {"until": until.isoformat() if until else ""})
    return Held(tuple(sorted(changed)), len(live))


def resume_enrollments(
    uow: UnitOfWork, person_id: PersonId, by: str, now: datetime, journey_id: JourneyId | None = None
) -> Held:
    """Let paused follow-ups go on where they stood."""
    live = _live(uow, person_id, journey_id)
    stopped = [seen for seen in live if seen.state is EnrollmentState.PAUSED]
    changed = uow.enrollments.move([moves.resumed(seen, now) for seen in stopped])
    uow.outbox.wake_held(person_id, now)
    _log(uow, "follow_up.resumed", person_id, changed, by, now, {"because": "staff"})
    return Held(tuple(sorted(changed)), len(live))


def mark_handled(uow: UnitOfWork, person_id: PersonId, by: str, now: datetime) -> bool:
    """Staff have looked at the reply: what is held for it goes on. False when nothing waited for staff."""
    uow.people.lock([person_id], to_write=True)
    person = uow.people.read(person_id)
    if person is None:
        raise OperatorError(f"there is no person {person_id}")
    if person.contact is not Contact.WITH_STAFF:
        return False
    uow.people.bump(person_id, Contact.OPEN, now)
    uow.enrollments.live_of(
        person_id
    )  # a tick that is just writing such a hold is waited for, so that it is lifted too
    uow.enrollments.nudge(person_id, [Why.WITH_STAFF], now)
    uow.enrollments.ask_waits([person_id], now)  # some may wait for just this
    uow.outbox.wake_held(person_id, now)
    uow.log.add([LogLine(now, "person.handled", by, person_id=person_id)])
    return True


def _live(uow: UnitOfWork, person_id: PersonId, journey_id: JourneyId | None) -> Sequence[EnrollmentSeen]:
    uow.people.lock([person_id], to_write=True)
    rows = uow.enrollments.rows(uow.enrollments.live_of(person_id))
    return [row.seen for row in rows.values() if journey_id in (None, row.journey_id)]


def _log(
    uow: UnitOfWork,
    event: str,
    person_id: PersonId,
    changed: frozenset[EnrollmentId],
    by: str,
    now: datetime,
    facts: dict[str, str],
) -> None:
    uow.log.add(
        [
            LogLine(now, event, by, person_id=person_id, enrollment_id=enrollment_id, facts=dict(facts))
            for enrollment_id in sorted(changed)
        ]
    )
