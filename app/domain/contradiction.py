"""Whether a condition can never be true, whoever is asked and whenever, by what its own parts say against each other.

Only what is sure is told: a condition that is not called impossible may still never come true. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, time
from itertools import combinations, product
from math import inf
from typing import Final

from app.domain.clock import utc
from app.domain.condition import scalar_text
from app.domain.condition_tree import (
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
    fold,
)

# a condition with more ways to be true than this is not looked through: none that staff write comes near
MOST_WAYS: Final = 512

Leaf = FieldIs | HasRecord | HasTag | HasEvent | EndedJourney
Said = tuple[Leaf, bool]
"""A question and the answer that it must have."""


def never_true(condition: Condition) -> bool:
    """True when the parts of the condition rule each other out."""
    ways = _ways(condition, wanted=True)
    return ways is not None and all(_ruled_out(way) for way in ways)


def _ways(condition: Condition, *, wanted: bool) -> list[tuple[Said, ...]] | None:
    """Each way in which it says `wanted`, as answers that hold together; None when there are too many."""
    match condition:
        case Not(part):
            return _ways(part, wanted=not wanted)
        case AllOf(parts):
            return _together(parts, wanted) if wanted else _either(parts, wanted)
        case AnyOf(parts):
            return _either(parts, wanted) if wanted else _together(parts, wanted)
        case _:
            return [((condition, wanted),)]


def _either(parts: Iterable[Condition], wanted: bool) -> list[tuple[Said, ...]] | None:
    found: list[tuple[Said, ...]] = []
    for part in parts:
        ways = _ways(part, wanted=wanted)
        if ways is None or len(found) + len(ways) > MOST_WAYS:
            return None
        found += ways
    return found


def _together(parts: Iterable[Condition], wanted: bool) -> list[tuple[Said, ...]] | None:
    found: list[tuple[Said, ...]] = [()]
    for part in parts:
        ways = _ways(part, wanted=wanted)
        if ways is None:
            return None
        ways = [way for way in ways if not _ruled_out(way)]
        if len(found) * len(ways) > MOST_WAYS:
            return None
        found = [one + other for one, other in product(found, ways)]
    return found


def _ruled_out(way: tuple[Said, ...]) -> bool:
    return any(_impossible(said) for said in way) or any(_apart(one, other) for one, other in combinations(way, 2))


def _impossible(said: Said) -> bool:
    leaf, yes = said
    if isinstance(leaf, HasRecord):
        return _counts(leaf, yes=yes) == []
    return False


def _apart(one: Said, other: Said) -> bool:
    """Whether the two answers can't both be given."""
    (first, yes), (second, also) = one, other
    match first, second:
        case FieldIs(name, test), FieldIs(same, against) if name == same:
            opposite = test == against and yes is not also
            return opposite or _field_apart(_tests(test, yes=yes), _tests(against, yes=also))
        case HasRecord(), HasRecord() if _like(first) == _like(second):
            return not any(
                low <= top and bottom <= high
                for low, high in _counts(first, yes=yes)
                for bottom, top in _counts(second, yes=also)
            )
        case HasTag(tag), HasTag(same):
            return fold(tag) == fold(same) and yes is not also
        case _:
            return first == second and yes is not also


def _like(leaf: HasRecord) -> HasRecord:
    """The records that it counts, however many it wants."""
    return replace(leaf, at_least=1, at_most=None, statuses=tuple(sorted(leaf.statuses)))


def _counts(leaf: HasRecord, *, yes: bool) -> list[tuple[float, float]]:
    """The spans of numbers of records for which the answer is so."""
    top = inf if leaf.at_most is None else leaf.at_most
    if yes:
        return [(leaf.at_least, top)] if leaf.at_least <= top else []
    if leaf.at_least > top:
        return [(0, inf)]
    spans: list[tuple[float, float]] = [(0, leaf.at_least - 1)] if leaf.at_least > 0 else []
    return spans if top == inf else [*spans, (top + 1, inf)]


def _tests(test: FieldTest, *, yes: bool) -> FieldTest | None:
    """The same answer as a test that passes; None for one that says too little."""
    if yes:
        return test
    match test:
        case Is(values, negated):
            return Is(values, not negated)
        case Empty(wanted):
            return Empty(not wanted)
        case _:
            return None


def _field_apart(one: FieldTest | None, other: FieldTest | None) -> bool:
    """Whether no value of the field passes both."""
    if one is None or other is None:
        return False
    return _tests_apart(one, other) or _tests_apart(other, one)


def _tests_apart(one: FieldTest, other: FieldTest) -> bool:
    match one, other:
        case Is(values, False), Is(others, False):
            return not any(_may_be_both(a, b) for a in values for b in others)
        case Is(values, False), Is(others, True):
            return all(any(_same(a, b) for b in others) for a in values)
        case Is(values, False), Less(limit):
            return all((number := _number(a)) is None or number >= limit for a in values)
        case Is(values, False), More(limit):
            return all((number := _number(a)) is None or number <= limit for a in values)
        case Is(values, False), Contains(part):
            return all(_is_text(a) and fold(part) not in fold(scalar_text(a)) for a in values)
        case Empty(True), Empty(False):
            return True
        case Empty(True), Is(values, False):
            return all(fold(scalar_text(a)) for a in values)
        case Empty(True), Contains(part):
            return bool(fold(part))
        case Empty(True), Less() | More() | Before() | After():
            return True
        case Less(below), More(above):
            return below <= above
        case Before(before), After(after):
            return _not_later(before, after)
        case _:
            return False


def _may_be_both(one: Scalar, other: Scalar) -> bool:
    """Whether one value can equal both: a number and its text may."""
    if _is_text(one) and _is_text(other):
        return fold(scalar_text(one)) == fold(scalar_text(other))
    return _number(one) is not None and _number(one) == _number(other)


def _same(one: Scalar, other: Scalar) -> bool:
    """Whether whatever equals `one` equals `other` too."""
    return _is_text(one) == _is_text(other) and _may_be_both(one, other)


def _is_text(value: Scalar) -> bool:
    return isinstance(value, str | bool)


def _number(value: Scalar) -> int | float | None:
    """The number that a value may stand for: more kindly than a field is read, so that nothing is ruled out wrongly."""
    if isinstance(value, int | float):
        return None if isinstance(value, bool) else value
    try:
        return float(value)
    except ValueError:
        return None


def _not_later(before: Moment, after: Moment) -> bool:
    """Whether no moment lies before the one and after the other, both strictly."""
    if isinstance(before, Ago) and isinstance(after, Ago):
        return before.by >= after.by
    if isinstance(before, Ago) or isinstance(after, Ago):
        return False
    return _instant(before) <= _instant(after)


def _instant(moment: datetime | date) -> datetime:
    return utc(moment) if isinstance(moment, datetime) else datetime.combine(moment, time(), UTC)
