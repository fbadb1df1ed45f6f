"""Attempts: the note and `sending` are one, a result is written once, and what reconcile asks for is found."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from app.domain.ids import MessageId
from app.domain.reasons import Why
from app.domain.states import AttemptAnswer, MessageState, Purpose
from app.engine.ports import AttemptNote, AttemptResult, Permission
from app.store import tables as t
from app.store.session import Session
from tests.builders import LATER, NOW, TOKEN, TRACE, World, journey_document

UNTIL = NOW + timedelta(minutes=1)


def leased_message(world: World, **columns: object) -> tuple[MessageId, int]:
    """A leased message and the version under which it is ours."""
    message = world.message(world.enrollment(world.person(), world.journey()), **columns)  # type: ignore[arg-type]
    with world.store.open_uow() as uow:
        world.lease(uow, message, NOW)
    return message, world.row(t.message, message)["version"]


def permission_for(message: MessageId, version: int) -> Permission:
    """What permit() would write."""
    words = ("ana@example.com", "Hello", "Hi Ana")
    return Permission(message, version, f"key-{message}", *words, TRACE, "practice", Purpose.MARKETING, None)


def result(note: AttemptNote, answer: AttemptAnswer = AttemptAnswer.ACCEPTED, code: str = "") -> AttemptResult:
    """How the attempt ended."""
    why = None if answer is AttemptAnswer.ACCEPTED else Why.BUSY
    return AttemptResult(note.attempt_id, answer, why, code, "SM1" if why is None else None, LATER, NOW)


def test_i7_the_note_and_sending_are_written_together(world: World) -> None:
    message, version = leased_message(world)

    with world.store.open_uow() as uow:
        notes = uow.outbox.permit([permission_for(message, version)], TOKEN, NOW, UNTIL)

    row, noted = world.row(t.message, message), world.rows(t.attempt)[0]
    wanted = {"state": "sending", "attempts": 1, "noted_at": NOW, "lease_until": UNTIL, "lease_token": TOKEN}
    wanted |= {"to_address": "ana@example.com", "subject": "Hello", "body": "Hi Ana", "provider": "practice"}
    assert {name: row[name] for name in wanted} == wanted
    wanted = {"message_id": message, "number": 1, "key": f"key-{message}", "worker": TOKEN, "answer": "open"}
    wanted |= {"trace": TRACE.document(), "noted_at": NOW, "provider": "practice"}
    assert {name: noted[name] for name in wanted} == wanted
    assert [(note.attempt_id, note.number, note.to, note.location_id) for note in notes] == [
        (noted["id"], 1, "ana@example.com", world.portland)
    ]


def test_a_stale_or_foreign_lease_is_left_out_and_the_others_are_permitted(world: World) -> None:
    good, good_version = leased_message(world)
    stale, stale_version = leased_message(world)
    released, released_version = leased_message(world)
    with world.store.open_uow() as uow:
        uow.outbox.cancel_waiting([world.row(t.message, released)["enrollment_id"]], Why.REPLY, None, NOW)
        wanted = [
            permission_for(stale, stale_version - 1),
            permission_for(good, good_version),
            permission_for(released, released_version + 1),
        ]
        assert uow.outbox.permit(wanted, "somebody else", NOW, UNTIL) == ()
        notes = uow.outbox.permit(wanted, TOKEN, NOW, UNTIL)
        assert uow.outbox.permit([], TOKEN, NOW, UNTIL) == ()

    assert [note.message_id for note in notes] == [good]
    assert len(world.rows(t.attempt)) == 1


def test_i6_a_message_of_a_paused_or_ended_enrollment_is_left_out(world: World) -> None:
    message, version = leased_message(world)
    world.end(world.row(t.message, message)["enrollment_id"])

    with world.store.open_uow() as uow:
        assert uow.outbox.permit([permission_for(message, version)], TOKEN, NOW, UNTIL) == ()


def test_i12_tries_are_numbered_on_when_an_outage_gave_the_attempt_back(world: World) -> None:
    message, _ = leased_message(world)
    for number in (1, 2, 3, 4, 5):
        if number > 1:
            with world.store.open_uow() as uow:
                world.lease(uow, message, NOW)
        with world.store.open_uow() as uow:
            note = world.permit(uow, message, NOW)
        assert note is not None
        assert note.number == number
        with world.store.open_uow() as uow:
            uow.outbox.finish_attempts([result(note, AttemptAnswer.OUTAGE)])
        world.move_message(message, MessageState.QUEUED, attempts=0, try_at=NOW)

    assert world.row(t.message, message)["attempts"] == 0


def test_a_result_is_written_once(world: World) -> None:
    message, _ = leased_message(world)
    with world.store.open_uow() as uow:
        note = world.permit(uow, message, NOW)
        assert note is not None
        uow.outbox.finish_attempts([result(note)])
        uow.outbox.finish_attempts([result(note, AttemptAnswer.TRANSIENT, "late")])
        uow.outbox.finish_attempts([])

    row = world.rows(t.attempt)[0]
    wanted = {"answer": "accepted", "why": None, "code": "", "provider_id": "SM1", "answered_at": LATER}
    wanted |= {"handed_at": NOW}
    assert {name: row[name] for name in wanted} == wanted


def test_what_the_result_transaction_needs(world: World) -> None:
    enrollment = world.enrollment(world.person(), world.journey())
    message = world.message(enrollment)
    note = world.sending(message)

    with world.store.open_uow() as uow:
        held = uow.outbox.in_hand([note.attempt_id])[note.attempt_id]

    assert held.note == note
    assert (held.state, held.attempts, held.lookups, held.possible_duplicate) == (MessageState.SENDING, 1, 0, False)
    assert held.enrollment is not None
    assert (held.enrollment.id, held.next_step, held.on_bad_address) == (enrollment, "pause", "end")
    assert held.version == world.row(t.message, message)["version"]
    assert held.stop_requested_at is None


def test_in_hand_reads_the_step_that_the_message_was_made_for(world: World) -> None:
    steps = {
        "hello": {"do": "email", "template": "hello", "next": "done", "on_bad_address": "skip"},
        "done": {"do": "end", "as": "exhausted"},
    }
    enrollment = world.enrollment(world.person(), world.journey(document=journey_document(steps=steps)))
    note = world.sending(world.message(enrollment))
    world.end(enrollment)

    with world.store.open_uow() as uow:
        held = uow.outbox.in_hand([note.attempt_id])[note.attempt_id]

    assert (held.next_step, held.on_bad_address) == ("done", "skip")
    assert held.enrollment is not None
    assert held.enrollment.state == "stopped"


def test_in_hand_of_a_message_written_by_hand(world: World) -> None:
    note = world.sending(world.manual_message(world.person()))

    with world.store.open_uow() as uow:
        held = uow.outbox.in_hand([note.attempt_id])[note.attempt_id]

    assert (held.enrollment, held.next_step, held.on_bad_address) == (None, None, "end")


def test_an_attempt_that_is_answered_is_not_in_hand(world: World) -> None:
    note = world.sending(world.manual_message(world.person()))
    with world.store.open_uow() as uow:
        uow.outbox.finish_attempts([result(note)])
        assert uow.outbox.in_hand([note.attempt_id]) == {}
        assert uow.outbox.in_hand([]) == {}


def test_i13_reconcile_finds_what_was_noted_and_never_answered(world: World) -> None:
    old = world.sending(world.manual_message(world.person()), at=NOW)
    new = world.sending(world.manual_message(world.person()), at=LATER)
    answered = world.sending(world.manual_message(world.person()), at=NOW)
    world.move_message(answered.message_id, MessageState.ACCEPTED)

    with world.store.open_uow() as uow:
        assert uow.outbox.expired_sending(NOW, 10) == []
        assert uow.outbox.expired_sending(UNTIL, 10) == [old]
        assert uow.outbox.expired_sending(LATER + timedelta(minutes=1), 10) == [old, new]
        assert uow.outbox.expired_sending(LATER + timedelta(minutes=1), 1) == [old]


def test_looking_again_is_counted_and_put_off(world: World) -> None:
    note = world.sending(world.manual_message(world.person()))
    again = UNTIL + timedelta(minutes=2)

    with world.store.open_uow() as uow:
        assert uow.outbox.look_again(note.message_id, UNTIL, again) == 1
        assert uow.outbox.look_again(note.message_id, UNTIL, again) == 0, "two workers at the same time are one look"
        assert uow.outbox.expired_sending(UNTIL, 10) == []
        assert [each.attempt_id for each in uow.outbox.expired_sending(again, 10)] == [note.attempt_id]
        assert uow.outbox.look_again(note.message_id, again, again + timedelta(minutes=2)) == 2
    world.move_message(note.message_id, MessageState.ACCEPTED)
    with world.store.open_uow() as uow:
        assert uow.outbox.look_again(note.message_id, UNTIL, again) == 0


def test_a_new_attempt_is_looked_up_from_the_start(world: World) -> None:
    note = world.sending(world.manual_message(world.person()))
    with world.store.open_uow() as uow:
        uow.outbox.look_again(note.message_id, UNTIL, UNTIL)
    world.put_back(note)

    world.sending(note.message_id)

    assert world.row(t.message, note.message_id)["lookups"] == 0


def test_a_stop_waits_until_the_note_is_committed(postgres_database_url: str) -> None:
    """The rows in hand are locked: a stop of another desk marks the message after the result, never in between."""
    session = Session(postgres_database_url)
    world = World.at(session)
    enrollment = world.enrollment(world.person(), world.journey())
    note = world.sending(world.message(enrollment))
    with world.store.open_uow() as first:
        first.outbox.in_hand([note.attempt_id])
        with session.write() as other:
            locked = other.exec_driver_sql(
                "SELECT 1 FROM message m, enrollment e WHERE m.enrollment_id = e.id FOR UPDATE SKIP LOCKED"
            ).all()

    assert locked == []
    assert replace(note) == note
    session.dispose()
