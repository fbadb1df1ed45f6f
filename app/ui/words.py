"""The words of the screen: counts, channels, phone numbers, steps, guards, and every sentence by its Why.

Pure, but for the translation that is installed. Times are in when.py, chips in state_chips.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import assert_never

from PySide6.QtCore import QCoreApplication

from app.domain.lines import HoldLine, StepLine
from app.domain.reasons import SENTENCES, Why, provider_words
from app.domain.states import Channel, End
from app.ui.when import short_words

translate = QCoreApplication.translate

ALL_PURPOSE_COUNTRY = "US"


@dataclass(frozen=True, slots=True)
class Where:
    """On whose clock times are told, and what time it is now."""

    zone: str
    now: datetime


# counts ---------------------------------------------------------------------------------------------------------------


def many(count: int, one: str, other: str) -> str:
    """`one` for 1, else `other` with its {count}; both are translated already."""
    return one if count == 1 else other.format(count=f"{count:,}")


def people_words(count: int) -> str:
    """“1 person”, “1,284 people”."""
    return many(count, translate("words", "1 person"), translate("words", "{count} people"))


def messages_words(channel: Channel, count: int) -> str:
    """“1 text”, “2 emails”."""
    match channel:
        case Channel.SMS:
            return many(count, translate("words", "1 text"), translate("words", "{count} texts"))
        case Channel.EMAIL:
            return many(count, translate("words", "1 email"), translate("words", "{count} emails"))
        case Channel.CALL:
            return many(count, translate("words", "1 call"), translate("words", "{count} calls"))
    assert_never(channel)


def each_channel_words(counts: Mapping[Channel, int]) -> str:
    """“1 email, 2 texts”; “nothing” when there is none."""
    order = (Channel.EMAIL, Channel.SMS, Channel.CALL)
    parts = [messages_words(channel, counts[channel]) for channel in order if counts.get(channel)]
    return ", ".join(parts) or translate("words", "nothing")


def listed(parts: list[str]) -> str:
    """“a”, “a and b”, “a, b and c”."""
    if len(parts) < 2:
        return "".join(parts)
    return translate("words", "{some} and {last}").format(some=", ".join(parts[:-1]), last=parts[-1])


def capital(words: str) -> str:
    """The first letter large; the rest as it is."""
    return words[:1].upper() + words[1:]


# channels, addresses --------------------------------------------------------------------------------------------------


def channel_word(channel: Channel) -> str:
    """“text”, “email”, “call”."""
    match channel:
        case Channel.SMS:
            return translate("words", "text")
        case Channel.EMAIL:
            return translate("words", "email")
        case Channel.CALL:
            return translate("words", "call")
    assert_never(channel)


def channels_word(channel: Channel) -> str:
    """“texts”, “emails”, “calls”."""
    match channel:
        case Channel.SMS:
            return translate("words", "texts")
        case Channel.EMAIL:
            return translate("words", "emails")
        case Channel.CALL:
            return translate("words", "calls")
    assert_never(channel)


def message_words(channel: Channel, template: str) -> str:
    """“text “Nudge””; a message without a template was written by hand."""
    if not template:
        return translate("words", "{channel} written by hand").format(channel=channel_word(channel))
    return f"{channel_word(channel)} “{template}”"


@lru_cache(maxsize=4096)
def phone_words(phone: str, country: str = ALL_PURPOSE_COUNTRY) -> str:
    """A number in E.164 as people of `country` write it: “(503) 555-0142”; one of another country with its +code."""
    from phonenumbers import (
        NumberParseException,
        PhoneNumberFormat,
        country_code_for_region,
        format_number,
        parse,
    )

    try:
        number = parse(phone, None)
    except NumberParseException:
        return phone
    home = number.country_code == country_code_for_region(country)
    return str(format_number(number, PhoneNumberFormat.NATIONAL if home else PhoneNumberFormat.INTERNATIONAL))


def address_words(address: str, country: str = ALL_PURPOSE_COUNTRY) -> str:
    """An email as it is, a number as people write it."""
    return phone_words(address, country) if address.startswith("+") else address


# steps, journeys ------------------------------------------------------------------------------------------------------


def step_name(step: StepLine) -> str:
    """“Email “Hello””, “Wait 2 days”."""
    try:
        return capital(message_words(Channel(step.kind), step.title))
    except ValueError:  # a wait, a branch, a task: its title says what it is
        return step.title or step.id


def step_words(step: StepLine) -> str:
    """“Email “Hello”, step 1 of 9”; a step that is not on the chart any more has no number."""
    if not step.of:
        return step_name(step)
    return translate("words", "{step}, step {number} of {of}").format(
        step=step_name(step), number=step.number, of=step.of
    )


def end_word(end: End, goal_word: str = "") -> str:
    """“replied”, “booked”: how a follow-up ended, inside a sentence. goal_word: of the journey, where it is known."""
    match end:
        case End.REPLIED:
            return translate("words", "replied")
        case End.CONVERTED:
            return goal_word.lower() or translate("words", "goal reached")
        case End.OPTED_OUT:
            return translate("words", "opted out")
        case End.EXHAUSTED:
            return translate("words", "exhausted")
        case End.SUPPRESSED:
            return translate("words", "suppressed")
        case End.STOPPED:
            return translate("words", "stopped")
        case End.CLOSED:
            return translate("words", "closed")
    assert_never(end)


# sentences by Why -----------------------------------------------------------------------------------------------------


def why_words(why: Why, facts: Mapping[str, object] | None = None, where: Where | None = None) -> str:
    """The whole sentence of `why`, translated, its places filled for a reader.

    A place without a fact takes a plain word, never a fault. where: needed for times among the facts.
    """
    given = {name: _fact_words(why, name, value, where) for name, value in (facts or {}).items()}
    told = _ON_SCREEN.get(why, SENTENCES[why])
    if "until" not in given:
        told = _WITHOUT_TIME.get(why, told)
    sentence = translate("why", told)
    return capital(sentence.format_map(_Plain(given)))


# where a log line no longer knows until when
_WITHOUT_TIME: Mapping[Why, str] = {
    Why.CLINIC_CLOSED: "The clinic was closed.",
    Why.QUIET_HOURS: "It was outside legal hours.",
}

# on screen a channel is “texts”, which the command line's sentences don't fit
_ON_SCREEN: Mapping[Why, str] = {
    Why.CHANNEL_PAUSED: "{channel} are paused: {because}.",
    Why.NO_CONSENT: "No consent recorded for marketing {channel}.",
}


def ended_words(why: Why | None, by: str) -> str:
    """Why a follow-up ended, for a row: “Dana pressed Stop”, “They replied”."""
    if why is None:
        return ""
    return why_words(why, {"by": by} if by else {}).removesuffix(".")


def hold_words(hold: HoldLine, where: Where) -> str:
    """The whole sentence of a hold, with its until."""
    facts: dict[str, object] = dict(hold.facts)
    if hold.until is not None:
        facts["until"] = hold.until
    return why_words(hold.why, facts, where)


def variable_words(name: str) -> str:
    """A template's variable as staff would say it: “person.first_name” is “First name”."""
    plain = name.removeprefix("person.").removeprefix("custom.")
    return capital(plain.replace(".", " ").replace("_", " "))


