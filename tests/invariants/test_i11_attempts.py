"""I11: at most three attempts a message, counted apart from steps. The database's half: CHECKs and state machine."""

from __future__ import annotations

import itertools

import pytest

from app.domain.ids import MessageId
from app.domain.states import MESSAGE_EXITS, MessageState
from app.store import tables as t
from tests.builders import NOW, World
from tests.refusals import refusal

NOT_ALLOWED = [
    (seen, to)
    for seen, to in itertools.product(MessageState, MessageState)
    if seen is not to and to not in MESSAGE_EXITS[seen]
]
# what the CHECKs want beside a state, so that only the way between the two is asked about
WITH = {
    MessageState.QUEUED: "accepted_at = NULL, final_at = NULL, lease_until = NULL, lease_token = NULL",
    MessageState.LEASED: "accepted_at = NULL, final_at = NULL, lease_until = :at, lease_token = 'w'",
    MessageState.SENDING: "accepted_at = NULL, final_at = NULL, lease_until = :at, lease_token = 'w', noted_at = :at,"
    " to_address = 'nobody@example.com'",
    MessageState.ACCEPTED: "accepted_at = :at, final_at = NULL, lease_until = NULL, lease_token = NULL",
    MessageState.DELIVERED: "accepted_at = :at, final_at = :at, lease_until = NULL, lease_token = NULL",
    MessageState.UNDELIVERED: "accepted_at = :at, final_at = :at, lease_until = NULL, lease_token = NULL",
    MessageState.FAILED: "accepted_at = NULL, final_at = :at, lease_until = NULL, lease_token = NULL, reason = 'busy'",
    MessageState.CANCELLED: "accepted_at = NULL, final_at = :at, lease_until = NULL, lease_token = NULL,"
    " reason = 'reply'",
}
AT = "2026-03-02T18:00:00.000000Z"


def message_in(world: World, state: MessageState) -> MessageId:
    """A message that came to `state` through the doors."""
    message = world.message(world.enrollment(world.person(), world.journey()))
    if state is MessageState.LEASED:
        with world.store.open_uow() as uow:
            world.lease(uow, message, NOW)
    elif state is MessageState.CANCELLED:
        world.move_message(message, state)
    elif state is not MessageState.QUEUED:
        world.sending(message)
        if state in (MessageState.ACCEPTED, MessageState.DELIVERED, MessageState.UNDELIVERED):
            world.move_message(message, MessageState.ACCEPTED)
        if state not in (MessageState.SENDING, MessageState.ACCEPTED):
            world.move_message(message, state)
    assert world.row(t.message, message)["state"] == state
    return message


@pytest.mark.parametrize("seen", list(MessageState))
def test_i11_no_other_way_between_message_states_in_sql_or_at_the_door(shared_world: World, seen: MessageState) -> None:
    message = message_in(shared_world, seen)

    for to in (to for known, to in NOT_ALLOWED if known is seen):
        given: dict[str, object] = {"id": message} | ({"at": AT} if ":at" in WITH[to] else {})
        told = refusal(
            shared_world,
            f"UPDATE message SET state = '{to}', version = version + 1, {WITH[to]} WHERE id = :id",
            **given,
        )
        assert told.startswith(("I7", "I11")), (seen, to)
        with pytest.raises(ValueError, match="I11"):
            shared_world.move_message(message, to, accepted_at=NOW)


@pytest.mark.parametrize("attempts", [-1, 4])
def test_i11_the_counter_stays_between_none_and_three(world: World, attempts: int) -> None:
    message = world.message(world.enrollment(world.person(), world.journey()))

    told = refusal(world, "UPDATE message SET attempts = :n WHERE id = :id", id=message, n=attempts)

    assert "ck_message_attempts" in told


def test_i11_a_fourth_attempt_is_refused(world: World) -> None:
    message = world.message(world.enrollment(world.person(), world.journey()))
    for _ in range(3):
        note = world.sending(message)
        world.put_back(note)

    told = refusal(
        world,
        "UPDATE message SET attempts = attempts + 1 WHERE id = :id",
        id=message,
    )

    assert "ck_message_attempts" in told
    assert [row["number"] for row in world.rows(t.attempt, message_id=message)] == [1, 2, 3]


def test_i11_a_message_has_one_open_attempt_at_most(world: World) -> None:
    note = world.sending(world.message(world.enrollment(world.person(), world.journey())))

    told = refusal(
        world,
        "INSERT INTO attempt (message_id, number, key, worker, noted_at, provider, trace)"
        " VALUES (:id, 2, 'another', 'w', :at, 'practice', '[]')",
        id=note.message_id,
        at=AT,
    )

    assert "attempt" in told
