"""One address, several people: a stop from it reaches all of them, and an answer holds those whose it may be."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

import pytest

from app.domain.events import Applied, EventKind, InboxEvent
from app.domain.ids import EnrollmentId, PersonId
from app.domain.states import Channel
from app.engine.apply_event import apply_event
from app.engine.hold import pause_enrollments
from app.store import tables as t
from tests.builders import Published, journey_document
from tests.stage import Stage

NUMBER = "+12025550143"
FAMILY = "family@example.com"

Steps = Mapping[str, Mapping[str, object]]

TEXT_THEN_EMAIL: Steps = {
    "nudge": {"do": "sms", "template": "nudge", "next": "hello"},
    "hello": {"do": "email", "template": "hello", "next": "pause"},
    "pause": {"do": "wait", "for": {"days": 1}, "next": "again"},
    "again": {"do": "sms", "template": "again", "next": "done"},
    "done": {"do": "end", "as": "exhausted"},
}
TEXT_ONLY: Steps = {
    "nudge": {"do": "sms", "template": "nudge", "next": "done"},
    "done": {"do": "end", "as": "exhausted"},
}


def journey(stage: Stage, steps: Steps) -> Published:
    name = f"J{len(stage.world.rows(t.journey))}"
    return stage.world.journey(name, journey_document(name, steps=steps))


def from_outside(stage: Stage, kind: EventKind, channel: Channel, address: str, **parts: object) -> Applied:
    """Something comes in from an address; nobody says whose it is."""
    now = stage.clock.now()
    key = f"SM{len(stage.world.rows(t.inbox_event))}"
    event = InboxEvent("test", key, kind, now, now, channel=channel, address=address, **parts)  # type: ignore[arg-type]
    with stage.store.open_uow() as uow:
        return apply_event(uow, event, now)


def events_of(stage: Stage, person: PersonId) -> list[str]:
    return [row["kind"] for row in stage.world.rows(t.inbox_event, person_id=person)]


def two_with_one_number(stage: Stage) -> tuple[tuple[PersonId, EnrollmentId], tuple[PersonId, EnrollmentId]]:
    steps = journey(stage, TEXT_THEN_EMAIL)
    return stage.lead(steps, phone=NUMBER), stage.lead(steps, phone=NUMBER)


def test_case_15_a_stop_from_a_number_that_two_share_ends_the_sender_and_spares_the_other_one_s_emails(
    stage: Stage,
) -> None:
    """Case 15."""
    (ana, first), (ben, second) = two_with_one_number(stage)
    before = [stage.world.row(t.person, person)["first_name"] for person in (ana, ben)]
    stage.tick()
    applied = from_outside(stage, EventKind.OPTED_OUT, Channel.SMS, NUMBER, text="STOP")
    assert applied.person_id == ana, "nobody was written to: the first by id"
    assert [(other.person_id, len(other.cancelled), other.ended) for other in applied.others] == [(ben, 1, ())]
    assert (stage.state(first), stage.state(second)) == ("opted_out", "active")
    assert events_of(stage, ana) == events_of(stage, ben) == ["opted_out"]
    stage.run_for(timedelta(days=3), timedelta(hours=6))
    assert [(taken.channel, taken.to) for taken in stage.provider.taken] == [
        (Channel.EMAIL, stage.world.row(t.person, ben)["email"])
    ]
    assert stage.messages(second) == [("nudge", "cancelled"), ("hello", "accepted")]
    assert [stage.world.row(t.person, person)["first_name"] for person in (ana, ben)] == before
    assert [stage.world.row(t.person, person)["contact"] for person in (ana, ben)] == ["open", "open"]


def test_the_one_whose_message_went_there_last_is_taken_as_the_sender(stage: Stage) -> None:
    """Case 15."""
    (_, first), (ben, second) = two_with_one_number(stage)
    stage.run()
    assert len(stage.provider.taken) == 4, "both had their text and their email"
    applied = from_outside(stage, EventKind.OPTED_OUT, Channel.SMS, NUMBER, text="STOP")
    assert applied.person_id == ben
    details = [stage.world.row(t.enrollment, each)["end_detail"] for each in (first, second)]
    assert details == ["shared_address", "opt_out"], "only a text was left for the other"


def test_a_follow_up_of_the_other_that_has_only_texts_left_ends_opted_out_with_its_reason(stage: Stage) -> None:
    """Case 15."""
    stage.lead(journey(stage, TEXT_ONLY), phone=NUMBER)
    _, second = stage.lead(journey(stage, TEXT_ONLY), phone=NUMBER)
    from_outside(stage, EventKind.OPTED_OUT, Channel.SMS, NUMBER, text="STOP")
    row = stage.world.row(t.enrollment, second)
    assert (row["state"], row["end_detail"]) == ("opted_out", "shared_address")
    stage.run()
    assert stage.provider.taken == []


def test_whoever_has_it_as_a_second_number_is_shown_the_stop_and_goes_on_at_their_own(stage: Stage) -> None:
    stage.lead(journey(stage, TEXT_ONLY), phone=NUMBER)
    other, enrollment = stage.lead(journey(stage, TEXT_ONLY), alt_phone=NUMBER)
    from_outside(stage, EventKind.OPTED_OUT, Channel.SMS, NUMBER, text="STOP")
    assert events_of(stage, other) == ["opted_out"]
    stage.run()
    assert stage.messages(enrollment) == [("nudge", "accepted")]


def test_a_stop_from_a_second_number_closes_the_main_number_too(stage: Stage) -> None:
    second = "+12025550144"
    person, enrollment = stage.lead(journey(stage, TEXT_ONLY), phone=NUMBER, alt_phone=second)
    applied = from_outside(stage, EventKind.OPTED_OUT, Channel.SMS, second, text="STOP")
    assert applied.person_id == person
    assert {row["address_key"] for row in stage.world.rows(t.suppression)} == {NUMBER, second}
    assert stage.state(enrollment) == "opted_out"


def test_one_number_in_both_fields_is_one_entry_a_channel(stage: Stage) -> None:
    stage.lead(journey(stage, TEXT_ONLY), phone=NUMBER, alt_phone=NUMBER)
    applied = from_outside(stage, EventKind.OPTED_OUT, Channel.SMS, NUMBER, text="STOP")
    assert applied.others == ()
    assert [row["channel"] for row in stage.world.rows(t.suppression)] == ["call", "sms"]


def test_a_dead_second_number_ends_nothing(stage: Stage) -> None:
    person, enrollment = stage.lead(journey(stage, TEXT_ONLY), alt_phone=NUMBER)
    stage.event(EventKind.DISCONNECTED, person, channel=Channel.CALL, address=NUMBER)
    assert stage.state(enrollment) == "active"
    assert {row["address_key"] for row in stage.world.rows(t.suppression)} == {NUMBER}


def test_case_36_a_reply_in_the_thread_of_one_ends_theirs_and_holds_the_other_for_staff(stage: Stage) -> None:
    """Case 36."""
    ana, first = stage.lead(email=FAMILY)
    ben, second = stage.lead(email=FAMILY)
    stage.event(EventKind.REPLIED, ben, channel=Channel.EMAIL, address=FAMILY, text="Tuesday is fine")
    assert (stage.state(first), stage.state(second)) == ("active", "replied")
    assert [stage.world.row(t.person, person)["contact"] for person in (ana, ben)] == ["with_staff", "with_staff"]
    assert events_of(stage, ana) == ["other"]
    stage.run_for(timedelta(days=1), timedelta(hours=4))
    assert stage.provider.taken == []


def test_case_36_a_fresh_mail_from_a_shared_mailbox_holds_both_and_is_listed(stage: Stage) -> None:
    """Case 36."""
    leads = [stage.lead(email=FAMILY) for _ in range(2)]
    applied = from_outside(stage, EventKind.REPLIED, Channel.EMAIL, FAMILY, text="Hello?")
    assert (applied.person_id, applied.unmatched, len(applied.others)) == (None, True, 2)
    assert [row["why"] for row in stage.world.rows(t.problem)] == ["whose_reply"]
    stage.run_for(timedelta(days=1), timedelta(hours=4))
    assert stage.provider.taken == []
    for person, enrollment in leads:
        row = stage.world.row(t.person, person)
        assert (stage.state(enrollment), row["contact"], row["email"]) == ("active", "with_staff", FAMILY)


def test_a_text_that_answers_ends_the_one_who_was_written_to_last_and_holds_the_other(stage: Stage) -> None:
    (ana, first), (ben, second) = two_with_one_number(stage)
    stage.run()
    applied = from_outside(stage, EventKind.REPLIED, Channel.SMS, NUMBER, text="ok")
    assert applied.person_id == ben
    assert (stage.state(first), stage.state(second)) == ("active", "replied")
    assert stage.world.row(t.person, ana)["contact"] == "with_staff"


@pytest.mark.parametrize("kind", [EventKind.BOUNCED, EventKind.COMPLAINED])
def test_a_dead_or_angry_shared_mailbox_gets_no_email_to_either_and_the_other_s_texts_go_on(
    stage: Stage, kind: EventKind
) -> None:
    steps = {
        "hello": {"do": "email", "template": "hello", "next": "nudge"},
        **TEXT_ONLY,
    }
    drawn = journey(stage, steps)
    ana, first = stage.lead(drawn, email=FAMILY)
    _, second = stage.lead(drawn, email=FAMILY)
    stage.tick()
    stage.event(kind, ana, channel=Channel.EMAIL, address=FAMILY)
    assert stage.state(first) in ("suppressed", "opted_out")
    stage.run()
    assert [taken.channel for taken in stage.provider.taken] == [Channel.SMS]
    assert stage.messages(second) == [("hello", "cancelled"), ("nudge", "accepted")]


def test_a_paused_follow_up_of_the_other_goes_past_the_step_and_stays_paused(stage: Stage) -> None:
    """Case 15."""
    _, (_, second) = two_with_one_number(stage)
    stage.tick()
    with stage.store.open_uow() as uow:
        person = PersonId(stage.world.row(t.enrollment, second)["person_id"])
        pause_enrollments(uow, person, None, "Dana", stage.clock.now())
    from_outside(stage, EventKind.OPTED_OUT, Channel.SMS, NUMBER, text="STOP")
    row = stage.world.row(t.enrollment, second)
    assert (row["state"], row["step"]) == ("paused", "hello")
    stage.run_for(timedelta(days=1), timedelta(hours=4))
    assert stage.provider.taken == []


def test_a_text_written_by_hand_is_cancelled_for_both(stage: Stage) -> None:
    """Case 15."""
    people = [stage.world.person(phone=NUMBER) for _ in range(2)]
    for person in people:
        stage.world.manual_message(person)
    applied = from_outside(stage, EventKind.OPTED_OUT, Channel.SMS, NUMBER, text="STOP")
    assert (len(applied.cancelled), [len(other.cancelled) for other in applied.others]) == (1, [1])
    assert {row["state"] for row in stage.world.rows(t.message)} == {"cancelled"}


def test_a_follow_up_started_later_ends_where_they_closed_it_themselves_and_goes_past_where_another_did(
    stage: Stage,
) -> None:
    """Case 15."""
    drawn = journey(stage, TEXT_THEN_EMAIL)
    ana, ben = stage.world.person(phone=NUMBER), stage.world.person(phone=NUMBER)
    stage.event(EventKind.OPTED_OUT, ana, channel=Channel.SMS)
    own, other = (stage.world.enrollment(person, drawn, wake_at=stage.clock.now()) for person in (ana, ben))
    stage.run()
    assert (stage.state(own), stage.world.row(t.enrollment, own)["ended_by_guard"]) == ("suppressed", "not_suppressed")
    assert stage.messages(own) == []
    assert stage.messages(other) == [("hello", "accepted")]


def test_i08_a_stop_that_ends_one_follow_up_of_the_other_takes_the_next_one_past_its_step_in_the_same_transaction(
    stage: Stage,
) -> None:
    """Case 15. The end wakes the one that waits its turn, and that one's text is cancelled by the same stop."""
    stage.practice(one_marketing=False)
    ana, _ = stage.lead(journey(stage, TEXT_ONLY), phone=NUMBER)
    ben, first = stage.lead(journey(stage, TEXT_ONLY), phone=NUMBER)
    both = journey(stage, TEXT_THEN_EMAIL)
    second = stage.world.enrollment(ben, both)
    stage.tick()
    stage.practice(one_marketing=True)
    with stage.store.open_uow() as uow:
        pause_enrollments(uow, ben, stage.clock.now() + timedelta(hours=1), "Dana", stage.clock.now(), both.id)
    stage.clock.go_on(timedelta(hours=1))
    stage.tick()
    held = stage.world.row(t.enrollment, second)
    assert (held["waits_for"], held["hold_why"]) == ("message", "one_at_a_time")

    from_outside(stage, EventKind.OPTED_OUT, Channel.SMS, NUMBER, text="STOP", person_id=ana)

    assert (stage.state(first), stage.world.row(t.enrollment, second)["step"]) == ("opted_out", "hello")
    stage.run()
    assert stage.messages(second) == [("nudge", "cancelled"), ("hello", "accepted")]
    assert [taken.channel for taken in stage.provider.taken] == [Channel.EMAIL]
