"""How an event is taken in: copies and those that are none, odd times, the outcome, and the list of unmatched ones."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from app.domain.errors import OperatorError
from app.domain.events import Applied, Dated, EventKind, InboxEvent, payload_hash
from app.domain.ids import InboxEventId, PersonId
from app.domain.states import Channel, End
from app.engine.apply_event import apply_event, match_event, set_event_aside
from app.engine.hold import mark_handled
from app.store import tables as t
from tests.builders import NOW, journey_document
from tests.stage import Stage

BOOKED = {"record": "appointment", "status": "booked", "since": "enrollment"}


def told(kind: EventKind, text: str, person: PersonId | None = None, **parts: object) -> InboxEvent:
    """An event of a provider, with its payload's hash."""
    made = InboxEvent("twilio", "SM1", kind, NOW, NOW, person_id=person, channel=Channel.SMS, text=text)
    return replace(made, payload_hash=payload_hash(text), **parts)  # type: ignore[arg-type]


def take(stage: Stage, event: InboxEvent) -> Applied:
    with stage.store.open_uow() as uow:
        return apply_event(uow, event, stage.clock.now())


def outcome(stage: Stage, person: PersonId) -> End | None:
    with stage.store.open_reader() as reads:
        page = reads.person(person, stage.clock.now())
    assert page is not None
    return page.outcome


def problems(stage: Stage) -> list[str]:
    return [row["why"] for row in stage.world.rows(t.problem) if row["solved_at"] is None]


# copies, and what is none


def test_i8_a_copy_with_the_same_text_changes_nothing(stage: Stage) -> None:
    person, _ = stage.lead()
    take(stage, told(EventKind.OTHER, "hello", person))
    before = stage.world.row(t.person, person)["version"]
    assert take(stage, told(EventKind.OTHER, "hello", person)).duplicate
    assert stage.world.row(t.person, person)["version"] == before
    assert problems(stage) == []


def test_i17_a_stop_under_an_id_that_was_known_with_another_text_stops_and_is_listed(stage: Stage) -> None:
    person, enrollment = stage.lead()
    take(stage, told(EventKind.OTHER, "who is this", person))
    applied = take(stage, told(EventKind.OPTED_OUT, "STOP", person))
    assert (applied.duplicate, applied.other_text) == (False, True)
    assert stage.state(enrollment) == "opted_out"
    assert [row["text"] for row in stage.world.rows(t.inbox_event)] == ["who is this", "STOP"]
    assert problems(stage) == ["other_text"]
    assert take(stage, told(EventKind.OPTED_OUT, "STOP", person)).duplicate, "and its own copy is one"


def test_a_booking_under_a_known_id_with_another_text_is_shown_to_staff_and_adds_no_second_appointment(
    stage: Stage,
) -> None:
    person = stage.world.person()
    take(stage, told(EventKind.BOOKED, "Tuesday", person))
    take(stage, told(EventKind.BOOKED, "Wednesday", person))
    assert len(stage.world.rows(t.record)) == 1
    assert [row["kind"] for row in stage.world.rows(t.inbox_event)] == ["booked", "other"]
    assert stage.world.row(t.person, person)["contact"] == "with_staff"


# times


@pytest.mark.parametrize(
    ("happened_at", "dated"),
    [
        (NOW + timedelta(days=400), Dated.FUTURE),
        (NOW + timedelta(minutes=1), Dated.PLAUSIBLE),
        (NOW - timedelta(hours=20), Dated.PLAUSIBLE),
        (NOW - timedelta(days=3000), Dated.BEFORE_PERSON),
    ],
)
def test_an_event_of_an_odd_time_stops_all_the_same_and_says_so(
    stage: Stage, happened_at: datetime, dated: Dated
) -> None:
    person, enrollment = stage.lead()
    stage.run()
    applied = stage.event(EventKind.OPTED_OUT, person, happened_at=happened_at)
    assert (stage.state(enrollment), applied.dated, applied.came_in_at) == ("opted_out", dated, happened_at)
    said = stage.world.rows(t.log_entry, event="event.applied")[0]["facts"].get("dated")
    assert said == (None if dated is Dated.PLAUSIBLE else dated.value)


