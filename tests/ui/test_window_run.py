"""The window's life on a real data folder: it opens, is one of its kind, tells why it can't open, and ends in order."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtNetwork import QLocalSocket
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.bootstrap import Builder
from app.domain.errors import OperatorError
from app.domain.states import Channel
from app.engine.lineup_ports import Lineup
from app.engine.ports import AttemptNote
from app.service.parts import Parts
from app.ui.components.status_parts import EngineMark
from app.ui.farewell import Farewell
from app.ui.lone import LoneWindow, Standing
from app.ui.look import Look
from app.ui.run import WindowLife, WindowOpening, run_window
from app.ui.screen_check import why_no_window
from tests.fakes import FakeProvider, ToldClock
from tests.shop import PRACTICE, Shop
from tests.ui.desks import LEFT

GREETING = """
{format: stopwell.template/1, name: hello, channel: email, purpose: care, subject: Hello, body: "Good morning"}
---
format: stopwell.journey/1
name: Greeting
purpose: care
ends: {replied: true}
start: hello
steps:
  hello: {do: email, template: hello, hours: any, next: done}
  done: {do: end, as: exhausted}
"""

SLOW_MS = 20_000  # a store is opened and an engine started


class Lives:
    """Windows on data folders; each is left at the end of the test."""

    def __init__(self, look: Look, qtbot: QtBot) -> None:
        self._look = look
        self._qtbot = qtbot
        self._all: list[WindowLife] = []
        self._left: list[WindowLife] = []

    def begin(self, folder: Path, opened: Callable[[], AbstractContextManager[Parts]] | None = None) -> WindowLife:
        """Show a window, as a start of the program does. opened: another way to open the practice."""
        lone = LoneWindow(folder)
        assert lone.claim() is Standing.ALONE
        builder = Builder({})
        opening = WindowOpening(folder, "Dana", opened or (lambda: builder.open_engine(str(folder))))
        life = WindowLife(opening, self._look, lone)
        life.left.connect(lambda: self._left.append(life))
        self._all.append(life)
        life.start()
        return life

    def open(self, folder: Path) -> WindowLife:
        """The same, and wait until the practice is open."""
        life = self.begin(folder)
        self._qtbot.waitUntil(lambda: life.shell is not None, timeout=SLOW_MS)
        return life

    def has_left(self, life: WindowLife) -> bool:
        """Whether it is all over."""
        return life in self._left

    def wait_until_left(self, life: WindowLife) -> None:
        """Wait until its engine has ended and its folder is free."""
        self._qtbot.waitUntil(lambda: life in self._left, timeout=SLOW_MS)

    def end(self) -> None:
        """Close every window that is still there."""
        for life in self._all:
            if life not in self._left:
                life.window.close()
                self.wait_until_left(life)
            life.window.deleteLater()


@pytest.fixture
def lives(look: Look, qtbot: QtBot) -> Iterator[Lives]:
    made = Lives(look, qtbot)
    yield made
    made.end()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with an empty practice."""
    shop = Shop(tmp_path / "data")
    shop.done("init", *PRACTICE)
    return shop.folder


def engine_word(life: WindowLife) -> str:
    """What the status bar says of the engine."""
    mark = life.window.status.findChild(EngineMark)
    assert mark is not None
    return mark.accessibleName()


def said(life: WindowLife) -> str:
    """Every label in view."""
    return " | ".join(
        each.accessibleName() or each.text() for each in life.window.findChildren(QLabel) if each.isVisible()
    )


def test_the_frame_is_there_before_the_practice_is_open(lives: Lives, folder: Path, qtbot: QtBot) -> None:
    life = lives.begin(folder)

    assert life.window.isVisible()
    assert life.shell is None
    assert engine_word(life) == "Opening…"
    qtbot.waitUntil(lambda: life.shell is not None, timeout=SLOW_MS)


def test_the_window_opens_the_practice_and_runs_its_engine(lives: Lives, folder: Path, qtbot: QtBot) -> None:
    life = lives.open(folder)

    assert life.window.windowTitle() == "Today — Stopwell, Fernhollow"
    qtbot.waitUntil(lambda: engine_word(life) == "Running", timeout=SLOW_MS)
    assert [life.window.rail.section_button(key).text() for key in ("today", "people", "queue", "sent")] == [
        "Today",
        "People",
        "Queue",
        "Sent",
    ]


def test_closing_ends_the_engine_and_frees_the_folder(lives: Lives, folder: Path, qtbot: QtBot) -> None:
    life = lives.open(folder)
    with pytest.raises(OperatorError), Builder({}).open_engine(str(folder)):
        pass  # while the window is open nothing else runs an engine there

    life.window.close()

    lives.wait_until_left(life)
    with Builder({}).open_engine(str(folder)):
        pass


