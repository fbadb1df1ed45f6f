from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from app.domain.events import EventKind, InboxEvent, derived_key
from app.domain.facts import Facts, RecordFact
from app.domain.ids import JourneyId, PersonId, StepId
from app.domain.journey import EmailStep, Ends, EndStep, OnBadAddress, RepeatStep, SmsStep, Step
from app.domain.pace import backoff
from app.domain.reasons import Why
from app.domain.record import RecordKind
from app.domain.remaining import other_way_left
from app.domain.snapshot import Snapshot
from app.domain.states import Channel, End
from app.domain.stopping import addresses_closed, channels_revoked, ended_by, ended_by_shared
from tests.seen import MONDAY_TEN, at_step, person, small_journey, snapshot


def event(kind: EventKind, **changes: object) -> InboxEvent:
    made = InboxEvent("staff", "k1", kind, MONDAY_TEN, MONDAY_TEN, person_id=PersonId(1), actor="Dana")
    return replace(made, **changes)  # type: ignore[arg-type]


def email_only(on_bad_address: OnBadAddress = OnBadAddress.END) -> Snapshot:
    steps: list[Step] = [
        EmailStep(StepId("hello"), "hello", StepId("done"), on_bad_address=on_bad_address),
        EndStep(StepId("done"), End.EXHAUSTED),
    ]
    journey = small_journey(steps={step.id: step for step in steps}, ends=Ends(replied=False))
    seen = snapshot()
    assert seen.journey is not None
    return replace(seen, journey=replace(seen.journey, journey=journey))


@pytest.mark.parametrize(
    ("kind", "end", "why"),
    [
        (EventKind.REPLIED, End.REPLIED, Why.REPLY),
        (EventKind.STOPPED, End.STOPPED, Why.STAFF_STOP),
        (EventKind.OPTED_OUT, End.OPTED_OUT, Why.OPT_OUT),
        (EventKind.COMPLAINED, End.OPTED_OUT, Why.COMPLAINT),
        (EventKind.BOUNCED, End.SUPPRESSED, Why.HARD_BOUNCE),
        (EventKind.DISCONNECTED, End.SUPPRESSED, Why.DISCONNECTED),
        (EventKind.CONVERTED, End.CONVERTED, Why.GOAL),
        (EventKind.CLOSED, End.CLOSED, Why.NO_LONGER_TRUE),
    ],
)
def test_each_kind_of_stop_ends_the_follow_up_in_its_own_way(kind: EventKind, end: End, why: Why) -> None:
    verdict = ended_by(event(kind), snapshot())
    assert verdict is not None
    assert (verdict.end, verdict.why) == (end, why)


@pytest.mark.parametrize(
    "kind", [EventKind.AUTO_REPLY, EventKind.BOUNCED_SOFT, EventKind.OPENED, EventKind.CLICKED, EventKind.OTHER]
)
def test_an_automatic_answer_or_a_soft_bounce_never_ends_anything(kind: EventKind) -> None:
    assert ended_by(event(kind), snapshot()) is None


def test_a_booking_ends_only_journeys_whose_goal_it_reaches() -> None:
    booked = event(EventKind.BOOKED)
    assert ended_by(booked, snapshot()) is None
    record = RecordFact(RecordKind.APPOINTMENT, "booked", MONDAY_TEN)
    reached = snapshot(facts=Facts(records=(record,), since_enrollment=MONDAY_TEN - timedelta(days=1)))
    verdict = ended_by(booked, reached)
    assert verdict is not None
    assert verdict.end is End.CONVERTED


def test_stop_this_one_leaves_the_other_journeys_running() -> None:
    assert ended_by(event(EventKind.STOPPED, journey_id=JourneyId(2)), snapshot()) is None
    assert ended_by(event(EventKind.STOPPED, journey_id=JourneyId(1)), snapshot()) is not None


def test_a_text_opt_out_closes_texts_and_calls_and_leaves_email() -> None:
    assert channels_revoked(event(EventKind.OPTED_OUT, channel=Channel.SMS)) == {Channel.SMS, Channel.CALL}
    assert channels_revoked(event(EventKind.OPTED_OUT, channel=Channel.EMAIL)) == {Channel.EMAIL}
    assert channels_revoked(event(EventKind.OPTED_OUT)) == set(Channel)
    named = event(EventKind.OPTED_OUT, channel=Channel.SMS, channels=(Channel.SMS, Channel.EMAIL))
    assert channels_revoked(named) == set(Channel)


