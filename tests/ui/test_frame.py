"""The frame: sections made on first use, the keys of the window, the status bar, and nothing that is cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QLineEdit,
    QSplitter,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.ui.app_window import AppWindow
from app.ui.components.bar_facts import BarFacts, BarKind
from app.ui.frame_facts import ChannelMark, EngineLook, FrameFacts, Named, RailGroup, Section, StatusFacts
from app.ui.icons import Icon
from app.ui.keys_sheet import KeysSheet
from app.ui.look import Look
from app.ui.measures import RAIL_NARROW, RAIL_WIDE, Height
from app.ui.status_bar import StatusBar
from app.ui.window_memory import WindowMemory
from tools.screen_samples import ERROR_BAR, FACTS, STOP_BAR, frame, sheet
from tools.screen_samples import PAUSED as PAUSED_SAMPLE

CHANNELS = (ChannelMark("sms", "Texts"), ChannelMark("email", "Emails"), ChannelMark("call", "Calls"))
RUNNING = StatusFacts(EngineLook.RUNNING, "10:43 AM PST", channels=CHANNELS)
PAUSED = StatusFacts(EngineLook.PAUSED, paused_by="Dana", paused_since="10:20 AM PST", waiting=12)
CTRL = Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton


class Page(QWidget):
    """A section with two parts."""

    def __init__(self) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        self.list, self.detail = QLineEdit(), QLineEdit()
        self.list.setAccessibleName("list")
        self.detail.setAccessibleName("detail")
        column.addWidget(self.list)
        column.addWidget(self.detail)

    def parts(self) -> list[QWidget]:
        return [self.list, self.detail]


@pytest.fixture
def made() -> list[str]:
    """The keys of the sections made so far."""
    return []


@pytest.fixture
def window(look: Look, made: list[str], tmp_path: Path, qtbot: QtBot) -> Iterator[AppWindow]:
    """A window with three sections, in view and active."""

    def section(key: str, words: str, group: RailGroup) -> Section:
        def make() -> QWidget:
            made.append(key)
            return Page()

        return Section(key, words, Icon(key), group, make)

    window = AppWindow(look, FACTS, RUNNING, tmp_path / "window.ini")
    window.register_section(section("people", "People", RailGroup.PEOPLE))
    window.register_section(section("settings", "Settings", RailGroup.SETTINGS))
    window.register_section(section("today", "Today", RailGroup.PEOPLE))
    window.show_first_section("people")
    with qtbot.waitActive(window):
        window.show()
    yield window
    window.close()


def rail_words(window: AppWindow) -> list[str]:
    return [button.text() for button in window.rail.findChildren(QAbstractButton)]


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


# the status bar -------------------------------------------------------------------------------------------------------


def said(status: StatusBar) -> list[str]:
    """What the bar says, left to right."""
    parts = [child for child in status.findChildren(QWidget) if child.accessibleName() and not child.isHidden()]
    parts.sort(key=lambda child: child.x())
    return [child.accessibleName() for child in parts]


def test_the_status_bar_says_how_the_engine_stands(window: AppWindow) -> None:
    window.resize(1280, 800)
    assert said(window.status) == [
        "Running",
        "next check 10:43 AM PST",
        "Texts, working",
        "Emails, working",
        "Calls, working",
        "Live",
        "Pause all sending",
    ]
    assert window.status.height() == Height.STATUS_BAR


def test_paused_it_says_who_since_when_and_how_many_wait(window: AppWindow, look: Look) -> None:
    window.status.show_facts(PAUSED)
    QApplication.processEvents()
    assert said(window.status) == [
        "All sending is paused",
        "by Dana since 10:20 AM PST. 12 messages are waiting; none are lost.",
        "Live",
        "Resume sending",
    ]
    ground = window.status.grab().toImage().pixelColor(6, 20).name().upper()
    assert ground == look.theme.warn_soft


def test_a_problem_says_what_it_is_and_opens(window: AppWindow, qtbot: QtBot) -> None:
    trouble = ChannelMark("sms", "Texts paused", False, "Twilio refuses the password.")
    window.status.show_facts(StatusFacts(EngineLook.NOT_RUNNING, why="the clock went back", channels=(trouble,)))
    QApplication.processEvents()
    assert said(window.status)[:3] == ["Not running", "the clock went back", "Texts paused"]
    for name, key in (("Texts paused", "sms"), ("Not running", "engine")):
        (part,) = [
            child
            for child in window.status.findChildren(QAbstractButton)
            if child.accessibleName() == name and not child.isHidden()
        ]
        with qtbot.waitSignal(window.status.problem_opened) as told:
            QTest.mouseClick(part, LEFT)
        assert told.args == [key]
        with qtbot.waitSignal(window.status.problem_opened):
            QTest.keyClick(part, Qt.Key.Key_Space)


def test_what_works_is_no_button(window: AppWindow, qtbot: QtBot) -> None:
    (part,) = [
        child for child in window.status.findChildren(QAbstractButton) if child.accessibleName() == "Texts, working"
    ]
    assert part.focusPolicy() == Qt.FocusPolicy.NoFocus
    with qtbot.assertNotEmitted(window.status.problem_opened):
        QTest.mouseClick(part, LEFT)


def test_practice_mode_says_that_nothing_leaves(window: AppWindow) -> None:
    window.status.show_facts(StatusFacts(EngineLook.RUNNING, "10:43 AM PST", practice=True))
    assert "Practice mode: nothing leaves this computer" in said(window.status)


@pytest.mark.parametrize(
    ("waiting", "words"), [(0, "No message is waiting."), (1, "1 message is waiting; it isn’t lost.")]
)
def test_few_are_counted_in_words(window: AppWindow, waiting: int, words: str) -> None:
    facts = StatusFacts(EngineLook.PAUSED, paused_by="Dana", paused_since="10:20 AM PST", waiting=waiting)
    window.status.show_facts(facts)
    assert said(window.status)[1] == f"by Dana since 10:20 AM PST. {words}"


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


# nothing nameless, nothing cut ----------------------------------------------------------------------------------------


def pages(look: Look, folder: Path) -> dict[str, Callable[[], QWidget]]:
    """The made-up screens."""
    return {
        "today": lambda: frame(look, folder, "today"),
        "people": lambda: frame(look, folder, "people", bars=(ERROR_BAR, STOP_BAR)),
        "queue": lambda: frame(look, folder, "queue", PAUSED_SAMPLE),
        "sheet": lambda: sheet(look),
    }


@pytest.mark.parametrize("name", ["today", "people", "queue", "sheet"])
def test_everything_that_takes_the_focus_has_a_name(look: Look, tmp_path: Path, qtbot: QtBot, name: str) -> None:
    page = pages(look, tmp_path)[name]()
    qtbot.addWidget(page)
    page.show()
    nameless = [
        f"{type(child).__name__} in {type(child.parentWidget()).__name__}"
        for child in page.findChildren(QWidget)
        if child.focusPolicy() & Qt.FocusPolicy.TabFocus and child.isVisible() and not spoken_name(child)
    ]
    assert nameless == []


def spoken_name(widget: QWidget) -> str:
    """The name a screen reader gets."""
    face = QAccessible.queryAccessibleInterface(widget)
    assert face is not None
    return face.text(QAccessible.Text.Name)


@pytest.mark.parametrize("size", [(1280, 800), (960, 600)], ids=["usual", "smallest"])
@pytest.mark.parametrize("name", ["today", "people", "queue"])
def test_nothing_is_cut_at_130_percent_text(
    look: Look, tmp_path: Path, qtbot: QtBot, name: str, size: tuple[int, int]
) -> None:
    look.set_text_percent(130)
    page = pages(look, tmp_path)[name]()
    qtbot.addWidget(page)
    page.resize(*size)
    page.show()
    QApplication.processEvents()
    cut = [
        f"{type(child).__name__} {child.accessibleName()!r}: {child.width()} of {child.sizeHint().width()} px"
        for child in page.findChildren(QWidget)
        if isinstance(child, (QAbstractButton, QLabel)) and child.isVisible() and is_cut(child, page)
        if not isinstance(child.parentWidget(), QLineEdit)  # the lens and the cross are the field's own
    ]
    assert cut == []


def is_cut(widget: QWidget, page: QWidget) -> bool:
    """Whether a widget got less room than its words need, or stands beyond the edge of the window."""
    left = widget.mapTo(page, QPoint()).x()
    if left < 0 or left + widget.width() > page.width():
        return True
    if isinstance(widget, QLabel) and widget.wordWrap():
        return widget.height() < widget.heightForWidth(widget.width())
    return widget.width() < widget.sizeHint().width() or widget.height() < widget.sizeHint().height()


def test_the_rail_fits_the_smallest_window(look: Look, tmp_path: Path, qtbot: QtBot) -> None:
    page = frame(look, tmp_path, "today")
    qtbot.addWidget(page)
    page.resize(960, 600)
    page.show()
    QApplication.processEvents()
    last = page.rail.section_button("settings")
    assert last.visibleRegion().boundingRect().height() == last.height()
    assert last.height() >= 32


def test_a_bar_of_its_own_kind_keeps_its_key() -> None:
    assert BarFacts("a", BarKind.WARN, "x").passes is False
