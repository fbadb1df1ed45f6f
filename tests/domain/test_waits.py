"""Waits: when each kind is due across clock changes, and the longest it can take."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.domain.errors import DocumentError, OperatorError
from app.domain.hours import Closure, Hours, Span, parse_hours
from app.domain.waits import (
    BusinessDays,
    Calendar,
    Elapsed,
    NoBusinessDay,
    NoRecordTime,
    RecordTooFar,
    RelativeToRecord,
    Wait,
    due_after,
    longest_days,
    parse_wait,
)

ROOT = Path(__file__).parents[2]
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
WEEKDAY_HOURS = {day: [["09:00", "17:00"]] for day in ("mon", "tue", "wed", "thu", "fri")}
NEW_YORK = parse_hours("America/New_York", WEEKDAY_HOURS)

ZONES = (
    "America/New_York",
    "Europe/London",
    "Australia/Lord_Howe",
    "America/Sao_Paulo",
    "Antarctica/Troll",
    "Pacific/Apia",
)
CHANGES = {
    "America/New_York": ("2026-03-08T07:00Z", "2026-11-01T06:00Z"),
    "Europe/London": ("2026-03-29T01:00Z", "2026-10-25T01:00Z"),
    "Australia/Lord_Howe": ("2026-04-04T15:00Z", "2026-10-03T15:30Z"),
    "America/Sao_Paulo": ("2018-11-04T03:00Z", "2018-02-18T02:00Z"),
    "Antarctica/Troll": ("2026-03-29T01:00Z", "2026-10-25T01:00Z"),
    "Pacific/Apia": ("2011-12-30T10:00Z", "2011-09-24T14:00Z"),
}


def instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def always(zone: str) -> Hours:
    return Hours(zone, ((Span(0, 1440),),) * 7)


@st.composite
def landings(draw: st.DrawFn) -> tuple[Hours, datetime, int]:
    """A zone, a start, and a number of days that ends near a clock change of the zone."""
    zone = draw(st.sampled_from(ZONES))
    change = instant(draw(st.sampled_from(CHANGES[zone])))
    days = draw(st.integers(1, 20))
    start = change - days * DAY + draw(st.integers(-1800, 1800)) * MINUTE
    return always(zone), start, days


@st.composite
def clinics(draw: st.DrawFn) -> Hours:
    """Hours with at least one opening a week, nights included, and some closures in the spring of 2026."""
    spans = st.tuples(st.integers(0, 1439), st.integers(0, 1440)).filter(lambda s: s[0] != s[1]).map(lambda s: Span(*s))
    week = draw(st.lists(st.lists(spans, max_size=2).map(tuple), min_size=7, max_size=7).filter(any))
    days = st.integers(0, 60).map(lambda n: date(2026, 2, 20) + n * DAY)
    closures = draw(st.lists(days.map(Closure), max_size=6))
    return Hours(draw(st.sampled_from(ZONES)), tuple(week), tuple(closures))


starts = st.integers(0, 40 * 1440).map(lambda n: instant("2026-02-20T00:00Z") + n * MINUTE)


def wall_expected(zone: str, wanted: datetime) -> datetime:
    """F7 by looking at every minute around: the first that reads `wanted`, else `wanted` later by the gap's length."""
    clock, around = ZoneInfo(zone), wanted.replace(tzinfo=UTC)
    readings = [
        (t, t.astimezone(clock).replace(tzinfo=None)) for t in (around + n * MINUTE for n in range(-1620, 1620))
    ]
    for t, reads in readings:
        if reads == wanted:
            return t
    jump, lands = next((t, reads) for t, reads in readings if reads > wanted)
    gap = lands - ((jump - MINUTE).astimezone(clock).replace(tzinfo=None) + MINUTE)
    return next(t for t, reads in readings if reads == wanted + gap)


@settings(max_examples=100, deadline=None)
@given(
    landings(), st.one_of(st.none(), st.times(timezones=st.none()).map(lambda t: t.replace(second=0, microsecond=0)))
)
def test_calendar_days_keep_the_wall_time_on_the_later_date(
    landing: tuple[Hours, datetime, int], at: time | None
) -> None:
    hours, start, days = landing
    local = hours.local(start).replace(tzinfo=None)
    wanted = datetime.combine(local.date() + days * DAY, at or local.time())

    assert due_after(Calendar(days, at), start, hours) == wall_expected(hours.zone, wanted)


@settings(deadline=None)
@given(landings(), st.integers(1, 100_000))
def test_elapsed_time_is_real_time_whatever_the_clocks_do(landing: tuple[Hours, datetime, int], minutes: int) -> None:
    hours, start, _ = landing

    assert due_after(Elapsed(minutes * MINUTE), start, hours) == start + minutes * MINUTE


