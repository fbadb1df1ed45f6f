"""A table model over frozen cells: a subclass says what stands where; the roles are done here."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.ui.components.roles import ACCESSIBLE_TEXT, TOOL_TIP, Cell, CellHead, Role, spoken, tip

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()

_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_CELL, _ROW_ID, _SORT = int(Role.CELL), int(Role.ROW_ID), int(Role.SORT)
_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


class CellModel(QAbstractTableModel):
    """Base of the models of lists (one column) and tables.

    Subclasses give `rows`, `cell`, `row_id` and perhaps `sort_value`.
    """

    def __init__(self, headers: Sequence[str] = ("",), parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.headers = tuple(headers)

    def rows(self) -> int:
        """How many rows there are."""
        raise NotImplementedError

    def cell(self, row: int, column: int) -> Cell:
        """What stands there. A head gives its CellHead in every column."""
        raise NotImplementedError

    def row_id(self, row: int) -> int | None:
        """The id of what the row shows; None for a head."""
        raise NotImplementedError

    def sort_value(self, row: int, column: int) -> object:
        """The raw value, for sorting and for tests."""
        return spoken(self.cell(row, column))

    def rowCount(self, parent: Index = ROOT) -> int:
        """Rows at the top level; there is no other."""
        return 0 if parent.isValid() else self.rows()

    def columnCount(self, parent: Index = ROOT) -> int:
        """One column a header."""
        return 0 if parent.isValid() else len(self.headers)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> object:
        """The words over a column."""
        if role == _DISPLAY and orientation == Qt.Orientation.Horizontal and section < len(self.headers):
            return self.headers[section]
        return None

    def data(self, index: Index, role: int = _DISPLAY) -> object:
        """One frozen value a cell; see `roles`."""
        if role == _CELL:
            return self.cell(index.row(), index.column())
        if role == _ROW_ID:
            return self.row_id(index.row())
        if role == ACCESSIBLE_TEXT:
            return spoken(self.cell(index.row(), index.column()))
        if role == TOOL_TIP:
            return tip(self.cell(index.row(), index.column())) or None
        if role == _SORT:
            return self.sort_value(index.row(), index.column())
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Rows can be chosen; heads are passed over by the arrow keys."""
        if index.isValid() and isinstance(self.cell(index.row(), index.column()), CellHead):
            return Qt.ItemFlag.NoItemFlags
        return _FLAGS
