"""The sent list, and why a message went out, or did not."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from app.domain.events import EventKind, InboxEvent
from app.domain.ids import MessageId, PersonId
from app.domain.lines import MessageLine, SentCounts, SentFilter, SentQuery, TraceLine
from app.domain.reasons import Why
from app.domain.states import AttemptAnswer, Channel, MessageState, WaitsFor
from app.domain.verdict import Answered, Hold, Trace
from app.engine.apply_event import apply_event
from app.store import tables as t
from tests.builders import LATER, NOW, World

HOUR = timedelta(hours=1)
CLOSED = Trace(
    (Answered("clock_sane", "pass", ""), Answered("clinic_hours", "hold: clinic_closed", "closed")),
    Hold(None, Why.CLINIC_CLOSED),
)


def found(world: World, **parts: object) -> list[MessageId]:
    """Ids in the order shown."""
    with world.store.open_reader() as reads:
        return list(reads.sent_ids(SentQuery(**parts)))  # type: ignore[arg-type]


def line(world: World, message_id: MessageId) -> MessageLine:
    """One row."""
    with world.store.open_reader() as reads:
        (found_line,) = reads.sent([message_id])
    return found_line


def queued(world: World, person_id: PersonId | None = None, **columns: Any) -> MessageId:
    """A message of a follow-up of its own."""
    follow_up = world.enrollment(person_id or world.person(), world.journey(), waits_for=WaitsFor.MESSAGE)
    return world.message(follow_up, **columns)


def stop(world: World, person_id: PersonId, kind: EventKind = EventKind.STOPPED) -> None:
    """Apply a stop, a minute later."""
    event = InboxEvent("test", f"stop-{person_id}", kind, LATER, LATER, person_id=person_id, actor="Dana")
    with world.store.open_uow() as uow:
        apply_event(uow, event, LATER)


def outbox(world: World) -> dict[str, MessageId]:
    """A message in each state; each reached its state an hour after the one before."""
    messages: dict[str, MessageId] = {}
    for n, name in enumerate(("queued", "sending", "accepted", "delivered", "undelivered", "failed", "cancelled")):
        world.now = NOW + n * HOUR
        messages[name] = queued(world)
        match name:
            case "sending":
                world.sending(messages[name])
            case "accepted":
                world.accepted(messages[name])
            case "delivered" | "undelivered":
                world.accepted(messages[name])
                world.move_message(messages[name], MessageState(name))
            case "failed":
                world.sending(messages[name])
                world.move_message(messages[name], MessageState.FAILED)
            case "cancelled":
                world.move_message(messages[name], MessageState.CANCELLED)
    world.now = NOW
    return messages


def test_the_message_that_reached_its_state_last_stands_first(world: World) -> None:
    messages = outbox(world)
    assert found(world) == list(messages.values())[::-1]
    assert line(world, messages["delivered"]).at == NOW + 3 * HOUR


def test_each_chip_shows_its_messages_and_the_counts_say_how_many(world: World) -> None:
    messages = outbox(world)
    twice = queued(world, possible_duplicate=True)
    assert set(found(world, only=SentFilter.NOT_SENT)) == {messages["failed"], messages["cancelled"]}
    assert set(found(world, only=SentFilter.PROBLEMS)) == {messages["failed"], messages["undelivered"], twice}
    with world.store.open_reader() as reads:
        assert reads.sent_counts(SentQuery()) == SentCounts(everything=8, not_sent=2, problems=3)
        assert reads.sent_counts(SentQuery(search="nobody")) == SentCounts(0, 0, 0)


def test_a_search_finds_people_and_templates_and_a_person_or_location_narrows(world: World) -> None:
    bend = world.location("Bend")
    ana, ben = world.person("Ana", last_name="Lopez"), world.person("Ben", location_id=bend)
    hers, his = queued(world, ana), queued(world, ben)
    assert found(world, search="lopez") == [hers]
    assert found(world, search="ana hello") == [hers]
    assert found(world, search="HELLO") == [his, hers]
    assert found(world, person_id=ben) == [his]
    assert found(world, location_id=bend) == [his]


def test_a_line_says_where_it_went_or_would_go(world: World) -> None:
    ana = world.person("Ana", last_name="Lopez", email="ana@example.com")
    message = queued(world, ana)
    waits = line(world, message)
    assert (waits.name, waits.to, waits.state, waits.attempts) == (
        "Ana Lopez",
        "ana@example.com",
        MessageState.QUEUED,
        0,
    )
    assert (waits.journey is not None, waits.version, waits.step, waits.template) == (True, 1, "hello", "hello")
    assert (waits.due_at, waits.try_at, waits.accepted_at, waits.running) == (NOW, NOW, None, 1)
    world.accepted(message)
    with world.store.session.write() as connection:
        connection.execute(t.person.update().values(email="new@example.com"))
    went = line(world, message)
    assert (went.to, went.subject, went.state, went.attempts) == (
        "ana@example.com",
        "Hello",
        MessageState.ACCEPTED,
        1,
    )
    assert (went.provider, went.provider_id, went.accepted_at, went.try_at) == ("practice", f"P{message}", NOW, None)


def test_a_message_written_by_hand_has_no_journey(world: World) -> None:
    ana = world.person("Ana", phone="+15035550111")
    by_hand = line(world, world.manual_message(ana))
    assert (by_hand.enrollment_id, by_hand.journey, by_hand.version, by_hand.step) == (None, None, None, None)
    assert (by_hand.to, by_hand.channel, by_hand.running) == ("+15035550111", Channel.SMS, 0)


def test_a_message_whose_outcome_is_being_asked_for_says_so(world: World) -> None:
    message = queued(world)
    world.sending(message)
    assert line(world, message).hold is None
    with world.store.open_uow() as uow:
        uow.outbox.look_again(message, LATER, LATER)
    hold = line(world, message).hold
    assert hold is not None
    assert hold.why is Why.CHECKING


def test_why_it_went_out_are_the_answers_of_the_try_that_went(world: World) -> None:
    message = queued(world)
    attempt_id = world.accepted(message)
    with world.store.open_reader() as reads:
        told = reads.why(message)
    assert told is not None
    assert (told.message.id, told.body, told.stop) == (message, "Hi Ana", None)
    assert told.trace == (TraceLine("clock_sane", "pass", "first look"),)
    (attempt,) = told.attempts
    assert (attempt.id, attempt.number, attempt.answer, attempt.provider) == (
        attempt_id,
        1,
        AttemptAnswer.OPEN,
        "practice",
    )
    assert attempt.trace == told.trace


def test_why_it_is_held_are_the_answers_of_the_guards_that_hold_it(world: World) -> None:
    message = queued(world)
    note = world.sending(message)
    world.put_back(note)
    with world.store.open_uow() as uow:
        world.lease(uow, message, NOW)
    world.move_message(message, MessageState.QUEUED, try_at=LATER, hold_why=Why.CLINIC_CLOSED, trace=CLOSED)
    with world.store.open_reader() as reads:
        held = reads.why(message)
    assert held is not None
    assert held.trace == (
        TraceLine("clock_sane", "pass", ""),
        TraceLine("clinic_hours", "hold: clinic_closed", "closed"),
    )
    assert [attempt.why for attempt in held.attempts] == [Why.BUSY]
    # when it is let through after all, the newest try's answers count
    world.accepted(message, at=LATER)
    with world.store.open_reader() as reads:
        went = reads.why(message)
    assert went is not None
    assert went.trace == (TraceLine("clock_sane", "pass", "first look"),)
    assert [attempt.number for attempt in went.attempts] == [1, 2]


def test_a_message_never_tried_shows_what_stopped_it(world: World) -> None:
    ana = world.person("Ana")
    message = queued(world, ana)
    stop(world, ana)
    with world.store.open_reader() as reads:
        told = reads.why(message)
        assert reads.why(MessageId(999)) is None
    assert told is not None
    assert (told.message.state, told.message.cancel_reason) == (MessageState.CANCELLED, Why.STAFF_STOP)
    assert (told.trace, told.attempts) == ((), ())
    assert told.stop is not None
    assert (told.stop.kind, told.stop.actor, told.stop.happened_at) == ("stopped", "Dana", LATER)


def test_a_message_that_was_asked_to_stop_says_when_and_by_what(world: World) -> None:
    ana = world.person("Ana")
    message = queued(world, ana)
    world.sending(message)
    stop(world, ana, EventKind.REPLIED)
    with world.store.open_reader() as reads:
        told = reads.why(message)
    assert told is not None
    assert told.message.stop_requested_at == LATER
    assert told.stop is not None
    assert told.stop.kind == "replied"


def test_i15_an_erased_person_s_message_is_still_explained_without_words_or_name(world: World) -> None:
    ana = world.person("Ana", email="ana@example.com")
    message = queued(world, ana)
    world.accepted(message)
    with world.store.session.write() as connection:
        connection.execute(t.message.update().values(body="", subject="", to_address=None))
        connection.execute(
            t.person.update().values(first_name="", last_name="", email=None, phone=None, erased_at=LATER)
        )
    with world.store.open_reader() as reads:
        told = reads.why(message)
    assert told is not None
    assert (told.message.name, told.message.to, told.body, told.message.state) == ("", "", "", MessageState.ACCEPTED)
    assert len(told.trace) == 1
