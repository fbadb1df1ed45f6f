"""After a long sleep: what is late by little goes out, once; what is later waits for staff, who decide in one go."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from app.domain.errors import OperatorError
from app.domain.ids import EnrollmentId, PersonId
from app.domain.lines import OverdueLine
from app.domain.reasons import Why
from app.domain.states import Channel
from app.engine.hold import mark_handled, pause_enrollments, resume_enrollments
from app.service.overdue import Overdue
from app.store import tables as t
from tests.builders import NOW, journey_document
from tests.stage import Stage

# Monday, 10:00 in Portland
MONDAY = NOW
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
LATE_OPEN = {day: [["09:00", "18:00"]] for day in ("mon", "tue", "wed", "thu", "fri")}
TALK: dict[str, dict[str, object]] = {
    "hello": {"do": "email", "template": "hello", "next": "again"},
    "again": {"do": "email", "template": "again", "next": "done"},
    "done": {"do": "end", "as": "exhausted"},
}


def overdue(stage: Stage) -> list[OverdueLine]:
    with stage.store.open_reader() as reads:
        return list(reads.overdue(stage.clock.now()))


def decide(stage: Stage) -> Overdue:
    return Overdue(stage.store.open_uow, stage.clock)


def hold(stage: Stage, enrollment: EnrollmentId) -> object:
    return stage.world.row(t.enrollment, enrollment)["hold_why"]


def events(stage: Stage, event: str) -> list[dict[str, object]]:
    return [dict(row) for row in stage.world.rows(t.log_entry) if row["event"] == event]


def slept(stage: Stage, length: timedelta = 4 * DAY) -> tuple[PersonId, EnrollmentId]:
    """A lead who was due on Monday at ten, and an engine that comes to it so much later."""
    person, enrollment = stage.lead()
    stage.clock.go_on(length)
    stage.run()
    return person, enrollment


def test_twenty_minutes_late_goes_out_at_the_first_look_and_the_trace_says_so(stage: Stage) -> None:
    """Case 73."""
    _, enrollment = stage.lead()
    stage.clock.go_on(timedelta(minutes=20))

    stage.run()

    assert stage.messages(enrollment) == [("hello", "accepted")]
    trace = stage.world.rows(t.attempt)[0]["trace"]
    assert [line["saw"] for line in trace if line["guard"] == "not_overdue"] == ["20 min late"]
    message = stage.world.rows(t.message)[0]
    assert (message["due_at"], message["created_at"]) == (NOW, NOW + timedelta(minutes=20))


def test_after_a_days_outage_the_late_one_goes_once_and_the_other_not_before_its_time(stage: Stage) -> None:
    """Case 79: A is due Wednesday 17:00, B Thursday 17:00; off from Tuesday 18:00 to Thursday 10:57."""
    with stage.store.session.write() as connection:
        connection.execute(t.location.update().values(hours=LATE_OPEN, version=t.location.c.version + 1))
    wednesday, thursday = (datetime(2026, 3, day, 1, 0, tzinfo=UTC) for day in (5, 6))  # 17:00 in Portland
    a = stage.world.enrollment(stage.world.person(), stage.journey, wake_at=wednesday)
    b = stage.world.enrollment(stage.world.person(), stage.journey, wake_at=thursday)
    stage.run()

    stage.clock.set(datetime(2026, 3, 5, 18, 57, tzinfo=UTC))  # Thursday 10:57
    stage.run()
    assert (stage.messages(a), stage.messages(b)) == ([("hello", "accepted")], [])
    stage.clock.set(thursday - timedelta(seconds=1))
    stage.run()
    assert stage.messages(b) == []
    stage.clock.set(thursday)
    stage.run()
    assert (stage.messages(a), stage.messages(b)) == ([("hello", "accepted")], [("hello", "accepted")])
    stage.balanced()


def test_what_is_too_late_is_held_once_said_once_and_stays_however_often_it_is_asked(stage: Stage) -> None:
    _, enrollment = slept(stage)
    assert (stage.messages(enrollment), hold(stage, enrollment)) == ([], "overdue")
    lines = len(stage.world.rows(t.log_entry))

    stage.run_for(3 * DAY)

    assert (stage.messages(enrollment), hold(stage, enrollment)) == ([], "overdue")
    assert len(stage.world.rows(t.log_entry)) == lines
    (line,) = overdue(stage)
    assert (line.enrollment_id, line.since, line.step.id, line.channel) == (enrollment, NOW, "hello", Channel.EMAIL)


def test_exactly_three_days_late_goes_out_and_the_practice_may_say_otherwise(stage: Stage) -> None:
    _, within = slept(stage, 3 * DAY)
    assert stage.messages(within) == [("hello", "accepted")]

    stage.practice(overdue_days=1)
    _, enrollment = slept(stage, DAY + timedelta(minutes=1))

    assert (stage.messages(enrollment), hold(stage, enrollment)) == ([], "overdue")


def test_what_has_ended_meanwhile_ends_and_branches_are_walked(stage: Stage) -> None:
    booked = {"when": {"record": "appointment", "status": "booked", "since": "enrollment"}}
    journey = stage.world.journey("Goal", journey_document("Goal", converted=booked))
    person, enrollment = stage.lead(journey)
    stage.world.record(person, at=NOW + timedelta(hours=1))
    stage.clock.go_on(5 * DAY)

    stage.run()

    assert stage.state(enrollment) == "converted"
    assert overdue(stage) == []


def test_a_wait_that_ended_within_the_days_makes_its_message_late_and_not_overdue(stage: Stage) -> None:
    _, enrollment = stage.lead()
    stage.run()  # hello on Monday; the text is due on Wednesday
    stage.clock.set(MONDAY + 4 * DAY)
    stage.run()
    assert stage.messages(enrollment) == [("hello", "accepted"), ("nudge", "accepted")]


@pytest.mark.parametrize("hold_for", ["hours", "caps", "staff", "handled"])
def test_no_hold_makes_anything_late(stage: Stage, hold_for: str) -> None:
    stage.practice(overdue_days=1)
    person, enrollment = stage.lead()
    if hold_for == "hours":
        stage.clock.set(MONDAY + timedelta(days=4, hours=10))  # Friday after closing, until Monday
        with stage.store.session.write() as connection:
            connection.execute(t.enrollment.update().values(wake_at=stage.clock.now()))
    elif hold_for == "caps":
        other = stage.world.journey("Care", journey_document("Care", purpose="care"))
        stage.practice(per_day=1, per_week=1)
        stage.world.enrollment(person, other, wake_at=MONDAY - timedelta(minutes=1))
    elif hold_for == "staff":
        with stage.store.open_uow() as uow:
            pause_enrollments(uow, person, None, "Dana", stage.clock.now())
    else:
        stage.reply(person)
        enrollment = stage.world.enrollment(
            person, stage.world.journey("Second", journey_document("Second", purpose="care"))
        )
    stage.run_for(8 * DAY, timedelta(minutes=50))
    with stage.store.open_uow() as uow:
        if hold_for == "staff":
            resume_enrollments(uow, person, "Dana", stage.clock.now())
        elif hold_for == "handled":
            mark_handled(uow, person, "Dana", stage.clock.now())
    stage.run_for(DAY, timedelta(minutes=50))

    assert stage.messages(enrollment)[0] == ("hello", "accepted")
    assert overdue(stage) == []
    assert not any(row["facts"].get("why") == "overdue" for row in stage.world.rows(t.log_entry))


def test_no_other_hold_lifts_it_and_neither_does_a_pause_by_staff(stage: Stage) -> None:
    person, enrollment = slept(stage)
    with stage.store.open_uow() as uow:
        pause_enrollments(uow, person, stage.clock.now() + DAY, "Dana", stage.clock.now())
    assert overdue(stage) == []
    stage.run_for(2 * DAY)
    assert [line.enrollment_id for line in overdue(stage)] == [enrollment]
    with stage.store.open_uow() as uow:
        pause_enrollments(uow, person, None, "Dana", stage.clock.now())
        resume_enrollments(uow, person, "Dana", stage.clock.now())
    stage.run()
    assert hold(stage, enrollment) == "overdue"
    other = stage.world.journey("Second", journey_document("Second"))
    stage.world.enrollment(person, other, entered_at=NOW - DAY, wake_at=stage.clock.now() + 9 * DAY)
    stage.run_for(DAY)
    assert ([line.since for line in overdue(stage)], stage.messages(enrollment)) == ([NOW], [])


def test_released_they_go_out_as_usual_in_hours_and_are_not_late_again(stage: Stage) -> None:
    _, enrollment = slept(stage, timedelta(days=5, hours=1))  # Saturday
    assert decide(stage).release([enrollment], by="Dana") == 1
    stage.run()
    assert hold(stage, enrollment) == "clinic_closed"

    stage.run_for(3 * DAY)

    assert stage.messages(enrollment) == [("hello", "accepted")]
    assert [line["actor"] for line in events(stage, "overdue.released")] == ["Dana"]
    assert overdue(stage) == []


def test_skipped_the_step_is_not_said_and_the_journey_goes_on_counted_from_now(stage: Stage) -> None:
    _, enrollment = slept(stage)  # Friday
    assert decide(stage).skip([enrollment], by="Dana") == 1
    friday = stage.clock.now()
    stage.run()

    row = stage.world.row(t.enrollment, enrollment)

    assert (row["step"], row["step_entered_at"], row["wake_at"]) == (
        "pause",
        friday,
        friday + 2 * DAY - HOUR,
    )  # the clocks change
    assert stage.messages(enrollment) == []
    (line,) = events(stage, "overdue.skipped")
    assert (line["actor"], line["facts"]) == ("Dana", {"step": "hello"})


def test_retimed_they_wake_then_and_are_not_late(stage: Stage) -> None:
    _, enrollment = slept(stage)
    at = stage.clock.now() + timedelta(days=3, hours=1)  # Monday
    assert decide(stage).retime([enrollment], at, by="Dana") == 1
    with pytest.raises(OperatorError, match="ahead"):
        decide(stage).retime([enrollment], stage.clock.now(), by="Dana")
    with pytest.raises(OperatorError, match="at most 730 days"):
        decide(stage).retime([enrollment], stage.clock.now() + timedelta(days=730, seconds=1), by="Dana")

    stage.run_for(timedelta(days=3))
    assert stage.messages(enrollment) == []
    stage.clock.set(at + timedelta(minutes=1))
    stage.run()

    assert stage.messages(enrollment) == [("hello", "accepted")]
    assert len(events(stage, "overdue.retimed")) == 1


@pytest.mark.parametrize("decision", ["release", "skip", "retime"])
def test_a_message_in_the_outbox_is_held_by_its_own_time_and_decided_about_with_its_follow_up(
    stage: Stage, decision: str
) -> None:
    _, enrollment = stage.lead(stage.world.journey("Talk", journey_document("Talk", steps=TALK)))
    stage.tick()  # queued, and the lid closes
    stage.clock.go_on(4 * DAY)
    stage.run()
    assert stage.messages(enrollment) == [("hello", "queued")]
    assert [line.enrollment_id for line in overdue(stage)] == [enrollment]
    stage.run_for(timedelta(hours=13))
    lines = [row for row in events(stage, "message.held") if row["facts"]["why"] == "overdue"]  # type: ignore[index]
    assert len(lines) == 1, "said once"
    stage.clock.set(MONDAY + 7 * DAY)

    if decision == "release":
        assert decide(stage).release([enrollment], by="Dana") == 1
    elif decision == "skip":
        assert decide(stage).skip([enrollment], by="Dana") == 1
    else:
        assert decide(stage).retime([enrollment], stage.clock.now() + timedelta(hours=1), by="Dana") == 1
    stage.run()

    said = {
        "release": [("hello", "accepted"), ("again", "accepted")],
        "skip": [("hello", "cancelled"), ("again", "accepted")],
        "retime": [("hello", "queued")],
    }
    assert stage.messages(enrollment) == said[decision]
    if decision == "retime":
        stage.clock.go_on(timedelta(hours=1))
        stage.run()
        assert stage.messages(enrollment) == said["release"]
    if decision == "skip":
        assert stage.world.rows(t.message)[0]["reason"] == "skipped_by_staff"


def test_many_are_decided_about_in_one_go_and_what_is_no_longer_overdue_is_left_out(stage: Stage) -> None:
    leads = [stage.lead() for _ in range(30)]
    stage.clock.go_on(4 * DAY)
    stage.run()
    ids = [enrollment for _, enrollment in leads]
    stage.reply(leads[0][0])
    with stage.store.open_uow() as uow:
        pause_enrollments(uow, leads[1][0], None, "Dana", stage.clock.now())
    sent: list[str] = []

    assert decide(stage).release(ids, by="Dana") == 28
    assert decide(stage).release(ids, by="Eli") == 0
    assert decide(stage).skip(ids, by="Eli") == 0
    stage.run()

    sent = [stage.messages(each)[0][1] for each in ids[2:]]
    assert sent == ["accepted"] * 28
    assert (stage.state(ids[0]), stage.messages(ids[0]), stage.messages(ids[1])) == ("replied", [], [])
    assert len(events(stage, "overdue.released")) == 28


def test_a_weekend_with_the_lid_closed_is_no_burst_and_nothing_is_lost(stage: Stage) -> None:
    """Friday's lid: what came due on Saturday goes out on Monday, in hours, under the caps."""
    stage.clock.set(MONDAY + timedelta(days=4, hours=6, minutes=30))  # Friday 16:30
    stage.run()
    person = stage.world.person()
    at = MONDAY + timedelta(days=5)
    care = [stage.world.journey(name, journey_document(name, purpose="care")) for name in ("A", "B", "C")]
    mine = [stage.world.enrollment(person, each, wake_at=at) for each in care]
    stage.clock.set(MONDAY + timedelta(days=6, hours=21))  # Monday 8:00, before opening
    stage.run()
    assert stage.provider.taken == []
    stage.clock.set(MONDAY + timedelta(days=7))
    stage.run()
    assert len(stage.provider.taken) == 2, "the most a day"
    stage.run_for(DAY)
    assert [stage.messages(each)[0] for each in mine] == [("hello", "accepted")] * 3
    assert overdue(stage) == []