def test_closing_finishes_the_message_in_hand_first(lives: Lives, folder: Path, qtbot: QtBot) -> None:
    shop = Shop(folder)
    shop.done("apply", shop.write("greeting.yaml", GREETING))
    shop.done("publish", "Greeting")
    shop.import_people("name,email\nAna Ruiz,ana@example.com\n")
    shop.done("enroll", "Greeting", "--person", "ana@example.com")
    handed, go_on = threading.Event(), threading.Event()
    provider = FakeProvider(ToldClock(datetime.now(UTC)))

    def slowly(_note: AttemptNote) -> None:
        handed.set()
        assert go_on.wait(60)

    provider.script = slowly

    @contextmanager
    def with_slow_provider() -> Iterator[Parts]:
        with Builder({}).open_engine(str(folder)) as parts:
            yield replace(parts, lineup=lambda: Lineup.of(dict.fromkeys(Channel, provider)))

    life = lives.begin(folder, with_slow_provider)
    qtbot.waitUntil(handed.is_set, timeout=SLOW_MS)
    life.window.close()
    assert not life.window.isVisible()
    qtbot.waitUntil(lambda: life.leaving)
    assert not lives.has_left(life)
    go_on.set()

    lives.wait_until_left(life)
    assert len(provider.taken) == 1
    assert [row["state"] for row in shop.json("messages")] == ["accepted"]


def test_a_window_closed_while_it_opens_still_ends_in_order(lives: Lives, folder: Path, qtbot: QtBot) -> None:
    life = lives.begin(folder)

    life.window.close()

    lives.wait_until_left(life)
    with Builder({}).open_engine(str(folder)):
        pass


def test_a_folder_without_a_practice_is_told_on_a_page_and_can_be_tried_again(
    lives: Lives, tmp_path: Path, qtbot: QtBot
) -> None:
    empty = tmp_path / "data"
    life = lives.begin(empty)

    qtbot.waitUntil(lambda: "There is no practice in" in said(life), timeout=SLOW_MS)
    assert "stopwell init" in said(life)
    Shop(empty).done("init", *PRACTICE)
    again = life.window.focusWidget()
    assert again is not None
    assert again.accessibleName() == "Try again"
    QTest.mouseClick(again, LEFT)
    qtbot.waitUntil(lambda: life.shell is not None, timeout=SLOW_MS)


def test_a_folder_in_use_is_told_on_a_page(lives: Lives, folder: Path, qtbot: QtBot) -> None:
    with Builder({}).open_engine(str(folder)):
        life = lives.begin(folder)
        qtbot.waitUntil(lambda: "Another Stopwell runs the engine" in said(life), timeout=SLOW_MS)
        assert life.shell is None


# one window a folder --------------------------------------------------------------------------------------------------


_SECOND = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from app.ui.lone import LoneWindow
app = QCoreApplication([])
print(LoneWindow(Path(sys.argv[1])).claim().name)
"""


@contextmanager
def started_again(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A second start on the folder, in a process of its own. Prints what it found."""
    with subprocess.Popen([sys.executable, "-c", _SECOND, str(folder)], stdout=subprocess.PIPE, text=True) as start:
        try:
            yield start
        finally:
            start.kill()


def found(start: subprocess.Popen[str], qtbot: QtBot) -> str:
    """What it found, once it has come to an end."""
    qtbot.waitUntil(lambda: start.poll() is not None, timeout=SLOW_MS)
    return start.stdout.read().strip() if start.stdout is not None else ""


def test_a_second_start_raises_the_first_window(lives: Lives, folder: Path, qtbot: QtBot) -> None:
    life = lives.open(folder)
    life.window.showMinimized()

    with started_again(folder) as start:
        assert found(start, qtbot) == Standing.RAISED.name
    qtbot.waitUntil(lambda: not life.window.isMinimized())


def test_a_start_waits_for_a_window_that_is_leaving(tmp_path: Path, qtbot: QtBot) -> None:
    first = LoneWindow(tmp_path)
    assert first.claim() is Standing.ALONE
    first.leave()

    with started_again(tmp_path) as start:
        qtbot.waitUntil(lambda: bool(first.findChildren(QLocalSocket)), timeout=SLOW_MS)
        assert start.poll() is None
        first.let_go()

        assert found(start, qtbot) == Standing.ALONE.name


def test_windows_on_two_folders_know_nothing_of_each_other(tmp_path: Path, qtbot: QtBot) -> None:
    one, other = LoneWindow(tmp_path / "one"), LoneWindow(tmp_path / "other")

    assert one.claim() is Standing.ALONE
    assert other.claim() is Standing.ALONE
    one.let_go()
    other.let_go()


# signals, screens -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_asks_the_window_to_close_between_two_events(number: signal.Signals, qtbot: QtBot) -> None:
    farewell = Farewell()
    before = threading.active_count()

    with qtbot.waitSignal(farewell.asked):
        os.kill(os.getpid(), number)

    farewell.forget()
    assert threading.active_count() == before


def test_without_a_screen_it_is_refused_before_qt_starts(tmp_path: Path) -> None:
    opening = WindowOpening(tmp_path, "Dana", lambda: Builder({}).open_engine(str(tmp_path)))

    with pytest.raises(OperatorError) as refused:
        run_window(opening, {})

    assert str(refused.value) == why_no_window("linux", {})
