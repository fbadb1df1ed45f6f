"""Reads what a list asks for, on a reader: the last question counts, and at most one is on its way.

Asked anew it replaces the rows. Compared, it only tells how many rows would be new: the list itself stands still.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

from app.ui.bridge import Bridge
from app.ui.faults import Fault

Id = TypeVar("Id", bound=int)
Line = TypeVar("Line")
Counts = TypeVar("Counts")

COMPARE_MS = 1000  # counting everyone costs more than reading a screen: at most this often,
REST = 9  # and never for more than a tenth of the time, however long the list is


@dataclass(frozen=True, slots=True)
class Listing(Generic[Id, Line, Counts]):
    """An answer: every id in order, the lines of the first page, and the counts on the chips."""

    ids: Sequence[Id]
    lines: Mapping[Id, Line]
    counts: Counts


@dataclass(frozen=True, slots=True)
class Compared(Generic[Counts]):
    """What asking again would show: counts, and how many rows that are not in the list yet."""

    counts: Counts
    new: int


class ListFeed(QObject, Generic[Id, Line, Counts]):
    """Signals: `came(Listing)`; `compared(Compared)`; `failed(Fault)`; `reading(bool)` while a question is open."""

    came = Signal(object)
    compared = Signal(object)
    failed = Signal(object)
    reading = Signal(bool)

    def __init__(self, bridge: Bridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._question: Callable[[], Listing[Id, Line, Counts]] | None = None
        self._asked = 0
        self._open = False
        self._comparing = False
        self._compare_timer = QTimer(self)
        self._compare_timer.setSingleShot(True)
        self._compare_timer.setInterval(COMPARE_MS)
        self._compare_timer.timeout.connect(self._compare_now)
        self._began = QElapsedTimer()
        self._count: Callable[[], Counts] | None = None
        self._find: Callable[[], Sequence[Id]] | None = None
        self._known: Callable[[], Sequence[Id]] | None = None

    def ask(self, question: Callable[[], Listing[Id, Line, Counts]]) -> None:
        """Ask for rows. A question still on its way is dropped when it comes; this one goes out right after it."""
        self._question = question
        self._asked += 1
        self._compare_timer.stop()
        if not self._open:
            self._send()

    def compare_with(
        self, find: Callable[[], Sequence[Id]], count: Callable[[], Counts], known: Callable[[], Sequence[Id]]
    ) -> None:
        """How `compare` looks: `find` and `count` on a reader, `known` (the ids in the list) on the UI thread."""
        self._find, self._count, self._known = find, count, known

    def compare(self) -> None:
        """Something changed: look soon whether there are rows to tell of, within a second where lists are short."""
        if not self._compare_timer.isActive():
            self._compare_timer.start()

    def _send(self) -> None:
        question = self._question
        if question is None:
            return
        self._open = True
        self.reading.emit(True)
        number = self._asked
        self._bridge.read(self, question, partial(self._on_came, number), partial(self._on_failed, number))

    def _on_came(self, number: int, listing: Listing[Id, Line, Counts]) -> None:
        self._open = False
        if number != self._asked:
            self._send()
            return
        self.reading.emit(False)
        self.came.emit(listing)

    def _on_failed(self, number: int, fault: Fault) -> None:
        self._open = False
        if number != self._asked:
            self._send()
            return
        self.reading.emit(False)
        self.failed.emit(fault)

    def _compare_now(self) -> None:
        find, count, known = self._find, self._count, self._known
        if find is None or count is None or known is None or self._open:
            return
        if self._comparing:
            self._compare_timer.start()
            return
        self._comparing = True
        self._began.start()
        ids, number = known(), self._asked

        def look() -> Compared[Counts]:
            return Compared(count(), len(set(find()).difference(ids)))

        self._bridge.read(self, look, partial(self._on_compared, number), self._on_compare_failed)

    def _on_compared(self, number: int, compared: Compared[Counts]) -> None:
        self._comparing = False
        self._compare_timer.setInterval(max(COMPARE_MS, REST * self._began.elapsed()))
        if number == self._asked:
            self.compared.emit(compared)

    def _on_compare_failed(self, fault: Fault) -> None:
        self._comparing = False
        self.failed.emit(fault)
