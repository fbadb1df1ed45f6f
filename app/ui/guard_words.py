"""The guards in words: what each makes sure of, by channel, and what it saw, as it is stored, said for staff.

What a guard saw is stored in short plain English (domain/guards.py). Each kind of it has its words here; one that is
not known, from an older version, is shown as it was stored. A test asks every guard for all it can see.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime, time

from PySide6.QtCore import QCoreApplication

from app.domain.lines import TraceLine
from app.domain.reasons import Why
from app.domain.states import Channel, End
from app.ui.when import hour_words, local, plain_date_words, time_of_day_words, time_words
from app.ui.words import Where, channels_word, end_word, guard_words, many, why_words

translate = QCoreApplication.translate


def guard_name(guard: str, channel: Channel) -> str:
    """What a guard makes sure of: “Clinic hours”; where it is about the channel, by its name: “Consent for texts”."""
    channels = channels_word(channel)
    match guard, channel:
        case "consent_given", _:
            return translate("guards", "Consent for {channels}").format(channels=channels)
        case "address_usable", Channel.SMS:
            return translate("guards", "There is a number to text")
        case "address_usable", Channel.CALL:
            return translate("guards", "There is a number to call")
        case "address_usable", Channel.EMAIL:
            return translate("guards", "There is an email address")
        case "channel_working", Channel.SMS:
            return translate("guards", "Texts are working")
        case "channel_working", Channel.EMAIL:
            return translate("guards", "Emails are working")
        case "channel_working", Channel.CALL:
            return translate("guards", "Calls are working")
    return guard_words(guard)


def saw_words(line: TraceLine, where: Where) -> str:
    """What a guard saw, in words; as it was stored when it is not known."""
    for pattern, words in SAW.get(line.guard, ()):
        found = re.fullmatch(pattern, line.saw)
        if found is not None:
            given = {name: _said(name, value, where) for name, value in found.groupdict().items()}
            return translate("saw", words).format_map(given)
    return line.saw


_BY_HAND = ("written by hand", "written by hand")
_DATE = r"(?P<date>\d{4}-\d\d-\d\d)"
_FOR = r"for (?P<place>[^;]+); (?P<zones>\d+) zones?; rules of (?P<month>\d{4}-\d\d)"
_WINDOW = rf"(?P<opens>\d\d:\d\d)-(?P<closes>\d\d:\d\d) {_FOR}"
_NO_WINDOW = f"no hour that day {_FOR}"

SAW: Mapping[str, tuple[tuple[str, str], ...]] = {
    "clock_sane": (
        ("first look", "the first check of all"),
        ("in step with the last check", "in step with the last check"),
        ("went back", "it went back"),
        ("went forward by more than 31 days", "it went on by more than 31 days"),
    ),
    "engine_running": (("running", "running"), ("paused", "all sending is paused")),
    "journey_live": (
        _BY_HAND,
        ("draft", "still a draft"),
        (f"entered {_DATE}", "entered {date}, longer ago than it can last"),
        (r"live, version (?P<number>\d+)", "live, version {number}"),
        (r"retired, version (?P<number>\d+)", "retired, version {number} finishes"),
    ),
    "enrollment_active": (
        _BY_HAND,
        ("paused", "paused by staff"),
        (r"active, step (?P<step>.+)", "active, step “{step}”"),
        (r"(?P<end>[a-z_]+)", "ended: {end}"),
    ),
    "person_contactable": (
        ("open", "open, nothing with staff"),
        ("with_staff", "a reply is with staff"),
        ("do not contact", "not to be contacted at all"),
    ),
    "not_suppressed": (
        ("no entry for this address", "no entry for this address"),
        ("entry found", "it is on the list"),
        ("entry found, step may be skipped", "it is on the list; the step may be skipped"),
        ("entry of somebody else with it", "it is on the list for somebody else who has it"),
    ),
    "no_stop_waiting": (("none waiting", "none waiting"), (r"(?P<stops>\d+) not applied", "{stops} waiting")),
    "goal_not_reached": (
        ("not reached", "not reached"),
        ("no goal", "the journey has none"),
        ("goal reached", "it is reached"),
    ),
    "still_true": (
        ("still true", "still true"),
        ("no condition", "the journey asks nothing"),
        ("closed", "no longer true"),
    ),
    "one_at_a_time": (
        _BY_HAND,
        ("care waits for nothing", "care messages wait for nothing"),
        ("any number at a time", "several marketing journeys may run at a time"),
        ("its turn", "it is its turn"),
        (r"after (?P<journey>.+)", "first comes “{journey}”"),
    ),
    "consent_given": (
        (r"not needed for care by (?P<channel>[a-z]+)", "not needed: care needs only the address"),
        (r"not needed for marketing by (?P<channel>[a-z]+)", "not needed for {channel}"),
        (f"given {_DATE}", "given {date}"),
        ("none recorded", "none recorded"),
        ("there is no address to agree for", "there is no address to agree for"),
        ("not needed for a call that somebody makes themselves", "not needed: somebody calls themselves"),
    ),
    "address_usable": (
        ("there is one", "there is one"),
        ("none", "there is none"),
        ("none, step may be skipped", "there is none; the step may be skipped"),
    ),
    "not_said_already": (
        _BY_HAND,
        ("not said before", "this step was not sent before"),
        ("said before", "this step was sent before"),
        ("another copy on its way", "another copy is on its way"),
    ),
    "budget_left": (
        _BY_HAND,
        (r"(?P<used>\d+) of at most (?P<most>\d+)", "{used} of at most {most}"),
        (r"(?P<used>\d+) of (?P<most>\d+)", "all {most} are spent"),
    ),
    "still_useful": (
        ("no limit", "always"),
        ("in time", "in time"),
        (r"useful until (?P<instant>\S+)", "only until {instant}"),
    ),
    "not_overdue": (
        _BY_HAND,
        ("in time", "in time"),
        (r"(?P<minutes>\d+) min late", "{minutes} late"),
        (r"(?P<hours>\d+) h late", "{hours} late"),
        (r"(?P<days>\d+) days late", "{days} late"),
    ),
    "nobody_handling": (("no open reply", "no open reply"), ("open reply", "a reply waits for staff")),
    "answers_read": (
        ("no answer ends it", "not needed: no answer ends it"),
        ("answers are read", "answers are read"),
        (r"nothing read since (?P<instant>\S+)", "nothing new was read since {instant}"),
    ),
    "not_too_often": (
        (r"(?P<count>\d+) today, at most (?P<most>\d+)", "{count} today, at most {most}"),
        (r"(?P<count>\d+) today", "{count} today already"),
        (r"(?P<count>\d+) in 7 days", "{count} in 7 days already"),
        (r"(?P<count>\d+) by phone in 24 hours", "{count} by phone in 24 hours already"),
    ),
    "clinic_hours": (
        ("open", "open"),
        ("any hours", "this step may go at any hour"),
        ("closed", "closed, or about to close"),
        (f"closed on {_DATE}", "closed on {date}"),
        ("no opening in a year", "no opening hours in a year"),
    ),
    "legal_hours": (
        ("none for email", "there are none for email"),
        (r"(?P<opens>\d+:\d\d) to (?P<closes>\d+:\d\d)", "{opens} to {closes} there"),
        (r"(?P<clock>\d\d:\d\d) there", "{clock} there"),
        ("the rules can't be read", "the rules can’t be read"),
        ("nothing tells the time zone", "nothing tells the time zone"),
        (_WINDOW, "{opens} to {closes} for {place}, in {zones}; rules of {month}"),
        (f"outside {_WINDOW}", "outside {opens} to {closes} for {place}, in {zones}; rules of {month}"),
        (f"no hour is left: {_WINDOW}", "no hour in all {zones}: {opens} to {closes} for {place}; rules of {month}"),
        (f"no hour in 30 days: {_WINDOW}", "no hour in 30 days: {opens} to {closes} for {place}; rules of {month}"),
        (f"outside {_NO_WINDOW}", "none that day for {place}; rules of {month}"),
        (f"no hour is left: {_NO_WINDOW}", "no hour in all {zones} for {place}; rules of {month}"),
        (f"no hour in 30 days: {_NO_WINDOW}", "no hour in 30 days for {place}; rules of {month}"),
    ),
    "channel_working": (
        ("working", "working"),
        ("paused, and due to be tried again", "paused, and due to be tried again"),
        (r"paused: (?P<why>[a-z_]+)", "paused: {why}"),
        ("staff make it themselves", "not needed: somebody calls themselves"),
    ),
    "call_list": (("the front desk calls", "on the call list of the front desk"),),
    "words_filled": (
        ("empty", "one of them is empty"),
        ("missing", "its template is missing"),
        ("can't be filled in", "its template can’t be filled in"),
        ("no unsubscribe group", "there is no page yet to unsubscribe by"),
    ),
    "asked": (("fault", "something went wrong in asking"),),
}


def _said(name: str, value: str, where: Where) -> str:
    match name:
        case "date":
            return plain_date_words(date.fromisoformat(value), local(where.now, where.zone).date())
        case "instant":
            return time_words(datetime.fromisoformat(value), where.zone, where.now)
        case "opens" | "closes" | "clock":
            return _clock(value, where)
        case "channel" if value in tuple(Channel):
            return channels_word(Channel(value))
        case "stops":
            return many(int(value), translate("saw", "1 stop"), translate("saw", "{count} stops"))
        case "zones":
            return many(int(value), translate("saw", "1 time zone"), translate("saw", "{count} time zones"))
        case "place" if value == "an unknown state":
            return translate("saw", "an unknown state")
        case "place" if value == "care":
            return translate("saw", "care")
        case "count":
            return many(int(value), translate("saw", "1 message"), translate("saw", "{count} messages"))
        case "minutes":
            return many(int(value), translate("saw", "1 minute"), translate("saw", "{count} minutes"))
        case "hours":
            return many(int(value), translate("saw", "1 hour"), translate("saw", "{count} hours"))
        case "days":
            return many(int(value), translate("saw", "1 day"), translate("saw", "{count} days"))
        case "why" if value in tuple(Why):
            told = why_words(Why(value)).removesuffix(".")
            return told[:1].lower() + told[1:]
        case "end" if value in tuple(End):
            return end_word(End(value))
        case _:
            return value


def _clock(value: str, where: Where) -> str:
    """“8:00” or “21:45” as the locale writes it."""
    hour, minute = (int(part) for part in value.split(":"))
    there = local(where.now, where.zone)
    at = datetime.combine(there.date(), time(hour % 24, minute), tzinfo=there.tzinfo)  # a window may end at 24:00
    return hour_words(at, where.zone) if not minute else time_of_day_words(at, where.zone)
