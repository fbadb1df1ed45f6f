from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.domain.errors import OperatorError
from app.domain.facts import Facts, RecordFact
from app.domain.ids import StepId
from app.domain.journey import CallStep, EmailStep, EndStep, OnBadAddress, Step, TaskStep, WaitStep
from app.domain.reasons import Why
from app.domain.record import RecordKind
from app.domain.snapshot import EngineSeen
from app.domain.states import Channel, Contact, End, EnrollmentState, MessageState, WaitsFor
from app.domain.waits import Elapsed, RelativeToRecord
from app.engine.walk import walk
from tests.seen import ENTERED, MONDAY_TEN, at_step, enrollment, person, small_journey, snapshot, template

LATER = MONDAY_TEN + timedelta(minutes=30)


def test_at_a_contact_step_a_message_is_drafted_and_the_follow_up_waits_for_it() -> None:
    walked = walk(snapshot())
    assert walked.draft is not None
    assert (walked.draft.step, walked.draft.channel, walked.draft.template) == ("hello", Channel.EMAIL, "hello")
    assert walked.move is not None
    assert (walked.move.waits_for, walked.move.wake_at) == (WaitsFor.MESSAGE, None)


def test_a_wait_is_counted_from_when_the_step_was_entered_not_from_when_the_tick_came() -> None:
    entered = datetime(2026, 3, 6, 20, 30, tzinfo=UTC)  # Friday 12:30 in Portland; the clocks change on Sunday
    seen = replace(at_step("two-days", step_entered_at=entered), now=entered + timedelta(minutes=7))
    walked = walk(seen)
    assert walked.draft is None
    assert walked.move is not None
    assert walked.move.waits_for is WaitsFor.TIME
    assert walked.move.wake_at == datetime(2026, 3, 8, 19, 30, tzinfo=UTC)  # Sunday 12:30, an hour less of real time


def test_after_its_wait_it_goes_through_the_branch_to_the_text() -> None:
    entered = MONDAY_TEN - timedelta(days=2)
    walked = walk(at_step("two-days", waits_for=WaitsFor.TIME, step_entered_at=entered))
    assert walked.draft is not None
    assert walked.draft.step == "nudge"
    assert [line.event for line in walked.logs] == ["step.branched"]


def test_a_goal_reached_meanwhile_ends_it_before_the_branch_is_asked() -> None:
    record = RecordFact(RecordKind.APPOINTMENT, "booked", MONDAY_TEN)
    seen = replace(
        at_step("two-days", waits_for=WaitsFor.TIME), facts=Facts(records=(record,), since_enrollment=ENTERED)
    )
    walked = walk(seen)
    assert walked.draft is None
    assert walked.move is not None
    assert walked.move.state is EnrollmentState.CONVERTED
    assert (walked.move.end_detail, walked.move.ended_by_guard) == (Why.GOAL, "goal_not_reached")
    assert walked.move.wake_at is None


@pytest.mark.parametrize(("tries", "step"), [(2, "ring"), (1, "nudge")])
def test_between_two_tries_of_a_call_it_waits_for_its_time_and_a_newer_version_may_allow_fewer(
    tries: int, step: str
) -> None:
    ring = CallStep(StepId("ring"), "ring", StepId("nudge"), tries=tries, every=timedelta(hours=4))
    steps: dict[StepId, Step] = {ring.id: ring, **small_journey().steps}
    at = at_step("ring", waits_for=WaitsFor.TIME, pass_no=2, wake_at=MONDAY_TEN)
    assert at.journey is not None
    templates = {**at.journey.templates, "ring": template("ring", Channel.CALL)}
    drawn = replace(at.journey, journey=small_journey(steps=steps), templates=templates)
    seen = replace(at, journey=drawn, said=((StepId("ring"), 1, MessageState.UNDELIVERED),))
    walked = walk(seen)
    assert walked.draft is not None
    assert (walked.draft.step, walked.draft.pass_no) == (step, 2)
    early = replace(seen, enrollment=enrollment(step=StepId("ring"), waits_for=WaitsFor.TIME, pass_no=2, wake_at=LATER))
    waits = walk(early)
    assert waits.draft is None
    assert waits.move is not None
    assert (waits.move.waits_for, waits.move.wake_at) == (WaitsFor.TIME, LATER)


