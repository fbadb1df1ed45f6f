"""Imports from the command line, end to end: CASES Q and what an import may and may not do to people who are here."""

from __future__ import annotations

import csv
import io
import json

import pytest

from tests.shop import Shop

HEADINGS = "Name,Email,Phone,Location\n"
ANA = "Ana Diaz,ana@example.com,(503) 555-0142,Portland\n"
BO = "Bo Chen,bo@example.com,+1 212 555 0143,New York\n"


def people(shop: Shop) -> dict[str, str]:
    """Everyone's name by email."""
    return {each["email"]: each["name"] for each in shop.json("people")}


def test_an_import_answers_in_its_stable_shape(fernhollow: Shop) -> None:
    answer = fernhollow.import_people(HEADINGS + ANA + BO + "Nobody,,,Portland\n")

    assert list(answer)[:5] == ["rows", "added", "updated", "merged", "rejected"]
    assert (answer["rows"], answer["added"], answer["updated"], answer["merged"]) == (3, 2, 0, 0)
    assert [(each["line"], each["reason"]) for each in answer["rejected"]] == [(4, "no_contact_point")]
    assert answer["id"] == 1
    assert answer["dry_run"] is False


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffEmail,Name,Phone\nana@example.com,Ana Diaz,(503) 555-0142\n",
        '\ufeff"Email","Name","Phone"\n"ana@example.com","Ana Diaz","(503) 555-0142"\n',
        "\ufeffEmail\u00a0,Name,Phone\nana@example.com,Ana Diaz,(503) 555-0142\n",
    ],
)
def test_invisible_bytes_before_the_first_heading_hide_no_column(new_shop: Shop, text: str) -> None:
    """CASES 118."""
    answer = new_shop.import_people(text)

    assert answer["columns"][0] == {"column": "Email", "field": "email"}
    assert people(new_shop) == {"ana@example.com": "Ana Diaz"}


def test_the_phones_of_a_location_s_own_list_are_read_for_its_country(fernhollow: Shop) -> None:
    leeds = "format: stopwell.location/1\nname: Leeds\nzone: Europe/London\ncountry: GB\n"
    hours = "hours: {mon: [['09:00', '17:00']]}\n"
    fernhollow.done("apply", fernhollow.write("leeds.yaml", leeds + hours))
    text = "Name,Phone\nAna Diaz,020 7946 0018\n"

    assert fernhollow.import_people(text, "--location", "Portland", "--dry-run")["rejected"] != []
    assert fernhollow.import_people(text, "--location", "leeds")["rejected"] == []

    assert [each["phone"] for each in fernhollow.json("people")] == ["+442079460018"]


def test_accents_of_an_older_windows_come_in_exactly(new_shop: Shop) -> None:
    """CASES 120."""
    plain = "".join(f"Person {n},p{n}@example.com\n" for n in range(1_000))
    named = "Zoë,zoe@example.com\nPeña,pena@example.com\nO’Brien,obrien@example.com\nFrançois,f@example.com\n"
    file = new_shop.write("old.csv", ("Name,Email\n" + plain + named).encode("cp1252"))

    said = new_shop.done("import", "people", file)

    assert "windows-1252" in said.out
    found = people(new_shop)
    assert len(found) == 1_004
    assert [found[f"{who}@example.com"] for who in ("zoe", "pena", "obrien", "f")] == [
        "Zoë",
        "Peña",
        "O’Brien",
        "François",
    ]


