"""Stop on a row: by mouse, by key, and where its real button stands."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.ui.components.views import StopList, StopTable
from app.ui.look import Look
from app.ui.measures import Height
from tests.ui.rows import LEFT, painted_place, real_place, row, rows_of, stop_point

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
