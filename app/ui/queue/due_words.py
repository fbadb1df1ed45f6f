"""The columns *Due* and *Held, and until when* of the queue."""

from __future__ import annotations

from datetime import datetime, timedelta

from PySide6.QtCore import QCoreApplication

from app.domain.lines import QueueLine
from app.domain.reasons import Why
from app.domain.states import LIVE, Contact, End, EnrollmentState, MessageState
from app.ui.components.chips import Chip
from app.ui.components.state_words import hold_chip
from app.ui.icons import Icon
from app.ui.lift_words import lifted_by
from app.ui.list_sections import Part
from app.ui.state_chips import end_chip, live_chip, message_chip, with_staff_chip
from app.ui.when import away_words, clock_words, date_words, day_words, local, time_words
from app.ui.words import Where, why_words

translate = QCoreApplication.translate

_IN_HAND = frozenset({MessageState.LEASED, MessageState.SENDING})


def due_of(line: QueueLine, where: Where, part: Part | None, *, paused: bool) -> tuple[str, str]:
    """Two lines: the time, and how far it is or what it waits for. part: the head above tells the day already.

    paused: all sending is.
    """
    if line.state not in LIVE:
        return translate("queue", "nothing more"), _ended(line.ended_at, where)
    if line.contact is Contact.WITH_STAFF:
        return translate("queue", "when handled"), translate("queue", "a reply waits for staff")
    if line.state is EnrollmentState.PAUSED:
        words = translate("queue", "when somebody resumes it")
        return _at(line.at, where, part, away_words(line.at, where.now)) if line.at else (words, "")
    if line.message_state in _IN_HAND:
        return translate("queue", "now"), translate("queue", "on its way")
    if line.hold is not None and line.hold.until is None:
        asked = translate("queue", "asked again {time}")
        told = asked.format(time=time_words(line.at, where.zone, where.now)) if line.at else ""
        return lifted_by(line.hold) or translate("queue", "when it is put right"), told
    if line.at is None:
        return translate("queue", "as soon as it can"), ""
    if paused and line.hold is None:
        return _at(line.at, where, part, translate("queue", "when sending resumes"))
    if line.at <= where.now:
        return _at(line.at, where, part, translate("queue", "now"))
    return _at(line.at, where, part, away_words(line.at, where.now))


def held_of(line: QueueLine, where: Where, *, paused: bool) -> Chip | None:
    """What holds it, or how it ended while its row was in view; None for what nothing holds."""
    if line.state not in LIVE:
        return end_chip(End(line.state.value), line.end_detail, line.ended_by, line.goal_word)
    if line.contact is Contact.WITH_STAFF:
        return with_staff_chip(translate("queue", "With staff until marked handled"))
    if line.state is EnrollmentState.PAUSED or line.hold is not None:
        return live_chip(line.state, line.hold, where)
    if line.message_state in _IN_HAND and line.message_state is not None:
        return message_chip(line.message_state)
    if paused:
        words = why_words(Why.SENDING_PAUSED).removesuffix(".")
        return hold_chip(words, Icon.STATE_PAUSED)
    return None


def goes_by_itself(line: QueueLine) -> bool:
    """Whether it goes out at its time, as far as is known now: nothing holds it."""
    return line.state is EnrollmentState.ACTIVE and line.hold is None and line.contact is not Contact.WITH_STAFF


def _at(at: datetime, where: Where, part: Part | None, then: str) -> tuple[str, str]:
    clock = clock_words(at, where.zone)
    day, today = local(at, where.zone).date(), local(where.now, where.zone).date()
    told = part.day if part is not None and part.day is not None else None
    if day == told:
        return clock, then
    named = date_words(at, where.zone, where.now) if day == today else day_words(at, where.zone, where.now)
    return clock, f"{named}, {then}" if then else named


def _ended(at: datetime | None, where: Where) -> str:
    if at is None:
        return ""
    if where.now - at < timedelta(minutes=1):
        return translate("queue", "just now")
    if where.now - at < timedelta(hours=1):
        return away_words(at, where.now)
    return translate("queue", "since {time}").format(time=time_words(at, where.zone, where.now))
