"""Whether a condition can become true or untrue by the mere passing of time, so that it has to be asked again."""

from __future__ import annotations

from typing import assert_never

from app.domain.condition_tree import (
    After,
    Ago,
    AllOf,
    AnyOf,
    Before,
    Condition,
    EndedJourney,
    FieldIs,
    HasEvent,
    HasRecord,
    HasTag,
    Not,
    SinceAgo,
)


def turns_with_time(condition: Condition) -> bool:
    """True for one that looks at the clock: `within`, `since` so many days, a moment told from now."""
    match condition:
        case AllOf(parts) | AnyOf(parts):
            return any(turns_with_time(part) for part in parts)
        case Not(part):
            return turns_with_time(part)
        case FieldIs(test=Before(moment=Ago()) | After(moment=Ago())):
            return True
        case HasRecord(since=since, within=within):
            return within is not None or isinstance(since, SinceAgo)
        case HasEvent(since=since) | EndedJourney(since=since):
            return isinstance(since, SinceAgo)
        case FieldIs() | HasTag():
            return False
        case _:
            assert_never(condition)


def looks_elsewhere(condition: Condition) -> bool:
    """True for one about other journeys of the person: their end wakes nobody, so it is asked again now and then."""
    match condition:
        case AllOf(parts) | AnyOf(parts):
            return any(looks_elsewhere(part) for part in parts)
        case Not(part):
            return looks_elsewhere(part)
        case EndedJourney():
            return True
        case _:
            return False
