"""The columns of a table: how wide, which ones take what is left, and the head over them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from app.ui.components.cell_paint import paint_check_box
from app.ui.components.paint import paint_words
from app.ui.components.roles import RowButton, stop_of
from app.ui.components.table_delegate import content_rect
from app.ui.look import Look
from app.ui.measures import Height, Type


@dataclass(frozen=True, slots=True)
class Column:
    """A column: `least` px at 100 % text size, margins and gap included; `stretch` is its share of what is left over.

    A `rigid` column keeps its width when the window is too narrow; the others give way. `buttons` are the widest set
    that its cells hold: the column is never narrower. In a table narrower than `shown_from` px at 100 % it isn't shown.
    """

    words: str
    least: int
    stretch: float = 0.0
    rigid: bool = False
    buttons: tuple[RowButton, ...] = ()
    shown_from: int = 0


STOP_COLUMN = Column("", 96, rigid=True, buttons=(stop_of("", running=True),))


def column_widths(columns: Sequence[Column], total: int, scale: float = 1.0) -> list[int]:
    """Widths in px that fill `total` exactly.

    Room left over goes by `stretch`; room that lacks comes off the columns that aren't rigid.
    """
    least = [round(column.least * scale) if total >= column.shown_from * scale else 0 for column in columns]
    left = total - sum(least)
    shares = [column.stretch for column in columns]
    if left < 0:
        shares = [0.0 if column.rigid else float(wide) for column, wide in zip(columns, least, strict=True)]
    whole = sum(shares)
    if not whole:
        return least
    widths = [max(0, wide + int(left * share / whole)) for wide, share in zip(least, shares, strict=True)]
    last = max(at for at, share in enumerate(shares) if share)
    widths[last] = max(0, widths[last] + total - sum(widths))
    return widths


class ColumnHead(QHeaderView):
    """The head of a table. Its first cell may be a box that stands for every row; `check_all_pressed` tells of it."""

    check_all_pressed = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._look = look
        self._checks = False
        self._checked = 0
        self._of = 0
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(0)
        self.setHighlightSections(False)

    def show_checks(self, checked: int, of: int) -> None:
        """Shows the box over the rows' own: empty, partly or full. `of` 0 takes it away."""
        self._checks = of > 0
        self._checked, self._of = checked, of
        self.viewport().update()

    def sizeHint(self) -> QSize:
        """Fixed height."""
        return QSize(super().sizeHint().width(), self._look.px(Height.TABLE_HEAD))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Every head in one go: no sections to press, no edges between them."""
        painter = QPainter(self.viewport())
        theme = self._look.theme
        whole = self.viewport().rect()
        painter.fillRect(whole, self._look.colour(theme.bg))
        painter.fillRect(0, whole.bottom(), whole.width(), 1, self._look.colour(theme.line))
        for column in range(self.count()):
            rect = self._section(column)
            if column == 0 and self._checks:
                paint_check_box(
                    painter,
                    self._look,
                    rect,
                    checked=self._checked == self._of,
                    partly=0 < self._checked < self._of,
                )
                continue
            words = self.model().headerData(column, Qt.Orientation.Horizontal, int(Qt.ItemDataRole.DisplayRole))
            paint_words(painter, self._look, rect, str(words or ""), Type.LABEL, theme.text2)
        painter.end()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The whole first cell is the box's target."""
        if self._checks and self._cell(0).contains(event.position().toPoint()):
            self.check_all_pressed.emit()
            return
        super().mouseReleaseEvent(event)

    def _cell(self, column: int) -> QRect:
        return QRect(QPoint(self.sectionViewportPosition(column), 0), QSize(self.sectionSize(column), self.height()))

    def _section(self, column: int) -> QRect:
        return content_rect(self._cell(column), column, self.count()).adjusted(0, 0, 0, -1)
