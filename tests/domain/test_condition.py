"""The one condition language: what each question means."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from app.domain.condition import (
    EventFact,
    Facts,
    JourneyFact,
    RecordFact,
    holds,
    matching_records,
    parse_condition,
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