def test_a_stop_dated_in_the_future_does_not_tell_what_went_out_after_it_as_before_it(stage: Stage) -> None:
    person, _ = stage.lead()
    stage.at("deliver.answered", lambda: stage.event(EventKind.STOPPED, person, happened_at=NOW + timedelta(days=9)))
    stage.provider.script = lambda _note: stage.clock.go_on(timedelta(seconds=2))
    stage.run()
    stage.disarm()
    with stage.store.open_reader() as reads:
        page = reads.person(person, stage.clock.now())
    assert page is not None
    assert page.stop is not None
    assert len(page.stop.accepted_before) + len(page.stop.accepted_after) == 1


def test_a_reply_that_came_before_and_was_read_after_keeps_both_times(stage: Stage) -> None:
    """Case 33, the half that is told."""
    person, _ = stage.lead()
    stage.clock.go_on(timedelta(minutes=5))
    stage.run()
    applied = stage.event(EventKind.REPLIED, person, happened_at=NOW, received_at=stage.clock.now())
    assert (applied.came_in_at, applied.read_at) == (NOW, stage.clock.now())
    assert applied.accepted[0].accepted_at > NOW
    with stage.store.open_reader() as reads:
        page = reads.person(person, stage.clock.now())
    assert page is not None
    assert page.stop is not None
    assert [line.template for line in page.stop.accepted_after] == ["hello"]
    assert (page.stop.came_in_at, page.stop.read_at) == (NOW, stage.clock.now())


# what was there before, and the outcome


def test_a_stop_after_everything_had_ended_still_says_what_had_been_accepted(stage: Stage) -> None:
    person, _ = stage.lead()
    stage.run()
    stage.event(EventKind.STOPPED, person)
    applied = stage.event(EventKind.STOPPED, person)
    assert (applied.ended, applied.cancelled) == ((), ())
    assert [message.template for message in applied.accepted] == ["hello"]


@pytest.mark.parametrize(
    ("kinds", "end"),
    [
        (("booked", "replied"), End.CONVERTED),
        (("replied", "booked"), End.CONVERTED),
        (("replied", "opted_out"), End.OPTED_OUT),
        (("opted_out", "replied"), End.OPTED_OUT),
        (("stopped", "replied"), End.REPLIED),
        (("closed", "stopped"), End.CLOSED),
        (("bounced", "stopped"), End.STOPPED),
    ],
)
def test_the_outcome_is_the_strongest_fact_whichever_came_first(stage: Stage, kinds: tuple[str, str], end: End) -> None:
    person, enrollment = stage.lead(stage.world.journey(document=journey_document(converted={"when": BOOKED})))
    for kind in kinds:
        stage.event(EventKind(kind), person, channel=Channel.EMAIL if kind == "bounced" else None)
    assert stage.state(enrollment) not in ("active", "paused")
    assert outcome(stage, person) is end


# wrong numbers, YES, and holds


def test_case_38_a_wrong_number_ends_everything_and_tells_the_desk(stage: Stage) -> None:
    """Case 38."""
    person, enrollment = stage.lead()
    number = stage.world.row(t.person, person)["phone"]
    stage.event(EventKind.DISCONNECTED, person, channel=Channel.SMS, address=number, text="wrong number, I'm not Maria")
    assert stage.state(enrollment) == "suppressed"
    assert {row["channel"] for row in stage.world.rows(t.suppression)} == {"sms", "call"}
    assert problems(stage) == ["disconnected"]


@pytest.mark.parametrize("everything", [True, False])
def test_case_23_a_bare_yes_after_an_opt_out_lifts_nothing_and_is_shown_to_staff(
    stage: Stage, everything: bool
) -> None:
    """Case 23, the engine's half."""
    person, _ = stage.lead()
    stage.event(EventKind.OPTED_OUT, person, channel=None if everything else Channel.SMS)
    for kind in (EventKind.REPLIED, EventKind.OPTED_IN):
        stage.event(kind, person, channel=Channel.SMS, text="YES", needs_human=True)
    assert all(row["lifted_at"] is None for row in stage.world.rows(t.suppression))
    contact = stage.world.row(t.person, person)["contact"]
    assert contact == ("do_not_contact" if everything else "with_staff")
    assert ("needs_a_look" in problems(stage)) == everything


