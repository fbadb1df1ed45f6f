"""The facts about one person that a condition is asked of, read from live rows in one go by the store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from app.domain.condition_tree import Scalar
from app.domain.events import EventKind
from app.domain.ids import RecordId
from app.domain.record import RecordKind
from app.domain.states import Channel, End

FieldValue = Scalar | date | datetime | None


@dataclass(frozen=True, slots=True)
class RecordFact:
    """What is known of one record. Instants are aware UTC.

    status: as `normalise_status` stores it. label: the record's own kind, such as `first`; the document's `kind:`.
    """

    kind: RecordKind
    status: str
    status_changed_at: datetime
    id: RecordId | None = None
    label: str | None = None
    created_at: datetime | None = None
    starts_at: datetime | None = None
    due_on: date | None = None
    amount: float | None = None

    @property
    def time(self) -> datetime | date:
        """The record's own time: when it starts, else when it is due, else when it got its present status."""
        return self.starts_at or self.due_on or self.status_changed_at


@dataclass(frozen=True, slots=True)
class EventFact:
    """One thing that happened. at: UTC instant at the provider, or at the desk."""

    kind: EventKind
    at: datetime
    channel: Channel | None = None


@dataclass(frozen=True, slots=True)
class JourneyFact:
    """One enrollment of the person that has ended. ended_at: UTC instant."""

    name: str
    end: End
    ended_at: datetime


@dataclass(frozen=True, slots=True)
class Facts:
    """All that a condition may look at, read from live rows in one go.

    fields: by full name (`person.status`, `person.custom.shoe_size`), tags left out. since_enrollment: the entry
    instant in UTC, or None when the condition is asked outside a journey: then nothing was since the enrollment.
    """

    fields: Mapping[str, FieldValue] = field(default_factory=dict)
    tags: frozenset[str] = frozenset()
    records: tuple[RecordFact, ...] = ()
    events: tuple[EventFact, ...] = ()
    journeys: tuple[JourneyFact, ...] = ()
    since_enrollment: datetime | None = None

    def about(self, record: RecordFact) -> Facts:
        """The same person with `record` as the only one of its kind.

        So a closeout per job asks about its own job, and another job's cancellation does not close it.
        """
        kept = tuple(r for r in self.records if r.kind is not record.kind)
        return replace(self, records=(*kept, record))
