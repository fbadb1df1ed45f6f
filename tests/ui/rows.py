"""Made-up rows, a table and a list of them, for the tests of rows."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from pytestqt.qtbot import QtBot

from app.ui.components.cell_model import CellModel
from app.ui.components.cell_paint import button_rects
from app.ui.components.chips import ChipKind
from app.ui.components.columns import STOP_COLUMN, Column
from app.ui.components.roles import (
    Cell,
    CellButtons,
    CellCheck,
    CellChip,
    CellHead,
    CellRow,
    CellText,
    RowButton,
    Tile,
    stop_of,
)
from app.ui.components.state_words import state_chip
from app.ui.components.views import StopList, StopTable
from app.ui.icons import Icon
from app.ui.look import Look

COLUMNS = (Column("", 52, rigid=True), Column("Person", 160, 1), Column("State", 140), STOP_COLUMN)
NAMES = ("Maria Delgado", "Priya Raman", "Walter Brandt")
LEFT = Qt.MouseButton.LeftButton


class Rows(CellModel):
    """Rows as given; a row of one cell stands in every column."""

    def __init__(self, rows: Sequence[Sequence[Cell]], columns: int) -> None:
        super().__init__([""] * columns)
        self.lines = [list(row) for row in rows]

    def rows(self) -> int:
        return len(self.lines)

    def cell(self, row: int, column: int) -> Cell:
        cells = self.lines[row]
        return cells[column if len(cells) > 1 else 0]

    def row_id(self, row: int) -> int | None:
        return None if isinstance(self.lines[row][0], CellHead) else 100 + row

    def change(self, row: int, cells: Sequence[Cell]) -> None:
        self.lines[row] = list(cells)
        self.dataChanged.emit(self.index(row, 0), self.index(row, self.columnCount() - 1))

    def reset(self, rows: Sequence[Sequence[Cell]]) -> None:
        self.beginResetModel()
        self.lines = [list(row) for row in rows]
        self.endResetModel()

    def insert_first(self, cells: Sequence[Cell]) -> None:
        self.beginInsertRows(self.index(-1, -1), 0, 0)
        self.lines.insert(0, list(cells))
        self.endInsertRows()


def row(name: str, *, running: bool = True) -> list[Cell]:
    return [
        CellCheck(False, name),
        CellText(name, "(503) 555-0142", bold=True),
        CellChip(state_chip(ChipKind.ACTIVE if running else ChipKind.STOPPED)),
        CellButtons((stop_of(name, running=running),)),
    ]


@pytest.fixture
def table(look: Look, qtbot: QtBot) -> StopTable:
    """Three people in a table 600 px wide."""
    made = StopTable(look, COLUMNS, name="People")
    qtbot.addWidget(made)
    made.setModel(Rows([row(name) for name in NAMES], len(COLUMNS)))
    made.resize(600, 300)
    made.show()
    return made


@pytest.fixture
def today(look: Look, qtbot: QtBot) -> StopList:
    """A head and two rows in a list: a Stop and a Match…."""
    made = StopList(look, name="What needs someone")
    qtbot.addWidget(made)
    rows: list[list[Cell]] = [
        [CellHead("replies", "Replies", "2")],
        [CellRow(Tile(Icon.SMS), "Maria Delgado", "Portland", "10:31 AM PST", "Yes", stop_of("Maria", running=True))],
        [CellRow(Tile(Icon.INBOX), "(971) 555-0188", "no match", button=RowButton("match", "Match…"))],
    ]
    made.setModel(Rows(rows, 1))
    made.resize(420, 300)
    made.show()
    return made


def rows_of(view: StopTable | StopList) -> Rows:
    model = view.model()
    assert isinstance(model, Rows)
    return model


def stop_point(look: Look, view: StopTable | StopList, at: int) -> QPoint:
    """The middle of the last button of a row, as painted."""
    model = rows_of(view)
    index = model.index(at, model.columnCount() - 1)
    cell = model.cell(at, index.column())
    match cell:
        case CellButtons(buttons=buttons):
            margin = 20
        case CellRow(button=RowButton() as button):
            buttons, margin = (button,), 12
        case _:
            raise AssertionError(f"no button in {cell}")
    return button_rects(look, view.visualRect(index), buttons, margin)[-1].center()


def real_place(view: StopTable | StopList) -> QRect:
    """Where the one real button stands, in the viewport."""
    (button,) = view.rows.real_buttons()
    return QRect(button.mapTo(view.viewport(), QPoint()), button.size())


def painted_place(look: Look, table: StopTable, at: int) -> QRect:
    """Where a table's Stop is painted."""
    cell = rows_of(table).cell(at, 3)
    assert isinstance(cell, CellButtons)
    return button_rects(look, table.visualRect(rows_of(table).index(at, 3)), cell.buttons, 20)[0]
