from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from app.domain.errors import OperatorError
from app.domain.events import EventKind, InboxEvent
from app.domain.ids import PersonId
from app.domain.states import Channel, Contact, End
from app.engine.apply_event import apply_event
from app.engine.hold import mark_handled, pause_enrollments, resume_enrollments
from app.store import tables as t
from tests.builders import NOW, journey_document
from tests.stage import Stage

BOOKED = {"record": "appointment", "status": "booked", "since": "enrollment"}


def address_list(stage: Stage) -> set[str]:
    return {row["channel"] for row in stage.world.rows(t.suppression)}


def test_i8_a_stop_is_one_transaction_and_gives_the_four_facts(stage: Stage) -> None:
    person, enrollment = stage.lead()
    stage.tick()
    version = stage.world.row(t.person, person)["version"]
    stage.clock.go_on(timedelta(seconds=5))
    applied = stage.event(EventKind.STOPPED, person, happened_at=NOW)
    assert [(ended.journey, ended.end) for ended in applied.ended] == [(stage.journey.name, End.STOPPED)]
    assert [(message.template, message.channel) for message in applied.cancelled] == [("hello", Channel.EMAIL)]
    assert (applied.came_in_at, applied.changed_at) == (NOW, stage.clock.now())
    assert (applied.on_their_way, applied.accepted) == ((), ())
    assert stage.state(enrollment) == "stopped"
    assert stage.messages(enrollment) == [("hello", "cancelled")]
    assert stage.world.row(t.person, person)["version"] > version
    row = stage.world.row(t.enrollment, enrollment)
    assert row["ended_by_event_id"] == applied.event_id
    events = [line["event"] for line in stage.world.rows(t.log_entry) if line["inbox_event_id"] == applied.event_id]
    assert sorted(events) == ["event.applied", "follow_up.ended", "message.cancelled"]


def test_a_stop_says_what_the_provider_had_already_accepted(stage: Stage) -> None:
    person, _ = stage.lead()
    stage.run()
    applied = stage.event(EventKind.STOPPED, person)
    assert [(message.template, message.accepted_at) for message in applied.accepted] == [("hello", NOW)]
    assert applied.cancelled == ()


def test_i8_a_copy_of_an_event_changes_nothing(stage: Stage) -> None:
    person, _ = stage.lead()
    first = stage.event(EventKind.REPLIED, person, key="SM1")
    lines = len(stage.world.rows(t.log_entry))
    version = stage.world.row(t.person, person)["version"]
    second = stage.event(EventKind.REPLIED, person, key="SM1")
    assert (second.duplicate, second.event_id) == (True, first.event_id)
    assert len(stage.world.rows(t.log_entry)) == lines
    assert stage.world.row(t.person, person)["version"] == version


def test_a_reply_ends_the_journey_and_holds_the_others_for_staff(stage: Stage) -> None:
    goes_on = stage.world.journey("Care", journey_document("Care", purpose="care", replied=False))
    person, lead = stage.lead()
    care = stage.world.enrollment(person, goes_on)
    stage.reply(person)
    assert stage.state(lead) == "replied"
    assert stage.state(care) == "active"
    assert stage.world.row(t.person, person)["contact"] == Contact.WITH_STAFF
    stage.run()
    assert stage.provider.taken == []
    with stage.store.open_uow() as uow:
        assert mark_handled(uow, person, "Dana", stage.clock.now())
        assert not mark_handled(uow, person, "Dana", stage.clock.now())
    stage.run()
    assert stage.messages(care) == [("hello", "accepted")]


@pytest.mark.parametrize("order", [("booked", "replied"), ("replied", "booked")])
def test_a_booking_and_a_reply_in_either_order_give_the_same_outcome_and_the_same_silence(
    stage: Stage, order: tuple[str, str]
) -> None:
    journey = stage.world.journey("New lead", journey_document(converted={"when": BOOKED}))
    person, enrollment = stage.lead(journey)
    stage.run()
    for kind in order:
        stage.event(EventKind(kind), person)
    first = "converted" if order[0] == "booked" else "replied"
    assert stage.state(enrollment) == first, "the first stop that is applied stays (I3)"
    stage.run_for(timedelta(days=4), timedelta(hours=6))
    assert len(stage.provider.taken) == 1


