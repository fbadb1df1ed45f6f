"""The section Queue: who is due when, and what holds them back."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.domain.ids import EnrollmentId, LocationId
from app.domain.lines import QueueCounts, QueueLine
from app.domain.states import LIVE
from app.ui.actions import ActingGate, ActionId, key_action
from app.ui.beside import Beside
from app.ui.components.labels import Run
from app.ui.components.page_head import PageHead
from app.ui.components.views import StopTable
from app.ui.desk import Desk
from app.ui.look import Look
from app.ui.people.presses import Presses
from app.ui.people.whom import Whom, whom_of
from app.ui.queue.filter_row import QueueFilters
from app.ui.queue.hour_bars import HourBars
from app.ui.queue.model import QueueModel, queue_columns
from app.ui.queue.nothing import NobodyWaits
from app.ui.queue.parts import parts_of
from app.ui.queue.reading import QueueListing, QueueTold, count_queue, find_queue, read_queue, read_rows
from app.ui.queue.waiting_words import why_waiting
from app.ui.rows_panel import Question, RowParts, RowsPanel
from app.ui.window_memory import WindowMemory
from app.ui.words import Where, many

QUEUE = "queue"
_TRACE = 330  # narrower than elsewhere: the list has more columns


class QueuePanel(RowsPanel[EnrollmentId, QueueLine, QueueTold]):
    """Every live follow-up, by time. A row that ends stays, with its end, until the list is read anew."""

    key = QUEUE

    def __init__(self, look: Look, desk: Desk, presses: Presses, memory: WindowMemory, gate: ActingGate) -> None:
        super().__init__(look, desk, presses, memory, gate)
        self.head = PageHead(look, self.tr("Queue"))
        self.bars = HourBars(look)
        self.filters = QueueFilters(look, memory)
        self._nobody = NobodyWaits(look)
        columns = queue_columns(
            (self.tr("Due"), self.tr("Person"), self.tr("Step"), self.tr("Location"), self.tr("Held, and until when"))
        )
        table = StopTable(look, columns, name=self.tr("Queue"))
        beside = Beside(look, self._list_side(), self.trace, memory, QUEUE)
        beside.set_first_width(_TRACE)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(beside, 1)
        self.filters.asked.connect(self.ask)
        self.filters.news.clicked.connect(self.ask)
        self._nobody.everything_wanted.connect(self.filters.show_everything)
        model = QueueModel(desk, columns, self)
        self.set_up(RowParts(model, table, beside, self.filters, self._nobody, partial(read_rows, desk.open_reader)))
        key_action(look, ActionId.FILTER, table, self._focus_filters)

    def set_location(self, location_id: LocationId | None) -> None:
        """The location chosen on the rail."""
        self.filters.set_location(location_id)

    def question(self) -> Question[EnrollmentId, QueueLine, QueueTold]:
        """The queue under the filters, at the instant it is read."""
        query, open_reader, clock = self.filters.query, self._desk.open_reader, self._desk.clock
        return Question(
            read=lambda: read_queue(open_reader, query, clock.now()),
            find=lambda: find_queue(open_reader, query, clock.now()),
            count=lambda: count_queue(open_reader, query, clock.now()),
        )

    def whom(self, line: QueueLine) -> Whom:
        """The person in the follow-up."""
        return whom_of(line)

    def put_rows(self, listing: QueueListing) -> None:
        """Rows under their heads."""
        self.model.show(listing.ids, listing.lines, parts_of(listing.counts.days))
        if not listing.ids:
            self._nobody.show_why(self.filters.query, listing.counts)

    def show_told(self, told: QueueTold, new: int) -> None:
        """Title, bars, chips, news."""
        self.head.set_words(self.tr("Queue"), self._line(told.all))
        self.bars.show_hours(told.hours, told.days.zone)
        self.filters.show_counts(told.found)
        self.filters.show_journeys(told.journeys)
        self.filters.news.show_news(new, moved=self.moved(told))

    def _line(self, counts: QueueCounts) -> str:
        if not counts.everything:
            return self.tr("Nothing is running")
        running = many(counts.everything, self.tr("1 follow-up running"), self.tr("{count} follow-ups running"))
        due = self.tr("{count} due now").format(count=f"{counts.due_now:,}")
        held = self.tr("{count} held").format(count=f"{counts.held:,}")
        return f"{running} · {due} · {held}"

    def moved(self, told: QueueTold) -> bool:
        """Whether another number of rows would stand under some head."""
        return tuple(part for part in parts_of(told.days) if part.count) != tuple(self.model.parts)

    def explain(self, line: QueueLine) -> None:
        """The trace of its message; or why there is none yet."""
        if line.message_id is not None:
            self.trace.show_message(line.message_id)
            return
        where = Where(line.zone, self._desk.now())
        whom = whom_of(line)
        self.trace.show_waiting((Run(whom.name, bold=True), Run(why_waiting(line, where))), live=line.state in LIVE)

    def _list_side(self) -> QWidget:
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.bars, self.filters, self.loading):
            column.addWidget(widget)
        column.addWidget(self.stack, 1)
        return side

    def _focus_filters(self) -> None:
        chosen = next((each for each in self.filters.chips.toggles() if each.isChecked()), None)
        if chosen is not None:
            chosen.setFocus()
