"""The door to messages: added once, leased by one, permitted with their note, moved, cancelled, asked to stop."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from app.domain.ids import EnrollmentId, LocationId, MessageId, PersonId, StepId
from app.domain.reasons import Why
from app.domain.states import Channel, MessageState
from app.domain.verdict import Answered, Hold, Trace
from app.engine.ports import MessageDraft, MessageMove
from app.store import tables as t
from app.store.faults import RuleBroken
from app.store.session import Session
from tests.builders import LATER, NOW, TOKEN, World, journey_document

MINUTE = timedelta(minutes=1)
UNTIL = NOW + MINUTE


def draft_for(world: World, enrollment: EnrollmentId, step: str = "hello") -> MessageDraft:
    """What the tick would draft for the enrollment's step."""
    row = world.row(t.enrollment, enrollment)
    version = world.row(t.journey_version, row["journey_version_id"])
    told = version["document"]["steps"][step]
    return MessageDraft(
        enrollment_id=enrollment,
        person_id=PersonId(row["person_id"]),
        location_id=LocationId(world.portland),
        step=StepId(step),
        pass_no=1,
        channel=Channel(told["do"]),
        template=told["template"],
        template_version_id=version["templates"][told["template"]],
        due_at=NOW,
        useful_until=LATER,
    )


def queued(world: World, **columns: object) -> MessageId:
    """A queued message of a person of its own."""
    return world.message(world.enrollment(world.person(), world.journey()), **columns)  # type: ignore[arg-type]


def test_i4_a_message_is_added_once(world: World) -> None:
    journey = world.journey()
    first, second = (world.enrollment(world.person(), journey) for _ in range(2))

    with world.store.open_uow() as uow:
        made = uow.outbox.add([draft_for(world, first)], NOW)
    with world.store.open_uow() as uow:
        again = uow.outbox.add([draft_for(world, first), draft_for(world, second)], LATER)

    assert made == {first}
    assert again == {second}
    row = world.rows(t.message, enrollment_id=first)[0]
    wanted = {"state": "queued", "attempts": 0, "due_at": NOW, "try_at": NOW, "useful_until": LATER, "created_at": NOW}
    assert {name: row[name] for name in wanted} == wanted


def test_i4_adding_what_is_there_is_no_error_when_the_budget_is_spent_or_the_enrollment_ended(world: World) -> None:
    """Insert-if-absent: the triggers are asked only of what is really inserted."""
    enrollment = world.enrollment(world.person(), world.journey(send_budget=1))
    draft = draft_for(world, enrollment)
    with world.store.open_uow() as uow:
        uow.outbox.add([draft], NOW)
    world.end(enrollment)

    with world.store.open_uow() as uow:
        assert uow.outbox.add([draft], NOW) == frozenset()
        assert uow.outbox.add([], NOW) == frozenset()
    with pytest.raises(RuleBroken, match=r"I3|I5"), world.store.open_uow() as uow:
        uow.outbox.add([draft_for(world, enrollment, "nudge")], NOW)


def test_a_lease_takes_the_oldest_and_marks_them_ours(world: World) -> None:
    waits = {n: queued(world, try_at=NOW - n * MINUTE) for n in (2, 3, 1, -1)}

    with world.store.open_uow() as uow:
        leased = uow.outbox.lease(NOW, UNTIL, TOKEN, 2)
        rest = uow.outbox.lease(NOW, UNTIL, "other", 10)

    assert [each.message_id for each in leased] == [waits[3], waits[2]]
    assert [each.message_id for each in rest] == [waits[1]]
    row = world.row(t.message, waits[3])
    assert (row["state"], row["lease_token"], row["lease_until"]) == ("leased", TOKEN, UNTIL)
    assert (leased[0].version, leased[0].channel, leased[0].person_id) == (row["version"], "email", row["person_id"])
    assert leased[0].enrollment_id == row["enrollment_id"]


def test_a_message_written_by_hand_is_leased_like_any_other(world: World) -> None:
    message = world.manual_message(world.person())

    with world.store.open_uow() as uow:
        leased = uow.outbox.lease(NOW, UNTIL, TOKEN, 10)

    assert [(each.message_id, each.enrollment_id) for each in leased] == [(message, None)]


