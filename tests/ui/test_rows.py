"""Rows: Stop by mouse and by key, hover, heads, check boxes, what a screen reader hears."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.ui.components.cell_model import CellModel
from app.ui.components.cell_paint import button_rects
from app.ui.components.chips import ChipKind
from app.ui.components.columns import STOP_COLUMN, Column, column_widths
from app.ui.components.roles import (
    Cell,
    CellButtons,
    CellCheck,
    CellChip,
    CellHead,
    CellRow,
    CellText,
    Role,
    RowButton,
    Tile,
    spoken,
    stop_of,
)
from app.ui.components.state_words import state_chip
from app.ui.components.views import StopList, StopTable
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Height

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


# Stop by mouse --------------------------------------------------------------------------------------------------------


def test_a_click_on_stop_tells_whose_it_is(look: Look, table: StopTable, qtbot: QtBot) -> None:
    with qtbot.waitSignal(table.rows.stop_pressed) as told:
        QTest.mouseClick(table.viewport(), LEFT, pos=stop_point(look, table, 1))
    assert told.args == [101]


def test_a_click_on_stop_does_not_choose_the_row(look: Look, table: StopTable, qtbot: QtBot) -> None:
    table.rows.choose(100)
    QTest.mouseClick(table.viewport(), LEFT, pos=stop_point(look, table, 2))
    assert table.rows.current_row_id() == 100


def test_a_press_let_go_elsewhere_stops_nobody(look: Look, table: StopTable, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(table.rows.stop_pressed):
        QTest.mousePress(table.viewport(), LEFT, pos=stop_point(look, table, 1))
        QTest.mouseRelease(table.viewport(), LEFT, pos=stop_point(look, table, 2))
        QTest.mousePress(table.viewport(), LEFT, pos=stop_point(look, table, 1))
        QTest.mouseRelease(table.viewport(), LEFT, pos=QPoint(80, 290))


def test_the_right_button_and_a_click_beside_stop_do_nothing(look: Look, table: StopTable, qtbot: QtBot) -> None:
    point = stop_point(look, table, 1)
    with qtbot.assertNotEmitted(table.rows.stop_pressed):
        QTest.mouseClick(table.viewport(), Qt.MouseButton.RightButton, pos=point)
        QTest.mouseClick(table.viewport(), LEFT, pos=QPoint(120, point.y()))
    assert table.rows.current_row_id() == 101


def test_a_double_click_on_stop_stops_and_opens_nothing(look: Look, table: StopTable, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(table.rows.row_opened), qtbot.waitSignal(table.rows.stop_pressed):
        QTest.mouseDClick(table.viewport(), LEFT, pos=stop_point(look, table, 1))
        QTest.mouseRelease(table.viewport(), LEFT, pos=stop_point(look, table, 1))


def test_stop_works_in_a_list_too_and_other_buttons_tell_their_act(look: Look, today: StopList, qtbot: QtBot) -> None:
    with qtbot.waitSignal(today.rows.stop_pressed) as stopped:
        QTest.mouseClick(today.viewport(), LEFT, pos=stop_point(look, today, 1))
    assert stopped.args == [101]
    with qtbot.waitSignal(today.rows.action_pressed) as told:
        QTest.mouseClick(today.viewport(), LEFT, pos=stop_point(look, today, 2))
    assert told.args == [102, "match"]


# Stop by key ----------------------------------------------------------------------------------------------------------


def test_the_chosen_row_has_a_real_stop_that_tab_reaches_and_space_presses(
    look: Look, table: StopTable, qtbot: QtBot
) -> None:
    table.rows.choose(101)
    table.setFocus()
    (button,) = table.rows.real_buttons()
    QTest.keyClick(table, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is button
    with qtbot.waitSignal(table.rows.stop_pressed) as told:
        QTest.keyClick(button, Qt.Key.Key_Space)
    assert told.args == [101]


def test_the_real_stop_can_be_clicked(look: Look, table: StopTable, qtbot: QtBot) -> None:
    table.rows.choose(101)
    (button,) = table.rows.real_buttons()
    with qtbot.waitSignal(table.rows.stop_pressed) as told:
        QTest.mouseClick(button, LEFT)
    assert told.args == [101]


def test_the_real_stop_stands_exactly_where_the_painted_one_was(look: Look, table: StopTable) -> None:
    table.rows.choose(101)
    assert real_place(table) == painted_place(look, table, 1)


def test_the_real_stop_follows_when_the_window_grows_and_scrolls(look: Look, table: StopTable, qtbot: QtBot) -> None:
    rows_of(table).reset([row(f"Person {at}") for at in range(40)])
    table.rows.choose(102)
    table.resize(760, 200)
    table.verticalScrollBar().setValue(60)
    QApplication.processEvents()
    assert real_place(table) == painted_place(look, table, 2)


def test_a_stop_that_takes_the_focus_comes_into_sight_first(look: Look, table: StopTable, qtbot: QtBot) -> None:
    rows_of(table).reset([row(f"Person {at}") for at in range(40)])
    table.rows.choose(102)
    table.setFocus()
    table.verticalScrollBar().setValue(900)
    assert not table.viewport().rect().contains(real_place(table))
    QTest.keyClick(table, Qt.Key.Key_Tab)
    assert table.viewport().rect().contains(real_place(table))


def test_down_from_the_real_stop_moves_on_in_the_list(look: Look, table: StopTable, qtbot: QtBot) -> None:
    table.rows.choose(100)
    (button,) = table.rows.real_buttons()
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Down)
    assert table.rows.current_row_id() == 101
    assert QApplication.focusWidget() is table


def test_space_on_the_list_itself_stops_nobody(look: Look, table: StopTable, qtbot: QtBot) -> None:
    table.rows.choose(101)
    QTest.mouseClick(table.viewport(), LEFT, pos=QPoint(120, table.visualRect(rows_of(table).index(1, 1)).center().y()))
    assert QApplication.focusWidget() is table
    with qtbot.assertNotEmitted(table.rows.stop_pressed):
        QTest.keyClick(table, Qt.Key.Key_Space)


def test_a_row_that_stopped_keeps_its_place_the_focus_and_a_quiet_stop(
    look: Look, table: StopTable, qtbot: QtBot
) -> None:
    table.rows.choose(101)
    (button,) = table.rows.real_buttons()
    button.setFocus()
    rows_of(table).change(1, row("Priya Raman", running=False))
    (after,) = table.rows.real_buttons()
    assert after is button
    assert QApplication.focusWidget() is button
    assert button.face.kind == "stop_quiet_chosen"
    with qtbot.waitSignal(table.rows.stop_pressed):
        QTest.keyClick(button, Qt.Key.Key_Space)


def test_rows_that_come_before_the_chosen_one_move_its_stop_along(look: Look, table: StopTable, qtbot: QtBot) -> None:
    table.rows.choose(101)
    rows_of(table).insert_first(row("Someone New"))
    QApplication.processEvents()
    (button,) = table.rows.real_buttons()
    assert real_place(table) == painted_place(look, table, 2)
    assert button.accessibleName() == "Stop all follow-up for Priya Raman"


def test_a_reset_leaves_no_button_behind(look: Look, table: StopTable, qtbot: QtBot) -> None:
    table.rows.choose(101)
    rows_of(table).reset([])
    QApplication.processEvents()
    assert table.rows.real_buttons() == []
    assert table.rows.current_row_id() is None


def test_a_theme_change_keeps_the_real_stop(look: Look, table: StopTable) -> None:
    table.rows.choose(101)
    look.set_text_percent(130)
    QApplication.processEvents()
    (button,) = table.rows.real_buttons()
    assert button.height() == look.px(Height.ROW_CONTROL)


# the rest of a row ----------------------------------------------------------------------------------------------------


def test_enter_and_a_double_click_open_the_row(look: Look, table: StopTable, qtbot: QtBot) -> None:
    table.rows.choose(101)
    with qtbot.waitSignal(table.rows.row_opened) as told:
        QTest.keyClick(table, Qt.Key.Key_Return)
    assert told.args == [101]
    with qtbot.waitSignal(table.rows.row_opened) as told:
        point = table.visualRect(rows_of(table).index(2, 1)).center()
        QTest.mouseDClick(table.viewport(), LEFT, pos=point)
    assert told.args == [102]


def test_letters_do_not_jump_about_in_the_list(look: Look, table: StopTable, qtbot: QtBot) -> None:
    table.rows.choose(100)
    QTest.keyClicks(table, "walter")
    assert table.rows.current_row_id() == 100


def test_tab_enters_a_list_once_passes_its_stop_and_leaves_it(look: Look, qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    column = QVBoxLayout(page)
    before, after = QLineEdit(), QLineEdit()
    view = StopTable(look, COLUMNS, name="People")
    for part in (before, view, after):
        column.addWidget(part)
    view.setModel(Rows([row(name) for name in NAMES], len(COLUMNS)))
    with qtbot.waitActive(page):
        page.show()
    before.setFocus()
    assert view.rows.current_row_id() is None
    QTest.keyClick(before, Qt.Key.Key_Tab)
    assert view.rows.current_row_id() == 100
    QTest.keyClick(view, Qt.Key.Key_Down)
    (button,) = view.rows.real_buttons()
    QTest.keyClick(view, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is button
    QTest.keyClick(button, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is after


def test_arrows_pass_over_heads(look: Look, today: StopList, qtbot: QtBot) -> None:
    today.setFocus()
    assert today.rows.current_row_id() == 101
    QTest.keyClick(today, Qt.Key.Key_Down)
    assert today.rows.current_row_id() == 102
    QTest.keyClick(today, Qt.Key.Key_Up)
    QTest.keyClick(today, Qt.Key.Key_Up)
    assert today.rows.current_row_id() == 101


def test_a_head_is_lower_and_folds_by_a_click(look: Look, today: StopList, qtbot: QtBot) -> None:
    rect = today.visualRect(rows_of(today).index(0, 0))
    assert rect.height() == Height.SECTION_HEAD
    with qtbot.waitSignal(today.rows.head_pressed) as told:
        QTest.mouseClick(today.viewport(), LEFT, pos=rect.center())
    assert told.args == ["replies"]


def test_heads_in_a_table_are_lower_too(look: Look, table: StopTable) -> None:
    rows_of(table).reset([[CellHead("now", "Due now", "3")], row("Maria Delgado")])
    table.fit_heads()
    assert [table.rowHeight(0), table.rowHeight(1)] == [Height.SECTION_HEAD, Height.TABLE_ROW]


def test_the_whole_cell_of_a_check_box_is_its_target(look: Look, table: StopTable, qtbot: QtBot) -> None:
    rect = table.visualRect(rows_of(table).index(1, 0))
    for point in (rect.topLeft() + QPoint(1, 1), rect.center()):
        with qtbot.waitSignal(table.rows.check_pressed) as told:
            QTest.mouseClick(table.viewport(), LEFT, pos=point)
        assert told.args == [101]


def test_the_box_in_the_head_stands_for_all(look: Look, table: StopTable, qtbot: QtBot) -> None:
    table.head.show_checks(1, 3)
    with qtbot.waitSignal(table.head.check_all_pressed):
        QTest.mouseClick(table.head.viewport(), LEFT, pos=QPoint(26, 17))


def test_rows_and_lines_have_their_fixed_heights(look: Look, table: StopTable, today: StopList) -> None:
    assert table.rowHeight(0) == Height.TABLE_ROW
    assert table.head.height() == Height.TABLE_HEAD
    assert not table.verticalHeader().isVisible()
    assert today.visualRect(rows_of(today).index(1, 0)).height() == Height.LIST_ROW


def test_the_row_under_the_pointer_is_another_colour(look: Look, table: StopTable, qtbot: QtBot) -> None:
    inside = table.visualRect(rows_of(table).index(1, 1)).bottomRight() - QPoint(4, 8)
    before = table.viewport().grab().toImage().pixelColor(inside).name()
    QTest.mouseMove(table.viewport(), QPoint(inside))
    after = table.viewport().grab().toImage().pixelColor(inside).name()
    assert (before.upper(), after.upper()) == (look.theme.surface, look.theme.hover)
    table.rows.choose(101)
    assert table.viewport().grab().toImage().pixelColor(inside).name().upper() == look.theme.selected


# words ----------------------------------------------------------------------------------------------------------------


def test_a_screen_reader_hears_what_and_whom(look: Look, table: StopTable) -> None:
    table.rows.choose(101)
    (button,) = table.rows.real_buttons()
    face = QAccessible.queryAccessibleInterface(button)
    assert face is not None
    assert face.text(QAccessible.Text.Name) == "Stop all follow-up for Priya Raman"
    assert face.role() == QAccessible.Role.PushButton
    model = rows_of(table)
    said = [model.index(1, column).data(Qt.ItemDataRole.AccessibleTextRole) for column in range(4)]
    assert said == [
        "Priya Raman, not chosen",
        "Priya Raman, (503) 555-0142",
        "Active",
        "Stop all follow-up for Priya Raman",
    ]


def test_rows_of_a_list_and_heads_are_read_as_words() -> None:
    cell = CellRow(Tile(Icon.SMS), "Maria Delgado", "Portland", "10:31 AM PST", "Yes")
    assert spoken(cell) == "Maria Delgado, Portland, 10:31 AM PST, Yes"
    assert spoken(CellHead("replies", "Replies", "4")) == "Replies, 4"
    assert spoken(CellChip(None, "not held")) == "not held"


def test_the_detail_of_a_chip_is_its_tooltip(look: Look, table: StopTable) -> None:
    chip = state_chip(ChipKind.SUPPRESSED, detail="The number is disconnected.")
    rows_of(table).change(0, [CellCheck(False, "A"), CellText("A"), CellChip(chip), CellButtons(())])
    assert rows_of(table).index(0, 2).data(Qt.ItemDataRole.ToolTipRole) == "The number is disconnected."
    assert rows_of(table).index(0, 1).data(Qt.ItemDataRole.ToolTipRole) is None


def test_raw_values_stand_under_their_own_role(table: StopTable) -> None:
    index = rows_of(table).index(1, 1)
    assert index.data(int(Role.SORT)) == "Priya Raman, (503) 555-0142"
    assert index.data(int(Role.ROW_ID)) == 101


# columns --------------------------------------------------------------------------------------------------------------


def test_columns_fill_the_width_and_rigid_ones_keep_theirs() -> None:
    assert column_widths(COLUMNS, 600) == [52, 312, 140, 96]
    narrow = column_widths(COLUMNS, 360)
    assert sum(narrow) == 360
    assert (narrow[0], narrow[3]) == (52, 96)
    assert sum(column_widths(COLUMNS, 701, 1.3)) == 701


def test_the_column_of_buttons_is_never_narrower_than_its_buttons(look: Look, table: StopTable) -> None:
    for percent in (100, 130):
        look.set_text_percent(percent)
        model = rows_of(table)
        cell = model.cell(1, 3)
        assert isinstance(cell, CellButtons)
        rect = table.visualRect(model.index(1, 3))
        assert rect.contains(button_rects(look, rect, cell.buttons, 20)[0])
