"""What the reading of the outside needs: sources that are asked again and again, and the marks where each stands."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from app.domain.answer import Health, Outage
from app.domain.inbound import InboundItem

# how far a source has been read, in its own terms: plain values that are kept as JSON
Mark = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Haul:
    """What one reading brought. mark: where the next one begins, kept only after every item is written down.

    more: there is more to read at once, since this reading was cut short.
    """

    items: Sequence[InboundItem]
    mark: Mark
    more: bool = False


@dataclass(frozen=True, slots=True)
class SourceSeen:
    """How a source stands. worked_at: when it was last read whole; fault: why the last try failed, since when."""

    name: str
    mark: Mark | None = None
    tried_at: datetime | None = None
    worked_at: datetime | None = None
    fault: Outage | None = None
    failing_since: datetime | None = None


class Source(Protocol):
    """One place that is polled. It decides nothing; it brings what is new since a mark, and some of the old again."""

    name: str
    every: timedelta  # how often it is worth asking

    def read(self, mark: Mark | None, now: datetime) -> Haul | Outage:
        """What came in since `mark`; None: never read before. Never raises for what the outside can do; 30 s at most.

        The same item may come in any number of readings: its key makes it a copy.
        """
        ...

    def test(self) -> Health:
        """Ask whether it can be read. Changes nothing there, never raises, ends within 30 s."""
        ...


class Marks(Protocol):
    """Where each source stands."""

    def of(self, source: str) -> SourceSeen:
        """As it stands; an empty one before the first reading."""
        ...

    def all(self) -> Sequence[SourceSeen]:
        """Every source that was ever asked, by name."""
        ...

    def turn(self, source: str, every: timedelta, now: datetime) -> SourceSeen | None:
        """The source, when it is to be asked now and nobody else has just done so; it counts as tried."""
        ...

    def read_to(self, source: str, mark: Mark, now: datetime, *, whole: bool) -> None:
        """Everything up to `mark` is written down. whole: nothing is left to read just now, so its fault is over."""
        ...

    def failed(self, source: str, outage: Outage, now: datetime) -> bool:
        """A try failed; whether that is news: it worked before, or failed for another reason."""
        ...

    def keep_only(self, sources: Collection[str]) -> Sequence[str]:
        """Those that are not among `sources` are read no longer, so that they fail no longer; which had failed."""
        ...
