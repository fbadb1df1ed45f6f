"""A condition in words, as the end of a sentence that begins "when": "an appointment is booked since the start"."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import assert_never

from app.domain.condition_tree import (
    CUSTOM_PREFIX,
    After,
    Ago,
    AllOf,
    AnyOf,
    Before,
    Condition,
    Contains,
    Empty,
    EndedJourney,
    FieldIs,
    FieldTest,
    HasEvent,
    HasRecord,
    HasTag,
    Is,
    Less,
    Moment,
    More,
    Not,
    Since,
    SinceAgo,
    SinceEnrollment,
    Within,
)
from app.domain.durations import told_duration
from app.domain.events import EventKind
from app.domain.states import Channel

_HAPPENED = {
    EventKind.REPLIED: "they replied",
    EventKind.BOOKED: "they booked",
    EventKind.PAID: "they paid",
    EventKind.ACCEPTED: "they accepted",
    EventKind.COMPLETED: "their job was completed",
    EventKind.CONVERTED: "they converted",
    EventKind.CLOSED: "they were closed",
    EventKind.OPTED_OUT: "they opted out",
    EventKind.OPTED_IN: "they opted in again",
    EventKind.COMPLAINED: "they complained",
    EventKind.BOUNCED: "a message bounced",
    EventKind.BOUNCED_SOFT: "a message bounced for now",
    EventKind.DISCONNECTED: "their number turned out to be disconnected",
    EventKind.AUTO_REPLY: "an automatic answer came",
    EventKind.STOPPED: "staff stopped them",
    EventKind.OPENED: "they opened a message",
    EventKind.CLICKED: "they clicked a link",
    EventKind.OTHER: "something else came in",
}
_ON = {Channel.EMAIL: " by email", Channel.SMS: " by text", Channel.CALL: " by phone"}


def told(condition: Condition) -> str:
    """The condition in words, without a full stop."""
    return _told(condition, inside=False)


def _told(condition: Condition, *, inside: bool) -> str:
    match condition:
        case AllOf(parts):
            return _joined(parts, " and ", inside)
        case AnyOf(parts):
            return _joined(parts, " or ", inside)
        case Not(part):
            return f"not ({_told(part, inside=False)})"
        case FieldIs(name, test):
            field = name.removeprefix(CUSTOM_PREFIX).removeprefix("person.").replace("_", " ")
            return f"{field} {_told_test(test)}"
        case HasRecord():
            return _told_record(condition)
        case HasTag(tag):
            return f"they have the tag {tag}"
        case HasEvent(kind, channel, since):
            return f"{_HAPPENED[kind]}{_ON[channel] if channel else ''}{_told_since(since)}"
        case EndedJourney(name, ends, since):
            words = _or_list([end.value.replace("_", " ") for end in sorted(ends)])
            return f"{name} ended {words}{_told_since(since)}"
        case _:
            assert_never(condition)


def _joined(parts: tuple[Condition, ...], word: str, inside: bool) -> str:
    text = word.join(_told(part, inside=True) for part in parts)
    return f"({text})" if inside and len(parts) > 1 else text


def _told_test(test: FieldTest) -> str:
    match test:
        case Is(values, negated):
            return f"is{' not' if negated else ''} {_or_list([str(value) for value in values])}"
        case Contains(part):
            return f"contains {part}"
        case Before(moment):
            return f"is before {_told_moment(moment)}"
        case After(moment):
            return f"is after {_told_moment(moment)}"
        case Less(limit):
            return f"is less than {limit:g}"
        case More(limit):
            return f"is more than {limit:g}"
        case Empty(wanted):
            return "is empty" if wanted else "is not empty"
        case _:
            assert_never(test)


def _told_moment(moment: Moment) -> str:
    match moment:
        case Ago(by):
            return f"{told_duration(-by)} from now" if by < timedelta(0) else f"{told_duration(by)} ago"
        case datetime():
            return f"{moment:%Y-%m-%d %H:%M} UTC"
        case _:
            return moment.isoformat()


def _told_record(condition: HasRecord) -> str:
    kind = f"{condition.label} {condition.kind.value}" if condition.label else condition.kind.value
    status = _or_list([word.replace("_", " ") for word in condition.statuses])
    tail = f"{_told_since(condition.since)}{_told_within(condition.within)}"
    if (condition.at_least, condition.at_most) == (1, None):
        article = "an" if kind[0] in "aeio" else "a"
        return f"{article} {kind} is {status}{tail}" if status else f"there is {article} {kind}{tail}"
    return f"{_told_count(condition)} {kind}s {f'are {status}' if status else 'are there'}{tail}"


def _told_count(condition: HasRecord) -> str:
    match condition.at_least, condition.at_most:
        case 0, 0:
            return "no"
        case least, None:
            return f"at least {least}"
        case 0, most:
            return f"at most {most}"
        case least, most:
            return f"{least} to {most}" if least != most else f"exactly {least}"


def _told_since(since: Since | None) -> str:
    match since:
        case None:
            return ""
        case SinceEnrollment():
            return " since the start"
        case SinceAgo(by):
            return f" in the last {told_duration(by)}"
        case _:
            assert_never(since)


def _told_within(within: Within | None) -> str:
    match within:
        case None | Within(None, None):
            return ""
        case Within(back, None) if back is not None:
            return f", dated in the last {told_duration(back)}"
        case Within(None, ahead) if ahead is not None:
            return f", dated in the next {told_duration(ahead)}"
        case Within(back, ahead):
            assert back is not None
            assert ahead is not None
            if back == ahead:
                return f", dated within {told_duration(back)} of now"
            return f", dated from {told_duration(back)} ago to {told_duration(ahead)} ahead"


def _or_list(words: list[str]) -> str:
    return " or ".join(words)
