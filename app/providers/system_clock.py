"""The machine's clock, and the made-up ones of practice mode."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class SystemClock:
    """The machine's own time."""

    def now(self) -> datetime:
        """The present instant, UTC."""
        return datetime.now(UTC)

    def monotonic_s(self) -> float:
        """Seconds on a clock that never goes back and stands still in no transaction."""
        return time.monotonic()


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
