"""A column of cards that is shown again and again: a card whose facts are the same stays, with its focus.

So a page can follow the engine's work without taking away what somebody reads or presses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.ui.components.labels import label
from app.ui.measures import Space, Type


@dataclass(frozen=True, slots=True)
class CardSpec:
    """A card: its key in the stack, what it shows (compared by `==`), and how it is made."""

    key: str
    facts: object
    make: Callable[[], QWidget]


class CardStack(QWidget):
    """Cards below each other, `gap` px apart."""

    def __init__(self, gap: int = Space.CARDS, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(gap)
        self._column.addStretch(1)
        self._shown: dict[str, tuple[object, QWidget]] = {}

    def show_cards(self, cards: Sequence[CardSpec]) -> None:
        """Show these, in this order."""
        wanted = {card.key for card in cards}
        for key in [key for key in self._shown if key not in wanted]:
            self._take_out(key)
        for at, card in enumerate(cards):
            kept = self._shown.get(card.key)
            if kept is not None and kept[0] != card.facts:
                self._take_out(card.key)
                kept = None
            if kept is None:
                kept = (card.facts, card.make())
                self._shown[card.key] = kept
            if self._column.indexOf(kept[1]) != at:
                self._column.removeWidget(kept[1])
                self._column.insertWidget(at, kept[1])
                kept[1].show()

    def card(self, key: str) -> QWidget | None:
        """A card by its key."""
        kept = self._shown.get(key)
        return kept[1] if kept is not None else None

    def _take_out(self, key: str) -> None:
        _, widget = self._shown.pop(key)
        self._column.removeWidget(widget)
        widget.hide()
        widget.deleteLater()


class Card(QFrame):
    """A surface with an edge. `head` is its first row; put the rest into `body`."""

    def __init__(self, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(0)
        self.head = QHBoxLayout()
        self.head.setContentsMargins(Space.CARD_H, Space.M, Space.CARD_H, Space.S)
        self.head.setSpacing(Space.S)
        if title:
            self.setAccessibleName(title)
            self.head.addWidget(label(title, Type.TITLE))
            self.body.addLayout(self.head)

    def add_row(self, row: QWidget, *, line: bool = True) -> None:
        """A row across the card, with a hairline above it."""
        if line and self.body.count():
            self.body.addWidget(hairline())
        self.body.addWidget(row)


def hairline() -> QFrame:
    """A line across a card."""
    made = QFrame()
    made.setProperty("line", True)
    return made


def padded(top: int = Space.M, bottom: int = Space.M) -> tuple[QWidget, QVBoxLayout]:
    """A piece of a card with the card's own margins, and the column to fill."""
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(Space.CARD_H, top, Space.CARD_H, bottom)
    column.setSpacing(Space.XS)
    return holder, column
