"""What staff press goes through, also when it meets another desk's transaction half-way."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from app.domain.errors import Collision, StoreError
from app.engine.ports import UnitOfWork
from app.service.again import TRIES, again
from app.service.stops import Stops
from app.store import tables as t
from app.store.session import Session
from app.store.unit_of_work import Store
from tests.blocked import wait_until_blocked
from tests.builders import NOW, World
from tests.fakes import ToldClock


def colliding(times: int, tried: list[int]) -> str:
    tried.append(1)
    if len(tried) <= times:
        raise Collision("Two desks changed the same rows at once.", "Try again.")
    return "done"


@pytest.mark.parametrize("times", [0, 1, TRIES - 1])
def test_what_collides_is_run_again(times: int) -> None:
    tried: list[int] = []
    assert again(lambda: colliding(times, tried)) == "done"
    assert len(tried) == times + 1


def test_what_collides_for_ever_says_so_in_the_end() -> None:
    tried: list[int] = []
    with pytest.raises(Collision):
        again(lambda: colliding(99, tried))
    assert len(tried) == TRIES


def test_another_fault_is_not_tried_again() -> None:
    tried: list[int] = []

    def full() -> None:
        tried.append(1)
        raise StoreError("The disk is full.")

    with pytest.raises(StoreError):
        again(full)
    assert len(tried) == 1


@pytest.fixture
def desk(postgres_database_url: str) -> Iterator[World]:
    session = Session(postgres_database_url)
    yield World(Store(session))
    session.dispose()


def test_i8_a_stop_that_postgresql_undoes_for_another_is_made_all_the_same(desk: World) -> None:
    first, second = desk.person(), desk.person()
    enrollment = desk.enrollment(first, desk.journey())
    tries: list[int] = []
    met = threading.Barrier(2)

    def other() -> None:
        with desk.store.open_uow() as uow:
            uow.connection.exec_driver_sql("SET LOCAL deadlock_timeout = '60s'")  # so that the stop is undone, not this
            uow.people.lock([first], to_write=True)
            met.wait()
            uow.people.lock([second], to_write=True)

    @contextmanager
    def against_the_order() -> Iterator[UnitOfWork]:
        tries.append(1)
        with desk.store.open_uow() as uow:
            if len(tries) == 1:
                uow.connection.exec_driver_sql("SET LOCAL deadlock_timeout = '10ms'")
                uow.people.lock([second], to_write=True)
                met.wait()
                wait_until_blocked(desk.store)
            yield uow

    thread = threading.Thread(target=other)
    thread.start()
    applied = Stops(against_the_order, ToldClock(NOW)).stop(first, by="Dana")
    thread.join()
    assert len(tries) == 2
    assert len(applied.ended) == 1
    assert desk.row(t.enrollment, enrollment)["state"] == "stopped"
    assert len(desk.rows(t.inbox_event)) == 1
