"""A list with what belongs to it beside it, from 1000 px of window on; in a narrower one, one of them at a time."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSplitter, QWidget

from app.ui.look import Look
from app.ui.measures import SIDE_BY_SIDE_FROM
from app.ui.window_memory import WindowMemory

_BOTH, _SIDE, _SIDE_LEAST = 1092, 394, 320


class Beside(QSplitter):
    """`side` at the right of `main`; hidden until `open_side`.

    Where there is room for one only, `main` stands there until `side` is asked for, and comes back when it is closed.
    """

    def __init__(self, look: Look, main: QWidget, side: QWidget, memory: WindowMemory, key: str) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._look = look
        self._main = main
        self._side = side
        self._memory = memory
        self._key = key
        self._open = False
        self._in_front = False  # asked for while there was room for one only
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        side.setMinimumWidth(_SIDE_LEAST)
        self.addWidget(main)
        self.addWidget(side)
        side.hide()
        self.setStretchFactor(0, 3)
        self.setStretchFactor(1, 1)
        self._moved = memory.restore_splitter(key, self)
        self.set_first_width(_SIDE)
        look.changed.connect(self._settle)
        self.splitterMoved.connect(self._on_moved)

    def set_first_width(self, side: int) -> None:
        """How wide `side` is until somebody moves the edge, in px in a window of usual size."""
        if not self._moved:
            self.setSizes([_BOTH - side, side])

    @property
    def is_open(self) -> bool:
        """Whether `side` is in view."""
        return self._open and (self._in_front or self._has_room())

    def keep_open(self) -> None:
        """Show `side` wherever there is room for both."""
        self._open = True
        self._settle()

    def open_side(self) -> None:
        """Show `side`, also instead of `main`; then it has the focus."""
        self._open = True
        self._in_front = not self._has_room()
        self._settle()
        if self._in_front:
            self.enter()

    def close_side(self) -> None:
        """Show `main` alone."""
        self._open = self._in_front = False
        self._settle()

    def enter(self) -> None:
        """Put the focus into `side`."""
        for child in self._side.findChildren(QWidget):
            if child.focusPolicy() & Qt.FocusPolicy.TabFocus and child.isEnabled() and child.isVisibleTo(self._side):
                child.setFocus(Qt.FocusReason.TabFocusReason)
                return

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Room for both comes and goes with the window."""
        super().resizeEvent(event)
        self._settle()

    def showEvent(self, event: QShowEvent) -> None:
        """The window's width is known now."""
        super().showEvent(event)
        self._settle()

    def _has_room(self) -> bool:
        return self.window().width() >= self._look.px(SIDE_BY_SIDE_FROM)

    def _settle(self) -> None:
        room = self._has_room()
        if room:
            self._in_front = False
        self._side.setVisible(self._open and (room or self._in_front))
        self._main.setVisible(not self._in_front)

    def _on_moved(self, _at: int, _index: int) -> None:
        self._memory.keep_splitter(self._key, self)
