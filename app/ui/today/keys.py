"""The keys and buttons of Today: each does what the chosen row is for, in the list and beside it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from app.domain.ids import PersonId
from app.domain.lines import InboxEventLine
from app.ui.actions import ActingGate, ActionId, action_spec, key_action
from app.ui.components.letters import PageLetters
from app.ui.look import Look
from app.ui.people.whom import Whom
from app.ui.today.problem_words import problem_title
from app.ui.today.things import Outage, Reply, Trouble, is_unmatched
from app.ui.today.told import DONE, HANDLED, MATCH, OPEN, RESUME, TRY_NOW

if TYPE_CHECKING:
    from app.ui.today.panel import TodayPanel


class TodayKeys(QObject):
    """Binds them. `panel` is the section they work in."""

    def __init__(self, look: Look, panel: TodayPanel, gate: ActingGate) -> None:
        super().__init__(panel)
        self._panel = panel
        self._letters = PageLetters(panel)
        opens = QAction(action_spec(ActionId.OPEN).words, panel)  # Enter is the list's own
        opens.triggered.connect(partial(self._with_chosen, self.open))
        acts: tuple[tuple[ActionId, Callable[[], object]], ...] = (
            (ActionId.STOP, partial(self._with_chosen, self.stop)),
            (ActionId.HANDLED, self.handle),
            (ActionId.BOOKED, self._booked),
            (ActionId.HOLD, partial(self._with_chosen, partial(self.open, panel="hold"))),
            (ActionId.OPT_OUT, partial(self._with_chosen, partial(self.open, panel="opt_out"))),
            (ActionId.START_AGAIN, partial(self._with_chosen, partial(self.open, panel="start_again"))),
        )
        made = [key_action(look, action, panel, do, gate) for action, do in acts]
        self._row_actions = (opens, *made)
        moves: tuple[tuple[ActionId, Callable[[], object]], ...] = (
            (ActionId.NEXT, partial(panel.step, 1)),
            (ActionId.PREVIOUS, partial(panel.step, -1)),
            (ActionId.FILTER, self._filter),
        )
        self._letters.add(
            *made,
            *panel.late.actions,
            *panel.calls.actions,
            *(key_action(look, action, panel, do) for action, do in moves),
        )
        key_action(look, ActionId.READ_AGAIN, panel, panel.ask)
        self._connect()

    def whom(self) -> Whom | None:
        """The person of the chosen row."""
        id_ = self._panel.list.rows.current_row_id()
        return self._panel.model.whom(id_) if id_ is not None else None

    # acts -------------------------------------------------------------------------------------------------------------

    def stop(self, id_: int) -> None:
        """Stop everything for the person of a row. The choice stays."""
        whom = self._panel.model.whom(id_)
        if whom is not None:
            self._panel.presses.stop(whom)

    def open(self, id_: int, panel: str = "") -> None:
        """The person's page; what stands beside the list, where there is no person or no room for both."""
        row = self._panel.model.row_of(id_)
        if row is not None and row != self._panel.list.currentIndex().row():
            self._panel.choose_row(row)
        whom = self._panel.model.whom(id_)
        if whom is not None and (panel or self._panel.beside.is_open):
            self._panel.person_opened.emit(whom.id, panel)
        else:
            self._panel.beside.open_side()

    def handle(self) -> None:
        """D: a reply is handled, a problem is looked at; then the next row."""
        thing, whom, panel = self._panel.thing(), self.whom(), self._panel
        if thing is None or panel.model.is_settled(thing):
            return
        match thing:
            case Reply() if whom is not None:
                panel.presses.handled(whom)
            case Trouble(event=InboxEventLine() as event) if is_unmatched(thing):
                panel.acts.set_aside(event.id, problem_title(thing, panel.country))
            case Trouble(line):
                panel.acts.done(line.id, problem_title(thing, panel.country))
            case _:
                return
        panel.step(1)

    def try_now(self, id_: int) -> None:
        """Ask the provider of a channel's row about itself."""
        thing = self._panel.model.thing(id_)
        if isinstance(thing, Outage):
            self._panel.trials.try_now(thing.line.channel)

    def match(self, id_: int) -> None:
        """Say whose it is, beside the list."""
        row = self._panel.model.row_of(id_)
        if row is not None:
            self._panel.choose_row(row)
            self._panel.beside.open_side()
            self._panel.matching.open()

    def _on_action(self, id_: int, action: str) -> None:
        """A button of a row that is not Stop."""
        if action == MATCH:
            self.match(id_)
        else:
            self.try_now(id_)

    def _booked(self) -> None:
        whom = self.whom()
        if whom is not None:
            self._panel.presses.reach_goal(whom)

    def _filter(self) -> None:
        chosen = next((each for each in self._panel.only.toggles() if each.isChecked()), None)
        if chosen is not None:
            chosen.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def press(self, action: str) -> None:
        """A button beside the list."""
        match action:
            case str() if action == OPEN:
                self._with_chosen(self._open_page)
            case str() if action in (HANDLED, DONE):
                self.handle()
            case str() if action == TRY_NOW:
                self._with_chosen(self.try_now)
            case str() if action == MATCH:
                self._with_chosen(self.match)
            case str() if action == RESUME:
                self._panel.acts.resume()

    def _open_page(self, id_: int) -> None:
        whom = self._panel.model.whom(id_)
        if whom is not None:
            self._panel.person_opened.emit(whom.id, "")

    # how --------------------------------------------------------------------------------------------------------------

    def _connect(self) -> None:
        panel = self._panel
        rows, detail, presses = panel.list.rows, panel.detail, panel.presses
        rows.stop_pressed.connect(self.stop)
        rows.row_opened.connect(self.open)
        rows.action_pressed.connect(self._on_action)
        panel.list.customContextMenuRequested.connect(self._on_menu)
        detail.pressed.connect(self.press)
        detail.stop_pressed.connect(partial(self._with_chosen, self.stop))
        detail.booked_pressed.connect(self._booked)
        detail.panel_wanted.connect(lambda name: self._with_chosen(partial(self.open, panel=name)))
        presses.begun.connect(self._on_begun)
        presses.settled.connect(self._on_settled)

    def _on_begun(self, person_id: PersonId) -> None:
        self._panel.model.set_pressed(person_id, True)
        self._tell_pressed()

    def _on_settled(self, person_id: PersonId) -> None:
        self._panel.model.set_pressed(person_id, self._panel.presses.writing(person_id))
        self._tell_pressed()
        if self._panel.isVisible():
            self._panel.read_now()

    def _tell_pressed(self) -> None:
        whom = self.whom()
        self._panel.detail.set_pressed(whom is not None and self._panel.presses.writing(whom.id))

    def menu(self) -> QMenu:
        """Every action of the chosen row, made anew."""
        menu = QMenu(self._panel.list)
        menu.addActions(list(self._row_actions))
        menu.aboutToHide.connect(menu.deleteLater)
        return menu

    def _on_menu(self, point: QPoint) -> None:
        view = self._panel.list
        index = view.indexAt(point)
        if index.isValid() and self._panel.model.row_id(index.row()) is not None:
            view.setCurrentIndex(index)
        if self.whom() is not None:
            self.menu().popup(view.viewport().mapToGlobal(point))

    def _with_chosen(self, do: Callable[[int], object], _checked: bool = False) -> None:
        chosen = self._panel.list.rows.current_row_id()
        if chosen is not None:
            do(chosen)
