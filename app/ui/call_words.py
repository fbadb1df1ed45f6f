"""Calls in words: each outcome's name and sign, what it would lead to, and what it did."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from app.domain.call_lines import CallLine
from app.domain.call_outcome import OUTCOME_WORDS, CallOutcome
from app.ui.icons import Icon
from app.ui.when import length_words, time_words
from app.ui.words import Where, step_name

translate = QCoreApplication.translate

OUTCOME_ICONS = {
    CallOutcome.REACHED: Icon.STATE_REPLIED,
    CallOutcome.VOICEMAIL: Icon.SMS,
    CallOutcome.NO_ANSWER: Icon.WAIT,
    CallOutcome.WRONG_NUMBER: Icon.STATE_SUPPRESSED,
    CallOutcome.DISCONNECTED: Icon.STATE_SUPPRESSED,
    CallOutcome.ASKED_NOT_TO_CALL: Icon.STATE_OPTOUT,
}


def outcome_name(outcome: CallOutcome) -> str:
    """What stands on its button."""
    match outcome:
        case CallOutcome.REACHED:
            return translate("calls", "Reached")
        case CallOutcome.VOICEMAIL:
            return translate("calls", "Voicemail left")
        case CallOutcome.NO_ANSWER:
            return translate("calls", "No answer")
        case CallOutcome.WRONG_NUMBER:
            return translate("calls", "Wrong number")
        case CallOutcome.DISCONNECTED:
            return translate("calls", "Disconnected number")
        case CallOutcome.ASKED_NOT_TO_CALL:
            return translate("calls", "Asked not to be called")


def outcome_words(outcome: CallOutcome) -> str:
    """The outcome within a sentence: “voicemail left”."""
    return translate("calls", OUTCOME_WORDS[outcome])


def leads_to(outcome: CallOutcome, line: CallLine) -> str:
    """What pressing it does, in one line."""
    way = line.way
    on = translate("calls", "Goes on: {step}").format(step=step_name(way.next))
    match outcome:
        case CallOutcome.REACHED if way.replied:
            return translate("calls", "Ends {journey}: replied").format(journey=line.journey)
        case CallOutcome.REACHED:
            return translate("calls", "With staff until handled. {on}").format(on=on)
        case CallOutcome.VOICEMAIL:
            return on
        case CallOutcome.NO_ANSWER if way.every is not None:
            told = translate("calls", "This was try {number} of {tries}. Again in {length}")
            return told.format(number=line.number, tries=line.tries, length=length_words(way.every))
        case CallOutcome.NO_ANSWER:
            told = translate("calls", "This was try {number} of {tries}. {on}")
            return told.format(number=line.number, tries=line.tries, on=on)
        case CallOutcome.WRONG_NUMBER | CallOutcome.DISCONNECTED if way.goes_on:
            return translate("calls", "Never calls or texts this number again. {on}").format(on=on)
        case CallOutcome.WRONG_NUMBER | CallOutcome.DISCONNECTED:
            return translate("calls", "Never calls or texts this number again; ends: suppressed")
        case CallOutcome.ASKED_NOT_TO_CALL:
            return translate("calls", "Opted out of calls and texts; ends: opted out")


def try_words(line: CallLine) -> str:
    """“try 2 of 2”."""
    return translate("calls", "try {number} of {tries}").format(number=line.number, tries=line.tries)


def before_words(line: CallLine, where: Where) -> str:
    """“last try Fri 3:40 PM MST, no answer”; empty for the first."""
    if not line.before:
        return ""
    at, outcome = line.before[-1]
    told = translate("calls", "last try {time}, {outcome}")
    return told.format(time=time_words(at, where.zone, where.now), outcome=outcome_words(outcome))
