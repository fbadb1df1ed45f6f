"""What stands where there are no messages: none at all, none of this kind, none by this search."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.domain.lines import QueueLine, SentFilter, SentQuery
from app.ui.components.buttons import Button, plain_button
from app.ui.components.empty_state import EmptyState
from app.ui.components.labels import Run
from app.ui.empty_place import EmptyPlace
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.sent.reading import SentTold
from app.ui.when import time_words


class NothingSent(EmptyPlace):
    """Signal: `everything_wanted()`: take search and filter off."""

    everything_wanted = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look

    def show_why(self, query: SentQuery, told: SentTold, now: datetime) -> None:
        """Says why there is nothing, and what to do."""
        self.put(self._made(query, told, now))

    def _made(self, query: SentQuery, told: SentTold, now: datetime) -> EmptyState:
        search = query.search.strip()
        if search:
            title = self.tr("No message for “{search}”").format(search=search)
            words = self.tr("Any part of a name, of a number or of a message’s name finds them.")
            return EmptyState(self._look, Icon.SEARCH, title, (Run(words),), (self._button(),))
        if not told.found.everything:
            first = (Run(self._first(told.first, now)),)
            return EmptyState(self._look, Icon.SENT, self.tr("Nothing has gone out yet"), first)
        if query.only is SentFilter.NOT_SENT:
            words = self.tr("Nobody had stopped before their message, and no guard said no.")
            return EmptyState(self._look, Icon.SENT, self.tr("Nothing was kept back"), (Run(words),), (self._button(),))
        words = self.tr("No message failed, came back, or may have gone out twice.")
        return EmptyState(self._look, Icon.SENT, self.tr("No problems"), (Run(words),), (self._button(),))

    def _first(self, first: QueueLine | None, now: datetime) -> str:
        if first is None or first.at is None:
            return self.tr("Nobody waits for a message.")
        if first.at <= now:
            return self.tr("The first goes out at the next check.")
        return self.tr("The first is due {time}.").format(time=time_words(first.at, first.zone, now))

    def _button(self) -> Button:
        button = plain_button(self._look, self.tr("Show every message"), Icon.SENT)
        button.clicked.connect(self.everything_wanted)
        return button
