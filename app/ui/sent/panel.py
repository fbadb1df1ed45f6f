"""The section Sent: what went out, or was stopped before it did, and why."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.domain.ids import LocationId, MessageId
from app.domain.lines import MessageLine
from app.ui.actions import ActingGate, ActionId, key_action
from app.ui.beside import Beside
from app.ui.components.page_head import PageHead
from app.ui.components.views import StopTable
from app.ui.desk import Desk
from app.ui.look import Look
from app.ui.people.presses import Presses
from app.ui.people.whom import Whom, whom_of
from app.ui.rows_panel import Question, RowParts, RowsPanel
from app.ui.sent.filter_row import SentFilters
from app.ui.sent.model import SentModel, sent_columns
from app.ui.sent.nothing import NothingSent
from app.ui.sent.reading import SentListing, SentTold, count_sent, find_sent, read_messages, read_sent
from app.ui.window_memory import WindowMemory

SENT = "sent"


class SentPanel(RowsPanel[MessageId, MessageLine, SentTold]):
    """Every message, newest first, with the trace of the chosen one beside it."""

    key = SENT
    chooses_first = True

    def __init__(self, look: Look, desk: Desk, presses: Presses, memory: WindowMemory, gate: ActingGate) -> None:
        super().__init__(look, desk, presses, memory, gate)
        told = self.tr("Everything that went out, or was stopped before it did")
        self.head = PageHead(look, self.tr("Sent"), told)
        self.filters = SentFilters(look, memory)
        self._nothing = NothingSent(look)
        columns = sent_columns((self.tr("When"), self.tr("Person"), self.tr("Message"), self.tr("Outcome")))
        table = StopTable(look, columns, name=self.tr("Sent"))
        beside = Beside(look, self._list_side(), self.trace, memory, SENT)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(beside, 1)
        self.filters.asked.connect(self.ask)
        self.filters.news.clicked.connect(self.ask)
        self.filters.search.returnPressed.connect(self._into_list)
        self._nothing.everything_wanted.connect(self.filters.show_everything)
        self._rows = SentModel(desk, columns, self)
        self.set_up(
            RowParts(self._rows, table, beside, self.filters, self._nothing, partial(read_messages, desk.open_reader))
        )
        if memory.text("sent/trace", "open") == "open":
            beside.keep_open()
        key_action(look, ActionId.FILTER, table, self.filters.search.setFocus)

    def set_location(self, location_id: LocationId | None) -> None:
        """The location chosen on the rail."""
        self.filters.set_location(location_id)

    def question(self) -> Question[MessageId, MessageLine, SentTold]:
        """The messages under search and filter."""
        query, open_reader, clock = self.filters.query, self._desk.open_reader, self._desk.clock
        return Question(
            read=lambda: read_sent(open_reader, query, clock.now()),
            find=lambda: find_sent(open_reader, query),
            count=lambda: count_sent(open_reader, query, clock.now()),
        )

    def whom(self, line: MessageLine) -> Whom:
        """To whom the message is."""
        return whom_of(line)

    def put_rows(self, listing: SentListing) -> None:
        """Rows, or why there are none."""
        self._rows.set_search(self.filters.query.search.strip())
        self.model.show(listing.ids, listing.lines)
        if not listing.ids:
            self._nothing.show_why(self.filters.query, listing.counts, self._desk.now())

    def show_told(self, told: SentTold, new: int) -> None:
        """Chips and news."""
        self.filters.show_counts(told.found)
        self.filters.news.show_news(new)

    def explain(self, line: MessageLine) -> None:
        """Its trace."""
        self.trace.show_message(line.id)

    def _list_side(self) -> QWidget:
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.filters)
        column.addWidget(self.loading)
        column.addWidget(self.stack, 1)
        return side

    def _into_list(self) -> None:
        if self.model.rows():
            self.focus_list()