def empty_words(names: str) -> str:
    """The variables of an `empty_value` hold: “First name and Last name”."""
    return listed([variable_words(each) for each in names.split(", ")])


class _Plain(dict[str, str]):
    """What stands where a fact is missing."""

    def __missing__(self, name: str) -> str:
        match name:
            case "provider":
                return translate("words", "the provider")
            case "by":
                return translate("words", "staff")
            case "channel":
                return translate("words", "this channel")
            case "until" | "since" | "last_read":
                return translate("words", "later")
            case _:
                return "–"


def _fact_words(why: Why, name: str, value: object, where: Where | None) -> str:
    if isinstance(value, datetime):
        return short_words(value, where.zone, where.now) if where else value.isoformat()
    text = str(value)
    match name:
        case "channel" if text in tuple(Channel):
            return channels_word(Channel(text))
        case "because" if text in tuple(Why):
            told = why_words(Why(text)).removesuffix(".")
            return told[:1].lower() + told[1:]
        case "provider":
            return provider_words(text)
        case "until" | "since" | "last_read" if where is not None:
            return _time_fact(text, where)
        case "name" if why is Why.EMPTY_VALUE:
            return empty_words(text)
        case _:
            return text.removesuffix(".")


def _time_fact(text: str, where: Where) -> str:
    try:
        return short_words(datetime.fromisoformat(text), where.zone, where.now)
    except ValueError:
        return text


# guards ---------------------------------------------------------------------------------------------------------------


def guard_words(guard: str) -> str:
    """What a guard makes sure of: “Clinic is open”. A name that is not known is shown as it is."""
    found = _GUARDS.get(guard)
    return translate("guards", found) if found else guard


def answer_why(answer: str) -> Why | None:
    """The reason in a stored answer (“hold: clinic_closed”); None for one that passed."""
    word = answer.rpartition(": ")[2]
    return Why(word) if word in tuple(Why) else None


_GUARDS: Mapping[str, str] = {
    "clock_sane": "Clock is right",
    "engine_running": "Sending is not paused",
    "journey_live": "Journey is live",
    "enrollment_active": "Follow-up is running",
    "person_contactable": "Person may be contacted",
    "not_suppressed": "Not on a do-not-contact list",
    "no_stop_waiting": "No stop waiting to be read",
    "goal_not_reached": "Goal not reached",
    "still_true": "Still true",
    "one_at_a_time": "One journey at a time",
    "consent_given": "Consent for this channel",
    "address_usable": "Address can be used",
    "not_said_already": "Not said already",
    "budget_left": "Within the journey’s limit",
    "still_useful": "Still useful",
    "not_overdue": "Not overdue",
    "nobody_handling": "Nobody is handling it",
    "answers_read": "Answers are read",
    "not_too_often": "Not too often",
    "clinic_hours": "Clinic hours",
    "legal_hours": "Legal hours there",
    "channel_working": "Channel is working",
    "words_filled": "Every word is filled in",
    "call_list": "No call of the front desk",
    "asked": "Could be asked",
}
