"""Live facts about people in bulk, one statement a table: what a condition is asked of (domain/facts.py)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa

from app.domain.condition_tree import CUSTOM_PREFIX
from app.domain.events import FACT_OF, EventKind
from app.domain.facts import EventFact, Facts, FieldValue, JourneyFact, RecordFact
from app.domain.ids import PersonId, RecordId
from app.domain.record import RecordKind
from app.domain.snapshot import Person
from app.domain.states import Channel, End
from app.store.columns import among
from app.store.door import Door
from app.store.rows import PERSON_COLUMNS, person_seen
from app.store.tables import enrollment as e
from app.store.tables import inbox_event as i
from app.store.tables import journey as j
from app.store.tables import location as l
from app.store.tables import person as p
from app.store.tables import person_tag as t
from app.store.tables import record as r

_TAGS: Final = sa.select(t.c.person_id, t.c.tag).where(among(t.c.person_id, "ids"))
_RECORDS: Final = (
    sa.select(
        *(r.c[name] for name in ("id", "person_id", "kind", "label", "status", "external_id")),
        *(r.c[name] for name in ("starts_at", "due_on", "amount", "created_at", "status_changed_at")),
    )
    .where(among(r.c.person_id, "ids"))
    .order_by(r.c.id)
)
_EVENTS: Final = (
    sa.select(i.c.person_id, i.c.kind, i.c.happened_at, i.c.channel, i.c.state)
    .where(among(i.c.person_id, "ids"))
    .order_by(i.c.happened_at, i.c.id)
)
_ENDED: Final = (
    sa.select(e.c.person_id, j.c.name, e.c.state, e.c.ended_at)
    .join(j, j.c.id == e.c.journey_id)
    .where(among(e.c.person_id, "ids"), e.c.ended_at.is_not(None))
    .order_by(e.c.ended_at, e.c.id)
)
_PEOPLE: Final = (
    sa.select(*PERSON_COLUMNS, l.c.name.label("location_name"))
    .join(l, l.c.id == p.c.location_id)
    .where(among(p.c.id, "ids"), p.c.erased_at.is_(None))
)
_RECEIVED: Final = "received"
_STOPS: Final = frozenset(kind.value for kind in FACT_OF)


@dataclass(frozen=True, slots=True)
class Told:
    """What the tables beside the person's own row tell of one person. names: record's id -> its external id."""

    tags: frozenset[str]
    records: tuple[RecordFact, ...]
    names: Mapping[RecordId, str]
    events: tuple[EventFact, ...]
    journeys: tuple[JourneyFact, ...]
    unread_stops: int


class FactDoor(Door):
    """Reads facts."""

    def told(self, ids: Collection[PersonId]) -> Mapping[PersonId, Told]:
        """For each of `ids`, whether the person exists or not."""
        tags = _by_person(self._rows(_TAGS, ids=ids))
        records = _by_person(self._rows(_RECORDS, ids=ids))
        events = _by_person(self._rows(_EVENTS, ids=ids))
        ended = _by_person(self._rows(_ENDED, ids=ids))
        return {
            person_id: Told(
                tags=frozenset(row.tag for row in tags.get(person_id, ())),
                records=tuple(_record(row) for row in records.get(person_id, ())),
                names={RecordId(row.id): row.external_id or "" for row in records.get(person_id, ())},
                events=tuple(_event(row) for row in events.get(person_id, ())),
                journeys=tuple(JourneyFact(row.name, End(row.state), row.ended_at) for row in ended.get(person_id, ())),
                unread_stops=sum(row.state == _RECEIVED and row.kind in _STOPS for row in events.get(person_id, ())),
            )
            for person_id in ids
        }

    def facts_of(self, ids: Collection[PersonId]) -> Mapping[PersonId, Facts]:
        """What a group's rule is asked of, outside any journey. Ids that are gone or erased are left out."""
        people = self._rows(_PEOPLE, ids=ids)
        told = self.told([PersonId(row.id) for row in people])
        return {
            PersonId(row.id): facts_about(person_seen(row, told[row.id].tags), row.location_name, told[row.id])
            for row in people
        }


def facts_about(person: Person, location_name: str, told: Told) -> Facts:
    """The facts of one person, outside any journey."""
    fields: dict[str, FieldValue] = {
        "person.status": person.status,
        "person.contact": person.contact.value,
        "person.first_name": person.first_name,
        "person.last_name": person.last_name,
        "person.email": person.email,
        "person.phone": person.phone,
        "person.location": location_name,
        "person.source": person.source,
        "person.created_at": person.created_at,
    }
    for name, value in person.custom.items():
        if isinstance(value, str):  # a custom field is text; nothing else was ever written there (ADR 0029)
            fields[f"{CUSTOM_PREFIX}{name}"] = value
    return Facts(fields=fields, tags=told.tags, records=told.records, events=told.events, journeys=told.journeys)


def _by_person(rows: Collection[Any]) -> Mapping[PersonId, list[Any]]:
    found: defaultdict[PersonId, list[Any]] = defaultdict(list)
    for row in rows:
        found[row.person_id].append(row)
    return found


def _record(row: Any) -> RecordFact:
    return RecordFact(
        kind=RecordKind(row.kind),
        status=row.status,
        status_changed_at=row.status_changed_at,
        id=RecordId(row.id),
        label=row.label or None,
        created_at=row.created_at,
        starts_at=row.starts_at,
        due_on=row.due_on,
        amount=None if row.amount is None else float(row.amount),
    )


def _event(row: Any) -> EventFact:
    return EventFact(EventKind(row.kind), row.happened_at, None if row.channel is None else Channel(row.channel))
