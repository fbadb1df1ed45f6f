"""Conditions in documents: every wrong one is told, every right one survives its document, and asking never raises."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.condition import (
    EventFact,
    Facts,
    JourneyFact,
    RecordFact,
    condition_document,
    holds,
    parse_condition,
    told,
)
from app.domain.condition_tree import (
    PERSON_FIELDS,
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
    HasEvent,
    HasRecord,
    HasTag,
    Is,
    Less,
    More,
    Not,
    SinceAgo,
    SinceEnrollment,
    Within,
)
from app.domain.errors import DocumentError
from app.domain.events import EventKind
from app.domain.facts import FieldValue
from app.domain.record import RecordKind
from app.domain.states import Channel, End

NOW = datetime(2027, 1, 11, 18, 0, tzinfo=UTC)
DAY = timedelta(days=1)


def problems(document: object, *, in_journey: bool = True) -> list[str]:
    with pytest.raises(DocumentError) as refused:
        parse_condition(document, in_journey=in_journey)
    return [problem.told() for problem in refused.value.problems]


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (None, "nothing is not a condition."),
        ([], "[] is not a condition."),
        ({}, "this says nothing to ask for. A condition has one of all, any, not, field"),
        ({"recrod": "job"}, "unknown key recrod. Did you mean record?"),
        ({"tag": "a", "event": "replied"}, "tag and event in one condition."),
        ({"all": []}, "all: should be a list of one condition or more."),
        ({"any": {"tag": "x"}}, "any: should be a list of one condition or more."),
        ({"record": "apointment"}, 'record: "apointment" is not known here. Did you mean appointment?'),
        ({"record": "job", "stauts": "x"}, "stauts: unknown key stauts. Did you mean status?"),
        ({"record": "job", "status": []}, "status: should be a word, or a list of one or more."),
        ({"record": "job", "status": "!!"}, 'status: "!!" is not a status.'),
        ({"record": "job", "count": 0}, "0 is not a whole number from 1 to 1000. For none write {at_most: 0}."),
        ({"record": "job", "count": {"at_least": 0}}, "count: should leave some numbers out, and some in."),
        ({"record": "job", "count": {"at_least": 3, "at_most": 2}}, "count: should leave some numbers out"),
        ({"record": "job", "count": {"at_lest": 3}}, "unknown key at_lest. Did you mean at_least?"),
        ({"record": "job", "count": True}, "True is not a whole number"),
        ({"record": "job", "within": 3}, "within: should be a length of time. Write it like {days: 3}"),
        ({"record": "job", "within": {"dayz": 3}}, "within.dayz: unknown key dayz. Did you mean days?"),
        ({"record": "job", "within": {"days": -3}}, "within.days: should be a number of 0 or more."),
        ({"record": "job", "within": {"days": 10**9}}, "within.days: is longer than 3660 days."),
        ({"record": "job", "within": {"days": 0}}, "within: should be more than nothing"),
        ({"record": "job", "within": {"days": float("nan")}}, "within.days: should be a number of 0 or more."),
        ({"record": "job", "since": "enrolment"}, '"enrolment" is not known here. Did you mean enrollment?'),
        ({"field": "status", "is": "lost"}, 'field: "status" is not a field of a person. Did you mean person.status?'),
        ({"field": "person.custom."}, "is not a field of a person"),
        ({"field": "person.status"}, "this does not say what the field should be."),
        ({"field": "person.status", "is": "a", "in": ["b"]}, "is and in in one condition."),
        ({"field": "person.status", "is": None}, "To ask for a field without a value write empty: true."),
        ({"field": "person.status", "is": []}, "[] is not a value to compare with."),
        ({"field": "person.status", "in": []}, "in: should be a list of one value or more."),
        ({"field": "person.status", "less": "5"}, '"5" is not a number.'),
        ({"field": "person.status", "empty": "yes"}, "empty: should be true or false."),
        ({"field": "person.created_at", "before": "24.12."}, '"24.12." is not a date. Write a date (2026-12-24)'),
        ({"field": "person.created_at", "before": "2026-12-24T09:00:00"}, "is not a date."),
        ({"field": "person.created_at", "before": {"ago": {"days": 1}, "ahead": {"days": 1}}}, "should be {ago:"),
        ({"field": "person.tags", "less": 1}, "person.tags can't be asked with less."),
        ({"tag": " "}, 'tag: " " is not a word.'),
        ({"event": "replide"}, "Did you mean replied?"),
        ({"event": "replied", "channel": "text"}, "Known: email, sms, call."),
        ({"journey": "New lead"}, "ended is missing. Give one or more of replied, converted"),
        ({"journey": "New lead", "ended": ["exhusted"]}, "Did you mean exhausted?"),
    ],
)
def test_a_wrong_condition_is_told_with_its_place_and_the_way_out(document: object, words: str) -> None:
    assert any(words in line for line in problems(document)), problems(document)


def test_every_problem_of_a_condition_is_told_at_once() -> None:
    found = problems({"all": [{"record": "jbo", "statu": 1}, {"field": "x", "is": None}, {"not": {"tag": ""}}]})
    assert len(found) == 5


def test_a_group_is_never_asked_about_an_enrollment() -> None:
    document = {"any": [{"record": "job", "since": "enrollment"}]}
    assert "a group has no enrollment to count from." in problems(document, in_journey=False)[0]
    parse_condition(document)


def test_a_condition_without_end_is_refused_once() -> None:
    deep: object = {"tag": "x"}
    for _ in range(30):
        deep = {"not": deep}
    assert len(problems(deep)) == 1
    assert len(problems({"all": [{"tag": "x"}] * 600})) == 1


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (
            {"record": "appointment", "status": "booked", "since": "enrollment"},
            "an appointment is booked since the start",
        ),
        ({"record": "job"}, "there is a job"),
        (
            {"record": "appointment", "kind": "first", "status": "missed", "within": {"days": 14}},
            "a first appointment is missed, dated within 14 days of now",
        ),
        ({"record": "invoice", "status": ["sent", "overdue"], "count": 2}, "at least 2 invoices are sent or overdue"),
        ({"record": "job", "count": {"at_most": 0}}, "no jobs are there"),
        ({"field": "person.status", "is": "lost"}, "status is lost"),
        ({"field": "person.custom.shoe_size", "more": 42}, "shoe size is more than 42"),
        ({"field": "person.created_at", "after": {"ago": {"days": 30}}}, "created at is after 30 days ago"),
        ({"event": "replied", "channel": "sms", "since": {"days": 1}}, "they replied by text in the last 1 day"),
        ({"journey": "New lead", "ended": ["replied", "exhausted"]}, "New lead ended exhausted or replied"),
        (
            {"all": [{"tag": "a"}, {"any": [{"tag": "b"}, {"not": {"tag": "c"}}]}]},
            "they have the tag a and (they have the tag b or not (they have the tag c))",
        ),
        ({"record": "job", "within": {"next": {"hours": 36}}}, "there is a job, dated in the next 1 day 12 hours"),
        ({"record": "job", "within": {"last": {"days": 2}}}, "there is a job, dated in the last 2 days"),
    ],
)
def test_a_condition_is_told_in_words(document: object, words: str) -> None:
    assert told(parse_condition(document)) == words


# ---- properties

_words = st.text("abcXYZ 0129", min_size=1, max_size=8).filter(lambda word: bool(word.strip()))
_lengths = st.builds(timedelta, minutes=st.integers(1, 60 * 24 * 400))
_since = st.none() | st.just(SinceEnrollment()) | st.builds(SinceAgo, _lengths)
_instants = st.timedeltas(-2500 * DAY, 2500 * DAY).map(lambda away: NOW + away)
_days = st.dates(date(2020, 1, 1), date(2030, 1, 1))
_moments = _instants | _days | st.builds(Ago, _lengths | _lengths.map(lambda length: -length))
_numbers = st.integers(-999, 999) | st.floats(-999, 999).map(lambda n: round(n, 3))
_scalars = _words | _numbers | st.booleans()
_several = st.lists(_scalars, min_size=2, max_size=4).map(lambda found: Is(tuple(found)))
_tests = st.one_of(
    st.builds(lambda one, negated: Is((one,), negated), _scalars, st.booleans()),
    _several,
    st.builds(Contains, _words),
    st.builds(Before, _moments),
    st.builds(After, _moments),
    st.builds(Less, _numbers),
    st.builds(More, _numbers),
    st.builds(Empty, st.booleans()),
)
_names = st.sampled_from([name for name in PERSON_FIELDS if name != "person.tags"]) | st.just("person.custom.x y")
_counts = st.sampled_from([(1, None), (2, None), (0, 0), (0, 3), (2, 2), (1, 4)])
_withins = st.one_of(
    st.builds(lambda a: Within(a, a), _lengths),
    st.builds(Within, _lengths, st.none()),
    st.builds(Within, st.none(), _lengths),
    st.builds(Within, _lengths, _lengths),
)
_statuses = st.lists(st.sampled_from(["booked", "missed", "in_progress"]), unique=True, max_size=3).map(tuple)
_records = st.builds(
    lambda kind, statuses, label, count, since, within: HasRecord(
        kind, statuses, label, count[0], count[1], since, within
    ),
    st.sampled_from(RecordKind),
    _statuses,
    st.none() | st.sampled_from(["first", "check up"]),
    _counts,
    _since,
    st.none() | _withins,
)
_single: st.SearchStrategy[Condition] = st.one_of(
    st.builds(FieldIs, _names, _tests),
    st.just(FieldIs("person.tags", Empty())),
    _records,
    st.builds(HasTag, st.sampled_from(["a", "b c"])),
    st.builds(HasEvent, st.sampled_from(EventKind), st.none() | st.sampled_from(Channel), _since),
    st.builds(EndedJourney, _words, st.frozensets(st.sampled_from(End), min_size=1), _since),
)
_conditions: st.SearchStrategy[Condition] = st.recursive(
    _single,
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.builds(AllOf, st.lists(inner, min_size=1, max_size=3).map(tuple)),
        st.builds(AnyOf, st.lists(inner, min_size=1, max_size=3).map(tuple)),
    ),
    max_leaves=8,
)
_values: st.SearchStrategy[FieldValue] = st.none() | _scalars | _instants | _days | st.text(max_size=5)
_record_facts = st.builds(
    RecordFact,
    st.sampled_from(RecordKind),
    st.sampled_from(["booked", "missed", ""]),
    _instants,
    st.none(),
    st.none() | st.sampled_from(["First", ""]),
    st.none() | _instants,
    st.none() | _instants,
    st.none() | _days,
    st.none() | st.floats(0, 100),
)
_facts = st.builds(
    Facts,
    st.dictionaries(_names, _values, max_size=3),
    st.frozensets(st.sampled_from(["a", "B c"])),
    st.lists(_record_facts, max_size=3).map(tuple),
    st.lists(st.builds(EventFact, st.sampled_from(EventKind), _instants), max_size=2).map(tuple),
    st.lists(st.builds(JourneyFact, _words, st.sampled_from(End), _instants), max_size=2).map(tuple),
    st.none() | _instants,
)


@given(_conditions)
def test_a_condition_survives_its_document(condition: Condition) -> None:
    assert parse_condition(condition_document(condition)) == condition
    assert told(condition)


@given(_conditions, _facts, _instants)
def test_asking_never_raises_and_not_turns_it_round(condition: Condition, facts: Facts, now: datetime) -> None:
    assert holds(Not(condition), facts, now) is not holds(condition, facts, now)


_keys = st.sampled_from(
    [
        *("all", "any", "not", "field", "record", "tag", "event", "journey", "is", "in", "status", "count", "since"),
        *("ended", "within", "days", "before", "ago", "kind", "channel", "x", "empty", "less", "at_most", "last"),
    ]
)
_junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | _days,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_keys, inner, max_size=4),
    max_leaves=12,
)


@given(_junk)
def test_any_data_at_all_is_a_condition_or_refused_with_words(document: object) -> None:
    try:
        condition = parse_condition(document)
    except DocumentError as refused:
        told_problems = [problem.problem for problem in refused.problems]
    else:
        told_problems = [told(condition)]
        holds(condition, Facts(), NOW)
    assert all(told_problems)
