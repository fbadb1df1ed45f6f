"""Asks a condition of one person. What its parts mean: condition_tree.py. Total: nothing missing makes it raise.

Not here: the document form (condition_format.py), the words (condition_words.py), the same question as SQL (store/).
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time
from typing import assert_never

from app.domain.clock import utc
from app.domain.condition_format import parse_condition
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
    Since,
    SinceAgo,
    SinceEnrollment,
    Within,
    fold,
)
from app.domain.condition_words import told
from app.domain.condition_write import condition_document
from app.domain.facts import EventFact, Facts, FieldValue, JourneyFact, RecordFact
from app.domain.record import RecordKind

__all__ = [
    "Condition",
    "EventFact",
    "Facts",
    "JourneyFact",
    "RecordFact",
    "RecordKind",
    "condition_document",
    "holds",
    "matching_records",
    "moment_text",
    "parse_condition",
    "plain_number",
    "scalar_text",
    "told",
]

_PLAIN_NUMBER = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?")
_PLAIN_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def holds(condition: Condition, facts: Facts, now: datetime) -> bool:
    """Whether the condition is true of `facts` at `now` (aware)."""
    match condition:
        case AllOf(parts):
            return all(holds(part, facts, now) for part in parts)
        case AnyOf(parts):
            return any(holds(part, facts, now) for part in parts)
        case Not(part):
            return not holds(part, facts, now)
        case FieldIs(name, test):
            return _field_passes(test, _field(facts, name), now)
        case HasRecord():
            count = sum(_record_fits(condition, record, facts, now) for record in facts.records)
            return condition.at_least <= count and (condition.at_most is None or count <= condition.at_most)
        case HasTag(tag):
            return fold(tag) in {fold(own) for own in facts.tags}
        case HasEvent():
            return any(_event_fits(condition, event, facts, now) for event in facts.events)
        case EndedJourney():
            return any(_journey_fits(condition, journey, facts, now) for journey in facts.journeys)
        case _:
            assert_never(condition)


def matching_records(condition: Condition, kind: RecordKind, facts: Facts, now: datetime) -> tuple[RecordFact, ...]:
    """The person's records of `kind` of which the condition is true, each asked as the only one of its kind.

    For a journey that enrolls per record: one enrollment each.
    """
    of_kind = (record for record in facts.records if record.kind is kind)
    return tuple(record for record in of_kind if holds(condition, facts.about(record), now))


def _field(facts: Facts, name: str) -> FieldValue | frozenset[str]:
    return facts.tags if name == "person.tags" else facts.fields.get(name)


def _field_passes(test: FieldTest, value: FieldValue | frozenset[str], now: datetime) -> bool:
    match test:
        case Empty(wanted):
            return _is_empty(value) is wanted
        case Is(values, negated):
            return any(_equal(value, wanted) for wanted in values) is not negated
        case Contains(part):
            text = _text(value)
            return text is not None and fold(part) in fold(text)
        case Before(moment):
            at = moment_text(value)
            return at is not None and at < _wanted_moment(moment, now)
        case After(moment):
            at = moment_text(value)
            return at is not None and at > _wanted_moment(moment, now)
        case Less(limit):
            number = _number(value)
            return number is not None and number < limit
        case More(limit):
            number = _number(value)
            return number is not None and number > limit
        case _:
            assert_never(test)


def record_fits_but_for_time(wanted: HasRecord, record: RecordFact) -> bool:
    """Whether the record is of this kind, status and label, whenever it is, and whenever it got its status."""
    return (
        record.kind is wanted.kind
        and (not wanted.statuses or record.status in wanted.statuses)
        and (wanted.label is None or (record.label is not None and fold(record.label) == wanted.label))
    )


def _record_fits(wanted: HasRecord, record: RecordFact, facts: Facts, now: datetime) -> bool:
    return (
        record_fits_but_for_time(wanted, record)
        and _since_fits(wanted.since, record.status_changed_at, facts, now)
        and (wanted.within is None or _within_fits(wanted.within, _instant(record.time), now))
    )


def _event_fits(wanted: HasEvent, event: EventFact, facts: Facts, now: datetime) -> bool:
    return (
        event.kind is wanted.kind
        and (wanted.channel is None or event.channel is wanted.channel)
        and _since_fits(wanted.since, event.at, facts, now)
    )


def _journey_fits(wanted: EndedJourney, journey: JourneyFact, facts: Facts, now: datetime) -> bool:
    return (
        fold(journey.name) == fold(wanted.name)
        and journey.end in wanted.ends
        and _since_fits(wanted.since, journey.ended_at, facts, now)
    )


def _since_fits(since: Since | None, at: datetime, facts: Facts, now: datetime) -> bool:
    match since:
        case None:
            return True
        case SinceEnrollment():
            return facts.since_enrollment is not None and at >= facts.since_enrollment
        case SinceAgo(by):
            return at >= now - by
        case _:
            assert_never(since)


def _within_fits(within: Within, at: datetime, now: datetime) -> bool:
    if at <= now:
        return within.back is not None and at >= now - within.back
    return within.ahead is not None and at <= now + within.ahead


def _instant(moment: datetime | date) -> datetime:
    if isinstance(moment, datetime):
        return utc(moment)
    return datetime.combine(moment, time(), UTC)


def _is_empty(value: FieldValue | frozenset[str]) -> bool:
    if isinstance(value, frozenset):
        return not value
    return value is None or (isinstance(value, str) and not fold(value))


def _equal(value: FieldValue | frozenset[str], wanted: Scalar) -> bool:
    if isinstance(wanted, int | float) and not isinstance(wanted, bool):
        return _number(value) == wanted
    text = _text(value)
    return text is not None and fold(text) == fold(scalar_text(wanted))


def _text(value: FieldValue | frozenset[str]) -> str | None:
    match value:
        case None | frozenset():
            return None
        case datetime():
            return moment_text(value)
        case date():
            return value.isoformat()
        case _:
            return scalar_text(value)


def scalar_text(value: Scalar) -> str:
    """A value as the text that it equals: a whole number without a point, true and false in lower case."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _number(value: FieldValue | frozenset[str]) -> int | float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if not isinstance(value, str):
        return value
    return plain_number(fold(value))


def plain_number(text: str | None) -> float | None:
    """The number that folded text is; None for any other text, and for none."""
    return float(text) if text is not None and _PLAIN_NUMBER.fullmatch(text) else None


def moment_text(value: FieldValue | frozenset[str]) -> str | None:
    """A moment as text that sorts as the moments do, or None. Text is not checked to be a day that exists."""
    match value:
        case datetime():
            return utc(value).replace(tzinfo=None).isoformat(timespec="microseconds")
        case date():
            return f"{value.isoformat()}T00:00:00.000000"
        case str() if _PLAIN_DATE.fullmatch(fold(value)):
            return f"{fold(value)}T00:00:00.000000"
        case _:
            return None


def _wanted_moment(moment: Moment, now: datetime) -> str:
    at = now - moment.by if isinstance(moment, Ago) else moment
    text = moment_text(at)
    assert text is not None  # both kinds of moment have a text
    return text
