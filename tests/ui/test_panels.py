"""Inline panels, letters that rest where a letter means itself, and the focus ring."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.ui.components.buttons import plain_button, primary_button
from app.ui.components.checks import CheckBox
from app.ui.components.focus_ring import FocusRing
from app.ui.components.inline_panel import InlinePanel
from app.ui.components.letters import PageLetters, takes_letters
from app.ui.look import Look

LEFT = Qt.MouseButton.LeftButton


# panels and letters ---------------------------------------------------------------------------------------------------


@pytest.fixture
def page(look: Look, qtbot: QtBot) -> QWidget:
    """A page in use: a field, a button, and a panel that isn't open."""
    made = QWidget()
    qtbot.addWidget(made)
    QVBoxLayout(made)
    with qtbot.waitActive(made):
        made.show()
    return made


def put(page: QWidget, *widgets: QWidget) -> None:
    layout = page.layout()
    assert layout is not None
    for widget in widgets:
        layout.addWidget(widget)
    QApplication.processEvents()  # a widget put on a page in view shows itself a moment later


def test_a_panel_takes_the_focus_digits_and_enter_and_esc_gives_the_focus_back(
    look: Look, page: QWidget, qtbot: QtBot
) -> None:
    opener = plain_button(look, "Hold…")
    panel = InlinePanel(look, "Hold")
    choice = CheckBox(look, "Until lifted")
    panel.body.addWidget(choice)
    panel.add_feet("Hold")
    put(page, opener, panel)
    opener.setFocus()
    panel.open()
    assert QApplication.focusWidget() is choice
    with qtbot.waitSignal(panel.digit_pressed) as told:
        QTest.keyClicks(choice, "3")
    assert told.args == [3]
    with qtbot.waitSignal(panel.accepted):
        QTest.keyClick(choice, Qt.Key.Key_Return)
    with qtbot.waitSignal(panel.closed):
        QTest.keyClick(choice, Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is opener
    assert panel.isHidden()


def test_digits_typed_into_a_field_of_a_panel_are_text(look: Look, page: QWidget, qtbot: QtBot) -> None:
    panel = InlinePanel(look, "Hold")
    field = QLineEdit()
    panel.body.addWidget(field)
    put(page, panel)
    panel.open()
    with qtbot.assertNotEmitted(panel.digit_pressed):
        QTest.keyClicks(field, "12")
    assert field.text() == "12"


def test_letters_rest_in_fields_drop_downs_read_only_text_and_panels(look: Look, page: QWidget, qtbot: QtBot) -> None:
    pressed: list[str] = []
    button, line, combo, text = plain_button(look, "Open"), QLineEdit(), QComboBox(), QPlainTextEdit("read me")
    text.setReadOnly(True)
    panel = InlinePanel(look, "Hold")
    inside = plain_button(look, "Go")
    panel.body.addWidget(inside)
    put(page, button, line, combo, text, panel)
    action = QAction(page)
    action.setShortcut("S")
    action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    action.triggered.connect(lambda: pressed.append("S"))
    page.addAction(action)
    letters = PageLetters(page)
    letters.add(action)
    for widget in (line, combo, text):
        widget.setFocus()
        assert takes_letters(widget)
        QTest.keyClicks(widget, "s")
    panel.open()
    QTest.keyClicks(inside, "s")
    assert pressed == []
    button.setFocus()
    QTest.keyClicks(button, "s")
    assert pressed == ["S"]
    letters.hold(True)
    QTest.keyClicks(button, "s")
    assert pressed == ["S"]


# the ring -------------------------------------------------------------------------------------------------------------


def around(ring: FocusRing) -> QWidget | None:
    """Which widget has the ring."""
    return ring.around


def test_the_ring_comes_by_key_goes_by_click_and_leaves_fields_alone(look: Look, page: QWidget, qtbot: QtBot) -> None:
    ring = FocusRing(look, page)
    first, second, field = plain_button(look, "One"), primary_button(look, "Two"), QLineEdit()
    put(page, first, second, field)
    handle = page.windowHandle()
    assert handle is not None
    first.setFocus()
    QTest.keyClick(handle, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is second
    assert around(ring) is second
    QTest.mouseClick(handle, LEFT, pos=first.mapTo(page, first.rect().center()))
    assert around(ring) is None
    QTest.keyClick(handle, Qt.Key.Key_Tab)
    QTest.keyClick(handle, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is field
    assert around(ring) is None


def test_the_ring_is_drawn_round_the_button(look: Look, page: QWidget, qtbot: QtBot) -> None:
    ring = FocusRing(look, page)
    first, second = plain_button(look, "One"), plain_button(look, "Two")
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.addWidget(first)
    row.addWidget(second)
    put(page, holder)
    handle = page.windowHandle()
    assert handle is not None
    first.setFocus()
    QTest.keyClick(handle, Qt.Key.Key_Tab)
    assert around(ring) is second
    at = second.mapTo(page, QPoint(second.width() // 2, -3))
    assert page.grab().toImage().pixelColor(at).name().upper() == look.theme.focus
