"""Stop, hold, resume, handled: what staff press for one person. Every stop goes through engine/apply_event (I8)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from uuid import uuid4

from app.domain.clock import Clock
from app.domain.events import Applied, EventKind, InboxEvent
from app.domain.ids import JourneyId, PersonId
from app.engine.apply_event import apply_event
from app.engine.hold import Held, mark_handled, pause_enrollments, resume_enrollments
from app.engine.ports import OpenUow, UnitOfWork
from app.service.again import again

SOURCE = "staff"


class Stops:
    """The buttons of a person's row. by: who pressed, as it is written in the log."""

    def __init__(self, open_uow: OpenUow, clock: Clock) -> None:
        self._open_uow = open_uow
        self._clock = clock

    def stop(self, person_id: PersonId, *, by: str, note: str = "", journey_id: JourneyId | None = None) -> Applied:
        """End the person's follow-ups, all or one journey's, and give the four facts.

        Pressed again it adds its own fact and ends nothing, for nothing is left. Raises OperatorError when there is no
        such person.
        """
        now = self._clock.now()
        event = _pressed(EventKind.STOPPED, person_id, by, note, now)

        def stop() -> Applied:
            with self._open_uow() as uow:
                return apply_event(uow, replace(event, journey_id=journey_id), now)

        return again(stop)

    def hold(
        self,
        person_id: PersonId,
        *,
        until: datetime | None,
        by: str,
        note: str = "",
        journey_id: JourneyId | None = None,
    ) -> Held:
        """Pause follow-ups until `until` (aware) or, with None, until resumed; they go on where they stood.

        note: kept in the person's history. Raises OperatorError when `until` is not in the future.
        """
        now = self._clock.now()

        def hold() -> Held:
            with self._open_uow() as uow:
                _keep_note(uow, person_id, by, note, now)
                return pause_enrollments(uow, person_id, until, by, now, journey_id)

        return again(hold)

    def resume(self, person_id: PersonId, *, by: str, note: str = "", journey_id: JourneyId | None = None) -> Held:
        """Let paused follow-ups go on. note: kept in the person's history."""
        now = self._clock.now()

        def resume() -> Held:
            with self._open_uow() as uow:
                _keep_note(uow, person_id, by, note, now)
                return resume_enrollments(uow, person_id, by, now, journey_id)

        return again(resume)

    def handled(self, person_id: PersonId, *, by: str) -> bool:
        """Staff have answered: what waited for them goes on. False when nothing did."""

        def handle() -> bool:
            with self._open_uow() as uow:
                return mark_handled(uow, person_id, by, self._clock.now())

        return again(handle)


def _pressed(kind: EventKind, person_id: PersonId, by: str, note: str, now: datetime) -> InboxEvent:
    return InboxEvent(
        source=SOURCE,
        key=uuid4().hex,
        kind=kind,
        happened_at=now,
        received_at=now,
        person_id=person_id,
        note=note,
        actor=by,
    )


def _keep_note(uow: UnitOfWork, person_id: PersonId, by: str, note: str, now: datetime) -> None:
    """The log holds no free text; what staff wrote is an event of its own, which ends and holds nothing."""
    if note.strip():
        apply_event(uow, _pressed(EventKind.OTHER, person_id, by, note.strip(), now), now)
