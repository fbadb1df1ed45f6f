"""The machine's clock, and the made-up ones of practice mode."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Final

# the one that goes on while the machine sleeps: Linux' and macOS' plain monotonic clocks stand still then, and a note
# from before the sleep would look fresh. Windows has one clock for both
_ASLEEP_TOO: Final[int | None] = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))


class SystemClock:
    """The machine's own time."""

    def now(self) -> datetime:
        """The present instant, UTC."""
        return datetime.now(UTC)

    def monotonic_s(self) -> float:
        """Seconds on a clock that never goes back and does not stand still while the machine sleeps."""
        return time.monotonic() if _ASLEEP_TOO is None else time.clock_gettime(_ASLEEP_TOO)


class FixedClock(SystemClock):
    """A made-up time that stands still: `tick --at` in practice mode, and what is done there before the next tick."""

    def __init__(self, at: datetime) -> None:
        self._at = at

    def now(self) -> datetime:
        """The made-up instant. UTC."""
        return self._at


class StoryClock(SystemClock):
    """A made-up time that is moved by hand: how the made-up practice gets its past."""

    def __init__(self, at: datetime) -> None:
        self._at = at

    def now(self) -> datetime:
        """The made-up instant. UTC."""
        return self._at

    def set(self, at: datetime) -> None:
        """Move to `at`, backwards too."""
        self._at = at
