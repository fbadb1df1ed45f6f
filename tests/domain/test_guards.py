from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from app.domain.facts import Facts, RecordFact
from app.domain.guards import GUARDS, WAKE_GUARDS, Guard, ask
from app.domain.hours_format import Closure
from app.domain.ids import StepId
from app.domain.journey import EmailStep, EndStep, OnBadAddress, SendHours, SmsStep
from app.domain.reasons import Why, told
from app.domain.record import RecordKind
from app.domain.snapshot import ChannelSeen, EngineSeen, Snapshot
from app.domain.states import (
    Channel,
    Contact,
    End,
    EnrollmentState,
    JourneyState,
    MessageState,
    Purpose,
)
from app.domain.verdict import Ends, Hold, Pass, Skip, Verdict
from tests.seen import ENTERED, MONDAY_TEN, at_step, enrollment, message, person, small_journey, snapshot

BY_NAME: dict[str, Guard] = dict(GUARDS)


def asked(name: str, seen: Snapshot) -> Verdict:
    return BY_NAME[name](seen)


def with_step(step: EmailStep | SmsStep, seen: Snapshot | None = None) -> Snapshot:
    seen = seen or at_step(step.id)
    assert seen.journey is not None
    end = EndStep(StepId("done"), End.EXHAUSTED)
    journey = replace(small_journey(), start=step.id, steps={step.id: step, end.id: end})
    return replace(seen, journey=replace(seen.journey, journey=journey))


def test_the_guards_stand_in_the_order_of_the_design() -> None:
    assert [name for name, _ in GUARDS] == [
        "clock_sane",
        "engine_running",
        "journey_live",
        "enrollment_active",
        "person_contactable",
        "not_suppressed",
        "no_stop_waiting",
        "goal_not_reached",
        "still_true",
        "one_at_a_time",
        "consent_given",
        "address_usable",
        "not_said_already",
        "budget_left",
        "still_useful",
        "not_overdue",
        "nobody_handling",
        "answers_read",
        "not_too_often",
        "clinic_hours",
        "legal_hours",
        "channel_working",
    ]
    assert len(GUARDS) == 22
    assert [name for name, _ in WAKE_GUARDS] == [name for name, _ in GUARDS[:10] if name != "not_suppressed"]


def test_with_nothing_in_the_way_every_guard_passes_and_the_trace_holds_all() -> None:
    trace = ask(snapshot(), GUARDS)
    assert trace.passed
    assert len(trace.lines) == len(GUARDS)
    assert {line.answer for line in trace.lines} == {"pass"}


def test_the_trace_ends_with_the_first_guard_that_did_not_pass() -> None:
    seen = replace(snapshot(), person=person(contact=Contact.DO_NOT_CONTACT), suppressed=frozenset({Channel.EMAIL}))
    trace = ask(seen, GUARDS)
    assert not trace.passed
    assert trace.lines[-1].guard == "person_contactable"
    assert trace.document()[-1]["answer"] == "end opted_out: do_not_contact"


def test_no_trace_names_a_person_or_an_address() -> None:
    trace = ask(snapshot(), GUARDS)
    seen = " ".join(line.saw for line in trace.lines)
    for secret in ("Ana", "Ruiz", "ana@example.com", "+15035550142"):
        assert secret not in seen


@pytest.mark.parametrize(
    ("seen_at", "now", "moved"),
    [
        (None, MONDAY_TEN, False),
        (MONDAY_TEN, MONDAY_TEN - timedelta(minutes=2), False),
        (MONDAY_TEN, MONDAY_TEN - timedelta(minutes=2, seconds=1), True),
        (MONDAY_TEN, MONDAY_TEN + timedelta(days=31), False),
        (MONDAY_TEN, MONDAY_TEN + timedelta(days=31, seconds=1), True),
    ],
)
def test_a_clock_that_went_back_or_forward_by_over_31_days_holds(
    seen_at: datetime | None, now: datetime, moved: bool
) -> None:
    verdict = asked("clock_sane", snapshot(now=now, engine=EngineSeen(clock_seen_at=seen_at)))
    assert isinstance(verdict, Hold if moved else Pass)


def test_a_paused_engine_holds_everything() -> None:
    verdict = asked("engine_running", snapshot(engine=EngineSeen(paused_why=Why.SENDING_PAUSED, paused_by="Dana")))
    assert verdict == Hold(None, Why.SENDING_PAUSED, {"by": "Dana"}, "paused")


