"""Lists of people: what each row becomes, what is merged, and what an import would do to those already stored."""

from __future__ import annotations

import csv
import io
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import OperatorError
from app.domain.people_csv import read_people
from app.domain.people_file import Outcome, PeopleFile, Reason, mend_file
from app.domain.people_text import Note


def people(text: str, region: str = "US", **mapping: str) -> PeopleFile:
    return read_people(text.encode(), "leads.csv", region, mapping)


def codes(file: PeopleFile, row: int = 0) -> set[Note]:
    return {note.code for note in file.rows[row].notes}


def rejected(file: PeopleFile) -> list[tuple[int, Reason | None]]:
    return [(row.line, row.reason) for row in file.rejected]


# the file that leads come in


def test_what_is_told_of_a_cell_fits_on_a_line() -> None:
    [note] = people(f"Name,Phone,Email\nAna,{'9' * 5_000},ana@example.com\n").rows[0].notes

    assert note.told.startswith("“999")
    assert len(note.told) < 150


@pytest.mark.parametrize(
    "heading", ["\ufeffEmail,Name,Phone", '\ufeff"Email","Name","Phone"', "\ufeffEmail,Name,Phone\u00a0"]
)
def test_the_first_column_is_the_email_whatever_bytes_stand_before_it(heading: str) -> None:
    """CASES 118."""
    file = people(f"{heading}\nana@example.com,Ana Diaz,212-555-0142\n")

    assert [(column.name, column.field) for column in file.columns] == [
        ("Email", "email"),
        ("Name", "name"),
        ("Phone", "phone"),
    ]
    assert (file.drafts[0].email, file.drafts[0].phone) == ("ana@example.com", "+12125550142")


def test_names_of_an_older_windows_are_exact_and_the_encoding_is_shown() -> None:
    """CASES 120."""
    names = ["Zoë Adams", "Luz Peña", "Sean O’Brien", "François Roy"]
    plain = "".join(f"Ana Diaz{n},ana{n}@example.com\n" for n in range(1000))
    accents = "".join(f"{name},{n}@example.org\n" for n, name in enumerate(names))

    file = read_people(f"Name,Email\n{plain}{accents}".encode("cp1252"), "old.csv", "US")

    assert file.encoding == "windows-1252"
    assert [draft.name for draft in file.drafts[-4:]] == names
    assert file.count(Outcome.IMPORTED) == 1004


def _thousand() -> list[str]:
    rows = [f"Ana,Diaz{n},212-555-01{n % 100:02d},ana{n}@example.com" for n in range(1, 1001)]
    return ["First name,Last name,Phone,Email", *rows]


def test_three_bad_rows_do_not_spoil_a_thousand() -> None:
    """CASES 122: row n of the list stands in line n + 1."""
    lines = _thousand()
    lines[500] = "Ana,,Diaz500,212-555-0100,ana500@example.com"  # a stray comma
    lines[700] = "Ana,Diaz700,212-555-0142"  # too few columns
    lines[800] = "Ana,Diaz800,,"  # neither phone nor email

    file = people("\n".join(lines))

    assert file.count(Outcome.IMPORTED) == 997
    assert rejected(file) == [
        (501, Reason.NO_CONTACT_POINT),
        (701, Reason.TOO_FEW_VALUES),
        (801, Reason.NO_CONTACT_POINT),
    ]
    assert "comma too many" in file.rejected[0].told
    assert "Email is missing" in file.rejected[1].told


def test_an_open_quote_is_named_by_its_line_and_every_row_after_it_is_accounted_for() -> None:
    """CASES 122."""
    lines = _thousand()
    lines[900] = lines[900].replace("Diaz900", '"Diaz900')

    file = people("\n".join(lines))

    assert file.count(Outcome.IMPORTED) == 899
    assert rejected(file)[0] == (901, Reason.UNCLOSED_QUOTE)
    assert [row.line for row in file.rejected] == list(range(901, 1002))
    assert any("line 901" in told for told in file.warnings)
    assert all("line 901" in row.told for row in file.rejected)


def test_the_rejected_rows_can_be_mended_and_imported_again() -> None:
    """CASES 122."""
    lines = _thousand()
    lines[800] = '=SUM(A1),"Diaz, Jr",,'
    file = people("\n".join(lines))

    mended = mend_file(file.header, file.rejected)

    rows = list(csv.reader(io.StringIO(mended)))
    assert rows[0][:4] == ["First name", "Last name", "Phone", "Email"]
    assert rows[1][:6] == ["'=SUM(A1)", "Diaz, Jr", "", "", "801", file.rejected[0].told]
    again = people(mended.replace(",,,801", ",212-555-0142,,801"))
    assert (again.drafts[0].first_name, again.drafts[0].phone) == ("=SUM(A1)", "+12125550142")


