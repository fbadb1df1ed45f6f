"""Chips made from read models: the state of a person, a follow-up, a message, and what holds them, in short words."""

from __future__ import annotations

from typing import assert_never

from PySide6.QtCore import QCoreApplication

from app.domain.lines import HoldLine, PersonLine
from app.domain.reasons import Why
from app.domain.states import LIVE, Channel, Contact, End, EnrollmentState, MessageState
from app.ui.components.chips import Chip, ChipKind
from app.ui.components.state_words import hold_chip, state_chip
from app.ui.icons import Icon
from app.ui.when import short_words
from app.ui.words import Where, capital, channels_word, empty_words, ended_words, hold_words, why_words

translate = QCoreApplication.translate

_ALERTS = frozenset(
    {Why.EMPTY_VALUE, Why.TEMPLATE_BROKEN, Why.TROUBLE, Why.NEVER_OPEN, Why.NO_CONSENT, Why.OVERDUE}
    | {Why.ZONE_UNKNOWN, Why.NEVER_LEGAL, Why.RULES_UNREADABLE, Why.NO_UNSUBSCRIBE_GROUP, Why.ANSWERS_UNREAD}
)


def person_chip(line: PersonLine, where: Where) -> Chip | None:
    """The chip of a row of People; None for someone nobody has followed up with yet."""
    if line.contact is Contact.DO_NOT_CONTACT and line.state not in LIVE:
        return state_chip(ChipKind.OPTED_OUT, detail=why_words(Why.DO_NOT_CONTACT))
    if line.contact is Contact.WITH_STAFF:
        return with_staff_chip()
    if line.state is None:
        return None
    if line.state in LIVE:
        return live_chip(line.state, line.hold, where)
    return end_chip(End(line.state.value), line.end_detail, line.ended_by, line.goal_word)


def live_chip(state: EnrollmentState, hold: HoldLine | None, where: Where) -> Chip:
    """A follow-up that runs: active, paused, or held and by what."""
    if state is EnrollmentState.PAUSED:
        by = hold.facts.get("by", "") if hold else ""
        words = translate("states", "Paused by {by}").format(by=by) if by else ""
        return state_chip(ChipKind.PAUSED, words, hold_words(hold, where) if hold else "")
    return held_chip(hold, where) if hold is not None else state_chip(ChipKind.ACTIVE)


def held_chip(hold: HoldLine, where: Where) -> Chip:
    """What holds something, dashed: until when, or what lifts it."""
    if hold.why is Why.WITH_STAFF:
        return with_staff_chip(translate("states", "With staff until marked handled"))
    return hold_chip(hold_short(hold, where), _hold_icon(hold), hold_words(hold, where))


def with_staff_chip(words: str = "") -> Chip:
    """A reply waits for somebody."""
    return state_chip(ChipKind.WITH_STAFF, words, why_words(Why.WITH_STAFF))


def end_chip(end: End, detail: Why | None = None, by: str = "", goal_word: str = "") -> Chip:
    """How a follow-up ended. goal_word: what its journey was for, “Booked”, “Paid”."""
    words = goal_word if end is End.CONVERTED else ""
    if end is End.CONVERTED and not goal_word:
        words = translate("states", "Goal reached")
    return state_chip(ChipKind(end.value), words, ended_words(detail, by))


def message_chip(state: MessageState, hold: HoldLine | None = None, *, checking: bool = False) -> Chip:
    """A message's state. checking: its outcome is not known, the provider is being asked."""
    if checking or (state is MessageState.SENDING and hold is not None and hold.why is Why.CHECKING):
        return state_chip(ChipKind.RECONCILE)
    return state_chip(ChipKind(state.value))


