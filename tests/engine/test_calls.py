"""Calls that the front desk makes: the call list, each outcome, tries, and what comes between."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.domain.call_outcome import CallOutcome
from app.domain.errors import OperatorError
from app.domain.events import EventKind
from app.domain.ids import MessageId
from app.domain.reasons import Why
from app.domain.snapshot import ChannelSeen
from app.domain.states import Channel
from app.domain.verdict import Ends, Hold, Skip
from app.engine.calls import CallOver
from app.engine.hold import pause_enrollments, resume_enrollments
from app.store import tables as t
from tests.engine.calls import EVERY, call_id, call_journey, calls, held_for, say, to_be_called
from tests.stage import Stage

HOUR = timedelta(hours=1)


# ---- on the list


def test_a_call_of_the_front_desk_stands_on_the_call_list_and_no_provider_has_it(stage: Stage) -> None:
    _, enrollment = to_be_called(stage)
    assert stage.messages(enrollment) == [("ring", "queued")]
    assert stage.provider.asked == []
    assert stage.world.rows(t.attempt) == []
    trace = stage.world.rows(t.message)[0]["trace"]
    assert trace[-1] == {"guard": "call_list", "answer": "hold: call_list", "saw": "the front desk calls"}


def test_it_needs_neither_consent_nor_a_provider_that_works(stage: Stage) -> None:
    now = stage.clock.now()
    with stage.store.open_uow() as uow:
        uow.engine.pause_channel(Channel.CALL, Why.OFFLINE, "fake", now, now + timedelta(days=9))
        assert uow.engine.channels()[Channel.CALL] != ChannelSeen()
    enrollment = stage.world.enrollment(stage.world.person(), call_journey(stage), wake_at=now)
    stage.tick()
    stage.deliver()
    assert held_for(stage, enrollment) == ["call_list"]


@pytest.mark.parametrize("kind", [EventKind.STOPPED, EventKind.REPLIED, EventKind.OPTED_OUT, EventKind.BOOKED])
def test_i8_a_stop_takes_it_off_the_list_at_once(stage: Stage, kind: EventKind) -> None:
    person, enrollment = to_be_called(stage)
    applied = stage.event(kind, person)
    if kind is EventKind.BOOKED:  # ends nothing here: the journey has no goal
        assert held_for(stage, enrollment) == ["call_list"]
        return
    assert [each.channel for each in applied.cancelled] == [Channel.CALL]
    assert stage.messages(enrollment) == [("ring", "cancelled")]


def test_after_closing_time_it_is_held_for_the_hours_and_comes_back_when_they_begin(stage: Stage) -> None:
    _, enrollment = to_be_called(stage)
    stage.clock.go_on(timedelta(hours=9))
    stage.run()
    assert held_for(stage, enrollment) == ["clinic_closed"]
    stage.run_for(timedelta(hours=18))
    assert held_for(stage, enrollment) == ["call_list"]


def test_what_is_of_no_use_any_more_leaves_the_list_and_the_follow_up_goes_on(stage: Stage) -> None:
    _, enrollment = to_be_called(stage, call_journey(stage, useless_after={"hours": 2}))
    stage.run_for(timedelta(hours=3))
    assert calls(stage, enrollment) == [(1, "cancelled", "")]
    assert stage.world.row(t.enrollment, enrollment)["step"] == "pause"


# ---- outcomes


def test_i6_i7_an_outcome_notes_the_attempt_with_what_the_guards_said(stage: Stage) -> None:
    _, enrollment = to_be_called(stage)
    noted = say(stage, enrollment, CallOutcome.VOICEMAIL)
    attempt = stage.world.rows(t.attempt)[0]
    assert (attempt["provider"], attempt["answer"], attempt["number"]) == ("desk", "accepted", 1)
    assert {line["answer"] for line in attempt["trace"]} == {"pass"}
    assert noted.against is None
    row = stage.world.rows(t.message)[0]
    assert (row["state"], row["provider"], row["attempts"], row["noted_at"]) == ("delivered", "desk", 1, noted.at)
    assert row["provider_id"] == attempt["provider_id"] == f"desk-{row['id']}"
    assert row["to_address"] == stage.world.rows(t.person)[0]["phone"]
    assert row["body"].startswith("Hi ")
    line = stage.world.rows(t.log_entry, event="call.ended")[0]
    assert (line["actor"], line["facts"]) == ("Dana", {"outcome": "voicemail", "number": 1, "of": 2})


def test_reached_ends_every_follow_up_of_theirs_as_replied(stage: Stage) -> None:
    person, enrollment = to_be_called(stage)
    other = stage.world.enrollment(person, stage.journey, wake_at=stage.clock.now() + EVERY)
    noted = say(stage, enrollment, CallOutcome.REACHED, note="comes on Tuesday")
    assert (stage.state(enrollment), stage.state(other)) == ("replied", "replied")
    assert noted.applied is not None
    assert len(noted.applied.ended) == 2
    event = stage.world.rows(t.inbox_event)[0]
    assert (event["kind"], event["channel"], event["note"]) == ("replied", "call", "comes on Tuesday")
    assert stage.world.row(t.person, person)["contact"] == "with_staff"
    stage.run_for(timedelta(days=5), timedelta(days=1))
    assert stage.provider.messages() == []


def test_whoever_was_reached_holds_nobody_else_with_the_same_number(stage: Stage) -> None:
    person, enrollment = to_be_called(stage)
    number = stage.world.row(t.person, person)["phone"]
    other = stage.world.person(phone=number)
    say(stage, enrollment, CallOutcome.REACHED)
    assert stage.world.row(t.person, other)["contact"] == "open"


def test_reached_goes_on_where_a_reply_does_not_end_the_journey(stage: Stage) -> None:
    person, enrollment = to_be_called(stage, call_journey(stage, replied=False))
    noted = say(stage, enrollment, CallOutcome.REACHED)
    assert (stage.state(enrollment), noted.next_step) == ("active", "pause")
    assert stage.world.row(t.person, person)["contact"] == "with_staff", "and is held until staff have handled it"


def test_voicemail_goes_on_with_the_next_step_counted_from_the_call(stage: Stage) -> None:
    _, enrollment = to_be_called(stage)
    stage.clock.go_on(timedelta(minutes=20))
    noted = say(stage, enrollment, CallOutcome.VOICEMAIL)
    assert (noted.next_step, noted.again_at) == ("pause", None)
    row = stage.world.row(t.enrollment, enrollment)
    assert (row["step"], row["step_entered_at"]) == ("pause", stage.clock.now())
    stage.run_for(timedelta(hours=26))
    assert stage.messages(enrollment)[:2] == [("ring", "delivered"), ("nudge", "accepted")]


def test_no_answer_is_tried_again_as_the_step_says_and_then_it_goes_on(stage: Stage) -> None:
    _, enrollment = to_be_called(stage)
    first_at = stage.clock.now()
    noted = say(stage, enrollment, CallOutcome.NO_ANSWER)
    assert (noted.number, noted.tries, noted.again_at) == (1, 2, first_at + EVERY)
    stage.clock.go_on(EVERY - timedelta(minutes=1))
    stage.run()
    assert held_for(stage, enrollment) == [], "the second try has its own time"
    stage.clock.go_on(timedelta(minutes=1))
    stage.run()
    assert held_for(stage, enrollment) == ["call_list"]
    noted = say(stage, enrollment, CallOutcome.NO_ANSWER)
    assert (noted.number, noted.again_at, noted.next_step) == (2, None, "pause")
    assert calls(stage, enrollment) == [(1, "undelivered", "no_answer"), (2, "undelivered", "no_answer")]
    stage.run_for(timedelta(days=3), timedelta(hours=6))
    assert len(calls(stage, enrollment)) == 2


@pytest.mark.parametrize("outcome", [CallOutcome.WRONG_NUMBER, CallOutcome.DISCONNECTED])
def test_i10_a_number_that_is_not_theirs_closes_it_and_ends_them_on_every_channel(
    stage: Stage, outcome: CallOutcome
) -> None:
    person, enrollment = to_be_called(stage)
    mails = stage.world.journey("Mails", None)
    other = stage.world.enrollment(person, mails, wake_at=stage.clock.now() + EVERY)
    say(stage, enrollment, outcome)
    assert (stage.state(enrollment), stage.state(other)) == ("suppressed", "suppressed")
    assert stage.world.row(t.enrollment, enrollment)["end_detail"] == "disconnected"
    closed = {(row["channel"], row["why"]) for row in stage.world.rows(t.suppression)}
    assert closed == {("sms", "disconnected"), ("call", "disconnected")}
    assert [row["why"] for row in stage.world.rows(t.problem)] == ["disconnected"]
    assert calls(stage, enrollment) == [(1, "undelivered", outcome.value)]


def test_a_wrong_number_goes_on_by_email_where_the_journey_says_so(stage: Stage) -> None:
    _, enrollment = to_be_called(stage, call_journey(stage, on_bad_address="skip"))
    noted = say(stage, enrollment, CallOutcome.WRONG_NUMBER)
    assert (stage.state(enrollment), noted.next_step) == ("active", "pause")
    stage.run_for(timedelta(days=3), timedelta(hours=6))
    assert stage.messages(enrollment) == [("ring", "undelivered"), ("mail", "accepted")]
    assert stage.state(enrollment) == "exhausted"


def test_asked_not_to_be_called_is_an_opt_out_of_texts_and_calls(stage: Stage) -> None:
    _, enrollment = to_be_called(stage)
    noted = say(stage, enrollment, CallOutcome.ASKED_NOT_TO_CALL)
    assert stage.state(enrollment) == "opted_out"
    assert noted.applied is not None
    assert set(noted.applied.suppressed) == {Channel.SMS, Channel.CALL}
    assert calls(stage, enrollment) == [(1, "delivered", "asked_not_to_call")]


def test_a_note_is_kept_with_the_person_and_never_in_the_log(stage: Stage) -> None:
    _, enrollment = to_be_called(stage)
    say(stage, enrollment, CallOutcome.NO_ANSWER, note="  try after six  ")
    assert [(row["kind"], row["note"]) for row in stage.world.rows(t.inbox_event)] == [("other", "try after six")]
    assert "six" not in str(stage.world.rows(t.log_entry))


# ---- tries


@pytest.mark.parametrize("tries", [1, 2, 5])
def test_i5_tries_are_bounded_and_never_more_than_was_proven(stage: Stage, tries: int) -> None:
    stage.practice(per_day=99, per_week=99)
    _, enrollment = to_be_called(stage, call_journey(stage, tries=tries, hours=30))
    for _ in range(40):
        if held_for(stage, enrollment) == ["call_list"]:
            say(stage, enrollment, CallOutcome.NO_ANSWER)
        stage.run_for(timedelta(hours=6), timedelta(hours=3))
    assert calls(stage, enrollment) == [(n + 1, "undelivered", "no_answer") for n in range(tries)]
    assert stage.state(enrollment) == "exhausted"
    assert len(stage.messages(enrollment)) == tries + 2 == stage.world.row(t.enrollment, enrollment)["send_budget"]


def test_every_is_elapsed_time_on_the_night_the_clocks_change(stage: Stage) -> None:
    stage.clock.go_on(timedelta(days=4))  # Friday; the clocks go on by an hour on Sunday
    _, enrollment = to_be_called(stage, call_journey(stage, hours=72))
    at = stage.clock.now()
    assert say(stage, enrollment, CallOutcome.NO_ANSWER).again_at == at + timedelta(hours=72)
    stage.run_for(timedelta(hours=71))
    assert held_for(stage, enrollment) == []
    stage.run_for(HOUR)
    assert held_for(stage, enrollment) == ["call_list"]


def test_a_hold_of_staff_between_two_tries_moves_none_of_them_forward(stage: Stage) -> None:
    person, enrollment = to_be_called(stage)
    say(stage, enrollment, CallOutcome.NO_ANSWER)
    due = stage.clock.now() + EVERY
    with stage.store.open_uow() as uow:
        pause_enrollments(uow, person, stage.clock.now() + HOUR, "Dana", stage.clock.now())
    stage.run_for(2 * HOUR)
    assert held_for(stage, enrollment) == []
    with stage.store.open_uow() as uow:
        pause_enrollments(uow, person, None, "Dana", stage.clock.now())
        resume_enrollments(uow, person, "Dana", stage.clock.now())
    stage.run()
    assert stage.world.row(t.enrollment, enrollment)["wake_at"] == due
    stage.run_for(2 * HOUR)
    assert held_for(stage, enrollment) == ["call_list"]


def test_a_reply_between_two_tries_ends_it_and_nobody_is_called_again(stage: Stage) -> None:
    person, enrollment = to_be_called(stage)
    say(stage, enrollment, CallOutcome.NO_ANSWER)
    stage.reply(person)
    stage.run_for(timedelta(days=2), timedelta(hours=2))
    assert calls(stage, enrollment) == [(1, "undelivered", "no_answer")]


def test_each_try_counts_for_the_caps_of_the_day(stage: Stage) -> None:
    stage.practice(per_day=1, per_week=9)
    _, enrollment = to_be_called(stage, call_journey(stage, hours=1))
    say(stage, enrollment, CallOutcome.NO_ANSWER)
    stage.run_for(2 * HOUR)
    assert held_for(stage, enrollment) == []
    assert stage.world.row(t.enrollment, enrollment)["hold_why"] == "day_cap"
    stage.run_for(timedelta(hours=24))
    assert held_for(stage, enrollment) == ["call_list"]


def test_i13_an_engine_that_starts_anew_goes_on_where_it_stood(stage: Stage) -> None:
    _, enrollment = to_be_called(stage)
    stage.once = stage.another()
    stage.run_for(HOUR)
    assert calls(stage, enrollment) == [(1, "queued", "")]
    say(stage, enrollment, CallOutcome.NO_ANSWER)
    stage.once = stage.another()
    stage.run_for(EVERY)
    assert calls(stage, enrollment) == [(1, "undelivered", "no_answer"), (2, "queued", "")]
    assert held_for(stage, enrollment) == ["call_list"]


# ---- what comes between


def test_i9_the_second_desk_is_told_what_the_first_has_noted(stage: Stage) -> None:
    _, enrollment = to_be_called(stage)
    say(stage, enrollment, CallOutcome.NO_ANSWER, by="Chris")
    with pytest.raises(CallOver, match="This call is over: Chris noted “no answer”") as over:
        say(stage, enrollment, CallOutcome.REACHED)
    assert (over.value.row.over_by, over.value.row.over_at) == ("Chris", stage.clock.now())
    assert stage.state(enrollment) == "active"
    assert len(stage.world.rows(t.attempt)) == 1


def test_i3_what_is_told_of_a_call_that_a_stop_cancelled_is_kept_as_a_fact(stage: Stage) -> None:
    person, enrollment = to_be_called(stage)
    stage.event(EventKind.STOPPED, person)
    noted = say(stage, enrollment, CallOutcome.ASKED_NOT_TO_CALL)
    assert noted.too_late is Why.STAFF_STOP
    assert (stage.state(enrollment), calls(stage, enrollment)) == ("stopped", [(1, "cancelled", "")])
    assert {row["channel"] for row in stage.world.rows(t.suppression)} == {"sms", "call"}
    assert stage.world.rows(t.attempt) == []
    with pytest.raises(CallOver):
        say(stage, enrollment, CallOutcome.ASKED_NOT_TO_CALL)


def test_a_call_that_was_cancelled_and_not_answered_leaves_a_line_and_moves_nothing(stage: Stage) -> None:
    person, enrollment = to_be_called(stage)
    stage.event(EventKind.STOPPED, person)
    say(stage, enrollment, CallOutcome.NO_ANSWER)
    assert stage.world.rows(t.log_entry, event="call.ended")[0]["facts"] == {
        "outcome": "no_answer",
        "against": "staff_stop",
    }
    assert stage.state(enrollment) == "stopped"


def test_a_call_that_a_guard_forbids_by_now_is_kept_as_made_and_says_so(stage: Stage) -> None:
    _, enrollment = to_be_called(stage)
    stage.clock.go_on(timedelta(hours=9))
    noted = say(stage, enrollment, CallOutcome.VOICEMAIL)
    assert isinstance(noted.against, Hold)
    assert noted.against.why is Why.CLINIC_CLOSED
    trace = stage.world.rows(t.attempt)[0]["trace"]
    assert trace[-1]["answer"] == "hold: clinic_closed"
    assert calls(stage, enrollment) == [(1, "delivered", "voicemail")]
    assert stage.world.rows(t.log_entry, event="call.ended")[0]["facts"]["against"] == "clinic_closed"


def test_i10_a_call_to_a_number_that_was_closed_meanwhile_is_kept_as_made(stage: Stage) -> None:
    person, enrollment = to_be_called(stage)
    stage.world.suppress(Channel.CALL, stage.world.row(t.person, person)["phone"])
    noted = say(stage, enrollment, CallOutcome.NO_ANSWER)
    assert isinstance(noted.against, Ends | Skip)
    stage.run_for(timedelta(hours=5))
    assert stage.state(enrollment) == "suppressed"
    assert len(calls(stage, enrollment)) == 1


def test_only_calls_have_outcomes(stage: Stage) -> None:
    _, enrollment = to_be_called(stage)
    with pytest.raises(OperatorError, match="There is no call 4711"):
        say(stage, enrollment, CallOutcome.REACHED, message_id=MessageId(4711))
    stage.lead()
    stage.run()
    text = next(row for row in stage.world.rows(t.message) if row["channel"] == "email")
    with pytest.raises(OperatorError, match="There is no call"):
        say(stage, enrollment, CallOutcome.REACHED, message_id=MessageId(text["id"]))
    assert call_id(stage, enrollment)
