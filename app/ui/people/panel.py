"""The section People: find anyone, see where they stand, stop them. Rows stand still while the engine works."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Slot
from PySide6.QtGui import QAction, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QMenu, QStackedWidget, QVBoxLayout, QWidget

from app.domain.ids import LocationId, PersonId
from app.domain.lines import PeopleFilter, PeopleQuery, PersonLine
from app.service.changes import Change
from app.ui.actions import ActingGate, ActionId, action_spec, key_action
from app.ui.components.loading_line import LoadingLine
from app.ui.components.page_head import PageHead
from app.ui.components.views import StopTable
from app.ui.desk import Desk
from app.ui.faults import Fault
from app.ui.list_feed import Compared, ListFeed
from app.ui.look import Look
from app.ui.people.filter_row import FilterRow
from app.ui.people.list_panel import ListPanel
from app.ui.people.model import PeopleModel, people_columns
from app.ui.people.nobody import Nobody
from app.ui.people.presses import Presses
from app.ui.people.reading import PeopleListing, PeopleTold, count_people, find_people, read_people
from app.ui.window_memory import WindowMemory
from app.ui.words import many, people_words

SAY_AGAIN_MS = 30_000  # “in 8 minutes” is told in minutes

PEOPLE = "people"


class PeoplePanel(ListPanel):
    """The list of people, with its search and filters."""

    def __init__(self, look: Look, desk: Desk, presses: Presses, memory: WindowMemory, gate: ActingGate) -> None:
        super().__init__()
        self._desk = desk
        self._presses = presses
        self._memory = memory
        self._missed = False
        self._counted_all = False
        self._head = PageHead(look, self.tr("People"))
        self._loading = LoadingLine(look)
        self.filters = FilterRow(look, memory)
        columns = people_columns(
            (self.tr("Person"), self.tr("Location"), self.tr("State"), self.tr("Journey and step"), self.tr("Next"))
        )
        self.model = PeopleModel(desk, columns, self)
        self.table = StopTable(look, columns, name=self.tr("People"))
        self.table.setModel(self.model)
        self.nobody = Nobody(look)
        self._stack = QStackedWidget()
        self._lay_out()
        self._feed: ListFeed[PersonId, PersonLine, PeopleTold] = ListFeed(desk.bridge, self)
        self._again = QTimer(self)
        self._again.setInterval(SAY_AGAIN_MS)
        self._connect(look, gate)
        self.ask()

    # what a section is asked ------------------------------------------------------------------------------------------

    def parts(self) -> Sequence[QWidget]:
        """F6: the list, then its search and filters."""
        return (self.table, self.filters)

    def set_location(self, location_id: LocationId | None) -> None:
        """The location chosen on the rail."""
        self._counted_all = False
        self.filters.set_location(location_id)

    def set_paused(self, paused: bool) -> None:
        """All sending is paused, or goes on."""
        self.model.set_paused(paused)

    def find_anyone(self) -> None:
        """Put the cursor in the search, over everyone."""
        self.filters.set_filter(PeopleFilter.ALL)
        self.filters.search.setFocus()
        self.filters.search.selectAll()

    def walk(self, step: int) -> PersonId | None:
        """The person `step` rows on, who is chosen now; None at either end."""
        row = self.table.currentIndex().row() + step
        if not 0 <= row < self.model.rows():
            return None
        self.table.selectRow(row)
        return self.model.ids[row]

    def person(self) -> PersonId | None:
        """The person of the chosen row."""
        current = self.table.rows.current_row_id()
        return PersonId(current) if current is not None else None

    def seek(self, person_id: PersonId) -> None:
        """Choose someone's row, if they are in the list."""
        self._choose(person_id)

    def place(self) -> tuple[int, int]:
        """Which row is chosen, from 1, and of how many; 0 when there is none."""
        return self.table.currentIndex().row() + 1, self.model.rows()

    # asking -----------------------------------------------------------------------------------------------------------

    def ask(self) -> None:
        """Read the list anew: rows that match no more go, new ones come."""
        query, open_reader = self.filters.query, self._desk.open_reader
        self._feed.compare_with(
            lambda: find_people(open_reader, query), lambda: count_people(open_reader, query), lambda: self.model.ids
        )
        self._feed.ask(lambda: read_people(open_reader, query))

    def _on_came(self, listing: PeopleListing) -> None:
        chosen, scrolled = self._chosen(), self.table.verticalScrollBar().value() if self.model.rows() else None
        self.model.show(listing.ids, listing.lines, self.filters.query.search)
        if chosen is not None:
            self._choose(chosen)
        if scrolled is not None:
            self.table.verticalScrollBar().setValue(scrolled)
        if not listing.ids:
            self.nobody.show_why(self.filters.query, listing.counts)
        self._stack.setCurrentWidget(self.table if listing.ids else self.nobody)
        self.filters.show_news(0)
        self._show_told(listing.counts)
        self._count()
        self.read_well.emit()

    def _count(self) -> None:
        """The figures, after the rows: a search is not made slow by what is counted around it."""
        query, open_reader, everyone = self.filters.query, self._desk.open_reader, not self._counted_all
        counting = partial(count_people, open_reader, query, everyone=everyone)
        self._desk.bridge.read(self, counting, partial(self._on_counted, query), self._on_failed)

    def _on_counted(self, query: PeopleQuery, told: PeopleTold) -> None:
        if query == self.filters.query:
            self._show_told(told)

    def _on_compared(self, compared: Compared[PeopleTold]) -> None:
        self._show_told(compared.counts)
        self.filters.show_news(compared.new)
        if compared.new and not self.model.rows():
            self.ask()  # nothing is there that could jump

    def _show_told(self, told: PeopleTold) -> None:
        if told.found is not None:
            self.filters.show_counts(told.found)
        if told.all is None:
            return
        self._counted_all = True
        running = many(told.all.running, self.tr("1 with something running"), self.tr("{count} with something running"))
        self._head.set_words(self.tr("People"), f"{people_words(told.all.everyone)}, {running}")

    def _on_reading(self, reading: bool) -> None:
        if reading:
            self._loading.begin()
        else:
            self._loading.end()

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

    def showEvent(self, event: QShowEvent) -> None:
        """What changed while another page was in view is read now."""
        super().showEvent(event)
        if self._missed:
            self._on_changed(Change())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Down from the search goes into the list."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Down:
            self._on_search_entered()
            return True
        return super().eventFilter(watched, event)

    # pressing ---------------------------------------------------------------------------------------------------------

    @Slot(object)
    def _on_begun(self, person_id: PersonId) -> None:
        self.model.set_pressed(person_id, True)

    @Slot(object)
    def _on_line(self, line: PersonLine) -> None:
        """Committed: this row first, before anything else is read again."""
        self.model.put(line)

    @Slot(object)
    def _on_settled(self, person_id: PersonId) -> None:
        self.model.set_pressed(person_id, self._presses.writing(person_id))

    def _on_stop(self, person_id: PersonId) -> None:
        self._presses.stop(self.model.whom(person_id))

    def _with_chosen(self, do: Callable[[PersonId], object]) -> None:
        chosen = self._chosen()
        if chosen is not None:
            do(chosen)

    def _open(self, person_id: PersonId, panel: str = "") -> None:
        row = self.model.row_of(person_id)
        if row is not None and row != self.table.currentIndex().row():
            self.table.selectRow(row)
        self.person_opened.emit(person_id, panel)

    # how --------------------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self._head, self.filters, self._loading):
            column.addWidget(widget)
        self._stack.addWidget(self.table)
        self._stack.addWidget(self.nobody)
        column.addWidget(self._stack, 1)

    def _connect(self, look: Look, gate: ActingGate) -> None:
        self.filters.asked.connect(self.ask)
        self.filters.news_wanted.connect(self.ask)
        self.filters.search.installEventFilter(self)
        self.filters.search.returnPressed.connect(self._on_search_entered)
        self.nobody.person_chosen.connect(self._open)
        self.nobody.everyone_wanted.connect(partial(self.filters.set_filter, PeopleFilter.ALL))
        self._feed.came.connect(self._on_came)
        self._feed.compared.connect(self._on_compared)
        self._feed.failed.connect(self._on_failed)
        self._feed.reading.connect(self._on_reading)
        self.model.failed.connect(self._on_failed)
        rows = self.table.rows
        rows.stop_pressed.connect(self._on_stop)
        rows.row_opened.connect(self._open)
        rows.current_row_changed.connect(self._on_chosen)
        self.table.customContextMenuRequested.connect(self._on_menu)
        self._presses.begun.connect(self._on_begun)
        self._presses.line_read.connect(self._on_line)
        self._presses.settled.connect(self._on_settled)
        self._desk.bridge.changed.connect(self._on_changed)
        self._again.timeout.connect(self.model.say_again)
        self._again.start()
        self._add_keys(look, gate)

    def _add_keys(self, look: Look, gate: ActingGate) -> None:
        presses, whom = self._presses, self.model.whom
        acts: tuple[tuple[ActionId, Callable[[PersonId], object]], ...] = (
            (ActionId.STOP, self._on_stop),
            (ActionId.BOOKED, lambda id_: presses.reach_goal(whom(id_))),
            (ActionId.HANDLED, lambda id_: presses.handled(whom(id_))),
            (ActionId.HOLD, lambda id_: self._open(id_, "hold")),
            (ActionId.OPT_OUT, lambda id_: self._open(id_, "opt_out")),
            (ActionId.START_AGAIN, lambda id_: self._open(id_, "start_again")),
        )
        opens = QAction(action_spec(ActionId.OPEN).words, self.table)  # Enter is the table's own
        opens.triggered.connect(lambda: self._with_chosen(self._open))
        made = [key_action(look, action, self.table, partial(self._with_chosen, do), gate) for action, do in acts]
        self._row_actions = (opens, *made)
        key_action(look, ActionId.NEXT, self.table, partial(self.walk, 1))
        key_action(look, ActionId.PREVIOUS, self.table, partial(self.walk, -1))
        key_action(look, ActionId.FILTER, self.table, self.filters.search.setFocus)
        again = key_action(look, ActionId.READ_AGAIN, self, self.ask)
        again.setShortcutVisibleInContextMenu(False)

    def row_menu(self) -> QMenu:
        """Every action of the chosen row, made anew."""
        menu = QMenu(self.table)
        menu.addActions(list(self._row_actions))
        menu.aboutToHide.connect(menu.deleteLater)
        return menu

    def _on_menu(self, point: QPoint) -> None:
        """At the pointer, or by the Menu key where Qt puts it."""
        index = self.table.indexAt(point)
        if index.isValid():
            self.table.setCurrentIndex(index)
        if self.person() is not None:
            self.row_menu().popup(self.table.viewport().mapToGlobal(point))

    def _on_search_entered(self) -> None:
        if self.model.rows():
            self.table.setFocus()

    def _on_chosen(self, person_id: PersonId | None) -> None:
        self._memory.keep_text("people/chosen", str(person_id or ""))

    def _on_failed(self, fault: Fault) -> None:
        self.read_failed.emit(fault)

    def _chosen(self) -> PersonId | None:
        current = self.table.rows.current_row_id()
        if current is not None:
            return PersonId(current)
        kept = self._memory.text("people/chosen")
        return PersonId(int(kept)) if kept.isdigit() else None

    def _choose(self, person_id: PersonId) -> None:
        row = self.model.row_of(person_id)
        if row is not None and row != self.table.currentIndex().row():
            self.table.setCurrentIndex(self.model.index(row, 0))
