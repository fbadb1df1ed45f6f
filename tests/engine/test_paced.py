"""A sender's rate holds across all workers, without a hold, an attempt or a line in the log for whoever waits."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from app.domain.reasons import Why
from app.domain.states import Channel
from app.store import tables as t
from tests.builders import journey_document
from tests.stage import Stage

SECOND = timedelta(seconds=1)


def test_what_the_rate_does_not_let_go_waits_for_its_slot_and_the_pass_says_when(stage: Stage) -> None:
    for _ in range(5):
        stage.lead()
    stage.provider.rate = 1.0
    began = stage.clock.now()
    report = stage.run()
    assert (report.accepted, report.again_at) == (1, began + SECOND)
    waiting = stage.world.rows(t.message, state="queued")
    assert [(row["hold_why"], row["attempts"]) for row in waiting] == [(None, 0)] * 4
    lines = len(stage.world.rows(t.log_entry))
    assert stage.run().accepted == 0
    assert len(stage.world.rows(t.log_entry)) == lines
    while report.again_at is not None:
        stage.clock.set(report.again_at)
        report = stage.run()
    assert [taken.at - began for taken in stage.provider.taken] == [n * SECOND for n in range(5)]
    assert stage.world.rows(t.problem) == []
    stage.balanced()


def test_a_rate_on_one_channel_keeps_no_other_channel_waiting(stage: Stage) -> None:
    texts = stage.world.journey("Texts", journey_document("Texts", start="nudge"))
    for _ in range(3):
        stage.lead()
        stage.lead(texts)
    engine = stage.once.deliver
    slow = type(stage.provider)(stage.clock)
    slow.rate = 1.0
    stage.tick()
    deliver = type(engine)(
        engine.open_uow,
        {Channel.EMAIL: stage.provider, Channel.SMS: slow},
        engine.stopped_since_note,
        engine.clock,
        "worker-9",
    )
    count = deliver.run()
    assert (len(stage.provider.taken), len(slow.taken)) == (3, 1)
    assert count.again_at == stage.clock.now() + SECOND


@pytest.mark.parametrize("in_flight", [1, 4])
def test_two_workers_together_keep_to_the_rate(stage: Stage, in_flight: int) -> None:
    crowd = Stage(stage.store, in_flight=in_flight, world=stage.world)
    for _ in range(20):
        crowd.lead(stage.journey)
    crowd.provider.rate = 3.0
    crowd.tick()
    workers = [crowd.another().deliver for _ in range(2)]
    for second in range(4):
        both = threading.Barrier(2)

        def work(number: int, both: threading.Barrier = both) -> None:
            both.wait()
            workers[number].run()

        threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(crowd.provider.taken) == 3 * (second + 1)
        crowd.clock.go_on(SECOND)
    crowd.balanced()


def test_whoever_takes_the_slot_of_a_leased_message_puts_it_off_uncounted(stage: Stage) -> None:
    stage.lead()
    stage.lead()
    stage.provider.rate = 1.0
    stage.tick()
    other = stage.another().deliver
    stage.at("deliver.leased", other.run)
    stage.deliver()
    stage.disarm()
    assert len(stage.provider.taken) == 1
    waiting = stage.world.rows(t.message, state="queued")[0]
    assert (waiting["try_at"], waiting["attempts"]) == (stage.clock.now() + SECOND, 0)
    assert waiting["hold_why"] is None
    stage.clock.go_on(SECOND)
    stage.run()
    assert len(stage.provider.taken) == 2


def test_a_clock_that_comes_back_from_ahead_leaves_no_slot_and_no_test_out_of_reach(stage: Stage) -> None:
    stage.provider.rate = 1.0
    now = stage.clock.now()
    with stage.store.open_uow() as uow:
        ahead = now + timedelta(days=20)
        uow.engine.pace(Channel.EMAIL, ahead)
        uow.engine.pause_channel(Channel.SMS, Why.OFFLINE, "fake", ahead, ahead + timedelta(minutes=5))
        uow.engine.trust_clock(now, made_up=False)
    stage.lead()
    stage.run()
    assert (len(stage.provider.taken), stage.provider.tested) == (1, 1)
