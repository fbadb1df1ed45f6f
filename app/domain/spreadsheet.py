"""A spreadsheet saved as text: its delimiter, its heading row, and its rows with the line on which each starts.

What a column means is the reader's business (people_csv, records_csv); here only names are known, not meanings.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice

from app.domain.errors import OperatorError
from app.domain.people_text import clean, heading_among
from app.domain.spreadsheet_bytes import decode

MAX_COLUMNS = 200
_MOST_CELLS = 20_000  # a row with more is in no spreadsheet: their programs end at 16,384 columns
_LONGEST_NAME = 1_000  # chars; a longer cell is no heading
_DELIMITERS = (",", ";", "\t", "|")
_LOOKED_AT = 100  # rows in which the headings must stand
_SEP_LINE = re.compile(r'"?sep=([^\w\s"]|\t)"?\s*', re.IGNORECASE)


class RowFault(StrEnum):
    """Why the cells of a row can't be trusted."""

    UNCLOSED_QUOTE = "unclosed_quote"
    AFTER_UNCLOSED_QUOTE = "after_unclosed_quote"


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One row as written. line: the physical line on which it starts; last_line: on which it ends, both 1-based."""

    line: int
    cells: tuple[str, ...]
    last_line: int
    fault: RowFault | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A spreadsheet taken apart.

    header: clean names, "" for a column without one. titles: rows above it that were skipped. quote_line: where a
    quote is opened that is never closed properly, or None. doubt: about the encoding; "" when there is none.
    """

    encoding: str
    delimiter: str
    header_line: int
    header: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    blank_rows: int
    titles: tuple[SheetRow, ...] = ()
    quote_line: int | None = None
    doubt: str = ""


def read_sheet(data: bytes, file_name: str, known: Collection[str]) -> Sheet:
    """The spreadsheet in `data`. known: folded names of columns (`fold_heading`), which tell headings from titles.

    Every line after the headings is in `rows` or counted in `blank_rows`. Raises OperatorError for what is no
    spreadsheet, has no headings, or is too big.
    """
    decoded = decode(data, file_name)
    lines = _lines(decoded.text)
    delimiter, header = _dialect(lines, frozenset(known), file_name)
    names = tuple(clean(cell) for cell in header.cells)
    named = len(_trimmed(names))
    if named > MAX_COLUMNS:
        raise OperatorError(
            f"{file_name} has {named} columns; a list may have {MAX_COLUMNS}.",
            "Delete the columns that are not needed.",
        )
    rows: list[SheetRow] = []
    titles: list[SheetRow] = []
    blank = 0
    for row in _records(lines, delimiter):
        if row.line < header.line:
            titles.extend([] if _is_blank(row) or _is_sep_line(row, lines) else [row])
        elif row.line > header.line:
            if _is_blank(row):
                blank += 1
            else:
                rows.append(_if_it_fits(row, len(header.cells)))
    quote_line = next((row.line for row in rows if row.fault), None)
    return Sheet(
        decoded.encoding, delimiter, header.line, names, tuple(rows), blank, tuple(titles), quote_line, decoded.doubt
    )


def _lines(text: str) -> list[str]:
    lines = text.rstrip("\x1a\x00").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def _is_blank(row: SheetRow) -> bool:
    return row.fault is None and not any(cell and clean(cell) for cell in row.cells)


def _is_sep_line(row: SheetRow, lines: Sequence[str]) -> bool:
    return row.line == 1 and _SEP_LINE.fullmatch(lines[0]) is not None


def _trimmed(cells: tuple[str, ...]) -> tuple[str, ...]:
    """The cells without the blank ones at the end."""
    return cells[: max((at for at, cell in enumerate(cells, start=1) if clean(cell)), default=0)]


def _if_it_fits(row: SheetRow, columns: int) -> SheetRow:
    """A row over several lines with more values than headings has swallowed its neighbours: its quote is not closed."""
    if row.fault is None and row.last_line > row.line and len(_trimmed(row.cells)) > columns:
        return replace(row, fault=RowFault.UNCLOSED_QUOTE)
    return row


def _dialect(lines: Sequence[str], known: frozenset[str], file_name: str) -> tuple[str, SheetRow]:
    """The delimiter that gives the most known names, and the row of the headings."""
    named = _SEP_LINE.fullmatch(lines[0])
    tried = [(delimiter, *_header(lines, delimiter, known)) for delimiter in ([named[1]] if named else _DELIMITERS)]
    delimiter, header, count = max(tried, key=lambda each: each[2])  # the first of equals
    if header is not None and count > 0:
        return delimiter, header
    broken = next((row.line for row in islice(_records(lines, tried[0][0]), _LOOKED_AT) if row.fault), None)
    if broken is not None:
        raise OperatorError(
            f'{file_name} has no row of headings; a quote (") opens in line {broken} and is never closed.',
            "Close the quote or delete it.",
        )
    raise OperatorError(
        f"{file_name} has no row of headings that can be recognised in its first {_LOOKED_AT} rows.",
        "Name the columns, such as First name, Last name, Phone, Email, or say what they are: --map COLUMN=FIELD.",
    )


