"""A spreadsheet of people, from bytes to drafts: every row is imported, merged or rejected, and says why.

One row is read in people_row.py; rows that don't fit their headings are told apart in spreadsheet_shape.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from app.domain.errors import OperatorError
from app.domain.people_columns import known_headings, people_columns
from app.domain.people_dates import DateOrder, decide_order
from app.domain.people_file import Outcome, PeopleFile, Reason, RowRead
from app.domain.people_merge import AmbiguousRow, KeptRow, MergedRow, RowFate, merge_rows
from app.domain.people_row import RowReader
from app.domain.people_text import Note, RowNote, clean, fold_for_search
from app.domain.person import PersonDraft, check_region, normalise_email, normalise_phone
from app.domain.spreadsheet import Sheet, SheetRow, read_sheet
from app.domain.spreadsheet_columns import ColumnRead
from app.domain.spreadsheet_shape import (
    extra_values,
    fault_told,
    is_repeated_header,
    missing_names,
    positions_of,
    sheet_warnings,
    short_is_habit,
)

_TOTALS = re.compile(
    r"(?:grand |sub|sub )?(?:total|totals|totale|totaal|totalt|sum|sums|summe|suma|somme|soma|count|average|gesamt|"
    r"gesamtsumme)\b"
)
_BAD_ADDRESS = frozenset({Note.BAD_PHONE, Note.DAMAGED_PHONE, Note.BAD_EMAIL})


@dataclass(frozen=True, slots=True)
class _Rejected:
    reason: Reason
    told: str
    notes: tuple[RowNote, ...] = ()


def read_people(data: bytes, file_name: str, region: str, mapping: Mapping[str, str] | None = None) -> PeopleFile:
    """The people in a spreadsheet that was saved as text.

    file_name: for what is told to staff. region: two letters, the country of the location. mapping: heading (or
    `#number`) -> field, stronger than a guess. Nothing vanishes: every row below the headings has its outcome.
    Raises OperatorError for a file that is no such list, a wrong region or a wrong mapping.
    """
    mapping = mapping or {}
    region = check_region(region)
    sheet = read_sheet(data, file_name, known_headings(mapping))
    columns = people_columns(sheet.header, mapping)
    positions = _positions(columns, file_name)
    order = _order(sheet, positions)
    reader = RowReader(positions, region, order or DateOrder.UNKNOWN)
    judge = _Judge(sheet, reader)
    read = [judge.read(row) for row in sheet.rows]
    merged = merge_rows([each for each in read if isinstance(each, PersonDraft)])
    fates = iter(merged.fates)
    rows = tuple(
        _left_out(row, each) if isinstance(each, _Rejected) else _outcome(row, each, next(fates))
        for row, each in zip(sheet.rows, read, strict=True)
    )
    return PeopleFile(
        file=file_name,
        region=region,
        encoding=sheet.encoding,
        delimiter=sheet.delimiter,
        header_line=sheet.header_line,
        date_order=order,
        header=sheet.header,
        columns=columns,
        titles=sheet.titles,
        rows=rows,
        drafts=merged.drafts,
        blank_rows=sheet.blank_rows,
        warnings=sheet_warnings(sheet, columns, order),
    )


class _Judge:
    """Decides which rows are people."""

    def __init__(self, sheet: Sheet, reader: RowReader) -> None:
        self._header = sheet.header
        self._quote_line = sheet.quote_line
        self._reader = reader
        self._short_is_habit = short_is_habit(sheet, reader.columns)
        self._read_positions = frozenset(at for places in reader.columns.values() for at in places)

    def read(self, row: SheetRow) -> PersonDraft | _Rejected:
        """The person of a row, or why there is none. The order is that of what is surest."""
        if row.fault is not None:
            return _Rejected(Reason(row.fault.value), fault_told(row, self._quote_line))
        if is_repeated_header(row, self._header):
            return _Rejected(Reason.REPEATED_HEADER, "It repeats the headings.")
        draft = self._reader.read(row)
        notes = draft.warnings
        extra = extra_values(row, self._header)
        if extra:
            told = f"It has values beyond the {len(self._header)} headings, which are not read: {', '.join(extra)}."
            notes = (*notes, RowNote(Note.EXTRA_FIELDS, told))
        moved = bool(extra) and self._has_moved(row, draft)
        if draft.phone is None and draft.email is None:
            return _nobody(row, notes, moved=moved)
        values = f"It has {len(row.cells)} values for {len(self._header)} headings"
        if moved:
            return _Rejected(Reason.TOO_MANY_VALUES, f"{values}, and they have moved: a comma too many?", notes)
        missing = missing_names(row, self._header, self._reader.columns)
        if missing and (not self._short_is_habit or self._has_moved(row, draft)):
            return _Rejected(Reason.TOO_FEW_VALUES, f"{values}; {', '.join(missing)} is missing.", notes)
        if missing:
            told = f"It ends before {', '.join(missing)}, which is taken as blank."
            notes = (*notes, RowNote(Note.MISSING_FIELDS, told))
        return draft if notes is draft.warnings else replace(draft, warnings=notes)

    def _has_moved(self, row: SheetRow, draft: PersonDraft) -> bool:
        """Whether an address that the person lacks stands where it does not belong."""
        for found, fields, is_one in (
            (draft.email, ("email",), normalise_email),
            (draft.phone, ("phone", "alt_phone"), self._as_phone),
        ):
            own = {at for field in fields for at in self._reader.columns.get(field, ())}
            if found is None and any(
                is_one(cell)
                for at, cell in enumerate(row.cells)
                if at not in own and (at in self._read_positions or at >= len(self._header))
            ):
                return True
        return False

    def _as_phone(self, cell: str) -> str | None:
        return normalise_phone(cell, self._reader.region).e164


def _nobody(row: SheetRow, notes: tuple[RowNote, ...], *, moved: bool) -> _Rejected:
    """Why a row is nobody who could be reached."""
    if _TOTALS.match(fold_for_search(next(filter(None, map(clean, row.cells)), ""))):
        return _Rejected(Reason.TOTALS_ROW, "It is a row of totals.")
    told = ["It has no phone and no email that can be used."]
    told.extend(note.told for note in notes if note.code in _BAD_ADDRESS)
    if moved:
        told.append("Its values have moved: a comma too many?")
    return _Rejected(Reason.NO_CONTACT_POINT, " ".join(told), notes)


def _positions(columns: Sequence[ColumnRead], file_name: str) -> dict[str, list[int]]:
    """Field -> positions of its columns. Raises OperatorError when nobody could be reached by what is left."""
    positions = positions_of(columns)
    if not positions.keys() & {"phone", "alt_phone", "email"}:
        names = ", ".join(column.name for column in columns if column.name)
        raise OperatorError(
            f"{file_name} has no column of phones or emails among: {names}.",
            "Say which it is: --map COLUMN=phone or --map COLUMN=email.",
        )
    return positions


def _order(sheet: Sheet, positions: Mapping[str, Sequence[int]]) -> DateOrder | None:
    """The order of the file's dates; None when no column holds any."""
    dates = positions.get("last_visit")
    if not dates:
        return None
    rows = [row for row in sheet.rows if row.fault is None]
    return decide_order(row.cells[at] for row in rows for at in dates if at < len(row.cells))


def _left_out(row: SheetRow, why: _Rejected) -> RowRead:
    return RowRead(row.line, Outcome.REJECTED, why.notes, why.reason, why.told, cells=row.cells)


def _outcome(row: SheetRow, draft: PersonDraft, fate: RowFate) -> RowRead:
    match fate:
        case KeptRow(notes):
            return RowRead(row.line, Outcome.IMPORTED, draft.warnings + notes, cells=row.cells)
        case MergedRow(into, notes):
            return RowRead(row.line, Outcome.MERGED, draft.warnings + notes, into=into, cells=row.cells)
        case AmbiguousRow(told):
            return _left_out(row, _Rejected(Reason.AMBIGUOUS_DUPLICATE, told, draft.warnings))
        case _ as unreachable:
            assert_never(unreachable)