def test_two_workers_lease_different_messages(postgres_database_url: str) -> None:
    session = Session(postgres_database_url)
    world = World.at(session)
    made = [queued(world, try_at=NOW - n * MINUTE) for n in (4, 3, 2, 1)]

    with world.store.open_uow() as first:
        mine = [each.message_id for each in first.outbox.lease(NOW, UNTIL, "first", 2)]
        with world.store.open_uow() as second:
            theirs = [each.message_id for each in second.outbox.lease(NOW, UNTIL, "second", 10)]
            assert second.outbox.release_expired(UNTIL + MINUTE) == 2  # its own: those of the first are locked

    assert (mine, theirs) == (made[:2], made[2:])
    session.dispose()


def test_a_lease_that_ran_out_goes_back_and_one_in_time_stays(world: World) -> None:
    old, new = queued(world), queued(world, try_at=LATER)
    with world.store.open_uow() as uow:
        uow.outbox.lease(NOW, UNTIL, TOKEN, 10)
        uow.outbox.lease(LATER, LATER + MINUTE, TOKEN, 10)

    with world.store.open_uow() as uow:
        assert uow.outbox.release_expired(UNTIL) == 1

    assert (world.row(t.message, old)["state"], world.row(t.message, new)["state"]) == ("queued", "leased")
    assert world.row(t.message, old)["lease_token"] is None


def test_a_worker_that_stops_gives_back_its_own_alone(world: World) -> None:
    mine, other = queued(world), queued(world)
    with world.store.open_uow() as uow:
        uow.outbox.lease(NOW, UNTIL, TOKEN, 1)
        uow.outbox.lease(NOW, UNTIL, "other", 1)
        assert uow.outbox.release(TOKEN) == 1

    assert (world.row(t.message, mine)["state"], world.row(t.message, other)["state"]) == ("queued", "leased")


def test_a_hold_puts_the_message_back_with_what_the_guards_said(world: World) -> None:
    message = queued(world)
    trace = Trace((Answered("clinic_hours", "hold: clinic_closed", "closed"),), Hold(LATER, Why.CLINIC_CLOSED))
    with world.store.open_uow() as uow:
        version = uow.outbox.lease(NOW, UNTIL, TOKEN, 1)[0].version
        held = MessageMove(
            message,
            version,
            MessageState.QUEUED,
            0,
            try_at=LATER,
            hold_why=Why.CLINIC_CLOSED,
            hold_facts={"location": "Portland"},
            trace=trace,
        )
        assert uow.outbox.move([held], NOW) == {message}
        assert uow.outbox.lease(NOW, UNTIL, TOKEN, 1) == []

    row = world.row(t.message, message)
    wanted = {"state": "queued", "try_at": LATER, "hold_why": "clinic_closed", "hold_facts": {"location": "Portland"}}
    wanted |= {
        "lease_token": None,
        "trace": [{"guard": "clinic_hours", "answer": "hold: clinic_closed", "saw": "closed"}],
    }
    assert {name: row[name] for name in wanted} == wanted


def test_an_accepted_message_keeps_the_provider_s_id_and_time(world: World) -> None:
    message = queued(world)
    world.sending(message)
    world.move_message(message, MessageState.ACCEPTED, provider_id="SM1", accepted_at=LATER, attempts=1)
    world.move_message(message, MessageState.DELIVERED)

    row = world.row(t.message, message)
    wanted = {"state": "delivered", "provider": "practice", "provider_id": "SM1", "accepted_at": LATER, "attempts": 1}
    wanted |= {"final_at": NOW, "lease_until": None}
    assert {name: row[name] for name in wanted} == wanted


def test_a_possible_duplicate_stays_one(world: World) -> None:
    message = queued(world)
    world.move_message(message, MessageState.QUEUED, possible_duplicate=True)
    world.move_message(message, MessageState.QUEUED, possible_duplicate=False)

    assert world.row(t.message, message)["possible_duplicate"] is True


@pytest.mark.parametrize("to", [MessageState.LEASED, MessageState.SENDING])
def test_i6_no_move_leases_or_sends(world: World, to: MessageState) -> None:
    message = queued(world)

    with pytest.raises(ValueError, match="I11"):
        world.move_message(message, to)


