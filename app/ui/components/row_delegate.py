"""The rows of a list: a tile, a name, a place, a time, a second line, one button. 56 px high, heads 32."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from app.ui.components.cell_delegate import Act, CellDelegate, Spot, Target, head_target, rect_of
from app.ui.components.cell_model import Index
from app.ui.components.cell_paint import (
    CHECK_BOX,
    button_rects,
    paint_check_box,
    paint_chosen_edge,
    paint_ground,
    paint_head,
    paint_inner_ring,
    paint_tile,
)
from app.ui.components.chips import chip_size, paint_chip
from app.ui.components.paint import RIGHT, paint_words
from app.ui.components.roles import Cell, CellHead, CellRow, Role, RowButton
from app.ui.measures import Height, Type

_CELL = int(Role.CELL)


class RowDelegate(CellDelegate):
    """Paints every row of a `StopList`."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One row, or a head."""
        rect, row = rect_of(option), index.row()
        cell: Cell = index.data(_CELL)
        painter.save()
        painter.setClipRect(rect)
        match cell:
            case CellHead():
                paint_head(painter, self._look, rect, cell)
            case CellRow():
                chosen = row == self._state.current_row
                paint_ground(painter, self._look, rect, chosen=chosen, hovered=row == self._state.hover_row)
                self._paint_row(painter, rect, row, cell, chosen)
            case _:
                raise TypeError(f"a list holds CellRow and CellHead, not {type(cell).__name__}")
        painter.restore()

    def _paint_row(self, painter: QPainter, rect: QRect, row: int, cell: CellRow, chosen: bool) -> None:
        look = self._look
        side = look.px(Height.TILE)
        left = rect.x() + look.px(16)
        if cell.checked is not None:
            box = QRect(left, rect.y(), look.px(CHECK_BOX), rect.height() - 1)
            hovered = self._state.hover == Spot(row, Target(Act.CHECK))
            paint_check_box(painter, look, box, checked=cell.checked, hovered=hovered)
            left += look.px(CHECK_BOX + 12)
        tile = QRect(left, rect.y() + (rect.height() - 1 - side) // 2, side, side)
        paint_tile(painter, look, tile, cell.tile)
        end = rect.right() + 1 - look.px(12)
        if cell.button:
            end = button_rects(look, rect, (cell.button,), self.right_margin())[0].x() - look.px(12)
        x, first, second = tile.right() + 1 + look.px(12), look.px(20), look.px(18)
        top = rect.y() + (rect.height() - 1 - first - second) // 2
        self._paint_first_line(painter, QRect(x, top, end - x, first), cell)
        paint_words(
            painter,
            look,
            QRect(x, top + first, end - x, second),
            cell.second,
            Type.SECOND,
            look.theme.text2,
            tabular=True,
        )
        if cell.button:
            self.paint_buttons(painter, rect, row, (cell.button,))
        if chosen:
            paint_chosen_edge(painter, look, rect)
            if self._state.ring:
                paint_inner_ring(painter, look, rect)

    def _paint_first_line(self, painter: QPainter, room: QRect, cell: CellRow) -> None:
        look = self._look
        if cell.when:
            # Whose row it is comes before when: the time gives way in a narrow list.
            name = min(look.metrics(Type.TITLE).horizontalAdvance(cell.name), look.px(120))
            wide = min(
                look.metrics(Type.SECOND, 0, True).horizontalAdvance(cell.when) + 2, room.width() - name - look.px(8)
            )
            if wide >= look.px(40):
                at = QRect(room.right() + 1 - wide, room.y(), wide, room.height())
                paint_words(painter, look, at, cell.when, Type.SECOND, look.theme.text2, tabular=True, align=RIGHT)
                room = room.adjusted(0, 0, -wide - look.px(8), 0)
        if cell.chip:
            wide = chip_size(look, cell.chip).width()
            place = QRect(max(room.x(), room.right() + 1 - wide), room.y(), min(wide, room.width()), room.height())
            paint_chip(painter, look, place, cell.chip)
            room = room.adjusted(0, 0, -wide - look.px(8), 0)
        took = paint_words(painter, look, room, cell.name, Type.TITLE, look.theme.text)
        room = room.adjusted(took + look.px(8), 0, 0, 0)
        if room.width() >= look.px(24):  # less than a letter and its dots says nothing
            paint_words(painter, look, room, cell.place, Type.SECOND, look.theme.text2)

    def targets(self, rect: QRect, cell: Cell, column: int, columns: int) -> list[tuple[QRect, Target]]:
        """The button of a row, and its check box with the room round it; a head's whole row."""
        match cell:
            case CellRow():
                places = self.button_targets(rect, (cell.button,)) if cell.button else []
                if cell.checked is not None:
                    wide = self._look.px(16 + CHECK_BOX + 8)
                    places.append((QRect(rect.x(), rect.y(), wide, rect.height()), Target(Act.CHECK)))
                return places
            case CellHead():
                return head_target(rect, cell)
            case _:
                return []

    def row_buttons(self, cell: Cell) -> tuple[RowButton, ...]:
        """The one button, if there is one."""
        return (cell.button,) if isinstance(cell, CellRow) and cell.button else ()

    def right_margin(self) -> int:
        """Narrower than a table's: a list stands beside its detail."""
        return 12

    def row_height(self, cell: Cell) -> int:
        """56, a head 32, at 100 %."""
        return self._look.px(Height.SECTION_HEAD if isinstance(cell, CellHead) else Height.LIST_ROW)
