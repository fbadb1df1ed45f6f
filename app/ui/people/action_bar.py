"""The acts for one person, always in the same order: Stop, Booked, Hold…, Opt out…, Start again…, Mark handled."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from app.domain.events import EventKind
from app.domain.person_lines import PersonPage
from app.domain.states import LIVE, Contact, EnrollmentState
from app.ui.actions import ActionId, action_spec
from app.ui.components.button_paint import ButtonFace, ButtonKind, ButtonSize
from app.ui.components.buttons import Button, StopButton, StopLook
from app.ui.components.flow import FlowLayout
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Space
from app.ui.people.act_bars import goal_word
from app.ui.people.goals import GOALS, goal_of


class PersonActions(QWidget):
    """Signals: `stop_pressed()`, `goal_pressed(EventKind)`, `resume_pressed()`, `handled_pressed()`;
    `panel_wanted(name)`: `hold`, `opt_out` or `start_again`.
    """

    stop_pressed = Signal()
    goal_pressed = Signal(object)
    resume_pressed = Signal()
    handled_pressed = Signal()
    panel_wanted = Signal(str)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._goal = EventKind.BOOKED
        self._paused = False
        self.setAccessibleName(self.tr("What you can do"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.PAGE, Space.M, Space.PAGE, Space.L)
        row = QWidget()
        flow = FlowLayout(Space.S, row)
        column.addWidget(row)
        self.stop = StopButton(look, "", StopLook.BIG, key=action_spec(ActionId.STOP).key)
        self.booked = self._button(look, ActionId.BOOKED)
        self.hold = self._button(look, ActionId.HOLD)
        self.opt_out = self._button(look, ActionId.OPT_OUT)
        self.start_again = self._button(look, ActionId.START_AGAIN)
        self.handled = self._button(look, ActionId.HANDLED)
        for button in (self.stop, self.booked, self.hold, self.opt_out, self.start_again, self.handled):
            flow.addWidget(button)
        self._look = look
        self._connect()

    def show_page(self, page: PersonPage, name: str) -> None:
        """What can be done for this person now; what can't keeps its place and says why."""
        running = any(each.state in LIVE for each in page.enrollments)
        self._paused = any(each.state is EnrollmentState.PAUSED for each in page.enrollments)
        self.stop.show_stop(StopLook.BIG if running else StopLook.QUIET, name)
        if not running:
            quiet = ButtonFace("Stop", Icon.STATE_STOPPED, ButtonKind.STOP_QUIET_CHOSEN, ButtonSize.BIG, "S")
            self.stop.show_face(quiet)
        self._goal = goal_of(page.enrollments)
        self._face(self.booked, goal_word(self._goal), Icon.STATE_CONVERTED, ActionId.BOOKED)
        if self._paused:
            self._face(self.hold, self.tr("Resume"), Icon.STATE_ACTIVE, ActionId.HOLD)
        else:
            self._face(self.hold, self.tr("Hold…"), Icon.STATE_PAUSED, ActionId.HOLD)
        _allow(self.hold, "" if running else self.tr("Nothing is running, so there is nothing to hold."))
        _allow(self.start_again, self._why_not_again(page))
        self.handled.setVisible(page.line.contact is Contact.WITH_STAFF)
        erased = page.erased_at is not None
        gone = self.tr("Their details were erased.") if erased else ""
        for button in (self.booked, self.opt_out):
            _allow(button, gone)

    def set_pressed(self, pressed: bool) -> None:
        """Stop is being written: it looks held down until that is done."""
        self.stop.setDown(pressed)

    def press_hold(self) -> None:
        """Hold…, or Resume when something is paused."""
        if not self.hold.isEnabled():
            return
        if self._paused:
            self.resume_pressed.emit()
        else:
            self.panel_wanted.emit("hold")

    def press_goal(self) -> None:
        """Booked, or what else the journey is for."""
        if self.booked.isEnabled():
            self.goal_pressed.emit(self._goal)

    def want(self, panel: str) -> None:
        """Open a panel, if its button could be pressed."""
        button = {"hold": self.hold, "opt_out": self.opt_out, "start_again": self.start_again}[panel]
        if button.isEnabled():
            self.panel_wanted.emit(panel)

    def _connect(self) -> None:
        self.stop.clicked.connect(self.stop_pressed)
        self.booked.clicked.connect(self.press_goal)
        self.hold.clicked.connect(self.press_hold)
        self.opt_out.clicked.connect(partial(self.panel_wanted.emit, "opt_out"))
        self.start_again.clicked.connect(partial(self.panel_wanted.emit, "start_again"))
        self.handled.clicked.connect(self.handled_pressed)
        self.booked.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        for kind in GOALS:
            action = QAction(goal_word(kind), self.booked)
            action.triggered.connect(partial(self._on_other_goal, kind))
            self.booked.addAction(action)

    def _on_other_goal(self, kind: EventKind, _checked: bool = False) -> None:
        self.goal_pressed.emit(kind)

    def _button(self, look: Look, action: ActionId) -> Button:
        spec = action_spec(action)
        return Button(look, ButtonFace(spec.words, spec.icon, ButtonKind.PLAIN, ButtonSize.BIG, spec.key))

    def _face(self, button: Button, words: str, icon: Icon, action: ActionId) -> None:
        face = ButtonFace(words, icon, ButtonKind.PLAIN, ButtonSize.BIG, action_spec(action).key)
        button.show_face(face, words)

    def _why_not_again(self, page: PersonPage) -> str:
        if page.erased_at is not None:
            return self.tr("Their details were erased.")
        running = [each.journey for each in page.enrollments if each.state in LIVE]
        if running:
            return self.tr("They are in {journey} now. Stop that first.").format(journey=running[0])
        return ""


def _allow(button: Button, why_not: str) -> None:
    if why_not:
        button.set_off(why_not)
    else:
        button.set_on()
