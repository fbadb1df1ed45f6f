"""What staff decide about what came too late to go out by itself (DESIGN section 6, after a long sleep)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from datetime import datetime

from app.domain.clock import Clock
from app.domain.ids import EnrollmentId
from app.engine import overdue
from app.engine.overdue_ports import OverdueUow
from app.service.again import again


class Overdue:
    """Release, skip, re-time: over any number of follow-ups in one transaction. by: who decided, for the log.

    Each gives how many it concerned. What is not overdue any more, such as a follow-up that a reply has ended
    meanwhile or that somebody else has decided about, is left out.
    """

    def __init__(self, open_uow: Callable[[], AbstractContextManager[OverdueUow]], clock: Clock) -> None:
        self._open_uow = open_uow
        self._clock = clock

    def release(self, ids: Collection[EnrollmentId], *, by: str) -> int:
        """They go out as usual: asked again at once, in hours, under the caps."""
        return self._decide(lambda uow, now: overdue.release(uow, ids, by, now))

    def skip(self, ids: Collection[EnrollmentId], *, by: str) -> int:
        """The step that is overdue is not said; the journey goes on at the next one, counted from now."""
        return self._decide(lambda uow, now: overdue.skip(uow, ids, by, now))

    def retime(self, ids: Collection[EnrollmentId], at: datetime, *, by: str) -> int:
        """They are asked at `at` (aware), and are not late before. Raises OperatorError when it is not ahead."""
        return self._decide(lambda uow, now: overdue.retime(uow, ids, at, by, now))

    def _decide(self, work: Callable[[OverdueUow, datetime], int]) -> int:
        def decide() -> int:
            with self._open_uow() as uow:
                return work(uow, self._clock.now())

        return again(decide)
