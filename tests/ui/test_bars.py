"""Bars: one at a time, newest on top, told to screen readers, never gone by a clock."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.ui.components.bar_facts import BarButton, BarFacts, BarKind
from app.ui.components.bars import Bar, BarArea
from app.ui.components.buttons import Button
from app.ui.components.labels import Run
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.theme import DARK, LIGHT

LEFT = Qt.MouseButton.LeftButton
STOP = BarFacts(
    "stop",
    BarKind.STOP,
    "Stopped: Grace Whitfield, 10:42:07 AM PST.",
    lines=((Run("Cancelled 1:", True), Run(" text “Nudge”.")),),
    buttons=(BarButton("again", "Start again…", Icon.AGAIN, "A"),),
)
ERROR = BarFacts("texts", BarKind.ERROR, "Texts are paused.", (Run("14 texts wait."),), closable=False)
NOTE = BarFacts("note", BarKind.NOTE, "Nothing was running for Ruth Abernathy.")


@pytest.fixture
def area(look: Look, qtbot: QtBot) -> Iterator[BarArea]:
    """An empty place for bars, over some content."""
    page = QWidget()
    qtbot.addWidget(page)
    column = QVBoxLayout(page)
    made = BarArea(look)
    column.addWidget(made)
    column.addWidget(QLabel("content"), 1)
    page.resize(800, 300)
    page.show()
    yield made
    page.close()  # held here: qtbot itself keeps no widget alive


def press(area: BarArea, name: str) -> None:
    (button,) = [button for button in area.findChildren(Button) if button.accessibleName() == name]
    QTest.mouseClick(button, LEFT)


def test_without_a_bar_there_is_no_place_for_one(area: BarArea) -> None:
    assert area.isHidden()
    area.show_bar(STOP)
    assert area.isVisible()
    assert area.height() > 40
    area.close_bar("stop")
    assert area.isHidden()


def test_the_newest_is_on_top_and_the_others_are_counted(area: BarArea) -> None:
    for facts in (ERROR, NOTE, STOP):
        area.show_bar(facts)
    assert area.shown == STOP
    assert len(area.findChildren(Bar)) == 1
    press(area, "and 2 more")
    assert area.shown == NOTE
    press(area, "and 2 more")
    assert area.shown == ERROR


def test_the_same_bar_again_replaces_itself(area: BarArea) -> None:
    area.show_bar(STOP)
    area.show_bar(BarFacts("stop", BarKind.STOP, "Stopped: Dale Hutchins."))
    assert area.findChildren(Bar)[0].accessibleName() == "Stopped: Dale Hutchins."
    area.close_bar("stop")
    assert area.shown is None


def test_a_button_tells_whose_bar_it_was_on(area: BarArea, qtbot: QtBot) -> None:
    area.show_bar(STOP)
    with qtbot.waitSignal(area.button_pressed) as told:
        press(area, "Start again…")
    assert told.args == ["stop", "again"]


def test_the_next_act_takes_stops_and_notes_away_but_no_error(area: BarArea) -> None:
    for facts in (ERROR, NOTE, STOP):
        area.show_bar(facts)
    area.next_act()
    assert area.shown == ERROR
    area.next_act()
    assert area.shown == ERROR


def test_a_bar_is_closed_by_its_cross_and_an_error_has_none(area: BarArea, qtbot: QtBot) -> None:
    area.show_bar(ERROR)
    assert [button.accessibleName() for button in area.findChildren(Button)] == []
    area.show_bar(STOP)
    with qtbot.waitSignal(area.closed) as told:
        press(area, "Close")
    assert told.args == ["stop"]
    assert area.shown == ERROR


def test_a_bar_is_read_whole_in_the_order_it_is_written(area: BarArea) -> None:
    area.show_bar(STOP)
    assert area.findChildren(Bar)[0].accessibleName() == (
        "Stopped: Grace Whitfield, 10:42:07 AM PST. Cancelled 1: text “Nudge”."
    )
    assert ERROR.spoken == "Texts are paused. 14 texts wait."


def test_a_bar_pushes_the_content_down_and_covers_nothing(area: BarArea) -> None:
    page = area.parentWidget()
    assert page is not None
    (content,) = page.findChildren(QLabel)
    before = content.geometry().top()
    area.show_bar(STOP)
    QApplication.processEvents()
    assert content.geometry().top() >= before + area.height()


def test_bars_glide_only_where_motion_is_wanted(qapp: QApplication, qtbot: QtBot) -> None:
    still, moving = Look(LIGHT, motion=False), Look(DARK)
    assert not still.moves
    made = BarArea(moving)
    qtbot.addWidget(made)
    made.resize(600, 100)
    made.show()
    made.show_bar(STOP)
    qtbot.waitUntil(lambda: made.maximumHeight() > 10_000)
    assert made.isVisible()