def test_a_retired_journey_lets_those_inside_finish_and_a_draft_holds() -> None:
    seen = snapshot()
    assert seen.journey is not None
    retired = replace(seen, journey=replace(seen.journey, state=JourneyState.RETIRED))
    draft = replace(seen, journey=replace(seen.journey, state=JourneyState.DRAFT))
    assert isinstance(asked("journey_live", retired), Pass)
    assert isinstance(asked("journey_live", draft), Hold)


def test_a_follow_up_older_than_its_proof_plus_ninety_days_is_closed() -> None:
    last = ENTERED + timedelta(days=2 + 90)
    assert isinstance(asked("journey_live", snapshot(now=last)), Pass)
    verdict = asked("journey_live", snapshot(now=last + timedelta(seconds=1)))
    assert isinstance(verdict, Ends)
    assert (verdict.end, verdict.why) == (End.CLOSED, Why.EXPIRED)


def test_a_paused_follow_up_holds_until_its_date_and_an_ended_one_is_skipped() -> None:
    until = MONDAY_TEN + timedelta(days=3)
    paused = snapshot(enrollment=enrollment(state=EnrollmentState.PAUSED, paused_until=until))
    assert asked("enrollment_active", paused) == Hold(until, Why.PAUSED_BY_STAFF, saw="paused")
    ended = snapshot(enrollment=enrollment(state=EnrollmentState.REPLIED))
    assert isinstance(asked("enrollment_active", ended), Skip)


def test_i10_a_suppressed_address_ends_the_follow_up_on_that_channel_only() -> None:
    verdict = asked("not_suppressed", snapshot(suppressed=frozenset({Channel.EMAIL})))
    assert isinstance(verdict, Ends)
    assert verdict.end is End.SUPPRESSED
    assert isinstance(asked("not_suppressed", snapshot(suppressed=frozenset({Channel.SMS}))), Pass)


def test_i10_a_step_that_may_be_skipped_goes_on_past_a_suppressed_address() -> None:
    step = EmailStep(StepId("hello"), "hello", StepId("done"), on_bad_address=OnBadAddress.SKIP)
    seen = replace(with_step(step), suppressed=frozenset({Channel.EMAIL}))
    assert isinstance(asked("not_suppressed", seen), Skip)


def test_a_stored_stop_that_is_not_applied_yet_holds() -> None:
    assert isinstance(asked("no_stop_waiting", snapshot(unread_stops=1)), Hold)


def test_a_reached_goal_ends_as_converted_only_when_it_came_since_entering() -> None:
    def booked(at: datetime) -> Snapshot:
        record = RecordFact(RecordKind.APPOINTMENT, "booked", at)
        return snapshot(facts=Facts(records=(record,), since_enrollment=ENTERED))

    before = asked("goal_not_reached", booked(ENTERED - timedelta(seconds=1)))
    after = asked("goal_not_reached", booked(ENTERED))
    assert isinstance(before, Pass)
    assert isinstance(after, Ends)
    assert after.end is End.CONVERTED


def test_what_is_no_longer_true_ends_as_closed() -> None:
    verdict = asked("still_true", snapshot(facts=Facts(fields={"person.status": "lost"})))
    assert isinstance(verdict, Ends)
    assert (verdict.end, verdict.why) == (End.CLOSED, Why.NO_LONGER_TRUE)


def test_a_marketing_text_without_consent_is_held_and_care_needs_none() -> None:
    seen = replace(at_step("nudge"), consents=())
    assert seen.journey is not None
    verdict = asked("consent_given", seen)
    assert isinstance(verdict, Hold)
    assert verdict.why is Why.NO_CONSENT
    care = replace(seen, journey=replace(seen.journey, journey=small_journey(purpose=Purpose.CARE)))
    assert isinstance(asked("consent_given", care), Pass)
    assert isinstance(asked("consent_given", replace(at_step("hello"), consents=())), Pass)


def test_without_a_number_there_is_nothing_to_agree_for_and_the_next_guard_says_why() -> None:
    seen = replace(at_step("nudge"), consents=(), person=person(phone=None))
    assert isinstance(asked("consent_given", seen), Pass)
    trace = ask(seen, GUARDS)
    assert isinstance(trace.verdict, Ends)
    assert trace.verdict.why is Why.NO_ADDRESS


