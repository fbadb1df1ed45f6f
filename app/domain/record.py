"""Records: the live facts about a person (appointment, job, quote, invoice), and a row of a spreadsheet about one.

The status of a record is free text in snake case: practices name their own. The known ones are hints, not a fence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

from app.domain.people_text import RowNote, clean, fold_for_search, is_blank, snake
from app.domain.person import PersonRef
from app.domain.problem import nearest


class RecordKind(StrEnum):
    """What a record is about."""

    APPOINTMENT = "appointment"
    JOB = "job"
    QUOTE = "quote"
    INVOICE = "invoice"


RECORD_STATUSES: Mapping[RecordKind, tuple[str, ...]] = {
    RecordKind.APPOINTMENT: ("booked", "confirmed", "done", "missed", "cancelled"),
    RecordKind.JOB: ("scheduled", "in_progress", "complete", "cancelled"),
    RecordKind.QUOTE: ("sent", "accepted", "declined", "expired"),
    RecordKind.INVOICE: ("sent", "overdue", "paid", "void"),
}

_KINDS = frozenset(kind.value for kind in RecordKind)
_OTHER_WORDS: Mapping[str, RecordKind] = {
    "appt": RecordKind.APPOINTMENT,
    "visit": RecordKind.APPOINTMENT,
    "booking": RecordKind.APPOINTMENT,
    "work order": RecordKind.JOB,
    "estimate": RecordKind.QUOTE,
    "proposal": RecordKind.QUOTE,
    "bill": RecordKind.INVOICE,
}


@dataclass(frozen=True, slots=True)
class RecordDraft:
    """One row about a record, read but not yet trusted.

    starts_at: aware, UTC, when the cell named its offset. starts_at_local: naive, when it did not: a wall time that
    means something only in the zone of the person's location. At most one of the two is set.
    external_id: the other system's name for it; the same one again updates the record. Never empty.
    amount: in the practice's own currency; below zero for a credit.
    """

    line: int
    person: PersonRef
    kind: RecordKind
    status: str
    external_id: str
    label: str = ""
    starts_at: datetime | None = None
    starts_at_local: datetime | None = None
    amount: Decimal | None = None
    due_on: date | None = None
    warnings: tuple[RowNote, ...] = ()


def read_kind(text: str) -> RecordKind | None:
    """The kind that a word means, plural and a few other words for it included; None for anything else."""
    word = fold_for_search(clean(text))
    for known in (word, word.removesuffix("s")):
        if known in _KINDS:
            return RecordKind(known)
        if known in _OTHER_WORDS:
            return _OTHER_WORDS[known]
    return None


def normalise_status(text: str) -> str:
    """A status as it is stored: lower case, words joined by `_`, such as `in_progress`; "" for a blank."""
    return "" if is_blank(text) else snake(text)


def status_hint(kind: RecordKind, status: str) -> str | None:
    """The known status that an unknown one looks like, or None when it is known or like none of them."""
    known = RECORD_STATUSES[kind]
    return None if status in known else nearest(status, known)