def test_one_bad_row_spoils_no_thousand_and_dry_run_and_real_agree(new_shop: Shop) -> None:
    """CASES 122."""
    rows = [f"Person {n},p{n}@example.com,(503) 555-{n % 100 + 100:04}" for n in range(1_000)]
    rows[498] = "Diaz, Ana,ana@example.com,(503) 555-0142"  # line 500: a stray comma
    rows[698] = "Person 698"  # line 700: too few columns
    rows[798] = "Person 798,,"  # line 800: neither phone nor email
    file = new_shop.write("people.csv", "Name,Email,Phone\n" + "\n".join(rows) + "\n")
    mend = file.with_name("mend.csv")

    dry = new_shop.json("import", "people", file, "--dry-run")
    assert people(new_shop) == {}
    real = new_shop.json("import", "people", file, "--rejected", mend)

    figures = ("rows", "added", "updated", "merged", "rejected", "notes", "warnings", "no_consent")
    assert {key: dry[key] for key in figures} == {key: real[key] for key in figures}
    assert (dry["id"], real["id"]) == (None, 1)
    assert [each["line"] for each in real["rejected"]] == [500, 700, 800]
    assert len(people(new_shop)) == 997 == real["added"]
    to_mend = list(csv.reader(io.StringIO(mend.read_text(encoding="utf-8-sig"))))
    assert [row[-2] for row in to_mend[1:]] == ["500", "700", "800"]


def test_an_open_quote_is_named_by_its_line_and_no_row_vanishes(new_shop: Shop) -> None:
    """CASES 122."""
    rows = [f"Person {n},p{n}@example.com" for n in range(1_000)]
    rows[898] = '"Person 898,p898@example.com'  # line 900
    answer = new_shop.import_people("Name,Email\n" + "\n".join(rows) + "\n")

    assert answer["rejected"][0]["line"] == 900
    assert "line 900" in answer["rejected"][0]["told"]
    assert answer["rows"] == answer["added"] + answer["updated"] + answer["merged"] + len(answer["rejected"]) == 1_000


def test_the_same_person_in_any_spelling_is_one_also_in_a_second_file(fernhollow: Shop) -> None:
    """CASES 130."""
    text = "Name,Email,Location\nAna,ana@example.com,Portland\nAna,ANA@EXAMPLE.COM,Portland\n"
    text += "Ana,Ana@Example.com ,Portland\n"

    first, second = fernhollow.import_people(text), fernhollow.import_people(text)

    assert (first["added"], first["merged"]) == (1, 2)
    assert (second["added"], second["updated"], second["merged"]) == (0, 0, 3)
    assert len(people(fernhollow)) == 1


def test_an_import_fills_blanks_and_overwrites_nothing(fernhollow: Shop) -> None:
    fernhollow.import_people("Name,Email,Location\nAna Diaz,ana@example.com,Portland\n")

    answer = fernhollow.import_people(
        "Name,Email,Phone,Source,Location\nAna Diaz,ana@example.com,503-555-0142,web,New York\n"
    )
    page = fernhollow.json("person", "ana@example.com")

    assert (answer["updated"], answer["added"]) == (1, 0)
    assert (page["phone"], page["source"], page["location"]) == ("+15035550142", "web", "Portland")


def test_one_of_several_locations_must_be_named(fernhollow: Shop) -> None:
    assert "Give --location, one of New York, Portland" in fernhollow.refused(
        "import", "people", fernhollow.write("p.csv", "Name,Email\nAna,ana@example.com\n")
    )
    fernhollow.import_people("Name,Email\nAna,ana@example.com\n", "--location", "portland")
    assert fernhollow.json("person", "ana@example.com")["location"] == "Portland"
    assert "Did you mean Portland?" in fernhollow.refused(
        "import", "people", fernhollow.write("p.csv", "Name,Email\nBo,bo@example.com\n"), "--location", "Portlant"
    )


def test_a_row_of_a_location_that_there_is_not_is_left_out_with_its_merged_rows(fernhollow: Shop) -> None:
    text = HEADINGS + "Ana Diaz,ana@example.com,,Bosten\n" + "Ana Diaz,ana@example.com,503-555-0142,\n" + BO

    answer = fernhollow.import_people(text)

    assert [(each["line"], each["reason"]) for each in answer["rejected"]] == [
        (2, "unknown_location"),
        (3, "unknown_location"),
    ]
    assert (answer["added"], answer["merged"]) == (1, 0)


