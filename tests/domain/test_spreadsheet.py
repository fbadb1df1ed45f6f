"""From bytes to rows: encodings, dialects, headings, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import OperatorError
from app.domain.spreadsheet import RowFault, Sheet, read_sheet

KNOWN = frozenset({"name", "first name", "phone", "email"})


def sheet(data: bytes) -> Sheet:
    return read_sheet(data, "list.csv", KNOWN)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "empty"),
        (b"\r\n \r\n", "empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "picture"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "picture"),
        (b"RIFF\x24\x00\x00\x00WEBPVP8 ", "picture"),
        (b"%PDF-1.7\n", "PDF"),
        (b"PK\x03\x04\x14\x00xl/workbook.xml", "Excel workbook"),
        (b"PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "OpenDocument"),
        (b"PK\x03\x04\x14\x00photos/1.jpg", "ZIP"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old Excel"),
        (b"<html><table><tr><td>Name</td><td>Phone</td></tr></table>", "web page"),
        (b"BEGIN:VCARD\nVERSION:3.0\n", "vCard"),
        (b"Name,Phone\n" + bytes(range(32)) * 20, "no text"),
        (b"x" * (50 * 1024 * 1024 + 1), "is larger than 50 MB"),
        (b"Name," * 3_000_000, "headings"),
        (b"Ana,212-555-0142\n", "headings"),
        (b'"Name,Phone\nAna,212-555-0142\n', "opens in line 1"),
        (("Name,Phone" + "".join(f",c{n}" for n in range(199)) + "\n").encode(), "201 columns"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_list_is_refused_with_the_file_and_the_way_out(data: bytes, says: str) -> None:
    with pytest.raises(OperatorError) as refused:
        sheet(data)

    assert says in refused.value.told
    assert refused.value.told.startswith("list.csv")
    assert refused.value.hint
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfEmail,Name,Phone\nana@example.com,Ana,\n",
        b'\xef\xbb\xbf"Email","Name","Phone"\nana@example.com,Ana,\n',
        "\ufeffEmail\u00a0,Name,Phone \u200b\nana@example.com,Ana,\n".encode(),
        "\ufeffEmail,Name,Phone\nana@example.com,Ana,\n".encode("utf-16-le"),
        "\ufeffEmail,Name,Phone\nana@example.com,Ana,\n".encode("utf-16-be"),
        "Email,Name,Phone\nana@example.com,Ana,\n".encode("utf-16-le"),
    ],
)
def test_bytes_that_nobody_sees_are_no_part_of_the_first_heading(data: bytes) -> None:
    """CASES 118."""
    assert sheet(data).header == ("Email", "Name", "Phone")


def test_accents_of_an_older_windows_come_out_exact_however_late_the_first_one_is() -> None:
    """CASES 120."""
    plain = "".join(f"Ana Diaz,ana{n}@example.com\r\n" for n in range(1000))
    names = ["Zoë Adams", "Luz Peña", "Sean O’Brien", "François Roy"]
    text = "Name,Email\r\n" + plain + "".join(f"{name},x@example.com\r\n" for name in names)

    read = sheet(text.encode("cp1252"))

    assert read.encoding == "windows-1252"
    assert [row.cells[0] for row in read.rows[-4:]] == names


def test_a_broken_byte_does_not_garble_the_other_names_of_an_utf8_file() -> None:
    read = sheet(
        "Name,Email\nZoë Núñez,z@example.com\nJosé Peña,j@example.com\n".encode() + b"Ren\xe9e,r@example.com\n"
    )

    assert [row.cells[0] for row in read.rows] == ["Zoë Núñez", "José Peña", "Ren\ufffde"]
    assert "line 4" in read.doubt


def test_an_encoding_that_can_only_be_guessed_is_told() -> None:
    text = "名前,Email,Name\n山田 花子,hanako@example.com,Hanako\n佐藤 健一,kenichi@example.com,Kenichi\n"

    read = sheet(text.encode("shift_jis"))

    assert read.header[0] == "名前"
    assert "guess" in read.doubt


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_the_one_that_makes_headings(delimiter: str) -> None:
    text = f"Clinic; list, of | leads\nName{delimiter}Phone{delimiter}Email\nAna, Dr.; B|C{delimiter}1{delimiter}2\n"

    read = sheet(text.encode())

    assert (read.delimiter, read.header_line) == (delimiter, 2)
    assert [title.line for title in read.titles] == [1]


def test_a_sep_line_names_the_delimiter_and_counts_as_a_line() -> None:
    read = sheet(b"sep=;\r\n\r\nName;Phone\r\nAna;1\r\n")

    assert (read.delimiter, read.header_line, read.rows[0].line, read.titles) == (";", 3, 4, ())


def test_a_list_of_one_column_has_headings_too() -> None:
    assert sheet(b"Email\nana@example.com\n").rows[0].cells == ("ana@example.com",)


def test_a_row_has_the_line_on_which_it_starts() -> None:
    read = sheet(b'Name,Phone\r\n"Ana\r\n""Dee""\r\nDiaz",1\r\n\r\nBob,2\r')

    assert [(row.line, row.last_line, row.cells) for row in read.rows] == [
        (2, 4, ('Ana\n"Dee"\nDiaz', "1")),
        (6, 6, ("Bob", "2")),
    ]
    assert read.blank_rows == 1


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ('"Ana ""Dee"" Diaz",1', ('Ana "Dee" Diaz', "1")),
        ('"Ana "Dee" Diaz",1', ('Ana "Dee" Diaz', "1")),
        ('"Ana" Diaz,1', ('"Ana" Diaz', "1")),
        ('Ana "Dee" Diaz,1', ('Ana "Dee" Diaz', "1")),
        ('Ana, "1, or 2" ', ("Ana", "1, or 2")),
        ('"Ana,"1"', ('"Ana', "1")),
        ('"","1"', ("", "1")),
        ('"Diaz, Ana",', ("Diaz, Ana", "")),
    ],
)
def test_a_quote_in_the_wrong_place_harms_its_own_cell_at_most(line: str, cells: tuple[str, ...]) -> None:
    read = sheet(f"Name,Phone\n{line}\nBob,2\n".encode())

    assert [row.cells for row in read.rows] == [cells, ("Bob", "2")]
    assert read.quote_line is None


@pytest.mark.parametrize("after", ["Bob,2\nCy,3\n", 'Bob,2\n"Smith, Cy",3\n', 'Bob,2\n"Cy",3\n'])
def test_a_quote_that_is_never_closed_is_named_and_no_row_after_it_is_lost(after: str) -> None:
    """CASES 122."""
    read = sheet(f'Name,Phone\nAna,1\n"Eve,9\n{after}'.encode())

    assert read.quote_line == 3
    assert [(row.line, row.fault) for row in read.rows] == [
        (2, None),
        (3, RowFault.UNCLOSED_QUOTE),
        (4, RowFault.AFTER_UNCLOSED_QUOTE),
        (5, RowFault.AFTER_UNCLOSED_QUOTE),
    ]


def test_a_row_that_swallowed_its_neighbours_is_not_taken_for_one() -> None:
    read = sheet(b'Name,Phone\n"Eve,9\nBob,2\nCy 5",x,3\nDee,4\n')

    assert [(row.line, row.last_line, row.fault) for row in read.rows] == [
        (2, 4, RowFault.UNCLOSED_QUOTE),
        (5, 5, None),
    ]


_CELLS = st.text(st.sampled_from('ab",;\n \t|é'), max_size=6)


@given(st.lists(st.tuples(_CELLS, _CELLS), max_size=8))
def test_what_a_spreadsheet_writes_is_read_back(rows: list[tuple[str, str]]) -> None:
    def quoted(cell: str) -> str:
        return '"' + cell.replace('"', '""') + '"'

    text = "Name,Phone\r\n" + "".join(f"{quoted(a)},{quoted(b)}\r\n" for a, b in rows)

    read = sheet(text.encode())

    assert [row.cells for row in read.rows] == [row for row in rows if any(cell.split() for cell in row)]
    assert read.blank_rows == sum(1 for row in rows if not any(cell.split() for cell in row))


@given(st.text(st.sampled_from('ab",;\n'), max_size=80))
def test_every_line_below_the_headings_belongs_to_a_row(text: str) -> None:
    read = sheet(f"Name,Phone\n{text}".encode())

    covered = [line for row in read.rows for line in range(row.line, row.last_line + 1)]
    lines = text.removesuffix("\n").count("\n") + 1 if text else 0
    assert covered == sorted(set(covered))
    assert lines - len(covered) <= read.blank_rows * lines
    assert len(set(covered) | set(range(2, lines + 2))) == lines


@given(st.binary(max_size=300))
def test_arbitrary_bytes_are_read_or_refused_in_words(data: bytes) -> None:
    for bytes_read in (data, b"Name,Phone\n" + data, b"\xff\xfe" + data, "Name;Phone\n".encode("utf-16") + data):
        match _read_or_refused(bytes_read):
            case OperatorError(told=told):
                assert told.startswith("list.csv")
            case Sheet(header_line=header_line, rows=rows):
                assert all(row.line > header_line for row in rows)


def _read_or_refused(data: bytes) -> Sheet | OperatorError:
    try:
        return sheet(data)
    except OperatorError as refused:
        return refused
