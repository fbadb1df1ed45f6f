"""Start again…: a new follow-up, with a reason; after an opt-out first the consent that was recorded."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from app.domain.person_lines import PersonPage
from app.domain.states import Channel, End
from app.ui.components.button_paint import ButtonFace, ButtonKind
from app.ui.components.fields import LabelledField, Select
from app.ui.components.inline_panel import InlinePanel
from app.ui.components.labels import label
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Space, Type
from app.ui.people.consent_fields import ConsentFields, opted_out_of
from app.ui.words import Where


class StartAgainPanel(InlinePanel):
    """Signal: `start_chosen(journey, reason, agreed)`; agreed: what they consented to, None where none is needed."""

    start_chosen = Signal(str, str, object)

    def __init__(self, look: Look) -> None:
        super().__init__(look, "")
        self.setAccessibleName(self.tr("Start again"))
        self._channels: tuple[Channel, ...] = ()
        self._needs_consent = False
        self.body.addWidget(label(self.tr("A new follow-up, from its first step"), Type.TITLE))
        self._journey = Select(look, name=self.tr("Journey"))
        self._journey.setMinimumWidth(look.px(220))
        self.reason = QLineEdit()
        fields = QHBoxLayout()
        fields.setSpacing(Space.M)
        self._journey_field = LabelledField(look, self.tr("Journey"), self._journey)
        self._reason_field = LabelledField(look, self.tr("Why again?"), self.reason)
        self.consent = ConsentFields(look, with_wording=False)
        fields.addWidget(self._journey_field)
        fields.addWidget(self._reason_field, 1)
        self.body.addLayout(fields)
        self.body.addWidget(self.consent)
        self._none = label(self.tr("No journey is live. Publish one first."), Type.BODY, "text2")
        self.body.addWidget(self._none)
        face = ButtonFace(self.tr("Start again"), Icon.AGAIN, ButtonKind.PRIMARY, key="Enter")
        self._go = self.add_feet("", face)
        self.reason.textEdited.connect(self._on_edited)
        self.accepted.connect(self._on_accepted)

    def open_for(self, page: PersonPage, journeys: Sequence[str], where: Where) -> None:
        """Open for someone. journeys: those that are live; the one they were in last is chosen."""
        self._journey.clear()
        self._journey.addItems(list(journeys))
        self._journey.updateGeometry()
        last = next((each.journey for each in page.enrollments if each.journey in journeys), "")
        if last:
            self._journey.setCurrentText(last)
        self._channels = opted_out_of(page)
        self._needs_consent = bool(self._channels) or page.outcome is End.OPTED_OUT
        if not self._channels:
            self._channels = tuple(channel for channel in Channel if _address(page, channel))
        self.consent.open_for(where)
        if self._needs_consent:
            no = self.consent.no_words(page, self._channels, where)
            self.consent.set_closed(no or self.tr("They asked for no more once."))
        self.consent.setVisible(self._needs_consent)
        self._none.setVisible(not journeys)
        self._journey_field.setVisible(bool(journeys))
        self._reason_field.setVisible(bool(journeys))
        self.reason.clear()
        self._on_edited()
        if journeys:
            self._go.set_on()
        else:
            self._go.set_off(self.tr("No journey is live."))
        self.open()

    def first_focus(self) -> QWidget | None:
        """The first field that must be filled."""
        return self.reason

    def _on_edited(self, _text: str = "") -> None:
        self._reason_field.set_error("")

    def _on_accepted(self) -> None:
        reason = self.reason.text().strip()
        if not self._go.isEnabled():
            return
        if not reason:
            self._reason_field.set_error(self.tr("Say why they are started again."))
            self.reason.setFocus()
            return
        agreed = self.consent.agreed(self._channels) if self._needs_consent else None
        if self._needs_consent and agreed is None:
            return
        journey = self._journey.currentText()
        self.close_panel()
        self.start_chosen.emit(journey, reason, agreed)


def _address(page: PersonPage, channel: Channel) -> str | None:
    return page.line.email if channel is Channel.EMAIL else page.line.phone