def test_a_night_in_which_the_clocks_change_makes_nobody_late_by_it(stage: Stage) -> None:
    """Portland goes from 2:00 to 3:00 on March 8: three days by the clock are 71 hours, and 73 in November."""
    stage.clock.set(datetime(2026, 3, 6, 18, 0, tzinfo=UTC))  # Friday 10:00
    _, enrollment = stage.lead()
    stage.clock.set(datetime(2026, 3, 9, 17, 0, tzinfo=UTC))  # Monday 10:00
    stage.run()
    assert stage.messages(enrollment) == [("hello", "accepted")]


def test_a_pause_of_all_sending_that_lasts_too_long_leaves_what_came_due_to_staff(stage: Stage) -> None:
    _, enrollment = stage.lead()

    with stage.store.open_uow() as uow:
        uow.engine.pause(Why.SENDING_PAUSED, "Dana", stage.clock.now())
    stage.run_for(4 * DAY)
    with stage.store.open_uow() as uow:
        uow.engine.resume("Dana", stage.clock.now())
    stage.run()
    assert (stage.messages(enrollment), hold(stage, enrollment)) == ([], "overdue")


@pytest.mark.parametrize("until", [None, DAY], ids=["until resumed", "until a date"])
def test_a_new_time_stands_though_staff_hold_the_person_and_let_go_on_before_it(
    stage: Stage, until: timedelta | None
) -> None:
    person, enrollment = slept(stage)  # Friday
    at = stage.clock.now() + 3 * DAY
    assert decide(stage).retime([enrollment], at, by="Dana") == 1
    with stage.store.open_uow() as uow:
        pause_enrollments(uow, person, None if until is None else stage.clock.now() + until, "Dana", stage.clock.now())
    stage.run_for(DAY)
    if until is None:
        with stage.store.open_uow() as uow:
            resume_enrollments(uow, person, "Dana", stage.clock.now())
    stage.run_for(2 * DAY - HOUR)
    row = stage.world.row(t.enrollment, enrollment)
    assert (row["state"], row["wake_at"], stage.messages(enrollment)) == ("active", at, [])
    stage.run_for(HOUR)
    assert stage.messages(enrollment) == [("hello", "accepted")]