def hold_short(hold: HoldLine, where: Where) -> str:
    """A hold in the few words that a chip has room for."""
    until = short_words(hold.until, where.zone, where.now) if hold.until is not None else ""
    facts = hold.facts
    match hold.why:
        case Why.CLINIC_CLOSED if until:
            return translate("states", "Opens {until}").format(until=until)
        case Why.QUIET_HOURS if until:
            return translate("states", "Legal hours from {until}").format(until=until)
        case Why.DAY_CAP:
            return translate("states", "Had {count} today").format(count=facts.get("count", "–"))
        case Why.WEEK_CAP:
            return translate("states", "Had {count} this week").format(count=facts.get("count", "–"))
        case Why.CHANNEL_PAUSED:
            return translate("states", "{channels} paused").format(
                channels=capital(_channels(facts.get("channel", "")))
            )
        case Why.EMPTY_VALUE:
            return translate("states", "{name} is empty").format(name=empty_words(facts.get("name", "–")))
        case Why.TEMPLATE_BROKEN:
            return translate("states", "“{name}” can’t be filled in").format(name=facts.get("name", "–"))
        case Why.NO_CONSENT:
            return translate("states", "No consent for {channels}").format(channels=_channels(facts.get("channel", "")))
        case Why.TRY_AGAIN:
            number = facts.get("number", "–")
            return translate("states", "Try {number} of 3, {until}").format(number=number, until=until or "–")
        case Why.TROUBLE:
            return translate("states", "On the problem list")
        case Why.ANSWERS_UNREAD:
            return translate("states", "Answers can’t be read")
        case Why.CHECKING:
            return translate("states", "Checking")
        case Why.MESSAGE_IN_HAND:
            return translate("states", "Message on its way")
        case Why.CALL_LIST:
            return translate("states", "On the call list")
        case Why.ONE_AT_A_TIME:
            return translate("states", "Waits for {journey}").format(journey=facts.get("journey", "–"))
        case Why.OVERDUE:
            return translate("states", "Overdue: staff decide")
        case Why.CLOCK_MOVED:
            return translate("states", "The clock moved")
        case Why.NEVER_OPEN:
            return translate("states", "No opening hours")
        case Why.ZONE_UNKNOWN:
            return translate("states", "Set their time zone")
        case Why.NEVER_LEGAL:
            return translate("states", "No legal hour while open")
        case Why.RULES_UNREADABLE:
            return translate("states", "Legal hours unknown")
        case Why.NO_UNSUBSCRIBE_GROUP:
            return translate("states", "No unsubscribe group")
        case Why.PHONE_CAP:
            return translate("states", "Had {count} in 24 hours").format(count=facts.get("count", "–"))
        case _:
            return hold_words(hold, where).removesuffix(".")


def _channels(channel: str) -> str:
    return channels_word(Channel(channel)) if channel in tuple(Channel) else translate("states", "messages")


def _hold_icon(hold: HoldLine) -> Icon | None:
    match hold.why:
        case Why.CHANNEL_PAUSED if hold.facts.get("because") == Why.BAD_CREDENTIALS.value:
            return Icon.KEY
        case Why.CHANNEL_PAUSED:
            return Icon.ALERT
        case Why.SENDING_PAUSED | Why.CLOCK_MOVED:
            return Icon.STATE_PAUSED
        case Why.CHECKING:
            return Icon.SEARCH
        case Why.CALL_LIST:
            return Icon.CALL
        case why if why in _ALERTS:
            return Icon.ALERT
        case _:
            return None


def channel_icon(channel: Channel) -> Icon:
    """The shape of a channel."""
    match channel:
        case Channel.EMAIL:
            return Icon.EMAIL
        case Channel.SMS:
            return Icon.SMS
        case Channel.CALL:
            return Icon.CALL
    assert_never(channel)


def step_icon(kind: str) -> Icon:
    """The shape of a step's kind; a kind that is not known is a plain task."""
    return _STEP_ICONS.get(kind, Icon.TASK)


_STEP_ICONS = {
    "email": Icon.EMAIL,
    "sms": Icon.SMS,
    "call": Icon.CALL,
    "task": Icon.TASK,
    "wait": Icon.WAIT,
    "wait_for": Icon.WAITFOR,
    "branch": Icon.BRANCH,
    "split": Icon.SPLIT,
    "repeat": Icon.REPEAT,
    "end": Icon.END,
}
