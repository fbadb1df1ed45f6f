"""An engine among the workers: it registers, beats, frees what silent ones hold, and leaves."""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest

from app.domain.answer import Unknown
from app.domain.errors import StoreError
from app.domain.reasons import Why
from app.domain.workers import LEASE
from app.engine.ports import AttemptNote, UnitOfWork
from app.service import workers
from app.service.changes import Changes
from app.service.runner import TICK_EVERY, Runner
from app.service.workers import HEARD_FOR, KEPT_FOR, Presence, who_works
from app.store import tables as t
from app.store.unit_of_work import Store
from tests.stage import Stage

WAIT_S = 20.0


@pytest.fixture
def stage(store: Store) -> Stage:
    return Stage(store)


def presence(stage: Stage, token: str = "worker-1") -> Presence:
    return Presence(stage.store.open_uow, stage.clock, token)


def leased_by(stage: Stage, token: str, count: int = 3) -> None:
    """A worker has leased so many messages, and says nothing more."""
    for _ in range(count):
        stage.lead()
    stage.tick()
    now = stage.clock.now()
    with stage.store.open_uow() as uow:
        assert len(uow.outbox.lease(now, now + LEASE, token, 100)) == count


def test_an_engine_is_among_the_workers_from_its_first_pass_to_its_end(stage: Stage) -> None:
    mine = presence(stage)
    with mine.at_work():
        (line,) = who_works(stage.store.open_uow)
        assert (line.host, line.pid) == (socket.gethostname(), os.getpid())
        assert (line.started_at, line.seen_at) == (stage.clock.now(), stage.clock.now())
        mine.begin()
        stage.clock.go_on(timedelta(seconds=15))
        mine.beat()
        (line,) = who_works(stage.store.open_uow)
        assert line.seen_at - line.started_at == timedelta(seconds=15)
        assert not line.silent(stage.clock.now())
    assert who_works(stage.store.open_uow) == []
    mine.begin()
    assert who_works(stage.store.open_uow) == []


def test_what_a_silent_worker_has_leased_is_free_before_its_messages_leases_run_out(stage: Stage) -> None:
    presence(stage, "killed").beat()
    leased_by(stage, "killed")
    stage.clock.go_on(HEARD_FOR)
    assert HEARD_FOR < LEASE
    stage.run()
    assert stage.provider.taken == []

    presence(stage, "other").beat()
    stage.run()

    assert len(stage.provider.taken) == 3
    assert [row["facts"]["messages"] for row in stage.world.rows(t.log_entry, event="worker.rescued")] == [3]
    presence(stage, "other").beat()
    assert len(stage.world.rows(t.log_entry, event="worker.rescued")) == 1
    stage.balanced()


def test_a_worker_that_is_heard_of_keeps_what_it_has_leased(stage: Stage) -> None:
    slow = presence(stage, "slow")
    slow.beat()
    leased_by(stage, "slow")
    stage.clock.go_on(HEARD_FOR - timedelta(seconds=1))
    slow.beat()
    presence(stage, "other").beat()
    assert {row["lease_token"] for row in stage.world.rows(t.message)} == {"slow"}


def test_what_is_on_its_way_is_never_freed_however_silent_its_worker(stage: Stage) -> None:
    """Whether it went out only the provider knows: that is reconcile's."""
    stage.lead()
    presence(stage, "killed").beat()
    stage.provider.script = lambda _note: Unknown(Why.NO_ANSWER)
    stage.run()
    stage.clock.go_on(HEARD_FOR)
    presence(stage, "other").beat()
    assert [row["state"] for row in stage.world.rows(t.message)] == ["sending"]
    assert stage.world.rows(t.log_entry, event="worker.rescued") == []


def test_a_worker_that_was_thought_dead_and_wakes_sends_nothing_of_what_others_have_taken(stage: Stage) -> None:
    slept: list[bool] = []
    other = stage.another()

    def sleeps() -> None:
        if not slept:
            slept.append(True)
            stage.clock.go_on(HEARD_FOR)
            presence(stage, "other").beat()
            other.run()

    presence(stage, stage.once.deliver.token).beat()
    leads = [stage.lead() for _ in range(3)]
    stage.at("deliver.leased", sleeps)
    stage.run()
    stage.disarm()
    assert len(stage.provider.taken) == len(leads)
    assert {row["worker"] for row in stage.world.rows(t.attempt)} == {other.deliver.token}
    stage.balanced()


