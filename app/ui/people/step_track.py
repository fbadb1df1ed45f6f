"""The steps of a follow-up as shapes on a line: done filled, the present one ringed, the others outlined."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.domain.lines import StepLine
from app.ui.components.paint import CENTRE, paint_box, paint_icon, paint_words
from app.ui.look import Look
from app.ui.measures import Radius, Type
from app.ui.state_chips import step_icon
from app.ui.words import step_name

_NODE, _GAP, _HIGH = 24, 10, 30


class StepTrack(QWidget):
    """Shows as many steps as there is room for, the present one always among them."""

    def __init__(self, look: Look, steps: tuple[StepLine, ...], done: int, *, running: bool) -> None:
        super().__init__()
        self._look = look
        self._steps = steps
        self._done = done
        self._running = running
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self._spoken())
        self.setToolTip(self._spoken())
        look.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        """All steps on one line."""
        wide = len(self._steps) * (_NODE + _GAP)
        return QSize(self._look.px(wide), self._look.px(_HIGH))

    def minimumSizeHint(self) -> QSize:
        """A few steps: the others are counted."""
        return QSize(self._look.px(5 * (_NODE + _GAP)), self._look.px(_HIGH))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Line, shapes, and how many are out of view."""
        look, theme = self._look, self._look.theme
        painter = QPainter(self)
        first, last = self._window()
        side, gap = look.px(_NODE), look.px(_GAP)
        x, middle = 1, self.height() // 2
        if first:
            x = self._more(painter, x, f"{first} …")
        for at in range(first, last):
            if at > first:
                ink = theme.accent_fill if at <= self._done else theme.line_strong
                painter.fillRect(x - gap, middle - 1, gap, 2, look.colour(ink))
            self._node(painter, QRect(x, middle - side // 2, side, side), at)
            x += side + gap
        if last < len(self._steps):
            self._more(painter, x, f"… {len(self._steps) - last}")
        painter.end()

    def _node(self, painter: QPainter, box: QRect, at: int) -> None:
        look, theme = self._look, self._look.theme
        icon, px = step_icon(self._steps[at].kind), look.px(14)
        if at < self._done:
            paint_box(painter, look, box, ground=theme.accent_fill, radius=Radius.CHIP)
            paint_icon(painter, look, icon, box, px, theme.on_fill, theme.accent_fill)
        elif at == self._done and self._running:
            wide = box.adjusted(-2, -2, 2, 2)
            paint_box(painter, look, wide, ground=theme.surface, edge=theme.accent, radius=Radius.CONTROL, width=2)
            paint_icon(painter, look, icon, box, px, theme.accent, theme.surface)
        else:
            paint_box(painter, look, box, ground=theme.surface, edge=theme.line_strong, radius=Radius.CHIP)
            paint_icon(painter, look, icon, box, px, theme.text2, theme.surface)

    def _more(self, painter: QPainter, x: int, words: str) -> int:
        wide = self._look.metrics(Type.NOTE).horizontalAdvance(words) + self._look.px(6)
        room = QRect(x, 0, wide, self.height())
        paint_words(painter, self._look, room, words, Type.NOTE, self._look.theme.text2, align=CENTRE)
        return x + wide + self._look.px(4)

    def _window(self) -> tuple[int, int]:
        """The steps in view: the present one with some before it, as many as fit."""
        whole = self._look.px(_NODE + _GAP)
        fit = max(1, self.width() // whole)
        if fit >= len(self._steps):
            return 0, len(self._steps)
        fit = max(1, fit - 2)  # room for the counts at either end
        first = max(0, min(self._done - fit // 2, len(self._steps) - fit))
        return first, first + fit

    def _spoken(self) -> str:
        if not self._steps:
            return self.tr("No steps")
        done = min(self._done, len(self._steps) - 1)
        present = step_name(self._steps[done])
        ahead = [step_name(step) for step in self._steps[done + 1 :]]
        told = self.tr("Step {number} of {of}: {step}.").format(number=done + 1, of=len(self._steps), step=present)
        return f"{told} {self.tr('Then:')} {', '.join(ahead)}." if ahead else told