def test_blanks_that_a_spreadsheet_left_off_at_the_end_of_rows_are_blanks() -> None:
    file = people("Name,Phone,Email\nAna Diaz,212-555-0142\nBob Roy,212-555-0143,bob@example.com\n")

    assert file.count(Outcome.IMPORTED) == 2
    assert codes(file) == {Note.MISSING_FIELDS}


def test_a_short_row_that_lacks_only_columns_nobody_reads_is_complete() -> None:
    lines = [line + ",note" for line in _thousand()]
    lines[0] = lines[0].replace("note", "Remarks")
    lines[10] = lines[10].removesuffix(",note")

    file = people("\n".join(lines))

    assert file.count(Outcome.IMPORTED) == 1000
    assert [column.name for column in file.unread_columns] == ["Remarks"]


def test_values_that_moved_to_the_right_are_not_taken_for_a_person() -> None:
    file = people("Email,Phone,Last visit\n,ana@example.com,212-555-0142,2026-05-06\nb@example.com,212-555-0143,,x\n")

    assert rejected(file) == [(2, Reason.NO_CONTACT_POINT)]
    file = people("Name,Email,Phone,Alt phone\nAna,ana@example.com,,,212-555-0142\nBob,b@example.com,,,VIP\n")
    assert rejected(file) == [(2, Reason.TOO_MANY_VALUES)]
    assert codes(file, 1) == {Note.EXTRA_FIELDS}


# columns


def test_a_mapping_is_stronger_than_a_guess() -> None:
    file = people(
        "Wer,Kontakt Nr,Rex,Phone\nAna Diaz,212-555-0142,brown,212-555-0143\n",
        **{"wer": "name", "Kontakt nr": "phone", "#3": "custom.dog", "Phone": "ignore"},
    )

    assert file.drafts[0].name == "Ana Diaz"
    assert (file.drafts[0].phone, file.drafts[0].alt_phone) == ("+12125550142", None)
    assert file.drafts[0].custom == {"dog": "brown"}
    assert file.unread_columns == ()


@pytest.mark.parametrize(
    ("mapping", "says", "hint"),
    [
        ({"Phoen": "phone"}, "“Phoen”", "“Phone”"),
        ({"Phone": "fone"}, "“fone”", "phone"),
        ({"Phone": "custom.My dog"}, "custom.My dog", "custom.my_dog"),
        ({"Zzzz": "phone"}, "“Zzzz”", "Name, Phone"),
        ({"Phone": "ignore"}, "no column of phones or emails", "--map"),
    ],
)
def test_a_wrong_mapping_is_refused_with_the_nearest_right_one(mapping: dict[str, str], says: str, hint: str) -> None:
    with pytest.raises(OperatorError) as refused:
        people("Name,Phone\nAna,212-555-0142\n", **mapping)

    assert says in refused.value.told
    assert hint in refused.value.hint


def test_a_column_that_is_not_read_is_told_with_the_way_to_keep_it() -> None:
    file = people("Name,Phone,Shoe Size,\nAna Diaz,212-555-0142,39,x\n")

    assert len(file.warnings) == 2
    assert '--map "Shoe Size=custom.shoe_size"' in file.warnings[0]
    assert "#4" in file.warnings[1]


@pytest.mark.parametrize(
    "heading",
    ["Nom;Prénom;Portable", "Name;Vorname;Handy", "Last Name;First Name;Phone (mobile)", "Apellidos;Nombre;Teléfono"],
)
def test_headings_of_other_languages_are_known(heading: str) -> None:
    file = people(f"{heading}\nGagné;François;514-555-0101\n", "CA")

    draft = file.drafts[0]
    assert (draft.first_name, draft.last_name, draft.phone) == ("François", "Gagné", "+15145550101")


def test_location_status_source_tags_and_extension_have_columns_of_their_own() -> None:
    file = people(
        "Name,Phone,Ext,Clinic,Lead status,Source,Tags\n"
        'Ana Diaz,212-555-0142,7,Bend,Lost - Cold,Web form,"new; VIP, vip"\n'
    )

    draft = file.drafts[0]
    assert (draft.phone_ext, draft.location, draft.status, draft.source) == ("7", "Bend", "lost_cold", "Web form")
    assert draft.tags == ("new", "VIP")


@pytest.mark.parametrize(
    ("row", "refused"),
    [
        ("Y,", True),
        ("x,", True),
        ("no,", False),
        (",", False),
        ("n/a,", False),
        ("2026-01-01,", True),
        (",no", True),
        (",yes", False),
        (",mornings", True),
    ],
)
def test_a_wish_not_to_be_contacted_is_never_read_as_a_yes(row: str, refused: bool) -> None:
    file = people(f"Phone,Do Not Contact (Y/N),OK to contact?\n212-555-0142,{row}\n")

    assert file.drafts[0].do_not_contact is refused


