"""Where an empty state stands, made anew whenever the reason is another one."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.ui.components.empty_state import EmptyState


class EmptyPlace(QWidget):
    """Holds at most one empty state."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: EmptyState | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    def put(self, state: EmptyState) -> None:
        """Show this one instead."""
        if self._shown is not None:
            self._column.removeWidget(self._shown)
            self._shown.hide()
            self._shown.deleteLater()
        self._shown = state
        self._column.addWidget(state)