def test_the_last_step_ends_it_as_exhausted() -> None:
    walked = walk(at_step("done"))
    assert walked.move is not None
    assert (walked.move.state, walked.move.end_detail) == (EnrollmentState.EXHAUSTED, Why.LAST_STEP)


def test_a_closed_clinic_holds_the_step_until_it_opens_and_says_so_once() -> None:
    saturday = datetime(2026, 3, 7, 20, 0, tzinfo=UTC)
    opens = datetime(2026, 3, 9, 16, 0, tzinfo=UTC)
    first = walk(snapshot(now=saturday, enrollment=enrollment(wake_at=saturday)))
    assert first.move is not None
    assert (first.move.hold_why, first.move.wake_at) == (Why.CLINIC_CLOSED, opens)
    assert [line.event for line in first.logs] == ["follow_up.held"]
    again = enrollment(hold_why=Why.CLINIC_CLOSED, hold_until=opens)
    second = walk(snapshot(now=saturday, enrollment=again))
    assert second.logs == ()


def test_while_all_sending_is_paused_nothing_is_rewritten() -> None:
    walked = walk(snapshot(engine=EngineSeen(paused_why=Why.SENDING_PAUSED)))
    assert (walked.move, walked.draft, walked.logs) == (None, None, ())


def test_a_hold_without_a_date_is_asked_again_within_hours() -> None:
    walked = walk(replace(snapshot(), person=person(contact=Contact.WITH_STAFF)))
    assert walked.move is not None
    assert walked.move.hold_why is Why.WITH_STAFF
    assert walked.move.hold_until is None
    assert walked.move.wake_at == MONDAY_TEN + timedelta(hours=6)


def test_a_step_that_may_be_skipped_goes_on_to_the_next_and_the_log_says_why() -> None:
    steps: list[Step] = [
        EmailStep(StepId("hello"), "hello", StepId("done"), on_bad_address=OnBadAddress.SKIP),
        EndStep(StepId("done"), End.EXHAUSTED),
    ]
    seen = snapshot(person=person(email=None))
    assert seen.journey is not None
    journey = small_journey(steps={step.id: step for step in steps})
    walked = walk(replace(seen, journey=replace(seen.journey, journey=journey)))
    assert walked.move is not None
    assert walked.move.state is EnrollmentState.EXHAUSTED
    assert (walked.logs[0].event, walked.logs[0].facts["why"]) == ("step.skipped", "address_skipped")


def test_a_paused_follow_up_whose_date_has_come_goes_on_where_it_stood() -> None:
    seen = at_step("hello", state=EnrollmentState.PAUSED, paused_until=MONDAY_TEN)
    walked = walk(seen)
    assert walked.move is not None
    assert walked.move.state is EnrollmentState.ACTIVE
    assert walked.draft is not None
    assert walked.logs[0].event == "follow_up.resumed"


def test_i4_a_step_already_said_in_this_pass_is_passed_over() -> None:
    said = ((StepId("nudge"), 1, MessageState.ACCEPTED),)
    walked = walk(replace(at_step("nudge"), said=said))
    assert walked.draft is None
    assert walked.move is not None
    assert walked.move.state is EnrollmentState.EXHAUSTED


def test_a_task_without_a_limit_is_an_error_in_words() -> None:
    step = TaskStep(StepId("ring"), "Ring them", StepId("done"))
    seen = at_step("ring")
    assert seen.journey is not None
    journey = small_journey(steps={"ring": step, "done": EndStep(StepId("done"), End.EXHAUSTED)})
    with pytest.raises(OperatorError, match="'ring' waits without a limit"):
        walk(replace(seen, journey=replace(seen.journey, journey=journey)))


def test_a_wait_for_a_record_that_is_not_there_is_an_error_in_words() -> None:
    wait = WaitStep(
        StepId("day-before"), RelativeToRecord("appointment", True, Elapsed(timedelta(hours=24))), StepId("done")
    )
    seen = at_step("day-before")
    assert seen.journey is not None
    journey = small_journey(steps={"day-before": wait, "done": EndStep(StepId("done"), End.EXHAUSTED)})
    with pytest.raises(OperatorError, match="appointment"):
        walk(replace(seen, journey=replace(seen.journey, journey=journey)))
