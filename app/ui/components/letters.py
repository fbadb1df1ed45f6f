"""Letters on a whole page: they rest while the focus is where a letter means itself."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from app.ui.components.inline_panel import InlinePanel

# A combo box and read-only text let letter shortcuts through, so they are named here beside the fields.
_TAKES_LETTERS = (QLineEdit, QAbstractSpinBox, QPlainTextEdit, QTextEdit, QComboBox, QMenu)


def takes_letters(widget: QWidget | None) -> bool:
    """Whether a letter typed here is text, a choice in a drop-down, or belongs to an open panel."""
    while widget is not None:
        if isinstance(widget, (*_TAKES_LETTERS, InlinePanel)):
            return True
        widget = None if widget.isWindow() else widget.parentWidget()
    return False


class PageLetters(QObject):
    """Switches the actions of a page (the person page) on and off with the focus. `hold(True)` keeps them off."""

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self._actions: list[QAction] = []
        self._held = False
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus_changed)

    def add(self, *actions: QAction) -> None:
        """Takes actions in hand."""
        self._actions.extend(actions)
        self._on_focus_changed(None, QApplication.focusWidget())

    def hold(self, held: bool) -> None:
        """Keeps them off, whatever has the focus: single letters are switched off in Settings."""
        self._held = held
        self._on_focus_changed(None, QApplication.focusWidget())

    def _on_focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        on = not self._held and not takes_letters(now)
        for action in self._actions:
            action.setEnabled(on)
