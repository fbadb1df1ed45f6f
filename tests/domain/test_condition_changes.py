"""When a condition may change by the passing of time alone: never sooner than it is told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from app.domain.condition import Facts, RecordFact, holds, parse_condition
from app.domain.condition_changes import changes_at, is_timed
from app.domain.condition_words import told
from app.domain.record import RecordKind
from tests.drawn_conditions import MOMENTS, NOW, TICK, Draw

DAY = timedelta(days=1)
MISSED = {"record": "appointment", "status": "missed", "within": {"days": 14}}


def visit(at: datetime, status: str = "missed") -> Facts:
    return Facts(records=(RecordFact(RecordKind.APPOINTMENT, status, at, starts_at=at),))


def test_between_now_and_the_told_instant_nothing_changes() -> None:
    """Five thousand random conditions of random people, asked at each instant that might be an edge."""
    changed = 0
    for seed in range(5_000):
        draw = Draw(seed)
        condition, facts, now = draw.condition(), draw.facts(), draw.instant()
        at = changes_at(condition, facts, now)
        said = holds(condition, facts, now)
        for ahead in sorted({one + two + three for one in MOMENTS for two in MOMENTS for three in (-TICK, TICK)}):
            later = NOW + ahead
            if later <= now or (at is not None and later >= at):
                continue
            assert holds(condition, facts, later) is said, f"seed {seed}: {told(condition)} at {later}, told {at}"
        if at is not None:
            assert is_timed(condition), f"seed {seed}: {told(condition)}"
            changed += any(holds(condition, facts, at + more) is not said for more in (timedelta(0), TICK))
    assert changed > 50, "an instant is told for something"


def test_one_who_missed_it_leaves_right_after_the_last_instant_that_is_within() -> None:
    condition, facts = parse_condition(MISSED, in_journey=False), visit(NOW - DAY)
    edge = NOW + 13 * DAY
    assert changes_at(condition, facts, NOW) == edge
    assert holds(condition, facts, edge)
    assert changes_at(condition, facts, edge) == edge + TICK
    assert not holds(condition, facts, edge + TICK)
    assert changes_at(condition, facts, edge + TICK) is None


def test_a_record_of_another_status_turns_nothing_with_time() -> None:
    assert changes_at(parse_condition(MISSED, in_journey=False), visit(NOW, "done"), NOW) is None


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2027-03-20", datetime(2027, 3, 21, tzinfo=UTC)),
        ("2027-02-31", datetime(2027, 3, 2, tzinfo=UTC)),
        ("2027-13-01", datetime(2028, 1, 2, tzinfo=UTC)),
        ("2027-00-12", datetime(2027, 1, 2, tzinfo=UTC)),
        ("2027-04-00", datetime(2027, 4, 2, tzinfo=UTC)),
    ],
)
def test_a_day_in_a_spreadsheet_may_be_none_that_exists(text: str, at: datetime) -> None:
    condition = parse_condition({"field": "person.custom.x", "after": {"ago": {"days": 1}}}, in_journey=False)
    facts = Facts(fields={"person.custom.x": text})
    before = datetime(2027, 1, 1, tzinfo=UTC)
    assert changes_at(condition, facts, before) == at
    assert holds(condition, facts, at - TICK)
    assert not holds(condition, facts, at + TICK)


@pytest.mark.parametrize("text", ["9999-12-31", "0000-01-01", "9999-99-99", "next week"])
def test_what_lies_beyond_all_times_turns_nothing(text: str) -> None:
    condition = parse_condition({"field": "person.custom.x", "before": {"ago": {"days": 9}}}, in_journey=False)
    assert changes_at(condition, Facts(fields={"person.custom.x": text}), NOW) is None
