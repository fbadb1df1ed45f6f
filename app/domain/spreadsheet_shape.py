"""Rows that don't stand under their headings as they should, and what to tell about a file as a whole.

How such rows are taken, for people (people_csv.py) and records (records_csv.py):

- Values beyond the headings: a person is read all the same, with the note `extra_fields`. When the values have visibly
  moved (an email or a phone stands outside its columns while its own are empty) the row is rejected as
  `too_many_values`. A record with too many values is always rejected.
- Too few values: spreadsheets leave off blanks at the end of a row, so where one row in fifty or more is short the
  missing ones are blanks (`missing_fields`). In a file of complete rows a short one has lost something: it is rejected
  as `too_few_values`, unless all that is missing is columns that are not read.
- A quote that is never closed: the row in which it opens and all rows after it are rejected, each with its line. What
  stands inside it can't be told from what does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.domain.people_dates import DateOrder
from app.domain.people_text import clean
from app.domain.spreadsheet import RowFault, Sheet, SheetRow
from app.domain.spreadsheet_columns import ColumnRead

_SHORT_IS_HABIT = 50  # one short row in so many, or more: the program that wrote the file leaves off blanks


def positions_of(columns: Sequence[ColumnRead]) -> dict[str, list[int]]:
    """Field -> positions of its columns (0-based), left to right."""
    positions: dict[str, list[int]] = {}
    for column in columns:
        if column.field is not None:
            positions.setdefault(column.field, []).append(column.number - 1)
    return positions


def short_is_habit(sheet: Sheet, positions: Mapping[str, Sequence[int]]) -> bool:
    """Whether so many rows end before the last column that is read that the file's writer must leave off blanks."""
    last = max(at for places in positions.values() for at in places)
    whole = [row for row in sheet.rows if row.fault is None]
    return sum(1 for row in whole if len(row.cells) <= last) * _SHORT_IS_HABIT >= len(whole)


def missing_names(row: SheetRow, header: Sequence[str], positions: Mapping[str, Sequence[int]]) -> list[str]:
    """The columns that are read and for which the row has no value at all, not even a blank."""
    if len(row.cells) >= len(header):
        return []
    read = {at for places in positions.values() for at in places}
    return [header[at] for at in range(len(row.cells), len(header)) if at in read]


def extra_values(row: SheetRow, header: Sequence[str]) -> list[str]:
    """The values beyond the headings; blanks there say nothing."""
    return [clean(cell) for cell in row.cells[len(header) :] if clean(cell)] if len(row.cells) > len(header) else []


def is_repeated_header(row: SheetRow, header: Sequence[str]) -> bool:
    """Whether a row is the headings once more, as in printed pages joined into one file."""
    first = next((at for at, name in enumerate(header) if name), 0)
    if first >= len(row.cells) or clean(row.cells[first]).casefold() != header[first].casefold():
        return False
    width = max(len(row.cells), len(header))
    cells = [clean(cell).casefold() for cell in row.cells] + [""] * (width - len(row.cells))
    return cells == [name.casefold() for name in header] + [""] * (width - len(header))


def fault_told(row: SheetRow, quote_line: int | None) -> str:
    """One sentence on a row whose cells can't be trusted."""
    if row.fault is RowFault.AFTER_UNCLOSED_QUOTE:
        return f'It comes after the quote (") that opens in line {quote_line} and is never closed.'
    until = f" (it runs on to line {row.last_line})" if row.last_line > row.line else ""
    return f'A quote (") opens in line {row.line} and is not closed as it should be{until}.'


def sheet_warnings(sheet: Sheet, columns: Sequence[ColumnRead], order: DateOrder | None) -> tuple[str, ...]:
    """What to tell about the file as a whole, one sentence each."""
    told = [sheet.doubt] if sheet.doubt else []
    if sheet.titles:
        lines = ", ".join(str(row.line) for row in sheet.titles)
        told.append(f"The headings are in line {sheet.header_line}; not read above them: line {lines}.")
    if sheet.quote_line is not None:
        told.append(f'A quote (") opens in line {sheet.quote_line} and is never closed: mend it and import again.')
    if order is DateOrder.MIXED:
        told.append("Some dates have the day first and some the month first; those that may be either are not read.")
    told.extend(column.told for column in columns if column.told and (column.name or _has_values(sheet, column)))
    return tuple(told)


def _has_values(sheet: Sheet, column: ColumnRead) -> bool:
    at = column.number - 1
    return any(len(row.cells) > at and clean(row.cells[at]) for row in sheet.rows)
