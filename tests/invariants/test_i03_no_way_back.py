"""I3: a terminal state has no path back. The database's half: triggers that refuse, and CHECKs on what an end is."""

from __future__ import annotations

import pytest

from app.domain.states import TERMINAL, EnrollmentState
from tests.builders import World
from tests.refusals import refusal

AT = "2026-03-03T18:00:00.000000Z"
ENDS = sorted(TERMINAL)
BACK = {
    "state": "state = 'active', ended_at = NULL, end_detail = NULL, wake_at = :at",
    "another end": "state = 'converted'",
    "step": "step = 'nudge'",
    "pass": "pass_no = pass_no + 1",
    "wake": "wake_at = :at",
    "end time": "ended_at = :at",
    "detail": "end_detail = 'goal'",
    "guard": "ended_by_guard = 'someone else'",
    "hold": "hold_why = 'with_staff'",
}


@pytest.mark.parametrize("end", ENDS)
def test_i3_no_end_becomes_live_again(shared_world: World, end: EnrollmentState) -> None:
    enrollment = shared_world.enrollment(shared_world.person(), shared_world.journey())
    shared_world.end(enrollment, end)

    for live in ("active", "paused"):
        told = refusal(
            shared_world,
            "UPDATE enrollment SET state = :live, ended_at = NULL, end_detail = NULL, wake_at = :at,"
            " version = version + 1 WHERE id = :id",
            id=enrollment,
            live=live,
            at=AT,
        )
        assert "I3" in told


@pytest.mark.parametrize("what", sorted(BACK))
def test_i3_nothing_of_an_end_changes(shared_world: World, what: str) -> None:
    enrollment = shared_world.enrollment(shared_world.person(), shared_world.journey())
    shared_world.end(enrollment)
    given: dict[str, object] = {"id": enrollment} | ({"at": AT} if ":at" in BACK[what] else {})

    told = refusal(shared_world, f"UPDATE enrollment SET {BACK[what]}, version = version + 1 WHERE id = :id", **given)

    assert "I3" in told


def test_i3_the_whole_table_can_not_be_woken(shared_world: World) -> None:
    shared_world.end(shared_world.enrollment(shared_world.person(), shared_world.journey()))
    wake = "UPDATE enrollment SET state = 'active', ended_at = NULL, end_detail = NULL, wake_at = :at"

    assert "I3" in refusal(shared_world, f"{wake}, version = version + 1", at=AT)


@pytest.mark.parametrize(
    "half_ended",
    [
        "state = 'stopped', version = version + 1",
        "state = 'stopped', version = version + 1, ended_at = :at, end_detail = 'staff_stop'",
        "ended_at = :at, end_detail = 'staff_stop'",
        "wake_at = NULL",
    ],
)
def test_i3_there_is_no_half_end_and_no_sleep_without_waking(shared_world: World, half_ended: str) -> None:
    enrollment = shared_world.enrollment(shared_world.person(), shared_world.journey())
    given: dict[str, object] = {"id": enrollment} | ({"at": AT} if ":at" in half_ended else {})

    told = refusal(shared_world, f"UPDATE enrollment SET {half_ended} WHERE id = :id", **given)

    assert "ck_enrollment" in told


def test_i3_an_ended_enrollment_gets_no_message(shared_world: World) -> None:
    enrollment = shared_world.enrollment(shared_world.person(), shared_world.journey())
    shared_world.end(enrollment)

    told = refusal(
        shared_world,
        "INSERT INTO message (enrollment_id, person_id, location_id, step, channel, due_at, try_at, created_at)"
        " SELECT id, person_id, :location, 'hello', 'email', :at, :at, :at FROM enrollment WHERE id = :id",
        id=enrollment,
        location=shared_world.portland,
        at=AT,
    )

    assert "I3" in told
