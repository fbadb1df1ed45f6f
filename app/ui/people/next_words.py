"""The column *Next*: when a person hears from us again, and what that waits for."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QCoreApplication

from app.domain.lines import HoldLine, PersonLine
from app.domain.reasons import Why
from app.domain.states import LIVE, Contact, EnrollmentState, MessageState
from app.ui.lift_words import lifted_by
from app.ui.when import away_words, next_words, time_words
from app.ui.words import Where, ended_words, hold_words

translate = QCoreApplication.translate


def next_of(line: PersonLine, where: Where, *, paused: bool) -> tuple[str, str]:
    """Two lines: when, and why then. paused: all sending is."""
    if line.state is None:
        return translate("next", "nothing"), translate("next", "not followed up yet")
    if line.state not in LIVE:
        return translate("next", "nothing"), _since(line.ended_at, where)
    if line.contact is Contact.WITH_STAFF:
        return translate("next", "when handled"), _replied(line, where)
    if line.state is EnrollmentState.PAUSED or line.hold is not None:
        return _held(line.wake_at, line.hold, where)
    if line.message_state in (MessageState.LEASED, MessageState.SENDING):
        return translate("next", "going out"), translate("next", "now")
    if line.wake_at is None:
        return translate("next", "as soon as it can"), ""
    if paused:
        return _time(line.wake_at, where), translate("next", "when sending resumes")
    if line.wake_at <= where.now:
        return translate("next", "now"), translate("next", "at the next check")
    return _time(line.wake_at, where), away_words(line.wake_at, where.now)


def journey_of(line: PersonLine, step: str) -> tuple[str, str]:
    """The column *Journey and step*: the journey, and where in it. step: the step in words."""
    if line.journey is None:
        return "", ""
    if line.state in LIVE:
        more = translate("next", "{journey} and {count} more")
        journey = line.journey if line.running < 2 else more.format(journey=line.journey, count=line.running - 1)
        return journey, step
    ended = translate("next", "{journey} ended").format(journey=line.journey)
    return ended, ended_words(line.end_detail, line.ended_by)


def _held(wake_at: datetime | None, hold: HoldLine | None, where: Where) -> tuple[str, str]:
    if hold is None:
        return _time(wake_at, where) if wake_at else translate("next", "until resumed"), ""
    at = hold.until or wake_at
    told = hold_words(HoldLine(hold.why, None, hold.facts), where).removesuffix(".")
    match hold.why:
        case Why.PAUSED_BY_STAFF:
            return (_time(at, where), away_words(at, where.now)) if at else (translate("next", "until resumed"), told)
        case Why.CLINIC_CLOSED:
            return (_time(at, where) if at else "–"), translate("next", "the clinic is closed")
        case Why.QUIET_HOURS:
            return (_time(at, where) if at else "–"), translate("next", "outside legal hours")
    if hold.until is None:
        return lifted_by(hold) or translate("next", "when that is put right"), told
    return _time(hold.until, where), told


def _time(at: datetime, where: Where) -> str:
    return next_words(at, where.zone, where.now)


def _since(at: datetime | None, where: Where) -> str:
    if at is None:
        return ""
    if (where.now - at).total_seconds() < 3600:
        return away_words(at, where.now)
    return translate("next", "since {time}").format(time=time_words(at, where.zone, where.now))


def _replied(line: PersonLine, where: Where) -> str:
    if line.with_staff_since is None:
        return translate("next", "a reply waits")
    return translate("next", "replied {time}").format(time=time_words(line.with_staff_since, where.zone, where.now))
