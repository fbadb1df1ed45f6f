"""The rest of a row: opening, heads, check boxes, hover, what a screen reader hears, columns."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.ui.components.cell_paint import button_rects
from app.ui.components.chips import ChipKind
from app.ui.components.columns import column_widths
from app.ui.components.roles import (
    CellButtons,
    CellCheck,
    CellChip,
    CellHead,
    CellRow,
    CellText,
    Role,
    Tile,
    spoken,
)
from app.ui.components.state_words import state_chip
from app.ui.components.views import StopList, StopTable
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Height
from tests.ui.rows import COLUMNS, LEFT, NAMES, Rows, row, rows_of

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