def test_a_stop_cancels_what_waits_and_marks_what_is_on_its_way(world: World) -> None:
    ana, journey = world.person(), world.journey(send_budget=4)
    enrollment = world.enrollment(ana, journey)
    event = world.event(ana)
    done = world.message(enrollment)
    world.accepted(done)
    on_its_way = world.message(enrollment, step="nudge")
    world.sending(on_its_way)
    leased = world.message(enrollment, pass_no=2)
    with world.store.open_uow() as uow:
        uow.outbox.lease(NOW, UNTIL, TOKEN, 10)
    waiting = world.message(enrollment, step="nudge", pass_no=2, due_at=NOW - MINUTE)
    other = queued(world)

    with world.store.open_uow() as uow:
        cancelled = uow.outbox.cancel_waiting([enrollment], Why.REPLY, event, LATER)
        asked = uow.outbox.request_stop([enrollment], event, LATER)
        accepted = uow.outbox.last_accepted([enrollment])

    assert [(each.message_id, each.channel, each.template) for each in cancelled] == [
        (waiting, "sms", "nudge"),
        (leased, "email", "hello"),
    ]
    assert [each.message_id for each in asked] == [on_its_way]
    assert [(each.message_id, each.accepted_at) for each in accepted] == [(done, NOW)]
    row = world.row(t.message, leased)
    assert (row["state"], row["reason"], row["stop_event_id"], row["final_at"]) == ("cancelled", "reply", event, LATER)
    assert world.row(t.message, on_its_way)["stop_requested_at"] == LATER
    assert world.row(t.message, other)["state"] == "queued"
    assert world.store.stops_since_note([done, on_its_way, other]) == {on_its_way}


def test_the_first_stop_s_time_stays(world: World) -> None:
    ana = world.person()
    enrollment = world.enrollment(ana, world.journey())
    message = world.message(enrollment)
    world.sending(message)
    first, second = world.event(ana), world.event(ana)
    for event, at in ((first, NOW), (second, LATER)):
        with world.store.open_uow() as uow:
            assert [each.message_id for each in uow.outbox.request_stop([enrollment], event, at)] == [message]

    row = world.row(t.message, message)
    assert (row["stop_requested_at"], row["stop_event_id"]) == (NOW, first)


def test_i8_a_stop_makes_a_worker_s_picture_stale(world: World) -> None:
    enrollment = world.enrollment(world.person(), world.journey())
    message = world.message(enrollment)
    with world.store.open_uow() as uow:
        version = uow.outbox.lease(NOW, UNTIL, TOKEN, 1)[0].version
    with world.store.open_uow() as uow:
        uow.outbox.cancel_waiting([enrollment], Why.REPLY, None, NOW)

    with world.store.open_uow() as uow:
        back = MessageMove(message, version, MessageState.QUEUED, 0, try_at=NOW)
        assert uow.outbox.move([back], NOW) == frozenset()

    assert world.row(t.message, message)["state"] == "cancelled"


def test_the_last_twenty_accepted_are_told(world: World) -> None:
    steps: dict[str, dict[str, object]] = {
        f"s{n}": {"do": "email", "template": "hello", "next": f"s{n + 1}" if n < 21 else "done"} for n in range(22)
    }
    steps["done"] = {"do": "end", "as": "exhausted"}

    enrollment = world.enrollment(world.person(), world.journey(document=journey_document(steps=steps)))
    made = []
    for n in range(22):
        made.append(world.message(enrollment, step=f"s{n}"))
        world.accepted(made[-1], at=NOW + n * MINUTE)

    with world.store.open_uow() as uow:
        told = uow.outbox.last_accepted([enrollment])

    assert [each.message_id for each in told] == made[:1:-1]


def test_what_is_held_for_a_person_is_woken(world: World) -> None:
    ana = world.person()
    tomorrow = NOW + timedelta(days=1)
    enrollment = world.enrollment(ana, world.journey())
    held = world.message(enrollment, hold_why="with_staff", try_at=tomorrow)
    later = world.message(enrollment, step="nudge", try_at=tomorrow)
    theirs = queued(world, hold_why="with_staff", try_at=tomorrow)

    with world.store.open_uow() as uow:
        assert uow.outbox.wake_held(ana, NOW) == 1

    assert world.row(t.message, held)["try_at"] == NOW
    assert {world.row(t.message, each)["try_at"] for each in (later, theirs)} == {tomorrow}


def test_a_batch_is_written_whole_or_not_at_all(world: World) -> None:
    first, second = queued(world), queued(world)
    moves = [MessageMove(each, 1, MessageState.CANCELLED, 0, reason=Why.REPLY) for each in (first, second)]

    with world.store.open_uow() as uow:
        assert uow.outbox.move([moves[0], replace(moves[1], seen_version=9)], NOW) == {first}
        assert uow.outbox.move([], NOW) == frozenset()
    with pytest.raises(ValueError, match="I11"), world.store.open_uow() as uow:
        uow.outbox.move([moves[1], replace(moves[0], seen_version=2, state=MessageState.QUEUED)], NOW)

    assert world.row(t.message, second)["state"] == "queued"
