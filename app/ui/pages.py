"""A long list, of which only pages of 200 lines are kept: ids stand still, lines are read when they are looked at.

So rows don't shift while the engine writes, and a list of 100,000 costs what a screen of it costs (PLATFORM.md 5).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from app.ui.bridge import Bridge
from app.ui.faults import Fault

Id = TypeVar("Id", bound=int)
Line = TypeVar("Line")

PAGE = 200
_KEPT = 20  # pages


class Pages(QObject, Generic[Id, Line]):
    """Lines by row. On the UI thread; `read` runs on a reader and gives lines by id, those that are gone left out.

    Signals: `came(first, last)`, rows whose lines are new; `failed(Fault)`.
    """

    came = Signal(int, int)
    failed = Signal(object)

    def __init__(
        self, bridge: Bridge, read: Callable[[Sequence[Id]], Mapping[Id, Line]], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._read = read
        self._ids: Sequence[Id] = ()
        self._rows: dict[Id, int] | None = None
        self._pages: OrderedDict[int, list[Line | None]] = OrderedDict()
        self._stale: set[int] = set()
        self._asked: set[int] = set()
        self._shown = 0

    @property
    def ids(self) -> Sequence[Id]:
        """Every row's id, in order."""
        return self._ids

    def show(self, ids: Sequence[Id], lines: Mapping[Id, Line]) -> None:
        """Other rows. lines: those that are fresh, of the first page at least.

        What is known of the others shows until it is read again: a list that is read anew is blank nowhere.
        """
        known = {**self._known(), **lines}
        self._ids = ids
        self._rows = None
        self._shown += 1
        self._pages.clear()
        self._stale.clear()
        self._asked.clear()
        for page in sorted({row // PAGE for row, id_ in enumerate(ids) if id_ in known})[:_KEPT]:
            of_page = self._of(page)
            self._keep(page, [known.get(id_) for id_ in of_page])
            if any(id_ not in lines for id_ in of_page):
                self._stale.add(page)

    def row_of(self, id_: Id) -> int | None:
        """Where an id stands; None when it isn't in the list."""
        if self._rows is None:
            self._rows = {each: row for row, each in enumerate(self._ids)}
        return self._rows.get(id_)

    def line(self, row: int) -> Line | None:
        """The line of a row; None while it is still being read. Stale ones stay until their page is read again."""
        page, at = divmod(row, PAGE)
        kept = self._pages.get(page)
        if kept is None:
            self._ask(page)
            return None
        self._pages.move_to_end(page)
        if page in self._stale:
            self._ask(page)
        return kept[at] if at < len(kept) else None

    def known(self, id_: Id) -> Line | None:
        """The line of an id, if it is at hand. Reads nothing."""
        row = self.row_of(id_)
        if row is None:
            return None
        page, at = divmod(row, PAGE)
        kept = self._pages.get(page)
        return kept[at] if kept is not None and at < len(kept) else None

    def grow_stale(self) -> None:
        """Something changed: each page is read again when it is next looked at, and shows what it has until then."""
        self._stale.update(self._pages)

    def put(self, id_: Id, line: Line) -> None:
        """One line that was read by itself: what was just pressed shows before its page is read again."""
        row = self.row_of(id_)
        if row is None:
            return
        page, at = divmod(row, PAGE)
        kept = self._pages.get(page)
        if kept is not None and at < len(kept):
            kept[at] = line
            self.came.emit(row, row)

    def _known(self) -> dict[Id, Line]:
        """Every line at hand, by its id."""
        return {
            id_: line
            for page, kept in self._pages.items()
            for id_, line in zip(self._of(page), kept, strict=True)
            if line is not None
        }

    def _of(self, page: int) -> Sequence[Id]:
        return self._ids[page * PAGE : (page + 1) * PAGE]

    def _ask(self, page: int) -> None:
        if page in self._asked:
            return
        self._asked.add(page)
        self._stale.discard(page)
        ids, read = list(self._of(page)), self._read
        self._bridge.read(self, lambda: read(ids), partial(self._on_read, self._shown, page), self._on_failed)

    def _on_read(self, shown: int, page: int, lines: Mapping[Id, Line]) -> None:
        if shown != self._shown:
            return
        self._asked.discard(page)
        before = self._pages.get(page) or [None] * len(self._of(page))
        found = [lines.get(id_, old) for id_, old in zip(self._of(page), before, strict=True)]
        self._keep(page, found)
        if found != before:
            self.came.emit(page * PAGE, page * PAGE + len(found) - 1)

    def _on_failed(self, fault: Fault) -> None:
        self._asked.clear()
        self.failed.emit(fault)

    def _keep(self, page: int, lines: list[Line | None]) -> None:
        self._pages[page] = lines
        self._pages.move_to_end(page)
        while len(self._pages) > _KEPT:
            gone, _ = self._pages.popitem(last=False)
            self._stale.discard(gone)
