"""Over the list of people: search, chips with counts, what is new, the order."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QWidget

from app.domain.ids import LocationId
from app.domain.lines import PeopleCounts, PeopleFilter, PeopleQuery
from app.ui.components.button_paint import ButtonFace, ButtonKind, ButtonSize
from app.ui.components.buttons import Button, tool_button
from app.ui.components.fields import SearchField
from app.ui.components.labels import ElidedLabel
from app.ui.components.segments import FilterChips, Segment
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Space, Type
from app.ui.window_memory import WindowMemory
from app.ui.words import many

_SEARCH_WIDE, _SEARCH_LEAST = 300, 180


class FilterRow(QFrame):
    """Signals: `asked()`, the query is another; `news_wanted()`, the new rows are to be shown."""

    asked = Signal()
    news_wanted = Signal()

    def __init__(self, look: Look, memory: WindowMemory, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._memory = memory
        self._query = _remembered(memory)
        self.setProperty("rule", "below")
        row = QHBoxLayout(self)
        row.setContentsMargins(Space.PAGE, Space.M, Space.PAGE, Space.M)
        row.setSpacing(Space.S)
        self.search = SearchField(look, self.tr("Name, phone, email"), name=self.tr("Search people"))
        self.search.setText(self._query.search)
        self.search.setMaximumWidth(look.px(_SEARCH_WIDE))
        self.search.setMinimumWidth(look.px(_SEARCH_LEAST))
        self.chips = FilterChips(look, self._segments(None), self._query.only.value, name=self.tr("Which people"))
        self.news = Button(look, ButtonFace("0", Icon.AGAIN, ButtonKind.PLAIN, ButtonSize.ROW, "F5"))
        self.news.hide()
        self._sorted = ElidedLabel(look, "", Type.SECOND, "text2")
        self._order = tool_button(look, Icon.SORT, self.tr("Order"), edged=True)
        middle = Qt.AlignmentFlag.AlignVCenter
        row.addWidget(self.search, 100)
        row.addWidget(self.chips, 0, middle)
        row.addStretch(1)
        row.addWidget(self.news, 0, middle)
        row.addWidget(self._sorted, 0, middle)
        row.addWidget(self._order, 0, middle)
        self.search.textChanged.connect(self._on_search)
        self.chips.chosen.connect(self._on_filter)
        self.news.clicked.connect(self.news_wanted)
        self._order.clicked.connect(self._on_order)
        self._show_order()

    @property
    def query(self) -> PeopleQuery:
        """What the list is asked for."""
        return self._query

    def set_location(self, location_id: LocationId | None) -> None:
        """Only this location's people; None: everyone's."""
        self._ask(replace(self._query, location_id=location_id))

    def set_filter(self, only: PeopleFilter) -> None:
        """Another chip."""
        self.chips.choose(only.value)
        self._on_filter(only.value)

    def show_counts(self, counts: PeopleCounts) -> None:
        """The figures on the chips."""
        self.chips.show_segments(self._segments(counts), self._query.only.value)

    def show_news(self, new: int) -> None:
        """“4 new”, or nothing."""
        self.news.setVisible(new > 0)
        words = many(new, self.tr("1 new"), self.tr("{count} new"))
        self.news.set_words(words, self.tr("{news}, show them").format(news=words))

    def order_menu(self) -> QMenu:
        """The orders to choose from, made anew."""
        menu = QMenu(self)
        for key, words in self._orders().items():
            action = menu.addAction(words)
            action.setCheckable(True)
            action.setChecked(key == self._query.sort)
            action.triggered.connect(partial(self._on_sort, key))
        return menu

    def _ask(self, query: PeopleQuery) -> None:
        if query == self._query:
            return
        self._query = query
        self._memory.keep_text("people/search", query.search)
        self._memory.keep_text("people/filter", query.only.value)
        self._memory.keep_text("people/sort", query.sort)
        self.asked.emit()

    def _on_search(self, text: str) -> None:
        self._ask(replace(self._query, search=text))

    def _on_filter(self, key: str) -> None:
        self._ask(replace(self._query, only=PeopleFilter(key)))

    def _on_sort(self, key: str, _checked: bool = False) -> None:
        self._ask(replace(self._query, sort=key))
        self._show_order()

    def _on_order(self) -> None:
        self.order_menu().popup(self._order.mapToGlobal(self._order.rect().bottomLeft()))

    def _show_order(self) -> None:
        words = self._orders()[self._query.sort]
        self._sorted.set_words(self.tr("Sorted {order}").format(order=words[:1].lower() + words[1:]))

    def _orders(self) -> dict[str, str]:
        return {
            "next": self.tr("By next"),
            "name": self.tr("By name"),
            "location": self.tr("By location"),
            "newest": self.tr("By newest first"),
        }

    def _segments(self, counts: PeopleCounts | None) -> list[Segment]:
        figures = counts or PeopleCounts(0, 0, 0, 0, 0, 0)
        chips = (
            (PeopleFilter.ALL, self.tr("All"), figures.everyone),
            (PeopleFilter.RUNNING, self.tr("Running"), figures.running),
            (PeopleFilter.WITH_STAFF, self.tr("With staff"), figures.with_staff),
            (PeopleFilter.HELD, self.tr("Held"), figures.held),
            (PeopleFilter.ENDED, self.tr("Ended"), figures.ended),
        )
        return [Segment(only.value, words, f"{count:,}" if counts else "") for only, words, count in chips]


def _remembered(memory: WindowMemory) -> PeopleQuery:
    only, sort = memory.text("people/filter"), memory.text("people/sort")
    chips = {each.value: each for each in PeopleFilter if each is not PeopleFilter.NOT_CONTACTED}
    return PeopleQuery(
        search=memory.text("people/search"),
        only=chips.get(only, PeopleFilter.RUNNING if not only else PeopleFilter.ALL),
        sort=sort if sort in ("next", "name", "location", "newest") else "next",
    )
