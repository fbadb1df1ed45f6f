"""The engine's door to people: locks, contact states, the do-not-contact list, goals as live records."""

from __future__ import annotations

import itertools
from datetime import timedelta

import pytest

from app.domain.ids import PersonId
from app.domain.reasons import Why
from app.domain.states import CONTACT_EXITS, Channel, Contact
from app.store import tables as t
from app.store.session import Session
from tests.builders import LATER, NOW, World

WEEK_AGO = NOW - timedelta(days=7)


def test_a_person_is_read_with_tags_and_custom_fields(world: World) -> None:
    ana = world.person("Ana", tags=["vip", "new"], custom={"shoe_size": "38"}, status="lead", source="web")

    with world.store.open_uow() as uow:
        person = uow.people.read(ana)
        nobody = uow.people.read(PersonId(ana + 1))

    assert nobody is None
    assert person is not None
    assert person.tags == {"vip", "new"}
    assert (person.first_name, person.custom) == ("Ana", {"shoe_size": "38"})
    assert (person.status, person.source, person.contact, person.version) == ("lead", "web", Contact.OPEN, 1)
    assert (person.location_id, person.created_at) == (world.portland, NOW)


def test_people_are_found_by_address_and_a_second_number_counts(world: World) -> None:
    shared = "+15035550143"
    ana = world.person(phone=shared, email="home@example.com")
    ben = world.person(alt_phone=shared, email="ben@example.com")
    world.person(email="other@example.com")

    with world.store.open_uow() as uow:
        assert uow.people.with_address(Channel.SMS, shared) == [ana, ben]
        assert uow.people.with_address(Channel.CALL, shared) == [ana, ben]
        assert uow.people.with_address(Channel.EMAIL, "home@example.com") == [ana]
        assert uow.people.with_address(Channel.EMAIL, "nobody@example.com") == []


def test_a_bump_is_a_new_version(world: World) -> None:
    ana = world.person()
    with world.store.open_uow() as uow:
        uow.people.bump(ana, None, LATER)
        uow.people.bump(ana, Contact.OPEN, LATER)

    row = world.row(t.person, ana)
    assert (row["version"], row["contact"], row["updated_at"]) == (3, "open", LATER)


@pytest.mark.parametrize(("seen", "to"), list(itertools.permutations(Contact, 2)))
def test_contact_states_change_only_on_known_ways(world: World, seen: Contact, to: Contact) -> None:
    ana = world.person(contact=seen)

    if to in CONTACT_EXITS[seen]:
        with world.store.open_uow() as uow:
            uow.people.bump(ana, to, LATER)
        row = world.row(t.person, ana)
        assert (row["contact"], row["version"]) == (to, 2)
        assert row["with_staff_since"] == (LATER if to is Contact.WITH_STAFF else None)
    else:
        with pytest.raises(ValueError, match="can't go"), world.store.open_uow() as uow:
            uow.people.bump(ana, to, LATER)
        assert world.row(t.person, ana)["contact"] == seen


def test_with_staff_since_the_first_reply(world: World) -> None:
    ana = world.person(contact=Contact.WITH_STAFF)
    with world.store.open_uow() as uow:
        uow.people.bump(ana, Contact.WITH_STAFF, LATER)

    assert world.row(t.person, ana)["with_staff_since"] == NOW


def test_a_status_word_is_set(world: World) -> None:
    ana = world.person(status="lead")
    with world.store.open_uow() as uow:
        uow.people.set_status(ana, "lost")

    assert world.row(t.person, ana)["status"] == "lost"


def test_a_writer_waits_for_those_who_rely_on_the_person(postgres_database_url: str) -> None:
    session = Session(postgres_database_url)
    world = World.at(session)
    ana = world.person()
    free = "SELECT id FROM person FOR NO KEY UPDATE SKIP LOCKED"
    shared = "SELECT id FROM person FOR SHARE SKIP LOCKED"

    with world.store.open_uow() as uow:
        uow.people.lock([ana], to_write=False)
        with session.write() as other:
            relied = len(other.exec_driver_sql(free).all()), len(other.exec_driver_sql(shared).all())
    with world.store.open_uow() as uow:
        uow.people.lock([ana], to_write=True)
        uow.people.lock([], to_write=True)
        with session.write() as other:
            written = len(other.exec_driver_sql(free).all()), len(other.exec_driver_sql(shared).all())

    assert (relied, written) == ((0, 1), (0, 0))
    session.dispose()


# the do-not-contact list


def test_an_address_is_put_on_the_list_once(world: World) -> None:
    ana = world.person()
    event = world.event(ana)
    with world.store.open_uow() as uow:
        assert uow.people.suppress(Channel.SMS, "+15035550143", Why.OPT_OUT, event, ana, NOW)
        assert not uow.people.suppress(Channel.SMS, "+15035550143", Why.COMPLAINT, None, None, LATER)
        assert uow.people.suppress(Channel.CALL, "+15035550143", Why.OPT_OUT, event, None, NOW)

    rows = world.rows(t.suppression)
    assert [(row["channel"], row["why"], row["person_id"], row["event_id"]) for row in rows] == [
        ("sms", "opt_out", ana, event),
        ("call", "opt_out", None, event),
    ]


@pytest.mark.parametrize(
    ("channel", "written", "stored"),
    [
        (Channel.EMAIL, " ANA@Example.com", "ana@example.com"),
        (Channel.SMS, "+1 (503) 555-0143", "+15035550143"),
        (Channel.CALL, "tel:+15035550143", "+15035550143"),
    ],
)
def test_i10_the_list_is_keyed_by_the_normalised_address(
    world: World, channel: Channel, written: str, stored: str
) -> None:
    with world.store.open_uow() as uow:
        assert uow.people.suppress(channel, written, Why.OPT_OUT, None, None, NOW)
        assert not uow.people.suppress(channel, stored, Why.OPT_OUT, None, None, NOW)

    assert [row["address_key"] for row in world.rows(t.suppression)] == [stored]


def test_what_no_message_could_have_is_refused(world: World) -> None:
    with pytest.raises(ValueError, match=r"E\.164"), world.store.open_uow() as uow:
        uow.people.suppress(Channel.SMS, "0143", Why.OPT_OUT, None, None, NOW)


def test_an_entry_is_lifted_with_its_evidence_and_can_come_again(world: World) -> None:
    world.suppress(Channel.SMS, "+15035550143")
    with world.store.open_uow() as uow:
        assert uow.people.lift_suppression(Channel.SMS, "+15035550143", "START, received 2 March", LATER)
        assert not uow.people.lift_suppression(Channel.SMS, "+15035550143", "again", LATER)
        assert uow.people.suppress(Channel.SMS, "+15035550143", Why.OPT_OUT, None, None, LATER)

    first, second = world.rows(t.suppression)
    assert (first["lifted_at"], first["lift_evidence"]) == (LATER, "START, received 2 March")
    assert second["lifted_at"] is None


@pytest.mark.parametrize("evidence", ["", "  "])
def test_an_entry_is_not_lifted_without_evidence(world: World, evidence: str) -> None:
    world.suppress(Channel.EMAIL, "ana@example.com")

    with pytest.raises(ValueError, match="evidence"), world.store.open_uow() as uow:
        uow.people.lift_suppression(Channel.EMAIL, "ana@example.com", evidence, LATER)


# goals as live records


def goal(world: World, person: int, kind: str, status: str, name: str = "event-1") -> None:
    """A goal event's record."""
    with world.store.open_uow() as uow:
        uow.people.record_goal(person, kind, status, name, LATER)  # type: ignore[arg-type]


def statuses(world: World, person: int) -> list[tuple[object, ...]]:
    """The person's records."""
    return [
        (row["status"], row["external_id"], row["status_changed_at"]) for row in world.rows(t.record, person_id=person)
    ]


def test_a_goal_without_a_record_adds_one(world: World) -> None:
    ana = world.person()
    goal(world, ana, "appointment", "booked")

    assert statuses(world, ana) == [("booked", "event-1", LATER)]


def test_a_goal_moves_the_newest_open_record(world: World) -> None:
    ana = world.person()
    world.record(ana, "invoice", "sent", external_id="old", at=WEEK_AGO)
    world.record(ana, "invoice", "overdue", external_id="new", at=NOW)
    world.record(ana, "invoice", "void", external_id="void", at=NOW)
    world.record(ana, "quote", "sent", external_id="quote", at=NOW)
    world.record(world.person(), "invoice", "sent", external_id="theirs", at=NOW)

    goal(world, ana, "invoice", "paid")

    assert statuses(world, ana) == [
        ("sent", "old", WEEK_AGO),
        ("paid", "new", LATER),
        ("void", "void", NOW),
        ("sent", "quote", NOW),
    ]
    assert world.rows(t.record, external_id="new")[0]["version"] == 2


def test_a_second_booking_is_a_second_appointment(world: World) -> None:
    ana = world.person()
    world.record(ana, "appointment", "booked", external_id="first", at=WEEK_AGO)
    world.record(ana, "appointment", "confirmed", external_id="second", at=WEEK_AGO)

    goal(world, ana, "appointment", "booked")

    assert statuses(world, ana)[2:] == [("booked", "event-1", LATER)]


def test_a_requested_appointment_gets_booked(world: World) -> None:
    ana = world.person()
    world.record(ana, "appointment", "requested", external_id="first", at=WEEK_AGO)

    goal(world, ana, "appointment", "booked")

    assert statuses(world, ana) == [("booked", "first", LATER)]


def test_a_record_of_that_name_is_the_one(world: World) -> None:
    ana = world.person()
    world.record(ana, "job", "scheduled", external_id="newer", at=NOW)
    world.record(ana, "job", "cancelled", external_id="J-7", at=WEEK_AGO)

    goal(world, ana, "job", "complete", "J-7")

    assert statuses(world, ana) == [("scheduled", "newer", NOW), ("complete", "J-7", LATER)]


def test_another_person_s_record_of_that_name_is_left_alone(world: World) -> None:
    ana, ben = world.person(), world.person()
    world.record(ben, "job", "scheduled", external_id="J-7", at=NOW)

    goal(world, ana, "job", "complete", "J-7")

    assert statuses(world, ben) == [("scheduled", "J-7", NOW)]
    assert statuses(world, ana) == [("complete", None, LATER)]
