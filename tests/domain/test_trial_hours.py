"""`stopwell try hours` and `try waits`: every expected value of the two data sets, and bad cases told in one line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from app.domain.errors import DocumentError
from app.domain.trial_hours import try_hours, try_waits

DATA = Path(__file__).parents[1] / "data"
GUARDED = ("send_ok_with_guard", "next_send_with_guard")


def cases_of(name: str) -> list[Any]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [pytest.param(case, id=case["id"]) for case in map(json.loads, lines)]


def a_case(**changed: object) -> dict[str, object]:
    case: dict[str, object] = {
        "id": "x1",
        "zone": "America/New_York",
        "weekly_hours": {"mon": [["09:00", "17:00"]]},
        "closures": [],
        "at": "2026-03-02T14:00:00Z",
        "start": "2026-03-02T14:00:00Z",
        "wait": {"mode": "calendar", "amount": 2, "unit": "days"},
    }
    return {key: value for key, value in {**case, **changed}.items() if value is not ...}


def told_by(trial: object, case: Mapping[str, object]) -> str:
    assert callable(trial)
    with pytest.raises(DocumentError) as refused:
        trial(case)
    return str(refused.value)


@pytest.mark.parametrize("case", cases_of("hours.jsonl"))
def test_every_case_of_the_hours_data_set_comes_out_as_expected(case: Mapping[str, object]) -> None:
    expected = {
        "id": case["id"],
        "open": case["expected_open"],
        "next_open": case["next_open"],
        "closes_at": case["closes_at"],
        **{key: case[key] for key in GUARDED if key in case},
    }

    assert try_hours(case) == expected, case["why"]


@pytest.mark.parametrize("case", cases_of("delays.jsonl"))
def test_every_case_of_the_delays_data_set_comes_out_as_expected(case: Mapping[str, object]) -> None:
    expected = {"id": case["id"], "due": case["expected_due"], "send": case["expected_send"]}

    assert try_waits(case) == expected, case["why"]


def test_an_instant_may_be_written_with_any_offset_and_comes_out_in_utc() -> None:
    assert try_hours(a_case(at="2026-03-02T09:30:00-05:00"))["next_open"] == "2026-03-02T14:30:00Z"


def test_a_wait_in_business_days_where_nothing_ever_opens_is_never_due() -> None:
    case = a_case(weekly_hours={}, wait={"mode": "business", "amount": 1, "unit": "days"})

    assert try_waits(case) == {"id": "x1", "due": None, "send": None}


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"zone": ...}, "zone: is missing."),
        ({"weekly_hours": ...}, "weekly_hours: is missing."),
        ({"at": ...}, "at: is missing."),
        ({"zone": "America/NewYork"}, 'zone: "America/NewYork" is not a time zone. Did you mean America/New_York?'),
        ({"at": "2026-03-02T14:00:00"}, 'at: "2026-03-02T14:00:00" is not an instant with its zone.'),
        ({"at": "soon"}, 'at: "soon" is not an instant with its zone.'),
        ({"at": "9999-12-31T23:00:00Z"}, 'at: "9999-12-31T23:00:00Z" is not an instant with its zone.'),
        ({"at": 1_772_000_000}, "at: 1772000000 is not an instant with its zone."),
        ({"weekly_hours": {"tues": []}}, 'weekly_hours: "tues" is not a weekday. Did you mean tue?'),
        ({"weekly_hours": {"mon": [["09:00", "25:00"]]}}, 'weekly_hours.mon.0: "25:00" is not a time of day.'),
        ({"closures": [{"date": "x"}]}, 'closures.0.date: "x" is not a date.'),
        ({"guard_minutes": -1}, "guard_minutes: -1 is not an amount."),
        ({"guard_minutes": "5"}, 'guard_minutes: "5" is not an amount.'),
    ],
)
def test_a_bad_case_of_hours_names_the_key_at_fault(changed: dict[str, object], told: str) -> None:
    assert told_by(try_hours, a_case(**changed)).startswith(told)


@pytest.mark.parametrize(
    ("wait", "told"),
    [
        (..., "wait: is missing."),
        ("2 days", 'wait: "2 days" is not a wait.'),
        ({}, "wait.mode: nothing is not a mode. Known are elapsed, calendar, business."),
        ({"mode": "calender"}, 'wait.mode: "calender" is not a mode. Did you mean calendar?'),
        ({"mode": "calendar", "unit": "hours"}, 'wait.unit: "hours" is not a unit of calendar waits.'),
        ({"mode": "elapsed", "unit": "hour"}, 'wait.unit: "hour" is not a unit of elapsed waits. Did you mean hours?'),
        ({"mode": "business", "unit": "days"}, "wait.amount: nothing is not an amount."),
        ({"mode": "business", "unit": "days", "amount": 731}, "wait.amount: 731 is not an amount."),
        ({"mode": "elapsed", "unit": "hours", "amount": 1.5}, "wait.amount: 1.5 is not an amount."),
    ],
)
def test_a_bad_case_of_waits_names_the_key_at_fault(wait: object, told: str) -> None:
    assert told_by(try_waits, a_case(wait=wait)).startswith(told)
