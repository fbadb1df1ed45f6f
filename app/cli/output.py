"""How a command answers: JSON with stable keys, or tables for people with local times and their zones' names."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from typing import TextIO
from zoneinfo import ZoneInfo

_WIDEST_CELL = 48
_WIDE = frozenset("WF")


def stamp(at: datetime) -> str:
    """An instant as every JSON shape writes it: ISO 8601, UTC, `Z`; fractions only where there are some."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def local(at: datetime | None, zone: str) -> str:
    """An instant on a location's clock, with the zone's name; a dash for None."""
    if at is None:
        return "–"
    return f"{at.astimezone(ZoneInfo(zone)):%a %Y-%m-%d %H:%M} {zone}"


def local_iso(at: datetime | None, zone: str) -> str | None:
    """An instant on a location's clock as ISO 8601 with its offset; None for None."""
    return None if at is None else at.astimezone(ZoneInfo(zone)).isoformat(timespec="seconds")


def write_json(out: TextIO, value: object) -> None:
    """One JSON document, indented, in UTF-8."""
    out.write(json.dumps(plain(value), indent=2, ensure_ascii=False) + "\n")


def write_json_line(out: TextIO, value: object) -> None:
    """One JSON document on one line."""
    out.write(json.dumps(plain(value), ensure_ascii=False) + "\n")


def write_json_list(out: TextIO, values: Iterable[object]) -> None:
    """A JSON list, written row by row: 100,000 people are never in memory at once."""
    first = True
    for value in values:
        out.write("[\n  " if first else ",\n  ")
        first = False
        out.write(json.dumps(plain(value), ensure_ascii=False))
    out.write("[]\n" if first else "\n]\n")


def plain(value: object) -> object:
    """`value` in JSON's own types: instants in UTC with Z, enums by value. Raises TypeError for what has none."""
    match value:
        case None | bool() | int() | float():
            return value
        case Enum():
            return plain(value.value)
        case str():
            return value
        case datetime():
            return stamp(value)
        case date():
            return value.isoformat()
        case Decimal():
            return str(value)
        case Mapping():
            return {str(plain(key)): plain(each) for key, each in value.items()}
        case list() | tuple() | set() | frozenset():
            return [plain(each) for each in value]
        case _:
            raise TypeError(f"{type(value).__name__} has no JSON form")


def write_table(out: TextIO, headings: Sequence[str], rows: Iterable[Sequence[str]], nothing: str) -> None:
    """A table with a heading and columns that line up, the last one as wide as it needs; `nothing` without rows."""
    cells = [[*map(_cell, row[:-1]), printable(row[-1])] for row in rows]
    if not cells:
        out.write(f"{nothing}\n")
        return
    widths = [max(_width(row[place]) for row in (headings, *cells)) for place in range(len(headings))]
    for row in (headings, *cells):
        padded = (cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True))
        out.write("  ".join(padded).rstrip() + "\n")


def _cell(text: str) -> str:
    whole = printable(text)
    return whole if len(whole) <= _WIDEST_CELL else f"{whole[: _WIDEST_CELL - 1]}…"


def printable(text: str) -> str:
    """`text` on one line, without what could move a terminal's cursor or change its colours."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _width(text: str) -> int:
    """How many places a terminal gives `text`: wide letters take two, marks on letters none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in _WIDE else 1
        for letter in text
    )


def counted(number: int, one: str, many: str) -> str:
    """`1 person`, `2,000 people`."""
    return f"{number:,} {one if number == 1 else many}"
