"""The pieces beside a call: the number, what to say, and the six outcomes, each with what it would do."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from app.domain.call_lines import CallLine
from app.domain.call_outcome import CallOutcome
from app.ui.actions import ActionId, action_spec
from app.ui.call_words import OUTCOME_ICONS, leads_to, outcome_name
from app.ui.components.button_paint import ButtonFace, ButtonKind
from app.ui.components.buttons import Button
from app.ui.components.flow import WrapRow
from app.ui.components.labels import IconLabel, KeyCap, label
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Space, Type
from app.ui.people.card_stack import Card, padded

translate = QCoreApplication.translate

NoteOutcome = Callable[[CallOutcome], None]


def number_row(look: Look, number: str, name: str, dial: Callable[[], None], copy: Callable[[], None]) -> QWidget:
    """The number, large, with what can be done with it. It can be selected."""
    row = WrapRow()
    shown = label(number, Type.PHONE)
    shown.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    shown.setAccessibleName(translate("calls", "The number of {name}: {number}").format(name=name, number=number))
    spec = action_spec(ActionId.CALL)
    call = Button(
        look,
        ButtonFace(translate("calls", "Call"), Icon.CALL, ButtonKind.PRIMARY, key=spec.key),
        name=translate("calls", "Call {name}").format(name=name),
    )
    call.clicked.connect(lambda: dial())
    copied = Button(look, ButtonFace(translate("calls", "Copy number"), Icon.COPY, ButtonKind.PLAIN))
    copied.clicked.connect(lambda: copy())
    row.add(shown, call, copied)
    return row


def say_card(script: str, about: str) -> QWidget:
    """What to say, and what went before."""
    card = Card(translate("calls", "Say"))
    holder, column = padded(0, Space.M)
    said = label(f"“{script}”", Type.BODY, wraps=True)
    said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    column.addWidget(said)
    if about:
        column.addWidget(label(about, Type.SECOND, "text2", wraps=True))
    card.add_row(holder, line=False)
    return card


def outcomes_card(look: Look, line: CallLine, press: NoteOutcome, note: str, typed: Callable[[str], None]) -> QWidget:
    """The outcomes, and a note. typed: told what the note is by now."""
    card = Card(translate("calls", "How did it go?"))
    card.head.addStretch(1)
    card.head.addWidget(label(translate("calls", "Press the number"), Type.SECOND, "text2"))
    for number, outcome in enumerate(CallOutcome, start=1):
        row = OutcomeRow(look, outcome, leads_to(outcome, line), str(number))
        row.clicked.connect(partial(_pressed, press, outcome))
        card.add_row(row)
    field = QLineEdit(note)
    field.setPlaceholderText(translate("calls", "Add a note (optional)"))
    field.setAccessibleName(translate("calls", "Note about the call"))
    field.textChanged.connect(typed)
    holder, column = padded(Space.S, Space.M)
    column.addWidget(field)
    card.add_row(holder)
    return card


def _pressed(press: NoteOutcome, outcome: CallOutcome, _checked: bool = False) -> None:
    press(outcome)


class OutcomeRow(QAbstractButton):
    """One outcome across the card: its key, its sign, its name, and below that what pressing it does."""

    def __init__(self, look: Look, outcome: CallOutcome, told: str, key: str) -> None:
        super().__init__()
        self._look = look
        self.outcome = outcome
        name = outcome_name(outcome)
        self.setAccessibleName(f"{name}. {told}")
        self.setAccessibleDescription(translate("calls", "Key {key}").format(key=key))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        row = QHBoxLayout(self)
        row.setContentsMargins(Space.CARD_H, 3, Space.CARD_H, 3)
        row.setSpacing(Space.M)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(label(name, Type.TITLE))
        words.addWidget(label(told, Type.SECOND, "text2", wraps=True))
        row.addWidget(KeyCap(look, key), 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(IconLabel(look, OUTCOME_ICONS[outcome], 18, "text"), 0, Qt.AlignmentFlag.AlignVCenter)
        row.addLayout(words, 1)
        for child in self.findChildren(QWidget):
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses it; Up and Down go to the others."""
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.click()
            case Qt.Key.Key_Down:
                self.focusNextChild()
            case Qt.Key.Key_Up:
                self.focusPreviousChild()
            case _:
                super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """It stands on the ground of what is chosen."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """And no more."""
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground; the pieces paint themselves."""
        theme = self._look.theme
        ground = theme.selected if self.isDown() or self.hasFocus() else theme.hover if self.underMouse() else ""
        if ground:
            painter = QPainter(self)
            painter.fillRect(self.rect(), ground)
            painter.end()

    def enterEvent(self, event: object) -> None:
        """Under the pointer."""
        self.update()

    def leaveEvent(self, event: object) -> None:
        """Not under the pointer any more."""
        self.update()
