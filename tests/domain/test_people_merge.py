"""Who is the same person: within a list, and beside the people already stored."""

from __future__ import annotations

import csv
import io
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from app.domain.ids import PersonId
from app.domain.people_csv import read_people
from app.domain.people_file import Outcome, PeopleFile, Reason
from app.domain.people_merge import AddPerson, KnownPerson, LeaveOut, UpdatePerson, plan_import
from app.domain.people_text import Note
from app.domain.person import PersonDraft, harmless_cell


def people(text: str) -> PeopleFile:
    return read_people(text.encode(), "leads.csv", "US")


def codes(file: PeopleFile, row: int = 0) -> set[Note]:
    return {note.code for note in file.rows[row].notes}


def test_merging_fills_blanks_and_never_overwrites() -> None:
    file = people(
        "Name,Phone,Email,Last visit,DNC,Clinic,Tags,custom.dog\n"
        "Ana Diaz,212-555-0142,ana@example.com,2026-01-02,,Bend,a,Rex\n"
        "ana díaz,212-555-0143,ANA@example.com,2026-03-04,y,Salem,b,Bella\n"
    )
    draft = file.drafts[0]
    assert (draft.name, draft.phone, draft.alt_phone, draft.location) == ("Ana Diaz", "+12125550142", None, "Bend")
    assert (draft.last_visit, draft.do_not_contact, draft.tags) == (date(2026, 3, 4), True, ("a", "b"))
    assert draft.custom == {"dog": "Rex"}
    assert codes(file, 1) == {Note.KEPT_OLDER}
    assert "phone and location" in file.rows[1].notes[0].told


def test_a_row_without_a_name_takes_the_first_name_that_comes_and_no_second_one() -> None:
    file = people("Name,Phone\n,212-555-0142\nAna Diaz,212-555-0142\nBob Roy,212-555-0142\n")

    assert [row.outcome for row in file.rows] == [Outcome.IMPORTED, Outcome.MERGED, Outcome.IMPORTED]
    assert [draft.name for draft in file.drafts] == ["Ana Diaz", "Bob Roy"]
    assert codes(file, 2) == {Note.SHARED_CONTACT_POINT}


def test_two_extensions_of_one_number_are_two_people() -> None:
    file = people("Name,Phone\nFront Desk,212-555-0142 x1\nFront Desk,212-555-0142 x2\nFront Desk,212-555-0142 x1\n")

    assert [draft.phone_ext for draft in file.drafts] == ["1", "2"]
    assert file.rows[2].into == 2


def test_namesakes_and_households_are_never_merged_but_told() -> None:
    """CASES 132."""
    file = people(
        "Name,Phone,Email\nAna Diaz,212-555-0142,\nLuis Diaz,212-555-0142,\nAna Diaz,212-555-0143,ana@example.com\n"
    )

    assert file.count(Outcome.IMPORTED) == 3
    assert codes(file, 1) == {Note.SHARED_CONTACT_POINT}
    assert codes(file, 2) == {Note.SAME_NAME}


def test_a_row_that_may_be_two_people_is_left_out_with_their_lines() -> None:
    file = people("Name,Phone,Email\nAna Diaz,212-555-0142,\nBob Roy,,bob@example.com\n,212-555-0142,bob@example.com\n")

    assert [(row.line, row.reason) for row in file.rejected] == [(4, Reason.AMBIGUOUS_DUPLICATE)]
    assert "line 2 or line 3" in file.rejected[0].told


_ANA = KnownPerson(PersonId(1), "Ana", "Diaz", phone="+12125550142", location="Bend")
_BOB = KnownPerson(PersonId(2), "Bob", "Roy", email="bob@example.com", do_not_contact=True)


def test_an_import_completes_the_stored_person_and_overwrites_nothing() -> None:
    draft = PersonDraft(9, "ANA", "Díaz", "+12125550142", email="ana@example.com", tags=("new",), location="Salem")

    (planned,) = plan_import([draft], [_ANA, _BOB]).rows

    assert isinstance(planned, UpdatePerson)
    assert (planned.before.id, planned.changed) == (PersonId(1), ("email", "tags"))
    assert (planned.after.first_name, planned.after.location) == ("Ana", "Bend")
    assert {note.code for note in planned.notes} == {Note.KEPT_OLDER}


