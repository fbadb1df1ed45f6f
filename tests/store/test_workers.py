"""The rows of workers."""

from __future__ import annotations

from datetime import timedelta

from app.domain.workers import WorkerLine
from app.store.unit_of_work import Store
from tests.builders import NOW

LEASE = timedelta(seconds=45)


def line(token: str, seconds: int = 0) -> WorkerLine:
    seen_at = NOW + timedelta(seconds=seconds)
    return WorkerLine(token, "desk-1", 4711, NOW, seen_at, seen_at + LEASE)


def beat(store: Store, *lines: WorkerLine) -> None:
    with store.open_uow() as uow:
        for each in lines:
            uow.workers.beat(each)


def lines(store: Store) -> list[WorkerLine]:
    with store.open_uow() as uow:
        return list(uow.workers.lines())


def test_a_worker_has_one_row_that_its_beats_keep_fresh(store: Store) -> None:
    beat(store, line("one"), line("two"))
    beat(store, line("one", 15))
    assert lines(store) == [line("one", 15), line("two")]


def test_who_was_not_heard_of_for_longer_than_the_lease_is_silent_to_the_others(store: Store) -> None:
    beat(store, line("one"), line("two", 15), line("three"))
    now = NOW + LEASE
    with store.open_uow() as uow:
        assert uow.workers.silent("three", now) == ["one"]
        assert uow.workers.silent("one", now - timedelta(microseconds=1)) == []
    assert [each.token for each in lines(store) if each.silent(now)] == ["one", "three"]


def test_a_row_of_a_clock_that_ran_ahead_is_silent_too(store: Store) -> None:
    beat(store, line("ahead", 20 * 86_400))
    with store.open_uow() as uow:
        assert uow.workers.silent("me", NOW) == ["ahead"]
    assert lines(store)[0].silent(NOW)


def test_who_ends_in_good_order_leaves_no_row_and_old_ones_are_forgotten(store: Store) -> None:
    beat(store, line("one"), line("two"), line("three", 60))
    with store.open_uow() as uow:
        uow.workers.leave("one")
        assert uow.workers.forget(NOW + LEASE) == 1
    assert lines(store) == [line("three", 60)]
