"""Start again…: a new follow-up, with a reason; after an opt-out first the consent that was recorded."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from app.domain.person_lines import PersonPage
from app.domain.reasons import Why
from app.domain.states import Channel, Contact, End
from app.ui.components.button_paint import ButtonFace, ButtonKind
from app.ui.components.fields import LabelledField, Select
from app.ui.components.inline_panel import InlinePanel
from app.ui.components.labels import label
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Space, Type

_THEIR_WISH = frozenset({Why.OPT_OUT, Why.COMPLAINT, Why.DO_NOT_CONTACT})


class StartAgainPanel(InlinePanel):
    """Signal: `start_chosen(journey, reason, consent, channels)`; consent "" where none is needed."""

    start_chosen = Signal(str, str, str, object)

    def __init__(self, look: Look) -> None:
        super().__init__(look, "")
        self.setAccessibleName(self.tr("Start again"))
        self._channels: tuple[Channel, ...] = ()
        self._needs_consent = False
        self.body.addWidget(label(self.tr("A new follow-up, from its first step"), Type.TITLE))
        self._journey = Select(look, name=self.tr("Journey"))
        self._journey.setMinimumWidth(look.px(220))
        self.reason = QLineEdit()
        self.consent = QLineEdit()
        self.consent.setPlaceholderText(self.tr("What they wrote or signed, and when"))
        fields = QHBoxLayout()
        fields.setSpacing(Space.M)
        self._journey_field = LabelledField(look, self.tr("Journey"), self._journey)
        self._reason_field = LabelledField(look, self.tr("Why again?"), self.reason)
        self._consent_field = LabelledField(
            look,
            self.tr("Their recorded consent"),
            self.consent,
            self.tr("They had asked not to be contacted. It is kept with who recorded it and when."),
        )
        fields.addWidget(self._journey_field)
        fields.addWidget(self._reason_field, 1)
        self.body.addLayout(fields)
        self.body.addWidget(self._consent_field)
        self._none = label(self.tr("No journey is live. Publish one first."), Type.BODY, "text2")
        self.body.addWidget(self._none)
        face = ButtonFace(self.tr("Start again"), Icon.AGAIN, ButtonKind.PRIMARY, key="Enter")
        self._go = self.add_feet("", face)
        self.reason.textEdited.connect(self._on_edited)
        self.consent.textEdited.connect(self._on_edited)
        self.accepted.connect(self._on_accepted)

    def open_for(self, page: PersonPage, journeys: Sequence[str]) -> None:
        """Open for someone. journeys: those that are live; the one they were in last is chosen."""
        self._journey.clear()
        self._journey.addItems(list(journeys))
        self._journey.updateGeometry()
        last = next((each.journey for each in page.enrollments if each.journey in journeys), "")
        if last:
            self._journey.setCurrentText(last)
        self._channels = opted_out_of(page)
        self._needs_consent = bool(self._channels) or page.outcome is End.OPTED_OUT
        self._consent_field.setVisible(self._needs_consent)
        self._none.setVisible(not journeys)
        self._journey_field.setVisible(bool(journeys))
        self._reason_field.setVisible(bool(journeys))
        self.reason.clear()
        self.consent.clear()
        self._on_edited()
        if journeys:
            self._go.set_on()
        else:
            self._go.set_off(self.tr("No journey is live."))
        self.open()

    def first_focus(self) -> QWidget | None:
        """The first field that must be filled."""
        return self.consent if self._needs_consent else self.reason

    def _on_edited(self, _text: str = "") -> None:
        self._reason_field.set_error("")
        self._consent_field.set_error("")

    def _on_accepted(self) -> None:
        reason, consent = self.reason.text().strip(), self.consent.text().strip()
        if not self._go.isEnabled():
            return
        if self._needs_consent and not consent:
            self._consent_field.set_error(self.tr("Say what they agreed to, how and when."))
            self.consent.setFocus()
            return
        if not reason:
            self._reason_field.set_error(self.tr("Say why they are started again."))
            self.reason.setFocus()
            return
        journey = self._journey.currentText()
        self.close_panel()
        self.start_chosen.emit(journey, reason, consent if self._needs_consent else "", self._channels)


def opted_out_of(page: PersonPage) -> tuple[Channel, ...]:
    """The channels that they themselves closed. A dead number is not among them: consent does not mend that."""
    if page.line.contact is Contact.DO_NOT_CONTACT:
        return tuple(Channel)
    closed = {entry.channel for entry in page.suppressions if entry.why in _THEIR_WISH}
    return tuple(channel for channel in Channel if channel in closed)
