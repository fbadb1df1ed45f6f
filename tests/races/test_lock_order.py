"""PostgreSQL: who waits for whom. Locks go person, follow-up, message; what is only woken is never waited for.

SQLite has one writer and needs none of this. A second desk is a second transaction here, with a short patience.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.domain.answer import Absent, Accepted, Transient, Unknown
from app.domain.ids import EnrollmentId, PersonId
from app.domain.reasons import Why
from app.domain.states import Channel, Contact, Purpose
from app.engine.consent_ports import ConsentNew
from app.engine.hold import mark_handled
from app.engine.reconcile import Reconcile
from app.engine.record import Result, record
from app.service.import_people import PeopleImport, PeopleOrder
from app.store import tables as t
from app.store.session import Session
from app.store.unit_of_work import EngineUow, Store
from tests.blocked import wait_until_blocked
from tests.builders import LATER, NOW, journey_document
from tests.stage import Stage


@pytest.fixture
def stage(postgres_database_url: str) -> Iterator[Stage]:
    session = Session(postgres_database_url)
    yield Stage(Store(session))
    session.dispose()


@contextmanager
def impatient(stage: Stage) -> Iterator[EngineUow]:
    """Another desk's transaction, which fails when it has to wait for a lock."""
    with stage.store.open_uow() as uow:
        uow.connection.exec_driver_sql("SET LOCAL lock_timeout = '200ms'")
        yield uow


def held_for(stage: Stage, why: Why) -> tuple[PersonId, EnrollmentId]:
    """A person with one follow-up that is held, and another whose queued message is."""
    person = stage.world.person()
    stage.world.consent(person)
    held = stage.world.enrollment(person, stage.world.journey(), hold_why=why.value, wake_at=LATER)
    other = stage.world.enrollment(person, stage.world.journey())
    stage.world.message(other, hold_why=why.value, try_at=LATER)
    return person, held


def test_a_channel_that_comes_back_waits_for_no_stop(stage: Stage) -> None:
    person, _ = held_for(stage, Why.CHANNEL_PAUSED)
    free = held_for(stage, Why.CHANNEL_PAUSED)[1]
    with stage.store.open_uow() as uow:
        uow.engine.pause_channel(Channel.EMAIL, Why.OFFLINE, "fake", NOW, LATER)
    with stage.store.open_uow() as stop:
        stop.people.lock([person], to_write=True)
        ids = stop.enrollments.live_of(person)
        stop.outbox.cancel_waiting(ids, Why.STAFF_STOP, None, NOW)
        with impatient(stage) as engine:
            assert engine.engine.resume_channel(Channel.EMAIL, NOW)
    assert stage.world.row(t.enrollment, free)["wake_at"] == NOW


def test_going_on_waits_for_no_stop(stage: Stage) -> None:
    person, _ = held_for(stage, Why.SENDING_PAUSED)
    with stage.store.open_uow() as uow:
        uow.engine.pause(Why.SENDING_PAUSED, "Dana", NOW)
    with stage.store.open_uow() as stop:
        stop.people.lock([person], to_write=True)
        stop.outbox.cancel_waiting(stop.enrollments.live_of(person), Why.STAFF_STOP, None, NOW)
        with impatient(stage) as desk:
            assert desk.engine.resume("Dana", NOW)


def test_a_worker_that_ends_in_good_order_waits_for_no_stop(stage: Stage) -> None:
    person, _ = stage.lead()
    stage.tick()
    with stage.store.open_uow() as uow:
        uow.outbox.lease(NOW, LATER, "worker", 10)
    with stage.store.open_uow() as stop:
        stop.people.lock([person], to_write=True)
        stop.outbox.cancel_waiting(stop.enrollments.live_of(person), Why.STAFF_STOP, None, NOW)
        with impatient(stage) as engine:
            assert engine.outbox.release("worker") == 0


def test_a_look_up_locks_the_follow_up_before_its_message(stage: Stage) -> None:
    person, _ = stage.lead()
    stage.provider.script = lambda _note: Unknown(Why.NO_ANSWER)
    stage.provider.look_up = lambda _note: Absent(sure=False)
    stage.run()
    stage.clock.set(LATER)
    reconcile: Reconcile = stage.another().reconcile
    with stage.store.open_uow() as stop:
        stop.people.lock([person], to_write=True)
        ids = stop.enrollments.live_of(person)
        asking = threading.Thread(target=reconcile.run)
        asking.start()
        wait_until_blocked(stage.store)
        stop.connection.exec_driver_sql("SET LOCAL lock_timeout = '200ms'")
        assert len(stop.outbox.request_stop(ids, None, LATER)) == 1
    asking.join()
    assert stage.world.rows(t.message)[0]["lookups"] == 1