def _header(lines: Sequence[str], delimiter: str, known: frozenset[str]) -> tuple[SheetRow | None, int]:
    """The first row with two or more known names; else the first whose only names are known; and how many."""
    lone: SheetRow | None = None
    for row in islice(_records(lines, delimiter), _LOOKED_AT):
        if len(row.cells) > _MOST_CELLS:
            continue
        names = [cell for cell in row.cells if cell and clean(cell)]
        count = sum(1 for name in names if len(name) <= _LONGEST_NAME and heading_among(name, known))
        if count >= 2 and row.fault is None:
            return row, count
        if lone is None and names and count == len(names) and row.fault is None:
            lone = row
    return lone, 1 if lone else 0


def _records(lines: Sequence[str], delimiter: str) -> Iterator[SheetRow]:
    """Every row, in order. After a quote that is never closed each line is a row of its own, with its fault."""
    at = 0
    while at < len(lines):
        line = lines[at]
        if '"' not in line:
            yield SheetRow(at + 1, tuple(line.split(delimiter)), at + 1)
            at += 1
            continue
        read = _quoted(lines, at, delimiter)
        if read is None:
            yield SheetRow(at + 1, tuple(line.split(delimiter)), at + 1, RowFault.UNCLOSED_QUOTE)
            for after in range(at + 1, len(lines)):
                row = SheetRow(after + 1, tuple(lines[after].split(delimiter)), after + 1)
                yield row if _is_blank(row) else replace(row, fault=RowFault.AFTER_UNCLOSED_QUOTE)
            return
        cells, last = read
        yield SheetRow(at + 1, tuple(cells), last + 1)
        at = last + 1


def _quoted(lines: Sequence[str], at: int, delimiter: str) -> tuple[list[str], int] | None:
    """The cells of the row that starts in line `at` (0-based) and the line it ends in; None when a quote stays open."""
    cells: list[str] = []
    line, pos = lines[at], 0
    while True:
        start = pos
        while line[start : start + 1] in (" ", "\xa0") and delimiter != " ":
            start += 1
        if line[start : start + 1] == '"':
            field = _quoted_cell(lines, at, start, delimiter, may_span=start == pos)
        else:
            field = None
        if field is None and line[pos : pos + 1] == '"':
            return None
        if field is None:
            end = line.find(delimiter, pos)
            cells.append(line[pos:] if end < 0 else line[pos:end])
            pos = len(line) if end < 0 else end
        else:
            text, at, pos = field
            cells.append(text)
            line = lines[at]
        if pos >= len(line):
            return cells, at
        pos += 1  # the delimiter


def _quoted_cell(
    lines: Sequence[str], at: int, start: int, delimiter: str, *, may_span: bool
) -> tuple[str, int, int] | None:
    """The cell whose quote opens at lines[at][start]: its text, the line and position of the delimiter after it.

    A quote that closes nothing is kept as typed when it stands in the first line of the cell. After a line break it
    means that the first quote was never closed: None then, and when the file ends inside.
    """
    parts: list[str] = []
    line, pos, first, stray = lines[at], start + 1, at, -1
    while True:
        quote = line.find('"', pos)
        if quote < 0:
            if stray >= 0:  # "Ana" Diaz, …: a cell that only begins with a quoted word
                end = line.find(delimiter, stray)
                end = len(line) if end < 0 else end
                return line[start:end], at, end
            if not may_span or at + 1 >= len(lines):
                return None
            parts += (line[pos:], "\n")
            at += 1
            line, pos = lines[at], 0
            continue
        if line[quote + 1 : quote + 2] == '"':
            parts.append(line[pos : quote + 1])
            pos = quote + 2
            continue
        end = quote + 1
        while line[end : end + 1] in (" ", "\xa0"):
            end += 1
        if end >= len(line) or line[end] == delimiter:
            parts.append(line[pos:quote])
            return "".join(parts), at, end
        if at > first:
            return None
        if line[quote - 1] == delimiter:  # "Diaz,"503…: the next cell begins, this one was not closed
            return line[start : quote - 1], at, quote - 1
        stray = quote if stray < 0 else stray
        parts.append(line[pos : quote + 1])
        pos = quote + 1
