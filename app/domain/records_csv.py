"""A spreadsheet of records (appointments, jobs, quotes, invoices), from bytes to drafts.

Whom a row means is only read here; whether there is such a person is the service's question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from app.domain.errors import OperatorError
from app.domain.people_dates import DateOrder, decide_order
from app.domain.people_text import Note, RowNote, fold_heading
from app.domain.person import PersonRef, check_region
from app.domain.record import RecordDraft, RecordKind
from app.domain.records_columns import FIELDS, HEADINGS
from app.domain.records_row import RecordReader, RecordReason, RecordRefused
from app.domain.spreadsheet import Sheet, SheetRow, read_sheet
from app.domain.spreadsheet_columns import ColumnRead, choose_columns
from app.domain.spreadsheet_shape import (
    extra_values,
    fault_told,
    is_repeated_header,
    missing_names,
    positions_of,
    sheet_warnings,
    short_is_habit,
)

_DATE_FIELDS = ("starts_at", "start_date", "due_on")
_NEEDED = ("kind", "status", "external_id")


@dataclass(frozen=True, slots=True)
class RejectedRecord:
    """A row that was left out. told: one sentence without the line number. cells: as written, for the file to mend."""

    line: int
    reason: RecordReason
    told: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RecordsFile:
    """A file of records, read; nothing is stored yet.

    drafts and rejected: in the file's order; with blank_rows they are all the rows below the headings. One external id
    may be in several drafts of the same person: each updates the record, so the last one wins. date_order: None when no
    column holds dates. warnings: sentences about the file as a whole.
    """

    file: str
    region: str
    encoding: str
    delimiter: str
    header_line: int
    date_order: DateOrder | None
    header: tuple[str, ...]
    columns: tuple[ColumnRead, ...]
    drafts: tuple[RecordDraft, ...]
    rejected: tuple[RejectedRecord, ...]
    blank_rows: int
    warnings: tuple[str, ...] = ()


def read_records(data: bytes, file_name: str, region: str, mapping: Mapping[str, str] | None = None) -> RecordsFile:
    """The records in a spreadsheet that was saved as text.

    region: two letters, for phones without a country. mapping: heading (or `#number`) -> field, stronger than a guess.
    Raises OperatorError for a file that is no such list, a wrong region or a wrong mapping.
    """
    mapping = mapping or {}
    region = check_region(region)
    sheet = read_sheet(data, file_name, frozenset(HEADINGS) | {fold_heading(name) for name in mapping} - {""})
    columns = choose_columns(sheet.header, HEADINGS, FIELDS, mapping)
    positions = _positions(columns, file_name)
    dates = [at for field in _DATE_FIELDS for at in positions.get(field, ())]
    whole = [row for row in sheet.rows if row.fault is None]
    order = decide_order(row.cells[at] for row in whole for at in dates if at < len(row.cells)) if dates else None
    drafts, rejected = _read_rows(sheet, RecordReader(positions, region, order or DateOrder.UNKNOWN))
    return RecordsFile(
        file=file_name,
        region=region,
        encoding=sheet.encoding,
        delimiter=sheet.delimiter,
        header_line=sheet.header_line,
        date_order=order,
        header=sheet.header,
        columns=columns,
        drafts=tuple(drafts),
        rejected=tuple(rejected),
        blank_rows=sheet.blank_rows,
        warnings=sheet_warnings(sheet, columns, order),
    )


def _positions(columns: Sequence[ColumnRead], file_name: str) -> dict[str, list[int]]:
    """Field -> positions of its columns. Raises OperatorError when a needed column is missing."""
    positions = positions_of(columns)
    missing = [field for field in _NEEDED if field not in positions]
    if not positions.keys() & {"person", "person_id", "email", "phone"}:
        missing.insert(0, "person")
    if missing:
        names = ", ".join(column.name for column in columns if column.name)
        raise OperatorError(
            f"{file_name} has no column for {' and '.join(missing)} among: {names}.",
            f"Add it, or say which one it is: --map COLUMN={missing[0]}.",
        )
    return positions


def _read_rows(sheet: Sheet, reader: RecordReader) -> tuple[list[RecordDraft], list[RejectedRecord]]:
    drafts: list[RecordDraft] = []
    rejected: list[RejectedRecord] = []
    whose: dict[tuple[RecordKind, str], tuple[int, PersonRef]] = {}
    habit = short_is_habit(sheet, reader.columns)
    for row in sheet.rows:
        try:
            notes = _shape_notes(row, sheet, reader, short_is_habit=habit)
            draft = reader.read(row)
            line, person = whose.setdefault((draft.kind, draft.external_id), (row.line, draft.person))
            if person != draft.person:
                told = f"{draft.kind} {draft.external_id} is another person's in line {line}."
                raise RecordRefused(RecordReason.OTHER_PERSON, told)
        except RecordRefused as refused:
            rejected.append(RejectedRecord(row.line, refused.reason, refused.told, row.cells))
        else:
            drafts.append(replace(draft, warnings=draft.warnings + notes))
    return drafts, rejected


def _shape_notes(row: SheetRow, sheet: Sheet, reader: RecordReader, *, short_is_habit: bool) -> tuple[RowNote, ...]:
    """What to tell about a short row. Raises RecordRefused for one that does not stand under its headings at all."""
    if row.fault is not None:
        raise RecordRefused(RecordReason(row.fault.value), fault_told(row, sheet.quote_line))
    if is_repeated_header(row, sheet.header):
        raise RecordRefused(RecordReason.REPEATED_HEADER, "It repeats the headings.")
    values = f"It has {len(row.cells)} values for {len(sheet.header)} headings"
    if extra_values(row, sheet.header):
        raise RecordRefused(RecordReason.TOO_MANY_VALUES, f"{values}: a comma too many?")
    missing = ", ".join(missing_names(row, sheet.header, reader.columns))
    if missing and not short_is_habit:
        raise RecordRefused(RecordReason.TOO_FEW_VALUES, f"{values}; {missing} is missing.")
    return (RowNote(Note.MISSING_FIELDS, f"It ends before {missing}, which is taken as blank."),) if missing else ()
