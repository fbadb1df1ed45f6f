"""I1: a person is in a journey at most once at a time. The database's half: a partial unique index."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.domain.states import EnrollmentState
from app.store import tables as t
from app.store.faults import RuleBroken
from tests.builders import LATER, World


@pytest.mark.parametrize("paused", [False, True])
def test_i1_a_second_live_enrollment_is_refused(world: World, paused: bool) -> None:
    ana, journey = world.person(), world.journey()
    if paused:
        world.enrollment(ana, journey, state="paused", paused_until=LATER)
    else:
        world.enrollment(ana, journey)

    with pytest.raises(RuleBroken, match="enrollment"):
        world.enrollment(ana, journey, entry_key="second")

    assert len(world.rows(t.enrollment)) == 1


def test_i1_another_may_start_once_the_first_has_ended(world: World) -> None:
    ana, journey = world.person(), world.journey()
    first = world.enrollment(ana, journey)
    world.end(first, EnrollmentState.REPLIED)

    second = world.enrollment(ana, journey, entry_key="second", wake_at=world.now + timedelta(days=1))

    assert [row["state"] for row in world.rows(t.enrollment, person_id=ana)] == ["replied", "active"]
    assert second != first


def test_i1_other_people_and_other_journeys_are_not_in_the_way(world: World) -> None:
    ana, ben, journey = world.person("Ana"), world.person("Ben"), world.journey()

    made = {world.enrollment(ana, journey), world.enrollment(ben, journey), world.enrollment(ana, world.journey())}

    assert len(made) == 3