# phones and addresses in the cells


def test_zeros_and_powers_of_a_british_list() -> None:
    """CASES 124."""
    file = people("Name,Phone\nAna Diaz,07400 123456\nAna Diaz,7400123456\nBob Roy,4.474E+11\n", "GB")

    assert [draft.phone for draft in file.drafts] == ["+447400123456"]
    assert (file.count(Outcome.MERGED), rejected(file)) == (1, [(4, Reason.NO_CONTACT_POINT)])
    assert "damaged by the spreadsheet" in file.rejected[0].told


def test_one_email_in_four_disguises_is_one_person_and_a_comma_is_no_dot() -> None:
    """CASES 126, 130."""
    cells = ["ana@example.com\u00a0", "\u200bana@example.com", "Ana <ana@example.com>", "mailto:ana@example.com"]
    rows = "".join(f'Ana Diaz,"{cell}"\n' for cell in [*cells, "ana@example,com"])

    file = people(f"Name,Email\n{rows}")

    assert [draft.email for draft in file.drafts] == ["ana@example.com"]
    assert file.count(Outcome.MERGED) == 3
    assert rejected(file) == [(6, Reason.NO_CONTACT_POINT)]
    assert {note.code for note in file.rejected[0].notes} == {Note.BAD_EMAIL}


def test_a_number_that_no_text_reaches_is_told_at_import() -> None:
    """CASES 128."""
    file = people("Name,Phone\nA B,+12025550143\nC D,+442079460018\nE F,+1 800 356 9377\n")

    assert [codes(file, row) for row in range(3)] == [set(), {Note.LANDLINE}, {Note.TOLL_FREE}]
    assert file.count(Outcome.IMPORTED) == 3


def test_what_is_left_aside_of_a_row_is_told() -> None:
    file = people(
        "Name,Phone,Phone,Phone,Email\nAna Diaz,212-555-0142,212-555-0143,212-555-0144,a@example.com; b@example.com\n"
    )

    assert codes(file) == {Note.MORE_PHONES, Note.MORE_EMAILS}
    assert file.drafts[0].warnings == file.rows[0].notes


# properties

_NAMES = st.sampled_from(["Ana Diaz", "ana díaz", "Bob Roy", "", "Total", "Name"])
_PHONES = st.sampled_from(["212-555-0142", "+1 212 555 0142", "212-555-0143 x2", "", "junk", "Phone"])
_EMAILS = st.sampled_from(["ana@example.com", "ANA@example.com", "bob@example.com", "", "nope", "Email"])
_ROWS = st.lists(st.tuples(_NAMES, _PHONES, _EMAILS), max_size=12)


@given(_ROWS)
def test_no_row_vanishes(rows: list[tuple[str, str, str]]) -> None:
    file = people("Name,Phone,Email\n" + "".join(",".join(row) + "\n" for row in rows))

    outcomes = Counter(row.outcome for row in file.rows)
    assert sum(outcomes.values()) + file.blank_rows == len(rows)
    assert outcomes[Outcome.IMPORTED] == len(file.drafts)
    assert all(row.told and row.reason for row in file.rejected)
    assert {row.into for row in file.rows} - {None} <= {draft.line for draft in file.drafts}
    assert [draft.line for draft in file.drafts] == sorted(draft.line for draft in file.drafts)


@given(_ROWS, st.integers(0, 12))
def test_what_a_row_becomes_depends_on_the_rows_before_it_alone(rows: list[tuple[str, str, str]], cut: int) -> None:
    whole = people("Name,Phone,Email\n" + "".join(",".join(row) + "\n" for row in rows))
    part = people("Name,Phone,Email\n" + "".join(",".join(row) + "\n" for row in rows[:cut]))

    assert part.rows == whole.rows[: len(part.rows)]
    assert [draft.line for draft in part.drafts] == [draft.line for draft in whole.drafts[: len(part.drafts)]]


@given(st.one_of(st.binary(max_size=400), st.text(max_size=200).map(str.encode)))
def test_arbitrary_bytes_are_read_or_refused_in_words(data: bytes) -> None:
    for bytes_read in (data, b"Name,Phone,Email,Last visit,DNC,Tags,Status\n" + data):
        match _read_or_refused(bytes_read):
            case OperatorError(told=told):
                assert told.startswith("leads.csv")
            case PeopleFile(drafts=drafts) as file:
                assert file.count(Outcome.IMPORTED) == len(drafts)


def _read_or_refused(data: bytes) -> PeopleFile | OperatorError:
    try:
        return read_people(data, "leads.csv", "GB")
    except OperatorError as refused:
        return refused
