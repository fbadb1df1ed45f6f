"""The two lists of the app: `StopTable` (two lines a cell) and `StopList` (tile, name, second line).

What is done to their rows is told by `view.rows`, a `RowHands`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QPersistentModelIndex
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QListView, QTableView, QWidget

from app.ui.components.cell_delegate import RowState
from app.ui.components.cell_paint import buttons_width
from app.ui.components.columns import Column, ColumnHead, column_widths
from app.ui.components.roles import CellHead, Role
from app.ui.components.row_delegate import RowDelegate
from app.ui.components.row_hands import RowHands
from app.ui.components.table_delegate import TableDelegate
from app.ui.look import Look
from app.ui.measures import Height, Space

_CELL = int(Role.CELL)
_NO_TRIGGER = QAbstractItemView.EditTrigger.NoEditTriggers


class StopTable(QTableView):
    """A table of people or messages over a `CellModel`."""

    def __init__(self, look: Look, columns: Sequence[Column], *, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._columns = tuple(columns)
        self.setAccessibleName(name)
        self.head = ColumnHead(look, self)
        self.setHorizontalHeader(self.head)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        lines = self.verticalHeader()
        lines.hide()  # visible, it makes the reset of a long model cost half a second
        lines.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        lines.setMinimumSectionSize(1)
        state = RowState()
        delegate = TableDelegate(look, state, self.row_width, self)
        self.setItemDelegate(delegate)
        self.rows = RowHands(look, self, delegate, state)
        look.changed.connect(self._on_look_changed)
        self._on_look_changed()

    def row_width(self) -> int:
        """Width of a row, in px."""
        return max(self.head.length(), self.viewport().width())

    def fit_heads(self) -> None:
        """Gives heads their lower height: after rows came, where there are heads among them. Looks at each row once."""
        model, lines = self.model(), self.verticalHeader()
        row_high, head_high = self._look.px(Height.TABLE_ROW), self._look.px(Height.SECTION_HEAD)
        for row in range(model.rowCount()):
            high = head_high if isinstance(model.index(row, 0).data(_CELL), CellHead) else row_high
            if lines.sectionSize(row) != high:
                lines.resizeSection(row, high)

    def fit_head_rows(self, heads: Sequence[int], before: Sequence[int] = ()) -> None:
        """As `fit_heads`, by the rows that are heads now and those that were `before`: no other row is looked at."""
        lines = self.verticalHeader()
        for rows, high in ((before, Height.TABLE_ROW), (heads, Height.SECTION_HEAD)):
            for row in rows:
                if row < lines.count():
                    lines.resizeSection(row, self._look.px(high))

    def setModel(self, model: QAbstractItemModel | None) -> None:
        """Shows another model."""
        super().setModel(model)
        self.rows.watch(model, self.selectionModel())
        self._lay_out()

    def edit(  # type: ignore[override]
        self,
        index: QModelIndex | QPersistentModelIndex,
        trigger: QAbstractItemView.EditTrigger = _NO_TRIGGER,
        event: QEvent | None = None,
    ) -> bool:
        """Never: a click on the chosen row must not put the focus on its Stop."""
        return False

    def keyboardSearch(self, search: str) -> None:
        """Off: letters are actions."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Columns fill the width. The chosen row stays in view: a bar that comes over the list must not hide it."""
        chosen = self.currentIndex()
        rect = self.visualRect(chosen)
        seen = chosen.isValid() and rect.top() >= 0 and rect.bottom() < event.oldSize().height()
        super().resizeEvent(event)
        self._lay_out()
        if seen:
            self.scrollTo(chosen)

    def _lay_out(self) -> None:
        scale = self._look.text_percent / 100
        columns = [self._with_room(column, scale) for column in self._columns]
        widths = column_widths(columns, self.viewport().width(), scale)
        for column, wide in enumerate(widths[: self.head.count()]):
            self.setColumnWidth(column, wide)
        self.rows.place()

    def _with_room(self, column: Column, scale: float) -> Column:
        # The system's font may be wider than the one the widths were drawn with.
        needed = buttons_width(self._look, column.buttons) + Space.PAGE
        return replace(column, least=max(column.least, ceil(needed / scale))) if column.buttons else column

    def _on_look_changed(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self._look.px(Height.TABLE_ROW))
        self.head.setFixedHeight(self._look.px(Height.TABLE_HEAD))
        self._lay_out()


class StopList(QListView):
    """A list beside its detail, over a `CellModel` of one column of CellRow and CellHead.

    `uniform`: no heads among the rows, so that a long list lays out at once.
    """

    def __init__(self, look: Look, *, name: str, uniform: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setUniformItemSizes(uniform)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        state = RowState()
        delegate = RowDelegate(look, state, self)
        self.setItemDelegate(delegate)
        self.rows = RowHands(look, self, delegate, state)
        look.changed.connect(self.scheduleDelayedItemsLayout)

    def setModel(self, model: QAbstractItemModel | None) -> None:
        """Shows another model."""
        super().setModel(model)
        self.rows.watch(model, self.selectionModel())

    def edit(  # type: ignore[override]
        self,
        index: QModelIndex | QPersistentModelIndex,
        trigger: QAbstractItemView.EditTrigger = _NO_TRIGGER,
        event: QEvent | None = None,
    ) -> bool:
        """Never: a click on the chosen row must not put the focus on its Stop."""
        return False

    def keyboardSearch(self, search: str) -> None:
        """Off: letters are actions."""
