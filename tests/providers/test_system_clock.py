from __future__ import annotations

from datetime import UTC, datetime

from app.providers.system_clock import FixedClock, SystemClock


def test_the_machines_time_is_told_in_utc() -> None:
    before = datetime.now(UTC)
    told = SystemClock().now()

    assert told.tzinfo is UTC
    assert before <= told <= datetime.now(UTC)


def test_a_made_up_time_stands_still_while_the_other_clock_goes() -> None:
    at = datetime(2027, 3, 14, 9, tzinfo=UTC)
    clock = FixedClock(at)

    assert clock.now() == at
    assert clock.monotonic_s() <= clock.monotonic_s()
