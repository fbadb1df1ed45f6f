"""The tasks that journeys give to staff: which wait, and that one is done."""

from __future__ import annotations

from collections.abc import Sequence

from app.domain.clock import Clock
from app.domain.ids import EnrollmentId
from app.domain.task_lines import TaskLine
from app.engine.office_ports import OpenReader
from app.engine.ports import OpenUow
from app.engine.tasks import TaskDone, tick_task
from app.service.again import again


class Tasks:
    """What waits for staff. by: who ticked, as it is written in the log."""

    def __init__(self, open_uow: OpenUow, open_reader: OpenReader, clock: Clock) -> None:
        self._open_uow = open_uow
        self._open_reader = open_reader
        self._clock = clock

    def lines(self) -> Sequence[TaskLine]:
        """Those that wait, soonest end first."""
        with self._open_reader() as reads:
            return reads.tasks()

    def done(self, enrollment_id: EnrollmentId, *, by: str) -> TaskDone:
        """The task is done: its follow-up goes on at once. Raises OperatorError when nobody waits for it any more."""

        def tick() -> TaskDone:
            with self._open_uow() as uow:
                return tick_task(uow, enrollment_id, by, self._clock.now())

        return again(tick)
