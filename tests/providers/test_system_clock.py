from __future__ import annotations

import sys
import time
from datetime import UTC, datetime

import pytest

from app.providers.system_clock import FixedClock, SystemClock


def test_the_machines_time_is_told_in_utc() -> None:
    before = datetime.now(UTC)
    told = SystemClock().now()

    assert told.tzinfo is UTC
    assert before <= told <= datetime.now(UTC)


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux' own clock")
def test_the_other_clock_goes_on_while_the_machine_sleeps() -> None:
    """PLATFORM section 7: a note from before the lid was closed must look old when it is opened."""
    before = time.clock_gettime(time.CLOCK_BOOTTIME)
    assert before <= SystemClock().monotonic_s() <= time.clock_gettime(time.CLOCK_BOOTTIME)


def test_a_made_up_time_stands_still_while_the_other_clock_goes() -> None:
    at = datetime(2027, 3, 14, 9, tzinfo=UTC)
    clock = FixedClock(at)

    assert clock.now() == at
    assert clock.monotonic_s() <= clock.monotonic_s()
