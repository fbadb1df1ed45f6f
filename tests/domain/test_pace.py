from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.pace import Pace

NOW = datetime(2026, 3, 2, 18, tzinfo=UTC)
RATES = st.floats(min_value=0.01, max_value=100)


@pytest.mark.parametrize(("rate", "at_once"), [(0.1, 1), (1.0, 1), (1.9, 1), (2.5, 2), (10.0, 10)])
def test_no_more_than_one_seconds_worth_goes_at_once(rate: float, at_once: int) -> None:
    assert Pace(rate, None).free(NOW) == at_once
    spoken_for = Pace(rate, None).taken(at_once, NOW)
    assert Pace(rate, spoken_for).free(NOW) == 0
    assert Pace(rate, NOW - timedelta(days=9)).free(NOW) == at_once


@given(RATES, st.lists(st.floats(min_value=0, max_value=5), max_size=20))
def test_over_any_length_of_time_no_more_go_than_the_rate_and_one_seconds_worth(
    rate: float, steps: list[float]
) -> None:
    now, until, gone = NOW, None, 0
    for step in steps:
        free = Pace(rate, until).free(now)
        if free:
            gone += free
            until = Pace(rate, until).taken(free, now)
        now += timedelta(seconds=step)
    assert gone <= max(int(rate), 1) + rate * (now - NOW).total_seconds() + 0.01


@given(RATES, st.integers(min_value=0, max_value=20))
def test_a_slot_is_when_one_more_may_go_and_not_before(rate: float, ahead: int) -> None:
    until = Pace(rate, None).taken(Pace(rate, None).free(NOW), NOW)
    slot = Pace(rate, until).slot(ahead, NOW)
    gone = Pace(rate, until).taken(ahead, NOW)
    assert Pace(rate, gone).free(slot) >= 1
    assert Pace(rate, gone).free(slot - timedelta(milliseconds=1)) == 0
