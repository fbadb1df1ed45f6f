"""Rows of a long list: ids stand still, lines come by page, cells are made once and kept until something changes.

Heads stand among the rows where the list has parts. What is pressed for a person shows in each of their rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QModelIndex, QObject, Signal

from app.domain.ids import PersonId
from app.ui.components.cell_model import CellModel
from app.ui.components.columns import Column
from app.ui.components.roles import Cell, CellHead, CellText
from app.ui.desk import Desk
from app.ui.list_sections import Part, Sections
from app.ui.pages import Pages

Id = TypeVar("Id", bound=int)
Line = TypeVar("Line")

_EMPTY = CellText("")
_KEPT_ROWS = 600


class LineModel(CellModel, Generic[Id, Line]):
    """Subclasses make the cells of a line (`made`) and say whom it names (`person_of`).

    Signals: `failed(Fault)` when a page could not be read; the old rows stay.
    """

    failed = Signal(object)

    def __init__(
        self,
        desk: Desk,
        columns: Sequence[Column],
        read: Callable[[Sequence[Id]], Mapping[Id, Line]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__([column.words for column in columns], parent)
        self._desk = desk
        self._pressed: frozenset[PersonId] = frozenset()
        self._paused = False
        self._folded: set[str] = set()
        self._sections = Sections(0)
        self._cells: dict[int, tuple[Cell, ...]] = {}
        self._shown_of: dict[PersonId, set[Id]] = {}
        self._pages: Pages[Id, Line] = Pages(desk.bridge, read, self)
        self._pages.came.connect(self._on_came)
        self._pages.failed.connect(self.failed)

    # what a subclass says ---------------------------------------------------------------------------------------------

    def made(self, line: Line, part: Part | None) -> tuple[Cell, ...]:
        """The cells of a line, one a column. part: whose head it stands under."""
        raise NotImplementedError

    def person_of(self, line: Line) -> PersonId:
        """Whom a line names."""
        raise NotImplementedError

    # what stands where ------------------------------------------------------------------------------------------------

    @property
    def ids(self) -> Sequence[Id]:
        """Every id in the list, in order."""
        return self._pages.ids

    @property
    def parts(self) -> Sequence[Part]:
        """The parts of the list that have lines, in order."""
        return self._sections.parts

    @property
    def head_rows(self) -> Sequence[int]:
        """The rows that are heads."""
        return self._sections.heads

    def rows(self) -> int:
        """Lines that aren't folded away, and heads."""
        return self._sections.rows

    def row_id(self, row: int) -> int | None:
        """The line's id; None for a head."""
        return self.id_at(row)

    def id_at(self, row: int) -> Id | None:
        """The id in a row; None for a head and beyond the ends."""
        line = self._sections.line(row) if 0 <= row < self._sections.rows else None
        return self._pages.ids[line] if line is not None else None

    def row_of(self, id_: Id) -> int | None:
        """Where an id stands; None when it isn't in the list, or folded away."""
        line = self._pages.row_of(id_)
        return self._sections.row(line) if line is not None else None

    def place_of(self, id_: Id) -> int:
        """The number of an id's line in the whole list, from 1; 0 when it isn't there."""
        line = self._pages.row_of(id_)
        return line + 1 if line is not None else 0

    def line_of(self, id_: Id) -> Line | None:
        """The line of an id, if it is at hand. Reads nothing."""
        return self._pages.known(id_)

    def shown_of(self, person_id: PersonId) -> Sequence[Id]:
        """The ids of a person's rows that have been painted."""
        return sorted(self._shown_of.get(person_id, ()))

    def cell(self, row: int, column: int) -> Cell:
        """Made once for a row, until something about it changes."""
        head = self._sections.head(row)
        if head is not None:
            return CellHead(head.key, head.words, f"{head.count:,}", folded=self._sections.is_folded(head))
        at = self._sections.line(row)
        if at is None:
            return _EMPTY
        cells = self._cells.get(at)
        if cells is None:
            line = self._pages.line(at)
            if line is None:
                return _EMPTY
            if len(self._cells) >= _KEPT_ROWS:
                self._cells.clear()
            self._shown_of.setdefault(self.person_of(line), set()).add(self._pages.ids[at])
            cells = self._cells[at] = self.made(line, self._sections.part_of(at))
        return cells[column]

    # changes ----------------------------------------------------------------------------------------------------------

    def show(self, ids: Sequence[Id], lines: Mapping[Id, Line], parts: Sequence[Part] = ()) -> None:
        """Other rows. The same ids under the same heads stay where they are, with the chosen one."""
        sections = Sections(len(ids), parts, self._folded)
        same = len(ids) == len(self._pages.ids) and sections.parts == self._sections.parts
        if same and list(ids) == list(self._pages.ids):
            self._pages.show(ids, lines)
            self.say_again()
            return
        self.beginResetModel()
        self._cells.clear()
        self._shown_of.clear()
        self._sections = sections
        self._pages.show(ids, lines)
        self.endResetModel()

    def fold(self, key: str) -> None:
        """Fold the lines under a head away, or show them again."""
        part = next((each for each in self._sections.parts if each.key == key), None)
        if part is None:
            return
        row = self._sections.heads[self._sections.parts.index(part)]
        folded = key in self._folded
        if folded:
            self.beginInsertRows(QModelIndex(), row + 1, row + part.count)
            self._folded.discard(key)
        else:
            self.beginRemoveRows(QModelIndex(), row + 1, row + part.count)
            self._folded.add(key)
        self._sections = Sections(len(self._pages.ids), self._sections.parts, self._folded)
        if folded:
            self.endInsertRows()
        else:
            self.endRemoveRows()
        self._tell(row, row)

    def grow_stale(self) -> None:
        """Something changed in the database: rows in view are read again, and keep what they show until then."""
        self._pages.grow_stale()
        self.say_again()

    def say_again(self) -> None:
        """Time has passed: “in 8 minutes” is another now."""
        self._cells.clear()
        self._tell(0, self.rows() - 1)

    def put(self, lines: Mapping[Id, Line]) -> None:
        """Lines that were read by themselves: what was just pressed shows before its page is read again."""
        for id_, line in lines.items():
            self._pages.put(id_, line)

    def set_pressed(self, person_id: PersonId, pressed: bool) -> None:
        """A press for this person is being written: their Stops look pressed until it is done."""
        self._pressed = self._pressed | {person_id} if pressed else self._pressed - {person_id}
        for id_ in self.shown_of(person_id):
            at = self._pages.row_of(id_)
            if at is not None:
                self._on_came(at, at)

    def set_paused(self, paused: bool) -> None:
        """All sending is paused, or goes on: what is next waits for that."""
        if paused != self._paused:
            self._paused = paused
            self.say_again()

    def _on_came(self, first: int, last: int) -> None:
        for at in range(first, last + 1):
            self._cells.pop(at, None)
        rows = [row for row in (self._sections.row(first), self._sections.row(last)) if row is not None]
        if len(rows) == 2:
            self._tell(rows[0], rows[1])
        elif rows or first != last:  # an end of it is folded away
            self._tell(0, self.rows() - 1)

    def _tell(self, first: int, last: int) -> None:
        if self.rows():
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(self.headers) - 1))