@settings(deadline=None)
@given(clinics(), starts, st.integers(1, 12))
def test_business_days_count_the_dates_that_have_some_opening(hours: Hours, start: datetime, days: int) -> None:
    first, due = hours.local(start), due_after(BusinessDays(days), start, hours)

    landed = hours.local(due).date()
    dates = [first.date() + n * DAY for n in range(1, (landed - first.date()).days + 1)]
    assert sum(hours.opens_on(day) for day in dates) == days
    assert hours.opens_on(landed)
    assert due == wall_expected(hours.zone, datetime.combine(landed, first.time().replace(fold=0)))


@settings(deadline=None)
@given(clinics(), starts, st.integers(1, 8), st.integers(0, 5 * 1440))
def test_business_days_are_monotone_in_their_number_and_their_start(
    hours: Hours, start: datetime, days: int, later: int
) -> None:
    at = time(9, 30)
    due = due_after(BusinessDays(days, at), start, hours)

    assert start < due
    assert due < due_after(BusinessDays(days + 1, at), start, hours)
    assert due <= due_after(BusinessDays(days, at), start + later * MINUTE, hours)


amounts = st.one_of(
    st.integers(1, 5_000).map(lambda n: Elapsed(n * MINUTE)),
    st.builds(Calendar, st.integers(1, 20), st.sampled_from([None, time(0), time(9, 30), time(23, 59)])),
)


@settings(max_examples=200, deadline=None)
@given(landings(), amounts)
def test_i14_no_wait_takes_longer_than_its_longest(
    landing: tuple[Hours, datetime, int], wait: Elapsed | Calendar
) -> None:
    hours, start, _ = landing

    assert (due_after(wait, start, hours) - start) / DAY <= longest_days(wait)


@settings(deadline=None)
@given(st.integers(0, 6), st.integers(1, 30), starts, st.sampled_from([None, time(0), time(23, 59)]))
def test_i14_business_days_take_a_week_each_at_most_where_nothing_is_closed(
    weekday: int, days: int, start: datetime, at: time | None
) -> None:
    hours = Hours("America/New_York", tuple((Span(540, 1020),) if n == weekday else () for n in range(7)))
    wait = BusinessDays(days, at)

    assert (due_after(wait, start, hours) - start) / DAY <= longest_days(wait)


@settings(deadline=None)
@given(starts, st.integers(-400, 600), amounts, st.booleans())
def test_i14_a_record_too_far_ahead_is_refused_rather_than_waited_for(
    start: datetime, ahead: int, amount: Elapsed | Calendar, before: bool
) -> None:
    wait = RelativeToRecord("appointment", before, amount)
    try:
        due = due_after(wait, start, NEW_YORK, start + ahead * DAY)
    except RecordTooFar:
        assert ahead > 366
    else:
        assert (due - start) / DAY <= longest_days(wait)


@settings(deadline=None)
@given(starts, amounts)
@example(instant("2026-03-09T13:00Z"), Calendar(1, time(2, 30)))
def test_before_and_after_a_record_count_from_its_time(start: datetime, amount: Elapsed | Calendar) -> None:
    record_at = start + 10 * DAY
    after = due_after(RelativeToRecord("job", False, amount), start, NEW_YORK, record_at)
    before = due_after(RelativeToRecord("job", True, amount), start, NEW_YORK, record_at)

    assert after == due_after(amount, record_at, NEW_YORK)
    match amount:
        case Elapsed(length):
            assert before == record_at - length
        case Calendar(days, at):
            local = NEW_YORK.local(record_at).replace(tzinfo=None)
            assert before == wall_expected("America/New_York", datetime.combine(local - days * DAY, at or local.time()))


def test_a_time_before_a_record_that_has_passed_is_given_as_it_is() -> None:
    start, appointment = instant("2026-05-04T12:00Z"), instant("2026-05-04T18:00Z")

    due = due_after(parse_wait({"before": "appointment", "hours": 24}), start, NEW_YORK, appointment)

    assert due == instant("2026-05-03T18:00Z")


def test_the_day_before_an_appointment_at_a_time_is_local() -> None:
    wait = parse_wait({"before": "appointment", "days": 1, "at": "09:30"})

    assert due_after(wait, instant("2026-10-20T12:00Z"), NEW_YORK, instant("2026-11-02T01:30Z")) == instant(
        "2026-10-31T13:30Z"
    )


def test_a_wait_for_a_record_without_a_time_says_so() -> None:
    wait = parse_wait({"before": "appointment", "hours": 24})

    with pytest.raises(NoRecordTime) as refused:
        due_after(wait, instant("2026-05-04T12:00Z"), NEW_YORK)
    assert str(refused.value) == (
        "There is no appointment with a time to count 24 hours before the appointment from. "
        "Give the person's appointment its time, or move them on by hand."
    )
    assert isinstance(refused.value, OperatorError)


