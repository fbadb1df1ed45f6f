"""Everything about one person, and everything that can be done for them; follows the engine's work as it happens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QKeySequence, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from app.domain.ids import JourneyId, PersonId
from app.domain.person_lines import PersonPage as PageFacts
from app.service.changes import Change
from app.ui.actions import ActingGate, ActionId, key_action
from app.ui.components.empty_state import EmptyState
from app.ui.components.inline_panel import InlinePanel
from app.ui.components.labels import Run
from app.ui.components.letters import PageLetters
from app.ui.components.loading_line import LoadingLine
from app.ui.desk import Desk
from app.ui.faults import Fault
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.people.action_bar import PersonActions
from app.ui.people.consent_panel import ConsentPanel
from app.ui.people.evidence_panel import EvidencePanel
from app.ui.people.evidence_saving import EvidenceSaving
from app.ui.people.header import PersonHeader
from app.ui.people.hold_panel import HoldPanel
from app.ui.people.opt_out_panel import OptOutPanel
from app.ui.people.page_body import PageBody
from app.ui.people.page_reading import next_opening, opening_from, read_live_journeys, read_page
from app.ui.people.presses import Presses
from app.ui.people.start_again_panel import StartAgainPanel
from app.ui.people.timeline import fetch_why
from app.ui.people.whom import Whom, whom
from app.ui.when import date_words
from app.ui.words import Where

TELL_TIME_MS = 15_000


class PersonPage(QWidget):
    """Signals: `back_wanted()`; `walk_wanted(step)`; `titled(name)`; `read_failed(Fault)`, the old page stays;
    `read_well()`.
    """

    back_wanted = Signal()
    walk_wanted = Signal(int)
    titled = Signal(str)
    read_failed = Signal(object)
    read_well = Signal()

    def __init__(self, look: Look, desk: Desk, presses: Presses, gate: ActingGate) -> None:
        super().__init__()
        self._look = look
        self._desk = desk
        self._presses = presses
        self._id: PersonId | None = None
        self._facts: PageFacts | None = None
        self._asked = 0
        self._open = False
        self._panel_wanted = ""
        self.header = PersonHeader(look, desk.country)
        self.acts = PersonActions(look)
        self.body = PageBody(look, fetch_why(desk), desk.country)
        self.hold_panel = HoldPanel(look, self._ask_opening)
        self.opt_out_panel = OptOutPanel(look, desk.country)
        self.start_again_panel = StartAgainPanel(look)
        self.evidence_panel = EvidencePanel(look)
        self.consent_panel = ConsentPanel(look, desk.country)
        self._saving = EvidenceSaving(desk, self)
        self._loading = LoadingLine(look)
        self._gone = EmptyState(look, Icon.PEOPLE, "")
        self._stack = QStackedWidget()
        self._clock = QTimer(self)
        self._clock.setInterval(TELL_TIME_MS)
        self._letters = PageLetters(self)
        self._lay_out()
        self._connect()
        self._add_keys(look, gate)

    @property
    def name(self) -> str:
        """Whose page it is."""
        return self.header.name

    @property
    def person_id(self) -> PersonId | None:
        """Whose page it is, by id; None before there was one."""
        return self._id

    def set_came_from(self, words: str) -> None:
        """Where Esc and the way back lead."""
        self.header.set_came_from(words)

    def parts(self) -> Sequence[QWidget]:
        """F6: what is known, what can be done."""
        return (self.body, self.acts)

    def show_person(self, person_id: PersonId, place: tuple[int, int], panel: str = "") -> None:
        """Show someone. place: which row of how many. panel: open it when they are here (`hold`, `opt_out`, …)."""
        self._close_panels()
        if person_id != self._id:
            self._id = person_id
            self._facts = None
            self.acts.setEnabled(False)  # what is in view is still somebody else
        self._panel_wanted = panel
        self.header.show_place(place)
        self._ask()
        self.body.setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Panels have their parts side by side, or one above the other."""
        super().resizeEvent(event)
        self.opt_out_panel.fit(self.width())

    def showEvent(self, event: QShowEvent) -> None:
        """What changed while it was out of view is read."""
        super().showEvent(event)
        self._ask()

    # reading ----------------------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        self._asked += 1
        if self._id is None or self._open:
            return
        self._open = True
        self._loading.begin()
        person_id, number, now, open_reader = self._id, self._asked, self._desk.now(), self._desk.open_reader
        self._desk.bridge.read(
            self,
            lambda: read_page(open_reader, person_id, now),
            partial(self._on_read, person_id, number),
            self._on_failed,
        )

    def _on_read(self, person_id: PersonId, number: int, facts: PageFacts | None) -> None:
        self._open = False
        if person_id == self._id:
            self._show(facts)
        if number != self._asked:
            self._ask()
            return
        self._loading.end()
        self.read_well.emit()

    def _on_failed(self, fault: Fault) -> None:
        self._open = False
        self._loading.end()
        self.read_failed.emit(fault)

    def _show(self, facts: PageFacts | None) -> None:
        if facts is None:
            self._gone.set_words(self.tr("There is no such person any more"), ())
            self._stack.setCurrentWidget(self._gone)
            self.titled.emit("")
            return
        self._facts = facts
        where = self._where(facts)
        focused = QApplication.focusWidget()
        mine = focused is not None and self.isAncestorOf(focused)
        self.header.show_page(facts, where)
        self.acts.show_page(facts, whom(facts.line).name)
        self.acts.setEnabled(True)
        self.acts.set_pressed(self._presses.writing(facts.line.id))
        if facts.erased_at is not None:
            day = date_words(facts.erased_at, where.zone, where.now)
            title = self.tr("Details were erased on {day}").format(day=day)
            self._gone.set_words(title, (Run(self.tr("The log and the do-not-contact entry stay.")),))
        self.body.show_page(facts, where)
        self._stack.setCurrentWidget(self._gone if facts.erased_at is not None else self._whole)
        if mine and QApplication.focusWidget() is not focused:
            # what had the focus is gone by what it did (Stop this one): the page has it then, not the next in line
            self.body.setFocus(Qt.FocusReason.OtherFocusReason)
        self.titled.emit(self.header.name)
        wanted, self._panel_wanted = self._panel_wanted, ""
        if wanted:
            self.acts.want(wanted)

    def _where(self, facts: PageFacts) -> Where:
        return Where(facts.line.zone, self._desk.now())

    @Slot()
    def _tell_time(self) -> None:
        if self._facts is not None and self.isVisible():
            where = self._where(self._facts)
            self.header.tell_time(where)
            self.body.show_page(self._facts, where)

    @Slot(object)
    def _on_changed(self, change: Change) -> None:
        if self.isVisible() and not change.engine and (not change.persons or self._id in change.persons):
            self._ask()

    @Slot(object)
    def _on_pressed(self, person_id: PersonId) -> None:
        if person_id == self._id:
            self.acts.set_pressed(self._presses.writing(person_id))
            if not self._presses.writing(person_id):
                self._ask()

    # acting -----------------------------------------------------------------------------------------------------------

    def _act(self, do: Callable[[Whom], object]) -> None:
        """Only for whom is in view: while somebody else is being read there is nobody."""
        if self._facts is not None and self._facts.line.id == self._id:
            do(whom(self._facts.line))

    def _stop(self) -> None:
        self._act(self._presses.stop)

    def _on_stop_this(self, journey_id: JourneyId, _journey: str) -> None:
        self._act(lambda who: self._presses.stop(who, journey_id))

    def _why(self) -> None:
        timeline = self.body.timeline
        if timeline is not None:
            timeline.toggle_newest()

    def _on_panel(self, name: str) -> None:
        facts = self._facts
        if facts is None:
            return
        self._close_panels()
        self.body.verticalScrollBar().setValue(0)
        match name:
            case "hold":
                self._open_hold(facts)
            case "opt_out":
                self.opt_out_panel.fit(self.width())
                self.opt_out_panel.open_for(facts)
            case "consent":
                self.consent_panel.open_for(facts, self._where(facts))
            case "evidence":
                self.evidence_panel.open_for(facts.line.id, whom(facts.line).name, self._desk.now())
            case "start_again":
                open_reader = self._desk.open_reader
                self._desk.bridge.read(
                    self,
                    lambda: read_live_journeys(open_reader),
                    lambda journeys: self.start_again_panel.open_for(facts, journeys.live, self._where(facts)),
                    self._on_failed,
                )

    def _open_hold(self, facts: PageFacts) -> None:
        open_reader, location, now = self._desk.open_reader, facts.line.location, self._desk.now()
        self._desk.bridge.read(
            self,
            lambda: next_opening(open_reader, location, now),
            lambda opening: self.hold_panel.open_for(self._where(facts), opening),
            self._on_failed,
        )

    def _ask_opening(self, at: datetime, then: Callable[[datetime | None], None]) -> None:
        facts = self._facts
        if facts is None:
            return
        open_reader, location = self._desk.open_reader, facts.line.location
        self._desk.bridge.read(self, lambda: opening_from(open_reader, location, at), then, self._on_failed)

    def _panels(self) -> tuple[InlinePanel, ...]:
        return (self.hold_panel, self.opt_out_panel, self.start_again_panel, self.evidence_panel, self.consent_panel)

    def _close_panels(self) -> None:
        for panel in self._panels():
            panel.close_panel()

    # how --------------------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        top = QFrame()
        top.setProperty("ground", "surface")
        top.setProperty("rule", "below")
        above = QVBoxLayout(top)
        above.setContentsMargins(0, 0, 0, 0)
        above.setSpacing(0)
        above.addWidget(self.header)
        self._whole = QWidget()
        inside = QVBoxLayout(self._whole)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        above.addWidget(self.acts)
        column.addWidget(top)
        for panel in self._panels():
            panel.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
            self.body.add_panel(panel)
        column.addWidget(self._loading)
        inside.addWidget(self.body, 1)
        self._stack.addWidget(self._whole)
        self._stack.addWidget(self._gone)
        column.addWidget(self._stack, 1)

    def _connect(self) -> None:
        presses = self._presses
        self.header.back_wanted.connect(self.back_wanted)
        self.header.walk_wanted.connect(self.walk_wanted)
        self.acts.stop_pressed.connect(self._stop)
        self.acts.goal_pressed.connect(lambda kind: self._act(lambda who: presses.note(who, kind)))
        self.acts.resume_pressed.connect(partial(self._act, presses.resume))
        self.acts.handled_pressed.connect(partial(self._act, presses.handled))
        self.acts.panel_wanted.connect(self._on_panel)
        self.hold_panel.hold_chosen.connect(lambda until: self._act(lambda who: presses.hold(who, until)))
        self.opt_out_panel.opt_out_chosen.connect(
            lambda channels, words: self._act(lambda who: presses.opt_out(who, channels, words))
        )
        self.start_again_panel.start_chosen.connect(
            lambda *chosen: self._act(lambda who: presses.start_again(who, *chosen))
        )
        self.evidence_panel.place_chosen.connect(
            lambda path, redact: self._act(lambda who: self._saving.save(who, path, redact=redact))
        )
        self.consent_panel.consent_chosen.connect(lambda agreed: self._act(lambda who: presses.consent(who, agreed)))
        self._saving.told.connect(presses.told)
        self._saving.untold.connect(presses.untold)
        self.body.evidence_wanted.connect(partial(self._on_panel, "evidence"))
        self.body.consent_wanted.connect(partial(self._on_panel, "consent"))
        self.body.stop_this.connect(self._on_stop_this)
        self.body.read_failed.connect(self.read_failed)
        presses.begun.connect(self._on_pressed)
        presses.settled.connect(self._on_pressed)
        self._desk.bridge.changed.connect(self._on_changed)
        self._clock.timeout.connect(self._tell_time)
        self._clock.start()

    def _add_keys(self, look: Look, gate: ActingGate) -> None:
        acts: tuple[tuple[ActionId, Callable[[], object]], ...] = (
            (ActionId.STOP, self._stop),
            (ActionId.BOOKED, self.acts.press_goal),
            (ActionId.HOLD, self.acts.press_hold),
            (ActionId.OPT_OUT, partial(self.acts.want, "opt_out")),
            (ActionId.START_AGAIN, partial(self.acts.want, "start_again")),
            (ActionId.HANDLED, partial(self._act, self._presses.handled)),
            (ActionId.WHY, self._why),
            (ActionId.SAVE_EVIDENCE, partial(self._on_panel, "evidence")),
            (ActionId.NEXT, partial(self.walk_wanted.emit, 1)),
            (ActionId.PREVIOUS, partial(self.walk_wanted.emit, -1)),
            (ActionId.BACK, self.back_wanted.emit),
            (ActionId.READ_AGAIN, self._ask),
        )
        self._letters.add(*(key_action(look, action, self, do, gate) for action, do in acts))
        for key, step in ((Qt.Key.Key_Down, 1), (Qt.Key.Key_Up, -1)):
            arrow = QAction(self)
            arrow.setShortcut(QKeySequence(key))
            arrow.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            arrow.triggered.connect(partial(self._on_arrow, step))
            self.addAction(arrow)
            self._letters.add(arrow)

    def _on_arrow(self, step: int, _checked: bool = False) -> None:
        self.walk_wanted.emit(step)
