"""What became of a file of people: each row's outcome, the drafts, what staff must be told; and the file to mend."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from app.domain.people_dates import DateOrder
from app.domain.people_text import RowNote, harmless_cell
from app.domain.person import PersonDraft
from app.domain.spreadsheet import SheetRow
from app.domain.spreadsheet_columns import ColumnRead


class Reason(StrEnum):
    """Why a row was left out. The first four are the words of the data sets."""

    NO_CONTACT_POINT = "no_contact_point"
    TOTALS_ROW = "totals_row"
    REPEATED_HEADER = "repeated_header"
    AMBIGUOUS_DUPLICATE = "ambiguous_duplicate"
    TOO_MANY_VALUES = "too_many_values"
    TOO_FEW_VALUES = "too_few_values"
    UNCLOSED_QUOTE = "unclosed_quote"
    AFTER_UNCLOSED_QUOTE = "after_unclosed_quote"


class Outcome(StrEnum):
    """What became of a row."""

    IMPORTED = "imported"
    MERGED = "merged"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class RowRead:
    """One row and what became of it.

    line: the physical line on which it starts. reason, told: set for a rejected row; told is one sentence without the
    line number. into: the line of the row that a merged one was added to. cells: as written, for the file to mend.
    """

    line: int
    outcome: Outcome
    notes: tuple[RowNote, ...] = ()
    reason: Reason | None = None
    told: str = ""
    into: int | None = None
    cells: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PeopleFile:
    """A file of people, read and merged within itself; nothing is stored yet.

    date_order: None when no column holds dates. region: the country that phones without one were read for. drafts: in
    the order of their first rows. warnings: sentences about the file as a whole.
    rows + blank_rows are all the rows below the headings.
    """

    file: str
    region: str
    encoding: str
    delimiter: str
    header_line: int
    date_order: DateOrder | None
    header: tuple[str, ...]
    columns: tuple[ColumnRead, ...]
    titles: tuple[SheetRow, ...]
    rows: tuple[RowRead, ...]
    drafts: tuple[PersonDraft, ...]
    blank_rows: int
    warnings: tuple[str, ...] = ()

    def count(self, outcome: Outcome) -> int:
        """How many rows came to `outcome`."""
        return sum(1 for row in self.rows if row.outcome is outcome)

    @property
    def rejected(self) -> tuple[RowRead, ...]:
        """The rows that were left out, in the file's order."""
        return tuple(row for row in self.rows if row.outcome is Outcome.REJECTED)

    @property
    def unread_columns(self) -> tuple[ColumnRead, ...]:
        """The columns that were not read though staff did not say so."""
        return tuple(column for column in self.columns if column.told)


class LeftOut(Protocol):
    """A row that was left out of a file of people or of records."""

    @property
    def line(self) -> int: ...
    @property
    def told(self) -> str: ...
    @property
    def cells(self) -> tuple[str, ...]: ...


def mend_file(header: Sequence[str], left_out: Sequence[LeftOut], delimiter: str = ",") -> str:
    """The rows that were left out, as a file to mend and import again: its columns, then each row's line and reason.

    Cells that a spreadsheet might run are made harmless; reading takes that back. Line ends are CRLF (RFC 4180).
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
    width = max([len(header), *(len(row.cells) for row in left_out)])
    writer.writerow([*map(harmless_cell, header), *[""] * (width - len(header)), "Left out: line", "Left out: why"])
    for row in left_out:
        blanks = [""] * (width - len(row.cells))
        writer.writerow([*map(harmless_cell, row.cells), *blanks, row.line, row.told])
    return out.getvalue()
