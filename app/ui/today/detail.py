"""Beside the list of Today: title, what can be pressed, cards, and at the foot the acts for the person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from app.ui.actions import ActionId, action_spec
from app.ui.components.button_paint import ButtonFace, ButtonKind, ButtonSize
from app.ui.components.buttons import Button, StopButton, StopLook, stop_face, stop_name
from app.ui.components.chips import Chip, ChipKind, ChipLabel
from app.ui.components.empty_state import EmptyState
from app.ui.components.flow import WrapRow
from app.ui.components.inline_panel import InlinePanel
from app.ui.components.labels import ElidedLabel, Run
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Space, Type
from app.ui.people.card_stack import CardStack
from app.ui.today.told import DetailButton, Foot, Told


class TodayDetail(QFrame):
    """Signals: `pressed(action)`, a button over the cards; `stop_pressed()`, `booked_pressed()`; `panel_wanted(name)`:
    `hold` or `opt_out`.
    """

    pressed = Signal(str)
    stop_pressed = Signal()
    booked_pressed = Signal()
    panel_wanted = Signal(str)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._told: Told | None = None
        self._buttons: dict[str, Button] = {}
        self.setProperty("ground", "surface")
        self.setAccessibleName(self.tr("The chosen row"))
        self._title = ElidedLabel(look, "", Type.PANEL, "text", tabular=False)
        self._chip = ChipLabel(look, Chip(ChipKind.ACTIVE, ""))
        self._second = ElidedLabel(look, "")
        self._acts = QHBoxLayout()
        self._acts.setSpacing(Space.M)
        self.cards = CardStack(Space.L)
        self.area = QScrollArea()
        self.foot = _PersonFoot(look)
        self.nothing = EmptyState(look, Icon.CHECK, "")
        self._panels = QVBoxLayout()
        self._stack = QStackedWidget()
        self._lay_out()
        self.foot.stop.clicked.connect(self.stop_pressed)
        self.foot.booked.clicked.connect(self.booked_pressed)
        self.foot.hold.clicked.connect(partial(self.panel_wanted.emit, "hold"))
        self.foot.opt_out.clicked.connect(partial(self.panel_wanted.emit, "opt_out"))

    @property
    def told(self) -> Told | None:
        """What stands here; None while nothing is chosen."""
        return self._told

    def add_panel(self, panel: InlinePanel) -> None:
        """A panel that opens above the cards and pushes them down. Call `to_top` before it opens."""
        panel.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._panels.addWidget(panel)

    def show_told(self, told: Told) -> None:
        """Tell about a row. The same row told anew keeps its place, its focus, and what was unchanged."""
        another = self._told is None or self._told.key != told.key
        grew = self._told is not None and len(self._told.cards) != len(told.cards)
        self._told = told
        self._title.set_words(told.title)
        self._second.set_words(told.second)
        self._chip.setVisible(told.chip is not None)
        if told.chip is not None:
            self._chip.show_chip(told.chip)
            self._chip.setMinimumWidth(self._chip.sizeHint().width())  # the name gives way first
        self._show_buttons(told.buttons)
        self.cards.show_cards(told.cards)
        self.foot.setVisible(told.foot is not None)
        if told.foot is not None:
            self.foot.show_person(told.foot)
        self._stack.setCurrentIndex(0)
        if another or (grew and told.to_end):
            QTimer.singleShot(0, self, partial(self._to_place, to_end=told.to_end))

    def to_top(self) -> None:
        """Where panels open."""
        self.area.verticalScrollBar().setValue(0)

    def show_nothing(self, title: str, words: Sequence[Run]) -> None:
        """Nothing is chosen."""
        self._told = None
        self.nothing.set_words(title, words)
        self._stack.setCurrentIndex(1)

    def set_pressed(self, pressed: bool) -> None:
        """Stop is being written."""
        self.foot.stop.setDown(pressed)

    def button(self, action: str) -> Button | None:
        """A button over the cards, by its action."""
        return self._buttons.get(action)

    def _show_buttons(self, buttons: Sequence[DetailButton]) -> None:
        wanted = [button.action for button in buttons]
        if wanted != list(self._buttons):
            for old in self._buttons.values():
                old.hide()
                old.setParent(None)
                old.deleteLater()
            self._buttons = {button.action: self._made(button) for button in buttons}
            for made in self._buttons.values():
                self._acts.addWidget(made)
                made.show()
        for button in buttons:
            self._buttons[button.action].show_face(_face(button), button.name or button.words)

    def _made(self, button: DetailButton) -> Button:
        made = Button(self._look, _face(button), name=button.name)
        made.clicked.connect(partial(self._on_pressed, button.action))
        return made

    def _on_pressed(self, action: str, _checked: bool = False) -> None:
        self.pressed.emit(action)

    def _to_place(self, *, to_end: bool) -> None:
        bar = self.area.verticalScrollBar()
        bar.setValue(bar.maximum() if to_end else 0)

    def _lay_out(self) -> None:
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head())
        inside, below = QWidget(), QWidget()
        scrolled = QVBoxLayout(inside)  # panels scroll with the cards, where the window is low
        scrolled.setContentsMargins(0, 0, 0, 0)
        scrolled.setSpacing(0)
        scrolled.addLayout(self._panels)
        body = QVBoxLayout(below)
        body.setContentsMargins(Space.PAGE, Space.L, Space.PAGE, Space.L)
        body.addWidget(self.cards)
        scrolled.addWidget(below, 1)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setAccessibleName(self.tr("What there is to know"))
        self.area.setWidget(inside)
        column.addWidget(self.area, 1)
        column.addWidget(self.foot)
        self._stack.addWidget(whole)
        self._stack.addWidget(self.nothing)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._stack)

    def _head(self) -> QWidget:
        head = QFrame()
        head.setProperty("rule", "below")
        column = QVBoxLayout(head)
        column.setContentsMargins(Space.PAGE, Space.M, Space.PAGE, Space.M)
        column.setSpacing(Space.XS)
        self._names = QHBoxLayout()
        self._names.setSpacing(Space.M)
        self._names.addWidget(self._title)
        self._names.addWidget(self._chip)
        self._names.addStretch(1)
        self._names.addLayout(self._acts)
        column.addLayout(self._names)
        column.addWidget(self._second)
        return head


class _PersonFoot(QFrame):
    """Stop, Booked, Hold…, Opt out…, in the order they always have."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setProperty("rule", "above")
        self.setAccessibleName(self.tr("What you can do"))
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.PAGE, Space.M, Space.PAGE, Space.M)
        row = WrapRow()
        self.stop = StopButton(look, "", StopLook.CHOSEN, key=action_spec(ActionId.STOP).key)
        self.booked = _act(look, ActionId.BOOKED)
        self.hold = _act(look, ActionId.HOLD)
        self.opt_out = _act(look, ActionId.OPT_OUT)
        row.add(self.stop, self.booked, self.hold, self.opt_out)
        column.addWidget(row)

    def show_person(self, foot: Foot) -> None:
        """Whom they are for. What can't be done keeps its place and says why."""
        face = stop_face(StopLook.CHOSEN if foot.running else StopLook.QUIET, key=action_spec(ActionId.STOP).key)
        self.stop.show_face(replace(face, size=ButtonSize.NORMAL, icon=Icon.STATE_STOPPED), stop_name(foot.name))
        for button, action in ((self.booked, ActionId.BOOKED), (self.opt_out, ActionId.OPT_OUT)):
            spec = action_spec(action)
            button.show_face(_act_face(action), f"{spec.words} {foot.name}")
        self.hold.show_face(_act_face(ActionId.HOLD), f"{action_spec(ActionId.HOLD).words} {foot.name}")
        if foot.running:
            self.hold.set_on()
        else:
            self.hold.set_off(self.tr("Nothing is running, so there is nothing to hold."))


def _act(look: Look, action: ActionId) -> Button:
    return Button(look, _act_face(action))


def _act_face(action: ActionId) -> ButtonFace:
    spec = action_spec(action)
    return ButtonFace(spec.words, spec.icon, key=spec.key)


def _face(button: DetailButton) -> ButtonFace:
    kind = ButtonKind.PRIMARY if button.primary else ButtonKind.PLAIN
    return ButtonFace(button.words, button.icon, kind, key=button.key)
