"""Growth: with 50,000 people asleep every statement of the engine finds its few rows by an index (ENGINE C5)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from app.domain.events import EventKind, InboxEvent
from app.domain.ids import AttemptId, EnrollmentId, InboxEventId, MessageId, PersonId, StepId
from app.domain.reasons import Why
from app.domain.states import Channel, EnrollmentState, WaitsFor
from app.engine.ports import EnrollmentMove
from app.store.session import Session
from app.store.unit_of_work import EngineUow
from app.store.whose_turn import wake_next
from tests.builders import NOW, TOKEN, World
from tests.databases import BOTH, fresh_database

SLEEPERS = 50_000
DUE = 100
BIG = ("enrollment", "message", "person", "record", "inbox_event")
AT = "2026-03-02T18:00:00.000000Z"
NEXT_YEAR = "2027-03-02T18:00:00.000000Z"
NUMBERS = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {SLEEPERS}) SELECT "

FILL = (
    "INSERT INTO person (location_id, last_name, email, created_at, updated_at)"
    f" {NUMBERS} {{location}}, 'Nr' || i, 'p' || i || '@example.com', '{AT}', '{AT}' FROM n",
    "INSERT INTO enrollment (person_id, journey_id, journey_version_id, entry_key, entered_at, step, step_entered_at,"
    " wake_at, send_budget) SELECT id, {journey}, {version}, 'once',"
    f" '{AT}', 'hello', '{AT}', CASE WHEN id % {SLEEPERS // DUE} = 0 THEN '{AT}' ELSE '{NEXT_YEAR}' END, 2 FROM person",
    "INSERT INTO message (enrollment_id, person_id, location_id, step, channel, due_at, try_at, created_at)"
    f" SELECT id, person_id, {{location}}, 'hello', 'email', '{AT}', wake_at, '{AT}' FROM enrollment",
    # all but the due ones are history: the outbox holds what is due and little else
    f"UPDATE message SET state = 'cancelled', reason = 'reply', final_at = '{AT}', version = 2 WHERE try_at > '{AT}'",
    "INSERT INTO record (person_id, kind, status, created_at, status_changed_at)"
    f" SELECT id, 'appointment', 'booked', '{AT}', '{AT}' FROM person",
    "INSERT INTO inbox_event (source, key, kind, person_id, happened_at, received_at)"
    f" SELECT 'test', id, 'opened', id, '{AT}', '{AT}' FROM person",
    "ANALYZE",
)


@pytest.fixture(scope="module", params=BOTH)
def sleeping(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """50,000 people in a journey, 100 of them due now with their message; everybody has a record and an event."""
    databases = fresh_database(request.param, tmp_path_factory.mktemp("sleeping"), request)
    world = World.at(Session(next(databases)))
    journey = world.journey()
    with world.store.session.write() as connection:
        if not world.store.session.is_sqlite:
            connection.exec_driver_sql("SET LOCAL session_replication_role = replica")  # no triggers: it is much faster
        for statement in FILL:
            told = statement.format(location=world.portland, journey=journey.id, version=journey.version_id)
            if not world.store.session.is_sqlite:
                # PostgreSQL does not take a text out of a SELECT for a time by itself
                told = re.sub(r"('\d{4}-\d\d-\d\dT[\d:.]+Z')", r"\1::timestamptz", told).replace(
                    "'test', id", "'test', id::text"
                )
            connection.exec_driver_sql(told, execution_options={"no_parameters": True})
    yield world
    world.store.session.dispose()
    next(databases, None)


def plans_of(world: World, work: Callable[[EngineUow], object]) -> dict[str, str]:
    """Every statement that `work` sends -> its plan, as the database tells it."""
    sent: list[tuple[str, Any]] = []

    def note(_connection: object, _cursor: object, statement: str, parameters: Any, _c: object, many: bool) -> None:
        sent.append((statement, parameters[0] if many and isinstance(parameters, list) else parameters))

    engine = world.store.session._writes
    with world.rolled_back() as connection:
        sa.event.listen(engine, "before_cursor_execute", note)
        work(EngineUow(connection, world.store.memory))
        sa.event.remove(engine, "before_cursor_execute", note)
        explain = "EXPLAIN QUERY PLAN " if world.store.session.is_sqlite else "EXPLAIN "
        plans = {}
        for statement, parameters in sent:
            rows = connection.exec_driver_sql(explain + statement, parameters).all()
            plans[statement] = "\n".join(str(row[-1]) for row in rows)
    return plans


def scans(plan: str) -> list[str]:
    """The big tables that a plan reads from end to end."""
    found = re.findall(r"^SCAN (\w+)(?! USING (?:COVERING )?INDEX)", plan, re.MULTILINE)
    found += re.findall(r"Seq Scan on (\w+)", plan)
    return [table for table in found if table in BIG]


def a_few(world: World) -> tuple[list[PersonId], list[EnrollmentId], list[MessageId]]:
    """Three people with their enrollments and messages."""
    with world.store.session.read() as connection:
        rows = connection.exec_driver_sql("SELECT person_id, enrollment_id, id FROM message ORDER BY id LIMIT 3").all()
    return (
        [PersonId(row[0]) for row in rows],
        [EnrollmentId(row[1]) for row in rows],
        [MessageId(row[2]) for row in rows],
    )


def test_the_due_ones_are_found_by_the_partial_index_in_its_order(sleeping: World) -> None:
    plans = plans_of(sleeping, lambda uow: uow.enrollments.claim_due(NOW, DUE))

    due, resuming = plans.values()
    assert "ix_enrollment_due" in due
    assert "ix_enrollment_resume" in resuming
    for plan in (due, resuming):
        assert "TEMP B-TREE" not in plan
        assert "Sort" not in plan
        assert not scans(plan)


def test_all_due_ones_are_claimed_and_none_of_the_sleepers(sleeping: World) -> None:
    with sleeping.rolled_back() as connection:
        claimed = EngineUow(connection, sleeping.store.memory).enrollments.claim_due(NOW, SLEEPERS)

    assert len(claimed) == DUE


def test_messages_to_lease_are_found_by_the_partial_index(sleeping: World) -> None:
    plans = plans_of(sleeping, lambda uow: uow.outbox.lease(NOW, NOW + timedelta(minutes=1), TOKEN, 100))

    (plan,) = plans.values()
    assert "ix_message_queued" in plan
    assert not scans(plan)


def slept(enrollment: EnrollmentId) -> EnrollmentMove:
    """A move that changes nothing but the version."""
    active, nothing = EnrollmentState.ACTIVE, WaitsFor.NOTHING
    return EnrollmentMove(enrollment, 1, active, StepId("hello"), 1, nothing, NOW, NOW)


WORK: dict[str, Callable[[EngineUow, list[PersonId], list[EnrollmentId], list[MessageId]], object]] = {
    "tick: moves": lambda uow, p, e, m: uow.enrollments.move([slept(enrollment) for enrollment in e]),
    "tick: snapshots": lambda uow, p, e, m: uow.snapshots.of_enrollments(e, NOW),
    "tick: the next in turn": lambda uow, p, e, m: wake_next(uow.connection, e, NOW, NOW),
    "overdue: messages": lambda uow, p, e, m: uow.overdue.messages(e),
    "deliver: snapshots": lambda uow, p, e, m: uow.snapshots.of_messages(m, NOW),
    "deliver: leases that ran out": lambda uow, p, e, m: uow.outbox.release_expired(NOW),
    "deliver: leases given back": lambda uow, p, e, m: uow.outbox.release(TOKEN),
    "record: in hand": lambda uow, p, e, m: uow.outbox.in_hand([AttemptId(1)]),
    "reconcile": lambda uow, p, e, m: uow.outbox.expired_sending(NOW, 100),
    "reconcile: stranded": lambda uow, p, e, m: uow.enrollments.wake_stranded(NOW),
    "stop: live": lambda uow, p, e, m: uow.enrollments.live_of(p[0]),
    "stop: cancel": lambda uow, p, e, m: uow.outbox.cancel_waiting(e, Why.REPLY, None, NOW),
    "stop: on their way": lambda uow, p, e, m: uow.outbox.request_stop(e, None, NOW),
    "stop: accepted": lambda uow, p, e, m: uow.outbox.last_accepted(e),
    "stop: email": lambda uow, p, e, m: uow.people.with_address(Channel.EMAIL, "p7@example.com"),
    "stop: phone": lambda uow, p, e, m: uow.people.with_address(Channel.SMS, "+15035550143"),
    "stop: everybody's": lambda uow, p, e, m: uow.stops.live_of(p),
    "stop: sender": lambda uow, p, e, m: uow.stops.written_to_last(p, "+15035550143"),
    "stop: closed": lambda uow, p, e, m: uow.stops.cancel_to(p[0], list(Channel), e, Why.REPLY, InboxEventId(1), NOW),
    "stop: last": lambda uow, p, e, m: uow.stops.last_accepted_by(p[0]),
    "stop: lifted": lambda uow, p, e, m: uow.stops.was_lifted(Channel.SMS, "+15035550143"),
    "stop: copy": lambda uow, p, e, m: uow.inbox.differs(InboxEvent("test", "7", EventKind.OTHER, NOW, NOW)),
    "status: due": lambda uow, p, e, m: uow.statuses.claim("fake", NOW, NOW, 100),
    "status: one": lambda uow, p, e, m: uow.statuses.standing(m[0]),
    "stop: known": lambda uow, p, e, m: uow.events.known("test", "7"),
    "stop: person": lambda uow, p, e, m: uow.people.read(p[0]),
    "stop: list": lambda uow, p, e, m: uow.people.suppress(Channel.EMAIL, "p7@example.com", Why.REPLY, None, None, NOW),
    "goal": lambda uow, p, e, m: uow.people.record_goal(p[0], "appointment", "booked", "event-1", NOW),
    "handled: follow-ups": lambda uow, p, e, m: uow.enrollments.nudge(p[0], [Why.WITH_STAFF], NOW),
    "handled: messages": lambda uow, p, e, m: uow.outbox.wake_held(p[0], NOW),
    "going on": lambda uow, p, e, m: (uow.engine.pause(Why.REPLY, "", NOW), uow.engine.resume("", NOW)),
}


@pytest.mark.parametrize("name", sorted(WORK))
def test_nothing_the_engine_asks_reads_a_table_from_end_to_end(sleeping: World, name: str) -> None:
    few = a_few(sleeping)

    plans = plans_of(sleeping, lambda uow: WORK[name](uow, *few))

    assert plans
    assert {statement: scans(plan) for statement, plan in plans.items() if scans(plan)} == {}


def test_a_plan_that_reads_everything_would_be_noticed(sleeping: World) -> None:
    """The test of the test."""
    plans = plans_of(
        sleeping, lambda uow: uow.connection.exec_driver_sql("SELECT count(*) FROM enrollment WHERE reason = 'x'")
    )

    assert [scans(plan) for plan in plans.values()] == [["enrollment"]]
