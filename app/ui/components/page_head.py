"""The head of a section: its title, one line under it, and filters and actions at the right."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.ui.components.labels import ElidedLabel, label
from app.ui.look import Look
from app.ui.measures import Height, Space, Type


class PageHead(QFrame):
    """64 px: title and one line. Put filters and actions in with `add`."""

    def __init__(self, look: Look, title: str, line: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.setProperty("rule", "below")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(Space.PAGE, 0, Space.PAGE, 0)
        self._row.setSpacing(Space.M)
        words = QVBoxLayout()
        words.setSpacing(0)
        self._title = label(title, Type.PAGE)
        self._line = ElidedLabel(look, line)
        words.addStretch(1)
        words.addWidget(self._title)
        words.addWidget(self._line)
        words.addStretch(1)
        self._row.addLayout(words, 1)
        look.changed.connect(self._on_look_changed)
        self._on_look_changed()

    def set_words(self, title: str, line: str) -> None:
        """Another title, another line."""
        self._title.setText(title)
        self._line.set_words(line)

    def add(self, *widgets: QWidget) -> None:
        """Puts widgets at the right, in order."""
        for widget in widgets:
            self._row.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)

    def _on_look_changed(self) -> None:
        self.setMinimumHeight(self._look.px(Height.PAGE_HEAD))
