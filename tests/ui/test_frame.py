"""The frame: sections made on first use, the rail, the keys of the window, what it remembers."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QSplitter,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.ui.app_window import AppWindow
from app.ui.frame_facts import FrameFacts, Named, RailGroup, Section
from app.ui.icons import Icon
from app.ui.keys_sheet import KeysSheet
from app.ui.look import Look
from app.ui.measures import RAIL_NARROW, RAIL_WIDE
from app.ui.window_memory import WindowMemory
from tests.ui.frames import CTRL, LEFT, PAUSED, RUNNING, Page, rail_words
from tools.screen_samples import ERROR_BAR, FACTS, STOP_BAR

# sections -------------------------------------------------------------------------------------------------------------


def test_only_registered_sections_show_in_the_order_of_their_groups(window: AppWindow) -> None:
    assert rail_words(window) == ["Find anyone", "All locations", "People", "Today", "Settings", "Dana, front desk"]


def test_a_section_is_made_when_it_is_first_shown_and_once(window: AppWindow, made: list[str]) -> None:
    assert made == ["people"]
    for key in ("today", "people", "today"):
        window.show_section(key)
    assert made == ["people", "today"]


def test_a_section_is_shown_by_its_key_by_its_button_and_told(window: AppWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.section_shown) as told:
        QTest.keyClick(window, Qt.Key.Key_1, CTRL)
    assert told.args == ["today"]
    with qtbot.waitSignal(window.section_shown) as told:
        QTest.mouseClick(window.rail.section_button("people"), LEFT)
    assert told.args == ["people"]
    assert window.windowTitle() == "People — Stopwell, Fernhollow Physical Therapy"
    assert window.rail.section_button("people").isChecked()


def test_the_key_of_a_section_that_is_not_there_does_nothing(window: AppWindow) -> None:
    QTest.keyClick(window, Qt.Key.Key_3, CTRL)
    assert window.shown_section == "people"


def test_a_section_cannot_be_registered_twice(window: AppWindow) -> None:
    with pytest.raises(ValueError, match="people"):
        window.register_section(Section("people", "People", Icon.PEOPLE, RailGroup.PEOPLE, QWidget))


def test_the_focus_goes_into_the_section_and_comes_back_to_where_it_was(window: AppWindow) -> None:
    page = window.section_widget("people")
    assert isinstance(page, Page)
    assert QApplication.focusWidget() is page.list
    page.detail.setFocus()
    window.show_section("today")
    window.show_section("people")
    assert QApplication.focusWidget() is page.detail


def test_a_change_of_section_takes_a_stop_bar_away_and_keeps_an_error(window: AppWindow) -> None:
    window.bars.show_bar(ERROR_BAR)
    window.bars.show_bar(STOP_BAR)
    window.show_section("today")
    assert window.bars.shown == ERROR_BAR


def test_counts_stand_beside_their_section_and_are_read(window: AppWindow) -> None:
    window.rail.set_count("today", 10)
    assert window.rail.section_button("today").accessibleName() == "Today, 10"
    window.rail.set_count("today", 0)
    assert window.rail.section_button("today").accessibleName() == "Today"
    window.rail.set_count("exhausted", 3)  # not registered: there is no place for it


# the rail -------------------------------------------------------------------------------------------------------------


def test_the_rail_gives_way_in_a_narrow_window(window: AppWindow) -> None:
    window.resize(1280, 800)
    assert window.rail.width() == RAIL_WIDE
    assert window.rail.section_button("people").toolTip() == ""
    window.resize(1099, 800)
    assert window.rail.width() == RAIL_NARROW
    assert window.rail.section_button("people").toolTip() == "People"
    window.resize(1100, 800)
    assert window.rail.width() == RAIL_WIDE


def test_a_location_and_who_is_at_the_desk_are_chosen_from_their_menus(window: AppWindow, qtbot: QtBot) -> None:
    location, me = (
        button
        for button in window.rail.findChildren(QAbstractButton)
        if button.accessibleName() in ("Location: All locations", "At the desk: Dana, front desk")
    )
    for button, words, told_by, key in (
        (location, "Boise", window.rail.location_chosen, "2"),
        (me, "Chris, owner", window.rail.staff_chosen, "chris"),
    ):
        menu = button.menu()  # type: ignore[attr-defined]
        (action,) = [action for action in menu.actions() if action.text() == words]
        with qtbot.waitSignal(told_by) as told:
            action.trigger()
        assert told.args == [key]
        assert button.text() == words


def test_one_location_alone_is_no_choice(look: Look, window: AppWindow) -> None:
    window.show_facts(FrameFacts("Fernhollow", (Named("1", "Bend"),), "", (Named("dana", "Dana"),), "dana"))
    assert rail_words(window)[1] == "Bend"
    assert window.windowTitle() == "People — Stopwell, Fernhollow"


def test_find_is_a_button_and_two_keys(window: AppWindow, qtbot: QtBot) -> None:
    page = window.section_widget("people")
    assert isinstance(page, Page)
    find = window.rail.findChildren(QAbstractButton)[0]
    with qtbot.waitSignal(window.find_wanted):
        QTest.mouseClick(find, LEFT)
    with qtbot.waitSignal(window.find_wanted):
        QTest.keyClick(page.list, Qt.Key.Key_K, CTRL)
    with qtbot.assertNotEmitted(window.find_wanted):
        QTest.keyClicks(page.list, "/")
    find.setFocus()
    with qtbot.waitSignal(window.find_wanted):
        QTest.keyClicks(find, "/")


# keys of the window ---------------------------------------------------------------------------------------------------


def test_f6_walks_through_the_parts_and_back(window: AppWindow) -> None:
    page = window.section_widget("people")
    assert isinstance(page, Page)
    window.bars.show_bar(STOP_BAR)
    page.list.setFocus()
    walked: list[str] = []
    for _ in range(5):
        QTest.keyClick(window, Qt.Key.Key_F6)
        now = QApplication.focusWidget()
        assert now is not None
        walked.append(now.accessibleName())
    assert walked == ["detail", "Pause all sending", "People", "Show the facts", "list"]
    QTest.keyClick(window, Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
    now = QApplication.focusWidget()
    assert now is not None
    assert now.accessibleName() == "Show the facts"


def test_tab_walks_content_status_bar_rail_bar_and_round(window: AppWindow) -> None:
    page = window.section_widget("people")
    assert isinstance(page, Page)
    window.bars.show_bar(STOP_BAR)
    page.detail.setFocus()
    walked: list[str] = []
    for _ in range(11):
        focused = QApplication.focusWidget()
        assert focused is not None
        QTest.keyClick(focused, Qt.Key.Key_Tab)
        after = QApplication.focusWidget()
        assert after is not None
        walked.append(after.accessibleName())
    assert walked == [
        "Pause all sending",
        "Find anyone, key /",
        "Location: All locations",
        "People",
        "Today",
        "Settings",
        "At the desk: Dana, front desk",
        "Show the facts",
        "Start again…",
        "Close",
        "list",
    ]


def test_the_sheet_of_keys_opens_keeps_the_focus_and_gives_it_back(window: AppWindow, qtbot: QtBot) -> None:
    page = window.section_widget("people")
    assert isinstance(page, Page)
    window.rail.section_button("people").setFocus()
    QTest.keyClicks(window, "?")
    (opened,) = window.findChildren(KeysSheet)
    assert opened.isVisible()
    words = [label.text() for label in opened.findChildren(QLabel)]
    assert {"Stop", "Find anyone", "Next, previous", "Pause, resume all sending"} <= set(words)
    for _ in range(3):
        focused = QApplication.focusWidget()
        assert focused is not None
        assert opened.isAncestorOf(focused)
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    with qtbot.waitSignal(opened.closed):
        QTest.keyClick(opened, Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is window.rail.section_button("people")


def test_the_sheet_of_keys_closes_by_a_click_beside_it(window: AppWindow) -> None:
    window.show_keys()
    (opened,) = window.findChildren(KeysSheet)
    page = window.section_widget("people")
    assert isinstance(page, Page)
    page.detail.setFocus(Qt.FocusReason.MouseFocusReason)
    assert opened.isHidden()
    assert QApplication.focusWidget() is page.detail


def test_pause_and_resume_are_one_key_and_one_switch(window: AppWindow, qtbot: QtBot) -> None:
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    with qtbot.waitSignal(window.status.pause_wanted):
        QTest.keyClick(window, Qt.Key.Key_P, keys)
    with qtbot.waitSignal(window.status.pause_wanted):
        QTest.mouseClick(window.status.first_focus(), LEFT)
    window.status.show_facts(PAUSED)
    with qtbot.waitSignal(window.status.resume_wanted):
        QTest.keyClick(window, Qt.Key.Key_P, keys)
    with qtbot.waitSignal(window.status.resume_wanted):
        QTest.mouseClick(window.status.first_focus(), LEFT)


# memory ---------------------------------------------------------------------------------------------------------------


def test_the_window_remembers_its_size_its_section_and_its_splitters(look: Look, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "window.ini"
    section = Section("queue", "Queue", Icon.QUEUE, RailGroup.PEOPLE, QWidget)
    first = AppWindow(look, FACTS, RUNNING, path)
    first.register_section(section)
    first.show_first_section("queue")
    first.resize(960, 700)
    splitter = QSplitter()
    qtbot.addWidget(splitter)
    splitter.addWidget(QWidget())
    splitter.addWidget(QWidget())
    splitter.resize(900, 100)
    splitter.setSizes([300, 600])
    first.memory.keep_splitter("queue", splitter)
    first.show()
    first.close()
    second = AppWindow(look, FACTS, RUNNING, path)
    qtbot.addWidget(second)
    second.register_section(section)
    second.show_first_section("today")
    assert second.shown_section == "queue"
    assert second.size() == QSize(960, 700)
    splitter.setSizes([450, 450])
    assert second.memory.restore_splitter("queue", splitter)
    assert abs(splitter.sizes()[0] - 300) <= 2


def test_a_section_that_is_gone_gives_way_to_the_default(window: AppWindow) -> None:
    window.memory.keep_text("section", "reports")
    window.show_first_section("today")
    assert window.shown_section == "today"


def test_a_spoilt_file_is_as_good_as_none(tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "window.ini"
    path.write_text("[window]\ngeometry=@ByteArray(nonsense)\n[text]\nsection=", encoding="utf-8")
    memory = WindowMemory(path)
    widget = QWidget()
    qtbot.addWidget(widget)
    assert not memory.restore_window(widget)
    assert memory.text("section", "today") in ("", "today")


def test_closing_is_told_before_the_window_goes(window: AppWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.closing):
        window.close()
