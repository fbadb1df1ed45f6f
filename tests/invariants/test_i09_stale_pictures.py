"""I9: a worker with a stale picture cannot overwrite a newer state. The doors compare and set; the database asks for a
new version with every new state.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from app.domain.reasons import Why
from app.domain.states import EnrollmentState, MessageState
from app.engine.ports import MessageMove
from app.store import tables as t
from tests.builders import NOW, World, ended_move
from tests.refusals import refusal


def test_i9_the_second_of_two_workers_with_one_picture_writes_nothing(world: World) -> None:
    enrollment = world.enrollment(world.person(), world.journey())
    picture = world.row(t.enrollment, enrollment)
    stop = ended_move(picture, EnrollmentState.STOPPED, Why.STAFF_STOP, NOW)
    exhaust = ended_move(picture, EnrollmentState.EXHAUSTED, Why.LAST_STEP, NOW + timedelta(minutes=1))

    with world.store.open_uow() as uow:
        first = uow.enrollments.move([stop])
    with world.store.open_uow() as uow:
        second = uow.enrollments.move([exhaust])

    assert first == {enrollment}
    assert not second
    assert world.row(t.enrollment, enrollment)["state"] == "stopped"


def test_i9_a_stale_move_leaves_the_others_of_its_batch_alone(world: World) -> None:
    journey = world.journey()
    stale, good = (world.enrollment(world.person(), journey) for _ in range(2))
    moves = [
        ended_move(world.row(t.enrollment, e), EnrollmentState.STOPPED, Why.STAFF_STOP, NOW) for e in (stale, good)
    ]
    moves[0] = replace(moves[0], seen_version=7)

    with world.store.open_uow() as uow:
        written = uow.enrollments.move(moves)

    assert written == {good}
    assert world.row(t.enrollment, stale)["state"] == "active"


def test_i9_a_stale_picture_of_a_message_writes_nothing(world: World) -> None:
    message = world.message(world.enrollment(world.person(), world.journey()))
    version = world.row(t.message, message)["version"]
    world.move_message(message, MessageState.CANCELLED, reason=Why.REPLY)

    with world.store.open_uow() as uow:
        late = MessageMove(message, version, MessageState.QUEUED, 0, try_at=NOW)
        written = uow.outbox.move([late], NOW)

    assert written == frozenset()
    assert world.row(t.message, message)["reason"] == "reply"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE enrollment SET state = 'paused' WHERE id = :id",
        "UPDATE enrollment SET state = 'paused', version = version - 1 WHERE id = :id",
    ],
)
def test_i9_no_state_is_written_under_the_old_version(world: World, statement: str) -> None:
    enrollment = world.enrollment(world.person(), world.journey())

    assert "I9" in refusal(world, statement, id=enrollment)


def test_i9_no_message_state_is_written_under_the_old_version(world: World) -> None:
    message = world.message(world.enrollment(world.person(), world.journey()))
    cancel = "UPDATE message SET state = 'cancelled', reason = 'reply', final_at = try_at WHERE id = :id"

    assert "I9" in refusal(world, cancel, id=message)


def test_i9_no_contact_state_is_written_under_the_old_version(world: World) -> None:
    block = "UPDATE person SET contact = 'do_not_contact' WHERE id = :id"

    assert "I9" in refusal(world, block, id=world.person())
