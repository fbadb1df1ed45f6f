"""A condition as the document that `parse_condition` reads as the same condition."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import assert_never

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
    Since,
    SinceAgo,
    SinceEnrollment,
    Within,
)
from app.domain.durations import duration_document

Document = dict[str, object]


def condition_document(condition: Condition) -> Document:
    """The mapping that tells `condition`; its values are plain text, numbers, lists and mappings."""
    match condition:
        case AllOf(parts):
            return {"all": [condition_document(part) for part in parts]}
        case AnyOf(parts):
            return {"any": [condition_document(part) for part in parts]}
        case Not(part):
            return {"not": condition_document(part)}
        case FieldIs(name, test):
            return {"field": name, **_field_test(test)}
        case HasRecord():
            return _record(condition)
        case HasTag(tag):
            return {"tag": tag}
        case HasEvent(kind, channel, since):
            named: Document = {} if channel is None else {"channel": channel.value}
            return {"event": kind.value, **named, **_since(since)}
        case EndedJourney(name, ends, since):
            words = sorted(end.value for end in ends)
            return {"journey": name, "ended": words, **_since(since)}
        case _:
            assert_never(condition)


def _field_test(test: FieldTest) -> Document:
    match test:
        case Is((value,), negated):
            return {"is_not" if negated else "is": value}
        case Is(values):
            return {"in": list(values)}
        case Contains(part):
            return {"contains": part}
        case Before(moment):
            return {"before": _moment(moment)}
        case After(moment):
            return {"after": _moment(moment)}
        case Less(limit):
            return {"less": limit}
        case More(limit):
            return {"more": limit}
        case Empty(wanted):
            return {"empty": wanted}
        case _:
            assert_never(test)


def _moment(moment: Moment) -> object:
    match moment:
        case Ago(by):
            return {"ahead": duration_document(-by)} if by < timedelta(0) else {"ago": duration_document(by)}
        case datetime():
            return moment.isoformat()
        case _:
            return moment.isoformat()


def _record(condition: HasRecord) -> Document:
    found: Document = {"record": condition.kind.value}
    if len(condition.statuses) == 1:
        found["status"] = condition.statuses[0]
    elif condition.statuses:
        found["status"] = list(condition.statuses)
    if condition.label is not None:
        found["kind"] = condition.label
    if condition.at_most is not None:
        least: Document = {"at_least": condition.at_least} if condition.at_least else {}
        found["count"] = {**least, "at_most": condition.at_most}
    elif condition.at_least != 1:
        found["count"] = condition.at_least
    found |= _since(condition.since)
    if condition.within is not None:
        found["within"] = _within(condition.within)
    return found


def _since(since: Since | None) -> Document:
    match since:
        case None:
            return {}
        case SinceEnrollment():
            return {"since": "enrollment"}
        case SinceAgo(by):
            return {"since": duration_document(by)}
        case _:
            assert_never(since)


def _within(within: Within) -> Document:
    if within.back is not None and within.back == within.ahead:
        return dict(duration_document(within.back))
    found: Document = {}
    if within.back is not None:
        found["last"] = duration_document(within.back)
    if within.ahead is not None:
        found["next"] = duration_document(within.ahead)
    return found