def test_a_column_may_be_mapped_by_hand(new_shop: Shop) -> None:
    text = "Kunde,Erreichbar unter,Hund\nAna Diaz,ana@example.com,Rex\n"

    new_shop.import_people(text, "--map", "Kunde=name", "--map", "Erreichbar unter=email", "--map", "Hund=custom.dog")

    assert new_shop.json("person", "ana@example.com")["custom"] == {"dog": "Rex"}
    text = "Name,Email\nAna Diaz,ana@example.com\n"
    assert "Did you mean" in new_shop.refused("import", "people", new_shop.write("p.csv", text), "--map", "Nme=name")


def test_without_a_consent_it_says_that_texts_will_be_held(fernhollow: Shop) -> None:
    said = fernhollow.done("import", "people", fernhollow.write("p.csv", HEADINGS + ANA + BO))

    assert "2 people have no consent recorded: their marketing texts will be held, not sent." in said.out
    assert fernhollow.json("person", "ana@example.com")["consents"] == []


def test_consent_is_a_row_for_each_person_with_the_file_as_evidence(fernhollow: Shop) -> None:
    answer = fernhollow.import_people(HEADINGS + ANA + BO, "--consent", "web form, spring 2026")

    assert answer["no_consent"] == 0
    consents = fernhollow.json("person", "ana@example.com")["consents"]
    assert [(each["channel"], each["purpose"], each["act"], each["how"]) for each in consents] == [
        ("sms", "marketing", "given", "web form, spring 2026"),
    ]
    fernhollow.import_people(HEADINGS + ANA, "--consent", "web form, spring 2026")
    assert len(fernhollow.json("person", "ana@example.com")["consents"]) == 1


def test_a_file_never_gives_what_a_person_took_back(fernhollow: Shop) -> None:
    fernhollow.import_people(HEADINGS + ANA, "--consent", "web form, spring 2026")
    fernhollow.done("consent", "revoke", "--person", "ana@example.com", "--channel", "sms", "--how", "by phone")
    fernhollow.import_people(HEADINGS + ANA, "--consent", "web form, summer 2026")

    consents = fernhollow.json("person", "ana@example.com")["consents"]
    assert [(each["channel"], each["act"]) for each in consents][:1] == [("sms", "revoked")]
    assert len(consents) == 2


def test_words_that_speak_of_calls_are_a_consent_to_automated_calls_too(fernhollow: Shop) -> None:
    fernhollow.import_people(HEADINGS + ANA, "--consent", "ticked: automated calls and texts, web form of spring 2026")
    consents = fernhollow.json("person", "ana@example.com")["consents"]
    assert {(each["channel"], each["act"]) for each in consents} == {("sms", "given"), ("call", "given")}


def test_who_is_marked_do_not_contact_is_closed_on_every_channel_and_no_import_opens_them(fernhollow: Shop) -> None:
    text = "Name,Email,Phone,Location,Do not contact\nAna Diaz,ana@example.com,503-555-0142,Portland,"

    fernhollow.import_people(text + "yes\n")
    answer = fernhollow.import_people(text + "no\n", "--consent", "they said so")
    page = fernhollow.json("person", "ana@example.com")

    assert page["contact"] == "do_not_contact"
    assert {each["channel"] for each in page["suppressions"]} == {"email", "sms", "call"}
    assert page["consents"] == []
    assert [note["code"] for note in answer["notes"]] == ["do_not_contact_stays"]


def test_a_mark_in_a_later_file_stops_who_is_running(fernhollow: Shop) -> None:
    fernhollow.done("publish", "New lead")
    fernhollow.import_people(HEADINGS + ANA)
    fernhollow.done("enroll", "New lead", "--person", "ana@example.com")

    fernhollow.import_people("Name,Email,Location,DNC\nAna Diaz,ana@example.com,Portland,x\n")

    page = fernhollow.json("person", "ana@example.com")
    assert page["enrollments"][0]["state"] == "opted_out"
    assert page["contact"] == "do_not_contact"


