"""An old sequence from a spreadsheet (`day,channel,template,subject,body`), as the document that a file would tell.

What is wrong with a row is found where documents are read (practice_documents.py); here each part gets its line.
"""

from __future__ import annotations

from app.domain.documents import Format, RawDocument
from app.domain.errors import DocumentError
from app.domain.people_text import fold_heading
from app.domain.practice_shapes import SequenceStepShape
from app.domain.problem import Problem, nearest
from app.domain.shape import keys_of
from app.domain.spreadsheet import Sheet, SheetRow, read_sheet
from app.domain.yaml_tree import plain_value

_NEEDED = ("day", "channel")


def read_sequence_csv(data: bytes, file: str, name: str) -> RawDocument:
    """The sequence `name` in `data`. Raises DocumentError for columns, OperatorError for what is no spreadsheet."""
    keys = keys_of(SequenceStepShape)
    sheet = read_sheet(data, file, keys)
    header = [fold_heading(cell) for cell in sheet.header]
    problems = [*_columns(sheet, header, keys, file), *_rows(sheet, len(header), file)]
    if problems:
        raise DocumentError(problems)
    steps: list[dict[str, object]] = []
    lines: dict[str, int] = {"": sheet.header_line, "steps": sheet.header_line}
    for place, row in enumerate(sheet.rows):
        cells = dict(zip(header, row.cells, strict=False))
        step: dict[str, object] = {key: cell for key, cell in cells.items() if key and cell.strip()}
        if "day" in step:
            step["day"] = plain_value(str(step["day"]).strip())
        if "channel" in step:
            step["channel"] = str(step["channel"]).strip().casefold()
        steps.append(step)
        lines |= {f"steps.{place}": row.line} | {f"steps.{place}.{key}": row.line for key in keys}
    return RawDocument({"format": Format.SEQUENCE.value, "name": name, "steps": steps}, file, lines)


def _columns(sheet: Sheet, header: list[str], keys: tuple[str, ...], file: str) -> list[Problem]:
    found: list[Problem] = []
    for told, key in zip(sheet.header, header, strict=True):
        if key and key not in keys:
            near = nearest(key, keys)
            hint = f"Did you mean {near}?" if near else f"The columns are {', '.join(keys)}."
            found.append(Problem(f"unknown column {told[:60]}.", "", sheet.header_line, hint, file))
        elif key and header.count(key) > 1:
            found.append(Problem(f"the column {key} stands twice.", "", sheet.header_line, "Keep one.", file))
    for key in _NEEDED:
        if key not in header:
            hint = f"The columns are {', '.join(keys)}."
            found.append(Problem(f"there is no column {key}.", "", sheet.header_line, hint, file))
    return list(dict.fromkeys(found))


def _rows(sheet: Sheet, columns: int, file: str) -> list[Problem]:
    return [problem for row in sheet.rows if (problem := _row(row, columns, file)) is not None]


def _row(row: SheetRow, columns: int, file: str) -> Problem | None:
    if row.fault is not None:
        return Problem("a quote is opened here that is never closed.", "", row.line, "Close it.", file)
    if len(row.cells) > columns:
        hint = "Put quotes around a text that has the separator in it."
        return Problem("this row has more cells than there are columns.", "", row.line, hint, file)
    return None
