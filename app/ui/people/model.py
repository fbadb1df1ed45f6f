"""The rows of People: ids in order, lines by page, and the cells that the table paints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, Signal

from app.domain.ids import PersonId
from app.domain.lines import PersonLine
from app.domain.states import LIVE
from app.ui.components.cell_model import CellModel
from app.ui.components.columns import STOP_COLUMN, Column
from app.ui.components.roles import Cell, CellButtons, CellChip, CellText, stop_of
from app.ui.desk import Desk
from app.ui.pages import Pages
from app.ui.people.marks import mark, mark_digits
from app.ui.people.next_words import journey_of, next_of
from app.ui.people.whom import Whom, nameless, whom
from app.ui.state_chips import person_chip
from app.ui.words import Where, address_words, step_words

_EMPTY = CellText("")
_KEPT_ROWS = 600
_LOCATION_FROM = 820  # in a narrower list a person needs the room more; the page tells the place


def people_columns(words: Sequence[str]) -> tuple[Column, ...]:
    """The columns; `words` are their heads. The last one is Stop's."""
    person, location, state, journey, next_ = words
    return (
        Column(person, 196, 1),
        Column(location, 92, shown_from=_LOCATION_FROM),
        Column(state, 216),
        Column(journey, 254, 1),
        Column(next_, 206),
        STOP_COLUMN,
    )


class PeopleModel(CellModel):
    """Signals: `failed(Fault)` when a page could not be read; the old rows stay."""

    failed = Signal(object)

    def __init__(self, desk: Desk, columns: Sequence[Column], parent: QObject | None = None) -> None:
        super().__init__([column.words for column in columns], parent)
        self._desk = desk
        self._search = ""
        self._paused = False
        self._pressed: frozenset[PersonId] = frozenset()
        self._cells: dict[int, tuple[Cell, ...]] = {}
        open_reader = desk.open_reader

        def read(ids: Sequence[PersonId]) -> Mapping[PersonId, PersonLine]:
            with open_reader() as reads:
                return {line.id: line for line in reads.people(ids)}

        self._pages: Pages[PersonId, PersonLine] = Pages(desk.bridge, read, self)
        self._pages.came.connect(self._on_came)
        self._pages.failed.connect(self.failed)

    # what stands where ------------------------------------------------------------------------------------------------

    def rows(self) -> int:
        """How many people the list holds."""
        return len(self._pages.ids)

    def row_id(self, row: int) -> int | None:
        """The person's id."""
        return self._pages.ids[row] if row < len(self._pages.ids) else None

    def cell(self, row: int, column: int) -> Cell:
        """Made once for a row, until something about it changes."""
        cells = self._cells.get(row)
        if cells is None:
            line = self._pages.line(row)
            if line is None:
                return _EMPTY
            if len(self._cells) >= _KEPT_ROWS:
                self._cells.clear()
            cells = self._cells[row] = self._made(line)
        return cells[column]

    @property
    def ids(self) -> Sequence[PersonId]:
        """Everyone in the list, in order."""
        return self._pages.ids

    def row_of(self, person_id: PersonId) -> int | None:
        """Where someone stands; None when they aren't in the list."""
        return self._pages.row_of(person_id)

    def whom(self, person_id: PersonId) -> Whom:
        """The person of a row, as a press names them."""
        line = self._pages.known(person_id)
        return whom(line) if line is not None else Whom(person_id, nameless(person_id), "UTC")

    def line_of(self, person_id: PersonId) -> PersonLine | None:
        """The line of a row that is at hand."""
        return self._pages.known(person_id)

    # changes ----------------------------------------------------------------------------------------------------------

    def show(self, ids: Sequence[PersonId], lines: Mapping[PersonId, PersonLine], search: str) -> None:
        """Other rows, found by `search`. Rows that are the same stay where they are, with the chosen one."""
        self._search = search
        if list(ids) == list(self._pages.ids):
            self._pages.show(ids, lines)
            self.say_again()
            return
        self.beginResetModel()
        self._cells.clear()
        self._pages.show(ids, lines)
        self.endResetModel()

    def grow_stale(self) -> None:
        """Something changed in the database: rows in view are read again, and keep what they show until then."""
        self._pages.grow_stale()
        self._cells.clear()
        self._tell(0, self.rows() - 1)

    def say_again(self) -> None:
        """Time has passed: “in 8 minutes” is another now."""
        self._cells.clear()
        self._tell(0, self.rows() - 1)

    def put(self, line: PersonLine) -> None:
        """One line that was read by itself."""
        self._pages.put(line.id, line)

    def set_pressed(self, person_id: PersonId, pressed: bool) -> None:
        """A press for this person is being written: their Stop looks pressed until it is done."""
        self._pressed = self._pressed | {person_id} if pressed else self._pressed - {person_id}
        row = self._pages.row_of(person_id)
        if row is not None:
            self._on_came(row, row)

    def set_paused(self, paused: bool) -> None:
        """All sending is paused, or goes on: what is next waits for that."""
        if paused != self._paused:
            self._paused = paused
            self.say_again()

    def _on_came(self, first: int, last: int) -> None:
        for row in range(first, last + 1):
            self._cells.pop(row, None)
        self._tell(first, last)

    def _tell(self, first: int, last: int) -> None:
        if self.rows():
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(self.headers) - 1))

    def _made(self, line: PersonLine) -> tuple[Cell, ...]:
        where = Where(line.zone, self._desk.now())
        name = line.name or nameless(line.id)
        journey, step = journey_of(line, step_words(line.step) if line.step else "")
        when, why = next_of(line, where, paused=self._paused)
        return (
            self._who(line, name),
            CellText(line.location, quiet=True),
            CellChip(person_chip(line, where)),
            CellText(journey, step),
            CellText(when, why),
            CellButtons((stop_of(name, running=line.state in LIVE, pressed=line.id in self._pressed),)),
        )

    def _who(self, line: PersonLine, name: str) -> CellText:
        address = line.phone or line.email or ""
        search = self._search.strip()
        shown = address_words(address, self._desk.country)
        if not search:
            return CellText(name, shown, bold=True)
        found = mark(name, search)
        if found is None and line.email and mark(line.email, search):
            shown = line.email
        second = mark(shown, search) if "@" in shown else mark_digits(shown, search)
        return CellText(name, shown, bold=True, marked=found, marked2=second)
