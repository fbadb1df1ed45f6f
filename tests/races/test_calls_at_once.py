"""A call at the desk while everything else happens: a second desk, a stop, an engine that looks at the list."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from app.domain.call_outcome import CallOutcome
from app.domain.events import EventKind
from app.engine.calls import CallNoted, CallOver
from app.service.again import again
from app.service.calls import Calls
from app.store import tables as t
from app.store.session import Session
from app.store.unit_of_work import Store
from tests.blocked import wait_until_blocked
from tests.engine.calls import call_id, call_journey, calls, say, to_be_called
from tests.stage import Stage

ROUNDS = 4


@pytest.fixture
def on_postgres(postgres_database_url: str) -> Iterator[Stage]:
    session = Session(postgres_database_url)
    yield Stage(Store(session))
    session.dispose()


def at_once(*works: Callable[[], object]) -> list[object]:
    """What each gave, or the fault that it raised, all begun at the same moment."""
    start = threading.Barrier(len(works))
    found: list[object] = [None] * len(works)

    def run(number: int, work: Callable[[], object]) -> None:
        start.wait()
        try:
            found[number] = work()
        except Exception as fault:  # noqa: BLE001 -- looked at by the assertions
            found[number] = fault

    threads = [threading.Thread(target=run, args=(number, work)) for number, work in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def test_i9_two_desks_at_once_note_one_outcome_and_the_second_is_told_of_it(on_postgres: Stage) -> None:
    stage = on_postgres
    journey = call_journey(stage)
    desk = Calls(stage.store.open_uow, stage.store.open_reader, stage.clock)
    for number in range(ROUNDS):
        _, enrollment = to_be_called(stage, journey, phone=f"+1202555012{number}")
        message = call_id(stage, enrollment)
        found = at_once(
            lambda message=message: desk.record(message, CallOutcome.NO_ANSWER, by="Chris"),  # type: ignore[misc]
            lambda message=message: desk.record(message, CallOutcome.REACHED, by="Dana"),  # type: ignore[misc]
            stage.another().run,
        )
        noted = [each for each in found if isinstance(each, CallNoted)]
        over = [each for each in found if isinstance(each, CallOver)]
        assert (len(noted), len(over)) == (1, 1), found
        assert calls(stage, enrollment) == [(1, noted[0].outcome and state(noted[0]), noted[0].outcome.value)]
        assert over[0].row.over_by == ("Chris" if noted[0].outcome is CallOutcome.NO_ANSWER else "Dana")
        assert stage.state(enrollment) == ("replied" if noted[0].outcome is CallOutcome.REACHED else "active")


def state(noted: CallNoted) -> str:
    return "undelivered" if noted.outcome is CallOutcome.NO_ANSWER else "delivered"


def test_i8_a_stop_and_an_outcome_at_once_are_both_kept_and_nobody_is_called_again(on_postgres: Stage) -> None:
    stage = on_postgres
    journey = call_journey(stage)
    for number in range(ROUNDS):
        person, enrollment = to_be_called(stage, journey, phone=f"+1202555013{number}")
        message = call_id(stage, enrollment)
        found = at_once(
            lambda e=enrollment, m=message: again(lambda: say(stage, e, CallOutcome.NO_ANSWER, message_id=m)),  # type: ignore[misc]
            lambda p=person: again(lambda: stage.event(EventKind.STOPPED, p)),  # type: ignore[misc]
            stage.another().run,
        )
        assert not [each for each in found if isinstance(each, Exception)], found
        assert stage.state(enrollment) == "stopped"
        [(_, ended, _)] = calls(stage, enrollment)
        assert ended in ("cancelled", "undelivered")
        assert len(stage.world.rows(t.log_entry, event="call.ended", enrollment_id=enrollment)) == 1
    stage.run()
    assert stage.provider.messages() == []


def test_an_outcome_locks_everybody_with_the_number_before_any_follow_up(on_postgres: Stage) -> None:
    """Else it would have a follow-up when it wants a person whom somebody else has, who wants that follow-up."""
    stage = on_postgres
    first = stage.world.person(phone="+12025550140")
    _, enrollment = to_be_called(stage, phone="+12025550140")
    done: list[object] = []
    noting = threading.Thread(target=lambda: done.append(say(stage, enrollment, CallOutcome.DISCONNECTED)))
    with stage.store.open_uow() as window:
        window.people.lock([first], to_write=True)
        noting.start()
        wait_until_blocked(stage.store)
        window.connection.exec_driver_sql("SET LOCAL lock_timeout = '200ms'")
        window.enrollments.lock([enrollment])
    noting.join()
    assert isinstance(done[0], CallNoted)
    assert {row["channel"] for row in stage.world.rows(t.suppression)} == {"sms", "call"}
