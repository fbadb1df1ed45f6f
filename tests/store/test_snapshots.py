"""All that a decision sees, read in bulk: live rows, one statement a table, whoever else is asked about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from decimal import Decimal

import pytest
import sqlalchemy as sa

from app.domain.errors import StoreError
from app.domain.events import EventKind
from app.domain.facts import EventFact, JourneyFact
from app.domain.ids import StepId
from app.domain.reasons import Why
from app.domain.record import RecordKind
from app.domain.states import Channel, End, EnrollmentState, JourneyState, MessageState, Purpose, WaitsFor
from app.store import tables as t
from app.store.facts import FactDoor
from tests.builders import LATER, NOW, World

DAY = timedelta(days=1)


@contextmanager
def counted(world: World) -> Iterator[list[str]]:
    """Every statement that is sent while open."""
    sent: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        sent.append(statement)

    engine = world.store.session._writes
    sa.event.listen(engine, "before_cursor_execute", note)
    yield sent
    sa.event.remove(engine, "before_cursor_execute", note)


def test_an_enrollment_is_seen_as_it_stands(world: World) -> None:
    ana = world.person("Ana", tags=["vip"])
    journey = world.journey("Lead", max_days=12.5)
    enrollment = world.enrollment(ana, journey, waits_for=WaitsFor.TIME, hold_why="day_cap", hold_until=LATER)

    seen = world.seen(enrollment)

    assert seen.now == NOW
    assert seen.enrollment is not None
    assert (seen.enrollment.id, seen.enrollment.step, seen.enrollment.waits_for) == (enrollment, "hello", "time")
    assert (seen.enrollment.hold_why, seen.enrollment.hold_until) == (Why.DAY_CAP, LATER)
    assert (seen.enrollment.send_budget, seen.enrollment.wake_at, seen.enrollment.version) == (2, NOW, 1)
    assert seen.journey is not None
    assert (seen.journey.name, seen.journey.state, seen.journey.number) == ("Lead", JourneyState.LIVE, 1)
    assert (seen.journey.max_days, seen.journey.version_id) == (12.5, journey.version_id)
    assert {name: each.channel for name, each in seen.journey.templates.items()} == {"hello": "email", "nudge": "sms"}
    assert seen.journey.templates["hello"].purpose is Purpose.MARKETING
    assert seen.person.tags == {"vip"}
    assert (seen.person.id, seen.location.name) == (ana, "Portland")
    assert (seen.practice.name, seen.practice.per_day, seen.practice.per_week) == ("Fernhollow", 2, 6)
    assert (seen.message, seen.said, seen.suppressed, seen.unread_stops, seen.consents, seen.sent_at) == (
        None,
        (),
        frozenset(),
        0,
        (),
        (),
    )
    assert seen.step.id == "hello"


def test_a_message_is_seen_with_its_enrollment(world: World) -> None:
    enrollment = world.enrollment(world.person(), world.journey())
    message = world.message(enrollment, useful_until=LATER)

    seen = world.seen_message(message)

    assert seen.message is not None
    assert (seen.message.id, seen.message.channel, seen.message.state) == (message, Channel.EMAIL, MessageState.QUEUED)
    assert (seen.message.useful_until, seen.message.enrollment_id) == (LATER, enrollment)
    assert seen.enrollment is not None
    assert seen.said == ((StepId("hello"), 1, MessageState.QUEUED),)


def test_a_message_written_by_hand_has_no_journey(world: World) -> None:
    seen = world.seen_message(world.manual_message(world.person()))

    assert (seen.journey, seen.enrollment, seen.said) == (None, None, ())
    assert seen.message is not None
    assert (seen.message.step, seen.message.channel) == (None, Channel.SMS)


def test_what_is_gone_is_left_out(world: World) -> None:
    with world.store.open_uow() as uow:
        assert uow.snapshots.of_enrollments([], NOW) == {}
        assert uow.snapshots.of_messages([], NOW) == {}
    enrollment = world.enrollment(world.person(), world.journey())
    with world.store.open_uow() as uow:
        missing = type(enrollment)(enrollment + 1)
        assert set(uow.snapshots.of_enrollments([enrollment, missing], NOW)) == {enrollment}


def test_a_database_without_a_practice_says_so(world: World) -> None:
    enrollment = world.enrollment(world.person(), world.journey())
    with world.store.session.write() as connection:
        connection.execute(sa.delete(t.practice))

    with pytest.raises(StoreError, match="no practice"):
        world.seen(enrollment)


@pytest.mark.parametrize("count", [1, 30])
def test_thirty_people_take_no_more_statements_than_one(world: World, count: int) -> None:
    journey = world.journey()
    ids = [world.enrollment(world.person(tags=["a", "b"]), journey) for _ in range(count)]
    for enrollment in ids:
        world.message(enrollment)
    world.seen(ids[0])  # what never changes is remembered from here on

    with world.store.open_uow() as uow, counted(world) as sent:
        assert len(uow.snapshots.of_enrollments(ids, NOW)) == count

    assert len(sent) <= 14


def test_a_change_of_hours_is_seen_at_once(world: World) -> None:
    enrollment = world.enrollment(world.person(), world.journey())
    assert world.seen(enrollment).location.hours.send_ok(NOW, timedelta(0))

    with world.store.session.write() as connection:
        closed = {"closures": [{"date": "2026-03-02"}], "version": t.location.c.version + 1}
        connection.execute(sa.update(t.location).values(closed))

    assert not world.seen(enrollment).location.hours.send_ok(NOW, timedelta(0))


def test_a_retired_journey_is_seen_at_once(world: World) -> None:
    enrollment = world.enrollment(world.person(), world.journey())
    world.seen(enrollment)
    with world.store.session.write() as connection:
        connection.execute(sa.update(t.journey).values(state="retired"))

    seen = world.seen(enrollment)

    assert seen.journey is not None
    assert seen.journey.state is JourneyState.RETIRED


def test_an_enrollment_stays_on_its_own_version(world: World) -> None:
    journey = world.journey()
    enrollment = world.enrollment(world.person(), journey)
    document = world.row(t.journey_version, journey.version_id)["document"]
    world.new_version(journey, document | {"name": "Changed"})

    seen = world.seen(enrollment)

    assert seen.journey is not None
    assert (seen.journey.number, seen.journey.journey.name) == (1, document["name"])


def test_a_location_without_an_address_or_a_website_has_the_practice_s(world: World) -> None:
    with world.store.session.write() as connection:
        connection.execute(sa.update(t.practice).values(website="https://example.com"))
    bend = world.location(
        "Bend",
        postal_address="7 Elm St, Bend",
        website="https://bend.example.com",
        booking_url="https://bend.example.com/book",
    )
    journey = world.journey()
    people = [world.person(), world.person(location_id=bend)]

    told = [world.seen(world.enrollment(person, journey)).location for person in people]

    assert [each.postal_address for each in told] == ["1 Main St, Portland", "7 Elm St, Bend"]
    assert [each.website for each in told] == ["https://example.com", "https://bend.example.com"]
    assert [each.booking_url for each in told] == ["", "https://bend.example.com/book"]


# facts


def test_facts_are_what_conditions_ask_of(world: World) -> None:
    ana = world.person("Ana", tags=["vip"], custom={"shoe_size": "38"}, status="lead", source="web")
    first = world.record(ana, "appointment", "missed", label="first", starts_at=NOW - DAY, at=NOW - 3 * DAY)
    world.record(ana, "invoice", "sent", amount=Decimal("99.50"))
    before = world.enrollment(ana, world.journey("Old lead"))
    world.end(before, EnrollmentState.EXHAUSTED, Why.LAST_STEP)
    world.event(ana, EventKind.CLICKED, channel=Channel.EMAIL, happened_at=NOW - DAY)

    seen = world.seen(world.enrollment(ana, world.journey(), entered_at=NOW - 2 * DAY))

    fields = {"person.first_name": "Ana", "person.status": "lead", "person.location": "Portland"}
    fields |= {"person.custom.shoe_size": "38", "person.contact": "open", "person.source": "web"}
    assert {name: seen.facts.fields[name] for name in fields} == fields
    assert seen.facts.fields["person.created_at"] == NOW
    assert seen.facts.tags == {"vip"}
    assert [(each.id, each.kind, each.label, each.status, each.starts_at) for each in seen.facts.records[:1]] == [
        (first, RecordKind.APPOINTMENT, "first", "missed", NOW - DAY)
    ]
    assert (seen.facts.records[0].status_changed_at, seen.facts.records[1].amount) == (NOW - 3 * DAY, 99.5)
    assert seen.facts.events == (EventFact(EventKind.CLICKED, NOW - DAY, Channel.EMAIL),)
    assert seen.facts.journeys == (JourneyFact("Old lead", End.EXHAUSTED, NOW),)
    assert seen.facts.since_enrollment == NOW - 2 * DAY


def test_an_enrollment_that_a_job_started_is_asked_about_that_job(world: World) -> None:
    ana = world.person()
    world.record(ana, "job", "cancelled")
    own = world.record(ana, "job", "complete")
    world.record(ana, "invoice", "sent")

    seen = world.seen(world.enrollment(ana, world.journey(), record_id=own, entry_key=f"job:{own}"))

    assert [(each.kind, each.status) for each in seen.facts.records] == [("invoice", "sent"), ("job", "complete")]


def test_a_group_asks_everyone_outside_any_journey(world: World) -> None:
    ana, gone = world.person("Ana", tags=["vip"]), world.person("Gone", erased_at=NOW)
    own = world.record(ana, "job", "complete")
    world.enrollment(ana, world.journey(), record_id=own)
    with world.store.open_uow() as uow:
        facts = FactDoor(uow.connection, uow.memory).facts_of([ana, gone])

    assert set(facts) == {ana}
    assert facts[ana].tags == {"vip"}
    assert facts[ana].since_enrollment is None


# what may hold or end


def test_i10_an_address_on_the_list_closes_its_channel(world: World) -> None:
    ana = world.person()
    enrollment = world.enrollment(ana, world.journey())
    world.suppress(Channel.SMS, world.row(t.person, ana)["phone"])
    world.suppress(Channel.EMAIL, "other@example.com")
    seen = world.seen(enrollment)
    with world.store.open_uow() as uow:
        uow.people.lift_suppression(Channel.SMS, seen.person.phone or "", "START", NOW)

    assert seen.suppressed == {Channel.SMS}
    assert world.seen(enrollment).suppressed == frozenset()


def test_a_stop_that_is_stored_and_not_applied_is_seen(world: World) -> None:
    ana = world.person()
    enrollment = world.enrollment(ana, world.journey())
    world.event(ana, EventKind.OPENED)
    reply = world.event(ana, EventKind.REPLIED)
    assert world.seen(enrollment).unread_stops == 1

    with world.store.open_uow() as uow:
        uow.events.mark_applied(reply, NOW)

    assert world.seen(enrollment).unread_stops == 0


def test_a_consent_holds_until_it_is_revoked_or_the_number_changes(world: World) -> None:
    ana = world.person(phone="+15035550143")
    enrollment = world.enrollment(ana, world.journey())
    world.consent(ana, address="+15035550199")
    before = world.seen(enrollment).consents
    world.consent(ana, address="+15035550143", at=NOW - DAY, how="paper")
    world.consent(ana, Channel.CALL, purpose="care")
    given = world.seen(enrollment).consents
    world.consent(ana, act="revoked", at=NOW)
    revoked = world.seen(enrollment).consents
    world.consent(ana, at=NOW + DAY, how="web form")

    assert before == ()
    assert [(each.channel, each.purpose, each.how, each.given_at) for each in given] == [
        ("sms", "marketing", "paper", NOW - DAY),
        ("call", "care", "form", NOW),
    ]
    assert [each.channel for each in revoked] == [Channel.CALL]
    assert [each.how for each in world.seen(enrollment).consents] == ["web form", "form"]


def test_what_was_handed_over_in_seven_days_counts_for_the_caps(world: World) -> None:
    ana = world.person()
    enrollment = world.enrollment(ana, world.journey(send_budget=4))
    old = world.manual_message(ana, try_at=NOW - 8 * DAY)
    world.accepted(old, at=NOW - 8 * DAY)
    week = world.manual_message(ana, try_at=NOW - 3 * DAY)
    world.accepted(week, at=NOW - 3 * DAY)
    failed = world.manual_message(ana, try_at=NOW - DAY)
    world.sending(failed, at=NOW - DAY)
    world.move_message(failed, MessageState.FAILED)
    retried = world.manual_message(ana, try_at=NOW - DAY)
    world.put_back(world.sending(retried, at=NOW - DAY))
    message = world.message(enrollment)
    world.sending(message)

    assert world.seen(enrollment).sent_at == (NOW - 3 * DAY, NOW)
    assert world.seen_message(message).sent_at == (NOW - 3 * DAY,)


def test_waits_before_a_record_find_its_time(world: World) -> None:
    ana = world.person()
    world.record(ana, "appointment", starts_at=NOW + 2 * DAY)
    world.record(ana, "appointment", starts_at=NOW + DAY)
    enrollment = world.enrollment(ana, world.journey())

    assert world.seen(enrollment).record_at == {"appointment": NOW + DAY}
    assert world.seen(enrollment, NOW + DAY + timedelta(hours=1)).record_at == {"appointment": NOW + 2 * DAY}