def test_an_unclear_text_holds_every_journey_of_the_person_until_it_is_handled(stage: Stage) -> None:
    person, first = stage.lead()
    second = stage.world.enrollment(person, stage.world.journey("Care", journey_document("Care", purpose="care")))
    stage.event(EventKind.OTHER, person, text="who told you?", needs_human=True)
    stage.run()
    assert [stage.state(each) for each in (first, second)] == ["active", "active"]
    assert stage.provider.taken == []
    with stage.store.open_uow() as uow:
        mark_handled(uow, person, "Dana", stage.clock.now())
    stage.run()
    assert len(stage.provider.taken) == 2


def test_an_opt_in_by_hand_lifts_both_numbers_that_a_stop_had_closed(stage: Stage) -> None:
    person, _ = stage.lead(alt_phone="+12025550155")
    stage.event(EventKind.OPTED_OUT, person, channel=Channel.SMS)
    stage.event(EventKind.OPTED_IN, person, channel=Channel.SMS, text="Signed form, March 3")
    standing = {row["channel"] for row in stage.world.rows(t.suppression) if row["lifted_at"] is None}
    assert standing == {"call"}


def test_a_bounce_of_an_address_that_was_put_right_meanwhile_ends_nothing(stage: Stage) -> None:
    person, enrollment = stage.lead()
    stage.event(EventKind.BOUNCED, person, channel=Channel.EMAIL, address="old@example.com")
    assert stage.state(enrollment) == "active"
    assert [row["address_key"] for row in stage.world.rows(t.suppression)] == ["old@example.com"]


# the unmatched list


def stranger(stage: Stage, kind: EventKind, text: str) -> InboxEventId:
    applied = take(stage, told(kind, text, address="+12025550188"))
    assert applied.unmatched
    assert applied.event_id is not None
    return applied.event_id


def match(stage: Stage, event_id: InboxEventId, person: PersonId) -> Applied:
    with stage.store.open_uow() as uow:
        return match_event(uow, event_id, person, "Dana", stage.clock.now())


def test_i17_a_stop_that_fitted_nobody_does_all_that_a_stop_does_once_somebody_says_whose_it_is(stage: Stage) -> None:
    """Case 38, the stranger."""
    person, enrollment = stage.lead()
    stage.tick()
    event_id = stranger(stage, EventKind.OPTED_OUT, "STOP")
    assert stage.world.rows(t.person, id=person)[0]["contact"] == "open"
    applied = match(stage, event_id, person)
    assert (applied.person_id, len(applied.cancelled)) == (person, 1)
    assert stage.state(enrollment) == "opted_out"
    number = stage.world.row(t.person, person)["phone"]
    assert {row["address_key"] for row in stage.world.rows(t.suppression)} == {"+12025550188", number}
    assert problems(stage) == []
    row = stage.world.row(t.inbox_event, event_id)
    assert (row["state"], row["person_id"]) == ("applied", person)
    with pytest.raises(OperatorError, match="on the list"):
        match(stage, event_id, person)


def test_i17_what_is_set_aside_is_kept_and_stays_off_the_list(stage: Stage) -> None:
    event_id = stranger(stage, EventKind.REPLIED, "who is this?")
    with stage.store.open_uow() as uow:
        set_event_aside(uow, event_id, "Dana", stage.clock.now())
    assert stage.world.row(t.inbox_event, event_id)["state"] == "set_aside"
    assert problems(stage) == []
    with pytest.raises(OperatorError, match="on the list"):
        match(stage, event_id, stage.world.person())


def test_an_event_is_matched_only_to_somebody_who_is_there(stage: Stage) -> None:
    event_id = stranger(stage, EventKind.REPLIED, "who is this?")
    with pytest.raises(OperatorError, match="no person 999"):
        match(stage, event_id, PersonId(999))
    assert stage.world.row(t.inbox_event, event_id)["state"] == "unmatched"
