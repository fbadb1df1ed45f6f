"""The problem list as staff work on it: one is marked as looked at, with who did."""

from __future__ import annotations

from datetime import datetime
from uuid import uuid4

from app.domain.clock import Clock
from app.domain.errors import OperatorError
from app.domain.events import EventKind, InboxEvent
from app.domain.ids import PersonId, ProblemId
from app.engine.apply_event import apply_event
from app.engine.mend import solve
from app.engine.ports import OpenUow, UnitOfWork
from app.service.again import again

SOURCE = "staff"


class Problems:
    """Takes things off the problem list by hand."""

    def __init__(self, open_uow: OpenUow, clock: Clock) -> None:
        self._open_uow = open_uow
        self._clock = clock

    def solve(self, problem_id: ProblemId, *, by: str, note: str = "") -> None:
        """Mark as looked at. by: who, as the log names them. note: kept with the person whom it is about.

        Raises OperatorError when it is not on the list, or when there is a note and nobody whom it could be kept with.
        """
        now = self._clock.now()

        def mark() -> None:
            with self._open_uow() as uow:
                found = uow.log.open_problems([problem_id])
                if not found:
                    raise OperatorError(f"Problem {problem_id} is not on the list.", "stopwell problems shows it.")
                if note.strip():
                    _keep_note(uow, found[0].note.person_id, by, note.strip(), now)
                solve(uow, found, now, by, "looked at")

        again(mark)


def _keep_note(uow: UnitOfWork, person_id: PersonId | None, by: str, note: str, now: datetime) -> None:
    """The log holds no free text: what staff write is an event of the person's, erased with them."""
    if person_id is None:
        raise OperatorError("A note is kept with a person, and this problem names none.", "Leave --note out.")
    event = InboxEvent(
        source=SOURCE,
        key=uuid4().hex,
        kind=EventKind.OTHER,
        happened_at=now,
        received_at=now,
        person_id=person_id,
        note=note,
        actor=by,
    )
    apply_event(uow, event, now)
