"""Clinic hours against a minute-by-minute reading of RULES.md F2 to F9, and the cases of the field."""

from __future__ import annotations

import base64
import os
import pickle
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.hours import Closure, Hours, Span, parse_hours

ROOT = Path(__file__).parents[2]
MINUTE = timedelta(minutes=1)
HORIZON = 2 * 1440
GUARDS = (0, 5, 15, 45, 90)

# Instants at which a zone changes its clocks: by an hour, half an hour, two, three, a whole date; at and near midnight.
CHANGES = [
    ("America/New_York", "2026-03-08T07:00Z"),
    ("America/New_York", "2026-11-01T06:00Z"),
    ("Europe/London", "2026-03-29T01:00Z"),
    ("Europe/London", "2026-10-25T01:00Z"),
    ("Australia/Lord_Howe", "2026-04-04T15:00Z"),
    ("Australia/Lord_Howe", "2026-10-03T15:30Z"),
    ("America/St_Johns", "2010-03-14T03:31Z"),
    ("America/St_Johns", "2010-11-07T02:31Z"),
    ("America/Sao_Paulo", "2018-11-04T03:00Z"),
    ("America/Sao_Paulo", "2018-02-18T02:00Z"),
    ("America/Havana", "2026-11-01T05:00Z"),
    ("Antarctica/Troll", "2026-03-29T01:00Z"),
    ("Antarctica/Casey", "2020-10-03T16:01Z"),
    ("Antarctica/Casey", "2021-03-13T13:00Z"),
    ("Pacific/Apia", "2011-12-30T10:00Z"),
    ("Pacific/Kwajalein", "1993-08-21T12:00Z"),
    ("Asia/Kathmandu", "2026-06-10T12:00Z"),
    ("America/Phoenix", "2026-03-08T07:00Z"),
    ("UTC", "2026-03-08T07:00Z"),
]


@dataclass(frozen=True)
class Case:
    """Hours near a clock change, as plain numbers, and an instant to ask about."""

    zone: str
    at: datetime
    spans: tuple[tuple[tuple[int, int], ...], ...]
    closures: tuple[tuple[date, int | None, int | None], ...]

    def hours(self) -> Hours:
        weekly = tuple(tuple(Span(a, b) for a, b in day) for day in self.spans)
        return Hours(self.zone, weekly, tuple(Closure(*closure) for closure in self.closures))

    def is_open(self, at: datetime) -> bool:
        """F2 and F3 read word for word, by the wall clock alone."""
        reading = at.astimezone(ZoneInfo(self.zone))
        today, second = reading.date(), reading.hour * 3600 + reading.minute * 60 + reading.second
        whole = {day for day, start, _ in self.closures if start is None}
        if today in whole:
            return False
        for day, start, end in self.closures:
            if day == today and start is not None and end is not None and start * 60 <= second < end * 60:
                return False
        for started in (today, today - timedelta(days=1)):
            for a, b in self.spans[started.weekday()] if started not in whole else ():
                if started == today and second >= a * 60 and (b <= a or second < b * 60):
                    return True
                if started != today and b <= a and second < b * 60:
                    return True
        return False


@st.composite
def cases(draw: st.DrawFn) -> Case:
    zone, change = draw(st.sampled_from(CHANGES))
    at = datetime.fromisoformat(change) + timedelta(seconds=draw(st.integers(-36 * 3600, 26 * 3600)))
    near_edges = st.sampled_from([0, 1, 60, 75, 90, 119, 120, 125, 150, 175, 180, 1379, 1381, 1410, 1439])
    start = st.one_of(st.integers(0, 1439), near_edges)
    end = st.one_of(st.integers(0, 1440), near_edges, st.just(1440))
    span = st.tuples(start, end).filter(lambda pair: pair[0] != pair[1])
    day = st.lists(span, max_size=3).map(tuple)
    spans = draw(st.tuples(day, day, day, day, day, day, day))
    days = st.integers(-3, 3).map(lambda n: at.date() + timedelta(days=n))
    part = st.tuples(days, start, end).filter(lambda closure: closure[1] < closure[2])
    whole = st.tuples(days, st.none(), st.none())
    closures = draw(st.lists(st.one_of(whole, part), max_size=3))
    return Case(zone, at, spans, tuple(closures))


def week(*weekdays: str, start: str = "09:00", end: str = "17:00") -> dict[str, list[list[str]]]:
    return {day: [[start, end]] for day in weekdays or ("mon", "tue", "wed", "thu", "fri")}


def instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def asked_in_a_process(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@settings(max_examples=100, deadline=None)
@given(cases())
def test_every_answer_is_that_of_the_wall_clock_read_minute_by_minute(case: Case) -> None:
    hours, at = case.hours(), case.at
    whole_minute = at.replace(second=0) + MINUTE
    instants = [at, *(whole_minute + n * MINUTE for n in range(HORIZON))]
    openness = [case.is_open(t) for t in instants]
    horizon = instants[-1]

    def first(wanted: bool, since: int) -> datetime | None:
        return next((instants[n] for n in range(since, len(instants)) if openness[n] is wanted), None)

    assert hours.is_open(at) is openness[0]

    opens, found = first(True, 0), hours.next_open(at)
    assert found == opens if opens is not None else found is None or found > horizon

    closes, found = first(False, 1), hours.closes_at(at)
    if not openness[0]:
        assert found is None
    else:
        assert found == closes if closes is not None else found is None or found > horizon

    for guard in (timedelta(minutes=m) for m in GUARDS):
        within = [t for t in instants if t <= horizon - guard - MINUTE]
        sends = next(
            (n for n, t in enumerate(within) if openness[n] and _open_until(instants, openness, n, guard)), None
        )
        found = hours.next_send(at, guard)
        assert hours.send_ok(at, guard) is (sends == 0)
        assert found == within[sends] if sends is not None else found is None or found > within[-1]


def _open_until(instants: list[datetime], openness: list[bool], since: int, guard: timedelta) -> bool:
    """F9: t + guard < closes_at(t)."""
    for n in range(since + 1, len(instants)):
        if not openness[n]:
            return instants[since] + guard < instants[n]
        if instants[n] > instants[since] + guard:
            return True
    raise AssertionError("looked past the horizon")


@settings(max_examples=60, deadline=None)
@given(cases())
def test_a_date_opens_when_some_minute_of_it_is_open(case: Case) -> None:
    hours = case.hours()
    noon = case.at.astimezone(ZoneInfo(case.zone)).replace(hour=12, minute=0, second=0, fold=0).astimezone(UTC)
    seen: dict[date, bool] = {}
    for n in range(-30 * 60, 30 * 60):
        t = noon + n * MINUTE
        day = t.astimezone(ZoneInfo(case.zone)).date()
        seen[day] = seen.get(day, False) or case.is_open(t)
    day = noon.astimezone(ZoneInfo(case.zone)).date()

    assert hours.opens_on(day) is seen[day]


@settings(max_examples=60, deadline=None)
@given(cases(), st.integers(0, 3 * 86_400))
def test_next_open_never_runs_backwards_and_is_itself_open(case: Case, later: int) -> None:
    hours = case.hours()
    first, second = hours.next_open(case.at), hours.next_open(case.at + timedelta(seconds=later))

    if first is not None:
        assert first >= case.at
        assert hours.is_open(first)
        assert hours.next_open(first) == first
        if second is not None:
            assert first <= second


@settings(max_examples=60, deadline=None)
@given(cases(), st.sampled_from(["Asia/Tokyo", "America/Los_Angeles", "Australia/Lord_Howe"]))
def test_the_zone_that_an_instant_is_written_in_changes_no_answer(case: Case, written: str) -> None:
    hours, elsewhere = case.hours(), case.at.astimezone(ZoneInfo(written))

    assert hours.next_open(elsewhere) == hours.next_open(case.at)
    assert hours.closes_at(elsewhere) == hours.closes_at(case.at)
    for answer in (hours.next_open(elsewhere), hours.closes_at(elsewhere), hours.next_send(elsewhere, MINUTE)):
        assert answer is None or answer.tzinfo is UTC


def test_a_date_that_a_zone_left_out_does_not_open() -> None:
    hours = parse_hours("Pacific/Apia", week("thu", "fri", "sat"))

    assert [hours.opens_on(date(2011, 12, day)) for day in (29, 30, 31)] == [True, False, True]


def test_a_clock_set_back_over_midnight_lets_two_dates_change_places() -> None:
    """St John's until 2011: one minute into Sunday 7 November 2010 (02:31Z) it was Saturday 23:01 again."""
    saturday_night = parse_hours("America/St_Johns", {"sat": [["23:30", "23:45"]]})
    both = parse_hours("America/St_Johns", {"sat": [["23:10", "23:20"]], "sun": [["00:00", "00:01"]]})

    assert saturday_night.next_open(instant("2010-11-07T02:30:30Z")) == instant("2010-11-07T03:00:00Z")
    assert both.next_open(instant("2010-11-07T02:00:00Z")) == instant("2010-11-07T02:30:00Z")
    assert both.next_open(instant("2010-11-07T02:31:00Z")) == instant("2010-11-07T02:40:00Z")


def test_all_week_round_the_clock_never_closes_until_a_closure() -> None:
    weekly = {day: [["00:00", "24:00"]] for day in ("mon", "tue", "wed", "thu", "fri", "sat", "sun")}
    at = instant("2026-05-01T17:00:00Z")

    assert parse_hours("America/Denver", weekly).closes_at(at) is None
    assert parse_hours("America/Denver", weekly).send_ok(at, timedelta(days=20))
    closed = parse_hours("America/Denver", weekly, [{"date": "2026-12-25"}])
    assert closed.closes_at(at) == instant("2026-12-25T07:00:00Z")
    assert closed.next_open(instant("2026-12-25T07:00:00Z")) == instant("2026-12-26T07:00:00Z")


def test_what_opens_only_after_370_days_never_opens() -> None:
    at = instant("2026-01-05T00:00:00Z")
    daily = {day: [["09:00", "17:00"]] for day in ("mon", "tue", "wed", "thu", "fri", "sat", "sun")}

    def closed_for(days: int) -> list[dict[str, date]]:
        return [{"date": at.date() + timedelta(days=n)} for n in range(days)]

    assert parse_hours("UTC", daily, closed_for(370)).next_open(at) is None
    assert parse_hours("UTC", daily, closed_for(369)).next_open(at) == at + timedelta(days=369, hours=9)
    assert parse_hours("UTC", daily, closed_for(370)).next_send(at, MINUTE) is None


def test_what_closes_only_after_370_days_never_closes() -> None:
    at = instant("2026-01-05T00:00:00Z")
    weekly = {day: [["00:00", "24:00"]] for day in ("mon", "tue", "wed", "thu", "fri", "sat", "sun")}

    def closed_after(days: int) -> list[dict[str, date]]:
        return [{"date": at.date() + timedelta(days=days)}]

    assert parse_hours("UTC", weekly, closed_after(370)).closes_at(at) == at + timedelta(days=370)
    assert parse_hours("UTC", weekly, closed_after(371)).closes_at(at) is None


def test_a_guard_longer_than_every_opening_finds_no_time_to_send() -> None:
    hours = parse_hours("America/New_York", week())

    assert hours.next_send(instant("2026-03-02T14:00:00Z"), timedelta(hours=8)) is None
    assert hours.next_send(instant("2026-03-02T14:00:00Z"), timedelta(hours=7, minutes=59)) is not None


def test_a_whole_day_closure_is_named_before_a_part_of_the_day() -> None:
    part, whole = {"date": "2026-11-26", "from": "12:00", "to": "24:00"}, {"date": "2026-11-26"}
    hours = parse_hours("America/New_York", week(), [part, whole, {"date": "2026-11-27", "from": "13:00"}])

    assert hours.closure_on(date(2026, 11, 26)) == Closure(date(2026, 11, 26))
    assert hours.closure_on(date(2026, 11, 27)) == Closure(date(2026, 11, 27), 13 * 60, 24 * 60)
    assert hours.closure_on(date(2026, 11, 28)) is None


def test_case_87_nothing_may_be_handed_over_at_closing_or_within_the_guard() -> None:
    """CASES L 87, the hours' part: closing 17:00, a text's guard is 5 minutes."""
    hours, guard = parse_hours("America/New_York", week()), timedelta(minutes=5)

    assert hours.send_ok(instant("2026-05-04T20:54:59Z"), guard)
    assert not hours.send_ok(instant("2026-05-04T20:55:00Z"), guard)
    assert not hours.send_ok(instant("2026-05-04T21:00:00Z"), timedelta(0))
    assert hours.next_send(instant("2026-05-04T21:03:00Z"), guard) == instant("2026-05-05T13:00:00Z")


def test_the_machines_own_zone_changes_no_answer() -> None:
    code = (
        "from datetime import UTC, datetime, timedelta\n"
        "import time\n"
        "from app.domain.hours import parse_hours\n"
        "hours = parse_hours('America/New_York', {'sun': [['01:15', '09:00']], 'mon': [['09:00', '17:00']]})\n"
        "at = datetime(2026, 11, 1, tzinfo=UTC)\n"
        "for n in range(48):\n"
        "    t = at + n * timedelta(minutes=45)\n"
        "    print(hours.is_open(t), hours.next_open(t), hours.closes_at(t), hours.next_send(t, timedelta(0, 300)))\n"
    )

    told = {asked_in_a_process(code, TZ=zone) for zone in ("UTC", "Asia/Tokyo", "America/New_York")}

    assert len(told) == 1


def test_hours_from_another_process_are_the_same_key() -> None:
    code = (
        "import base64, pickle\n"
        "from app.domain.hours import parse_hours\n"
        "hours = parse_hours('America/New_York', {'mon': [['09:00', '17:00']]}, [{'date': '2026-12-24'}])\n"
        "print(base64.b64encode(pickle.dumps(hours)).decode())\n"
    )

    theirs = pickle.loads(base64.b64decode(asked_in_a_process(code, PYTHONHASHSEED="12345")))

    ours = parse_hours("America/New_York", week("mon"), [{"date": "2026-12-24"}])
    assert {ours: "found"}[theirs] == "found"


def test_a_naive_time_is_a_bug_not_an_answer() -> None:
    hours = parse_hours("America/New_York", week())

    with pytest.raises(ValueError, match="has no zone"):
        hours.is_open(datetime(2026, 3, 2, 14))  # noqa: DTZ001
