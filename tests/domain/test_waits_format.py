"""A wait's `for` mapping: what is read, how it is told again, and how a mistake is told with its way out."""

from __future__ import annotations

from datetime import time, timedelta

import pytest

from app.domain.errors import DocumentError
from app.domain.problem import Problem
from app.domain.waits import RECORDS, BusinessDays, Calendar, Elapsed, RelativeToRecord, Wait, parse_wait, told_wait

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
LENGTHS = "Give one of minutes, hours, days, weeks, business_days, such as days: 2."
A_TIME = 'Write "HH:MM", from "00:00" to "23:59".'
ONE = "Keep one of them."


def up_to(most: int) -> str:
    return f"Write a whole number from 1 to {most}: a wait is 730 days at the most."


@pytest.mark.parametrize(
    ("document", "wait", "told"),
    [
        ({"minutes": 1}, Elapsed(MINUTE), "1 minute"),
        ({"minutes": 90}, Elapsed(90 * MINUTE), "90 minutes"),
        ({"minutes": 120}, Elapsed(2 * HOUR), "2 hours"),
        ({"hours": 48}, Elapsed(48 * HOUR), "48 hours"),
        ({"days": 1}, Calendar(1), "1 day"),
        ({"days": 2, "at": "09:30"}, Calendar(2, time(9, 30)), "2 days at 9:30 AM"),
        ({"days": 730, "at": "00:00"}, Calendar(730, time(0)), "730 days at 12:00 AM"),
        ({"weeks": 2, "at": "12:05"}, Calendar(14, time(12, 5)), "14 days at 12:05 PM"),
        ({"business_days": 3}, BusinessDays(3), "3 working days"),
        ({"business_days": 1, "at": "17:00"}, BusinessDays(1, time(17)), "1 working day at 5:00 PM"),
        (
            {"before": "appointment", "hours": 24},
            RelativeToRecord("appointment", True, Elapsed(24 * HOUR)),
            "24 hours before the appointment",
        ),
        ({"after": "invoice", "weeks": 1}, RelativeToRecord("invoice", False, Calendar(7)), "7 days after the invoice"),
        (
            {"before": "job", "days": 1, "at": "09:00"},
            RelativeToRecord("job", True, Calendar(1, time(9))),
            "1 day before the job, at 9:00 AM",
        ),
    ],
)
def test_a_wait_is_read_and_told_in_short_words(document: object, wait: Wait, told: str) -> None:
    assert parse_wait(document) == wait
    assert told_wait(wait) == told


@pytest.mark.parametrize(
    ("document", "path", "told", "hint"),
    [
        (2, "", "2 is not a wait.", 'Write a mapping, such as {days: 2, at: "09:30"}.'),
        ({}, "", "the wait has no length.", LENGTHS),
        ({"at": "09:30"}, "", "the wait has no length.", LENGTHS),
        ({"before": "job"}, "", "the wait has no length.", LENGTHS),
        ({"day": 2}, "", '"day" is not a key of a wait.', "Did you mean days?"),
        ({"bussiness_days": 2}, "", '"bussiness_days" is not a key of a wait.', "Did you mean business_days?"),
        ({"months": 1}, "", '"months" is not a length of a wait.', "Months differ: write days: 30."),
        ({"days": 2, "hours": 3}, "", "hours and days in one wait.", ONE),
        ({"days": 0}, ".days", "0 is not a number of days.", up_to(730)),
        ({"days": -2}, ".days", "-2 is not a number of days.", up_to(730)),
        ({"days": 1.5}, ".days", "1.5 is not a number of days.", up_to(730)),
        ({"days": "2"}, ".days", '"2" is not a number of days.', up_to(730)),
        ({"days": True}, ".days", "True is not a number of days.", up_to(730)),
        ({"days": 731}, ".days", "731 is not a number of days.", up_to(730)),
        ({"weeks": 105}, ".weeks", "105 is not a number of weeks.", up_to(104)),
        ({"hours": 17_521}, ".hours", "17521 is not a number of hours.", up_to(17_520)),
        ({"minutes": 1_051_201}, ".minutes", "1051201 is not a number of minutes.", up_to(1_051_200)),
        ({"business_days": 521}, ".business_days", "521 is not a number of business_days.", up_to(520)),
        (
            {"hours": 2, "at": "09:30"},
            ".at",
            "`at` does not go with hours, which are real time.",
            "Give days, weeks or business_days with it, or take `at` away.",
        ),
        ({"days": 2, "at": "9.30"}, ".at", '"9.30" is not a time of day.', A_TIME),
        ({"days": 2, "at": "24:00"}, ".at", '"24:00" is not a time of day.', A_TIME),
        ({"days": 2, "at": 810}, ".at", "810 is not a time of day.", 'In YAML a time stands in quotes: "13:30".'),
        ({"before": "job", "after": "job", "hours": 1}, "", "before and after in one wait.", ONE),
        (
            {"before": "job", "business_days": 1},
            "",
            "business_days cannot be counted before a record.",
            "Give minutes, hours, days or weeks instead.",
        ),
        (
            {"before": "appointments", "hours": 1},
            ".before",
            '"appointments" is not a record.',
            "Did you mean appointment?",
        ),
        ({"after": "x", "hours": 1}, ".after", '"x" is not a record.', f"The records are {', '.join(RECORDS)}."),
        ({"after": ["job"], "hours": 1}, ".after", "['job'] is not a record.", "Did you mean job?"),
    ],
)
def test_a_bad_wait_is_named_with_the_way_out(document: object, path: str, told: str, hint: str) -> None:
    with pytest.raises(DocumentError) as refused:
        parse_wait(document)
    assert refused.value.problems == (Problem(told, f"for{path}", hint=hint),)


def test_the_path_of_a_problem_begins_where_the_wait_stands() -> None:
    with pytest.raises(DocumentError) as refused:
        parse_wait({"days": 0, "att": "09:30"}, "steps.two-days.for")
    assert [problem.path for problem in refused.value.problems] == ["steps.two-days.for", "steps.two-days.for.days"]
