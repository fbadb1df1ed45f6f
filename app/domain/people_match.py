"""Looking a row up among people: who may be the same, and what a match fills in. For the policy: people_merge.py."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Generic, TypeVar

from app.domain.ids import PersonId
from app.domain.people_text import Note, RowNote, fold_for_search, name_key
from app.domain.person import PersonDraft


@dataclass(frozen=True, slots=True)
class KnownPerson:
    """A stored person, as far as a new row can match or complete them. Addresses as stored, names as written."""

    id: PersonId
    first_name: str = ""
    last_name: str = ""
    phone: str | None = None
    phone_ext: str | None = None
    alt_phone: str | None = None
    email: str | None = None
    last_visit: date | None = None
    do_not_contact: bool = False
    status: str = ""
    source: str = ""
    location: str = ""
    tags: tuple[str, ...] = ()
    custom: Mapping[str, str] = field(default_factory=dict)


Someone = TypeVar("Someone", PersonDraft, KnownPerson)

FILLED_FIELDS = (
    "first_name",
    "last_name",
    "phone",
    "phone_ext",
    "alt_phone",
    "email",
    "last_visit",
    "do_not_contact",
    "status",
    "source",
    "location",
    "tags",
    "custom",
)


@dataclass(frozen=True, slots=True)
class Matches:
    """Positions in a book. same: who may be the row's person, at most three; sharing: the first who has one of its
    addresses; namesake: the first who has its name."""

    same: list[int]
    sharing: int | None
    namesake: int | None


class Book(Generic[Someone]):
    """People by their addresses and names. Every question costs the same however many share one address."""

    def __init__(self, people: Iterable[Someone] = ()) -> None:
        self.people: list[Someone] = []
        self._by_key: dict[str, list[int]] = {}
        self._by_key_and_name: dict[tuple[str, str], list[int]] = {}
        self._by_name: dict[str, int] = {}
        for person in people:
            self.add(person)

    def add(self, person: Someone) -> None:
        """Take in one more."""
        self.people.append(person)
        keys, name = _keys(person), name_key(person.first_name, person.last_name)
        self._enter(len(self.people) - 1, keys, keys, name)

    def put(self, at: int, person: Someone) -> None:
        """Replace the person at `at` by what a match made of them: more addresses perhaps, or a name that was blank."""
        before, self.people[at] = self.people[at], person
        old_name, name = (name_key(each.first_name, each.last_name) for each in (before, person))
        old_keys, keys = _keys(before), _keys(person)
        fresh = [key for key in keys if key not in old_keys]
        if name == old_name:
            self._enter(at, fresh, fresh, name)
            return
        for key in old_keys:
            self._by_key_and_name[key, old_name].remove(at)
        self._enter(at, fresh, keys, name)

    def _enter(self, at: int, keys: Iterable[str], keys_with_name: Iterable[str], name: str) -> None:
        for key in keys:
            self._by_key.setdefault(key, []).append(at)
        for key in keys_with_name:
            self._by_key_and_name.setdefault((key, name), []).append(at)
        if name:
            self._by_name.setdefault(name, at)

    def matches(self, row: PersonDraft) -> Matches:
        """Who may be the row's person, and who only shares an address or the name."""
        name = name_key(row.first_name, row.last_name)
        same: dict[int, None] = {}  # a set that keeps its order
        others: list[int] = []
        for key in _keys(row):
            holders = self._by_key.get(key, [])
            if not name:
                same.update(dict.fromkeys(holders[:_ENOUGH]))
                continue
            for wanted in (name, ""):
                same.update(dict.fromkeys(self._by_key_and_name.get((key, wanted), [])[:_ENOUGH]))
            others.extend(holders[:1])
        return Matches(list(same)[:_ENOUGH], others[0] if others else None, self._by_name.get(name))


_ENOUGH = 3  # that many matches are named; two already leave a row out


def _keys(person: PersonDraft | KnownPerson) -> list[str]:
    """What two rows of one person may share. An extension is part of a phone: two desks behind one number are two."""
    keys = [f"{person.phone}x{person.phone_ext or ''}"] if person.phone else []
    if person.alt_phone and person.alt_phone != person.phone:
        keys.append(f"{person.alt_phone}x")
    if person.email:
        keys.append(person.email)
    return keys


def filled(kept: Someone, row: PersonDraft) -> tuple[Someone, list[str]]:
    """`kept` with its blanks filled from `row`, and what the row has otherwise and loses."""
    named = bool(name_key(kept.first_name, kept.last_name))
    phone, ext = (kept.phone, kept.phone_ext) if kept.phone else (row.phone, row.phone_ext)
    if kept.phone and kept.phone == row.phone and not ext:
        ext = row.phone_ext
    alt = kept.alt_phone or (row.alt_phone if row.alt_phone != phone else None)
    visits = [visit for visit in (kept.last_visit, row.last_visit) if visit]
    after = replace(
        kept,
        first_name=kept.first_name if named else row.first_name,
        last_name=kept.last_name if named else row.last_name,
        phone=phone,
        phone_ext=ext,
        alt_phone=alt,
        email=kept.email or row.email,
        last_visit=max(visits, default=None),
        do_not_contact=kept.do_not_contact or row.do_not_contact,
        status=kept.status or row.status,
        source=kept.source or row.source,
        location=kept.location or row.location,
        tags=tuple(dict.fromkeys((*kept.tags, *row.tags))),
        custom={**row.custom, **kept.custom},
    )
    lost = [number for number in (row.phone, row.alt_phone) if number and number not in (phone, alt)]
    differing = ["phone"] if lost else []
    for field_name in ("email", "status", "location"):
        ours, theirs = getattr(after, field_name), getattr(row, field_name)
        if theirs and fold_for_search(theirs) != fold_for_search(ours):
            differing.append(field_name)
    return after, differing


def kept_notes(differing: Sequence[str], whose: str) -> tuple[RowNote, ...]:
    """What to tell when a match lost something to what was there before."""
    if not differing:
        return ()
    what = " and ".join(differing)
    return (RowNote(Note.KEPT_OLDER, f"It has another {what} than {whose}; the older one is kept."),)


def new_notes(shared_with: str, namesake: str) -> tuple[RowNote, ...]:
    """What to tell about a row that is a person of its own beside somebody who looks like them."""
    notes: list[RowNote] = []
    if shared_with:
        told = f"Its phone or email is also that of {shared_with}, under another name; both are kept."
        notes.append(RowNote(Note.SHARED_CONTACT_POINT, told))
    if namesake:
        told = f"The name is also that of {namesake}, with another phone and email; both are kept."
        notes.append(RowNote(Note.SAME_NAME, told))
    return tuple(notes)


def called(person: KnownPerson) -> str:
    """How a sentence names a stored person."""
    return f"{person.first_name} {person.last_name}".strip() or f"person {person.id}"
