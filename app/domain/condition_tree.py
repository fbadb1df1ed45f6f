"""The tree of a condition, frozen. What each part means is said here and in condition.py, which asks it of one person.

store/condition_sql.py compiles the same tree, so nothing may be meant that both databases can't keep:

- Text is compared without regard to A-Z / a-z and to blanks at either end (`fold`); other letters must be as stored.
- A number and its text are equal to `is` and `in` (a ZIP code may be stored as either). `less` and `more` read numbers,
  and text that is a plain decimal number; anything else is neither less nor more.
- A moment is an instant, a date, or text that is exactly YYYY-MM-DD. A date stands for its midnight UTC.
- `before` and `after` are strict; `since` and `within` include their edge.
- What is missing equals nothing, is neither before, after, less nor more, and is `empty`. So `is_not` is true of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from app.domain.events import EventKind
from app.domain.record import RecordKind
from app.domain.states import Channel, End

Scalar = str | int | float | bool


PERSON_FIELDS: tuple[str, ...] = (
    "person.status",
    "person.contact",
    "person.first_name",
    "person.last_name",
    "person.email",
    "person.phone",
    "person.location",
    "person.source",
    "person.tags",
    "person.created_at",
)
CUSTOM_PREFIX = "person.custom."


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every part is true. Never empty."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one part is true. Never empty."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part is not true."""

    part: Condition


@dataclass(frozen=True, slots=True)
class Is:
    """The field equals one of `values`; with `negated`, none of them (`is_not`)."""

    values: tuple[Scalar, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Contains:
    """Text holds `part` somewhere."""

    part: str


@dataclass(frozen=True, slots=True)
class Ago:
    """An instant told from now: `by` before it when positive, after it when negative. Elapsed time."""

    by: timedelta


Moment = datetime | date | Ago


@dataclass(frozen=True, slots=True)
class Before:
    """The field is a moment earlier than `moment`."""

    moment: Moment


@dataclass(frozen=True, slots=True)
class After:
    """The field is a moment later than `moment`."""

    moment: Moment


@dataclass(frozen=True, slots=True)
class Less:
    """The field is a number below `limit`."""

    limit: int | float


@dataclass(frozen=True, slots=True)
class More:
    """The field is a number above `limit`."""

    limit: int | float


@dataclass(frozen=True, slots=True)
class Empty:
    """The field is missing, blank or an empty list; with `wanted` false, it is not."""

    wanted: bool = True


FieldTest = Is | Contains | Before | After | Less | More | Empty


@dataclass(frozen=True, slots=True)
class FieldIs:
    """A question about a field of the person.

    name: one of PERSON_FIELDS, or CUSTOM_PREFIX and the name of a custom field. `person.tags` is only asked whether it
    is empty; one tag is asked for by HasTag.
    """

    name: str
    test: FieldTest


@dataclass(frozen=True, slots=True)
class SinceEnrollment:
    """At or after the instant at which the person entered the journey."""


@dataclass(frozen=True, slots=True)
class SinceAgo:
    """At most `by` of elapsed time ago."""

    by: timedelta


Since = SinceEnrollment | SinceAgo


@dataclass(frozen=True, slots=True)
class Within:
    """The record's own time lies at most `back` behind now or `ahead` of it; None closes that side."""

    back: timedelta | None
    ahead: timedelta | None


@dataclass(frozen=True, slots=True)
class HasRecord:
    """The person has between `at_least` and `at_most` (None: any number) records like this.

    statuses: any of them, as `normalise_status` stores them; empty for whatever status. label: the record's own kind,
    folded, such as `first` of a first appointment; None for whatever kind.
    since: about when the record got its present status. within: about the record's own time (`RecordFact.time`).
    """

    kind: RecordKind
    statuses: tuple[str, ...] = ()
    label: str | None = None
    at_least: int = 1
    at_most: int | None = None
    since: Since | None = None
    within: Within | None = None


@dataclass(frozen=True, slots=True)
class HasTag:
    """The person carries the tag (folded)."""

    tag: str


@dataclass(frozen=True, slots=True)
class HasEvent:
    """Something of this kind happened to the person; channel None means on any."""

    kind: EventKind
    channel: Channel | None = None
    since: Since | None = None


@dataclass(frozen=True, slots=True)
class EndedJourney:
    """The person was in the journey called `name` and it ended in one of `ends`."""

    name: str
    ends: frozenset[End]
    since: Since | None = None


Condition = AllOf | AnyOf | Not | FieldIs | HasRecord | HasTag | HasEvent | EndedJourney


def fold(text: str) -> str:
    """`text` as conditions compare it: A-Z in lower case, blanks at either end gone.

    Only ASCII letters fold, for SQLite's lower() and PostgreSQL's lower() under the C collation do just that.
    """
    return text.strip(" \t\r\n").translate(_ASCII_LOWER)


_ASCII_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
