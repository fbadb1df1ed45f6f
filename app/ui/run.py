"""The window's life: the frame at once, the practice on a thread, the engine, and an end that finishes what is begun.

Heavy packages load while the frame is painted already (PLATFORM.md section 6).
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QApplication

from app.domain.errors import OperatorError
from app.ui.app_window import AppWindow
from app.ui.collector import Collector
from app.ui.components.buttons import plain_button
from app.ui.components.empty_state import EmptyState
from app.ui.components.labels import Run
from app.ui.farewell import Farewell
from app.ui.faults import Fault, fault_of
from app.ui.frame_facts import EngineLook, FrameFacts, StatusFacts
from app.ui.icons import Icon, app_icon
from app.ui.lone import LoneWindow, Standing
from app.ui.look import Look, ThemeChoice
from app.ui.screen_check import why_no_window

if TYPE_CHECKING:
    from app.service.changes import Changes
    from app.service.parts import Parts
    from app.service.runner import Runner
    from app.ui.desk import Office
    from app.ui.shell import Shell

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WindowOpening:
    """What a window is opened on. folder: the data folder. me: who signs what is done in it.

    open: the practice, for an engine that runs on; it is entered on a thread, and left on another.
    """

    folder: Path
    me: str
    open: Callable[[], AbstractContextManager[Parts]]


@dataclass(frozen=True, slots=True)
class _Opened:
    parts: Parts
    changes: Changes
    runner: Runner
    office: Office


def run_window(opening: WindowOpening, environment: Mapping[str, str] | None = None) -> int:
    """Show the window and stay until it is closed; the exit code. environment: this process's own unless given.

    A second start on the same folder raises the first window, and is done. Raises OperatorError without a screen.
    """
    missing = why_no_window(sys.platform, os.environ if environment is None else environment)
    if missing is not None:
        raise OperatorError(missing)
    app = QApplication([sys.argv[0] if sys.argv else "stopwell"])
    app.setApplicationName("Stopwell")
    app.setDesktopFileName("stopwell")
    app.setWindowIcon(app_icon())
    app.setQuitOnLastWindowClosed(False)  # the message in hand is finished first
    lone = LoneWindow(opening.folder)
    if lone.claim() is Standing.RAISED:
        return 0
    look = Look()
    look.apply_to(app)
    look.choose(ThemeChoice.SYSTEM)
    collector = Collector()
    life = WindowLife(opening, look, lone)
    life.ready.connect(collector.settle)
    life.left.connect(app.quit)
    farewell = Farewell()
    farewell.asked.connect(life.window.close)
    before, sys.excepthook = sys.excepthook, life.on_unexpected
    life.start()
    try:
        return app.exec()
    finally:
        sys.excepthook = before
        farewell.forget()
        collector.end()


class WindowLife(QObject):
    """One window from its first paint to its end. Signals: `ready()`, the practice is open; `left()`, all is over."""

    ready = Signal()
    left = Signal()
    _opened = Signal(object)
    _failed = Signal(object)
    _finished = Signal()

    def __init__(self, opening: WindowOpening, look: Look, lone: LoneWindow) -> None:
        super().__init__()
        self._opening = opening
        self._look = look
        self._lone = lone
        self._stopping = threading.Event()
        self._held: AbstractContextManager[Parts] | None = None
        self._in_hand: _Opened | None = None
        self._loading = False
        self._leaving = False
        self.shell: Shell | None = None
        opening.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        frame = FrameFacts(self.tr("opening"), me=opening.me)
        self.window = AppWindow(look, frame, StatusFacts(EngineLook.OPENING), opening.folder / "window.ini")
        self.window.status.setEnabled(False)
        self.window.closing.connect(self._on_closing)
        lone.raise_wanted.connect(self._on_raise)
        self._opened.connect(self._on_opened)
        self._failed.connect(self._on_failed)
        self._finished.connect(self._on_finished)

    @property
    def leaving(self) -> bool:
        """The window is closed; what is in hand is being finished."""
        return self._leaving

    def start(self) -> None:
        """Paint the frame, and open the practice meanwhile."""
        self.window.show()
        self._open()

    def on_unexpected(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """An error in a slot: it is logged with its traceback, and the window says so and goes on."""
        fault = fault_of(error.with_traceback(trace))
        if self.shell is not None and issubclass(kind, Exception):
            self.shell.tell_fault(fault)

    # opening ----------------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        self._loading = True
        threading.Thread(target=self._load, name="open", daemon=True).start()

    def _load(self) -> None:
        """On a thread: everything heavy."""
        try:
            import app.ui.shell  # noqa: F401  # what it imports is read here, not on the UI thread

            self._held = self._opening.open()
            parts = self._held.__enter__()
        except Exception as error:  # noqa: BLE001  # a named door: shown on a page, logged when nobody expected it
            self._held = None
            self._failed.emit(fault_of(error))
            return
        try:
            self._opened.emit(_opened(parts, self._opening.me, self._stopping))
        except Exception as error:  # noqa: BLE001  # the same door
            held, self._held = self._held, None
            held.__exit__(type(error), error, error.__traceback__)
            self._failed.emit(fault_of(error))

    @Slot(object)
    def _on_opened(self, opened: _Opened) -> None:
        from app.ui.desk import build_desk
        from app.ui.shell import Shell

        self._loading = False
        self._in_hand = opened
        if self._leaving:
            self._finish()
            return
        desk = build_desk(opened.parts, opened.changes, opened.runner, opened.office)
        self.window.show_facts(FrameFacts(opened.office.practice, me=self._opening.me))
        self.window.status.setEnabled(True)
        self.shell = Shell(self.window, self._look, desk)
        self._bridge = desk.bridge
        self.ready.emit()

    @Slot(object)
    def _on_failed(self, fault: Fault) -> None:
        self._loading = False
        if self._leaving:
            self._finish()
            return
        self.window.status.show_facts(StatusFacts(EngineLook.NOT_RUNNING))
        again = plain_button(self._look, self.tr("Try again"), Icon.AGAIN)
        again.clicked.connect(self._open)
        words = (Run(fault.hint or self.tr("Nothing was changed and nothing was sent.")),)
        self.window.show_page(EmptyState(self._look, Icon.ALERT, fault.told, words, (again,)))
        again.setFocus()

    @Slot()
    def _on_raise(self) -> None:
        self.window.show()
        self.window.setWindowState(self.window.windowState() & ~Qt.WindowState.WindowMinimized)
        self.window.raise_()
        self.window.activateWindow()

    # leaving ----------------------------------------------------------------------------------------------------------

    @Slot()
    def _on_closing(self) -> None:
        if self._leaving:
            return
        self._leaving = True
        self._lone.leave()
        self._stopping.set()  # the message in hand is finished, and none is begun
        if not self._loading:
            self._finish()

    def _finish(self) -> None:
        """Wait on a thread for the engine: the event loop goes on, to tell a second start that we are leaving."""
        opened = self._in_hand

        def wait() -> None:
            if opened is not None:
                opened.runner.stop(wait=True)
            self._finished.emit()

        threading.Thread(target=wait, name="close").start()

    @Slot()
    def _on_finished(self) -> None:
        if self.shell is not None:
            self._bridge.close()
        held, self._held = self._held, None
        if held is not None:
            held.__exit__(None, None, None)
        self._lone.let_go()
        self.left.emit()


def _opened(parts: Parts, me: str, stopping: threading.Event) -> _Opened:
    """Start the engine of an open practice. On the opening thread: the scheduler's package is a heavy one."""
    from app.service.changes import Changes
    from app.service.engine_room import build_runner
    from app.ui.desk import Office

    changes = Changes()
    runner = build_runner(parts, changes, stopping)
    with parts.open_uow() as uow:
        practice = uow.documents.practice()
    office = Office(practice.name, me, practice.country) if practice is not None else Office("", me)
    runner.start()
    return _Opened(parts, changes, runner, office)
