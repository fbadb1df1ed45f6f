"""Which rows are the same person: within one file, and against the people already stored.

The policy: the same phone and extension, or the same email, and names that are equal or one of them blank. A match
fills blanks, never overwrites, keeps the later visit and keeps do_not_contact. A match with two people is refused. The
same address under another name is another person (households share phones), and told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.domain.ids import PersonId
from app.domain.people_match import FILLED_FIELDS, Book, KnownPerson, called, filled, kept_notes, new_notes
from app.domain.people_text import RowNote
from app.domain.person import PersonDraft

__all__ = [
    "AddPerson",
    "AmbiguousRow",
    "ImportPlan",
    "KeptRow",
    "KnownPerson",
    "LeaveOut",
    "MergedRow",
    "MergedRows",
    "PlannedRow",
    "RowFate",
    "UpdatePerson",
    "merge_rows",
    "plan_import",
]


@dataclass(frozen=True, slots=True)
class KeptRow:
    """A row that is a person of its own."""

    notes: tuple[RowNote, ...] = ()


@dataclass(frozen=True, slots=True)
class MergedRow:
    """A row that completed the person of an earlier row, `into` its line."""

    into: int
    notes: tuple[RowNote, ...] = ()


@dataclass(frozen=True, slots=True)
class AmbiguousRow:
    """A row that may be either of two or more people, so that it is left out."""

    told: str


RowFate = KeptRow | MergedRow | AmbiguousRow


@dataclass(frozen=True, slots=True)
class MergedRows:
    """A file merged within itself. drafts: in the order of their first rows. fates: one a row, in order."""

    drafts: tuple[PersonDraft, ...]
    fates: tuple[RowFate, ...]


@dataclass(frozen=True, slots=True)
class AddPerson:
    """Store `draft` as a new person."""

    draft: PersonDraft
    notes: tuple[RowNote, ...] = ()


@dataclass(frozen=True, slots=True)
class UpdatePerson:
    """Complete a stored person: write the fields in `changed` from `after`; none when the row brought nothing new."""

    line: int
    before: KnownPerson
    after: KnownPerson
    changed: tuple[str, ...]
    notes: tuple[RowNote, ...] = ()


@dataclass(frozen=True, slots=True)
class LeaveOut:
    """Store nothing of this row: it matches two or more stored people."""

    line: int
    matches: tuple[PersonId, ...]
    told: str


PlannedRow = AddPerson | UpdatePerson | LeaveOut


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What an import would do, one entry a draft, in the file's order."""

    rows: tuple[PlannedRow, ...]

    @property
    def added(self) -> tuple[AddPerson, ...]:
        """The new people."""
        return tuple(row for row in self.rows if isinstance(row, AddPerson))

    @property
    def updated(self) -> tuple[UpdatePerson, ...]:
        """The stored people that a row matched, also when it brought nothing new."""
        return tuple(row for row in self.rows if isinstance(row, UpdatePerson))

    @property
    def left_out(self) -> tuple[LeaveOut, ...]:
        """The rows that match two or more stored people."""
        return tuple(row for row in self.rows if isinstance(row, LeaveOut))


def merge_rows(rows: Sequence[PersonDraft]) -> MergedRows:
    """The people of one file, its doubles merged. rows: in the file's order."""
    book: Book[PersonDraft] = Book()
    fates: list[RowFate] = []
    for row in rows:
        found = book.matches(row)
        same = found.same
        if len(same) > 1:
            lines = " or ".join(f"line {book.people[at].line}" for at in same)
            fates.append(AmbiguousRow(f"It may be the person of {lines}; which one can't be told."))
        elif same:
            kept = book.people[same[0]]
            after, differing = filled(kept, row)
            book.put(same[0], after)
            fates.append(MergedRow(kept.line, kept_notes(differing, f"line {kept.line}")))
        else:
            shared, namesake = (
                "" if at is None else f"line {book.people[at].line}" for at in (found.sharing, found.namesake)
            )
            notes = new_notes(shared, namesake)
            book.add(replace(row, warnings=row.warnings + notes) if notes else row)
            fates.append(KeptRow(notes))
    return MergedRows(tuple(book.people), tuple(fates))


def plan_import(drafts: Sequence[PersonDraft], existing: Sequence[KnownPerson]) -> ImportPlan:
    """What to do with each draft of one file (merged within itself) beside the people already stored.

    existing: all stored people, or at least all that share a phone or an email with a draft; each is looked at once.
    Two drafts may complete the same person: each update starts from what the one before it left.
    """
    book: Book[KnownPerson] = Book(existing)
    rows: list[PlannedRow] = []
    for draft in drafts:
        found = book.matches(draft)
        same = found.same
        if len(same) > 1:
            matches = tuple(book.people[at].id for at in same)
            names = " or ".join(called(book.people[at]) for at in same)
            rows.append(LeaveOut(draft.line, matches, f"It may be {names}; which one can't be told."))
        elif same:
            before = book.people[same[0]]
            after, differing = filled(before, draft)
            book.put(same[0], after)
            changed = tuple(name for name in FILLED_FIELDS if getattr(before, name) != getattr(after, name))
            rows.append(UpdatePerson(draft.line, before, after, changed, kept_notes(differing, called(before))))
        else:
            shared, namesake = ("" if at is None else called(book.people[at]) for at in (found.sharing, found.namesake))
            rows.append(AddPerson(draft, new_notes(shared, namesake)))
    return ImportPlan(tuple(rows))
