"""One `with` is one decision and one transaction."""

from __future__ import annotations

import threading

import pytest

from app.domain.reasons import Why
from app.engine.ports import LogLine
from app.store import tables as t
from app.store.faults import RuleBroken
from app.store.memory import Shelf
from app.store.unit_of_work import Store
from tests.builders import NOW, World


def test_everything_or_nothing(world: World) -> None:
    ana = world.person()

    def pause_and_fail() -> None:
        with world.store.open_uow() as uow:
            uow.people.set_status(ana, "lost")
            uow.engine.pause(Why.SENDING_PAUSED, "Dana", NOW)
            uow.log.add([LogLine(NOW, "engine.paused")])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        pause_and_fail()

    with world.store.open_uow() as uow:
        assert uow.engine.read().paused_why is None
    assert (world.row(t.person, ana)["status"], world.rows(t.log_entry)) == ("", [])


def test_a_refused_rule_names_itself(world: World) -> None:
    ana, journey = world.person(), world.journey()
    world.enrollment(ana, journey)

    with pytest.raises(RuleBroken):
        world.enrollment(ana, journey, entry_key="again")


def test_nothing_seen_since_the_note(world: World) -> None:
    message = world.manual_message(world.person())

    assert world.store.stops_since_note([message]) == frozenset()
    assert world.store.stops_since_note([]) == frozenset()


def test_a_second_unit_of_work_on_one_thread_is_a_bug_on_sqlite(sqlite_database_url: str) -> None:
    from app.store.session import Session

    store = Store(Session(sqlite_database_url))
    with store.open_uow(), pytest.raises(RuntimeError, match="open already"), store.open_uow():
        pass
    store.session.dispose()


def test_many_threads_write_one_after_another(world: World) -> None:
    people = [world.person() for _ in range(8)]
    start = threading.Barrier(len(people))

    def bump(person: int) -> None:
        start.wait()
        for _ in range(5):
            with world.store.open_uow(rest_s=0.0001) as uow:
                uow.people.bump(person, None, NOW)  # type: ignore[arg-type]

    threads = [threading.Thread(target=bump, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert {world.row(t.person, person)["version"] for person in people} == {6}


def test_a_shelf_reads_what_it_lacks_and_keeps_the_newest() -> None:
    asked: list[list[int]] = []
    shelf: Shelf[int, str] = Shelf(3)

    def read(keys: object) -> dict[int, str]:
        asked.append(sorted(keys))  # type: ignore[call-overload]
        return {key: str(key) for key in asked[-1] if key != 9}

    assert shelf.take([1, 2], read) == {1: "1", 2: "2"}
    assert shelf.take([2, 1], read) == {2: "2", 1: "1"}
    assert shelf.take([9], read) == {}
    assert shelf.take([3, 4], read) == {3: "3", 4: "4"}
    assert shelf.take([1], read) == {1: "1"}
    assert shelf.take([5, 6, 7, 8], read) == {5: "5", 6: "6", 7: "7", 8: "8"}
    assert asked == [[1, 2], [9], [3, 4], [1], [5, 6, 7, 8]]
