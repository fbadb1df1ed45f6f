"""The account at a provider: its fields, each with what is wrong with it, and Save, which says what it saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.ui.actions import ActionId, action_spec, key_action
from app.ui.components.buttons import Button, ButtonFace, ButtonKind, primary_button
from app.ui.components.checks import CheckBox
from app.ui.components.fields import LabelledField, Select
from app.ui.components.labels import label
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Space, Type
from app.ui.people.card_stack import Card, padded
from app.ui.settings.forms import FieldSpec, FormSpec, Kind
from app.ui.settings.parts import StandLine


class AccountCard(Card):
    """Signals: `save_wanted()`, `gone_wanted()`: take the account away."""

    save_wanted = Signal()
    gone_wanted = Signal()

    def __init__(self, look: Look, form: FormSpec) -> None:
        super().__init__(form.account)
        self._look = look
        self._form = form
        self._shown: dict[str, str] = {}
        self._filled = False
        self._keep = False
        self._inputs: dict[str, QWidget] = {}
        self._fields: dict[str, LabelledField] = {}
        holder, column = padded(0, Space.L)
        column.setSpacing(Space.M)
        column.addLayout(self._grid())
        self._wrong = StandLine(look)
        column.addWidget(self._wrong)
        column.addLayout(self._feet())
        self.told = StandLine(look, Type.SECOND)
        column.addWidget(self.told)
        self.body.addWidget(holder)
        key_action(look, ActionId.SEND, self, self._on_key)
        self._on_edited()

    # what stands in it ------------------------------------------------------------------------------------------------

    @property
    def texts(self) -> dict[str, str]:
        """What stands in each field now."""
        return {key: _text_of(each) for key, each in self._inputs.items()}

    @property
    def edited(self) -> bool:
        """Something in it is not saved."""
        return self.texts != self._shown

    @property
    def changed_words(self) -> list[str]:
        """What the fields are called whose words are not saved."""
        return [each.words for each in self._form.fields if self.texts[each.key] != self._shown.get(each.key)]

    def show_texts(self, texts: Mapping[str, str], places: Sequence[str], *, there: bool) -> None:
        """Show what is kept; what somebody is typing stays. there: there is such an account."""
        for key, each in self._inputs.items():
            if isinstance(each, Select):
                self._show_places(each, places, texts[key] if not self._filled else each.currentData())
        stays = (self._filled and self.edited) or self._keep
        self._shown, self._filled, self._keep = dict(texts), True, False
        if not stays:
            for key, each in self._inputs.items():
                _put(each, texts[key])
        self._gone.setVisible(there)
        self._on_edited()

    def take_over(self) -> None:
        """What is typed is saved now: next it is shown as it is kept."""
        self._shown = self.texts
        self._on_edited()

    def keep_typed(self) -> None:
        """The account is taken away: its fields stay as they are, so that Save brings it back."""
        self._keep = True

    def show_problems(self, problems: Mapping[str, str]) -> None:
        """By the field's key, in words; "" for what belongs to none. None: all is right."""
        for key, field in self._fields.items():
            field.set_error(problems.get(key, ""))
        self._wrong.tell(Icon.ALERTF, "stop", problems.get("", ""))
        first = next((key for key in self._fields if key in problems), None)
        if first is not None:
            self._inputs[first].setFocus()

    def set_busy(self, busy: bool) -> None:
        """While it is being saved, there is nothing to press."""
        if busy:
            self._save.set_off(self.tr("It is being saved."))
        else:
            self._on_edited()

    def field(self, key: str) -> QWidget:
        """The input of a field."""
        return self._inputs[key]

    # how it is made ---------------------------------------------------------------------------------------------------

    def _grid(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(Space.L)
        grid.setVerticalSpacing(Space.M)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        at = 0
        for spec in self._form.fields:
            made = self._made(spec)
            if spec.kind is Kind.YES:
                at += at % 2
                grid.addWidget(made, at // 2, 0, 1, 2)
                at += 2
            else:
                grid.addWidget(made, at // 2, at % 2)
                at += 1
        return grid

    def _made(self, spec: FieldSpec) -> QWidget:
        match spec.kind:
            case Kind.YES:
                box = CheckBox(self._look, spec.words)
                box.setAccessibleDescription(spec.hint)
                box.toggled.connect(self._on_edited)
                self._inputs[spec.key] = box
                holder = QWidget()
                column = QVBoxLayout(holder)
                column.setContentsMargins(0, 0, 0, 0)
                column.setSpacing(0)
                column.addWidget(box)
                column.addWidget(label(spec.hint, Type.SECOND, "text2", wraps=True))
                return holder
            case Kind.PLACE:
                select = Select(self._look, name=spec.words)
                select.currentIndexChanged.connect(self._on_edited)
                made: QWidget = select
            case _:
                line = QLineEdit()
                line.setPlaceholderText(spec.example)
                line.textEdited.connect(self._on_edited)
                line.returnPressed.connect(self._on_key)
                made = line
        self._inputs[spec.key] = made
        self._fields[spec.key] = field = LabelledField(self._look, spec.words, made, spec.hint)
        column = QVBoxLayout()
        column.addWidget(field)
        column.addStretch(1)
        column.setContentsMargins(0, 0, 0, 0)
        holder = QWidget()
        holder.setLayout(column)
        return holder

    def _feet(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(Space.S)
        self._save = primary_button(self._look, self.tr("Save"), key=action_spec(ActionId.SEND).key)
        self._save.clicked.connect(self.save_wanted)
        name = self.tr("Take away: {account}").format(account=self._form.account)
        self._gone = Button(self._look, ButtonFace(self.tr("Take away"), kind=ButtonKind.GHOST), name=name)
        self._gone.clicked.connect(self.gone_wanted)
        row.addWidget(self._save)
        row.addWidget(self._gone)
        row.addStretch(1)
        return row

    def _show_places(self, select: Select, places: Sequence[str], chosen: object) -> None:
        wanted = [("", self.tr("The only location, or none")), *((place, place) for place in places)]
        if chosen and str(chosen) not in places:
            wanted.append((str(chosen), str(chosen)))
        have = [(select.itemData(at), select.itemText(at)) for at in range(select.count())]
        if have == wanted:
            return
        select.blockSignals(True)
        select.clear()
        for value, words in wanted:
            select.addItem(words, value)
        _put(select, str(chosen or ""))
        select.blockSignals(False)
        select.updateGeometry()

    def _on_key(self) -> None:
        if self._save.isEnabled():
            self.save_wanted.emit()

    def _on_edited(self, *_what: object) -> None:
        if not hasattr(self, "_save"):
            return
        if self.edited:
            self._save.set_on()
        else:
            self._save.set_off(self.tr("Nothing was changed."))


def _text_of(widget: QWidget) -> str:
    match widget:
        case QLineEdit():
            return widget.text().strip()
        case CheckBox():
            return "yes" if widget.isChecked() else ""
        case Select():
            return str(widget.currentData() or "")
        case _:
            raise TypeError(widget)


def _put(widget: QWidget, text: str) -> None:
    match widget:
        case QLineEdit():
            if widget.text() != text:
                widget.setText(text)
        case CheckBox():
            widget.setChecked(text == "yes")
        case Select():
            widget.setCurrentIndex(max(0, widget.findData(text)))
        case _:
            raise TypeError(widget)
