"""I5: an enrollment never sends more than its journey's proven maximum. The database's half: triggers that count."""

from __future__ import annotations

import threading

import pytest
import sqlalchemy as sa

from app.store.faults import RuleBroken
from app.store.session import Session
from app.store.unit_of_work import Store
from tests.builders import World
from tests.refusals import refusal

AT = "2026-03-02T18:00:00.000000Z"
QUEUE = (
    "INSERT INTO message (enrollment_id, person_id, location_id, step, pass_no, channel, due_at, try_at, created_at)"
    " SELECT id, person_id, :location, 'hello', :pass, 'email', :at, :at, :at FROM enrollment WHERE id = :id"
)


def test_i5_the_message_after_the_last_is_refused(world: World) -> None:
    enrollment = world.enrollment(world.person(), world.journey(send_budget=2))
    world.message(enrollment)
    world.message(enrollment, step="nudge")

    given = {"id": enrollment, "location": world.portland, "at": AT}
    told = refusal(world, QUEUE, **given, **{"pass": 2})

    assert "I5" in told


def test_i5_sixteen_in_one_statement_are_refused_too(world: World) -> None:
    enrollment = world.enrollment(world.person(), world.journey(send_budget=2))

    given = {"id": enrollment, "location": world.portland, "at": AT}
    sixteen = [given | {"pass": number} for number in range(1, 17)]

    with pytest.raises(RuleBroken, match="I5"), world.store.session.write() as connection:
        connection.execute(sa.text(QUEUE), sixteen)


def test_i5_a_journey_that_sends_nothing_has_no_message(world: World) -> None:
    enrollment = world.enrollment(world.person(), world.journey(send_budget=0))

    given = {"id": enrollment, "location": world.portland, "at": AT, "pass": 1}
    assert "I5" in refusal(world, QUEUE, **given)


@pytest.mark.parametrize("change", ["send_budget = 16", "send_budget = send_budget - 1"])
def test_i5_the_budget_can_not_be_changed_on_the_way(world: World, change: str) -> None:
    enrollment = world.enrollment(world.person(), world.journey(send_budget=2))

    assert "I5" in refusal(world, f"UPDATE enrollment SET {change} WHERE id = :id", id=enrollment)


def test_i5_nobody_enters_with_more_than_was_proven(world: World) -> None:
    with pytest.raises(RuleBroken, match="I5"):
        world.enrollment(world.person(), world.journey(send_budget=2), send_budget=3)


def test_i5_the_proof_itself_can_not_be_changed(world: World) -> None:
    journey = world.journey(send_budget=2)

    told = refusal(world, "UPDATE journey_version SET send_budget = 16 WHERE id = :id", id=journey.version_id)

    assert "I15" in told


def test_i5_two_transactions_at_once_can_not_both_have_the_last_message(postgres_database_url: str) -> None:
    """Each counts before the other has committed; the trigger's lock on the enrollment makes the second wait."""
    session = Session(postgres_database_url)
    world = World(Store(session))
    enrollment = world.enrollment(world.person(), world.journey(send_budget=1))
    both_inserted = threading.Barrier(2)
    told: list[str] = []

    def queue(number: int) -> None:
        given = {"id": enrollment, "location": world.portland, "at": AT, "pass": number}
        try:
            with session.write() as connection:
                both_inserted.wait()
                connection.execute(sa.text(QUEUE), given)
        except RuleBroken as refused:
            told.append(str(refused))

    threads = [threading.Thread(target=queue, args=(number,)) for number in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(told) == 1
    assert "I5" in told[0]
    session.dispose()
