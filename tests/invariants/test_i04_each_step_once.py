"""I4: each step's message exists once per pass. The database's half: a unique key."""

from __future__ import annotations

import pytest

from app.domain.states import MessageState
from app.store.faults import RuleBroken
from tests.builders import World
from tests.refusals import refusal


@pytest.mark.parametrize("state", [None, MessageState.CANCELLED])
def test_i4_a_step_is_not_said_twice_in_a_pass_whatever_became_of_it(world: World, state: MessageState | None) -> None:
    enrollment = world.enrollment(world.person(), world.journey())
    message = world.message(enrollment)
    if state is not None:
        world.move_message(message, state)

    with pytest.raises(RuleBroken, match="enrollment_id"):
        world.message(enrollment)


def test_i4_the_next_pass_says_it_again(world: World) -> None:
    enrollment = world.enrollment(world.person(), world.journey())

    assert world.message(enrollment) != world.message(enrollment, pass_no=2)


def test_i4_a_message_can_not_be_turned_into_another_step_s(world: World) -> None:
    message = world.message(world.enrollment(world.person(), world.journey()))

    for change in ("step = 'nudge'", "pass_no = 2", "enrollment_id = NULL, step = NULL", "channel = 'sms'"):
        assert "I4" in refusal(world, f"UPDATE message SET {change} WHERE id = :id", id=message)


def test_i4_a_message_can_not_be_deleted_to_be_said_again(world: World) -> None:
    message = world.message(world.enrollment(world.person(), world.journey()))

    assert "I4" in refusal(world, "DELETE FROM message WHERE id = :id", id=message)
