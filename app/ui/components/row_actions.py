"""The real buttons of the chosen row."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QWidget

from app.ui.components.buttons import Button
from app.ui.components.cell_paint import row_face
from app.ui.components.roles import RowButton
from app.ui.look import Look

_Key = Qt.Key
_FOR_THE_LIST = frozenset(
    (_Key.Key_Up, _Key.Key_Down, _Key.Key_PageUp, _Key.Key_PageDown, _Key.Key_Home, _Key.Key_End, _Key.Key_Escape)
)


class RowActions(QWidget):
    """The real buttons, exactly over the painted ones. `pressed` carries the RowButton.

    A child of the viewport that goes along, not an index widget: those lay the whole view out anew at each step, and a
    screen reader finds them no better. Hidden while no row is chosen.
    """

    pressed = Signal(object)

    def __init__(self, look: Look, view: QAbstractItemView) -> None:
        super().__init__(view.viewport())
        self._look = look
        self._view = view
        self._shown: tuple[RowButton, ...] = ()
        self.buttons: list[Button] = []
        self.hide()

    def show_buttons(self, buttons: tuple[RowButton, ...], places: list[QRect]) -> None:
        """Shows these buttons at these places; widgets (and the focus) stay when their acts are the same."""
        same = [button.action for button in buttons] == [button.action for button in self._shown]
        self._shown = buttons
        if not same:
            self._make_anew(buttons)
        for widget, button, place in zip(self.buttons, buttons, places, strict=True):
            widget.show_face(row_face(button, chosen=True), button.name)
            widget.setDown(button.pressed)
            widget.setGeometry(place)
            widget.show()

    def _make_anew(self, buttons: tuple[RowButton, ...]) -> None:
        focused = QApplication.focusWidget()
        if focused is not None and focused in self.buttons:
            self._view.setFocus(Qt.FocusReason.OtherFocusReason)
        for old in self.buttons:
            old.hide()
            old.deleteLater()
        self.buttons = [self._make(at, button) for at, button in enumerate(buttons)]
        before: QWidget = self._view
        for button in self.buttons:
            QWidget.setTabOrder(before, button)
            before = button

    def _make(self, at: int, button: RowButton) -> Button:
        made = Button(self._look, row_face(button, chosen=True), name=button.name, parent=self)
        made.installEventFilter(self)
        made.clicked.connect(partial(self._on_clicked, at))
        return made

    def _on_clicked(self, at: int, _checked: bool = False) -> None:
        self.pressed.emit(self._shown[at])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrow keys move on in the list, also from a row's button; a button that takes the focus comes into sight."""
        if event.type() == QEvent.Type.FocusIn:
            self._view.scrollTo(self._view.currentIndex())
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in _FOR_THE_LIST:
            self._view.setFocus(Qt.FocusReason.OtherFocusReason)
            QApplication.sendEvent(self._view, event)
            return True
        return super().eventFilter(watched, event)
