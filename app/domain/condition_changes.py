"""When the mere passing of time may change what a condition says of one person: when to look at them again.

Nothing else about the person changing, the condition says the same at every instant before the one that is told.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import assert_never

from app.domain.clock import utc
from app.domain.condition import moment_text, record_fits_but_for_time
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
    Since,
    SinceAgo,
    Within,
)
from app.domain.facts import Facts, RecordFact

_TICK = timedelta(microseconds=1)  # the smallest step that a stored instant can make


def changes_at(condition: Condition, facts: Facts, now: datetime) -> datetime | None:
    """The earliest instant after `now` (aware) at which the condition may say something else; None for never."""
    return min((at for at in _turns(condition, facts) if at > now), default=None)


def is_timed(condition: Condition) -> bool:
    """Whether time alone may ever change it, for anybody: `within`, `since` so many days, a moment told from now."""
    match condition:
        case AllOf(parts) | AnyOf(parts):
            return any(is_timed(part) for part in parts)
        case Not(part):
            return is_timed(part)
        case FieldIs(test=Before(Ago()) | After(Ago())):
            return True
        case HasRecord(since=since, within=within):
            return within is not None or isinstance(since, SinceAgo)
        case HasEvent(since=since) | EndedJourney(since=since):
            return isinstance(since, SinceAgo)
        case _:
            return False


def looks_elsewhere(condition: Condition) -> bool:
    """Whether it asks about the person's other journeys, whose end is no event that wakes whoever waits for it."""
    match condition:
        case AllOf(parts) | AnyOf(parts):
            return any(looks_elsewhere(part) for part in parts)
        case Not(part):
            return looks_elsewhere(part)
        case EndedJourney():
            return True
        case _:
            return False


def _turns(condition: Condition, facts: Facts) -> Iterator[datetime]:
    match condition:
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from _turns(part, facts)
        case Not(part):
            yield from _turns(part, facts)
        case FieldIs(name, Before(Ago(by)) | After(Ago(by))):
            yield from _around(_first_not_before(moment_text(facts.fields.get(name))), by)
        case HasRecord(since=since, within=within):
            for record in facts.records:
                if record_fits_but_for_time(condition, record):
                    yield from _since(since, record.status_changed_at)
                    yield from _within(within, record)
        case HasEvent(kind, channel, since):
            for event in facts.events:
                if event.kind is kind and (channel is None or event.channel is channel):
                    yield from _since(since, event.at)
        case EndedJourney(since=since):
            for journey in facts.journeys:
                yield from _since(since, journey.ended_at)
        case FieldIs() | HasTag():
            return
        case _:
            assert_never(condition)


def _since(since: Since | None, at: datetime) -> Iterator[datetime]:
    if isinstance(since, SinceAgo):
        yield from _around(at, since.by)


def _within(within: Within | None, record: RecordFact) -> Iterator[datetime]:
    if within is None:
        return
    own = record.time
    at = utc(own) if isinstance(own, datetime) else datetime.combine(own, time(), UTC)
    yield from _around(at, timedelta(0))
    for side in (within.back, None if within.ahead is None else -within.ahead):
        if side is not None:
            yield from _around(at, side)


def _around(at: datetime | None, by: timedelta) -> Iterator[datetime]:
    """`by` after `at`, and the instant after that: edges belong to one side or the other. Nothing beyond all times."""
    try:
        if at is not None:
            yield at + by
            yield at + by + _TICK
    except OverflowError:
        return


def _first_not_before(text: str | None) -> datetime | None:
    """The first instant whose text is not before `text`, which need not be a day that exists (2027-02-31)."""
    if text is None:
        return None
    year, month, day = int(text[:4]), int(text[5:7]), int(text[8:10])
    if month > 12:
        year, month, day = year + 1, 1, 1
    elif month < 1 or day < 1:
        month, day = max(month, 1), 1
    elif 1 <= year <= 9999 and day > monthrange(year, month)[1]:
        year, month, day = (year, month + 1, 1) if month < 12 else (year + 1, 1, 1)
    if year < 1:
        return datetime(1, 1, 1, tzinfo=UTC)
    if year > 9999:
        return None
    return datetime.combine(date(year, month, day), time.fromisoformat(text[11:]), UTC)