def test_no_address_ends_or_skips_as_the_step_says() -> None:
    ends = asked("address_usable", replace(snapshot(), person=person(email=None)))
    assert isinstance(ends, Ends)
    assert (ends.end, ends.why) == (End.SUPPRESSED, Why.NO_ADDRESS)
    step = EmailStep(StepId("hello"), "hello", StepId("done"), on_bad_address=OnBadAddress.SKIP)
    skips = asked("address_usable", replace(with_step(step), person=person(email=None)))
    assert isinstance(skips, Skip)


def test_i4_a_step_that_was_said_in_this_pass_is_not_said_again() -> None:
    said = ((StepId("hello"), 1, MessageState.ACCEPTED),)
    assert isinstance(asked("not_said_already", snapshot(said=said)), Skip)
    waiting = ((StepId("hello"), 1, MessageState.QUEUED),)
    assert isinstance(asked("not_said_already", snapshot(said=waiting)), Hold)
    assert isinstance(asked("not_said_already", snapshot(said=waiting, message=message())), Pass)
    other_pass = ((StepId("hello"), 2, MessageState.ACCEPTED),)
    assert isinstance(asked("not_said_already", snapshot(said=other_pass)), Pass)


def test_i5_the_message_past_the_proven_most_ends_the_follow_up() -> None:
    said = tuple((StepId(f"s{i}"), 1, MessageState.ACCEPTED) for i in range(2))
    verdict = asked("budget_left", snapshot(said=said))
    assert isinstance(verdict, Ends)
    assert verdict.why is Why.BUDGET_SPENT
    in_hand = (*said[:1], (StepId("hello"), 1, MessageState.LEASED))
    assert isinstance(asked("budget_left", snapshot(said=in_hand, message=message())), Pass)


def test_a_message_older_than_useless_after_is_skipped() -> None:
    step = SmsStep(StepId("nudge"), "nudge", StepId("done"), useless_after=timedelta(days=3))
    late = with_step(step, at_step("nudge", step_entered_at=MONDAY_TEN - timedelta(days=3, seconds=1)))
    in_time = with_step(step, at_step("nudge", step_entered_at=MONDAY_TEN - timedelta(days=3)))
    assert isinstance(asked("still_useful", late), Skip)
    assert isinstance(asked("still_useful", in_time), Pass)
    queued = snapshot(message=message(useful_until=MONDAY_TEN - timedelta(seconds=1)))
    assert isinstance(asked("still_useful", queued), Skip)


def test_an_open_reply_holds_until_staff_have_looked() -> None:
    verdict = asked("nobody_handling", replace(snapshot(), person=person(contact=Contact.WITH_STAFF)))
    assert verdict == Hold(None, Why.WITH_STAFF, saw="open reply")


def test_the_day_cap_counts_the_local_day_and_lifts_at_local_midnight() -> None:
    yesterday_late = datetime(2026, 3, 2, 7, 59, tzinfo=UTC)  # Sunday 23:59 in Portland
    today = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)  # Monday 00:00 in Portland
    assert isinstance(asked("not_too_often", snapshot(sent_at=(yesterday_late, today))), Pass)
    verdict = asked("not_too_often", snapshot(sent_at=(today, today)))
    assert isinstance(verdict, Hold)
    assert verdict.why is Why.DAY_CAP
    assert verdict.until == datetime(2026, 3, 3, 8, 0, tzinfo=UTC)


def test_the_week_cap_lifts_when_the_oldest_that_counts_is_seven_days_old() -> None:
    sent = tuple(MONDAY_TEN - timedelta(days=6, hours=-i) for i in range(6))
    verdict = asked("not_too_often", snapshot(sent_at=sent))
    assert isinstance(verdict, Hold)
    assert verdict.why is Why.WEEK_CAP
    assert verdict.until == min(sent) + timedelta(days=7)


def test_a_closed_clinic_holds_until_it_opens_and_any_hours_does_not_ask() -> None:
    saturday = datetime(2026, 3, 7, 20, 0, tzinfo=UTC)
    verdict = asked("clinic_hours", snapshot(now=saturday))
    assert verdict == Hold(datetime(2026, 3, 9, 16, 0, tzinfo=UTC), Why.CLINIC_CLOSED, saw="closed")
    step = EmailStep(StepId("hello"), "hello", StepId("done"), hours=SendHours.ANY)
    assert isinstance(asked("clinic_hours", replace(with_step(step), now=saturday)), Pass)


