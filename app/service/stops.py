"""Stop, hold, resume, handled: what staff press for one person. Every stop goes through engine/apply_event (I8)."""

from __future__ import annotations

from datetime import datetime
from uuid import uuid4

from app.domain.clock import Clock
from app.domain.events import Applied, EventKind, InboxEvent
from app.domain.ids import JourneyId, PersonId
from app.engine.apply_event import apply_event
from app.engine.hold import Held, mark_handled, pause_enrollments, resume_enrollments
from app.engine.ports import OpenUow

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
        event = InboxEvent(
            source=SOURCE,
            key=uuid4().hex,
            kind=EventKind.STOPPED,
            happened_at=now,
            received_at=now,
            person_id=person_id,
            note=note,
            actor=by,
            journey_id=journey_id,
        )
        with self._open_uow() as uow:
            return apply_event(uow, event, now)

    def hold(
        self, person_id: PersonId, *, until: datetime | None, by: str, journey_id: JourneyId | None = None
    ) -> Held:
        """Pause follow-ups until `until` (aware) or, with None, until resumed; they go on where they stood.

        Raises OperatorError when `until` is not in the future.
        """
        with self._open_uow() as uow:
            return pause_enrollments(uow, person_id, until, by, self._clock.now(), journey_id)

    def resume(self, person_id: PersonId, *, by: str, journey_id: JourneyId | None = None) -> Held:
        """Let paused follow-ups go on."""
        with self._open_uow() as uow:
            return resume_enrollments(uow, person_id, by, self._clock.now(), journey_id)

    def handled(self, person_id: PersonId, *, by: str) -> bool:
        """Staff have answered: what waited for them goes on. False when nothing did."""
        with self._open_uow() as uow:
            return mark_handled(uow, person_id, by, self._clock.now())
