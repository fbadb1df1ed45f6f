"""Case 77: the clock jumps. The engine rests with the reason, sends nothing in the wrong time, and goes on after."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.domain.answer import Outage, Works
from app.domain.events import EventKind
from app.domain.reasons import Why
from app.engine.hold import mark_handled, pause_enrollments, resume_enrollments
from app.store import tables as t
from tests.builders import NOW, journey_document
from tests.stage import Stage

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize("wrong", [-DAY, 40 * DAY], ids=["a day back", "40 days ahead"])
def test_a_clock_that_jumps_rests_the_engine_and_right_again_all_is_normal_within_one_tick(
    stage: Stage, wrong: timedelta
) -> None:
    """Case 77."""
    _, before = stage.lead()
    stage.run()
    assert stage.messages(before) == [("hello", "accepted")]
    _, enrollment = stage.lead()
    stage.clock.set(NOW + wrong)
    for _ in range(5):
        assert stage.run().paused is Why.CLOCK_MOVED
        stage.clock.go_on(MINUTE)
    assert stage.messages(enrollment) == []
    assert [row["why"] for row in stage.world.rows(t.problem)] == ["clock_moved"]

    stage.clock.set(NOW + MINUTE)
    report = stage.run()

    assert (report.paused, stage.messages(enrollment)) == (None, [("hello", "accepted")])
    events = [row["event"] for row in stage.world.rows(t.log_entry) if row["event"].startswith("engine.")]
    assert events == ["engine.paused", "engine.resumed"]
    assert stage.world.row(t.enrollment, before)["step"] == "pause"
    stage.run_for(3 * DAY)
    assert stage.messages(before) == [("hello", "accepted"), ("nudge", "accepted")]


def test_what_staff_have_paused_no_right_clock_unpauses(stage: Stage) -> None:
    stage.run()
    with stage.store.open_uow() as uow:
        uow.engine.pause(Why.SENDING_PAUSED, "Dana", NOW)
    stage.clock.go_on(MINUTE)
    assert stage.run().paused is Why.SENDING_PAUSED


def went_on(stage: Stage, ahead: timedelta = 10 * DAY) -> None:
    """Right again after the clock ran ahead: the engine rests, and staff let it go on."""
    stage.clock.set(stage.clock.now() - ahead)
    assert stage.run().paused is Why.CLOCK_MOVED
    with stage.store.open_uow() as uow:
        assert uow.engine.resume("Dana", stage.clock.now())


def test_a_wait_begun_under_a_clock_that_ran_ahead_is_counted_from_when_it_is_right(stage: Stage) -> None:
    """Case 77: it would else last ten days longer, and so would what `since: enrollment` counts from."""
    stage.run()
    stage.clock.go_on(10 * DAY)
    person = stage.world.person()
    stage.world.consent(person)
    wait: dict[str, dict[str, object]] = {
        "wait": {"do": "wait", "for": {"days": 1}, "next": "hello"},
        "hello": {"do": "email", "template": "hello", "next": "done"},
        "done": {"do": "end", "as": "exhausted"},
    }
    journey = stage.world.journey("Wait", journey_document("Wait", steps=wait))
    now = stage.clock.now()
    enrollment = stage.world.enrollment(person, journey, wake_at=now, entered_at=now, step_entered_at=now)
    stage.run()
    assert stage.world.row(t.enrollment, enrollment)["wake_at"] == now + DAY

    went_on(stage)
    stage.run()

    row = stage.world.row(t.enrollment, enrollment)
    assert (row["entered_at"], row["step_entered_at"], row["wake_at"]) == (NOW, NOW, NOW + DAY)
    stage.clock.set(NOW + DAY)
    stage.run()
    assert stage.messages(enrollment) == [("hello", "accepted")]


def test_a_hold_set_under_a_clock_that_ran_ahead_is_asked_again_when_it_is_right(stage: Stage) -> None:
    stage.run()
    stage.clock.go_on(5 * DAY)  # Saturday
    person = stage.world.person()
    enrollment = stage.world.enrollment(person, stage.journey, wake_at=stage.clock.now())
    stage.run()
    assert stage.world.row(t.enrollment, enrollment)["hold_why"] == "clinic_closed"

    went_on(stage, 5 * DAY)
    stage.run()

    assert stage.messages(enrollment) == [("hello", "accepted")]


def test_what_a_clock_that_ran_ahead_made_overdue_waits_for_its_own_time(stage: Stage) -> None:
    _, enrollment = stage.lead()
    stage.run()  # the text is due on Wednesday
    stage.clock.go_on(20 * DAY)
    stage.run()
    assert stage.world.row(t.enrollment, enrollment)["hold_why"] == "overdue"

    went_on(stage, 20 * DAY)
    stage.run()

    assert stage.messages(enrollment) == [("hello", "accepted")]
    row = stage.world.row(t.enrollment, enrollment)
    assert (row["hold_why"], row["wake_at"]) == (None, NOW + 2 * DAY)
    stage.clock.set(NOW + 2 * DAY)
    stage.run()
    assert stage.messages(enrollment) == [("hello", "accepted"), ("nudge", "accepted")]


@pytest.mark.parametrize("ahead", [5 * HOUR, 20 * DAY, 40 * DAY], ids=["5 hours", "20 days", "40 days"])
def test_i12_a_channel_that_was_tested_under_a_clock_that_ran_ahead_is_tested_when_it_is_right(
    stage: Stage, ahead: timedelta
) -> None:
    """Case 77: it would else rest for as long as the clock had run ahead, and everybody's messages with it."""
    stage.provider.script = lambda _note: Outage(Why.OFFLINE)
    stage.provider.health = Outage(Why.OFFLINE)
    _, enrollment = stage.lead()
    stage.run()
    stage.clock.go_on(ahead)
    stage.run()
    stage.clock.set(NOW + MINUTE)
    stage.run()
    with stage.store.open_uow() as uow:
        uow.engine.resume("Dana", stage.clock.now())

    stage.provider.script = lambda _note: None
    stage.provider.health = Works()
    stage.run_for(30 * MINUTE, 10 * MINUTE)

    assert stage.messages(enrollment) == [("hello", "accepted")]


