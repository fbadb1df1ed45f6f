"""I2: one entry reason enrolls once, ever. The database's half: a unique key over ended rows too."""

from __future__ import annotations

import pytest

from app.domain.states import EnrollmentState
from app.store.faults import RuleBroken
from tests.builders import World
from tests.refusals import refusal


@pytest.mark.parametrize("end", [EnrollmentState.EXHAUSTED, EnrollmentState.CONVERTED, EnrollmentState.OPTED_OUT])
def test_i2_the_same_reason_does_not_enroll_again_after_the_end(world: World, end: EnrollmentState) -> None:
    ana, journey = world.person(), world.journey()
    job = world.record(ana, "job", "complete")
    world.end(world.enrollment(ana, journey, entry_key=f"job:{job}", record_id=job), end)

    with pytest.raises(RuleBroken):
        world.enrollment(ana, journey, entry_key=f"job:{job}", record_id=job)


def test_i2_each_job_enrolls_once(world: World) -> None:
    ana, journey = world.person(), world.journey()
    first, second = world.record(ana, "job", "complete"), world.record(ana, "job", "complete")
    world.end(world.enrollment(ana, journey, entry_key=f"job:{first}", record_id=first))

    assert world.enrollment(ana, journey, entry_key=f"job:{second}", record_id=second)


def test_i2_the_reason_of_an_ended_enrollment_can_not_be_given_away(world: World) -> None:
    enrollment = world.enrollment(world.person(), world.journey())
    world.end(enrollment)

    told = refusal(world, "UPDATE enrollment SET entry_key = 'another' WHERE id = :id", id=enrollment)

    assert "I2" in told


def test_i2_an_enrollment_can_not_be_deleted_to_start_afresh(world: World) -> None:
    enrollment = world.enrollment(world.person(), world.journey())
    world.end(enrollment)

    assert "I2" in refusal(world, "DELETE FROM enrollment WHERE id = :id", id=enrollment)