def test_late_answers_lock_every_follow_up_before_any_message(stage: Stage) -> None:
    """Answers of a worker that was frozen: the first was given up meanwhile, the second is still awaited."""
    (person, _), (_, second) = stage.lead(), stage.lead()
    stage.provider.script = lambda _note: Unknown(Why.NO_ANSWER)
    stage.run()
    given_up, awaited = stage.provider.asked
    with stage.store.open_uow() as uow:
        record(uow, [Result(given_up, Transient(Why.NOT_AT_PROVIDER), NOW, NOW, not_found=True)], NOW)
    worker = stage.another().deliver
    worker.kept.extend(Result(note, Accepted("F1", NOW), NOW, NOW) for note in (awaited, given_up))
    with stage.store.open_uow() as stop:
        stop.people.lock([person], to_write=True)
        stop.enrollments.live_of(person)
        writing = threading.Thread(target=worker.write_kept)
        writing.start()
        wait_until_blocked(stage.store)
        stop.connection.exec_driver_sql("SET LOCAL lock_timeout = '200ms'")
        stop.enrollments.lock([second])
    writing.join()
    assert {row["state"] for row in stage.world.rows(t.message)} == {"accepted"}


def test_what_staff_decide_about_is_leased_by_nobody_meanwhile(stage: Stage) -> None:
    """Else one message that a worker takes in hand just then fails the decision about hundreds."""
    _, enrollment = stage.lead()
    facts = {"since": NOW.isoformat()}
    stage.world.message(enrollment, hold_why="overdue", hold_facts=facts, try_at=NOW)
    with stage.store.open_uow() as desk:
        assert len(desk.overdue.messages([enrollment])) == 1
        with impatient(stage) as engine:
            assert engine.outbox.lease(NOW, LATER, "worker", 10) == []


@pytest.mark.parametrize("lifts", ["handled", "consent"])
def test_what_lifts_a_hold_sees_the_hold_that_a_tick_is_just_writing(stage: Stage, lifts: str) -> None:
    """Else the follow-up would sleep on for hours, held for a reason that is gone."""
    person, enrollment = stage.lead()
    if lifts == "handled":
        with stage.store.open_uow() as uow:
            uow.people.bump(person, Contact.WITH_STAFF, NOW)
    else:
        person = stage.world.person()
        enrollment = stage.world.enrollment(person, stage.world.journey(document=TEXT_FIRST))
    threads: list[threading.Thread] = []

    def lift() -> None:
        threads.append(threading.Thread(target=LIFTS[lifts], args=(stage, person)))
        threads[0].start()
        wait_until_blocked(stage.store)

    stage.at("tick.before_commit", lift)
    stage.tick()
    stage.disarm()
    threads[0].join()
    assert stage.tick().queued == 1
    assert stage.messages(enrollment)[0][1] == "queued"


def test_an_import_locks_everyone_it_is_about_at_once(stage: Stage, tmp_path: Path) -> None:
    """Else an import that has the last of two people and wants the first meets a window that has the first."""
    people = [stage.world.person(source=source) for source in ("web", "")]
    rows = [stage.world.row(t.person, person) for person in people]
    lines = [f"{row['first_name']},{row['last_name']},{row['email']},{row['phone']},web" for row in rows]
    file = tmp_path / "people.csv"
    file.write_text("\n".join(("First name,Last name,Email,Phone,Source", *lines)))
    order = PeopleOrder(file, "Dana", consent="form")
    with stage.store.open_uow() as window:
        window.people.lock(people[:1], to_write=True)
        importing = threading.Thread(target=PeopleImport(stage.store.open_uow, stage.clock).run, args=(order,))
        importing.start()
        wait_until_blocked(stage.store)
        window.connection.exec_driver_sql("SET LOCAL lock_timeout = '200ms'")
        window.people.lock(people, to_write=True)
    importing.join()
    assert stage.world.row(t.person, people[1])["source"] == "web"
    assert len(stage.world.rows(t.consent)) == 2


def handled(stage: Stage, person: PersonId) -> None:
    with stage.store.open_uow() as uow:
        assert mark_handled(uow, person, "Dana", NOW)


def agreed(stage: Stage, person: PersonId) -> None:
    phone = str(stage.world.row(t.person, person)["phone"])
    consent = ConsentNew(person, Channel.SMS, Purpose.MARKETING, "given", phone, NOW, "form", "", "", "Dana", None)
    with stage.store.open_uow() as uow:
        uow.consents.add([consent], NOW)


LIFTS = {"handled": handled, "consent": agreed}
TEXT_FIRST = journey_document(
    steps={
        "nudge": {"do": "sms", "template": "nudge", "next": "done"},
        "done": {"do": "end", "as": "exhausted"},
    },
)
