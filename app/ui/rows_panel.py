"""A section that is a table of rows naming people, with the trace of a message beside it: the base of Queue and Sent.

It reads, keeps the chosen row and the scroll place, and tells of news. Rows stand still meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar, cast

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.domain.ids import PersonId
from app.service.changes import Change
from app.ui.actions import ActingGate, ActionId, key_action
from app.ui.beside import Beside
from app.ui.components.loading_line import LoadingLine
from app.ui.components.views import StopTable
from app.ui.desk import Desk
from app.ui.line_model import LineModel
from app.ui.list_feed import Compared, ListFeed, Listing
from app.ui.look import Look
from app.ui.people.list_panel import ListPanel
from app.ui.people.presses import Presses
from app.ui.people.whom import Whom
from app.ui.row_acts import RowActs, RowsOf
from app.ui.scroll_anchor import anchor_of, scroll_back
from app.ui.sent.trace_panel import TracePanel
from app.ui.window_memory import WindowMemory

Id = TypeVar("Id", bound=int)
Line = TypeVar("Line")
Told = TypeVar("Told")

SAY_AGAIN_MS = 30_000  # “in 8 minutes” is told in minutes


@dataclass(frozen=True, slots=True)
class Question(Generic[Id, Line, Told]):
    """What the list is asked, each on a reader: everything; the ids alone; what stands around the rows alone."""

    read: Callable[[], Listing[Id, Line, Told]]
    find: Callable[[], Sequence[Id]]
    count: Callable[[], Told]


@dataclass(frozen=True, slots=True)
class RowParts(Generic[Id, Line]):
    """What a subclass makes. empty: what stands where there are no rows. read: lines by id, on a reader."""

    model: LineModel[Id, Line]
    table: StopTable
    beside: Beside
    filters: QWidget
    empty: QWidget
    read: Callable[[Sequence[Id]], Mapping[Id, Line]]


class RowsPanel(ListPanel, Generic[Id, Line, Told]):
    """A subclass makes head, filters, model and table, calls `set_up`, and says what its rows are."""

    key = ""  # of the section, under which it is remembered
    chooses_first = False  # a row is chosen from the start, where what stands beside the list is about it

    def __init__(self, look: Look, desk: Desk, presses: Presses, memory: WindowMemory, gate: ActingGate) -> None:
        super().__init__()
        self._look = look
        self._desk = desk
        self._presses = presses
        self._memory = memory
        self._gate = gate
        self._missed = False
        self.trace = TracePanel(look, desk, presses)
        self.loading = LoadingLine(look)
        self.stack = QStackedWidget()
        self._feed: ListFeed[Id, Line, Told] = ListFeed(desk.bridge, self)
        self._again = QTimer(self)
        self._again.setInterval(SAY_AGAIN_MS)

    # what a subclass says ---------------------------------------------------------------------------------------------

    def question(self) -> Question[Id, Line, Told]:
        """What the list is asked now."""
        raise NotImplementedError

    def whom(self, line: Line) -> Whom:
        """The person a line names."""
        raise NotImplementedError

    def put_rows(self, listing: Listing[Id, Line, Told]) -> None:
        """Put the rows of an answer into the model, and the reason where there are none."""
        raise NotImplementedError

    def show_told(self, told: Told, new: int) -> None:
        """Show counts and the like. new: rows that would come with F5."""
        raise NotImplementedError

    def moved(self, told: Told) -> bool:
        """Whether the rows would stand in another order, where what stands around them tells it."""
        return False

    def explain(self, line: Line) -> None:
        """Let the trace tell about a line."""
        raise NotImplementedError

    # setting up -------------------------------------------------------------------------------------------------------

    def set_up(self, made: RowParts[Id, Line]) -> None:
        """Connects what the subclass made, and reads for the first time."""
        self.model, self.table, self.beside, self.filter_row = made.model, made.table, made.beside, made.filters
        self.table.setModel(self.model)
        self.stack.addWidget(self.table)
        self.stack.addWidget(made.empty)
        self.acts = RowActs(
            RowsOf(self.table, self.model, self.whom, made.read), self._presses, self._desk.bridge, self
        )
        self.acts.add_keys(self._look, self._gate)
        self.acts.person_wanted.connect(self.person_opened)
        self.acts.why_wanted.connect(self.open_trace)
        for source in (self.acts.failed, self._feed.failed, self.model.failed, self.trace.read_failed):
            source.connect(self.read_failed)
        self._feed.came.connect(self._on_came)
        self._feed.compared.connect(self._on_compared)
        self._feed.reading.connect(self._on_reading)
        self.table.rows.head_pressed.connect(self._on_head)
        self.table.rows.current_row_changed.connect(self._on_chosen)
        self.trace.person_wanted.connect(lambda person_id: self.person_opened.emit(person_id, ""))
        self.trace.closed.connect(self.close_trace)
        self._desk.bridge.changed.connect(self._on_changed)
        self._look.changed.connect(self._fit_heads)
        self._again.timeout.connect(self._on_time)
        self._again.start()
        key_action(self._look, ActionId.NEXT, self.table, partial(self.walk, 1))
        key_action(self._look, ActionId.PREVIOUS, self.table, partial(self.walk, -1))
        key_action(self._look, ActionId.READ_AGAIN, self, self.ask)
        self.ask()

    # what a section is asked ------------------------------------------------------------------------------------------

    def parts(self) -> Sequence[QWidget]:
        """F6: the list, its trace, its filters."""
        beside = (self.trace,) if self.beside.is_open else ()
        return (self.table, *beside, self.filter_row)

    def focus_list(self) -> None:
        """On the way back from a person's page."""
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_paused(self, paused: bool) -> None:
        """All sending is paused, or goes on."""
        self.model.set_paused(paused)

    def walk(self, step: int) -> PersonId | None:
        """The person `step` rows on, who is chosen now; heads are passed over. None at either end."""
        row = self.table.currentIndex().row() + step
        while 0 <= row < self.model.rows() and self.model.id_at(row) is None:
            row += 1 if step > 0 else -1
        id_ = self.model.id_at(row)
        if id_ is None:
            return None
        self.table.selectRow(row)
        line = self.model.line_of(id_)
        return self.whom(line).id if line is not None else None

    def person(self) -> PersonId | None:
        """The person of the chosen row."""
        whom = self.acts.chosen_whom()
        return whom.id if whom is not None else None

    def place(self) -> tuple[int, int]:
        """Which row is chosen, from 1, and of how many; 0 when there is none."""
        chosen = self.chosen()
        return (self.model.place_of(chosen) if chosen is not None else 0), len(self.model.ids)

    def chosen(self) -> Id | None:
        """The id of the chosen row."""
        return cast("Id | None", self.acts.chosen())

    # asking -----------------------------------------------------------------------------------------------------------

    def ask(self) -> None:
        """Read the list anew: what matches no more goes, what is new comes."""
        question = self.question()
        self._feed.compare_with(question.find, question.count, lambda: self.model.ids)
        self._feed.ask(question.read)

    @Slot(object)
    def _on_came(self, listing: Listing[Id, Line, Told]) -> None:
        first, chosen, before = not self.model.rows(), self.chosen(), self.model.head_rows
        anchor = anchor_of(self.table, self.model, chosen)
        self.put_rows(listing)
        self._fit_heads(before)
        self.stack.setCurrentIndex(0 if listing.ids else 1)
        if chosen is None and first:
            chosen = self._kept()
        if chosen is None and self.chooses_first and self.model.rows():
            chosen = self.model.ids[0]
        if chosen is not None:
            self.acts.choose(chosen)
        if anchor is not None:
            scroll_back(self.table, self.model, anchor)
        self.show_told(listing.counts, 0)
        self.read_well.emit()

    @Slot(object)
    def _on_compared(self, compared: Compared[Told]) -> None:
        if (compared.new or self.moved(compared.counts)) and self._nobody_looks():
            self.ask()
        else:
            self.show_told(compared.counts, compared.new)

    def _nobody_looks(self) -> bool:
        """Nothing is chosen, pointed at or scrolled to: rows may come and go."""
        table = self.table
        looked_at = table.currentIndex().isValid() or table.underMouse() or table.verticalScrollBar().value() > 0
        return not self.model.rows() or not looked_at

    @Slot(bool)
    def _on_reading(self, reading: bool) -> None:
        if reading:
            self.loading.begin()
        else:
            self.loading.end()

    @Slot(object)
    def _on_changed(self, change: Change) -> None:
        if change.engine:
            return
        if not self.isVisible():
            self._missed = True
            return
        self._missed = False
        self.model.grow_stale()
        self._feed.compare()

    @Slot()
    def _on_time(self) -> None:
        if self.isVisible():
            self.model.say_again()
            self._feed.compare()

    def showEvent(self, event: QShowEvent) -> None:
        """What changed while another page was in view is read now."""
        super().showEvent(event)
        if self._missed:
            self._on_changed(Change())

    # the chosen row and its trace -------------------------------------------------------------------------------------

    def open_trace(self) -> None:
        """W: tell why, beside the list; where it is open already, go into it."""
        if self.beside.is_open:
            self.beside.enter()
            return
        self.beside.open_side()
        self._memory.keep_text(f"{self.key}/trace", "open")
        self._explain_chosen()

    @Slot()
    def close_trace(self) -> None:
        """Esc, or its cross."""
        self.beside.close_side()
        self._memory.keep_text(f"{self.key}/trace", "closed")
        self.focus_list()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes what stands beside the list."""
        if event.key() == Qt.Key.Key_Escape and self.beside.is_open:
            self.close_trace()
            return
        super().keyPressEvent(event)

    def _kept(self) -> Id | None:
        """The row that was chosen when the window was last closed, if it is still here."""
        kept = self._memory.text(f"{self.key}/chosen")
        id_ = cast(Id, int(kept)) if kept.isdigit() else None
        return id_ if id_ is not None and self.model.place_of(id_) else None

    def _on_chosen(self, id_: Id | None) -> None:
        if id_ is not None:
            self._memory.keep_text(f"{self.key}/chosen", str(id_))
        if self.beside.is_open:
            self._explain_chosen()

    def _explain_chosen(self) -> None:
        chosen = self.chosen()
        line = self.model.line_of(chosen) if chosen is not None else None
        if line is not None:
            self.explain(line)
        elif chosen is None:
            self.trace.show_nothing()

    def _on_head(self, key: str) -> None:
        before = self.model.head_rows
        self.model.fold(key)
        self._fit_heads(before)

    def _fit_heads(self, before: Sequence[int] = ()) -> None:
        """Heads are lower than rows. before: the rows that were heads and are no more."""
        self.table.fit_head_rows(self.model.head_rows, before)
