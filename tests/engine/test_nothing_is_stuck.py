"""Whatever state a fault or a wrong clock has left behind, something wakes it and somebody is told."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.domain.reasons import Why
from app.domain.states import MessageState, WaitsFor
from app.engine.ports import AttemptNote
from app.store import tables as t
from tests.builders import NOW
from tests.stage import Stage


class Killed(BaseException):
    """Ends a worker where it stands: nothing after it runs."""


def killed_at(stage: Stage, point: str) -> None:
    def kill() -> None:
        raise Killed

    stage.at(point, kill)  # type: ignore[arg-type]
    with pytest.raises(Killed):
        stage.run()
    stage.disarm()


@pytest.mark.expects_warning("follow_up.stranded")
@pytest.mark.parametrize("state", [MessageState.ACCEPTED, MessageState.CANCELLED, MessageState.FAILED])
def test_a_follow_up_that_waits_for_a_message_which_is_over_goes_on_and_is_told_of(
    stage: Stage, state: MessageState
) -> None:
    person = stage.world.person()
    stage.world.consent(person)
    enrollment = stage.world.enrollment(person, stage.journey, waits_for=WaitsFor.MESSAGE)
    message = stage.world.message(enrollment)
    stage.world.sending(message)
    stage.world.move_message(message, state)
    stage.run()
    row = stage.world.row(t.enrollment, enrollment)
    assert (row["step"], row["waits_for"], row["wake_at"] is not None) == ("pause", "time", True)
    assert [(each["why"], each["enrollment_id"]) for each in stage.world.rows(t.problem)] == [("trouble", enrollment)]
    stage.run_for(timedelta(days=3))
    assert stage.messages(enrollment) == [("hello", state.value), ("nudge", "accepted")]


def test_a_follow_up_whose_message_is_on_its_way_is_left_alone(stage: Stage) -> None:
    _, enrollment = stage.lead()
    stage.tick()
    before = stage.world.row(t.enrollment, enrollment)
    stage.once.reconcile.run()
    assert stage.world.row(t.enrollment, enrollment) == before
    assert stage.world.rows(t.problem) == []


@pytest.mark.parametrize("point", ["deliver.leased", "deliver.permitted"])
def test_a_lease_from_a_clock_that_ran_ahead_does_not_outlast_its_correction(stage: Stage, point: str) -> None:
    """Case 77: the clock was 21 days ahead when the worker was killed."""
    _, enrollment = stage.lead()
    stage.practice(overdue_days=90)
    stage.clock.set(NOW + timedelta(days=21))
    killed_at(stage, point)
    stage.clock.set(NOW)
    assert stage.run().paused is Why.CLOCK_MOVED
    with stage.store.open_uow() as uow:
        assert uow.engine.resume("Dana", NOW)
    stage.clock.go_on(timedelta(seconds=61))
    stage.run()
    assert stage.messages(enrollment) == [("hello", "accepted")]
    stage.balanced()


def test_a_message_held_while_the_engine_rested_is_asked_soon_after_whatever_met_whom(stage: Stage) -> None:
    """On PostgreSQL sending may go on between the guard's look and its hold being written."""
    _, enrollment = stage.lead()
    stage.tick()

    def paused_and_unpaused() -> None:
        with stage.store.open_uow() as uow:
            uow.engine.pause(Why.SENDING_PAUSED, "Dana", stage.clock.now())

    stage.at("deliver.leased", paused_and_unpaused)
    stage.deliver()
    stage.disarm()
    message = stage.world.rows(t.message)[0]
    assert message["try_at"] == stage.clock.now() + timedelta(minutes=1)
    with stage.store.open_uow() as uow:
        uow.engine.resume("Dana", stage.clock.now())
    stage.run()
    assert stage.messages(enrollment) == [("hello", "accepted")]


def test_a_crash_of_every_worker_in_mid_call_leaves_nothing_sending(stage: Stage) -> None:
    _, enrollment = stage.lead()

    def dies(note: AttemptNote) -> None:
        stage.provider.take(note)
        raise Killed

    stage.provider.script = dies
    with pytest.raises(Killed):
        stage.run()
    stage.provider.script = lambda _note: None
    stage.clock.go_on(timedelta(seconds=61))
    stage.run()
    assert stage.messages(enrollment) == [("hello", "accepted")]
    stage.balanced()
