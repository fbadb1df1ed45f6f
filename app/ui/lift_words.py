"""What lifts a hold that no time lifts, for the columns that else tell a time."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from app.domain.lines import HoldLine
from app.domain.reasons import Why
from app.domain.states import Channel
from app.ui.words import channels_word

translate = QCoreApplication.translate


def lifted_by(hold: HoldLine) -> str:
    """“when staff decide”, “when New lead has ended”; empty for what somebody has to put right first."""
    match hold.why:
        case Why.OVERDUE:
            return translate("lift", "when staff decide")
        case Why.ONE_AT_A_TIME:
            return translate("lift", "when {journey} has ended").format(journey=hold.facts.get("journey", "–"))
        case Why.CHANNEL_PAUSED:
            channel = hold.facts.get("channel", "")
            words = channels_word(Channel(channel)) if channel in tuple(Channel) else translate("lift", "they")
            return translate("lift", "when {channels} work again").format(channels=words)
        case Why.SENDING_PAUSED | Why.CLOCK_MOVED:
            return translate("lift", "when sending resumes")
        case Why.CHECKING:
            return translate("lift", "when the provider has answered")
        case Why.CALL_LIST:
            return translate("lift", "when somebody has called")
        case Why.MESSAGE_IN_HAND:
            return translate("lift", "when its message has gone")
        case _:
            return ""