def test_a_spreadsheet_does_not_bring_back_who_opted_out(fernhollow: Shop) -> None:
    """CASES 13."""
    fernhollow.import_people(HEADINGS + ANA)
    fernhollow.done("event", "opted_out", "--person", "ana@example.com", "--channel", "email")

    answer = fernhollow.import_people("Name,Email,Status,Location\nAna Diaz,ANA@Example.com,active,Portland\n")
    page = fernhollow.json("person", "ana@example.com")

    assert page["status"] == "active"
    assert [each["channel"] for each in page["suppressions"]] == ["email"]
    assert answer["notes"][0]["line"] == 2
    assert "stays there" in answer["notes"][0]["told"]


def test_an_import_is_taken_back_whole(fernhollow: Shop) -> None:
    fernhollow.import_people(HEADINGS + ANA)
    fernhollow.import_people(
        "Name,Email,Phone,Source,Location\nAna Diaz,ana@example.com,,web,Portland\n" + "Bo,bo@example.com,,,Portland\n"
    )

    assert "Import 2 is taken back" in fernhollow.done("import", "undo", "2").out
    assert people(fernhollow) == {"ana@example.com": "Ana Diaz"}
    assert fernhollow.json("person", "ana@example.com")["source"] == ""
    assert "2" in fernhollow.refused("import", "undo", "2")
    fernhollow.refused("import", "undo", "99")


def test_an_import_whose_people_were_written_to_stays(fernhollow: Shop) -> None:
    fernhollow.done("publish", "New lead")
    fernhollow.import_people(HEADINGS + ANA)
    fernhollow.done("enroll", "New lead", "--person", "ana@example.com", "--at", "2027-03-01T18:00:00Z")
    assert fernhollow.json("tick", "--at", "2027-03-01T18:00:00Z")["accepted"] == 1

    fernhollow.refused("import", "undo", "1")

    assert len(people(fernhollow)) == 1


def test_who_was_marked_in_an_import_that_is_taken_back_stays_closed(fernhollow: Shop) -> None:
    text = "Name,Email,Location,DNC\nAna Diaz,ana@example.com,Portland,yes\n"
    fernhollow.import_people(text)
    fernhollow.done("import", "undo", "1")

    answer = fernhollow.import_people(text.replace("yes", ""))

    assert answer["notes"][0]["code"] == "do_not_contact_stays"


def test_a_big_import_is_written_in_portions_and_is_one_import_all_the_same(new_shop: Shop) -> None:
    text = "Name,Email\n" + "".join(f"Person {n},p{n}@example.com\n" for n in range(2_500))

    answer = new_shop.import_people(text)

    assert (answer["added"], answer["id"]) == (2_500, 1)
    assert len(people(new_shop)) == 2_500
    new_shop.done("import", "undo", "1")
    assert people(new_shop) == {}


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"\x89PNG\r\n\x1a\n" + bytes(500), "is a picture (PNG)"),
        (b"", "is empty"),
        (b"PK\x03\x04xl/worksheets" + bytes(50), "is an Excel workbook"),
        (b"just some words\nand more\n", "no row of headings"),
        (b"First name,Last name\nAna,Diaz\n", "no column of phones or emails"),
        (bytes(range(256)) * 20, "leads.csv"),
    ],
)
def test_what_is_no_list_is_one_clear_line_and_nothing_is_imported(new_shop: Shop, data: bytes, told: str) -> None:
    line = new_shop.refused("import", "people", new_shop.write("leads.csv", data))

    assert told in line
    assert "leads.csv" in line
    assert people(new_shop) == {}


def test_the_rejected_rows_are_never_written_over_the_file_itself(new_shop: Shop) -> None:
    file = new_shop.write("leads.csv", "Name,Email\nAna,ana@example.com\nNobody,\n")

    assert "is the file that is read" in new_shop.refused("import", "people", file, "--rejected", file)
    assert file.read_text().startswith("Name,Email\nAna")
    assert people(new_shop) == {}


RECORDS = "Person,Kind,Status,External id,Starts at,Label\n"


