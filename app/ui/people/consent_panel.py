"""Record consent…: to what they agreed, how, when, and where the proof is."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.domain.consent import SPOKEN
from app.domain.person_lines import PersonPage
from app.domain.states import Channel
from app.ui.components.button_paint import ButtonFace, ButtonKind
from app.ui.components.checks import CheckBox
from app.ui.components.inline_panel import InlinePanel
from app.ui.components.labels import label
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Type
from app.ui.people.channel_card import channel_card
from app.ui.people.consent_fields import ConsentFields
from app.ui.people.whom import nameless
from app.ui.words import Where, capital, channels_word, phone_words

ORDER = (Channel.SMS, Channel.CALL, Channel.EMAIL)


class ConsentPanel(InlinePanel):
    """Signal: `consent_chosen(Agreed)`."""

    consent_chosen = Signal(object)

    def __init__(self, look: Look, country: str) -> None:
        super().__init__(look, "")
        self.setAccessibleName(self.tr("Record consent"))
        self._country = country
        self._page: PersonPage | None = None
        self._where: Where | None = None
        self._title = label("", Type.TITLE)
        self._boxes = {channel: CheckBox(look, self._box_words(channel)) for channel in ORDER}
        self._addresses = {channel: label("", Type.BODY, "text2") for channel in ORDER}
        self.fields = ConsentFields(look, with_wording=True)
        law = self.tr(
            "In the US marketing texts and automated calls need it in writing. "
            "Better: let them sign a form, or text it to you."
        )
        self.law = label(law, Type.SECOND, "text2", wraps=True)
        self.body.addWidget(self._list(look))
        self.body.addWidget(self.fields)
        self.body.addWidget(self.law)
        self._go = self.add_feet("", ButtonFace(self.tr("Record consent"), Icon.CHECK, ButtonKind.PRIMARY, key="Enter"))
        for box in self._boxes.values():
            box.toggled.connect(self._on_chosen)
        self.fields.on_way(self._on_chosen)
        self.digit_pressed.connect(self._on_digit)
        self.accepted.connect(self._on_accepted)

    def open_for(self, page: PersonPage, where: Where) -> None:
        """Open for someone. Texts are chosen first, where there is a number."""
        self._page, self._where = page, where
        name = page.first_name or page.line.name or nameless(page.line.id)
        self._title.setText(self.tr("{name} agrees to marketing").format(name=name))
        self.fields.open_for(where)
        for channel, box in self._boxes.items():
            address = page.line.email if channel is Channel.EMAIL else page.line.phone
            shown = phone_words(address, self._country) if address and channel is not Channel.EMAIL else address
            missing = self.tr("no email") if channel is Channel.EMAIL else self.tr("no number")
            self._addresses[channel].setText(shown or missing)
            box.setEnabled(bool(address))
            box.setChecked(bool(address) and channel is (Channel.SMS if page.line.phone else Channel.EMAIL))
        self._on_chosen()
        self.open()

    def chosen(self) -> tuple[Channel, ...]:
        """The channels that are ticked."""
        return tuple(channel for channel in ORDER if self._boxes[channel].isChecked())

    def first_focus(self) -> QWidget | None:
        """The first box that can be ticked."""
        return next((box for box in self._boxes.values() if box.isEnabled()), None)

    def _box_words(self, channel: Channel) -> str:
        return self.tr("Automated calls") if channel is Channel.CALL else capital(channels_word(channel))

    def _list(self, look: Look) -> QWidget:
        return channel_card(look, self._title, self._boxes, self._addresses, 150)

    def _on_digit(self, number: int) -> None:
        if 1 <= number <= len(ORDER) and self._boxes[ORDER[number - 1]].isEnabled():
            self._boxes[ORDER[number - 1]].toggle()

    def _on_chosen(self, _given: object = None) -> None:
        page, where = self._page, self._where
        if page is None or where is None:
            return
        chosen = self.chosen()
        self.fields.set_closed(self.fields.no_words(page, chosen, where) if chosen else "")
        by_machine = any(channel is not Channel.EMAIL for channel in chosen)
        self.law.setVisible(by_machine and self._country == "US" and self.fields.way() in SPOKEN)
        if chosen:
            self._go.set_on()
        else:
            self._go.set_off(self.tr("Choose what they agree to."))

    def _on_accepted(self) -> None:
        chosen = self.chosen()
        agreed = self.fields.agreed(chosen) if chosen else None
        if agreed is None:
            return
        self.close_panel()
        self.consent_chosen.emit(agreed)