def test_a_booking_is_a_live_record_that_ends_only_journeys_with_that_goal(stage: Stage) -> None:
    with_goal = stage.world.journey("Goal", journey_document("Goal", converted={"when": BOOKED}))
    person, goal = stage.lead(with_goal)
    other = stage.world.enrollment(person, stage.journey)
    stage.event(EventKind.BOOKED, person)
    assert (stage.state(goal), stage.state(other)) == ("converted", "active")
    records = stage.world.rows(t.record, person_id=person)
    assert [(record["kind"], record["status"]) for record in records] == [("appointment", "booked")]


def test_case_143_an_instant_with_an_offset_is_the_same_instant_on_both_databases(stage: Stage) -> None:
    person, _ = stage.lead()
    at = datetime.fromisoformat("2027-01-05T13:30:45-08:00")
    stage.event(EventKind.BOOKED, person, happened_at=at)
    row = stage.world.rows(t.inbox_event)[0]
    assert row["happened_at"] == datetime(2027, 1, 5, 21, 30, 45, tzinfo=UTC)


def test_a_text_opt_out_suppresses_the_number_for_texts_and_calls_and_leaves_email(stage: Stage) -> None:
    person, enrollment = stage.lead()
    applied = stage.event(EventKind.OPTED_OUT, person, channel=Channel.SMS)
    assert set(applied.suppressed) == {Channel.SMS, Channel.CALL}
    assert address_list(stage) == {"sms", "call"}
    assert stage.state(enrollment) == "opted_out"
    assert stage.world.row(t.person, person)["contact"] == Contact.OPEN


def test_an_opt_out_of_everything_is_do_not_contact(stage: Stage) -> None:
    person, _ = stage.lead()
    stage.event(EventKind.OPTED_OUT, person)
    assert address_list(stage) == {"sms", "call", "email"}
    assert stage.world.row(t.person, person)["contact"] == Contact.DO_NOT_CONTACT


def test_an_opt_in_needs_its_evidence_and_lifts_what_it_names(stage: Stage) -> None:
    person, _ = stage.lead()
    stage.event(EventKind.OPTED_OUT, person)
    with pytest.raises(OperatorError, match="evidence"):
        stage.event(EventKind.OPTED_IN, person)
    stage.event(EventKind.OPTED_IN, person, text="Signed form, March 3")
    seen = stage.world.rows(t.suppression)
    assert all(row["lifted_at"] is not None for row in seen)
    assert stage.world.row(t.person, person)["contact"] == Contact.OPEN


def test_i17_an_event_that_matches_nobody_is_kept_and_listed_and_its_address_suppressed(stage: Stage) -> None:
    event = InboxEvent(
        "test", "SM9", EventKind.OPTED_OUT, NOW, NOW, channel=Channel.SMS, address="+15035550177", text="STOP"
    )
    with stage.store.open_uow() as uow:
        applied = apply_event(uow, event, NOW)
    assert applied.unmatched
    assert [row["state"] for row in stage.world.rows(t.inbox_event)] == ["unmatched"]
    assert [row["why"] for row in stage.world.rows(t.problem)] == ["unmatched"]
    assert address_list(stage) == {"sms", "call"}


def test_an_event_is_matched_by_its_address(stage: Stage) -> None:
    person, enrollment = stage.lead()
    address = stage.world.row(t.person, person)["phone"]
    event = InboxEvent("test", "SM3", EventKind.REPLIED, NOW, NOW, channel=Channel.SMS, address=address)
    with stage.store.open_uow() as uow:
        assert apply_event(uow, event, NOW).person_id == person
    assert stage.state(enrollment) == "replied"


