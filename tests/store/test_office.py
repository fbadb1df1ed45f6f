"""People as an office writes them: imports, fills, consents, records, starting someone; on both databases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import pytest

from app.domain.ids import ImportId, PersonId, RecordId
from app.domain.reasons import Why
from app.domain.states import Channel, Contact, Purpose, WaitsFor
from app.engine.consent_ports import ConsentNew
from app.engine.office_ports import EnrollmentNew, Having, ImportNew, PersonNew, RecordNew, Started
from app.store import tables as t
from tests.builders import LATER, NOW, Published, World


def new_person(world: World, first_name: str = "Ana", **parts: object) -> PersonNew:
    """A person as an import brings them."""
    plain = PersonNew(
        id=None,
        location_id=world.portland,
        first_name=first_name,
        last_name="",
        email=None,
        phone=None,
        phone_ext=None,
        alt_phone=None,
        last_visit=None,
        status="",
        source="",
        tags=(),
        custom={},
        do_not_contact=False,
    )
    return replace(plain, **parts)  # type: ignore[arg-type]


def new_import(world: World, kind: str = "people") -> ImportId:
    """An import that is noted."""
    row = ImportNew(NOW, "Dana", "leads.csv", kind, "utf-8", 3, 3, 0, 0, 0, "")
    with world.store.open_uow() as uow:
        return uow.office.add_import(row)


def start(world: World, rows: Sequence[EnrollmentNew]) -> Sequence[Started]:
    """Start people, in a transaction of its own."""
    with world.store.open_uow() as uow:
        return uow.office.start(rows)


def entry(
    person_id: PersonId, journey: Published, key: str = "once", record_id: RecordId | None = None
) -> EnrollmentNew:
    """A start of one person."""
    return EnrollmentNew(
        person_id=person_id,
        journey_id=journey.id,
        journey_version_id=journey.version_id,
        entry_key=key,
        record_id=record_id,
        entered_at=NOW,
        entered_by="Dana",
        reason="",
        step=journey.start,
        send_budget=journey.send_budget,
    )


def test_people_come_in_in_order_with_their_tags_and_what_they_are_found_by(world: World) -> None:
    people = [
        new_person(world, f"Nr {n}", email=f"nr{n}@example.com", tags=("b", "a", "b"), custom={"shoe": str(n)})
        for n in range(1500)
    ]
    with world.store.open_uow() as uow:
        ids = uow.office.add_people(people, None, NOW)
    assert ids == sorted(ids)
    rows = world.rows(t.person)
    assert [row["id"] for row in rows] == ids
    assert [row["first_name"] for row in rows] == [person.first_name for person in people]
    assert rows[7]["search_text"] == "nr 7 nr7@example.com"
    assert rows[7]["custom"] == {"shoe": "7"}
    assert [row["tag"] for row in world.rows(t.person_tag, person_id=ids[7])] == ["a", "b"]


def test_who_is_not_to_be_contacted_comes_in_that_way(world: World) -> None:
    with world.store.open_uow() as uow:
        (person_id,) = uow.office.add_people([new_person(world, do_not_contact=True)], None, NOW)
    assert world.row(t.person, person_id)["contact"] == "do_not_contact"


def test_known_people_are_those_who_share_an_address_and_are_not_erased(world: World) -> None:
    ana = world.person("Ana", email="ana@example.com", phone=None, tags=("vip",))
    ben = world.person("Ben", email=None, alt_phone="+15035550177")
    world.person("Carla")
    gone = world.person("Dora", email="dora@example.com", erased_at=NOW)
    with world.store.open_uow() as uow:
        known = uow.office.known_people(["ana@example.com", "dora@example.com"], ["+15035550177"])
        nobody = uow.office.known_people([], [])
    assert [person.id for person in known] == [ana, ben]
    assert known[0].tags == ("vip",)
    assert gone not in {person.id for person in known}
    assert list(nobody) == []


def test_who_has_an_address_is_told_in_two_numbers(world: World) -> None:
    ana = world.person("Ana", email="ana@example.com", phone="+15035550177")
    ben = world.person("Ben", email=None, phone=None, alt_phone="+15035550177")
    world.person("Carla", phone="+15035550199")
    with world.store.open_uow() as uow:
        having = uow.office.who_has(["ana@example.com", "nobody@example.com"], ["+15035550177"])
    assert having == {"ana@example.com": Having(1, ana), "+15035550177": Having(2, ana + ben)}


def test_a_fill_completes_blanks_and_overwrites_nothing_but_the_earlier_visit(world: World) -> None:
    ana = world.person(
        "Ana",
        email="ana@example.com",
        phone="+15035550111",
        status="lead",
        last_visit=date(2026, 1, 5),
        custom={"shoe": "38"},
        tags=("old",),
    )
    given = new_person(
        world,
        "Anna",
        id=ana,
        last_name="Lopez",
        email="other@example.com",
        phone="+15035550111",
        phone_ext="12",
        alt_phone="+15035550112",
        last_visit=date(2026, 2, 1),
        status="client",
        source="web form",
        tags=("old", "new"),
        custom={"shoe": "40", "coat": "M"},
    )
    with world.store.open_uow() as uow:
        uow.office.fill_people([given], LATER)
    row = world.row(t.person, ana)
    assert (row["first_name"], row["last_name"], row["email"]) == ("Ana", "Nr1", "ana@example.com")
    assert (row["phone_ext"], row["alt_phone"], row["source"]) == ("12", "+15035550112", "web form")
    assert (row["status"], row["last_visit"], row["custom"]) == ("lead", date(2026, 2, 1), {"shoe": "38", "coat": "M"})
    assert row["search_text"] == "nr1 ana ana@example.com 15035550111 15035550112"
    assert (row["version"], row["updated_at"]) == (2, LATER)
    assert [each["tag"] for each in world.rows(t.person_tag)] == ["new", "old"]


def test_a_fill_that_brings_nothing_new_leaves_the_row_alone(world: World) -> None:
    ana, import_id = world.person("Ana", email="ana@example.com"), new_import(world)
    with world.store.open_uow() as uow:
        uow.office.fill_people([new_person(world, "Ana", id=ana, email="ana@example.com")], LATER, import_id)
    assert world.row(t.person, ana)["version"] == 1
    assert world.rows(t.import_change) == []


def test_a_fill_keeps_do_not_contact_when_either_has_it(world: World) -> None:
    ana = world.person("Ana", contact=Contact.WITH_STAFF)
    ben = world.person("Ben", contact=Contact.DO_NOT_CONTACT)
    with world.store.open_uow() as uow:
        uow.office.fill_people([new_person(world, id=ana, do_not_contact=True), new_person(world, id=ben)], LATER)
    assert world.row(t.person, ana)["contact"] == "do_not_contact"
    assert world.row(t.person, ana)["with_staff_since"] is None
    assert world.row(t.person, ben)["contact"] == "do_not_contact"


def test_a_value_that_comes_in_wakes_what_was_held_for_it(world: World) -> None:
    ana = world.person("", last_name="")
    journey = world.journey()
    follow_up = world.enrollment(ana, journey, waits_for=WaitsFor.MESSAGE)
    message = world.message(follow_up, try_at=NOW + timedelta(hours=6), hold_why=Why.EMPTY_VALUE.value)
    with world.store.open_uow() as uow:
        uow.office.fill_people([new_person(world, "Ana", id=ana)], NOW)
        leased = uow.outbox.lease(NOW, LATER, "w", 10)
    assert [each.message_id for each in leased] == [message]


def test_only_a_known_person_can_be_filled_in_and_an_erased_one_stays_empty(world: World) -> None:
    gone = world.person("", last_name="", email=None, phone=None, erased_at=NOW)
    with world.store.open_uow() as uow:
        uow.office.fill_people([new_person(world, "Ana", id=gone)], LATER)
        with pytest.raises(ValueError, match="known person"):
            uow.office.fill_people([new_person(world, "Ana")], LATER)
    assert world.row(t.person, gone)["first_name"] == ""


def consent(person_id: PersonId, act: str = "given", address: str = "+15035550111", days: int = 0) -> ConsentNew:
    """A consent to marketing texts."""
    at = NOW + timedelta(days=days)
    return ConsentNew(person_id, Channel.SMS, Purpose.MARKETING, act, address, at, "web form", "", "", "Dana")


def test_consent_counts_until_it_is_revoked_and_for_the_number_it_was_given_for(world: World) -> None:
    ana = world.person("Ana", phone="+15035550111")

    def agreed() -> bool:
        with world.store.open_uow() as uow:
            return uow.consents.has(ana, Channel.SMS, Purpose.MARKETING)

    def write(*rows: ConsentNew) -> None:
        with world.store.open_uow() as uow:
            uow.consents.add(rows, NOW)

    assert not agreed()
    write(consent(ana, address="+15035550199"))
    assert not agreed(), "given for another number"
    write(consent(ana))
    assert agreed()
    write(consent(ana, "revoked", days=1))
    assert not agreed()
    write(consent(ana, days=2))
    assert agreed()
    with world.store.open_uow() as uow:
        assert not uow.consents.has(ana, Channel.SMS, Purpose.CARE)
        assert not uow.consents.has(PersonId(999), Channel.SMS, Purpose.MARKETING)


def test_a_consent_wakes_the_text_that_was_held_for_want_of_one(world: World) -> None:
    ana = world.person("Ana", phone="+15035550111")
    later = NOW + timedelta(hours=6)
    held = world.enrollment(ana, world.journey(), step="nudge", wake_at=later, hold_why=Why.NO_CONSENT.value)
    with world.store.open_uow() as uow:
        uow.consents.add([consent(ana)], NOW)
        uow.consents.add([], NOW)
    with world.store.open_uow() as uow:
        assert list(uow.enrollments.claim_due(NOW, 10)) == [held]


def test_suppressed_addresses_are_told_apart_by_channel(world: World) -> None:
    world.suppress(Channel.EMAIL, "ana@example.com")
    with world.store.open_uow() as uow:
        asked = ["ana@example.com", "ben@example.com"]
        assert uow.office.suppressed(Channel.EMAIL, asked) == {"ana@example.com"}
        assert uow.office.suppressed(Channel.SMS, ["+15035550111"]) == frozenset()


def job(person_id: PersonId, status: str = "scheduled", external_id: str = "J-1", **parts: object) -> RecordNew:
    """A job of somebody."""
    plain = RecordNew(person_id, "job", status, external_id, "", None, None, None)
    return replace(plain, **parts)  # type: ignore[arg-type]


def test_the_same_external_id_again_updates_the_record_and_its_status_time_moves_with_the_status_alone(
    world: World,
) -> None:
    ana = world.person()
    with world.store.open_uow() as uow:
        first = uow.office.put_records(
            [job(ana, label="Roof", amount=Decimal("120.5")), job(ana, external_id="J-2")], None, NOW
        )
        again = uow.office.put_records([job(ana, due_on=date(2026, 4, 1)), job(ana, external_id="J-3")], None, LATER)
    assert (first, again) == ((2, 0), (1, 1))
    row = world.rows(t.record, external_id="J-1")[0]
    assert (row["label"], row["amount"], row["due_on"]) == ("Roof", Decimal("120.50"), date(2026, 4, 1))
    assert row["status_changed_at"] == NOW, "a blank cell leaves what is stored, and the status stayed"
    with world.store.open_uow() as uow:
        uow.office.put_records([job(ana, "complete")], None, LATER)
    assert world.rows(t.record, external_id="J-1")[0]["status_changed_at"] == LATER


def test_one_external_id_may_stand_for_a_job_and_an_invoice_and_twice_in_a_file_it_is_one_record(world: World) -> None:
    ana = world.person()
    with world.store.open_uow() as uow:
        counts = uow.office.put_records(
            [job(ana), replace(job(ana), kind="invoice", status="sent"), job(ana, "complete")], None, NOW
        )
    assert counts == (2, 1)
    assert [(row["kind"], row["status"]) for row in world.rows(t.record)] == [("job", "complete"), ("invoice", "sent")]


def test_staff_find_somebody_by_id_email_or_either_number(world: World) -> None:
    ana = world.person("Ana", email="ana@example.com", phone="+15035550111", phone_ext="7")
    ben = world.person("Ben", phone="+15035550111", alt_phone="+15035550122")
    gone = world.person("Dora", email=None, phone=None, erased_at=NOW)
    asked = {
        str(ana): [ana],
        f"#{ben}": [ben],
        "Ana@Example.com": [ana],
        "(503) 555-0111": [ana, ben],
        "503 555 0111 x7": [ana],
        "503 555 0111 x9": [ana, ben],
        "503-555-0122": [ben],
        "nobody@example.com": [],
        "Ana": [],
        str(gone): [gone],
        "999": [],
    }
    with world.store.open_uow() as uow, world.store.open_reader() as reads:
        for ref, found in asked.items():
            assert list(uow.office.find_person(ref)) == found, ref
            assert list(reads.find_person(ref)) == found, ref


def test_facts_for_a_group_leave_out_the_erased(world: World) -> None:
    ana = world.person("Ana", status="lead")
    gone = world.person(erased_at=NOW)
    with world.store.open_uow() as uow:
        facts = uow.office.facts_of([ana, gone, PersonId(999)], NOW)
    assert set(facts) == {ana}
    assert facts[ana].fields["person.status"] == "lead"
    assert facts[ana].since_enrollment is None


def test_who_is_started_is_due_at_once(world: World) -> None:
    ana, journey = world.person(), world.journey()
    (started,) = start(world, [entry(ana, journey)])
    assert started.enrollment_id is not None
    row = world.row(t.enrollment, started.enrollment_id)
    assert (row["state"], row["step"], row["waits_for"], row["wake_at"]) == ("active", "hello", "nothing", NOW)
    assert (row["entered_by"], row["send_budget"], row["version"]) == ("Dana", journey.send_budget, 1)
    with world.store.open_uow() as uow:
        assert list(uow.enrollments.claim_due(NOW, 10)) == [started.enrollment_id]


def test_i1_who_is_in_the_journey_is_refused_whatever_the_reason(world: World) -> None:
    ana, journey = world.person(), world.journey()
    start(world, [entry(ana, journey)])
    assert [each.refused for each in start(world, [entry(ana, journey), entry(ana, journey, "again")])] == [
        "already_in",
        "already_in",
    ]


def test_i2_who_was_in_the_journey_for_the_same_reason_is_refused_for_ever(world: World) -> None:
    ana, journey = world.person(), world.journey()
    (first,) = start(world, [entry(ana, journey)])
    assert first.enrollment_id is not None
    world.end(first.enrollment_id)
    assert [each.refused for each in start(world, [entry(ana, journey)])] == ["entered_before"]
    (again,) = start(world, [entry(ana, journey, "again")])
    assert again.enrollment_id is not None


def test_every_row_gets_its_own_answer_in_order(world: World) -> None:
    journey, other = world.journey(), world.journey("Other")
    ana, ben = world.person(), world.person()
    asked_not_to, gone = world.person(contact=Contact.DO_NOT_CONTACT), world.person(erased_at=NOW)
    rows = [
        entry(ana, journey),
        entry(asked_not_to, journey),
        entry(ana, journey),
        entry(gone, journey),
        entry(ben, journey),
        entry(ana, other),
        entry(PersonId(999), journey),
    ]
    answers = start(world, rows)
    assert [each.person_id for each in answers] == [row.person_id for row in rows]
    assert [each.refused for each in answers] == ["", "do_not_contact", "already_in", "erased", "", "", "erased"]
    assert len({each.enrollment_id for each in answers if each.enrollment_id}) == 3
    assert start(world, []) == []


def test_two_thousand_are_started_in_one_go(world: World) -> None:
    journey = world.journey()
    with world.store.open_uow() as uow:
        ids = uow.office.add_people([new_person(world, f"Nr {n}") for n in range(2000)], None, NOW)
        answers = uow.office.start([entry(person_id, journey) for person_id in ids])
    assert all(each.enrollment_id is not None for each in answers)
    assert [each.person_id for each in answers] == list(ids)
    assert len(world.rows(t.enrollment)) == 2000
