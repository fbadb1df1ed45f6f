"""An inline panel: opens under an action bar or a row, pushes the content down, takes the focus. Never a dialog."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.ui.components.buttons import Button, ButtonFace, ButtonKind, ButtonSize
from app.ui.look import Look
from app.ui.measures import Space

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class InlinePanel(QFrame):
    """Base of Hold…, Opt out…, Start again… and the like.

    Put widgets into `body`, the buttons into `feet`. Digits that no field takes are told by `digit_pressed(n)`; Enter
    is `accepted()`; Esc closes and gives the focus back: `closed()`. Hidden until `open()`.
    """

    accepted = Signal()
    closed = Signal()
    digit_pressed = Signal(int)

    def __init__(self, look: Look, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._came_from: QWidget | None = None
        self.setAccessibleName(name)
        self.setProperty("ground", "surface")
        self.setProperty("rule", "below")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.PAGE, Space.L, Space.PAGE, Space.L)
        column.setSpacing(Space.M)
        self.body = QVBoxLayout()
        self.body.setSpacing(Space.S)
        column.addLayout(self.body)
        self.feet = QHBoxLayout()
        self.feet.setSpacing(Space.S)
        column.addLayout(self.feet)
        self.hide()

    def add_feet(self, words: str, face: ButtonFace | None = None) -> Button:
        """The usual feet: one filled button with what Enter does, and Cancel. Returns the filled one."""
        go = Button(self._look, face or ButtonFace(words, kind=ButtonKind.PRIMARY, key="Enter"))
        go.clicked.connect(self.accepted)
        cancel = Button(self._look, ButtonFace(self.tr("Cancel"), None, ButtonKind.GHOST, ButtonSize.NORMAL, "Esc"))
        cancel.clicked.connect(self.close_panel)
        self.feet.addWidget(go)
        self.feet.addWidget(cancel)
        self.feet.addStretch(1)
        return go

    def first_focus(self) -> QWidget | None:
        """What takes the focus when the panel opens: the first thing that can. Override to choose another."""
        for child in self.findChildren(QWidget):
            if child.focusPolicy() & Qt.FocusPolicy.TabFocus and child.isEnabled() and not child.isHidden():
                return child
        return None

    def open(self) -> None:
        """Shows the panel and takes the focus."""
        self._came_from = QApplication.focusWidget()
        self.show()
        first = self.first_focus()
        if first is not None:
            first.setFocus(Qt.FocusReason.TabFocusReason)

    def close_panel(self) -> None:
        """Hides the panel and gives the focus back to where it was."""
        if self.isHidden():
            return
        back, self._came_from = self._came_from, None
        if back is not None and back.isVisible():
            back.setFocus(Qt.FocusReason.OtherFocusReason)
        self.hide()
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc, Enter and digits, as far as no field inside took them."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_panel()
        elif event.key() in _ENTER:
            self.accepted.emit()
        elif event.text().isdigit() and event.text().isascii() and not event.isAutoRepeat():
            self.digit_pressed.emit(int(event.text()))
        # Nothing goes on to the list below: an open panel has the letters.
        event.accept()
