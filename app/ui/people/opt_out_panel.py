"""Opt out…: of which channels, and how they asked. The only question before it is done."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.domain.person_lines import PersonPage
from app.domain.states import LIVE, Channel
from app.ui.components.button_paint import ButtonFace, ButtonKind
from app.ui.components.checks import CheckBox
from app.ui.components.fields import LabelledField, Select
from app.ui.components.inline_panel import InlinePanel
from app.ui.components.labels import Run, label, rich_label, set_runs
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Space, Type
from app.ui.people.act_bars import opted_out_words
from app.ui.people.channel_card import channel_card
from app.ui.people.whom import nameless
from app.ui.words import capital, channels_word, listed, phone_words

ORDER = (Channel.SMS, Channel.EMAIL, Channel.CALL)
_BESIDE_FROM = 820
_PHONE = (Channel.SMS, Channel.CALL)


class OptOutPanel(InlinePanel):
    """Signal: `opt_out_chosen(channels, words)`: what they want no more of, and how they said so."""

    opt_out_chosen = Signal(object, str)

    def __init__(self, look: Look, country: str) -> None:
        super().__init__(look, "")
        self.setAccessibleName(self.tr("Opt out of"))
        self._country = country
        self._title = label("", Type.TITLE)
        self._boxes = {channel: CheckBox(look, capital(channels_word(channel))) for channel in ORDER}
        self._addresses = {channel: label("", Type.BODY, "text2") for channel in ORDER}
        self._how = Select(look, name=self.tr("How did they ask?"))
        self._how.addItems([self.tr("By phone"), self.tr("In person"), self.tr("In writing"), self.tr("Another way")])
        self.note = QLineEdit()
        self.note.setPlaceholderText(self.tr("Their words, if you like"))
        self._means = rich_label((), Type.BODY, "text2")
        self._page: PersonPage | None = None
        self._across = across = QHBoxLayout()
        across.setSpacing(Space.L)
        across.addWidget(self._list(look), 0)
        right = self._right(look)
        across.addLayout(right, 1)
        self.body.addLayout(across)
        whole = self.layout()
        if whole is not None:
            whole.removeItem(self.feet)  # beside the list, under what it means
        right.addLayout(self.feet)
        right.addStretch(1)
        self._go = self.add_feet("", ButtonFace(self.tr("Opt out"), Icon.STATE_OPTOUT, ButtonKind.PRIMARY, key="Enter"))
        for channel, box in self._boxes.items():
            box.toggled.connect(lambda on, channel=channel: self._on_toggled(channel, on))
        self.digit_pressed.connect(self._on_digit)
        self.accepted.connect(self._on_accepted)

    def open_for(self, page: PersonPage) -> None:
        """Open for someone. Texts are chosen first, where there is a number: that is what most ask for."""
        self._page = page
        name = page.first_name or page.line.name or nameless(page.line.id)
        self._title.setText(self.tr("{name} wants no more of").format(name=name))
        phone = phone_words(page.line.phone, self._country) if page.line.phone else self.tr("no number")
        for channel in ORDER:
            self._addresses[channel].setText(
                page.line.email or self.tr("no email") if channel is Channel.EMAIL else phone
            )
        first = Channel.SMS if page.line.phone else Channel.EMAIL
        for channel, box in self._boxes.items():
            box.blockSignals(True)
            box.setChecked(channel is first or (channel in _PHONE and first is Channel.SMS))
            box.blockSignals(False)
        self.note.clear()
        self._tell()
        self.open()

    def chosen(self) -> tuple[Channel, ...]:
        """The channels that are ticked."""
        return tuple(channel for channel in ORDER if self._boxes[channel].isChecked())

    def fit(self, wide: int) -> None:
        """Side by side, or one above the other in a page less than `wide` enough.

        The page says how wide it is: the panel's own width changes with the scroll bar that its height brings.
        """
        beside = wide >= self._look.px(_BESIDE_FROM)
        self._across.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)

    def first_focus(self) -> QWidget | None:
        """The first box."""
        return self._boxes[Channel.SMS]

    def _list(self, look: Look) -> QWidget:
        card = channel_card(look, self._title, self._boxes, self._addresses, 110)
        card.setMinimumWidth(look.px(400))
        return card

    def _right(self, look: Look) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(Space.M)
        fields = QGridLayout()
        fields.setHorizontalSpacing(Space.M)
        fields.setColumnStretch(1, 1)
        fields.addWidget(LabelledField(look, self.tr("How did they ask?"), self._how), 0, 0)
        fields.addWidget(LabelledField(look, self.tr("Note (optional)"), self.note), 0, 1)
        column.addLayout(fields)
        column.addWidget(self._means)
        return column

    def _on_digit(self, number: int) -> None:
        if 1 <= number <= len(ORDER):
            self._boxes[ORDER[number - 1]].toggle()

    def _on_toggled(self, channel: Channel, on: bool) -> None:
        if channel in _PHONE:  # a no to texts is a no to calls too, and the other way round (RULES B7)
            for other in _PHONE:
                self._boxes[other].setChecked(on)
        self._tell()

    def _tell(self) -> None:
        chosen = self.chosen()
        face = ButtonFace(opted_out_words(chosen), Icon.STATE_OPTOUT, ButtonKind.PRIMARY, key="Enter")
        self._go.show_face(face, face.words)
        if chosen:
            self._go.set_on()
        else:
            self._go.set_off(self.tr("Choose what they want no more of."))
        set_runs(self._means, self._meaning(chosen))

    def _meaning(self, chosen: tuple[Channel, ...]) -> tuple[Run, ...]:
        page = self._page
        if page is None or not chosen:
            return (Run(self.tr("Nothing is chosen.")),)
        running = [each.journey for each in page.enrollments if each.state in LIVE]
        told: list[Run] = []
        if running:
            told = [
                Run(self.tr("What uses it ends, opted out: ")),
                Run(listed(running), bold=True),
                Run(". "),
            ]
        channels = listed([channels_word(channel) for channel in chosen])
        rest = self.tr("No {channels} from any journey, by hand or by test. Taking it back later needs their consent.")
        told.append(Run(rest.format(channels=channels)))
        if set(_PHONE) <= set(chosen) and Channel.EMAIL not in chosen:
            told.append(Run(self.tr(" A no to texts is a no to calls too; emails go on.")))
        return tuple(told)

    def _on_accepted(self) -> None:
        chosen = self.chosen()
        if not chosen:
            return
        note = self.note.text().strip()
        how = self._how.currentText()
        self.close_panel()
        self.opt_out_chosen.emit(chosen, f"{how}: {note}" if note else how)
