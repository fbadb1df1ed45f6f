from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

import pytest

from app.domain.reasons import Why
from app.domain.states import Contact
from app.store import tables as t
from tests.builders import journey_document
from tests.stage import Stage

Steps = Mapping[str, Mapping[str, object]]


def test_a_due_follow_up_gets_its_message_queued_and_waits_for_it(stage: Stage) -> None:
    _, enrollment = stage.lead()
    count = stage.tick()
    assert (count.claimed, count.queued) == (1, 1)
    assert stage.messages(enrollment) == [("hello", "queued")]
    row = stage.world.row(t.enrollment, enrollment)
    assert (row["waits_for"], row["wake_at"]) == ("message", None)


def test_the_whole_journey_says_each_thing_once_and_ends_exhausted(stage: Stage) -> None:
    _, enrollment = stage.lead()
    stage.run()
    stage.run_for(timedelta(days=4))
    assert stage.state(enrollment) == "exhausted"
    assert stage.messages(enrollment) == [("hello", "accepted"), ("nudge", "accepted")]
    assert [taken.channel.value for taken in stage.provider.taken] == ["email", "sms"]
    stage.balanced()


def test_the_text_goes_two_days_after_the_email_was_accepted_at_the_same_local_time(stage: Stage) -> None:
    stage.lead()
    stage.run()
    stage.run_for(timedelta(days=3), timedelta(minutes=30))
    first, second = stage.provider.taken
    assert second.at - first.at == timedelta(days=2)


def test_more_than_a_batch_is_claimed_in_one_run(stage: Stage) -> None:
    for _ in range(205):
        stage.lead()
    count = stage.tick()
    assert (count.claimed, count.queued) == (205, 205)


def test_one_follow_up_with_a_fault_goes_to_the_problem_list_and_the_others_go_on(stage: Stage) -> None:
    """Case 61: one bad sender makes the batch repeat."""
    steps: Steps = {
        "before": {"do": "wait", "for": {"before": "appointment", "hours": 24}, "next": "done"},
        "done": {"do": "end", "as": "exhausted"},
    }
    faulty = stage.world.journey("Reminder", journey_document("Reminder", steps=steps, purpose="care"))
    _, without_appointment = stage.lead(faulty)
    others = [stage.lead()[1] for _ in range(9)]
    count = stage.tick()
    assert (count.queued, count.problems) == (9, 1)
    assert stage.state(without_appointment) == "active"
    row = stage.world.row(t.enrollment, without_appointment)
    assert row["hold_why"] == Why.TROUBLE
    problems = stage.world.rows(t.problem)
    assert [problem["enrollment_id"] for problem in problems] == [without_appointment]
    for _ in range(5):
        stage.run()
    assert len(stage.provider.taken) == 9
    assert all(stage.messages(other) == [("hello", "accepted")] for other in others)


def test_while_all_sending_is_paused_nothing_is_claimed_or_rewritten(stage: Stage) -> None:
    _, enrollment = stage.lead()
    with stage.store.open_uow() as uow:
        uow.engine.pause(Why.SENDING_PAUSED, "Dana", stage.clock.now())
    before = stage.world.row(t.enrollment, enrollment)
    report = stage.run()
    assert (report.claimed, report.paused) == (0, Why.SENDING_PAUSED)
    assert stage.world.row(t.enrollment, enrollment) == before
    with stage.store.open_uow() as uow:
        uow.engine.resume("Dana", stage.clock.now())
    assert stage.run().accepted == 1


@pytest.mark.parametrize("jump", [-timedelta(hours=1), timedelta(days=32)])
def test_a_clock_that_moved_pauses_the_engine_and_says_so(stage: Stage, jump: timedelta) -> None:
    stage.run()
    stage.lead()
    stage.clock.set(stage.clock.now() + jump)
    report = stage.run()
    assert (report.accepted, report.paused) == (0, Why.CLOCK_MOVED)
    assert [problem["why"] for problem in stage.world.rows(t.problem)] == ["clock_moved"]
    with stage.store.open_uow() as uow:
        assert uow.engine.resume("Dana", stage.clock.now())
    assert stage.run().paused is None


def test_a_hold_that_lasts_is_written_once_whatever_the_number_of_ticks(stage: Stage) -> None:
    """Case 63: log and database do not grow with the ticks."""
    person, enrollment = stage.lead()
    with stage.store.open_uow() as uow:
        uow.people.bump(person, Contact.WITH_STAFF, stage.clock.now())
    stage.run()
    before = len(stage.world.rows(t.log_entry))
    for _ in range(120):
        stage.clock.go_on(timedelta(minutes=3))
        stage.run()
    assert len(stage.world.rows(t.log_entry)) == before
    assert stage.state(enrollment) == "active"
    assert stage.provider.taken == []


def test_two_journeys_with_one_message_a_day_send_the_second_the_next_day(stage: Stage) -> None:
    """Case 63: held once with a time, then sent by rule."""
    with stage.store.session.write() as connection:
        connection.execute(t.practice.update().values(per_day=1, one_marketing=False))
    person, _ = stage.lead()
    other = stage.world.journey("Second", journey_document("Second"))
    second = stage.world.enrollment(person, other)
    stage.run()
    lines = len(stage.world.rows(t.log_entry))
    for _ in range(1000):
        stage.clock.go_on(timedelta(seconds=5))
        stage.run()
    assert len(stage.provider.taken) == 1
    assert len(stage.world.rows(t.log_entry)) == lines
    stage.run_for(timedelta(hours=26))
    assert stage.messages(second)[0] == ("hello", "accepted")
    assert len(stage.provider.taken) == 2


def test_a_wait_of_thirty_days_gives_exactly_one_message(stage: Stage) -> None:
    """Case 65: ticks for 30 days, with restarts and two workers."""
    steps: Steps = {
        "long": {"do": "wait", "for": {"days": 30}, "next": "hello"},
        "hello": {"do": "email", "template": "hello", "next": "done", "hours": "any"},
        "done": {"do": "end", "as": "exhausted"},
    }
    patient = stage.world.journey("Recall", journey_document("Recall", steps=steps))
    _, enrollment = stage.lead(patient)
    for hour in range(24 * 31):
        stage.clock.go_on(timedelta(hours=1))
        engine = stage.another() if hour % 37 == 0 else stage.once
        engine.run()
    assert stage.state(enrollment) == "exhausted"
    assert len(stage.provider.taken) == 1
