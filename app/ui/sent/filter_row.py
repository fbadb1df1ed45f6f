"""Over the list of messages: search, chips with counts, what is new."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from app.domain.ids import LocationId
from app.domain.lines import SentCounts, SentFilter, SentQuery
from app.ui.components.fields import SearchField
from app.ui.components.segments import FilterChips, Segment
from app.ui.look import Look
from app.ui.measures import Space
from app.ui.news_button import NewsButton
from app.ui.window_memory import WindowMemory


class SentFilters(QFrame):
    """Signals: `asked()`, the query is another."""

    asked = Signal()

    def __init__(self, look: Look, memory: WindowMemory, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._memory = memory
        self._query = _remembered(memory)
        self.setProperty("rule", "below")
        row = QHBoxLayout(self)
        row.setContentsMargins(Space.PAGE, 10, Space.PAGE, 10)
        row.setSpacing(Space.S)
        self.search = SearchField(look, self.tr("Person or message"), name=self.tr("Search messages"))
        self.search.setProperty("small", True)
        self.search.setText(self._query.search)
        self.chips = FilterChips(look, self._segments(None), self._query.only.value, name=self.tr("Which messages"))
        self.news = NewsButton(look)
        middle = Qt.AlignmentFlag.AlignVCenter
        row.addWidget(self.search, 1, middle)
        row.addWidget(self.chips, 0, middle)
        row.addWidget(self.news, 0, middle)
        self.search.textChanged.connect(self._on_search)
        self.chips.chosen.connect(self._on_chip)

    @property
    def query(self) -> SentQuery:
        """What the list is asked for."""
        return self._query

    def set_location(self, location_id: LocationId | None) -> None:
        """Only this location's messages; None: everyone's."""
        self._ask(replace(self._query, location_id=location_id))

    def show_everything(self) -> None:
        """Every message, whatever was searched for."""
        self.chips.choose(SentFilter.ALL.value)
        self._ask(replace(self._query, only=SentFilter.ALL, search=""))
        self.search.clear()

    def show_counts(self, counts: SentCounts) -> None:
        """The figures on the chips."""
        self.chips.show_segments(self._segments(counts), self._query.only.value)

    def _ask(self, query: SentQuery) -> None:
        if query == self._query:
            return
        self._query = query
        self._memory.keep_text("sent/search", query.search)
        self._memory.keep_text("sent/filter", query.only.value)
        self.asked.emit()

    def _on_search(self, text: str) -> None:
        self._ask(replace(self._query, search=text))

    def _on_chip(self, key: str) -> None:
        self._ask(replace(self._query, only=SentFilter(key)))

    def _segments(self, counts: SentCounts | None) -> list[Segment]:
        return [
            Segment(SentFilter.ALL.value, self.tr("All")),
            Segment(SentFilter.NOT_SENT.value, self.tr("Not sent"), f"{counts.not_sent:,}" if counts else ""),
            Segment(SentFilter.PROBLEMS.value, self.tr("Problems"), f"{counts.problems:,}" if counts else ""),
        ]


def _remembered(memory: WindowMemory) -> SentQuery:
    chips = {each.value: each for each in SentFilter}
    return SentQuery(
        only=chips.get(memory.text("sent/filter"), SentFilter.ALL),
        search=memory.text("sent/search"),
    )
