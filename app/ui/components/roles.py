"""What a model gives the delegates: one frozen value a cell, and few roles.

A model answers `Role.CELL` with a Cell, `Role.ROW_ID` with the row's id (an int, or None for a head), `Role.SORT` with
the raw value, and `Qt.ItemDataRole.AccessibleTextRole` with `spoken(cell)`. Compare roles as ints: enums double the
time of a repaint.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import assert_never

from PySide6.QtCore import Qt

from app.ui.components.buttons import StopLook, stop_name
from app.ui.components.chips import Chip
from app.ui.icons import Icon
from app.ui.theme import Tone

_USER = int(Qt.ItemDataRole.UserRole)


class Role(IntEnum):
    """Our own item roles."""

    CELL = _USER + 1
    ROW_ID = _USER + 2
    SORT = _USER + 3


ACCESSIBLE_TEXT = int(Qt.ItemDataRole.AccessibleTextRole)
TOOL_TIP = int(Qt.ItemDataRole.ToolTipRole)


@dataclass(frozen=True, slots=True)
class Tile:
    """A square that says what a row is: an icon on a soft ground."""

    icon: Icon
    tone: Tone = Tone.NEUTRAL


@dataclass(frozen=True, slots=True)
class CellText:
    """One or two lines. `quiet`: one small line in `text2`. `icon` stands beside the first line, without a tile.

    `marked` and `marked2` are (start, length) of the parts that matched a search, in the first and the second line.
    """

    primary: str
    secondary: str = ""
    bold: bool = False
    quiet: bool = False
    tile: Tile | None = None
    icon: Icon | None = None
    marked: tuple[int, int] | None = None
    marked2: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class CellChip:
    """A chip; or, where there is none, quiet words (“not held”)."""

    chip: Chip | None
    words: str = ""


@dataclass(frozen=True, slots=True)
class RowButton:
    """A button of a row. With `stop` it is Stop for `whom`; else an act of its own, as “Again…”, named `action`.

    `pressed`: what it does is being written; it looks held down until that is done.
    """

    action: str
    words: str
    icon: Icon | None = None
    stop: StopLook | None = None
    whom: str = ""
    pressed: bool = False

    @property
    def name(self) -> str:
        """What it does, and to whom."""
        if self.stop is not None:
            return stop_name(self.whom)
        return f"{self.words} {self.whom}".strip()


STOP_ACTION = "stop"


def stop_of(whom: str, *, running: bool, pressed: bool = False) -> RowButton:
    """The Stop of a row."""
    look = StopLook.ROW if running else StopLook.QUIET
    return RowButton(STOP_ACTION, "Stop", stop=look, whom=whom, pressed=pressed)


@dataclass(frozen=True, slots=True)
class CellButtons:
    """The buttons at the right edge of a row, Stop last."""

    buttons: tuple[RowButton, ...]


@dataclass(frozen=True, slots=True)
class CellCheck:
    """A check box that chooses the row; the whole cell is its target."""

    checked: bool
    whom: str


@dataclass(frozen=True, slots=True)
class CellHead:
    """A section head among the rows. `key` names the section; `foldable` shows the arrow."""

    key: str
    words: str
    count: str = ""
    right: str = ""
    folded: bool = False
    foldable: bool = True


@dataclass(frozen=True, slots=True)
class CellRow:
    """A whole list row: tile, name, place, time to the right, a second line, and one button at the right edge.

    checked: with a check box before the tile, that chooses the row beside others; None: without one.
    """

    tile: Tile
    name: str
    place: str = ""
    when: str = ""
    second: str = ""
    button: RowButton | None = None
    chip: Chip | None = None
    checked: bool | None = None


Cell = CellText | CellChip | CellButtons | CellCheck | CellHead | CellRow


def spoken(cell: Cell) -> str:
    """What a screen reader says of a cell."""
    match cell:
        case CellText():
            return ", ".join(part for part in (cell.primary, cell.secondary) if part)
        case CellChip():
            return cell.chip.spoken if cell.chip else cell.words
        case CellButtons():
            return ", ".join(button.name for button in cell.buttons)
        case CellCheck():
            return f"{cell.whom}, {'chosen' if cell.checked else 'not chosen'}"
        case CellHead():
            return f"{cell.words}, {cell.count}" if cell.count else cell.words
        case CellRow():
            state = cell.chip.spoken if cell.chip else ""
            chosen = {None: "", True: "chosen", False: "not chosen"}[cell.checked]
            return ", ".join(part for part in (cell.name, cell.place, cell.when, cell.second, state, chosen) if part)
    assert_never(cell)


def tip(cell: Cell) -> str:
    """The tooltip of a cell: the detail of its chip."""
    match cell:
        case CellChip(chip=Chip(detail=detail)) | CellRow(chip=Chip(detail=detail)):
            return detail
        case _:
            return ""
