"""The status bar: how the engine stands, what is wrong, and the one switch."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.ui.app_window import AppWindow
from app.ui.frame_facts import ChannelMark, EngineLook, StatusFacts
from app.ui.look import Look
from app.ui.measures import Height
from app.ui.status_bar import StatusBar
from tests.ui.frames import LEFT, PAUSED

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


def test_news_of_something_else_leaves_the_focus_where_it_is(window: AppWindow) -> None:
    trouble = ChannelMark("sms", "Texts paused", False, "Twilio refuses the password.")
    window.status.show_facts(StatusFacts(EngineLook.RUNNING, "10:43 AM PST", channels=(trouble,)))
    QApplication.processEvents()
    (mark,) = [part for part in window.status.findChildren(QAbstractButton) if part.text() == "Texts paused"]
    mark.setFocus()
    window.status.show_facts(StatusFacts(EngineLook.RUNNING, "10:44 AM PST", channels=(trouble,)))
    assert QApplication.focusWidget() is mark
    assert "next check 10:44 AM PST" in said(window.status)


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
