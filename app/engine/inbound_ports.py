"""What the reading of the outside needs: sources that are asked again and again, and the marks where each stands."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Protocol

from app.domain.answer import Health, Outage
from app.domain.ids import PersonId
from app.domain.inbound import InboundItem
from app.domain.states import Channel
from app.engine.stop_ports import AcceptedNote

MOST_WAIT: Final = timedelta(hours=1)  # before a source is asked again, whatever it asks for

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


class Matching(Protocol):
    """What tells whose something is, and how it is meant: our own addresses, and what went to an address."""

    def own_emails(self) -> frozenset[str]:
        """The addresses that the practice sends from and reads, in lower case: their mail is nobody's answer."""
        ...

    def own_numbers(self) -> frozenset[str]:
        """The practice's own numbers, E.164: their texts are nobody's answer."""
        ...

    def has_opted_out(self, channel: Channel, address: str) -> bool:
        """Whether somebody asked not to be contacted there; an address that only failed is none of these."""
        ...

    def last_text(self, person_ids: Collection[PersonId], address: str, before: datetime) -> str | None:
        """The last text of these people that went to `address` and was noted before then; None when none was."""
        ...

    def by_keys(self, keys: Sequence[str]) -> AcceptedNote | None:
        """The message that one of these attempts was of, the first that is known; nobody who was erased."""
        ...

    def by_provider_ids(self, provider: str, ids: Sequence[str]) -> AcceptedNote | None:
        """The message that the provider calls by one of these, the first that is known; nobody who was erased."""
        ...

    def last_to(self, provider: str, channel: Channel, address: str, before: datetime) -> AcceptedNote | None:
        """The newest message that the provider accepted for `address` before then."""
        ...

    def failed_in_a_row(self, person_id: PersonId, address: str, since: datetime) -> Sequence[str]:
        """The codes of the emails to `address` that failed after `since` with none delivered later, newest first.

        Those that failed for what the address is are left out.
        """
        ...
