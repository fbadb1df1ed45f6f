"""One address, several people, everybody at once: locks are taken for all of them in id order."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from app.domain.events import EventKind, InboxEvent
from app.domain.states import Channel
from app.engine.apply_event import apply_event
from app.store import tables as t
from app.store.session import Session
from app.store.unit_of_work import Store
from tests.blocked import wait_until_blocked
from tests.builders import NOW
from tests.stage import Stage

NUMBER, FAMILY = "+12025550143", "family@example.com"
ROUNDS = 5


@pytest.fixture
def on_postgres(postgres_database_url: str) -> Iterator[Stage]:
    session = Session(postgres_database_url)
    yield Stage(Store(session), in_flight=4)
    session.dispose()


def comes_in(stage: Stage, kind: EventKind, channel: Channel, address: str, key: str) -> None:
    with stage.store.open_uow() as uow:
        apply_event(uow, InboxEvent("test", key, kind, NOW, NOW, channel=channel, address=address), NOW)


def test_a_stop_from_a_shared_number_locks_everybody_who_has_it_at_once(on_postgres: Stage) -> None:
    """Else it would have the sender when it wants the other, and meet a window that has them the other way round."""
    stage = on_postgres
    people = [stage.world.person(phone=NUMBER) for _ in range(2)]
    event = InboxEvent("test", "SM1", EventKind.OPTED_OUT, NOW, NOW, people[1], Channel.SMS, NUMBER)

    def stop() -> None:
        with stage.store.open_uow() as uow:
            apply_event(uow, event, NOW)

    with stage.store.open_uow() as window:
        window.people.lock(people[:1], to_write=True)
        stopping = threading.Thread(target=stop)
        stopping.start()
        wait_until_blocked(stage.store)
        window.connection.exec_driver_sql("SET LOCAL lock_timeout = '200ms'")
        window.people.lock(people, to_write=True)
    stopping.join()
    assert len(stage.world.rows(t.inbox_event, kind="opted_out")) == 2


def test_stops_from_a_shared_phone_and_mailbox_and_two_engines_at_once_silence_everybody(stage: Stage) -> None:
    """Cases 15 and 36."""
    faults: list[Exception] = []
    journeys = [stage.world.journey(f"J{number}") for number in range(2)]
    for number in range(ROUNDS):
        phone, mail = f"+120255501{number:02}", f"family{number}@example.com"
        people = [stage.world.person(phone=phone, email=mail) for _ in range(3)]
        started = [
            stage.world.enrollment(person, journey)
            for journey in journeys
            for person in people[:: 1 - 2 * (number % 2)]
        ]
        start = threading.Barrier(4)

        def at_once(work: Callable[[], object], start: threading.Barrier = start) -> None:
            start.wait()
            try:
                work()
            except Exception as fault:  # noqa: BLE001 -- shown by the assertion below
                faults.append(fault)

        works: list[Callable[[], object]] = [
            lambda phone=phone, key=f"SM{number}": comes_in(stage, EventKind.OPTED_OUT, Channel.SMS, phone, key),  # type: ignore[misc]
            lambda mail=mail, key=f"ML{number}": comes_in(stage, EventKind.COMPLAINED, Channel.EMAIL, mail, key),  # type: ignore[misc]
            stage.another().run,
            stage.another().run,
        ]
        threads = [threading.Thread(target=at_once, args=(work,)) for work in works]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert faults == []
        before = len(stage.provider.taken)
        stage.run()
        assert len(stage.provider.taken) == before, "nothing goes to a closed address afterwards"
        assert {stage.state(each) for each in started} <= {"opted_out", "suppressed"}
    stage.balanced()
