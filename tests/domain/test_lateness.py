"""How late something is counts from when it should have been asked, and whose turn it is from what has begun."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.ids import EnrollmentId
from app.domain.lateness import due_at, not_overdue
from app.domain.reasons import Why
from app.domain.snapshot import Snapshot, TurnSeen
from app.domain.states import Purpose
from app.domain.verdict import Hold, Pass
from app.domain.whose_turn import first_of, one_at_a_time
from tests.seen import MONDAY_TEN, enrollment, message, small_journey, snapshot

DAY = timedelta(days=1)


def late(length: timedelta, **columns: object) -> Snapshot:
    return snapshot(enrollment=enrollment(wake_at=MONDAY_TEN - length, **columns))


@pytest.mark.parametrize(
    ("length", "saw"),
    [
        (timedelta(seconds=59), "in time"),
        (timedelta(minutes=1), "1 min late"),
        (timedelta(minutes=20), "20 min late"),
        (timedelta(hours=1), "1 h late"),
        (timedelta(hours=47), "47 h late"),
        (2 * DAY, "2 days late"),
        (3 * DAY, "3 days late"),
    ],
)
def test_what_is_late_by_little_goes_and_says_how_late(length: timedelta, saw: str) -> None:
    assert not_overdue(late(length)) == Pass(saw)


def test_what_is_later_is_held_for_staff_with_the_instant_it_is_late_from() -> None:
    since = MONDAY_TEN - 3 * DAY - timedelta(seconds=1)
    told = not_overdue(snapshot(enrollment=enrollment(wake_at=since)))
    assert told == Hold(None, Why.OVERDUE, {"since": since.isoformat()}, "3 days late")


def test_a_message_is_late_by_its_own_time_and_one_by_hand_never() -> None:
    old = MONDAY_TEN - 9 * DAY
    assert isinstance(not_overdue(replace(late(9 * DAY), message=message(try_at=MONDAY_TEN))), Pass)
    assert isinstance(not_overdue(snapshot(message=message(try_at=old))), Hold)
    assert not_overdue(snapshot(enrollment=None, journey=None, message=message(try_at=old))) == Pass("written by hand")


def test_what_held_it_until_later_makes_it_no_later_than_that() -> None:
    assert due_at(enrollment(wake_at=MONDAY_TEN - 9 * DAY, hold_until=MONDAY_TEN)) == MONDAY_TEN
    assert due_at(enrollment(wake_at=MONDAY_TEN - 9 * DAY, paused_until=MONDAY_TEN)) == MONDAY_TEN


def test_a_mark_stays_when_it_is_asked_again_and_falls_when_the_clock_was_wrong() -> None:
    marked = {"since": (MONDAY_TEN - 4 * DAY).isoformat()}
    again = enrollment(wake_at=MONDAY_TEN, hold_why=Why.OVERDUE, hold_facts=marked)
    assert isinstance(not_overdue(snapshot(enrollment=again)), Hold)
    assert isinstance(not_overdue(snapshot(now=MONDAY_TEN - 2 * DAY, enrollment=again)), Pass)


def turn(number: int, *, entered_at: datetime = MONDAY_TEN, **parts: object) -> TurnSeen:
    seen = TurnSeen(EnrollmentId(number), f"Journey {number}", 0, entered_at, begun=False, handed=False)
    return replace(seen, **parts)  # type: ignore[arg-type]


def test_what_was_handed_over_comes_before_what_is_on_its_way_and_that_before_any_priority() -> None:
    turns = [turn(1, priority=100), turn(2, begun=True), turn(3, begun=True, handed=True), turn(4)]
    order = []
    while turns:
        first = first_of(turns)
        assert first is not None
        order.append(first.enrollment_id)
        turns.remove(first)
    assert order == [3, 2, 1, 4]


def test_the_guard_names_the_journey_ahead_and_leaves_care_and_the_only_one_alone() -> None:
    both = (turn(1, entered_at=MONDAY_TEN), turn(2, entered_at=MONDAY_TEN - DAY))
    seen = snapshot(turns=both)
    assert one_at_a_time(seen) == Hold(None, Why.ONE_AT_A_TIME, {"journey": "Journey 2"}, "after Journey 2")
    assert one_at_a_time(replace(seen, turns=both[:1])) == Pass("its turn")
    assert one_at_a_time(replace(seen, practice=replace(seen.practice, one_marketing=False))).saw == (
        "any number at a time"
    )
    assert seen.journey is not None
    care = replace(seen.journey, journey=small_journey(purpose=Purpose.CARE))
    assert isinstance(one_at_a_time(replace(seen, journey=care)), Pass)


_turns = st.lists(
    st.tuples(st.integers(0, 100), st.integers(0, 5), st.booleans(), st.booleans()), min_size=1, max_size=8
)


@given(_turns)
def test_of_any_number_exactly_one_has_its_turn_whoever_asks(told: list[tuple[int, int, bool, bool]]) -> None:
    turns = tuple(
        turn(number, priority=priority, entered_at=MONDAY_TEN - days * DAY, begun=begun, handed=handed)
        for number, (priority, days, begun, handed) in enumerate(told, start=1)
    )
    go = [each for each in turns if isinstance(one_at_a_time(asked_of(each, turns)), Pass)]
    assert len(go) == 1


def asked_of(mine: TurnSeen, turns: tuple[TurnSeen, ...]) -> Snapshot:
    return snapshot(enrollment=enrollment(id=mine.enrollment_id), turns=turns)
