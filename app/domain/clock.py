"""The Clock protocol. Nothing in domain or engine reads the machine's clock by itself."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """The present instant, aware, in UTC."""
        ...

    def monotonic_s(self) -> float:
        """Seconds on a clock that never goes back; only differences mean anything."""
        ...


def utc(at: datetime) -> datetime:
    """`at` in UTC. Raises ValueError for a naive time: a time without its zone never travels."""
    if at.tzinfo is None:
        raise ValueError(f"{at.isoformat()} has no zone")
    return at.astimezone(UTC)