def test_an_import_never_lifts_do_not_contact() -> None:
    """CASES 13."""
    draft = PersonDraft(2, "Bob", "Roy", email="bob@example.com", do_not_contact=False, status="active")

    (planned,) = plan_import([draft], [_ANA, _BOB]).rows

    assert isinstance(planned, UpdatePerson)
    assert planned.after.do_not_contact
    assert planned.changed == ("status",)


def test_two_rows_that_complete_one_stored_person_do_so_one_after_the_other() -> None:
    known = KnownPerson(PersonId(1), "Ana", "Diaz", phone="+12125550142", email="ana@example.com")
    by_phone = PersonDraft(2, "Ana", "Diaz", phone="+12125550142", status="lead")
    by_email = PersonDraft(3, "", "", email="ana@example.com", status="client", source="web")

    first, second = plan_import([by_phone, by_email], [known]).rows

    assert isinstance(first, UpdatePerson)
    assert isinstance(second, UpdatePerson)
    assert second.before == first.after
    assert (second.after.status, second.changed) == ("lead", ("source",))


def test_new_people_who_look_like_stored_ones_are_added_and_told() -> None:
    luis = PersonDraft(2, "Luis", "Diaz", "+12125550142")
    other_ana = PersonDraft(3, "Ana", "Diaz", "+12125550199")
    unclear = PersonDraft(4, "", "", "+12125550142", email="bob@example.com")

    plan = plan_import([luis, other_ana, unclear], [_ANA, _BOB])

    assert [type(row) for row in plan.rows] == [AddPerson, AddPerson, LeaveOut]
    assert [[note.code for note in row.notes] for row in plan.added] == [[Note.SHARED_CONTACT_POINT], [Note.SAME_NAME]]
    assert plan.left_out[0].matches == (PersonId(1), PersonId(2))
    assert plan.updated == ()


def test_an_export_read_again_finds_everyone_and_adds_nobody() -> None:
    """CASES 167."""
    known = [
        KnownPerson(PersonId(1), '=HYPERLINK("http://x.example")', "Diaz", "+12025550143"),
        KnownPerson(PersonId(2), "-3", "days", "+12025550144"),
        KnownPerson(PersonId(3), "'=x", "’t Hooft", "+12025550145"),
    ]
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(["First name", "Last name", "Phone"])
    for person in known:
        writer.writerow(map(harmless_cell, [person.first_name, person.last_name, person.phone or ""]))

    file = people(out.getvalue())
    plan = plan_import(file.drafts, known)

    assert [(draft.first_name, draft.phone) for draft in file.drafts] == [(p.first_name, p.phone) for p in known]
    assert [row.changed for row in plan.updated] == [(), (), ()]


_NAMES = st.sampled_from(["Ana Diaz", "ana díaz", "Bob Roy", "", "Total", "Name"])
_PHONES = st.sampled_from(["212-555-0142", "+1 212 555 0142", "212-555-0143 x2", "", "junk", "Phone"])
_EMAILS = st.sampled_from(["ana@example.com", "ANA@example.com", "bob@example.com", "", "nope", "Email"])
_ROWS = st.lists(st.tuples(_NAMES, _PHONES, _EMAILS), max_size=12)


@given(_ROWS)
def test_importing_the_same_file_again_adds_nobody_and_changes_nothing(rows: list[tuple[str, str, str]]) -> None:
    drafts = people("Name,Phone,Email\n" + "".join(",".join(row) + "\n" for row in rows)).drafts
    stored = [
        KnownPerson(PersonId(n), d.first_name, d.last_name, d.phone, d.phone_ext, d.alt_phone, d.email)
        for n, d in enumerate(drafts, start=1)
    ]

    plan = plan_import(drafts, stored)

    assert plan.added == ()
    assert [row.changed for row in plan.updated if row.changed] == []
    assert len(plan.updated) + len(plan.left_out) == len(drafts)
