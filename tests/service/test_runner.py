from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from app.domain.clock import Clock
from app.domain.errors import StoreError
from app.engine.once import Once, PassReport
from app.service.changes import Change, Changes
from app.service.runner import Runner
from app.store import tables as t
from app.store.unit_of_work import Store
from tests.stage import Stage

WAIT_S = 20.0


class Counted:
    """A pass that is counted, in the engine's place: the real one, or one that fails first."""

    def __init__(self, once: Once, faults: list[Exception]) -> None:
        self._once = once
        self._faults = faults
        self.passes = threading.Semaphore(0)
        self.running = threading.Event()
        self.go_on = threading.Event()
        self.go_on.set()

    def run(self) -> PassReport:
        self.running.set()
        self.go_on.wait(WAIT_S)
        try:
            if self._faults:
                raise self._faults.pop(0)
            return self._once.run()
        finally:
            self.passes.release()

    def wait(self) -> None:
        """Until one more pass is over."""
        assert self.passes.acquire(timeout=WAIT_S)


def runner_of(
    counted: Counted, clock: Clock, changes: Changes, seal: Callable[[datetime], object] = lambda _at: None
) -> Runner:
    return Runner(counted, seal, clock, changes, threading.Event())  # type: ignore[arg-type]


@pytest.fixture
def stage(store: Store) -> Stage:
    return Stage(store)


def test_the_engine_ticks_at_once_and_again_when_it_is_knocked_at(stage: Stage) -> None:
    stage.lead()
    counted = Counted(stage.once, [])
    runner = runner_of(counted, stage.clock, Changes())
    runner.start()
    try:
        counted.wait()
        assert len(stage.provider.taken) == 1
        stage.lead()
        runner.knock()
        counted.wait()
        assert len(stage.provider.taken) == 2
        assert runner.next_tick_at() is not None
    finally:
        runner.stop(wait=True)
    assert not runner.running


@pytest.mark.expects_warning("job.failed")
def test_a_job_that_fails_is_shown_and_runs_again_and_the_next_good_one_takes_the_fault_away(stage: Stage) -> None:
    stage.lead()
    counted = Counted(stage.once, [StoreError("The database file is in use.", "Close the other program.")])
    changes = Changes()
    seen: list[str | None] = []
    told = threading.Semaphore(0)

    def hear(_change: Change) -> None:
        seen.append(runner.fault.told if runner.fault else None)
        told.release()

    changes.listen(hear)
    runner = runner_of(counted, stage.clock, changes)
    runner.start()
    try:
        assert told.acquire(timeout=WAIT_S)
        assert seen == ["The database file is in use. Close the other program."]
        runner.knock()
        counted.wait()
        counted.wait()
        assert told.acquire(timeout=WAIT_S)
    finally:
        runner.stop(wait=True)
    assert runner.fault is None
    assert len(stage.provider.taken) == 1


@pytest.mark.expects_warning("job.failed")
def test_a_fault_nobody_expected_is_shown_by_its_kind_and_logged_whole(stage: Stage) -> None:
    counted = Counted(stage.once, [ZeroDivisionError("division by zero")])
    changes = Changes()
    told = threading.Event()
    changes.listen(lambda _change: told.set())
    runner = runner_of(counted, stage.clock, changes)
    runner.start()
    try:
        assert told.wait(WAIT_S)
        assert runner.fault is not None
        assert runner.fault.told == "tick: ZeroDivisionError"
    finally:
        runner.stop(wait=True)


def test_stop_finishes_the_message_in_hand_and_begins_nothing_new(stage: Stage) -> None:
    for _ in range(3):
        stage.lead()
    counted = Counted(stage.once, [])
    stopping = threading.Event()
    runner = Runner(counted, lambda _at: None, stage.clock, Changes(), stopping)  # type: ignore[arg-type]
    runner.start()
    counted.wait()
    runner.stop(wait=True)
    assert stopping.is_set()
    runner.knock()
    assert not stage.world.rows(t.message, state="sending")
    assert counted.passes.acquire(blocking=False) is False


def test_the_log_is_sealed_by_the_runner(stage: Stage) -> None:
    sealed = threading.Event()
    counted = Counted(stage.once, [])
    runner = runner_of(counted, stage.clock, Changes(), lambda _at: sealed.set())
    runner.start()
    try:
        assert sealed.wait(WAIT_S)
    finally:
        runner.stop(wait=True)


def test_a_listener_that_has_ended_hears_nothing_more() -> None:
    changes = Changes()
    heard: list[Change] = []
    end = changes.listen(heard.append)
    changes.announce(Change(engine=True))
    end()
    end()
    changes.announce(Change(engine=True))
    assert heard == [Change(engine=True)]


@pytest.mark.expects_warning("change.listener_failed")
def test_a_listener_that_fails_does_not_keep_the_others_from_hearing() -> None:
    changes = Changes()
    heard: list[Change] = []

    def fails(_change: Change) -> None:
        raise ValueError("listener")

    changes.listen(fails)
    changes.listen(heard.append)
    changes.announce(Change())
    assert heard == [Change()]


def test_an_engine_that_is_told_to_stop_gives_back_what_it_has_leased(stage: Stage) -> None:
    for _ in range(5):
        stage.lead()
    stage.tick()
    stopping = threading.Event()
    deliver = stage.once.deliver
    from dataclasses import replace

    told = replace(deliver, stopping=stopping.is_set)
    stage.at("deliver.permitted", stopping.set)
    told.run()
    stage.disarm()
    states = sorted(row["state"] for row in stage.world.rows(t.message))
    assert states == ["accepted", "queued", "queued", "queued", "queued"]
    stage.clock.go_on(timedelta(seconds=1))
    stage.run()
    assert len(stage.provider.taken) == 5
    stage.balanced()


def test_the_engine_comes_back_when_a_senders_rate_lets_more_go_and_no_minute_later(stage: Stage) -> None:
    stage.lead()
    stage.lead()
    stage.provider.rate = 0.5
    counted = Counted(stage.once, [])
    runner = runner_of(counted, stage.clock, Changes())
    runner.start()
    try:
        counted.wait()
        assert len(stage.provider.taken) == 1
        stage.clock.go_on(timedelta(seconds=2))
        counted.wait()
        assert len(stage.provider.taken) == 2
    finally:
        runner.stop(wait=True)
