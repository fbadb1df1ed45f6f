"""A condition as SQL over rows of people: true exactly where domain/condition.py's `holds` is true of their facts.

Every part comes out true or false and never NULL, so that `not` means the same on both sides; a property test holds
the two equal on both databases. Its small parts: condition_sql_parts.py; what was made one for both: ADR 0029.
"""

from __future__ import annotations

import math
from datetime import datetime
from typing import Any, Final, assert_never

import sqlalchemy as sa
from sqlalchemy.sql import ColumnElement, FromClause

from app.domain.condition import moment_text, scalar_text
from app.domain.condition_tree import (
    CUSTOM_PREFIX,
    After,
    Ago,
    AllOf,
    AnyOf,
    Before,
    Condition,
    Contains,
    Empty,
    EndedJourney,
    FieldIs,
    FieldTest,
    HasEvent,
    HasRecord,
    HasTag,
    Is,
    Less,
    Moment,
    More,
    Not,
    Scalar,
    Since,
    SinceAgo,
    SinceEnrollment,
    Within,
    fold,
)
from app.domain.record import RecordKind
from app.store.columns import UtcDateTime, among_these
from app.store.condition_sql_parts import (
    CustomText,
    Folded,
    HasPart,
    InstantText,
    PlainDay,
    PlainNumber,
    RecordTime,
)
from app.store.tables import enrollment as e
from app.store.tables import inbox_event as i
from app.store.tables import journey as j
from app.store.tables import location as l
from app.store.tables import person as p
from app.store.tables import person_tag as t
from app.store.tables import record as r

_Bool = ColumnElement[bool]
_CREATED_AT: Final = "person.created_at"
_MIDNIGHT: Final = "T00:00:00.000000"


def matches(condition: Condition, now: datetime, *, since_enrollment: datetime | None = None) -> _Bool:
    """Whether the condition is true at `now` of the row of `person` that the statement stands at.

    since_enrollment: the entry instant, or None outside a journey.
    """
    return _Compiling(now, since_enrollment).condition(condition)


def matches_record(condition: Condition, kind: RecordKind, record: FromClause, now: datetime) -> _Bool:
    """The same with the row of `record`, which is of `kind`, as the person's only one of its kind (`Facts.about`)."""
    return _Compiling(now, None, kind, record).condition(condition)


class _Compiling:
    """Compiles one condition at one instant."""

    def __init__(
        self, now: datetime, entered: datetime | None, kind: RecordKind | None = None, only: FromClause | None = None
    ) -> None:
        self._now = now
        self._entered = entered
        self._kind = kind
        self._only = only

    def condition(self, condition: Condition) -> _Bool:
        match condition:
            case AllOf(parts):
                return sa.and_(*(self.condition(part) for part in parts))
            case AnyOf(parts):
                return sa.or_(*(self.condition(part) for part in parts))
            case Not(part):
                return sa.not_(self.condition(part))
            case FieldIs(name, test):
                return _surely(self._field(name, test))
            case HasRecord():
                return self._records(condition)
            case HasTag(tag):
                return _any_of(t.c.person_id == p.c.id, Folded(t.c.tag) == fold(tag))
            case HasEvent(kind, channel, since):
                wanted = [i.c.person_id == p.c.id, i.c.kind == kind.value, self._since(since, i.c.happened_at)]
                if channel is not None:
                    wanted.append(i.c.channel == channel.value)
                return _any_of(*wanted)
            case EndedJourney(name, ends, since):
                named = sa.select(j.c.id).where(Folded(j.c.name) == fold(name)).correlate(None)
                return _any_of(
                    e.c.person_id == p.c.id,
                    e.c.ended_at.is_not(None),
                    e.c.journey_id.in_(named),
                    e.c.state.in_(sorted(end.value for end in ends)),
                    self._since(since, e.c.ended_at),
                )
            case _:
                assert_never(condition)

    # ---- fields

    def _field(self, name: str, test: FieldTest) -> _Bool:
        if name == "person.tags":
            return _tags(test)
        if name == _CREATED_AT:
            return self._created_at(test)
        text = _column(name)
        match test:
            case Empty(wanted):
                blank = sa.func.coalesce(Folded(text), "") == ""
                return blank if wanted else sa.not_(blank)
            case Is(values, negated):
                return _equal(values, Folded(text), PlainNumber(Folded(text)), negated=negated)
            case Contains(part):
                return HasPart(Folded(text), _bound(fold(part)))
            case Before(moment):
                return PlainDay(Folded(text)).concat(_MIDNIGHT) < _bound(self._moment(moment))
            case After(moment):
                return PlainDay(Folded(text)).concat(_MIDNIGHT) > _bound(self._moment(moment))
            case Less(limit):
                return PlainNumber(Folded(text)) < _number(limit)
            case More(limit):
                return PlainNumber(Folded(text)) > _number(limit)
            case _:
                assert_never(test)

    def _created_at(self, test: FieldTest) -> _Bool:
        """A field that is an instant: never empty, and no number."""
        at = InstantText(p.c.created_at)
        match test:
            case Empty(wanted):
                return sa.false() if wanted else sa.true()
            case Is(values, negated):
                return _equal(values, at, None, negated=negated)
            case Contains(part):
                return HasPart(at, _bound(fold(part)))
            case Before(moment):
                return at < _bound(self._moment(moment).lower())
            case After(moment):
                return at > _bound(self._moment(moment).lower())
            case Less() | More():
                return sa.false()
            case _:
                assert_never(test)

    def _moment(self, moment: Moment) -> str:
        text = moment_text(self._now - moment.by if isinstance(moment, Ago) else moment)
        assert text is not None  # every moment has a text
        return text

    # ---- records

    def _records(self, wanted: HasRecord) -> _Bool:
        if self._only is not None and wanted.kind is self._kind:
            return self._count(wanted, sa.case((sa.and_(*self._fits(wanted, self._only)), 1), else_=0))
        mine = (r.c.person_id == p.c.id, *self._fits(wanted, r))
        if (wanted.at_least, wanted.at_most) == (1, None):
            return _any_of(*mine)
        if wanted.at_most == 0:
            return sa.not_(_any_of(*mine))
        counted = sa.select(sa.func.count()).select_from(r).where(*mine).correlate(p)
        return self._count(wanted, counted.scalar_subquery())

    def _count(self, wanted: HasRecord, count: ColumnElement[int]) -> _Bool:
        bounds = [count >= wanted.at_least]
        if wanted.at_most is not None:
            bounds.append(count <= wanted.at_most)
        return sa.and_(*bounds)

    def _fits(self, wanted: HasRecord, record: FromClause) -> list[_Bool]:
        fits: list[_Bool] = [record.c.kind == wanted.kind.value, self._since(wanted.since, record.c.status_changed_at)]
        if wanted.statuses:
            fits.append(record.c.status.in_(wanted.statuses))
        if wanted.label is not None:
            fits += [record.c.label != "", Folded(record.c.label) == wanted.label]
        if wanted.within is not None:
            fits.append(self._within(wanted.within, record))
        return fits

    def _within(self, within: Within, record: FromClause) -> _Bool:
        at: ColumnElement[Any] = RecordTime(record.c.starts_at, record.c.due_on, record.c.status_changed_at)
        sides: list[_Bool] = []
        if within.back is not None:
            sides.append(sa.and_(at <= _instant(self._now), at >= _instant(self._now - within.back)))
        if within.ahead is not None:
            sides.append(sa.and_(at > _instant(self._now), at <= _instant(self._now + within.ahead)))
        return sa.or_(sa.false(), *sides)

    def _since(self, since: Since | None, at: ColumnElement[Any]) -> _Bool:
        match since:
            case None:
                return sa.true()
            case SinceEnrollment():
                return sa.false() if self._entered is None else at >= _instant(self._entered)
            case SinceAgo(by):
                return at >= _instant(self._now - by)
            case _:
                assert_never(since)