def test_a_row_is_kept_for_a_day_so_that_staff_see_who_did_not_end_well(stage: Stage) -> None:
    presence(stage, "killed").beat()
    mine = presence(stage, "mine")
    stage.clock.go_on(HEARD_FOR + KEPT_FOR - timedelta(seconds=1))
    mine.beat()
    assert len(who_works(stage.store.open_uow)) == 2
    stage.clock.go_on(timedelta(seconds=1))
    mine.beat()
    assert [line.token for line in who_works(stage.store.open_uow)] == ["mine"]


def test_a_worker_that_ends_gives_back_at_once_what_it_has_leased(stage: Stage) -> None:
    mine = presence(stage, "mine")
    with mine.at_work():
        leased_by(stage, "mine")
    assert {row["state"] for row in stage.world.rows(t.message)} == {"queued"}


class Away:
    """A database that is away for the first beats."""

    def __init__(self, store: Store, times: int) -> None:
        self._store = store
        self._times = times
        self.beats = threading.Semaphore(0)

    @contextmanager
    def open_uow(self) -> Iterator[UnitOfWork]:
        if self._times:
            self._times -= 1
            self.beats.release()
            raise StoreError("The PostgreSQL server can't be reached.")
        with self._store.open_uow() as uow:
            yield uow
        self.beats.release()


def test_a_database_that_is_away_ends_no_heartbeat(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "BEAT_EVERY_S", 0.01)
    away = Away(stage.store, 0)
    mine = Presence(away.open_uow, stage.clock, "mine")
    mine.begin()
    assert away.beats.acquire(timeout=WAIT_S)
    away._times = 2
    for _ in range(3):
        assert away.beats.acquire(timeout=WAIT_S)
    away._times = 0
    mine.end()
    assert who_works(stage.store.open_uow) == []


def test_a_first_beat_that_fails_is_told_and_made_up_for_at_the_next_pass(stage: Stage) -> None:
    mine = Presence(Away(stage.store, 1).open_uow, stage.clock, "mine")
    with pytest.raises(StoreError):
        mine.begin()
    with mine.at_work():
        assert [line.token for line in who_works(stage.store.open_uow)] == ["mine"]


def test_an_end_without_a_database_is_no_fault(stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    away = Away(stage.store, 0)
    mine = Presence(away.open_uow, stage.clock, "mine")
    mine.begin()
    away._times = 1
    with caplog.at_level(logging.INFO, logger="app"):
        mine.end()
    assert [record.getMessage() for record in caplog.records] == ["worker.left_without_a_word"]
    assert len(who_works(stage.store.open_uow)) == 1


def test_the_runner_registers_at_its_first_pass_and_leaves_at_its_end(stage: Stage) -> None:
    stage.lead()
    seen: list[int] = []
    over = threading.Event()

    def looks(_note: AttemptNote) -> None:
        seen.append(len(who_works(stage.store.open_uow)))
        over.set()

    stage.provider.script = looks
    mine = presence(stage, stage.once.deliver.token)
    runner = Runner(stage.once, lambda _at: None, stage.clock, Changes(), threading.Event(), presence=mine)
    assert who_works(stage.store.open_uow) == []
    runner.start()
    try:
        assert over.wait(WAIT_S)
    finally:
        runner.stop(wait=True)
    assert seen == [1]
    assert who_works(stage.store.open_uow) == []


def test_a_clock_that_is_set_back_under_the_scheduler_stops_no_engine(stage: Stage) -> None:
    """The scheduler goes by this computer's clock: set back by an hour, it would wait for an hour."""
    runner = Runner(stage.once, lambda _at: None, stage.clock, Changes(), threading.Event())
    runner.start()
    try:
        scheduler = runner._scheduler
        assert scheduler is not None
        far = datetime.now(UTC) + timedelta(hours=3)
        for job in scheduler.get_jobs():
            job.modify(next_run_time=far)
        runner._catch_up()
        next_at = runner.next_tick_at()
        assert next_at is not None
        assert next_at <= datetime.now(UTC) + TICK_EVERY
        runner._catch_up()
    finally:
        runner.stop(wait=True)
