"""The machine's clock, and the two clocks of practice mode, where `tick --at` may have run ahead of it."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta


class SystemClock:
    """The machine's own time."""

    def now(self) -> datetime:
        """The present instant, UTC."""
        return datetime.now(UTC)

    def monotonic_s(self) -> float:
        """Seconds on a clock that never goes back and stands still in no transaction."""
        return time.monotonic()


class NoEarlierThan(SystemClock):
    """The machine's time, but never before `seen`: what a command says next to a made-up time that was reached.

    Standing still at `seen`, so that whatever a command starts is due at once when the same time is ticked again.
    """

    def __init__(self, seen: datetime) -> None:
        self._seen = seen

    def now(self) -> datetime:
        """The present instant, or `seen` when that is later. UTC."""
        return max(super().now(), self._seen)


class RunningAhead(SystemClock):
    """The machine's time, moved on so that it begins at `seen` or later and runs from there: for an engine at work."""

    def __init__(self, seen: datetime) -> None:
        self._ahead = max(seen - super().now(), timedelta(0))

    def now(self) -> datetime:
        """The present instant plus the lead that the made-up time had when this clock was made. UTC."""
        return super().now() + self._ahead


class FixedClock(SystemClock):
    """A made-up time that stands still: `tick --at` in practice mode."""

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
