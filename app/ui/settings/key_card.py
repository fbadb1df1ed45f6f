"""The key of an account: whether it is there and where, a field that only takes, and the test of the connection.

A key is never shown, never read back, and leaves the field as it is pressed (I16).
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.domain.secret import Secret
from app.domain.secret_place import HeldIn, SecretPlace
from app.ui.components.buttons import Button, ButtonFace, ButtonKind, plain_button
from app.ui.components.fields import LabelledField
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Space
from app.ui.people.card_stack import Card, hairline, padded
from app.ui.settings.forms import FormSpec
from app.ui.settings.parts import StandLine
from app.ui.settings.words import (
    TestSeen,
    asking_words,
    key_stands,
    tested_stands,
    worked_words,
)


class KeyCard(Card):
    """Signals: `key_typed(Secret)`, `gone_wanted()`: take the key out, `test_wanted()`."""

    key_typed = Signal(object)
    gone_wanted = Signal()
    test_wanted = Signal()

    def __init__(self, look: Look, form: FormSpec) -> None:
        super().__init__(form.key_words)
        self._look = look
        self._form = form
        holder, column = padded(0, Space.L)
        column.setSpacing(Space.M)
        self.stands = StandLine(look)
        self.keyring = StandLine(look)
        column.addWidget(self.stands)
        column.addWidget(self.keyring)
        column.addWidget(self._typing())
        self.told = StandLine(look)
        column.addWidget(self.told)
        self.body.addWidget(holder)
        self._test = plain_button(look, self.tr("Test connection"), Icon.AGAIN)
        self.tested = StandLine(look)
        self.worked = StandLine(look)
        if form.connection is not None:
            self._add_test()

    @property
    def field(self) -> QLineEdit:
        """Where the key is typed or pasted."""
        return self._field

    def show_key(self, place: SecretPlace, held: HeldIn | None) -> None:
        """Where the key is. What is typed stays."""
        icon, ink, told = key_stands(self._form, place, held)
        self.stands.tell(icon, ink, told)
        given = held is HeldIn.ENVIRONMENT
        fault = None if given else place.fault
        self.keyring.tell(Icon.ALERTF, "stop", fault.told if fault else "", fault.hint if fault else "")
        self._typed.setVisible(not given)
        self._gone.setVisible(held is HeldIn.KEYRING)
        self._placeholder(held)

    def show_test(self, seen: TestSeen) -> None:
        """How the connection stands."""
        icon, ink, told, hint = tested_stands(self._form, seen)
        self.tested.tell(icon, ink, told, hint)
        self.worked.tell(Icon.HISTORY, "text2", worked_words(seen))
        if seen.set_up:
            self._test.set_on()
        else:
            self._test.set_off(self.tr("Save the account above first."))

    def show_asking(self) -> None:
        """The provider is being asked."""
        self._test.set_off(self.tr("It is being asked."))
        told, hint = asking_words(self._form)
        self.tested.tell(Icon.WAIT, "text2", told, hint)

    def show_test_fault(self, words: str) -> None:
        """The test itself could not be made."""
        self._test.set_on()
        self.tested.tell(Icon.ALERTF, "stop", words)

    def show_error(self, words: str) -> None:
        """Why the key was not taken; "" for nothing."""
        self._labelled.set_error(words)

    def _placeholder(self, held: HeldIn | None) -> None:
        there = self.tr("Kept, and never shown. Type here to replace it")
        self._field.setPlaceholderText(there if held is HeldIn.KEYRING else self.tr("Paste it here; it is never shown"))

    def _typing(self) -> QWidget:
        self._field = QLineEdit()
        self._field.setEchoMode(QLineEdit.EchoMode.Password)
        self._field.textEdited.connect(self._on_edited)
        self._field.returnPressed.connect(self._on_press)
        self._labelled = LabelledField(self._look, self._form.key_words, self._field, self._form.key_hint)
        name = self.tr("Keep the key: {what}").format(what=self._form.key_words)
        self._keep = Button(self._look, ButtonFace(self.tr("Keep"), Icon.KEY), name=name)
        self._keep.clicked.connect(self._on_press)
        out = self.tr("Take out the key: {what}").format(what=self._form.key_words)
        self._gone = Button(self._look, ButtonFace(self.tr("Take out"), kind=ButtonKind.GHOST), name=out)
        self._gone.clicked.connect(self.gone_wanted)
        row = QHBoxLayout()
        row.setSpacing(Space.S)
        column = self._labelled.layout()
        assert isinstance(column, QVBoxLayout)
        column.removeWidget(self._field)
        row.addWidget(self._field, 1)
        row.addWidget(self._keep)
        row.addWidget(self._gone)
        column.insertLayout(1, row)
        self._typed = self._labelled
        self._on_edited()
        return self._typed

    def _add_test(self) -> None:
        self.body.addWidget(hairline())
        holder, column = padded(Space.L, Space.L)
        column.setSpacing(Space.M)
        column.addWidget(self.tested)
        column.addWidget(self.worked)
        name = self.tr("Test connection: {called}").format(called=self._form.called)
        self._test.show_face(self._test.face, name)
        self._test.clicked.connect(self.test_wanted)
        row = QHBoxLayout()
        row.addWidget(self._test)
        row.addStretch(1)
        column.addLayout(row)
        self.body.addWidget(holder)

    def _on_edited(self, _text: str = "") -> None:
        self._labelled.set_error("")
        if self._field.text():
            self._keep.set_on()
        else:
            self._keep.set_off(self.tr("Nothing is typed."))

    def _on_press(self) -> None:
        if not self._field.text():
            return
        key = Secret(self._field.text())
        self._field.setText("")  # and what it could undo
        self.told.tell(Icon.INFO, "text2", "")
        self._on_edited()
        self.key_typed.emit(key)
