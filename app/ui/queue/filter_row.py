"""Over the queue: chips with counts, what is new, the journey and the channel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from app.domain.ids import JourneyId, LocationId
from app.domain.lines import QueueCounts, QueueFilter, QueueQuery
from app.domain.states import Channel
from app.ui.components.fields import Select
from app.ui.components.segments import FilterChips, Segment
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Space
from app.ui.news_button import NewsButton
from app.ui.queue.reading import count_of
from app.ui.window_memory import WindowMemory
from app.ui.words import capital, channels_word

_CHANNELS = (Channel.SMS, Channel.EMAIL, Channel.CALL)


class QueueFilters(QFrame):
    """Signals: `asked()`, the query is another."""

    asked = Signal()

    def __init__(self, look: Look, memory: WindowMemory, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._memory = memory
        self._query = _remembered(memory)
        self._known: tuple[tuple[JourneyId, str], ...] = ()
        self.setProperty("rule", "below")
        row = QHBoxLayout(self)
        row.setContentsMargins(Space.PAGE, 10, Space.PAGE, 10)
        row.setSpacing(Space.S)
        self.chips = FilterChips(look, self._segments(None), self._query.only.value, name=self.tr("Which follow-ups"))
        self.news = NewsButton(look)
        self.journeys = Select(look, name=self.tr("Journey"), small=True)
        self.channels = Select(look, name=self.tr("Channel"), small=True)
        row.addWidget(self.chips, 1)
        for widget in (self.news, self.journeys, self.channels):
            row.addWidget(widget, 0, Qt.AlignmentFlag.AlignTop)
        self._fill_channels()
        self.show_journeys(())
        self.chips.chosen.connect(self._on_chip)
        self.journeys.activated.connect(self._on_journey)
        self.channels.activated.connect(self._on_channel)

    @property
    def query(self) -> QueueQuery:
        """What the queue is asked for."""
        return self._query

    def set_location(self, location_id: LocationId | None) -> None:
        """Only this location's people; None: everyone's."""
        self._ask(replace(self._query, location_id=location_id))

    def show_everything(self) -> None:
        """No filter at all, but for the location."""
        self.chips.choose(QueueFilter.EVERYTHING.value)
        self.journeys.setCurrentIndex(0)
        self.channels.setCurrentIndex(0)
        self._ask(QueueQuery(location_id=self._query.location_id))

    def show_counts(self, counts: QueueCounts) -> None:
        """The figures on the chips."""
        self.chips.show_segments(self._segments(counts), self._query.only.value)

    def show_journeys(self, journeys: Sequence[tuple[JourneyId, str]]) -> None:
        """The journeys to choose from. The chosen one stays, also when it is among them no more."""
        wanted = tuple(journeys)
        chosen = self._query.journey_id
        if chosen is not None and chosen not in dict(wanted):
            kept = [each for each in self._known if each[0] == chosen]
            wanted = (*wanted, *kept) if kept else (*wanted, (chosen, self.tr("A journey that is gone")))
        if wanted == self._known and self.journeys.count():
            return
        self._known = wanted
        self.journeys.clear()
        self.journeys.addItem(self.tr("Every journey"), None)
        for id_, name in wanted:
            self.journeys.addItem(name, id_)
            if id_ == chosen:
                self.journeys.setCurrentIndex(self.journeys.count() - 1)
        self.journeys.updateGeometry()

    def _fill_channels(self) -> None:
        self.channels.addItem(self.tr("Every channel"), None)
        for channel in _CHANNELS:
            self.channels.addItem(capital(channels_word(channel)), channel)
            if channel is self._query.channel:
                self.channels.setCurrentIndex(self.channels.count() - 1)

    def _ask(self, query: QueueQuery) -> None:
        if query == self._query:
            return
        self._query = query
        self._memory.keep_text("queue/filter", query.only.value)
        self._memory.keep_text("queue/journey", str(query.journey_id or ""))
        self._memory.keep_text("queue/channel", query.channel.value if query.channel else "")
        self.asked.emit()

    def _on_chip(self, key: str) -> None:
        self._ask(replace(self._query, only=QueueFilter(key)))

    def _on_journey(self, _at: int) -> None:
        self._ask(replace(self._query, journey_id=self.journeys.currentData()))

    def _on_channel(self, _at: int) -> None:
        chosen = self.channels.currentData()
        self._ask(replace(self._query, channel=Channel(chosen) if chosen else None))

    def _segments(self, counts: QueueCounts | None) -> list[Segment]:
        chips = (
            (QueueFilter.EVERYTHING, self.tr("Everything"), None),
            (QueueFilter.DUE_NOW, self.tr("Due now"), None),
            (QueueFilter.HELD, self.tr("Held"), Icon.STATE_HOLD),
            (QueueFilter.WAITING, self.tr("Waiting for a time"), None),
            (QueueFilter.WITH_STAFF, self.tr("With staff"), None),
        )
        return [
            Segment(only.value, words, f"{count_of(only, counts):,}" if counts else "", icon)
            for only, words, icon in chips
        ]


def _remembered(memory: WindowMemory) -> QueueQuery:
    chips, channels = {each.value: each for each in QueueFilter}, {each.value: each for each in Channel}
    journey = memory.text("queue/journey")
    return QueueQuery(
        only=chips.get(memory.text("queue/filter"), QueueFilter.EVERYTHING),
        journey_id=JourneyId(int(journey)) if journey.isdigit() else None,
        channel=channels.get(memory.text("queue/channel")),
    )
