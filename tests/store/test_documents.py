"""What staff write is kept by value: saving the same again changes nothing; versions never change."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from app.domain.errors import OperatorError
from app.domain.ids import JourneyId, LocationId
from app.domain.provider_settings import Imap, Providers, Twilio
from app.domain.reasons import Why
from app.domain.snapshot import Practice
from app.domain.states import Channel, JourneyState, Purpose, WaitsFor
from app.engine.office_ports import LocationRow
from app.store import tables as t
from tests.builders import LATER, NOW, WEEK, World, journey_document

FERNHOLLOW = Practice("Fernhollow", "US", "OR", "1 Main St, Portland", 2, 6)
BEND = LocationRow(
    id=LocationId(0),
    name="Bend",
    zone="America/Los_Angeles",
    hours=WEEK,
    closures=[{"date": "2026-12-24"}],
    holidays="US-OR",
    phone="+15415550100",
    email="bend@example.com",
    postal_address="",
    country="US",
    region="OR",
    website="https://bend.example.com",
    booking_url="https://bend.example.com/book",
)


def test_the_same_practice_again_changes_nothing(world: World) -> None:
    changed = Practice("Fernhollow", "US", "OR", "2 Main St", 1, 4, "Fern", "https://example.com")
    with world.store.open_uow() as uow:
        assert uow.documents.practice() == FERNHOLLOW
        assert not uow.documents.save_practice(FERNHOLLOW, NOW)
        assert uow.documents.save_practice(changed, NOW)
    with world.store.open_uow() as uow:
        assert uow.documents.practice() == changed
        assert not uow.documents.save_practice(changed, NOW)


def test_a_new_practice_begins_in_practice_mode_and_another_text_keeps_its_mode(world: World) -> None:
    with world.store.open_uow() as uow:
        assert uow.documents.practice_mode()
        uow.documents.set_practice_mode(False)
        uow.documents.save_practice(Practice("Fernhollow", "US", "", "", 2, 6), NOW)
        assert not uow.documents.practice_mode()


def test_a_practice_has_an_id_of_its_own_that_stays(world: World) -> None:
    with world.store.open_uow() as uow:
        made = uow.documents.practice_id()
    with world.store.open_uow() as uow:
        assert uow.documents.practice_id() == made
    assert len(made) == 32


def test_providers_are_kept_by_value(world: World) -> None:
    told = Providers(
        Twilio("AC01", "+15035550100", ""), imap=Imap("imap.example.com", "desk", 993, "INBOX", True, ("Junk",))
    )
    with world.store.open_uow() as uow:
        assert uow.documents.providers() == Providers()
        assert uow.documents.save_providers(told, NOW)
    with world.store.open_uow() as uow:
        assert uow.documents.providers() == told
        assert not uow.documents.save_providers(told, NOW)
        assert uow.documents.save_providers(Providers(), NOW)
        assert uow.documents.providers() == Providers()


def test_without_a_practice_the_mode_is_the_safe_one_and_cannot_be_changed(world: World) -> None:
    with world.rolled_back() as connection:
        connection.execute(t.practice.delete())
        documents = world.store.doors(connection).documents
        assert documents.practice() is None
        assert documents.practice_mode()
        with pytest.raises(OperatorError, match="no practice"):
            documents.set_practice_mode(False)
        assert documents.save_practice(FERNHOLLOW, NOW)


def test_the_same_location_again_changes_nothing_and_its_version_stays(world: World) -> None:
    with world.store.open_uow() as uow:
        assert uow.documents.save_location(BEND, NOW)
    with world.store.open_uow() as uow:
        assert not uow.documents.save_location(BEND, NOW)
        found = {row.name: row for row in uow.documents.locations()}
    assert found["Bend"] == replace(BEND, id=found["Bend"].id)
    assert world.rows(t.location, name="Bend")[0]["version"] == 1


def test_new_hours_wake_those_who_are_held_for_hours_there_and_nobody_else(world: World) -> None:
    # given: a follow-up and a message held for the clinic's hours, one that waits for a time, one held for staff
    journey = world.journey()
    tomorrow = NOW + timedelta(days=1)
    held: dict[str, Any] = {"wake_at": tomorrow, "hold_why": Why.CLINIC_CLOSED.value, "hold_until": tomorrow}
    closed = world.enrollment(world.person(), journey, **held)
    timed = world.enrollment(world.person(), journey, step="pause", waits_for=WaitsFor.TIME, **held)
    staff = world.enrollment(world.person(), journey, wake_at=tomorrow, hold_why=Why.WITH_STAFF.value)
    elsewhere = world.enrollment(world.person(location_id=world.location("Boise")), journey, **held)
    sends = world.enrollment(world.person(), journey, waits_for=WaitsFor.MESSAGE)
    message = world.message(sends, try_at=tomorrow, hold_why=Why.QUIET_HOURS.value)
    # when
    longer = {**WEEK, "sat": [["09:00", "12:00"]]}
    with world.store.open_uow() as uow:
        portland = next(row for row in uow.documents.locations() if row.name == "Portland")
        assert uow.documents.save_location(
            LocationRow(
                portland.id,
                portland.name,
                portland.zone,
                longer,
                portland.closures,
                portland.holidays,
                portland.phone,
                portland.email,
                portland.postal_address,
            ),
            NOW,
        )
    # then
    with world.store.open_uow() as uow:
        assert list(uow.enrollments.claim_due(NOW, 10)) == [closed]
        assert [each.message_id for each in uow.outbox.lease(NOW, LATER, "w", 10)] == [message]
    for untouched in (timed, staff, elsewhere):
        assert world.row(t.enrollment, untouched)["wake_at"] == tomorrow


def test_a_location_that_somebody_belongs_to_stays_in_use(world: World) -> None:
    empty = world.location("Bend")
    world.person()
    with world.store.open_uow() as uow:
        assert uow.documents.archive_location("Bend")
        assert not uow.documents.archive_location("Portland")
        assert not uow.documents.archive_location("Nowhere")
        assert [row.name for row in uow.documents.locations()] == ["Portland"]
        assert uow.documents.save_location(BEND, NOW), "taken into use again"
    assert world.row(t.location, empty)["archived"] is False


def test_a_changed_text_is_a_new_version_and_the_old_one_stays(world: World) -> None:
    def save(body: str, purpose: Purpose = Purpose.CARE) -> bool:
        with world.store.open_uow() as uow:
            return uow.documents.save_template("hello", Channel.EMAIL, purpose, "Hello", body, NOW)

    assert save("Hi")
    assert not save("Hi")
    assert save("Hi there")
    assert save("Hi there", Purpose.MARKETING), "a version is linted for its purpose"
    with world.store.open_uow() as uow:
        row = uow.documents.templates()["hello"]
    assert (row.number, row.body, row.purpose) == (3, "Hi there", Purpose.MARKETING)
    assert [each["body"] for each in world.rows(t.template_version)] == ["Hi", "Hi there", "Hi there"]


def test_a_used_template_keeps_its_channel_and_an_unused_one_may_change_it(world: World) -> None:
    world.journey()  # pins hello
    with world.store.open_uow() as uow:
        uow.documents.save_template("spare", Channel.EMAIL, Purpose.CARE, "", "Hi", NOW)
        assert uow.documents.save_template("spare", Channel.SMS, Purpose.CARE, "", "Hi", NOW)
        assert uow.documents.templates()["spare"].channel is Channel.SMS
        with pytest.raises(OperatorError, match="hello"):
            uow.documents.save_template("hello", Channel.SMS, Purpose.CARE, "", "Hi", NOW)


def test_a_draft_differs_from_the_draft_or_else_from_the_live_version(world: World) -> None:
    first, second = journey_document(), journey_document(purpose="care")
    with world.store.open_uow() as uow:
        documents = uow.documents
        assert documents.save_draft("New lead", first, NOW)
        assert not documents.save_draft("New lead", first, NOW)
        drawn = documents.journey("New lead")
        assert drawn is not None
        assert (drawn.state, drawn.live_version_id) == (JourneyState.DRAFT, None)
        published = documents.publish(drawn.id, first, {"emails": 1}, 2, 3.0, {}, "Dana", NOW)
        live = documents.journey("New lead")
        assert live is not None
        assert (live.state, live.draft, live.live_version_id) == (JourneyState.LIVE, None, published)
        assert (live.live_number, live.live_document, live.live_send_budget) == (1, first, 2)
        assert not documents.save_draft("New lead", first, NOW), "as the live version"
        assert documents.save_draft("New lead", second, NOW)
        assert documents.save_draft("New lead", first, NOW), "back to the live version: the draft is gone"
        back = documents.journey("New lead")
    assert back is not None
    assert back.draft is None


def test_each_publish_adds_a_version_with_the_next_number(world: World) -> None:
    published = world.journey()
    document = journey_document(purpose="care")
    with world.store.open_uow() as uow:
        version_id = uow.documents.publish(
            published.id, document, {"emails": 1}, 2, 3.5, published.templates, "Dana", NOW
        )
    row = world.row(t.journey_version, version_id)
    assert (row["number"], row["document"], row["max_days"], row["published_by"]) == (2, document, 3.5, "Dana")
    assert row["templates"] == published.templates


def test_only_a_published_journey_leaves_its_draft(world: World) -> None:
    published = world.journey()
    with world.store.open_uow() as uow:
        uow.documents.set_journey_state(published.id, JourneyState.RETIRED)
        uow.documents.save_draft("Later", journey_document("Later"), NOW)
        later = uow.documents.journey("Later")
        assert later is not None
        assert [row.name for row in uow.documents.journeys()] == ["Later", published.name]
        with pytest.raises(OperatorError, match="never published"):
            uow.documents.set_journey_state(later.id, JourneyState.LIVE)
        with pytest.raises(OperatorError, match="no journey"):
            uow.documents.set_journey_state(JourneyId(999), JourneyState.LIVE)
        with pytest.raises(OperatorError, match="no journey"):
            uow.documents.publish(JourneyId(999), {}, {}, 0, 0.0, {}, "", NOW)
    assert world.row(t.journey, published.id)["state"] == "retired"


def test_groups_and_old_sequences_are_kept_by_value(world: World) -> None:
    rule = {"field": "person.status", "is": "lead"}
    old = {
        "format": "stopwell.sequence/1",
        "name": "Old",
        "steps": [{"day": 0, "channel": "email", "template": "hello"}],
    }
    with world.store.open_uow() as uow:
        assert uow.documents.save_group("leads", rule, None)
        assert not uow.documents.save_group("leads", rule, None)
        assert uow.documents.save_group("leads", rule, {"journey": "New lead"})
        assert uow.documents.save_group("leads", rule, None)
        assert uow.documents.group_match("leads") == rule
        assert uow.documents.group_match("nobody") is None
        assert uow.documents.save_sequence("Old", old)
        assert not uow.documents.save_sequence("Old", old)
        assert uow.documents.save_sequence("Old", {**old, "steps": []})
    with world.store.open_uow() as uow:
        assert list(uow.documents.groups()) == ["leads"]
    group = world.rows(t.group)[0]
    assert group["created_at"].tzinfo is not None
