"""A window with three made-up sections, for the tests of the frame."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.ui.app_window import AppWindow
from app.ui.frame_facts import ChannelMark, EngineLook, RailGroup, Section, StatusFacts
from app.ui.icons import Icon
from app.ui.look import Look
from tools.screen_samples import FACTS

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