def test_records_are_added_and_the_same_external_id_updates(fernhollow: Shop) -> None:
    fernhollow.import_people(HEADINGS + ANA + BO)
    text = RECORDS + "ana@example.com,appointment,booked,A-1,2027-03-16 09:30,Cleaning\n"
    text += "212-555-0143,job,scheduled,J-1,2027-03-16 09:30,\n"

    first = fernhollow.json("import", "records", fernhollow.write("r.csv", text))
    second = fernhollow.json("import", "records", fernhollow.write("r.csv", text.replace("booked", "missed")))

    assert (first["rows"], first["added"], first["updated"]) == (2, 2, 0)
    assert (second["added"], second["updated"]) == (0, 2)
    ana = fernhollow.json("person", "ana@example.com")["records"]
    assert [(each["kind"], each["status"], each["starts_at"]) for each in ana] == [
        ("appointment", "missed", "2027-03-16T16:30:00Z")
    ]
    bo = fernhollow.json("person", "bo@example.com")["records"]
    assert bo[0]["starts_at"] == "2027-03-16T13:30:00Z", "a wall time is on the clock of the person's location"


def test_a_record_about_nobody_here_is_left_out_and_a_dry_run_says_so_too(fernhollow: Shop) -> None:
    fernhollow.import_people(HEADINGS + ANA)
    text = RECORDS + "ana@example.com,appointment,booked,A-1,,\n" + "eve@example.com,appointment,booked,A-2,,\n"
    text += "ana@example.com,appointment,confirmed,A-1,,\n" + "ana@example.com,apointment,booked,A-3,,\n"
    file = fernhollow.write("r.csv", text)

    dry = fernhollow.json("import", "records", file, "--dry-run")
    assert fernhollow.json("person", "ana@example.com")["records"] == []
    real = fernhollow.json("import", "records", file)

    assert {key: dry[key] for key in ("rows", "added", "updated", "merged", "rejected")} == {
        key: real[key] for key in ("rows", "added", "updated", "merged", "rejected")
    }
    assert (real["rows"], real["added"], real["merged"]) == (4, 1, 1)
    assert [(each["line"], each["reason"]) for each in real["rejected"]] == [(3, "unknown_person"), (5, "bad_kind")]
    assert fernhollow.json("person", "ana@example.com")["records"][0]["status"] == "confirmed"


def test_of_several_with_one_number_a_record_finds_the_one_with_the_email_or_the_extension(new_shop: Shop) -> None:
    people = (
        "Name,Phone,Email\nAna Diaz,503-555-0142,ana@example.com\nLuis Diaz,503-555-0142,luis@example.com\n"
        "Maya Roe,503-555-0142 x12,\n"
    )
    new_shop.import_people(people)
    rows = (
        "person,kind,status,external_id\n503-555-0142,job,done,J-1\n503-555-0142 x12,job,done,J-2\n"
        "luis@example.com,job,done,J-3\n#1,job,done,J-4\nnobody@example.com,job,done,J-5\n"
    )

    answer = new_shop.json("import", "records", new_shop.write("jobs.csv", rows))

    assert [(each["line"], each["reason"]) for each in answer["rejected"]] == [
        (2, "several_people"),
        (6, "unknown_person"),
    ]
    found = {
        person: [record["external_id"] for record in new_shop.json("person", person)["records"]] for person in "123"
    }
    assert found == {"1": ["J-4"], "2": ["J-3"], "3": ["J-2"]}


def test_records_are_taken_back_too(fernhollow: Shop) -> None:
    fernhollow.import_people(HEADINGS + ANA)
    text = RECORDS + "ana@example.com,appointment,booked,A-1,,\n"
    answer = fernhollow.json("import", "records", fernhollow.write("r.csv", text))

    fernhollow.done("import", "undo", str(answer["id"]))

    assert fernhollow.json("person", "ana@example.com")["records"] == []


def test_the_log_of_an_import_holds_counts_and_no_names(fernhollow: Shop) -> None:
    fernhollow.import_people(HEADINGS + ANA + BO, "--consent", "on the phone with Ana")

    log = json.dumps(fernhollow.json("log"))
    for private in ("Ana", "ana@example.com", "5550142", "phone with"):
        assert private not in log
