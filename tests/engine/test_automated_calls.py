"""Calls that a provider makes: taking one moves nothing on; how it ended does, or that nobody ever says."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.domain.call_outcome import CallOutcome
from app.domain.delivery_status import CallEnded
from app.domain.events import EventKind
from app.domain.ids import EnrollmentId, PersonId
from app.domain.states import Channel
from app.engine.calls import OUTCOME_WITHIN, CallOver
from app.store import tables as t
from tests.engine.calls import EVERY, call_journey, calls, check, say
from tests.stage import Stage


def rung(stage: Stage, **journey: object) -> tuple[PersonId, EnrollmentId]:
    """Somebody whom the provider rings just now."""
    person, enrollment = stage.lead(call_journey(stage, by="twilio", **journey))  # type: ignore[arg-type]
    stage.world.consent(person, Channel.CALL)
    stage.run()
    assert calls(stage, enrollment) == [(1, "accepted", "")]
    return person, enrollment


def ended(stage: Stage, outcome: CallOutcome, *, unsure: bool = False, code: str = "") -> CallEnded:
    return CallEnded(outcome, stage.clock.now(), code, unsure)


def test_a_call_that_was_taken_is_not_over_and_the_follow_up_waits_for_how_it_ended(stage: Stage) -> None:
    _, enrollment = rung(stage)
    stage.run_for(timedelta(hours=1))
    row = stage.world.row(t.enrollment, enrollment)
    assert (row["step"], row["waits_for"], row["wake_at"]) == ("ring", "message", None)
    assert check(stage).run().delivered == 0
    assert stage.world.rows(t.problem) == []


@pytest.mark.parametrize(
    ("outcome", "state", "step"),
    [
        (CallOutcome.REACHED, "replied", "ring"),
        (CallOutcome.VOICEMAIL, "active", "pause"),
        (CallOutcome.NO_ANSWER, "active", "ring"),
        (CallOutcome.DISCONNECTED, "suppressed", "ring"),
        (CallOutcome.ASKED_NOT_TO_CALL, "opted_out", "ring"),
    ],
)
def test_case_49_how_it_ended_moves_it_on(stage: Stage, outcome: CallOutcome, state: str, step: str) -> None:
    """Case 49."""
    _, enrollment = rung(stage)
    stage.clock.go_on(timedelta(minutes=2))
    check(stage, ended(stage, outcome)).run()
    assert (stage.state(enrollment), stage.world.row(t.enrollment, enrollment)["step"]) == (state, step)
    row = stage.world.rows(t.message)[0]
    assert row["reason_code"] == outcome.value
    again = check(stage, ended(stage, outcome)).run()
    assert again.asked == 0, "what has ended is not asked about again"


def test_i4_no_answer_is_rung_again_at_its_time_as_a_message_of_its_own(stage: Stage) -> None:
    _, enrollment = rung(stage)
    check(stage, ended(stage, CallOutcome.NO_ANSWER)).run()
    stage.run_for(EVERY)
    assert calls(stage, enrollment) == [(1, "undelivered", "no_answer"), (2, "accepted", "")]
    check(stage, ended(stage, CallOutcome.NO_ANSWER)).run()
    assert stage.world.row(t.enrollment, enrollment)["step"] == "pause"
    stage.balanced()


def test_case_49_an_answer_that_may_have_been_a_person_ends_nothing_and_staff_look_before_anything_else(
    stage: Stage,
) -> None:
    """Case 49."""
    person, enrollment = rung(stage)
    check(stage, ended(stage, CallOutcome.NO_ANSWER, unsure=True, code="unknown")).run()
    assert stage.state(enrollment) == "active"
    assert stage.world.row(t.person, person)["contact"] == "with_staff"
    stage.run_for(timedelta(hours=6))
    assert calls(stage, enrollment) == [(1, "undelivered", "no_answer")]
    event = stage.world.rows(t.inbox_event)[0]
    assert (event["kind"], event["needs_human"]) == ("other", True)


def test_a_call_that_can_not_be_connected_is_tried_again_and_then_staff_look_at_the_number(stage: Stage) -> None:
    _, enrollment = rung(stage)
    doubt = ended(stage, CallOutcome.DISCONNECTED, unsure=True, code="failed")
    check(stage, doubt).run()
    assert stage.world.rows(t.problem) == []
    stage.run_for(EVERY)
    check(stage, doubt).run()
    assert [row["why"] for row in stage.world.rows(t.problem)] == ["number_doubted"]
    assert stage.world.rows(t.suppression) == []
    assert stage.world.row(t.enrollment, enrollment)["step"] == "pause"


def test_i17_a_call_of_which_nobody_says_how_it_ended_goes_on_as_not_answered_and_is_shown(stage: Stage) -> None:
    _, enrollment = rung(stage, tries=1)
    stage.clock.go_on(OUTCOME_WITHIN - timedelta(minutes=1))
    check(stage).run()
    assert calls(stage, enrollment) == [(1, "accepted", "")]
    stage.clock.go_on(timedelta(minutes=1))
    assert check(stage).run().undelivered == 1
    assert calls(stage, enrollment) == [(1, "undelivered", "no_answer")]
    assert [row["why"] for row in stage.world.rows(t.problem)] == ["no_outcome"]
    assert stage.world.row(t.enrollment, enrollment)["step"] == "pause"


def test_i3_a_stop_while_it_rings_stays_and_what_was_said_on_the_phone_is_a_fact_of_its_own(stage: Stage) -> None:
    person, enrollment = rung(stage)
    stage.event(EventKind.STOPPED, person)
    check(stage, ended(stage, CallOutcome.REACHED)).run()
    assert stage.state(enrollment) == "stopped"
    assert calls(stage, enrollment) == [(1, "delivered", "reached")]
    assert {row["kind"] for row in stage.world.rows(t.inbox_event)} == {"stopped", "replied"}


def test_i9_what_somebody_noted_of_it_stands_and_the_provider_is_not_asked_any_more(stage: Stage) -> None:
    _, enrollment = rung(stage)
    say(stage, enrollment, CallOutcome.VOICEMAIL)
    assert check(stage, ended(stage, CallOutcome.REACHED)).run().asked == 0
    assert stage.world.row(t.enrollment, enrollment)["step"] == "pause"
    with_them = stage.world.rows(t.attempt)
    assert [row["provider"] for row in with_them] == ["fake"], "nobody else has called them"
    with pytest.raises(CallOver):
        say(stage, enrollment, CallOutcome.REACHED)


def test_a_machine_that_rings_needs_consent_where_somebody_who_calls_needs_none(stage: Stage) -> None:
    enrollment = stage.world.enrollment(
        stage.world.person(), call_journey(stage, by="twilio"), wake_at=stage.clock.now()
    )
    stage.run()
    assert calls(stage, enrollment) == []
    assert stage.world.row(t.enrollment, enrollment)["hold_why"] == "no_consent"
