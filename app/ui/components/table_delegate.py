"""The rows of a table: two lines a cell, chips, check boxes, the buttons at the right edge. 52 px high, heads 32."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QRect
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from app.ui.components.cell_delegate import Act, CellDelegate, RowState, Target, head_target, rect_of
from app.ui.components.cell_model import Index
from app.ui.components.cell_paint import (
    paint_check_box,
    paint_chosen_edge,
    paint_ground,
    paint_head,
    paint_inner_ring,
    paint_text,
)
from app.ui.components.chips import Chip, paint_chip
from app.ui.components.paint import paint_words
from app.ui.components.roles import Cell, CellButtons, CellCheck, CellChip, CellHead, CellRow, CellText, Role, RowButton
from app.ui.look import Look
from app.ui.measures import Height, Space, Type

_CELL = int(Role.CELL)


class TableDelegate(CellDelegate):
    """Paints every cell of a `StopTable`. `row_width` says how wide a whole row is, in px."""

    def __init__(
        self, look: Look, state: RowState, row_width: Callable[[], int], parent: QObject | None = None
    ) -> None:
        super().__init__(look, state, parent)
        self._row_width = row_width

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One cell."""
        rect, row, column = rect_of(option), index.row(), index.column()
        cell: Cell = index.data(_CELL)
        painter.save()
        painter.setClipRect(rect)
        if isinstance(cell, CellHead):
            paint_head(painter, self._look, self._row_rect(rect), cell)
            painter.restore()
            return
        chosen = row == self._state.current_row
        paint_ground(painter, self._look, rect, chosen=chosen, hovered=row == self._state.hover_row)
        columns = index.model().columnCount()
        room = self.content_rect(rect, column, columns)
        match cell:
            case CellText():
                paint_text(painter, self._look, room, cell)
            case CellChip(chip=None):
                paint_words(painter, self._look, room, cell.words, Type.SECOND, self._look.theme.text2)
            case CellChip(chip=Chip() as chip):
                under = self._look.theme.selected if chosen else self._look.theme.surface
                paint_chip(painter, self._look, room.adjusted(0, 0, 0, -1), chip, under)
            case CellCheck():
                hovered = self._state.hover is not None and self._state.hover.row == row
                paint_check_box(
                    painter,
                    self._look,
                    room.adjusted(0, 0, 0, -1),
                    checked=cell.checked,
                    hovered=hovered and not chosen,
                )
            case CellButtons():
                self.paint_buttons(painter, rect, row, cell.buttons)
            case CellRow():
                raise TypeError("a CellRow belongs in a list, not in a table")
        if chosen and column == 0:
            paint_chosen_edge(painter, self._look, rect)
        if chosen and self._state.ring:
            paint_inner_ring(painter, self._look, self._row_rect(rect))
        painter.restore()

    def targets(self, rect: QRect, cell: Cell, column: int, columns: int) -> list[tuple[QRect, Target]]:
        """Buttons where they stand; a check box's whole cell; a head's whole row."""
        match cell:
            case CellButtons():
                return self.button_targets(rect, cell.buttons)
            case CellCheck():
                return [(rect, Target(Act.CHECK))]
            case CellHead():
                return head_target(rect, cell)
            case _:
                return []

    def row_buttons(self, cell: Cell) -> tuple[RowButton, ...]:
        """Those of the buttons' column."""
        return cell.buttons if isinstance(cell, CellButtons) else ()

    def right_margin(self) -> int:
        """The page's margin."""
        return Space.PAGE

    def row_height(self, cell: Cell) -> int:
        """52, a head 32, at 100 %."""
        return self._look.px(Height.SECTION_HEAD if isinstance(cell, CellHead) else Height.TABLE_ROW)

    def content_rect(self, rect: QRect, column: int, columns: int) -> QRect:
        """The cell without the page's margins and the gap to the next column."""
        return content_rect(rect, column, columns)

    def _row_rect(self, rect: QRect) -> QRect:
        return QRect(0, rect.y(), self._row_width(), rect.height())


def content_rect(rect: QRect, column: int, columns: int) -> QRect:
    """A cell, or its header, without the page's margins and the gap to the next column."""
    left = Space.PAGE if column == 0 else 0
    right = Space.PAGE if column == columns - 1 else Space.M
    return rect.adjusted(left, 0, -right, 0)
