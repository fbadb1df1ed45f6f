"""The time of a PostgreSQL server, by which every desk and every worker on it goes (ADR 0019).

A desk whose own clock is minutes or hours wrong would else send at the wrong hour and take what others hold for free.
Asked rarely and told from the monotonic clock in between, so that no message costs a question.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from app.domain.clock import Clock
from app.domain.errors import StoreError

log = logging.getLogger(__name__)

MEASURE_EVERY_S: Final = 30.0
DRIFT_S: Final = 0.5  # the wall and the monotonic clock apart by more: the clock was set, or the machine stood still
TRY_AGAIN_S: Final = 5.0  # a server that can't be asked is not asked at every look at the clock
ASKED: Final = 3  # the shortest way there and back of so many is the truest

AskingTime = Callable[[], AbstractContextManager[Callable[[], datetime]]]


@dataclass(frozen=True, slots=True)
class _Fix:
    """One measurement: the server's time, and what the two clocks here showed then."""

    server: datetime
    monotonic_s: float
    wall: datetime


def in_a_thread(work: Callable[[], None]) -> None:
    """Run `work` beside whoever asks for the time."""
    threading.Thread(target=work, name="server-clock", daemon=True).start()


class ServerClock:
    """Tells the server's time: implements domain.clock.Clock. Any thread may ask.

    local: this machine's clock. asking: opens a way to ask the server its time, aware; raises StoreError.
    aside: runs a measurement that nobody waits for.
    """

    def __init__(self, local: Clock, asking: AskingTime, aside: Callable[[Callable[[], None]], None] = in_a_thread):
        """Asks the server at once. Raises StoreError when it can't be asked."""
        self._local = local
        self._asking = asking
        self._aside = aside
        self._lock = threading.RLock()
        self._underway = False
        self._failed_s: float | None = None
        self._leapt_s = 0.0
        self._drift_s = 0.0
        self._fix = self._measured()
        self._born = self._fix

    def now(self) -> datetime:
        """The server's present instant, UTC.

        Asked anew aside every 30 s of use, and at once when this machine's clocks disagree. While the server can't be
        asked the last measurement stands: whatever is done with the time needs the server as well.
        """
        fix, gone_s = self._gone()
        if abs(self._wall_drift_s(fix, gone_s)) > DRIFT_S:
            self._measure_in_doubt()
            fix, gone_s = self._gone()
        elif gone_s > MEASURE_EVERY_S:
            self._measure_aside()
            fix, gone_s = self._gone()
        return fix.server + timedelta(seconds=gone_s)

    def monotonic_s(self) -> float:
        """Seconds that never go back. Where this machine's wall clock leapt ahead of them, the leap counts too.

        A machine that was frozen from outside may have missed the time on its monotonic clock: a note from before it
        must not look fresh (ENGINE.md C1).
        """
        with self._lock:
            passed_s = self._local.monotonic_s()
            drift_s = (self._local.now() - self._born.wall).total_seconds() - (passed_s - self._born.monotonic_s)
            if drift_s - self._drift_s > DRIFT_S:
                self._leapt_s += drift_s - self._drift_s
            self._drift_s = drift_s
            return passed_s + self._leapt_s

    def ahead(self) -> timedelta:
        """How far this computer's clock is ahead of the server's; negative when it is behind."""
        now = self.now()
        return self._local.now() - now

    def _gone(self) -> tuple[_Fix, float]:
        fix = self._fix
        return fix, self._local.monotonic_s() - fix.monotonic_s

    def _wall_drift_s(self, fix: _Fix, gone_s: float) -> float:
        return (self._local.now() - fix.wall).total_seconds() - gone_s

    def _measure_in_doubt(self) -> None:
        """Wait for a new measurement, unless one has just been tried in vain."""
        with self._lock:
            fix, gone_s = self._gone()
            if abs(self._wall_drift_s(fix, gone_s)) > DRIFT_S and self._may_try():
                self._measure()

    def _measure_aside(self) -> None:
        with self._lock:
            if self._underway or not self._may_try():
                return
            self._underway = True
        self._aside(self._measure)

    def _may_try(self) -> bool:
        return self._failed_s is None or self._local.monotonic_s() - self._failed_s >= TRY_AGAIN_S

    def _measure(self) -> None:
        try:
            self._fix = self._measured()
            self._failed_s = None
        except StoreError:
            self._failed_s = self._local.monotonic_s()
            log.info("server_clock.not_asked")
        finally:
            self._underway = False

    def _measured(self) -> _Fix:
        """Half of the way there and back is taken off: the server looked at its clock in between."""
        best_s, best = float("inf"), None
        with self._asking() as ask:
            for _ in range(ASKED):
                asked_s = self._local.monotonic_s()
                server = ask()
                way_s = self._local.monotonic_s() - asked_s
                if best is None or way_s < best_s:
                    wall = self._local.now()
                    best_s, best = way_s, _Fix(server + timedelta(seconds=way_s / 2), asked_s + way_s, wall)
        if best is None:
            raise ValueError("nothing was asked")
        return best
