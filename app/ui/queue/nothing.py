"""What stands where the queue is empty: nobody waits at all, or nobody under these filters."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.domain.lines import QueueFilter, QueueQuery
from app.ui.components.buttons import plain_button
from app.ui.components.empty_state import EmptyState
from app.ui.components.labels import Run
from app.ui.empty_place import EmptyPlace
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.queue.reading import QueueTold


class NobodyWaits(EmptyPlace):
    """Signal: `everything_wanted()`: take the filters off."""

    everything_wanted = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look

    def show_why(self, query: QueueQuery, told: QueueTold) -> None:
        """Says why nobody is here, and what to do."""
        self.put(self._made(query, told))

    def _made(self, query: QueueQuery, told: QueueTold) -> EmptyState:
        if not told.all.everything:
            if query.location_id is not None:
                return EmptyState(self._look, Icon.QUEUE, self.tr("Nobody is waiting at this location"))
            words = (
                Run(self.tr("New people join through Groups or ")),
                Run(self.tr("Add person"), bold=True),
                Run("."),
            )
            return EmptyState(self._look, Icon.QUEUE, self.tr("Nobody is waiting"), words)
        titles = {
            QueueFilter.DUE_NOW: self.tr("Nothing is due now"),
            QueueFilter.HELD: self.tr("Nothing is held"),
            QueueFilter.WAITING: self.tr("Nothing waits for a time"),
            QueueFilter.WITH_STAFF: self.tr("Nobody waits for an answer"),
        }
        title = titles.get(query.only, self.tr("Nobody is waiting here"))
        narrowed = query.journey_id is not None or query.channel is not None
        where = (Run(self.tr("In this journey and channel.")),) if narrowed else ()
        button = plain_button(self._look, self.tr("Show everything"), Icon.QUEUE)
        button.clicked.connect(self.everything_wanted)
        return EmptyState(self._look, Icon.QUEUE, title, where, (button,))
