"""The 2 px line that says: still reading, the old rows stay. Nothing shows under 150 ms."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.look import Look
from app.ui.measures import SLOW_MS


class LoadingLine(QWidget):
    """Lies under a head; keeps its 2 px also when nothing is being read, so that nothing moves."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.lit = False
        self.setFixedHeight(2)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._slow = QTimer(self)
        self._slow.setSingleShot(True)
        self._slow.setInterval(SLOW_MS)
        self._slow.timeout.connect(self._on_slow)

    def begin(self) -> None:
        """A read began. The line lights up if it isn't over in 150 ms."""
        if not self._slow.isActive() and not self.lit:
            self._slow.start()

    def end(self) -> None:
        """The read is over."""
        self._slow.stop()
        self.lit = False
        self.setAccessibleName("")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A line, or nothing."""
        if self.lit:
            painter = QPainter(self)
            painter.fillRect(self.rect(), self._look.colour(self._look.theme.accent))
            painter.end()

    def _on_slow(self) -> None:
        self.lit = True
        self.setAccessibleName(self.tr("Reading…"))
        self.update()
