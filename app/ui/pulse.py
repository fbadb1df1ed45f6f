"""Notices what other processes commit: another desk, a worker, a command. One short read at a time, off the UI thread.

What this window commits is announced by itself (service/changes.py); the pulse moves by it too, and is told once more.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.domain.today_lines import Pulse
from app.service.changes import Change
from app.ui.desk import Desk
from app.ui.faults import Fault

# with the quarter of a second in which news gather, and the second after which lists are compared, within two
PULSE_MS = 600


class PulseFeed(QObject):
    """Tells the bridge of a change whenever the pulse of the database is another. Signal: `beat()`, it was felt."""

    beat = Signal()

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._last: Pulse | None = None
        self._away = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PULSE_MS)
        self._timer.timeout.connect(self.read)

    @Slot()
    def read(self) -> None:
        """Look once, and again a while after the answer: a slow database is not asked faster than it answers."""
        open_reader = self._desk.open_reader

        def look() -> Pulse:
            with open_reader() as reads:
                return reads.pulse()

        self._desk.bridge.read(self, look, self._on_read, self._on_failed)

    def _on_read(self, pulse: Pulse) -> None:
        last, self._last, self._away = self._last, pulse, False
        if last is None or pulse.rows != last.rows:
            self._desk.bridge.tell(Change())
        elif pulse.engine != last.engine:
            self._desk.bridge.tell(Change(engine=True))
        self._timer.start()
        self.beat.emit()

    def _on_failed(self, _fault: Fault) -> None:
        """The status bar reads on this, and says what is wrong; when the database is back, everything is read."""
        if not self._away:
            self._desk.bridge.tell(Change(engine=True))
        self._last, self._away = None, True
        self._timer.start()
