"""Check boxes, radio buttons and switches, painted from the tokens. The words beside them are part of the target."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRect, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QRadioButton, QWidget

from app.ui.components.cell_paint import CHECK_BOX, paint_check_box
from app.ui.components.paint import paint_box, paint_words
from app.ui.look import Look
from app.ui.measures import Height, Type

_GAP = 10


def _size(look: Look, mark: int, words: str) -> QSize:
    wide = look.px(mark)
    if words:
        wide += look.px(_GAP) + look.metrics(Type.BODY).horizontalAdvance(words) + 1
    return QSize(max(wide, look.px(Height.ROW_CONTROL)), look.px(Height.ROW_CONTROL))


def _paint_text(painter: QPainter, look: Look, button: QAbstractButton, mark: int) -> None:
    x = look.px(mark + _GAP)
    ink = look.theme.text if button.isEnabled() else look.theme.text3
    paint_words(painter, look, QRect(x, 0, button.width() - x, button.height()), button.text(), Type.BODY, ink)


class CheckBox(QCheckBox):
    """A check box. Without words it needs a `name`."""

    def __init__(self, look: Look, words: str = "", *, name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(words, parent)
        self._look = look
        self.setAccessibleName(name or words)
        look.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        """Box and words, 32 px high."""
        return _size(self._look, CHECK_BOX, self.text())

    def minimumSizeHint(self) -> QSize:
        """The same."""
        return self.sizeHint()

    def hitButton(self, pos: QPoint) -> bool:
        """Everywhere."""
        return self.rect().contains(pos)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Box and words."""
        painter = QPainter(self)
        paint_check_box(
            painter,
            self._look,
            self.rect(),
            checked=self.isChecked(),
            hovered=self.underMouse(),
            enabled=self.isEnabled(),
        )
        _paint_text(painter, self._look, self, CHECK_BOX)
        painter.end()


class RadioButton(QRadioButton):
    """One of several."""

    def __init__(self, look: Look, words: str, parent: QWidget | None = None) -> None:
        super().__init__(words, parent)
        self._look = look
        self.setAccessibleName(words)
        look.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        """Disc and words, 32 px high."""
        return _size(self._look, CHECK_BOX, self.text())

    def minimumSizeHint(self) -> QSize:
        """The same."""
        return self.sizeHint()

    def hitButton(self, pos: QPoint) -> bool:
        """Everywhere."""
        return self.rect().contains(pos)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Disc and words."""
        look, theme = self._look, self._look.theme
        painter = QPainter(self)
        side = look.px(CHECK_BOX)
        disc = QRect(0, (self.height() - side) // 2, side, side)
        edge = theme.control if self.isEnabled() else theme.line_strong
        if self.isChecked() and self.isEnabled():
            paint_box(
                painter, look, disc, ground=theme.surface, edge=theme.accent_fill, radius=side // 2, width=look.px(5)
            )
        else:
            paint_box(painter, look, disc, ground=theme.surface, edge=edge, radius=side // 2)
        _paint_text(painter, look, self, CHECK_BOX)
        painter.end()


class Switch(QAbstractButton):
    """On or off, at once. `name` says what it switches."""

    def __init__(self, look: Look, *, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.setCheckable(True)
        self.setAccessibleName(name)
        look.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        """36 × 20 in a target of 32 px."""
        return QSize(self._look.px(36), self._look.px(Height.ROW_CONTROL))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The track and the knob; on is to the right."""
        look, theme = self._look, self._look.theme
        painter = QPainter(self)
        high, wide = look.px(20), look.px(36)
        track = QRect(0, (self.height() - high) // 2, wide, high)
        ground = theme.accent_fill if self.isChecked() else theme.control
        paint_box(painter, look, track, ground=ground if self.isEnabled() else theme.line_strong, radius=high // 2)
        knob = high / 2 - 2
        x = wide - high / 2 if self.isChecked() else high / 2
        painter.setBrush(look.colour(theme.on_fill))
        painter.drawEllipse(QPointF(x, track.y() + high / 2), knob, knob)
        painter.end()