def test_case_81_a_time_of_day_is_the_locations_whatever_the_machines_zone() -> None:
    """CASES L 81: `at: "09:30"` in New York and Los Angeles, on machines in UTC and in Tokyo."""
    code = (
        "from datetime import datetime\n"
        "from app.domain.hours import Hours\n"
        "from app.domain.waits import due_after, parse_wait\n"
        "wait = parse_wait({'days': 2, 'at': '09:30'})\n"
        "for day in ('2026-07-06T20:00Z', '2026-12-07T20:00Z'):\n"
        "    for zone in ('America/New_York', 'America/Los_Angeles'):\n"
        "        print(due_after(wait, datetime.fromisoformat(day), Hours(zone, ((),) * 7)).isoformat())\n"
    )
    for machine in ("UTC", "Asia/Tokyo"):
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", code],
            env={**os.environ, "TZ": machine},
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert [instant(line) for line in done.stdout.split()] == [
            instant("2026-07-08T13:30Z"),
            instant("2026-07-08T16:30Z"),
            instant("2026-12-09T14:30Z"),
            instant("2026-12-09T17:30Z"),
        ]


def test_case_83_two_days_and_48_hours_are_not_the_same_night() -> None:
    """CASES L 83: New York, entered Saturday 31 October 2026 at 10:00."""
    start = instant("2026-10-31T10:00-04:00")

    assert due_after(parse_wait({"days": 2}), start, NEW_YORK) == instant("2026-11-02T15:00Z")
    assert due_after(parse_wait({"hours": 48}), start, NEW_YORK) == instant("2026-11-02T14:00Z")


@pytest.mark.parametrize(
    ("start", "due"),
    [
        ("2027-03-13T00:00-08:00", "2027-03-14T00:00-08:00"),
        ("2027-03-13T02:30-08:00", "2027-03-14T03:30-07:00"),
        ("2027-03-13T23:30-08:00", "2027-03-14T23:30-07:00"),
        ("2027-03-14T00:00-08:00", "2027-03-15T00:00-07:00"),
    ],
)
def test_case_85_a_wait_of_one_day_skips_no_day_when_clocks_go_forward(start: str, due: str) -> None:
    """CASES L 85, the wait: US Pacific, clocks go forward on 14 March 2027."""
    pacific = parse_hours("America/Los_Angeles", WEEKDAY_HOURS)

    assert due_after(Calendar(1), instant(start), pacific) == instant(due)


def test_case_92_business_days_pass_over_closed_days_and_the_closure_is_named() -> None:
    """CASES M 92: open Monday to Friday, closed on Thursday 26 and Friday 27 November 2026."""
    hours = parse_hours("America/New_York", WEEKDAY_HOURS, [{"date": "2026-11-26"}, {"date": "2026-11-27"}])
    start = instant("2026-11-25T15:00-05:00")

    assert due_after(BusinessDays(1), start, hours) == instant("2026-11-30T15:00-05:00")
    due = due_after(Calendar(1), start, hours)
    assert due == instant("2026-11-26T15:00-05:00")
    assert hours.next_open(due) == instant("2026-11-30T09:00-05:00")
    assert hours.closure_on(hours.local(due).date()) == Closure(date(2026, 11, 26))


def test_case_94_ten_business_days_are_two_weeks_and_are_refused_without_hours() -> None:
    """CASES M 94: from Friday 1 May 2026."""
    start = instant("2026-05-01T11:00-04:00")

    assert due_after(BusinessDays(10), start, NEW_YORK) == instant("2026-05-15T11:00-04:00")
    with pytest.raises(DocumentError, match="no opening hours"):
        parse_hours("America/New_York", {})
    with pytest.raises(NoBusinessDay, match="no working day to wait for"):
        due_after(BusinessDays(10), start, Hours("America/New_York", ((),) * 7))


def test_business_days_end_when_closures_leave_no_opening_for_370_days() -> None:
    closures = tuple(Closure(date(2026, 5, 2) + n * DAY) for n in range(371))
    hours = Hours("America/New_York", NEW_YORK.weekly, closures)

    with pytest.raises(NoBusinessDay):
        due_after(BusinessDays(1), instant("2026-05-01T15:00Z"), hours)


@pytest.mark.parametrize(
    ("wait", "days"),
    [
        (Elapsed(36 * HOUR), 1.5),
        (Calendar(2), 2.125),
        (Calendar(2, time(9, 30)), 3.125),
        (BusinessDays(3), 21.125),
        (RelativeToRecord("job", True, Elapsed(24 * HOUR)), 367.0),
    ],
)
def test_i14_the_longest_of_each_kind_is_known(wait: Wait, days: float) -> None:
    assert longest_days(wait) == days
