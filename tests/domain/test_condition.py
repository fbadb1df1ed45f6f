"""The one condition language: what each question means, that none ever raises, and that documents round-trip."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

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
    matching_records,
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
from app.domain.ids import RecordId
from app.domain.record import RecordKind
from app.domain.states import Channel, End

NOW = datetime(2027, 1, 11, 18, 0, tzinfo=UTC)
DAY = timedelta(days=1)


def ask(document: object, facts: Facts | None = None, now: datetime = NOW) -> bool:
    return holds(parse_condition(document), facts or Facts(), now)


def field(value: FieldValue, name: str = "person.custom.x") -> Facts:
    return Facts(fields={name: value})


def visit(status: str = "booked", changed: datetime = NOW, label: str | None = None, **rest: object) -> RecordFact:
    return RecordFact(RecordKind.APPOINTMENT, status, changed, label=label, **rest)  # type: ignore[arg-type]


def problems(document: object, *, in_journey: bool = True) -> list[str]:
    with pytest.raises(DocumentError) as refused:
        parse_condition(document, in_journey=in_journey)
    return [problem.told() for problem in refused.value.problems]


# ---- records


def test_a_record_is_asked_by_kind_status_and_label() -> None:
    facts = Facts(records=(visit("missed", label="First"),))
    assert ask({"record": "appointment"}, facts)
    assert ask({"record": "appointment", "status": "missed"}, facts)
    assert ask({"record": "appointment", "status": ["booked", "Missed"]}, facts)
    assert ask({"record": "appointment", "kind": "first", "status": "missed"}, facts)
    assert not ask({"record": "appointment", "kind": "second"}, facts)
    assert not ask({"record": "appointment", "status": "booked"}, facts)
    assert not ask({"record": "job", "status": "missed"}, facts)
    assert not ask({"record": "appointment", "kind": "first"}, Facts(records=(visit("missed"),)))


def test_a_status_is_read_as_it_is_stored() -> None:
    assert ask(
        {"record": "job", "status": "In progress"}, Facts(records=(RecordFact(RecordKind.JOB, "in_progress", NOW),))
    )


def test_since_enrollment_means_that_the_record_got_its_status_at_or_after_the_entry() -> None:
    booked = {"record": "appointment", "status": "booked", "since": "enrollment"}
    for changed, right in ((NOW - DAY, False), (NOW, True), (NOW + DAY, True)):
        assert ask(booked, Facts(records=(visit(changed=changed),), since_enrollment=NOW)) is right
    assert not ask(booked, Facts(records=(visit(),))), "outside a journey nothing was since the enrollment"


def test_since_a_length_of_time_includes_its_edge() -> None:
    lately = {"record": "appointment", "since": {"days": 14}}
    assert ask(lately, Facts(records=(visit(changed=NOW - 14 * DAY),)))
    assert not ask(lately, Facts(records=(visit(changed=NOW - 14 * DAY - timedelta(microseconds=1)),)))


@pytest.mark.parametrize(
    ("within", "away", "right"),
    [
        ({"days": 14}, -14 * DAY, True),
        ({"days": 14}, 14 * DAY, True),
        ({"days": 14}, -15 * DAY, False),
        ({"last": {"days": 14}}, -14 * DAY, True),
        ({"last": {"days": 14}}, timedelta(0), True),
        ({"last": {"days": 14}}, DAY, False),
        ({"next": {"hours": 24}}, DAY, True),
        ({"next": {"hours": 24}}, -DAY, False),
        ({"last": {"days": 1}, "next": {"days": 2}}, 2 * DAY, True),
        ({"last": {"days": 1}, "next": {"days": 2}}, -2 * DAY, False),
    ],
)
def test_within_is_about_the_records_own_time(within: dict[str, object], away: timedelta, right: bool) -> None:
    facts = Facts(records=(visit(changed=NOW - 300 * DAY, starts_at=NOW + away),))
    assert ask({"record": "appointment", "within": within}, facts) is right


def test_a_record_without_a_start_counts_from_when_it_is_due_else_from_its_status() -> None:
    within = {"record": "invoice", "within": {"days": 1}}
    due = RecordFact(RecordKind.INVOICE, "sent", NOW - 90 * DAY, due_on=date(2027, 1, 12))
    assert ask(within, Facts(records=(due,)))
    assert not ask(within, Facts(records=(RecordFact(RecordKind.INVOICE, "sent", NOW - 90 * DAY),)))
    assert ask(within, Facts(records=(RecordFact(RecordKind.INVOICE, "sent", NOW - DAY),)))


@pytest.mark.parametrize(
    ("count", "right"),
    [
        (1, True),
        (2, True),
        (3, False),
        ({"at_most": 0}, False),
        ({"at_most": 2}, True),
        ({"at_least": 1, "at_most": 1}, False),
    ],
)
def test_a_count_is_at_least_or_between(count: object, right: bool) -> None:
    facts = Facts(records=(visit("missed"), visit("missed"), visit("booked")))
    assert ask({"record": "appointment", "status": "missed", "count": count}, facts) is right


def test_none_of_a_kind_is_a_count_of_at_most_nothing() -> None:
    assert ask({"record": "job", "count": {"at_most": 0}})
    assert ask({"not": {"record": "job"}})


def test_a_journey_per_record_asks_about_its_own_record_alone() -> None:
    done = RecordFact(RecordKind.JOB, "complete", NOW, id=RecordId(1))
    off = RecordFact(RecordKind.JOB, "cancelled", NOW, id=RecordId(2))
    facts = Facts(records=(done, off, visit()))
    cancelled = parse_condition({"record": "job", "status": "cancelled"})

    assert holds(cancelled, facts, NOW)
    assert not holds(cancelled, facts.about(done), NOW)
    assert holds(parse_condition({"record": "appointment"}), facts.about(done), NOW), "other kinds are still seen"
    complete = parse_condition({"all": [{"record": "job", "status": "complete"}, {"record": "appointment"}]})
    assert matching_records(complete, RecordKind.JOB, facts, NOW) == (done,)


# ---- fields


@pytest.mark.parametrize(
    ("test", "value", "right"),
    [
        ({"is": "lost"}, "Lost ", True),
        ({"is": "lost"}, "los", False),
        ({"is": "É"}, "é", False),  # only A-Z fold, as both databases can
        ({"is": "lost"}, None, False),
        ({"is": 97201}, "97201", True),
        ({"is": "97201"}, 97201, True),
        ({"is": 1.5}, "1.50", True),
        ({"is": 12}, 12.0, True),
        ({"is": "12"}, 12.0, True),
        ({"is": True}, "true", True),
        ({"is": True}, 1, False),
        ({"is": "2026-12-24"}, date(2026, 12, 24), True),
        ({"is_not": "lost"}, "open", True),
        ({"is_not": "lost"}, None, True),
        ({"is_not": "lost"}, "LOST", False),
        ({"in": ["a", "b", 3]}, "B", True),
        ({"in": ["a", "b", 3]}, "3", True),
        ({"in": ["a"]}, None, False),
        ({"contains": "day"}, "Tuesday", True),
        ({"contains": "DAY"}, "tuesday", True),
        ({"contains": "x"}, None, False),
        ({"less": 5}, 4, True),
        ({"less": 5}, "4.5", True),
        ({"less": 5}, "5", False),
        ({"less": 5}, "four", False),
        ({"less": 5}, "1e0", False),
        ({"less": 5}, True, False),
        ({"less": 5}, None, False),
        ({"more": 5}, "6", True),
        ({"more": 5}, None, False),
        ({"before": "2027-01-11"}, date(2027, 1, 10), True),
        ({"before": "2027-01-11"}, date(2027, 1, 11), False),
        ({"before": "2027-01-11"}, "2027-01-10", True),
        ({"before": "2027-01-11"}, "10.1.2027", False),
        ({"before": "2027-01-11"}, None, False),
        ({"after": "2027-01-11T10:00:00-08:00"}, NOW, False),
        ({"after": "2027-01-11T09:59:59-08:00"}, NOW, True),
        ({"after": {"ago": {"days": 30}}}, NOW - 29 * DAY, True),
        ({"after": {"ago": {"days": 30}}}, NOW - 30 * DAY, False),
        ({"before": {"ahead": {"days": 2}}}, NOW + DAY, True),
        ({"before": {"ahead": {"days": 2}}}, NOW + 2 * DAY, False),
        ({"empty": True}, None, True),
        ({"empty": True}, "  ", True),
        ({"empty": True}, "x", False),
        ({"empty": True}, 0, False),
        ({"empty": False}, "x", True),
        ({"empty": False}, None, False),
    ],
)  # fmt: skip
def test_a_field_is_asked(test: dict[str, object], value: FieldValue, right: bool) -> None:
    assert ask({"field": "person.custom.x", **test}, field(value)) is right


def test_an_instant_of_another_zone_is_the_same_instant() -> None:
    tokyo = NOW.astimezone(timezone(timedelta(hours=9)))
    asked = {"field": "person.created_at", "after": "2027-01-11T17:59:59Z"}
    assert ask(asked, field(tokyo, "person.created_at"))


def test_a_field_that_nobody_gave_is_empty_and_equals_nothing() -> None:
    assert ask({"field": "person.status", "empty": True})
    assert not ask({"field": "person.status", "is": "lost"})


def test_tags_are_asked_by_name_in_either_form() -> None:
    facts = Facts(tags=frozenset({"Evenings"}))
    assert ask({"tag": "evenings"}, facts)
    assert ask({"field": "person.tags", "contains": "EVENINGS"}, facts)
    assert not ask({"tag": "even"}, facts)
    assert ask({"field": "person.tags", "empty": False}, facts)
    assert ask({"field": "person.tags", "empty": True})


# ---- events, journeys, all, any, not


def test_an_event_is_asked_by_kind_channel_and_time() -> None:
    facts = Facts(events=(EventFact(EventKind.REPLIED, NOW - DAY, Channel.SMS),), since_enrollment=NOW - 2 * DAY)
    assert ask({"event": "replied"}, facts)
    assert ask({"event": "replied", "channel": "sms", "since": "enrollment"}, facts)
    assert not ask({"event": "replied", "channel": "email"}, facts)
    assert not ask({"event": "replied", "since": {"hours": 23}}, facts)
    assert not ask({"event": "clicked"}, facts)


def test_a_journey_is_asked_by_how_it_ended() -> None:
    facts = Facts(journeys=(JourneyFact("New lead", End.EXHAUSTED, NOW - 10 * DAY),))
    assert ask({"journey": "new lead", "ended": ["exhausted", "closed"]}, facts)
    assert ask({"journey": "New lead", "ended": "exhausted", "since": {"days": 10}}, facts)
    assert not ask({"journey": "New lead", "ended": "exhausted", "since": {"days": 9}}, facts)
    assert not ask({"journey": "New lead", "ended": "replied"}, facts)
    assert not ask({"journey": "Other", "ended": "exhausted"}, facts)


def test_all_any_and_not_join_questions() -> None:
    facts = Facts(tags=frozenset({"a"}))
    a, b = {"tag": "a"}, {"tag": "b"}
    assert ask({"all": [a, {"not": b}]}, facts)
    assert not ask({"all": [a, b]}, facts)
    assert ask({"any": [b, a]}, facts)
    assert not ask({"any": [b, {"not": a}]}, facts)


# ---- documents


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
        ({"record": "job", "since": "enrolment"}, '"enrolment" is not known here. Write enrollment'),
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
