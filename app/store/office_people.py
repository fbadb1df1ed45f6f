"""People as an import writes them: who is known, new rows, blanks filled in. Behind OfficeDoor.

What a fill changed is noted under its import, value by value, so that it can be taken back (office_imports.py).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam

from app.domain.ids import ImportId, LocationId, PersonId
from app.domain.reasons import Why
from app.domain.states import Contact
from app.engine.office_ports import Having, PersonKnown, PersonNew
from app.store.columns import among
from app.store.door import Door
from app.store.import_notes import note
from app.store.people import PeopleDoor
from app.store.person_search import search_text
from app.store.tables import import_change, person_tag
from app.store.tables import person as p
from app.store.waking import count_waits_again, wake

# what a value that comes in may lift: an empty place, and hours that hang on where somebody is
HELD_FOR_A_VALUE: Final = (Why.EMPTY_VALUE, Why.ZONE_UNKNOWN, Why.NEVER_LEGAL, Why.QUIET_HOURS)
# what a fill may write; the rest of a row is not an import's
FILLED: Final = (
    *("first_name", "last_name", "email", "phone", "phone_ext", "alt_phone"),
    *("last_visit", "status", "source", "custom"),
)
_COLUMNS: Final = tuple(p.c[name] for name in ("id", "location_id", "contact", *FILLED))
_KNOWN: Final = (
    sa.select(*_COLUMNS)
    .where(
        p.c.id.in_(
            sa.union(
                sa.select(p.c.id).where(among(p.c.email, "emails")),
                sa.select(p.c.id).where(among(p.c.phone, "phones")),
                sa.select(p.c.id).where(among(p.c.alt_phone, "phones")),
            )
        ),
        p.c.erased_at.is_(None),
    )
    .order_by(p.c.id)
)
# read from the indexes alone. An erased person has no address
_EACH: Final = sa.union_all(
    sa.select(p.c.email.label("address"), p.c.id).where(among(p.c.email, "emails")),
    sa.select(p.c.phone, p.c.id).where(among(p.c.phone, "phones")),
    sa.select(p.c.alt_phone, p.c.id).where(among(p.c.alt_phone, "phones")),
).subquery()
_HAVING: Final = sa.select(
    _EACH.c.address, sa.func.count().label("people"), sa.func.sum(_EACH.c.id).label("ids")
).group_by(_EACH.c.address)
_BY_ID: Final = sa.select(*_COLUMNS).where(among(p.c.id, "ids"), p.c.erased_at.is_(None))
_TAGS: Final = (
    sa.select(person_tag.c.person_id, person_tag.c.tag)
    .where(among(person_tag.c.person_id, "ids"))
    .order_by(person_tag.c.person_id, person_tag.c.tag)
)
_ADD: Final = sa.insert(p).returning(p.c.id, sort_by_parameter_order=True)
_FILL: Final = (
    sa.update(p)
    .where(p.c.id == bindparam("person"))
    .values(
        {name: bindparam(f"to_{name}", type_=p.c[name].type) for name in (*FILLED, "search_text", "contact")}
        | {
            "with_staff_since": sa.case((bindparam("to_contact") == Contact.WITH_STAFF.value, p.c.with_staff_since)),
            "updated_at": bindparam("now", type_=p.c.updated_at.type),
            "version": p.c.version + 1,
        }
    )
)


class OfficePeople(Door):
    """Reads and writes people in bulk."""

    def known(self, emails: Collection[str], phones: Collection[str]) -> Sequence[PersonKnown]:
        """Everyone who is not erased and has one of these addresses, by id."""
        rows = self._rows(_KNOWN, emails=emails, phones=phones)
        tags = self._tags([row.id for row in rows])
        return [_known(row, tags.get(row.id, ())) for row in rows]

    def who_has(self, emails: Collection[str], phones: Collection[str]) -> dict[str, Having]:
        """How many people have each of these addresses, and the sum of their ids; an address of nobody is left out."""
        rows = self._rows(_HAVING, emails=emails, phones=phones)
        return {row.address: Having(row.people, int(row.ids)) for row in rows}

    def add(self, people: Sequence[PersonNew], import_id: ImportId | None, at: datetime) -> Sequence[PersonId]:
        """Insert rows in order; their ids in the same order."""
        if not people:
            return []
        values = [_new(person, import_id, at) for person in people]
        ids = [PersonId(row.id) for row in self._connection.execute(_ADD, values)]
        tags = [
            {"person_id": person_id, "tag": tag}
            for person_id, person in zip(ids, people, strict=True)
            for tag in dict.fromkeys(person.tags)
        ]
        if tags:
            self._connection.execute(sa.insert(person_tag), tags)
        return ids

    def fill(self, people: Sequence[PersonNew], at: datetime, import_id: ImportId | None) -> None:
        """Fill what is blank. Raises ValueError for a person without an id."""
        if any(person.id is None for person in people):
            raise ValueError("only a known person can be filled in")
        ids = sorted({person.id for person in people if person.id is not None})
        PeopleDoor(self._connection, self._memory).lock(ids, to_write=True)
        stored = {row.id: dict(row._mapping) for row in self._rows(_BY_ID, ids=ids)}
        tags = {person_id: set(own) for person_id, own in self._tags(ids).items()}
        before = {person_id: dict(row) for person_id, row in stored.items()}
        new_tags: dict[PersonId, list[str]] = {}
        for person in people:
            if person.id is None or person.id not in stored:
                continue  # erased since: nothing of them is written again
            _fill(stored[person.id], person)
            own = tags.setdefault(person.id, set())
            new_tags.setdefault(person.id, []).extend(tag for tag in dict.fromkeys(person.tags) if tag not in own)
            own |= set(person.tags)
        self._write(before, stored, new_tags, at, import_id)

    def write(self, rows: Mapping[PersonId, Mapping[str, Any]], at: datetime) -> None:
        """Write whole pictures of people: FILLED and `contact`. The people must be locked already."""
        if rows:
            values = [_written(person_id, row, at) for person_id, row in rows.items()]
            self._connection.execute(_FILL, values)

    def stored(self, ids: Collection[PersonId]) -> dict[PersonId, dict[str, Any]]:
        """FILLED and `contact` of those who are not erased, by id."""
        return {PersonId(row.id): dict(row._mapping) for row in self._rows(_BY_ID, ids=ids)}

    def _write(
        self,
        before: Mapping[PersonId, Mapping[str, Any]],
        after: Mapping[PersonId, Mapping[str, Any]],
        new_tags: Mapping[PersonId, Sequence[str]],
        at: datetime,
        import_id: ImportId | None,
    ) -> None:
        changed = {i: row for i, row in after.items() if row != before[i] or new_tags.get(i)}
        self.write(changed, at)
        tags = [{"person_id": i, "tag": tag} for i in changed for tag in new_tags.get(i, ())]
        if tags:
            self._connection.execute(sa.insert(person_tag), tags)
        if import_id is not None and changed:
            notes = [_note(import_id, i, before[i], row, new_tags.get(i, ())) for i, row in changed.items()]
            self._connection.execute(sa.insert(import_change), notes)
        wake(self._connection, HELD_FOR_A_VALUE, list(changed), at)
        count_waits_again(self._connection, sorted(changed), at)  # some may wait for a tag or a field

    def _tags(self, ids: Collection[int]) -> dict[PersonId, tuple[str, ...]]:
        found: dict[PersonId, tuple[str, ...]] = {}
        for row in self._rows(_TAGS, ids=ids):
            found[row.person_id] = (*found.get(row.person_id, ()), row.tag)
        return found


def _fill(row: dict[str, Any], person: PersonNew) -> None:
    for name in FILLED:
        given = getattr(person, name)
        match name:
            case "custom":
                row[name] = {**given, **{key: value for key, value in row[name].items() if value}}
            case "last_visit":
                row[name] = max((day for day in (row[name], given) if day is not None), default=None)
            case "phone_ext":
                # an extension belongs to its number: never to another one that was stored before
                row[name] = row[name] or (given if person.phone == row["phone"] else None)
            case _:
                row[name] = row[name] or given
    if person.do_not_contact:
        row["contact"] = Contact.DO_NOT_CONTACT.value


def _new(person: PersonNew, import_id: ImportId | None, at: datetime) -> dict[str, Any]:
    given = {name: getattr(person, name) for name in FILLED}
    contact = Contact.DO_NOT_CONTACT if person.do_not_contact else Contact.OPEN
    return given | {
        "location_id": person.location_id,
        "custom": dict(person.custom),
        "contact": contact.value,
        "search_text": _search_text(given),
        "created_at": at,
        "updated_at": at,
        "import_id": import_id,
    }


def _written(person_id: PersonId, row: Mapping[str, Any], at: datetime) -> dict[str, Any]:
    given = {f"to_{name}": row[name] for name in (*FILLED, "contact")}
    return given | {"person": person_id, "now": at, "to_search_text": _search_text(row)}


def _search_text(row: Mapping[str, Any]) -> str:
    return search_text(row["first_name"], row["last_name"], row["email"], row["phone"], row["alt_phone"])


def _note(
    import_id: ImportId, person_id: PersonId, before: Mapping[str, Any], after: Mapping[str, Any], tags: Sequence[str]
) -> dict[str, Any]:
    """What a fill changed. do_not_contact is not among it: only a recorded consent lifts that (RULES B9)."""
    changed = note(import_id, "person", person_id, before, after, FILLED)
    return changed | ({"after": changed["after"] | {"tags": list(tags)}} if tags else {})


def _known(row: sa.Row[Any], tags: tuple[str, ...]) -> PersonKnown:
    return PersonKnown(
        id=PersonId(row.id),
        location_id=LocationId(row.location_id),
        first_name=row.first_name,
        last_name=row.last_name,
        email=row.email,
        phone=row.phone,
        phone_ext=row.phone_ext,
        alt_phone=row.alt_phone,
        last_visit=row.last_visit,
        contact=Contact(row.contact),
        status=row.status,
        source=row.source,
        tags=tags,
        custom=row.custom,
    )
