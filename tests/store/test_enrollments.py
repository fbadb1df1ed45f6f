"""The door to enrollments: what is due, who holds it, and which pictures are written."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from app.domain.ids import EnrollmentId, StepId
from app.domain.reasons import Why
from app.domain.states import TERMINAL, EnrollmentState, WaitsFor
from app.engine.ports import EnrollmentMove
from app.store import tables as t
from app.store.session import Session
from tests.builders import LATER, NOW, World, ended_move

MINUTE = timedelta(minutes=1)


def move_of(world: World, enrollment: int) -> EnrollmentMove:
    """A move that changes nothing: held where it stands, asked again in a minute."""
    row = world.row(t.enrollment, enrollment)
    return EnrollmentMove(
        id=row["id"],
        seen_version=row["version"],
        state=EnrollmentState(row["state"]),
        step=row["step"],
        pass_no=row["pass_no"],
        waits_for=WaitsFor(row["waits_for"]),
        step_entered_at=row["step_entered_at"],
        wake_at=LATER,
    )


def test_the_due_ones_come_oldest_first_and_no_more_than_asked_for(world: World) -> None:
    journey = world.journey()
    waits = (3, 1, 2, -5)
    made = {n: world.enrollment(world.person(), journey, wake_at=NOW - n * MINUTE) for n in waits}

    with world.store.open_uow() as uow:
        assert uow.enrollments.claim_due(NOW, 10) == [made[3], made[2], made[1]]
        assert uow.enrollments.claim_due(NOW, 2) == [made[3], made[2]]


def test_a_pause_that_is_over_is_due_with_the_others(world: World) -> None:
    journey = world.journey()
    paused = world.enrollment(world.person(), journey, state="paused", paused_until=NOW - 2 * MINUTE, wake_at=LATER)
    world.enrollment(world.person(), journey, state="paused", paused_until=LATER)
    world.enrollment(world.person(), journey, state="paused")
    active = world.enrollment(world.person(), journey, wake_at=NOW - MINUTE)

    with world.store.open_uow() as uow:
        assert uow.enrollments.claim_due(NOW, 10) == [paused, active]


def test_ended_ones_and_those_that_wait_for_a_message_are_never_due(world: World) -> None:
    journey = world.journey()
    world.end(world.enrollment(world.person(), journey))
    world.enrollment(world.person(), journey, waits_for=WaitsFor.MESSAGE)

    with world.store.open_uow() as uow:
        assert uow.enrollments.claim_due(NOW + timedelta(days=400), 10) == []


def test_two_workers_claim_different_ones(postgres_database_url: str) -> None:
    """SKIP LOCKED: the second neither waits nor gets what the first holds."""
    session = Session(postgres_database_url)
    world = World.at(session)
    journey = world.journey()
    made = [world.enrollment(world.person(), journey, wake_at=NOW - n * MINUTE) for n in (4, 3, 2, 1)]
    paused = world.enrollment(world.person(), journey, state="paused", paused_until=NOW - 9 * MINUTE)

    with world.store.open_uow() as first:
        held = first.enrollments.claim_due(NOW, 3)
        with world.store.open_uow() as second:
            rest = second.enrollments.claim_due(NOW, 10)

    assert list(held) == [paused, *made[:2]]
    assert set(rest) <= {*made[2:]}  # the first locked more than it kept
    session.dispose()


def test_the_bare_row_can_be_read_whatever_else_is_wrong(world: World) -> None:
    ana = world.person()
    made = world.enrollment(ana, world.journey(), wake_at=NOW)

    with world.store.open_uow() as uow:
        rows = uow.enrollments.rows([made, EnrollmentId(999)])

    assert list(rows) == [made]
    assert (rows[made].seen.wake_at, rows[made].person_id) == (NOW, ana)


def test_live_ones_of_a_person_by_id(world: World) -> None:
    ana = world.person()
    first = world.enrollment(ana, world.journey())
    world.end(world.enrollment(ana, world.journey()))
    third = world.enrollment(ana, world.journey(), state="paused")
    world.enrollment(world.person(), world.journey())

    with world.store.open_uow() as uow:
        assert uow.enrollments.live_of(ana) == [first, third]
        uow.enrollments.lock([first, third])


def test_a_move_writes_the_whole_picture_and_a_new_version(world: World) -> None:
    enrollment = world.enrollment(world.person(), world.journey())
    held = replace(
        move_of(world, enrollment),
        step=StepId("nudge"),
        pass_no=2,
        hold_why=Why.CLINIC_CLOSED,
        hold_until=LATER,
        hold_facts={"location": "Portland"},
    )

    with world.store.open_uow() as uow:
        assert uow.enrollments.move([held]) == {enrollment}

    row = world.row(t.enrollment, enrollment)
    wanted = {"step": "nudge", "pass_no": 2, "version": 2, "wake_at": LATER, "hold_why": "clinic_closed"}
    wanted |= {"hold_until": LATER, "hold_facts": {"location": "Portland"}, "ended_at": None}
    assert {name: row[name] for name in wanted} == wanted


def test_a_move_without_a_hold_takes_the_old_one_away(world: World) -> None:
    enrollment = world.enrollment(
        world.person(), world.journey(), hold_why="clinic_closed", hold_until=LATER, hold_facts={"a": "b"}
    )

    with world.store.open_uow() as uow:
        uow.enrollments.move([move_of(world, enrollment)])

    row = world.row(t.enrollment, enrollment)
    assert (row["hold_why"], row["hold_until"], row["hold_facts"]) == (None, None, None)


def test_who_paused_stays_until_it_goes_on(world: World) -> None:
    enrollment = world.enrollment(world.person(), world.journey())
    by_dana = replace(move_of(world, enrollment), hold_why=Why.PAUSED_BY_STAFF, hold_facts={"by": "Dana"})
    steps = [
        replace(by_dana, state=EnrollmentState.PAUSED),
        replace(move_of(world, enrollment), state=EnrollmentState.PAUSED, step=StepId("pause"), seen_version=2),
        replace(move_of(world, enrollment), state=EnrollmentState.ACTIVE, seen_version=3),
    ]
    told = []
    for step in steps:
        with world.store.open_uow() as uow:
            assert uow.enrollments.move([step])
        told.append(world.row(t.enrollment, enrollment)["paused_by"])

    assert told == ["Dana", "Dana", ""]


def test_an_end_says_what_ended_it(world: World) -> None:
    ana = world.person()
    enrollment = world.enrollment(ana, world.journey())
    event = world.event(ana)
    end = replace(
        ended_move(world.row(t.enrollment, enrollment), EnrollmentState.REPLIED, Why.REPLY, NOW),
        ended_by_guard=None,
        ended_by_event=event,
    )

    with world.store.open_uow() as uow:
        uow.enrollments.move([end])

    row = world.row(t.enrollment, enrollment)
    assert (row["state"], row["end_detail"], row["ended_at"]) == ("replied", "reply", NOW)
    assert (row["ended_by_event_id"], row["wake_at"]) == (event, None)


@pytest.mark.parametrize("end", sorted(TERMINAL))
def test_i3_the_door_refuses_every_way_back(world: World, end: EnrollmentState) -> None:
    enrollment = world.enrollment(world.person(), world.journey())
    world.end(enrollment, end)
    row = world.row(t.enrollment, enrollment)

    for to in EnrollmentState:
        move = replace(ended_move(row, EnrollmentState.CLOSED, Why.EXPIRED, NOW), state=to)
        with pytest.raises(ValueError, match="I3"), world.store.open_uow() as uow:
            uow.enrollments.move([move])

    assert world.row(t.enrollment, enrollment) == row


def test_a_forbidden_way_takes_the_whole_batch_back(world: World) -> None:
    journey = world.journey()
    good, ended = world.enrollment(world.person(), journey), world.enrollment(world.person(), journey)
    world.end(ended)
    back = replace(move_of(world, ended), state=EnrollmentState.ACTIVE)

    with pytest.raises(ValueError, match="I3"), world.store.open_uow() as uow:
        uow.enrollments.move([move_of(world, good), back])

    assert world.row(t.enrollment, good)["version"] == 1


def test_the_same_one_twice_in_a_batch_is_a_bug(world: World) -> None:
    enrollment = world.enrollment(world.person(), world.journey())
    move = move_of(world, enrollment)

    with pytest.raises(RuntimeError, match="twice"), world.store.open_uow() as uow:
        uow.enrollments.move([move, move])


def test_nothing_to_move_asks_nothing(world: World) -> None:
    with world.store.open_uow() as uow:
        assert uow.enrollments.move([]) == frozenset()


def test_a_nudge_wakes_only_what_is_held_for_that_reason(world: World) -> None:
    ana = world.person()
    tomorrow = NOW + timedelta(days=1)

    def held(why: Why | None, person: int = ana, **columns: object) -> int:
        given = {"hold_why": why.value if why else None, "wake_at": tomorrow} | columns
        return world.enrollment(person, world.journey(), **given)  # type: ignore[arg-type]

    mine = held(Why.WITH_STAFF)
    others = [
        held(Why.CLINIC_CLOSED),
        held(None),
        held(Why.WITH_STAFF, world.person()),
        held(Why.WITH_STAFF, state="paused"),
    ]

    with world.store.open_uow() as uow:
        assert uow.enrollments.nudge(ana, [Why.WITH_STAFF, Why.NO_CONSENT], NOW) == 1

    assert world.row(t.enrollment, mine)["wake_at"] == NOW
    assert world.row(t.enrollment, mine)["version"] == 2
    assert {world.row(t.enrollment, other)["wake_at"] for other in others} == {tomorrow}
