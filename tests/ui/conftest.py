"""What every test of the window gets: no screen, no real settings, and no word from Qt that wasn't expected."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import (
    QMessageLogContext,
    QStandardPaths,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtWidgets import QApplication

from app.ui.look import Look
from app.ui.theme import LIGHT
from tests.ui.days import day
from tests.ui.desks import front, page
from tests.ui.frames import made, window
from tests.ui.posts import post
from tests.ui.queues import queue
from tests.ui.rows import table, today

__all__ = ["day", "front", "made", "page", "post", "queue", "table", "today", "window"]

# What the offscreen platform can't do, and says each time.
HARMLESS = frozenset(
    (
        "This plugin does not support propagateSizeHints()",
        "This plugin does not support raise()",
        "This plugin does not support grabbing the keyboard",
    )
)
_LOUD = (QtMsgType.QtWarningMsg, QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg)


@pytest.fixture(autouse=True)
def quiet_qt() -> Iterator[list[str]]:
    """Fails a test in which Qt warned of something. Gives the list of what it said."""
    heard: list[str] = []

    def listen(kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
        if kind in _LOUD and message not in HARMLESS:
            heard.append(message)

    QStandardPaths.setTestModeEnabled(True)
    before = qInstallMessageHandler(listen)
    yield heard
    qInstallMessageHandler(before)
    if heard:
        pytest.fail("Qt warned: " + "; ".join(heard), pytrace=False)


@pytest.fixture(autouse=True)
def collected_on_this_thread(quiet_qt: list[str]) -> Iterator[None]:
    """As in the product: no worker's thread destroys what lies in a cycle (app/ui/collector.py)."""
    gc.disable()
    gc.freeze()  # only what the test makes is looked through
    yield
    gc.collect()
    gc.unfreeze()
    gc.enable()


@pytest.fixture
def look(qapp: QApplication) -> Look:
    """The light look at 100 %, without motion, in force on the application."""
    made = Look(LIGHT, motion=False)
    made.apply_to(qapp)
    return made
