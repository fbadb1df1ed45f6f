"""The opening hours of a location document: what is read, and how a mistake is told with its way out."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from app.domain.errors import DocumentError
from app.domain.hours import Closure, Span, parse_hours
from app.domain.problem import Problem

WEEK = {"mon": [["09:00", "17:00"]]}
A_TIME = 'Write "HH:MM", from "00:00" to "23:59".'
A_CLOSING_TIME = 'Write "HH:MM", from "00:00" to "24:00".'
A_PAIR = 'Write ["HH:MM", "HH:MM"], such as ["09:00", "17:00"].'
A_DAY = 'Write a list of ["HH:MM", "HH:MM"]; [] is a closed day.'
A_WEEK = 'Write mon to sun with lists, such as mon: [["09:00", "17:00"]].'
A_CLOSURE = 'Write {date: 2026-12-24}, or {date: 2026-12-24, from: "12:00", to: "24:00"}.'


def problems_of(zone: object, weekly: object, closures: object = None) -> list[Problem]:
    with pytest.raises(DocumentError) as refused:
        parse_hours(zone, weekly, closures)
    return list(refused.value.problems)


def test_a_document_is_read_whole() -> None:
    weekly = {"mon": [["13:30", "17:00"], ["9:00", "12:30"]], "sat": [["22:00", "06:00"]], "sun": []}
    closures = [
        {"date": date(2026, 12, 31), "from": "12:00", "to": "24:00"},
        {"date": "2026-12-24"},
        {"date": "2026-12-30", "to": "10:00"},
    ]

    hours = parse_hours("America/Los_Angeles", weekly, closures)

    assert hours.weekly == ((Span(540, 750), Span(810, 1020)), (), (), (), (), (Span(1320, 360),), ())
    assert hours.closures == (
        Closure(date(2026, 12, 24)),
        Closure(date(2026, 12, 30), 0, 600),
        Closure(date(2026, 12, 31), 720, 1440),
    )


def test_the_order_in_a_document_makes_no_other_hours() -> None:
    early, late = ["09:00", "12:00"], ["13:00", "17:00"]
    one = parse_hours("UTC", {"mon": [late, early]}, [{"date": "2026-12-26"}, {"date": "2026-12-24"}])
    other = parse_hours("UTC", {"mon": [early, late]}, [{"date": date(2026, 12, 24)}, {"date": date(2026, 12, 26)}])

    assert one == other
    assert hash(one) == hash(other)


def test_a_week_without_opening_is_refused_unless_asked_for() -> None:
    (problem,) = problems_of("America/New_York", {"mon": [], "tue": []})

    assert problem.told() == (
        "hours: no opening hours: nothing would ever be sent. "
        'Give at least one weekday its hours, such as mon: [["09:00", "17:00"]].'
    )
    hours, at = parse_hours("America/New_York", {}, may_never_open=True), datetime(2026, 5, 1, 17, tzinfo=UTC)
    assert not hours.ever_opens
    assert hours.next_open(at) is None
    assert hours.next_send(at, timedelta(0)) is None


@pytest.mark.parametrize(
    ("weekly", "path", "told", "hint"),
    [
        ({"mon": [["25:00", "26:00"]]}, "hours.mon.0", '"25:00" is not a time of day.', A_TIME),
        ({"mon": [["09:00", "24:30"]]}, "hours.mon.0", '"24:30" is not a time of day.', A_CLOSING_TIME),
        ({"mon": [["24:00", "08:00"]]}, "hours.mon.0", '"24:00" is not a time of day.', A_TIME),
        ({"mon": [["9am", "17:00"]]}, "hours.mon.0", '"9am" is not a time of day.', A_TIME),
        ({"mon": [["09:60", "17:00"]]}, "hours.mon.0", '"09:60" is not a time of day.', A_TIME),
        ({"mon": [[True, "17:00"]]}, "hours.mon.0", "True is not a time of day.", A_TIME),
        ({"mon": [["09:00"]]}, "hours.mon.0", "['09:00'] is not an opening and a closing time.", A_PAIR),
        ({"mon": ["09:00", "17:00"]}, "hours.mon.0", '"09:00" is not an opening and a closing time.', A_PAIR),
        ({"mon": None}, "hours.mon", "nothing is not a list of hours.", A_DAY),
        ({"mon": "closed"}, "hours.mon", '"closed" is not a list of hours.', A_DAY),
        ({"monday": []}, "hours", '"monday" is not a weekday.', "Did you mean mon?"),
        ({"Wed": []}, "hours", '"Wed" is not a weekday.', "Did you mean wed?"),
        ({"wensday": []}, "hours", '"wensday" is not a weekday.', "Did you mean wed?"),
        ({"x": []}, "hours", '"x" is not a weekday.', "The days are mon, tue, wed, thu, fri, sat, sun."),
        ("9 to 5", "hours", '"9 to 5" is not a week of hours.', A_WEEK),
        (None, "hours", "nothing is not a week of hours.", A_WEEK),
    ],
)
def test_bad_weekly_hours_are_named_with_the_way_out(weekly: object, path: str, told: str, hint: str) -> None:
    assert Problem(told, path, hint=hint) in problems_of("America/New_York", weekly)


def test_equal_opening_and_closing_times_are_refused() -> None:
    (problem,) = problems_of("America/New_York", {"mon": [["09:00", "12:00"], ["13:00", "13:00"]]})

    assert problem.told() == (
        'hours.mon.1: opens and closes at 13:00. For the whole day write ["00:00", "24:00"]; for a closed day [].'
    )


def test_a_time_that_yaml_took_for_a_number_is_shown_in_quotes() -> None:
    (problem,) = problems_of("America/New_York", {"fri": [["09:00", "12:00"], ["13:00", 1050]]})

    assert problem.told() == ('hours.fri.1: 1050 is not a time of day. In YAML a time stands in quotes: "17:30".')


@pytest.mark.parametrize(
    ("closure", "path", "told", "hint"),
    [
        ({"date": "2026-02-30"}, ".date", "2026-02-30 is not in the calendar.", "Check the month and the day."),
        ({"date": "24.12.2026"}, ".date", '"24.12.2026" is not a date.', "Write YYYY-MM-DD."),
        ({"date": 20261224}, ".date", "20261224 is not a date.", "Write YYYY-MM-DD."),
        ({"date": None}, ".date", "nothing is not a date.", "Write YYYY-MM-DD."),
        ({}, "", "{} is not a closure with a date.", A_CLOSURE),
        ("2026-12-24", "", '"2026-12-24" is not a closure with a date.', A_CLOSURE),
        ({"date": "2026-12-24", "form": "12:00"}, "", '"form" is not a key of a closure.', "Did you mean from?"),
        ({"date": "2026-12-24", "x": 1}, "", '"x" is not a key of a closure.', "The keys are date, from, to."),
        ({"date": "2026-12-24", "from": "noon"}, ".from", '"noon" is not a time of day.', A_TIME),
        ({"date": "2026-12-24", "to": None}, ".to", "nothing is not a time of day.", A_CLOSING_TIME),
    ],
)
def test_bad_closures_are_named_with_the_way_out(closure: object, path: str, told: str, hint: str) -> None:
    problems = problems_of("America/New_York", WEEK, [{"date": "2026-12-23"}, closure])

    assert problems == [Problem(told, f"closures.1{path}", hint=hint)]


def test_a_closure_that_runs_into_the_next_date_is_refused() -> None:
    (problem,) = problems_of("America/New_York", WEEK, [{"date": "2026-12-24", "from": "22:00", "to": "06:00"}])

    assert problem.told() == (
        "closures.0: the closure of 2026-12-24 does not end after it starts. "
        'A closure stays on its date: end it at "24:00" and write a second one for the next date.'
    )


def test_closures_that_are_no_list_are_refused() -> None:
    (problem,) = problems_of("America/New_York", WEEK, {"date": "2026-12-24"})

    assert problem.path == "closures"
    assert problem.hint == "Write a list, such as [{date: 2026-12-24}]."


def test_all_problems_of_a_document_are_told_at_once() -> None:
    problems = problems_of(7, {"mon": [["09:00", "25:00"]], "tues": []}, [{"date": "soon"}])

    assert [problem.path for problem in problems] == ["zone", "hours", "hours.mon.0", "closures.0.date"]


@pytest.mark.parametrize(("start", "end"), [(540, 540), (-1, 60), (1440, 60), (0, 1441)])
def test_an_impossible_span_cannot_be_made(start: int, end: int) -> None:
    with pytest.raises(ValueError, match="no span"):
        Span(start, end)


@pytest.mark.parametrize(("start", "end"), [(540, 540), (600, 540), (540, None), (None, 540), (0, 1441)])
def test_an_impossible_closure_cannot_be_made(start: int | None, end: int | None) -> None:
    with pytest.raises(ValueError, match="no closure"):
        Closure(date(2026, 12, 24), start, end)
