"""For every trigger a statement that it is there to refuse, and the rows to ask it of: a function with its name."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import sqlalchemy as sa

from app.domain.ids import MessageId
from app.domain.states import Channel, MessageState
from app.engine.ports import LogLine
from app.store import tables as t
from app.store.seals import seal_log
from tests.builders import NOW, World

AT = "2026-03-02T18:00:00.000000Z"
LONG_AGO = "2020-01-01T00:00:00.000000Z"

ENROLL = (
    "INSERT INTO enrollment (person_id, journey_id, journey_version_id, entry_key, entered_at, state, step,"
    " step_entered_at, wake_at, send_budget, ended_at, end_detail)"
    " VALUES (:person, :journey, :version, 'again', :at, :state, 'hello', :at, :wake, :budget, :ended, :detail)"
)
QUEUE = (
    "INSERT INTO message (enrollment_id, person_id, location_id, step, channel, attempts, due_at, try_at, created_at)"
    " VALUES (:enrollment, :person, :location, :step, 'email', :attempts, :at, :at, :at)"
)
ATTEMPT = (
    "INSERT INTO attempt (message_id, number, key, worker, noted_at, answer, answered_at, provider, trace)"
    " VALUES (:message, 1, :key, 'w', :at, :answer, :answered, 'practice', '[]')"
)
TO_SENDING = "UPDATE message SET state = 'sending', version = version + 1 WHERE id = :id"

Asked = tuple[str, dict[str, object]]
CASES: dict[str, Callable[[World], Asked]] = {}


def case(make: Callable[[World], Asked]) -> Callable[[World], Asked]:
    """A case of the trigger whose name it has."""
    CASES[make.__name__] = make
    return make


def _enrollment(world: World, **changes: object) -> dict[str, object]:
    journey = world.journey()
    given: dict[str, object] = {
        "person": world.person(),
        "journey": journey.id,
        "version": journey.version_id,
        "at": AT,
        "wake": AT,
        "state": "active",
        "budget": journey.send_budget,
        "ended": None,
        "detail": None,
    }
    return given | changes


def _message(world: World) -> MessageId:
    return world.message(world.enrollment(world.person(), world.journey()))


def _ended(world: World) -> int:
    enrollment_id = world.enrollment(world.person(), world.journey())
    world.end(enrollment_id)
    return enrollment_id


def _leased_and_noted(world: World) -> MessageId:
    """A leased message with everything that `sending` needs: an address, a note and an open attempt."""
    message_id = _message(world)
    with world.store.session.write() as connection:
        person = connection.execute(
            sa.select(t.person.c.email).join(t.message).where(t.message.c.id == message_id)
        ).scalar_one()
        connection.execute(
            sa.update(t.message)
            .where(t.message.c.id == message_id)
            .values(state="leased", version=2, lease_token="w", lease_until=NOW, to_address=person, noted_at=NOW)
        )
        given = {"message": message_id, "key": f"k{message_id}", "at": AT, "answer": "open", "answered": None}
        connection.execute(sa.text(ATTEMPT), given)
    return message_id


@case
def enrollment_starts_live(world: World) -> Asked:
    return ENROLL, _enrollment(world, state="stopped", wake=None, ended=AT, detail="staff_stop")


@case
def enrollment_proven(world: World) -> Asked:
    return ENROLL, _enrollment(world, budget=3)


@case
def enrollment_ended(world: World) -> Asked:
    return "UPDATE enrollment SET step = 'nudge', version = version + 1 WHERE id = :id", {"id": _ended(world)}


@case
def enrollment_versioned(world: World) -> Asked:
    id_ = world.enrollment(world.person(), world.journey())
    return "UPDATE enrollment SET state = 'paused' WHERE id = :id", {"id": id_}


@case
def enrollment_ways(world: World) -> Asked:
    back = "UPDATE enrollment SET state = 'active', ended_at = NULL, end_detail = NULL, wake_at = :at,"
    return f"{back} version = version + 1 WHERE id = :id", {"id": _ended(world), "at": AT}


@case
def enrollment_fixed(world: World) -> Asked:
    id_ = world.enrollment(world.person(), world.journey())
    return "UPDATE enrollment SET entry_key = 'again' WHERE id = :id", {"id": id_}


@case
def enrollment_budget_fixed(world: World) -> Asked:
    id_ = world.enrollment(world.person(), world.journey(), send_budget=1)
    return "UPDATE enrollment SET send_budget = 2 WHERE id = :id", {"id": id_}


@case
def enrollment_moved(world: World) -> Asked:
    journey = world.journey()
    id_ = world.enrollment(world.person(), journey)
    newer = world.new_version(journey, world.row(t.journey_version, journey.version_id)["document"], send_budget=1)
    return "UPDATE enrollment SET journey_version_id = :version WHERE id = :id", {
        "id": id_,
        "version": newer.version_id,
    }


@case
def enrollment_kept(world: World) -> Asked:
    return "DELETE FROM enrollment WHERE id = :id", {"id": _ended(world)}


def _queued(world: World, enrollment_id: int, **changes: object) -> Asked:
    person = world.row(t.enrollment, enrollment_id)["person_id"]
    given: dict[str, object] = {"enrollment": enrollment_id, "person": person, "location": world.portland}
    return QUEUE, given | {"step": "hello", "attempts": 0, "at": AT} | changes


@case
def message_starts_queued(world: World) -> Asked:
    return _queued(world, world.enrollment(world.person(), world.journey()), attempts=1)


@case
def message_of_live_enrollment(world: World) -> Asked:
    return _queued(world, _ended(world))


@case
def message_within_budget(world: World) -> Asked:
    id_ = world.enrollment(world.person(), world.journey(), send_budget=1)
    world.message(id_)
    return _queued(world, id_, step="nudge")


@case
def message_versioned(world: World) -> Asked:
    cancel = "UPDATE message SET state = 'cancelled', reason = 'reply', final_at = :at WHERE id = :id"
    return cancel, {"id": _message(world), "at": AT}


@case
def message_ways(world: World) -> Asked:
    failed = "UPDATE message SET state = 'failed', reason = 'refused', final_at = :at, version = version + 1"
    return f"{failed} WHERE id = :id", {"id": _message(world), "at": AT}


@case
def message_final(world: World) -> Asked:
    message_id = _message(world)
    world.move_message(message_id, MessageState.CANCELLED)
    return "UPDATE message SET reason = 'goal' WHERE id = :id", {"id": message_id}


@case
def message_fixed(world: World) -> Asked:
    return "UPDATE message SET step = 'nudge' WHERE id = :id", {"id": _message(world)}


@case
def message_noted(world: World) -> Asked:
    message_id = _leased_and_noted(world)
    with world.store.session.write() as connection:
        connection.execute(
            sa.update(t.attempt).where(t.attempt.c.message_id == message_id).values(answer="not_made", answered_at=NOW)
        )
    return TO_SENDING, {"id": message_id}


@case
def message_follow_up_runs(world: World) -> Asked:
    message_id = _leased_and_noted(world)
    world.end(world.row(t.message, message_id)["enrollment_id"])
    return TO_SENDING, {"id": message_id}


@case
def message_not_suppressed(world: World) -> Asked:
    message_id = _leased_and_noted(world)
    world.suppress(Channel.EMAIL, world.row(t.message, message_id)["to_address"])
    return TO_SENDING, {"id": message_id}


@case
def message_kept(world: World) -> Asked:
    return "DELETE FROM message WHERE id = :id", {"id": _message(world)}


@case
def attempt_starts_open(world: World) -> Asked:
    message_id = _message(world)
    return ATTEMPT, {"message": message_id, "key": "new", "at": AT, "answer": "accepted", "answered": AT}


@case
def attempt_answered_once(world: World) -> Asked:
    message_id = _leased_and_noted(world)
    with world.store.session.write() as connection:
        connection.execute(
            sa.update(t.attempt).where(t.attempt.c.message_id == message_id).values(answer="accepted", answered_at=NOW)
        )
    return "UPDATE attempt SET code = '21610' WHERE message_id = :id", {"id": message_id}


@case
def attempt_note_fixed(world: World) -> Asked:
    return "UPDATE attempt SET trace = '[1]' WHERE message_id = :id", {"id": _leased_and_noted(world)}


@case
def attempt_kept(world: World) -> Asked:
    return "DELETE FROM attempt WHERE message_id = :id", {"id": _leased_and_noted(world)}


@case
def template_version_fixed(world: World) -> Asked:
    version = world.journey().templates["hello"]
    return "UPDATE template_version SET body = 'Buy now' WHERE id = :id", {"id": version}


@case
def template_version_kept(world: World) -> Asked:
    return "DELETE FROM template_version WHERE id = :id", {"id": world.journey().templates["hello"]}


@case
def journey_version_fixed(world: World) -> Asked:
    return "UPDATE journey_version SET send_budget = 99 WHERE id = :id", {"id": world.journey().version_id}


@case
def journey_version_kept(world: World) -> Asked:
    return "DELETE FROM journey_version WHERE id = :id", {"id": world.journey().version_id}


@case
def person_versioned(world: World) -> Asked:
    return "UPDATE person SET contact = 'do_not_contact' WHERE id = :id", {"id": world.person()}


@case
def person_ways(world: World) -> Asked:
    person = world.person()
    with world.store.session.write() as connection:
        blocked = {"contact": "do_not_contact", "version": 2}
        connection.execute(sa.update(t.person).where(t.person.c.id == person).values(blocked))
    back = "UPDATE person SET contact = 'with_staff', with_staff_since = :at, version = version + 1 WHERE id = :id"
    return back, {"id": person, "at": AT}


@case
def consent_fixed(world: World) -> Asked:
    return "UPDATE consent SET act = 'revoked' WHERE id = :id", {"id": world.consent(world.person())}


@case
def consent_kept(world: World) -> Asked:
    person = world.person()
    consent = world.consent(person)
    world.manual_message(person)
    return "DELETE FROM consent WHERE id = :id", {"id": consent}


def _suppressed(world: World, *, lifted: bool = False) -> int:
    address = f"entry{world.person()}@example.com"
    world.suppress(Channel.EMAIL, address)
    if lifted:
        with world.store.open_uow() as uow:
            uow.people.lift_suppression(Channel.EMAIL, address, "signed form", NOW)
    return int(world.rows(t.suppression, address_key=address)[0]["id"])


@case
def suppression_fixed(world: World) -> Asked:
    again = "UPDATE suppression SET lifted_at = NULL WHERE id = :id"
    return again, {"id": _suppressed(world, lifted=True)}


@case
def suppression_stays(world: World) -> Asked:
    return "UPDATE suppression SET channel = 'call' WHERE id = :id", {"id": _suppressed(world)}


@case
def suppression_address_stays(world: World) -> Asked:
    other = "UPDATE suppression SET address_key = 'other@example.com' WHERE id = :id"
    return other, {"id": _suppressed(world)}


@case
def suppression_kept(world: World) -> Asked:
    return "DELETE FROM suppression WHERE id = :id", {"id": _suppressed(world)}


@case
def inbox_event_fixed(world: World) -> Asked:
    return "UPDATE inbox_event SET kind = 'opened' WHERE id = :id", {"id": world.event(world.person())}


@case
def inbox_event_applied_once(world: World) -> Asked:
    event_id = world.event(world.person())
    with world.store.open_uow() as uow:
        uow.events.mark_applied(event_id, NOW)
    return "UPDATE inbox_event SET applied_at = NULL, state = 'received' WHERE id = :id", {"id": event_id}


@case
def inbox_event_kept(world: World) -> Asked:
    return "DELETE FROM inbox_event WHERE id = :id", {"id": world.event(None)}


@case
def inbox_raw_fixed(world: World) -> Asked:
    event_id = world.event(None)
    with world.store.open_uow() as uow:
        uow.inbox.keep_raw(event_id, b"From: ana@example.com", cut=False)
    return "UPDATE inbox_raw SET cut = :cut WHERE event_id = :id", {"id": event_id, "cut": True}


def _logged(world: World) -> None:
    with world.store.open_uow() as uow:
        uow.log.add([LogLine(NOW, "test.line")])
    seal_log(world.store.session, NOW + timedelta(days=1))


@case
def log_entry_fixed(world: World) -> Asked:
    _logged(world)
    return "UPDATE log_entry SET event = 'nothing.happened'", {}


@case
def log_entry_kept(world: World) -> Asked:
    _logged(world)
    return "DELETE FROM log_entry", {}


@case
def log_seal_fixed(world: World) -> Asked:
    _logged(world)
    return "UPDATE log_seal SET hash = ''", {}


@case
def log_seal_kept(world: World) -> Asked:
    _logged(world)
    return "DELETE FROM log_seal", {}
