"""The queue as a screen reads it: where its sections begin, and rows that have ended since they were listed."""

from __future__ import annotations

from datetime import timedelta

from app.domain.lines import QueueFilter, QueueQuery
from app.domain.reasons import Why
from app.domain.states import EnrollmentState
from tests.builders import LATER, NOW, World


def test_sections_begin_where_the_rows_before_an_instant_end(world: World) -> None:
    journey = world.journey()
    due = [NOW - timedelta(hours=1), NOW, NOW + timedelta(hours=3), NOW + timedelta(days=2)]
    for wake_at in due:
        world.enrollment(world.person(), journey, wake_at=wake_at)
    bounds = [NOW, LATER, NOW + timedelta(days=1), NOW + timedelta(days=30)]
    with world.store.open_reader() as reads:
        everything = reads.queue_before(QueueQuery(), LATER, bounds)
        waiting = reads.queue_before(QueueQuery(QueueFilter.WAITING), LATER, bounds)

    assert everything == [1, 2, 3, 4]
    assert waiting == [0, 0, 1, 2]


def test_a_row_that_has_ended_since_is_told_with_its_end_when_it_is_asked_for(world: World) -> None:
    journey = world.journey()
    ended, live = (world.enrollment(world.person(), journey) for _ in range(2))
    world.end(ended, EnrollmentState.EXHAUSTED, Why.LAST_STEP)

    with world.store.open_reader() as reads:
        left = reads.queue([ended, live])
        both = reads.queue([ended, live], ended=True)

    assert [line.enrollment_id for line in left] == [live]
    assert [line.enrollment_id for line in both] == [ended, live]
    assert (both[0].state, both[0].end_detail, both[0].ended_at) == (EnrollmentState.EXHAUSTED, Why.LAST_STEP, NOW)
    assert both[1].ended_at is None