def test_a_provider_s_own_longer_pause_is_kept_whatever_staff_pause_and_let_go_on(stage: Stage) -> None:
    """Only a time that no provider is waited for is of a wrong clock."""
    stage.provider.script = lambda _note: Outage(Why.BUSY, wait=23 * HOUR)
    stage.lead()
    stage.run()
    with stage.store.open_uow() as uow:
        uow.engine.pause(Why.SENDING_PAUSED, "Dana", NOW)
    stage.clock.go_on(MINUTE)
    with stage.store.open_uow() as uow:
        uow.engine.resume("Dana", stage.clock.now())
    stage.run()
    (email,) = (row for row in stage.world.rows(t.channel_state) if row["channel"] == "email")
    assert (email["paused_why"], email["try_at"], stage.provider.tested) == ("busy", NOW + 23 * HOUR, 0)


def test_the_backstop_ends_and_lists_what_is_far_older_than_proven(stage: Stage) -> None:
    """However long staff held it: it is looked at once they let it go on, and ends then."""
    person, enrollment = stage.lead()
    with stage.store.open_uow() as uow:
        pause_enrollments(uow, person, None, "Dana", stage.clock.now())
    stage.run_for(130 * DAY, 10 * DAY)
    assert stage.state(enrollment) == "paused"
    with stage.store.open_uow() as uow:
        resume_enrollments(uow, person, "Dana", stage.clock.now())
    stage.run()

    row = stage.world.row(t.enrollment, enrollment)
    assert (row["state"], row["end_detail"]) == ("closed", "expired")
    (problem,) = stage.world.rows(t.problem)
    assert (problem["why"], problem["person_id"], problem["enrollment_id"]) == ("expired", person, enrollment)


def test_a_hold_by_staff_that_ends_before_the_backstop_goes_on_as_if_nothing_had_been(stage: Stage) -> None:
    person, enrollment = stage.lead()
    with stage.store.open_uow() as uow:
        pause_enrollments(uow, person, NOW + 70 * DAY, "Dana", stage.clock.now())
    stage.run_for(71 * DAY, timedelta(hours=6))
    assert stage.messages(enrollment) == [("hello", "accepted")]


def test_a_reply_that_staff_must_read_holds_every_journey_of_the_person_until_they_have(stage: Stage) -> None:
    care = stage.world.journey("Care", journey_document("Care", purpose="care"))
    stage.practice(one_marketing=False)
    person, first = stage.lead()
    others = [stage.world.enrollment(person, care)]
    stage.event(EventKind.AUTO_REPLY, person, needs_human=True)
    stage.run_for(3 * DAY)
    assert [stage.messages(each) for each in (first, *others)] == [[], []]
    assert {stage.world.row(t.enrollment, each)["hold_why"] for each in (first, *others)} == {"with_staff"}
    with stage.store.open_uow() as uow:
        assert mark_handled(uow, person, "Dana", stage.clock.now())
    stage.run()
    assert [stage.messages(each) for each in (first, *others)] == [[("hello", "accepted")]] * 2
