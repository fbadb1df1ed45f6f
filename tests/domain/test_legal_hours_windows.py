"""The fast answer against a slow one: every minute read on every clock, for every place."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

import holidays
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.hours import parse_hours
from app.domain.legal_hours_rules import Place, Rules
from app.domain.legal_hours_windows import has_room, legal_now, legal_until, next_joint, next_legal
from app.domain.legal_hours_zones import candidates
from app.rules_file import shipped_rules

MINUTE = timedelta(minutes=1)
PHONES = (
    *("+12125550142", "+15035550142", "+18505550142", "+12145550142", "+12515550142", "+14015550142", "+12155550142"),
    *(
        "+18085550142",
        "+14165550142",
        "+18675550142",
        "+442079460018",
        "+447400123456",
        "+61255501234",
        "+493023125100",
    ),
)
# about the changes of the clocks of both halves of the year, and a run of holidays
STARTS = (
    *(datetime(2026, 3, 6, tzinfo=UTC), datetime(2026, 3, 27, tzinfo=UTC), datetime(2026, 10, 30, tzinfo=UTC)),
    *(datetime(2026, 10, 2, tzinfo=UTC), datetime(2026, 12, 23, tzinfo=UTC), datetime(2026, 7, 2, tzinfo=UTC)),
)


def rules() -> Rules:
    read = shipped_rules()
    assert isinstance(read, Rules)
    return read


@lru_cache
def closed_days(calendar: str, year: int) -> frozenset[date]:
    country, _, part = calendar.partition("-")
    return frozenset(holidays.country_holidays(country, subdiv=part or None, years=year))


def in_window(place: Place, zone: str, at: datetime) -> bool:
    wall = at.astimezone(ZoneInfo(zone))
    if any(wall.date() in closed_days(calendar, wall.year) for calendar in place.holidays):
        return False
    span = place.week[wall.weekday()]
    return span is not None and span[0] <= wall.hour * 60 + wall.minute < span[1]


def slow_minutes(zones: tuple[str, ...], places: tuple[Place, ...], start: datetime, count: int) -> list[bool]:
    """Whether each of `count` minutes from `start` on is legal on every clock, for every place."""
    return [
        all(in_window(place, zone, start + minute * MINUTE) for place in places for zone in (*zones, *place.also_zones))
        for minute in range(count)
    ]


def first_run(minutes: list[bool], guard: int) -> int | None:
    """The first minute from which on it stays legal for `guard` minutes, and is so after them."""
    return next((m for m in range(len(minutes) - guard) if all(minutes[m : m + guard + 1])), None)


def some_minutes(start: datetime) -> st.SearchStrategy[datetime]:
    return st.integers(0, 5 * 1440).map(lambda minute: start + minute * MINUTE)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(PHONES),
    st.sampled_from(STARTS).flatmap(some_minutes),
    st.booleans(),
    st.sampled_from((0, 5, 15)),
)
def test_i06_what_passes_is_legal_and_what_is_held_waits_no_minute_too_long(
    phone: str, at: datetime, care: bool, guard: int
) -> None:
    who = candidates(rules(), phone, {}, "US")
    places = (rules().care,) if care else who.places
    minutes = slow_minutes(who.zones, places, at, 5 * 1440)

    assert legal_now(who.zones, places, at, guard * MINUTE) is all(minutes[: guard + 1])
    first = first_run(minutes, guard)
    assert first is not None
    assert next_legal(who.zones, places, at, guard * MINUTE) == at + first * MINUTE


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(PHONES), st.sampled_from(STARTS).flatmap(some_minutes), st.sampled_from((5, 15)))
def test_i06_a_joint_instant_is_legal_and_in_hours_and_the_first_of_its_kind(
    phone: str, at: datetime, guard: int
) -> None:
    days = {day: [["08:30", "12:00"], ["13:00", "19:00"]] for day in ("mon", "tue", "wed", "thu", "fri", "sat")}
    hours = parse_hours("America/Los_Angeles", days)
    who = candidates(rules(), phone, {}, "US")
    legal = slow_minutes(who.zones, who.places, at, 5 * 1440)
    both = [each and hours.is_open(at + minute * MINUTE) for minute, each in enumerate(legal)]

    found = next_joint(who.zones, who.places, hours, at, guard * MINUTE)
    first = first_run(both, guard)
    if first is None:
        assert found is None or found > at + (len(both) - guard - 1) * MINUTE
    else:
        assert found == at + first * MINUTE


def test_an_instant_more_than_thirty_days_away_is_not_waited_for() -> None:
    closed = tuple({"date": f"2026-0{4 + (day + 14) // 30}-{(day + 14) % 30 + 1:02}"} for day in range(40))
    hours = parse_hours("America/New_York", {"mon": [["09:00", "17:00"]], "thu": [["09:00", "17:00"]]}, list(closed))
    who = candidates(rules(), "+12125550142", {}, "US")
    start = datetime(2026, 4, 17, 12, 0, tzinfo=UTC)
    opens = hours.next_open(start)
    assert opens is not None
    assert opens > start + timedelta(days=30)
    assert next_joint(who.zones, who.places, hours, start) is None
    assert next_joint(who.zones, who.places, hours, start + timedelta(days=20)) == opens


def test_a_window_that_never_closes_runs_on_across_midnight() -> None:
    always = Place("", "", ((0, 1440),) * 7)
    noon = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
    assert legal_now(("America/New_York", "Asia/Tokyo"), (always,), noon, timedelta(hours=30))
    end = legal_until(("America/New_York",), (always,), noon)
    assert end is not None
    assert end > noon + timedelta(days=2)


def test_zones_that_share_no_hour_have_no_room() -> None:
    office = Place("", "", ((600, 1080),) * 7)
    far = ("America/New_York", "Asia/Tokyo")
    assert next_legal(far, (office,), datetime(2026, 1, 5, tzinfo=UTC)) is None
    assert not has_room(far, (office,), None, datetime(2026, 1, 5, tzinfo=UTC).date())
    assert has_room(far[:1], (office,), None, datetime(2026, 1, 5, tzinfo=UTC).date())


@pytest.mark.parametrize(("length", "room"), [(59, False), (60, True)])
def test_an_hour_is_room_and_a_minute_less_is_not(length: int, room: bool) -> None:
    place = Place("", "", ((600, 600 + length),) * 7)
    assert has_room(("America/New_York",), (place,), None, datetime(2026, 1, 5, tzinfo=UTC).date()) is room
