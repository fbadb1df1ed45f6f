"""SIGINT and SIGTERM close the window as its cross does, on the UI thread, between two events.

Without this SIGTERM ends the process at once, and Ctrl+C is raised inside whatever slot runs next.
"""

from __future__ import annotations

import signal
import socket
from types import FrameType

from PySide6.QtCore import QObject, QSocketNotifier, Signal, Slot

_ASKED = (signal.SIGINT, signal.SIGTERM)


class Farewell(QObject):
    """Signal: `asked()`. On the main thread; `forget()` puts everything back."""

    asked = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._read, self._write = socket.socketpair()
        self._read.setblocking(False)
        self._write.setblocking(False)
        self._before = {each: signal.signal(each, _nothing) for each in _ASKED}
        self._before_fd = signal.set_wakeup_fd(self._write.fileno())
        self._notifier = QSocketNotifier(self._read.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_signal)

    def forget(self) -> None:
        """Signals do again what they did before."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._before_fd)
        for each, handler in self._before.items():
            signal.signal(each, handler)
        self._read.close()
        self._write.close()

    @Slot()
    def _on_signal(self) -> None:
        self._read.recv(64)
        self.asked.emit()


def _nothing(_number: int, _frame: FrameType | None) -> None:
    """The wake-up above does the work; a handler must be there so that Python catches the signal at all."""
