"""How fast: the wait before the next attempt of one message, and how many a sender takes a second."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta

# DESIGN section 4. Spread by up to a fifth, so that a provider that is back is not met by all at once
BACKOFF = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30))
SPREAD = 0.2
LONGEST_REST = timedelta(hours=24)  # a provider that asks a channel to rest for longer is asked again all the same


def backoff(attempts: int, key: str, asked: timedelta | None = None) -> timedelta:
    """The wait after the `attempts`-th try (1 to 3) of one message.

    key: any text that differs between messages; the same key gives the same spread, so that a run can be repeated.
    asked: the provider's Retry-After, which is never undercut.
    """
    base = BACKOFF[min(max(attempts, 1), len(BACKOFF)) - 1]
    share = int.from_bytes(hashlib.sha256(f"{key}:{attempts}".encode()).digest()[:4]) / 2**32
    spread = base * (1 + SPREAD * share)
    return max(spread, asked) if asked is not None else spread


@dataclass(frozen=True, slots=True)
class Pace:
    """One sender's rate, as far as it is spoken for. No burst is longer than one second's worth.

    rate: most messages a second, above 0. until: up to when earlier messages have spoken for it; None before the first.
    """

    rate: float
    until: datetime | None

    def free(self, now: datetime) -> int:
        """How many may go at `now`."""
        return max(0, (now - self._begins(now)) // self._each + 1)

    def taken(self, count: int, now: datetime) -> datetime:
        """Up to when it is spoken for after `count` more at `now`."""
        return self._begins(now) + self._burst + count * self._each

    def slot(self, ahead: int, now: datetime) -> datetime:
        """When one more may go that has `ahead` others before it, all of them not free at `now`."""
        return max(now, self._begins(now) + (self.free(now) + ahead) * self._each)

    def _begins(self, now: datetime) -> datetime:
        """The first slot that nobody has, at most one second's worth before `now`."""
        oldest = now - self._burst
        return oldest if self.until is None else max(oldest, self.until - self._burst)

    @property
    def _each(self) -> timedelta:
        return timedelta(seconds=1 / self.rate)

    @property
    def _burst(self) -> timedelta:
        """What may be made up for at once: the slots of one second but one, or none below two a second."""
        return self._each * max(int(self.rate) - 1, 0)
