"""What is pressed in the rows of a table: Stop and the other acts for the person, by button, key and row menu."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QPoint, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from app.domain.ids import PersonId
from app.ui.actions import ActingGate, ActionId, action_spec, key_action
from app.ui.bridge import Bridge
from app.ui.components.views import StopTable
from app.ui.line_model import LineModel
from app.ui.look import Look
from app.ui.people.presses import Presses
from app.ui.people.whom import Whom


@dataclass(frozen=True, slots=True)
class RowsOf:
    """The rows that are worked. whom: the person of a line. read: lines by id, on a reader."""

    table: StopTable
    model: LineModel[Any, Any]
    whom: Callable[[Any], Whom]
    read: Callable[[Sequence[Any]], Mapping[Any, Any]]


class RowActs(QObject):
    """Signals: `person_wanted(person_id, panel)`, as `ListPanel.person_opened`; `why_wanted()`; `failed(Fault)`."""

    person_wanted = Signal(object, str)
    why_wanted = Signal()
    failed = Signal(object)

    def __init__(self, rows: RowsOf, presses: Presses, bridge: Bridge, parent: QObject) -> None:
        super().__init__(parent)
        self._rows = rows
        self._presses = presses
        self._bridge = bridge
        self._actions: list[QAction] = []
        hands = rows.table.rows
        hands.stop_pressed.connect(self._on_stop)
        hands.row_opened.connect(self.open)
        rows.table.customContextMenuRequested.connect(self._on_menu)
        presses.begun.connect(self._on_begun)
        presses.settled.connect(self._on_settled)

    def add_keys(self, look: Look, gate: ActingGate) -> None:
        """The letters of a person in hand, on the table and its buttons."""
        presses = self._presses
        acts: tuple[tuple[ActionId, Callable[[int], object]], ...] = (
            (ActionId.WHY, lambda _id: self.why_wanted.emit()),
            (ActionId.STOP, self._on_stop),
            (ActionId.BOOKED, lambda id_: self._with(id_, presses.reach_goal)),
            (ActionId.HANDLED, lambda id_: self._with(id_, presses.handled)),
            (ActionId.HOLD, lambda id_: self.open(id_, "hold")),
            (ActionId.OPT_OUT, lambda id_: self.open(id_, "opt_out")),
            (ActionId.START_AGAIN, lambda id_: self.open(id_, "start_again")),
        )
        # Enter is the table's own: bound here it would take the key from a row's button
        opens = QAction(action_spec(ActionId.OPEN).words, self._rows.table)
        opens.triggered.connect(partial(self._with_chosen, self.open))
        self._actions = [opens]
        for action, do in acts:
            self._actions.append(key_action(look, action, self._rows.table, partial(self._with_chosen, do), gate))

    def chosen(self) -> int | None:
        """The id of the chosen row."""
        return self._rows.table.rows.current_row_id()

    def chosen_whom(self) -> Whom | None:
        """The person of the chosen row."""
        chosen = self.chosen()
        line = self._rows.model.line_of(chosen) if chosen is not None else None
        return self._rows.whom(line) if line is not None else None

    def choose(self, id_: int) -> bool:
        """Choose a row by its id; False when it isn't in the list."""
        row = self._rows.model.row_of(id_)
        if row is None:
            return False
        if row != self._rows.table.currentIndex().row():
            self._rows.table.setCurrentIndex(self._rows.model.index(row, 0))
        return True

    def open(self, id_: int, panel: str = "") -> None:
        """Show the page of a row's person. panel: which panel is open there."""
        self.choose(id_)
        self._with(id_, lambda whom: self.person_wanted.emit(whom.id, panel))

    def menu(self) -> QMenu:
        """Every action of the chosen row, made anew."""
        menu = QMenu(self._rows.table)
        menu.addActions(self._actions)
        menu.aboutToHide.connect(menu.deleteLater)
        return menu

    def _on_menu(self, point: QPoint) -> None:
        """At the pointer; by the Menu key at the chosen row."""
        table = self._rows.table
        index = table.indexAt(point)
        if index.isValid() and self._rows.model.row_id(index.row()) is not None:
            table.setCurrentIndex(index)
        if self.chosen() is not None:
            self.menu().popup(table.viewport().mapToGlobal(point))

    def _on_stop(self, id_: int) -> None:
        self._with(id_, self._presses.stop)

    @Slot(object)
    def _on_begun(self, person_id: PersonId) -> None:
        self._rows.model.set_pressed(person_id, True)

    @Slot(object)
    def _on_settled(self, person_id: PersonId) -> None:
        """Committed: this person's rows first, before anything else is read again."""
        ids, read = list(self._rows.model.shown_of(person_id)), self._rows.read
        if ids:
            done = partial(self._on_rows_read, person_id)
            self._bridge.read(self, lambda: read(ids), done, self.failed.emit)
        else:
            self._rows.model.set_pressed(person_id, self._presses.writing(person_id))

    def _on_rows_read(self, person_id: PersonId, lines: Mapping[Any, Any]) -> None:
        self._rows.model.put(lines)
        self._rows.model.set_pressed(person_id, self._presses.writing(person_id))

    def _with(self, id_: int, do: Callable[[Whom], object]) -> None:
        line = self._rows.model.line_of(id_)
        if line is not None:
            do(self._rows.whom(line))

    def _with_chosen(self, do: Callable[[int], object], _checked: bool = False) -> None:
        chosen = self.chosen()
        if chosen is not None:
            do(chosen)