def test_stop_on_a_person_with_nothing_running_changes_nothing_and_says_so(stage: Stage) -> None:
    person = stage.world.person()
    applied = stage.event(EventKind.STOPPED, person)
    assert (applied.ended, applied.cancelled, applied.accepted) == ((), (), ())


def test_an_event_for_a_person_who_is_not_there_is_refused_whole(stage: Stage) -> None:
    with pytest.raises(OperatorError, match="no person 999"):
        stage.event(EventKind.STOPPED, PersonId(999))
    assert stage.world.rows(t.inbox_event) == []


def test_a_hold_pauses_and_resume_goes_on_where_it_stood(stage: Stage) -> None:
    person, enrollment = stage.lead()
    now = stage.clock.now()
    with stage.store.open_uow() as uow:
        held = pause_enrollments(uow, person, None, "Dana", now)
    assert (held.changed, held.of) == ((enrollment,), 1)
    stage.run_for(timedelta(days=2), timedelta(hours=8))
    assert stage.provider.taken == []
    with stage.store.open_uow() as uow:
        assert resume_enrollments(uow, person, "Dana", stage.clock.now()).changed == (enrollment,)
    stage.run()
    assert stage.messages(enrollment) == [("hello", "accepted")]


def test_a_hold_with_a_date_lifts_by_itself(stage: Stage) -> None:
    person, enrollment = stage.lead()
    with stage.store.open_uow() as uow:
        pause_enrollments(uow, person, NOW + timedelta(days=1), "Dana", NOW)
    stage.run_for(timedelta(hours=23))
    assert stage.provider.taken == []
    stage.run_for(timedelta(hours=2))
    assert stage.messages(enrollment) == [("hello", "accepted")]


def test_a_hold_keeps_a_queued_message_in_the_outbox_and_a_hold_that_ends_in_the_past_is_refused(stage: Stage) -> None:
    person, enrollment = stage.lead()
    stage.tick()
    with stage.store.open_uow() as uow:
        pause_enrollments(uow, person, None, "Dana", NOW)
    stage.deliver()
    assert stage.messages(enrollment) == [("hello", "queued")]
    assert stage.world.rows(t.message)[0]["hold_why"] == "paused_by_staff"
    with stage.store.open_uow() as uow:
        resume_enrollments(uow, person, "Dana", NOW)
    stage.deliver()
    assert stage.messages(enrollment) == [("hello", "accepted")]
    with pytest.raises(OperatorError, match="in the future"), stage.store.open_uow() as uow:
        pause_enrollments(uow, person, NOW, "Dana", NOW)


@pytest.mark.parametrize("address", ["12345", "not a number", "+1 (503) 555-0177 ext 9"])
def test_i17_a_stop_from_something_that_is_no_address_of_anybody_is_kept_and_listed_all_the_same(
    stage: Stage, address: str
) -> None:
    event = InboxEvent("test", "SM7", EventKind.OPTED_OUT, NOW, NOW, channel=Channel.SMS, address=address, text="STOP")
    with stage.store.open_uow() as uow:
        applied = apply_event(uow, event, NOW)
    assert (applied.unmatched, applied.suppressed) == (True, ())
    assert [row["state"] for row in stage.world.rows(t.inbox_event)] == ["unmatched"]
    assert [row["why"] for row in stage.world.rows(t.problem)] == ["unmatched"]


def test_i8_a_stop_of_a_known_person_from_an_odd_address_closes_the_address_that_we_write_to(stage: Stage) -> None:
    person, enrollment = stage.lead()
    applied = stage.event(EventKind.OPTED_OUT, person, channel=Channel.SMS, address="12345")
    assert set(applied.suppressed) == {Channel.SMS, Channel.CALL}
    assert stage.state(enrollment) == "opted_out"
    number = stage.world.row(t.person, person)["phone"]
    assert {row["address_key"] for row in stage.world.rows(t.suppression)} == {number}
