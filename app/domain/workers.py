"""Who works on a practice: one engine in one process on one computer. Rows: store/workers.py."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

LEASE: Final = timedelta(minutes=1)  # what a worker has in hand is its own for so long
# a lease is a minute, and a look-up comes again after two: one that ends later is of a clock that ran ahead
LONGEST_LEASE: Final = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class WorkerLine:
    """One engine. token: its own, random, as attempts name it. host: its computer's name. Times: UTC, the database's.

    lease_until: what it has leased is its own until then, unless it is heard of again.
    """

    token: str
    host: str
    pid: int
    started_at: datetime
    seen_at: datetime
    lease_until: datetime

    def silent(self, now: datetime) -> bool:
        """Whether it has not been heard of for longer than its lease: killed, frozen, or cut off."""
        return not now < self.lease_until <= now + LONGEST_LEASE