def test_a_closure_is_named_in_what_holds_and_in_what_was_seen() -> None:
    """Case 92: held to the next opening, with the closure named."""
    seen = snapshot()
    hours = replace(seen.location.hours, closures=(Closure(date(2026, 3, 2)),))
    verdict = asked("clinic_hours", replace(seen, location=replace(seen.location, hours=hours)))
    assert verdict == Hold(
        datetime(2026, 3, 3, 17, 0, tzinfo=UTC),
        Why.CLINIC_CLOSED,
        {"closure": "2026-03-02"},
        saw="closed on 2026-03-02",
    )
    assert told(verdict.why, {"until": "Tue 09:00", **verdict.facts}) == (
        "Opens Tue 09:00: the clinic is closed on 2026-03-02."
    )


@pytest.mark.parametrize(("step", "minutes"), [("hello", 0), ("nudge", 5)])
def test_nothing_goes_at_closing_and_a_text_not_in_the_last_five_minutes(step: str, minutes: int) -> None:
    """Case 87: closing at 17:00 means that nothing asked for permission at 17:00:00 goes."""
    closing = datetime(2026, 3, 3, 1, 0, tzinfo=UTC)
    last = closing - timedelta(minutes=minutes, seconds=1)
    assert isinstance(asked("clinic_hours", replace(at_step(step), now=last)), Pass)
    verdict = asked("clinic_hours", replace(at_step(step), now=last + timedelta(seconds=1)))
    assert isinstance(verdict, Hold)
    assert verdict.until == datetime(2026, 3, 3, 17, 0, tzinfo=UTC)


def test_no_text_before_eight_or_from_nine_at_night_whatever_the_clinic_hours() -> None:
    step = SmsStep(StepId("nudge"), "nudge", StepId("done"), hours=SendHours.ANY)
    night = datetime(2026, 3, 3, 5, 0, tzinfo=UTC)  # Monday 21:00
    early = datetime(2026, 3, 3, 15, 59, tzinfo=UTC)  # Tuesday 07:59
    eight = datetime(2026, 3, 3, 16, 0, tzinfo=UTC)
    for closed in (night, early):
        verdict = asked("legal_hours", replace(with_step(step), now=closed))
        assert isinstance(verdict, Hold)
        assert verdict.until == eight
    assert isinstance(asked("legal_hours", replace(with_step(step), now=eight)), Pass)


def test_i12_a_paused_channel_holds_until_it_is_tested_and_no_message_is_the_test() -> None:
    again = MONDAY_TEN + timedelta(minutes=5)
    paused = {Channel.EMAIL: ChannelSeen(Why.OFFLINE, MONDAY_TEN, "practice", again)}
    verdict = asked("channel_working", snapshot(channels=paused))
    assert isinstance(verdict, Hold)
    assert verdict.until == again
    assert isinstance(asked("channel_working", snapshot(now=again, channels=paused)), Hold)


def test_i12_a_paused_channel_holds_its_own_messages_only() -> None:
    paused = {Channel.EMAIL: ChannelSeen(Why.OFFLINE, MONDAY_TEN, "practice")}
    assert isinstance(asked("channel_working", snapshot(channels=paused)), Hold)
    assert isinstance(asked("channel_working", replace(at_step("nudge"), channels=paused)), Pass)


def test_i10_what_somebody_else_with_the_address_closed_is_gone_past_while_there_is_another_way() -> None:
    """Case 15."""
    texts = frozenset({Channel.SMS})
    seen = snapshot(enrollment=enrollment(step=StepId("nudge")), suppressed=texts, shared_closed=texts)
    assert isinstance(asked("not_suppressed", seen), Ends), "nothing is left to say after it"
    mails = frozenset({Channel.EMAIL})
    other = snapshot(suppressed=mails, shared_closed=mails)
    assert isinstance(asked("not_suppressed", other), Skip)
    assert isinstance(asked("not_suppressed", snapshot(suppressed=mails)), Ends), "they closed it themselves"
    both = snapshot(suppressed=mails | texts, shared_closed=mails)
    assert isinstance(asked("not_suppressed", both), Ends)
