"""Which of a person's records counts, where only one can."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.facts import RecordFact
from app.domain.ids import RecordId
from app.domain.record import RecordKind
from app.store.record_choice import GOAL_REACHED, OVER, chosen, instant_of, timed
from tests.builders import NOW

PORTLAND = ZoneInfo("America/Los_Angeles")
DAY = timedelta(days=1)
APPOINTMENT = RecordKind.APPOINTMENT


def record(
    number: int,
    starts: timedelta | None = None,
    *,
    status: str = "booked",
    kind: RecordKind = APPOINTMENT,
    created: timedelta = timedelta(0),
    due_on: date | None = None,
) -> RecordFact:
    """A record with its time told from now."""
    return RecordFact(
        kind=kind,
        status=status,
        status_changed_at=NOW,
        id=RecordId(number),
        created_at=NOW + created,
        starts_at=None if starts is None else NOW + starts,
        due_on=due_on,
    )


def number_of(found: RecordFact | None) -> int | None:
    """The record's id."""
    return None if found is None else found.id


def choice(records: list[RecordFact], started: int | None = None) -> int | None:
    """The id of the appointment that is chosen."""
    return number_of(chosen(records, APPOINTMENT, None if started is None else RecordId(started), NOW, PORTLAND))


def test_the_record_that_started_the_enrollment_counts_whatever_its_status() -> None:
    assert choice([record(1, DAY), record(2, -9 * DAY, status="missed")], started=2) == 2


def test_one_that_started_it_and_is_of_another_kind_does_not() -> None:
    assert choice([record(1, DAY), record(2, DAY, kind=RecordKind.JOB)], started=2) == 1


def test_else_the_next_open_one() -> None:
    records = [record(1, 3 * DAY), record(2, DAY, status="cancelled"), record(3, 2 * DAY), record(4, -DAY)]

    assert choice(records) == 3


def test_one_that_starts_now_is_next() -> None:
    assert choice([record(1, timedelta(0)), record(2, DAY)]) == 1


def test_when_none_is_ahead_the_newest_open_one() -> None:
    records = [record(1, -DAY, created=-2 * DAY), record(2, created=-DAY), record(3, -2 * DAY, created=-3 * DAY)]

    assert choice(records) == 2


@pytest.mark.parametrize("status", OVER)
def test_what_is_over_is_never_next(status: str) -> None:
    assert choice([record(1, DAY, status=status)]) is None


def test_nothing_is_chosen_from_nothing() -> None:
    assert choice([]) is None
    assert choice([record(1, DAY, kind=RecordKind.INVOICE)]) is None


def test_a_due_day_begins_at_its_midnight_in_the_zone_of_the_location() -> None:
    due = record(1, kind=RecordKind.INVOICE, due_on=date(2026, 3, 8))

    assert instant_of(due, PORTLAND) == datetime(2026, 3, 8, 8, 0, tzinfo=UTC)
    assert instant_of(record(2), PORTLAND) is None


def time_of(records: list[RecordFact], started: int | None = None) -> datetime | None:
    """The time that a wait counts from."""
    return timed(records, APPOINTMENT, None if started is None else RecordId(started), NOW, PORTLAND)


def test_a_wait_counts_from_the_chosen_record() -> None:
    assert time_of([record(1, 2 * DAY), record(2, DAY)]) == NOW + DAY
    assert time_of([record(1, 2 * DAY), record(2, -DAY, status="done")], started=2) == NOW - DAY


def test_when_nothing_is_open_from_the_latest_that_is_over() -> None:
    assert time_of([record(1, -3 * DAY, status="done"), record(2, -DAY, status="done")]) == NOW - DAY


def test_its_own_record_without_a_time_is_not_replaced_by_another() -> None:
    assert time_of([record(1, DAY), record(2)], started=2) is None


def test_no_record_no_time() -> None:
    assert time_of([]) is None
    assert time_of([record(1)]) is None


RECORDS = st.lists(
    st.builds(
        record,
        st.integers(1, 9),
        st.none() | st.integers(-5, 5).map(lambda days: days * DAY),
        status=st.sampled_from(("booked", "requested", *OVER)),
        kind=st.sampled_from(RecordKind),
    ),
    unique_by=lambda each: each.id,
    max_size=6,
)


@given(RECORDS, st.none() | st.integers(1, 9))
def test_the_choice_never_depends_on_the_order_of_rows_with_different_times(
    records: list[RecordFact], started: int | None
) -> None:
    found, again = choice(records, started), choice(records[::-1], started)
    by_id = {each.id: each for each in records}

    if found is None or again is None:
        assert found == again
    else:
        assert by_id[RecordId(found)].starts_at == by_id[RecordId(again)].starts_at
        assert by_id[RecordId(found)].kind is APPOINTMENT


def test_a_goal_is_no_end() -> None:
    assert set(GOAL_REACHED).isdisjoint(OVER)