def test_an_opt_out_ends_only_journeys_that_use_the_channel() -> None:
    assert ended_by(event(EventKind.OPTED_OUT, channel=Channel.SMS), email_only()) is None
    assert ended_by(event(EventKind.OPTED_OUT, channel=Channel.EMAIL), email_only()) is not None


def test_a_reply_goes_on_where_the_author_chose_so() -> None:
    assert ended_by(event(EventKind.REPLIED), email_only()) is None


def test_a_dead_number_ends_email_journeys_too_and_a_dead_mailbox_spares_a_step_that_may_be_skipped() -> None:
    assert ended_by(event(EventKind.DISCONNECTED), email_only()) is not None
    assert ended_by(event(EventKind.BOUNCED, channel=Channel.EMAIL), email_only(OnBadAddress.SKIP)) is None


def test_a_derived_key_tells_events_apart_and_is_the_same_for_a_copy() -> None:
    key = derived_key("1", EventKind.REPLIED, MONDAY_TEN, "ok")
    assert key == derived_key("1", EventKind.REPLIED, MONDAY_TEN, "ok")
    others = {
        derived_key("2", EventKind.REPLIED, MONDAY_TEN, "ok"),
        derived_key("1", EventKind.BOOKED, MONDAY_TEN, "ok"),
        derived_key("1", EventKind.REPLIED, MONDAY_TEN + timedelta(seconds=1), "ok"),
        derived_key("1", EventKind.REPLIED, MONDAY_TEN, "no"),
    }
    assert len(others | {key}) == 5


@pytest.mark.parametrize(("attempts", "minutes"), [(1, 1), (2, 5), (3, 30)])
def test_the_wait_before_another_try_grows_and_is_spread_by_at_most_a_fifth(attempts: int, minutes: int) -> None:
    waits = {backoff(attempts, key) for key in map(str, range(50))}
    base = timedelta(minutes=minutes)
    assert all(base <= wait <= base * 1.2 for wait in waits)
    assert len(waits) > 40


def test_a_provider_that_asks_to_wait_longer_is_never_undercut() -> None:
    assert backoff(1, "k", timedelta(hours=2)) == timedelta(hours=2)
    assert backoff(1, "k", timedelta(0)) == backoff(1, "k")


def test_a_shared_address_ends_a_follow_up_only_where_nothing_is_left_to_say_another_way() -> None:
    stop = event(EventKind.OPTED_OUT, channel=Channel.SMS)
    texts = frozenset({Channel.SMS, Channel.CALL})
    assert ended_by_shared(stop, texts, at_step("hello")) is None
    ends = ended_by_shared(stop, texts, at_step("nudge"))
    assert ends is not None
    assert (ends.end, ends.why) == (End.OPTED_OUT, Why.SHARED_ADDRESS)
    closed_before = replace(at_step("hello"), suppressed=frozenset({Channel.EMAIL}))
    assert ended_by_shared(stop, texts, closed_before) is not None
    assert ended_by_shared(stop, texts, at_step("done")) is None


def test_what_a_person_wants_closes_all_their_numbers_and_a_dead_number_only_itself() -> None:
    ana = person(alt_phone="+15035550199")
    main, second = "+15035550142", "+15035550199"
    from_second = event(EventKind.OPTED_OUT, channel=Channel.SMS, address=second)
    assert {address for _, address in addresses_closed(from_second, ana)} == {main, second}
    dead = event(EventKind.DISCONNECTED, channel=Channel.CALL, address=second)
    assert {address for _, address in addresses_closed(dead, ana)} == {second}
    assert ended_by(dead, snapshot(person=ana)) is None
    from_nowhere = event(EventKind.OPTED_OUT, channel=Channel.SMS, address="12345")
    assert {address for _, address in addresses_closed(from_nowhere, ana)} == {main, second}


def test_a_repeat_s_way_back_counts_as_something_left_to_say() -> None:
    steps: list[Step] = [
        EmailStep(StepId("hello"), "hello", StepId("nudge")),
        SmsStep(StepId("nudge"), "nudge", StepId("round")),
        RepeatStep(StepId("round"), 2, StepId("hello"), StepId("done")),
        EndStep(StepId("done"), End.EXHAUSTED),
    ]
    journey = small_journey(steps={step.id: step for step in steps})
    assert other_way_left(journey, StepId("nudge"), frozenset({Channel.SMS}))
    assert not other_way_left(journey, StepId("done"), frozenset({Channel.SMS}))
