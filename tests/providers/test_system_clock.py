from __future__ import annotations

from datetime import UTC, datetime, timedelta

from app.providers.system_clock import FixedClock, NoEarlierThan, RunningAhead, SystemClock

DAY = timedelta(days=1)


def test_the_machines_time_is_told_in_utc() -> None:
    before = datetime.now(UTC)
    told = SystemClock().now()

    assert told.tzinfo is UTC
    assert before <= told <= datetime.now(UTC)


def test_beside_a_made_up_time_that_lies_ahead_a_command_says_just_that_time() -> None:
    ahead = datetime.now(UTC) + 10 * DAY
    clock = NoEarlierThan(ahead)

    assert clock.now() == clock.now() == ahead
    assert NoEarlierThan(datetime.now(UTC) - DAY).now() > datetime.now(UTC) - timedelta(minutes=1)


def test_an_engine_goes_on_from_the_made_up_time() -> None:
    ahead = datetime.now(UTC) + 10 * DAY
    clock = RunningAhead(ahead)

    first = clock.now()
    assert ahead <= first < ahead + timedelta(minutes=1)
    assert first <= clock.now()
    assert RunningAhead(datetime.now(UTC) - DAY).now() <= datetime.now(UTC)


def test_a_made_up_time_stands_still_while_the_other_clock_goes() -> None:
    at = datetime(2027, 3, 14, 9, tzinfo=UTC)
    clock = FixedClock(at)

    assert clock.now() == at
    assert clock.monotonic_s() <= clock.monotonic_s()