def _column(name: str) -> ColumnElement[Any]:
    if name.startswith(CUSTOM_PREFIX):
        return CustomText(p.c.custom, _bound(name.removeprefix(CUSTOM_PREFIX)))
    if name == "person.location":
        return sa.select(l.c.name).where(l.c.id == p.c.location_id).correlate(p).scalar_subquery()
    column: ColumnElement[Any] = p.c[name.removeprefix("person.")]
    return column


def _tags(test: FieldTest) -> _Bool:
    """Tags are only asked whether there are any; as a text, a number or a moment they are missing."""
    some = _any_of(t.c.person_id == p.c.id)
    match test:
        case Empty(wanted):
            return sa.not_(some) if wanted else some
        case Is(_, negated):
            return sa.true() if negated else sa.false()
        case _:
            return sa.false()


def _equal(
    values: tuple[Scalar, ...], text: ColumnElement[str], number: ColumnElement[float] | None, *, negated: bool
) -> _Bool:
    numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    texts = [fold(scalar_text(value)) for value in values if isinstance(value, str | bool)]
    any_of: list[_Bool] = []
    if texts:
        any_of.append(_surely(among_these(text, texts)))
    if numbers and number is not None:
        any_of.append(_surely(number.in_([_limit(value) for value in numbers])))
    equal = sa.or_(sa.false(), *any_of)
    return sa.not_(equal) if negated else equal


def _any_of(*wanted: _Bool) -> _Bool:
    """Whether there is a row like this of the person, who is all that is meant of whatever else is read beside it."""
    return sa.exists().where(*wanted).correlate(p)


def _surely(asked: _Bool) -> _Bool:
    """False where it is NULL: what is missing equals nothing, and is neither less nor more."""
    return sa.func.coalesce(asked, sa.false())


def _bound(text: str) -> ColumnElement[str]:
    return sa.bindparam(None, text, type_=sa.Text(), unique=True)


def _instant(at: datetime) -> ColumnElement[datetime]:
    return sa.bindparam(None, at, type_=UtcDateTime(), unique=True)


def _number(limit: int | float) -> ColumnElement[float]:
    return sa.bindparam(None, _limit(limit), type_=sa.Double(), unique=True)


def _limit(number: int | float) -> float:
    """A number as the databases compare it; a whole one that no float can be is beyond them all."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf
