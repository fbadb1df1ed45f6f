"""An import is taken back whole, or not at all once a message to one of its people was noted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from app.domain.errors import OperatorError
from app.domain.events import EventKind
from app.domain.ids import ImportId, PersonId
from app.domain.reasons import Why
from app.domain.states import Channel, Contact, MessageState, Purpose, WaitsFor
from app.engine.consent_ports import ConsentNew
from app.engine.office_ports import ImportNew, PersonNew, RecordNew
from app.store import tables as t
from app.store.memory import hashed_address
from tests.builders import LATER, NOW, World

TOMORROW = NOW + timedelta(days=1)


class Import:
    """One import into a world."""

    def __init__(self, world: World, kind: str = "people") -> None:
        self.world = world
        with world.store.open_uow() as uow:
            self.id: ImportId = uow.office.add_import(
                ImportNew(NOW, "Dana", "leads.csv", kind, "utf-8", 1, 1, 0, 0, 0, "")
            )

    def add(self, first_name: str = "Ana", **parts: object) -> PersonId:
        """Bring a new person."""
        with self.world.store.open_uow() as uow:
            (person_id,) = uow.office.add_people([self._person(first_name, **parts)], self.id, NOW)
        return person_id

    def fill(self, person_id: PersonId, first_name: str = "", **parts: object) -> None:
        """Fill in somebody who was there."""
        with self.world.store.open_uow() as uow:
            uow.office.fill_people([self._person(first_name, id=person_id, **parts)], NOW, self.id)

    def records(self, *rows: RecordNew) -> None:
        """Bring records."""
        with self.world.store.open_uow() as uow:
            uow.office.put_records(rows, self.id, NOW)

    def consent(self, person_id: PersonId) -> None:
        """Bring a consent to texts."""
        phone = str(self.world.row(t.person, person_id)["phone"])
        row = ConsentNew(
            person_id, Channel.SMS, Purpose.MARKETING, "given", phone, NOW, "form", "", "", "Dana", self.id
        )
        with self.world.store.open_uow() as uow:
            uow.consents.add([row], NOW)

    def undo(self) -> int:
        """Take it back, a day later."""
        with self.world.store.open_uow() as uow:
            return uow.office.undo_import(self.id, TOMORROW, "Dana")

    def _person(self, first_name: str, **parts: object) -> PersonNew:
        plain = PersonNew(
            None, self.world.portland, first_name, "", None, None, None, None, None, "", "", (), {}, False
        )
        return replace(plain, **parts)  # type: ignore[arg-type]


def logged(world: World) -> list[str]:
    """The names of the log's lines."""
    return [row["event"] for row in world.rows(t.log_entry)]


def test_people_it_brought_are_erased_and_nobody_else(world: World) -> None:
    ben = world.person("Ben")
    imported = Import(world)
    ana = imported.add("Ana", email="ana@example.com", phone="+15035550111", tags=("vip",), custom={"shoe": "38"})
    world.record(ana, external_id="J-1")
    imported.consent(ana)
    assert imported.undo() == 1
    row = world.row(t.person, ana)
    assert row["erased_at"] == TOMORROW
    left: Mapping[str, Any] = {
        "first_name": "",
        "email": None,
        "phone": None,
        "custom": {},
        "search_text": "",
    }
    assert {name: row[name] for name in left} == left
    for table in (t.person_tag, t.consent, t.record):
        assert world.rows(table) == []
    assert world.row(t.person, ben)["first_name"] == "Ben"
    assert world.row(t.import_batch, imported.id)["undone_at"] == TOMORROW
    assert logged(world) == ["person.erased", "import.undone"]
    assert world.rows(t.log_entry)[-1]["facts"] == {"import": imported.id, "went": 1, "put_back": 0, "ended": 0}


def test_i3_their_follow_ups_end_and_what_waited_to_go_out_is_cancelled(world: World) -> None:
    imported = Import(world)
    ana = imported.add("Ana", email="ana@example.com")
    follow_up = world.enrollment(ana, world.journey(), waits_for=WaitsFor.MESSAGE)
    message = world.message(follow_up)
    by_hand = world.manual_message(ana)
    imported.undo()
    ended = world.row(t.enrollment, follow_up)
    assert (ended["state"], ended["end_detail"], ended["ended_at"]) == ("closed", "import_undone", TOMORROW)
    for message_id in (message, by_hand):
        row = world.row(t.message, message_id)
        assert (row["state"], row["reason"], row["body"]) == ("cancelled", "import_undone", "")
    assert logged(world).count("message.cancelled") == 2
    assert "follow_up.ended" in logged(world)
    with world.store.open_uow() as uow:
        assert list(uow.enrollments.claim_due(TOMORROW, 10)) == []


def test_it_is_refused_once_a_message_was_noted_and_says_how_many(world: World) -> None:
    imported = Import(world)
    ana = imported.add("Ana", email="ana@example.com", phone="+15035550111")
    message = world.message(world.enrollment(ana, world.journey(), waits_for=WaitsFor.MESSAGE))
    world.sending(message)
    with pytest.raises(OperatorError, match="1 message to its people was handed over") as refused:
        imported.undo()
    assert "Stop" in refused.value.hint
    assert world.row(t.person, ana)["erased_at"] is None
    world.move_message(message, MessageState.ACCEPTED)
    with pytest.raises(OperatorError, match="1 message"):
        imported.undo()


def test_i15_it_is_refused_after_a_message_to_whom_it_brought_though_the_clock_was_set_back_in_between(
    world: World,
) -> None:
    imported = Import(world)
    ana = imported.add("Ana", email="ana@example.com", phone="+15035550111")
    message = world.message(world.enrollment(ana, world.journey(), waits_for=WaitsFor.MESSAGE))
    world.sending(message)
    with world.store.session.write() as connection:
        connection.execute(t.import_batch.update().values(at=world.now + timedelta(hours=2)))
    with pytest.raises(OperatorError, match="1 message to its people was handed over"):
        imported.undo()
    assert world.row(t.person, ana)["erased_at"] is None


def test_it_can_be_taken_back_once_and_only_when_there_is_one(world: World) -> None:
    imported = Import(world)
    imported.add()
    imported.undo()
    with pytest.raises(OperatorError, match="taken back already, on 2026-03-03"):
        imported.undo()
    with world.store.open_uow() as uow, pytest.raises(OperatorError, match="no import 999"):
        uow.office.undo_import(ImportId(999), TOMORROW, "Dana")


def test_who_was_only_filled_in_gets_the_blanks_back_and_stays(world: World) -> None:
    ana = world.person("Ana", last_name="", email=None, last_visit=date(2026, 1, 5), custom={"shoe": "38"}, tags=("a",))
    before = world.row(t.person, ana)
    imported = Import(world)
    imported.fill(
        ana,
        last_name="Lopez",
        email="ana@example.com",
        last_visit=date(2026, 2, 1),
        tags=("a", "b"),
        custom={"coat": "M"},
    )
    assert world.row(t.person, ana)["email"] == "ana@example.com"
    assert imported.undo() == 0
    after = world.row(t.person, ana)
    same = ("first_name", "last_name", "email", "phone", "last_visit", "custom", "contact", "erased_at")
    assert {name: after[name] for name in same} == {name: before[name] for name in same}
    assert after["search_text"] == f"ana {after['phone'][1:]}"
    assert [row["tag"] for row in world.rows(t.person_tag)] == ["a"]


def test_what_somebody_changed_since_is_left_as_they_wrote_it(world: World) -> None:
    ana = world.person("Ana", last_name="", email=None, custom={})
    imported = Import(world)
    imported.fill(ana, last_name="Lopez", email="wrong@example.com", custom={"coat": "M", "hat": "S"})
    Import(world).fill(ana, custom={"shoe": "38"})
    with world.store.session.write() as connection:
        written = {"email": "right@example.com", "custom": {"coat": "M", "hat": "L", "shoe": "38"}}
        connection.execute(t.person.update().where(t.person.c.id == ana).values(written))
    imported.undo()
    row = world.row(t.person, ana)
    assert (row["last_name"], row["email"]) == ("", "right@example.com")
    assert row["custom"] == {"hat": "L", "shoe": "38"}


def test_a_fill_in_two_portions_is_taken_back_to_the_beginning(world: World) -> None:
    ana = world.person("Ana", last_visit=date(2026, 1, 1))
    imported = Import(world)
    imported.fill(ana, last_visit=date(2026, 1, 2))
    imported.fill(ana, last_visit=date(2026, 1, 3))
    imported.undo()
    assert world.row(t.person, ana)["last_visit"] == date(2026, 1, 1)


def test_do_not_contact_stays_for_only_a_recorded_consent_lifts_it(world: World) -> None:
    ana = world.person("Ana")
    imported = Import(world)
    imported.fill(ana, do_not_contact=True)
    imported.undo()
    assert world.row(t.person, ana)["contact"] == "do_not_contact"


def test_a_message_to_somebody_filled_in_stops_it_too_but_an_older_one_does_not(world: World) -> None:
    ana, ben = world.person("Ana", source=""), world.person("Ben", source="")
    journey = world.journey()
    long_ago = NOW - timedelta(days=9)
    old = world.message(world.enrollment(ana, journey, waits_for=WaitsFor.MESSAGE), try_at=long_ago)
    world.sending(old, at=long_ago)
    imported = Import(world)
    imported.fill(ana, source="web form")
    assert imported.undo() == 0
    again = Import(world)
    again.fill(ben, source="web form")
    world.sending(world.message(world.enrollment(ben, journey, waits_for=WaitsFor.MESSAGE)), at=LATER)
    with pytest.raises(OperatorError, match="1 message"):
        again.undo()
    assert world.row(t.person, ben)["source"] == "web form"


def test_consent_that_nothing_was_sent_on_goes_and_other_consent_is_revoked(world: World) -> None:
    ana, ben = world.person("Ana"), world.person("Ben")
    world.message(world.enrollment(ben, world.journey(), waits_for=WaitsFor.MESSAGE))
    imported = Import(world)
    for person_id in (ana, ben):
        imported.fill(person_id, source="web form")
        imported.consent(person_id)
    imported.undo()
    assert [(row["person_id"], row["act"]) for row in world.rows(t.consent)] == [(ben, "given"), (ben, "revoked")]
    with world.store.open_uow() as uow:
        for person_id in (ana, ben):
            assert not uow.consents.has(person_id, Channel.SMS, Purpose.MARKETING)


def test_a_consent_given_by_themselves_since_is_left(world: World) -> None:
    ben = world.person("Ben", phone="+15035550111")
    world.message(world.enrollment(ben, world.journey(), waits_for=WaitsFor.MESSAGE))
    imported = Import(world)
    imported.fill(ben, source="web form")
    imported.consent(ben)
    world.consent(ben, address="+15035550111", at=LATER)
    imported.undo()
    with world.store.open_uow() as uow:
        assert uow.consents.has(ben, Channel.SMS, Purpose.MARKETING)


def test_i10_who_asked_not_to_be_contacted_stays_on_the_list_by_a_hash_of_the_address(world: World) -> None:
    imported = Import(world)
    ana = imported.add("Ana", email="ana@example.com")
    event = world.event(ana, EventKind.OPTED_OUT, channel=Channel.EMAIL, address="ana@example.com", text="stop it")
    with world.store.open_uow() as uow:
        uow.people.suppress(Channel.EMAIL, "ana@example.com", Why.OPT_OUT, event, ana, NOW)
    imported.undo()
    (entry,) = world.rows(t.suppression)
    key = next(row["value"] for row in world.rows(t.setting) if row["key"] == "suppression_key")
    assert (entry["hashed"], entry["address_key"]) == (True, hashed_address(key, Channel.EMAIL, "ana@example.com"))
    (kept,) = world.rows(t.inbox_event)
    assert (kept["kind"], kept["text"], kept["address"]) == ("opted_out", "", None)
    with world.store.open_uow() as uow:
        assert uow.office.suppressed(Channel.EMAIL, ["ana@example.com"]) == {"ana@example.com"}


def quote(person_id: PersonId, status: str = "sent", external_id: str = "Q-1", **parts: object) -> RecordNew:
    """A quote of somebody."""
    plain = RecordNew(person_id, "quote", status, external_id, "", None, None, None)
    return replace(plain, **parts)  # type: ignore[arg-type]


def test_records_it_brought_go_and_records_it_changed_are_as_they_were(world: World) -> None:
    ana = world.person("Ana")
    old = world.record(
        ana, "quote", "sent", external_id="Q-1", label="Roof", starts_at=NOW, amount=Decimal("12.50"), at=NOW
    )
    before = world.row(t.record, old)
    imported = Import(world, "records")
    changes: dict[str, Any] = {
        "label": "Wall",
        "starts_at": TOMORROW,
        "amount": Decimal("99.9"),
        "due_on": date(2026, 5, 1),
    }
    imported.records(quote(ana, "accepted", **changes), quote(ana, external_id="Q-2"))
    assert world.row(t.record, old)["status"] == "accepted"
    assert imported.undo() == 1
    after = world.row(t.record, old)
    assert {**after, "version": 1} == {**before, "version": 1}
    assert [row["id"] for row in world.rows(t.record)] == [old]


def test_a_record_that_moved_on_since_keeps_its_newer_status(world: World) -> None:
    ana = world.person("Ana")
    old = world.record(ana, "quote", "sent", external_id="Q-1", at=NOW)
    imported = Import(world, "records")
    imported.records(quote(ana, "declined", label="Roof"))
    with world.store.open_uow() as uow:
        uow.office.put_records([quote(ana, "accepted")], None, LATER)
    imported.undo()
    row = world.row(t.record, old)
    assert (row["status"], row["status_changed_at"], row["label"]) == ("accepted", LATER, "")


def test_a_follow_up_that_a_record_of_it_started_ends_and_the_record_stays_without_its_details(world: World) -> None:
    ana = world.person("Ana")
    imported = Import(world, "records")
    imported.records(quote(ana, label="Roof", amount=Decimal(10)))
    (record,) = world.rows(t.record)
    journey = world.journey()
    about_it = world.enrollment(ana, journey, entry_key=str(record["id"]), record_id=record["id"])
    other = world.enrollment(ana, world.journey("Other"))
    assert imported.undo() == 1
    assert world.row(t.enrollment, about_it)["end_detail"] == "import_undone"
    assert world.row(t.enrollment, other)["state"] == "active"
    row = world.row(t.record, record["id"])
    assert (row["status"], row["label"], row["external_id"], row["amount"]) == ("erased", "", None, None)


def test_the_same_file_can_be_imported_again_afterwards(world: World) -> None:
    first = Import(world)
    first.add("Ana", email="ana@example.com")
    first.undo()
    second = Import(world)
    ana = second.add("Ana", email="ana@example.com")
    with world.store.open_uow() as uow:
        assert [person.id for person in uow.office.known_people(["ana@example.com"], [])] == [ana]


def test_who_is_with_staff_is_erased_all_the_same(world: World) -> None:
    imported = Import(world)
    ana = imported.add("Ana")
    with world.store.open_uow() as uow:
        uow.people.bump(ana, Contact.WITH_STAFF, NOW)
    imported.undo()
    assert world.row(t.person, ana)["erased_at"] == TOMORROW
