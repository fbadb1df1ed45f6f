"""What each thing in a person's history is called on the screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from PySide6.QtCore import QCoreApplication

from app.domain.call_outcome import known_outcome
from app.domain.events import EventKind
from app.domain.person_lines import TimelineLine
from app.domain.reasons import Why
from app.domain.states import Channel, End, MessageState
from app.ui.call_words import outcome_words
from app.ui.components.labels import Run
from app.ui.icons import Icon
from app.ui.people.act_bars import goal_word
from app.ui.people.timeline_entry import Entry, by_words, why_of
from app.ui.people.timeline_steps import STEPS
from app.ui.state_chips import channel_icon
from app.ui.theme import Tone
from app.ui.when import length_words, time_words
from app.ui.words import Where, capital, channel_word, channels_word, end_word, message_words, why_words

translate = QCoreApplication.translate

_READ_LATE = timedelta(seconds=2)
_OUT = frozenset({MessageState.ACCEPTED, MessageState.DELIVERED, MessageState.UNDELIVERED})


def entry(line: TimelineLine, where: Where) -> Entry:
    """The entry of a line. What has no words of its own is shown by its name in the log: nothing is left out."""
    if line.message_state is not None:
        return _message(line, where)
    family, _, kind = line.event.partition(".")
    if family == "event":
        return _event(line, kind, where)
    made = _LOGGED.get(line.event)
    if made is not None:
        return made(line, where)
    words = capital(line.event.replace(".", " ").replace("_", " "))
    return Entry(line.at, Icon.INFO, Tone.NEUTRAL, (Run(words),), by_words(line))


# messages -------------------------------------------------------------------------------------------------------------


def _message(line: TimelineLine, where: Where) -> Entry:
    channel, state = line.channel or Channel.EMAIL, line.message_state
    name = Run(capital(message_words(channel, line.template or "")), bold=True)
    second = _doubled(line)
    went_out = state in _OUT
    icon, tone = channel_icon(channel), Tone.NEUTRAL
    match state:
        case MessageState.CANCELLED:
            icon = Icon.X
            what = message_words(channel, line.template or "")
            runs: tuple[Run, ...] = (Run(translate("timeline", "Cancelled: {message}").format(message=what)),)
            second = why_of(line, where) or second
        case MessageState.FAILED:
            icon, tone = Icon.ALERT, Tone.STOP
            runs, second = (name, Run(translate("timeline", " · failed"))), why_of(line, where) or second
        case MessageState.DELIVERED | MessageState.UNDELIVERED if channel is Channel.CALL:
            runs = (name, Run(translate("timeline", " · made")))  # how it ended has a line of its own
        case MessageState.UNDELIVERED:
            tone = Tone.PLUM
            runs = (name, Run(translate("timeline", " · accepted, not delivered")))
        case MessageState.DELIVERED:
            runs = (name, Run(translate("timeline", " · delivered")))
        case MessageState.ACCEPTED:
            runs = (name, Run(translate("timeline", " · accepted by the provider")))
        case MessageState.SENDING:
            tone = Tone.WARN
            runs = (name, Run(translate("timeline", " · going out")))
        case _:
            runs = (name, Run(translate("timeline", " · waiting")))
    return Entry(line.at, icon, tone, runs, second or line.text, line.message_id, went_out)


def _doubled(line: TimelineLine) -> str:
    if line.facts.get("possible_duplicate"):
        return translate("timeline", "May have gone out twice: the provider could not be asked")
    return ""


# what came in ---------------------------------------------------------------------------------------------------------


def _event(line: TimelineLine, kind: str, where: Where) -> Entry:
    known = EventKind(kind) if kind in tuple(EventKind) else EventKind.OTHER
    by = channel_word(line.channel) if line.channel is not None else ""
    who = line.actor or translate("timeline", "staff")
    quoted = f"“{line.text}”" if line.text else ""
    second = "  ".join(part for part in (quoted, _read_late(line)) if part)
    icon, tone, words = Icon.INBOX, Tone.INFO, ""
    match known:
        case EventKind.STOPPED:
            icon, tone = Icon.STATE_STOPPED, Tone.STOP
            words = translate("timeline", "{who} pressed Stop").format(who=who)
        case EventKind.REPLIED:
            icon = Icon.STATE_REPLIED
            words = translate("timeline", "Replied by {channel}").format(channel=by) if by else ""
            words = words or translate("timeline", "Replied; noted by {who}").format(who=who)
        case EventKind.BOOKED | EventKind.PAID | EventKind.ACCEPTED | EventKind.COMPLETED | EventKind.CONVERTED:
            icon, tone = Icon.STATE_CONVERTED, Tone.OK
            words = translate("timeline", "{goal}; noted by {who}").format(goal=goal_word(known), who=who)
        case EventKind.OPTED_OUT:
            icon, tone = Icon.STATE_OPTOUT, Tone.STOP
            words = translate("timeline", "Asked not to be contacted; noted by {who}").format(who=who)
            if by and not line.actor:
                words = translate("timeline", "Asked by {channel} not to be contacted").format(channel=by)
        case EventKind.OPTED_IN:
            icon, tone = Icon.CHECK, Tone.OK
            words = translate("timeline", "Agreed to be contacted; noted by {who}").format(who=who)
        case EventKind.COMPLAINED:
            icon, tone = Icon.STATE_OPTOUT, Tone.STOP
            words = translate("timeline", "Reported a message as spam")
        case EventKind.BOUNCED | EventKind.BOUNCED_SOFT | EventKind.DISCONNECTED:
            icon, tone = Icon.STATE_SUPPRESSED, Tone.PLUM
            words = _bounce_words(known)
        case EventKind.CLOSED:
            icon, tone = Icon.STATE_CLOSED, Tone.GREY
            words = translate("timeline", "Marked lost by {who}").format(who=who)
        case EventKind.AUTO_REPLY:
            words = translate("timeline", "An automatic reply; it ends nothing")
        case EventKind.OPENED:
            icon, words = Icon.EYE, translate("timeline", "Opened an email")
        case EventKind.CLICKED:
            icon, words = Icon.EYE, translate("timeline", "Followed a link")
        case EventKind.OTHER:
            words = translate("timeline", "Something came in by {channel}").format(channel=by or line.event)
    return Entry(line.at, icon, tone, (Run(words),), second)


def _bounce_words(kind: EventKind) -> str:
    match kind:
        case EventKind.BOUNCED_SOFT:
            return translate("timeline", "An email could not be delivered yet")
        case EventKind.DISCONNECTED:
            return translate("timeline", "The number is disconnected or belongs to someone else")
        case _:
            return translate("timeline", "The address does not exist")


def _read_late(line: TimelineLine) -> str:
    read = line.facts.get("read_at")
    late = datetime.fromisoformat(read) - line.at if isinstance(read, str) else timedelta(0)
    if late < _READ_LATE:
        return ""
    return translate("timeline", "Read {length} later").format(length=length_words(late))


# the log --------------------------------------------------------------------------------------------------------------


def _started(line: TimelineLine, _where: Where) -> Entry:
    version = translate("timeline", ", version {number}").format(number=line.version) if line.version else ""
    runs = (Run(translate("timeline", "Joined ")), Run(line.journey or "–", bold=True), Run(version))
    return Entry(line.at, Icon.JOURNEYS, Tone.NEUTRAL, runs, by_words(line))


def _not_started(line: TimelineLine, where: Where) -> Entry:
    """Somebody came into a group and its journey did not take them."""
    runs = (Run(translate("timeline", "Not taken into ")), Run(line.journey or "–", bold=True))
    again = str(line.facts.get("again_from", ""))
    if again:
        day = time_words(datetime.fromisoformat(again), where.zone, where.now)
        second = translate("timeline", "Was in it before; may come again from {time}").format(time=day)
    else:
        second = {
            "entered_before": translate("timeline", "Was in it before"),
            "opted_out": translate("timeline", "Opted out of it"),
            "do_not_contact": translate("timeline", "Not to be contacted"),
            "on_do_not_contact_list": translate("timeline", "Every address that it writes to is closed"),
        }.get(str(line.facts.get("why", "")), "")
    return Entry(line.at, Icon.JOURNEYS, Tone.NEUTRAL, runs, second)


def _ended(line: TimelineLine, where: Where) -> Entry:
    end = str(line.facts.get("end", ""))
    told = end_word(End(end)) if end in tuple(End) else translate("timeline", "ended")
    runs = (Run(line.journey or "–", bold=True), Run(translate("timeline", " ended: {end}").format(end=told)))
    icon, tone = _END_LOOKS.get(end, (Icon.END, Tone.NEUTRAL))
    return Entry(line.at, icon, tone, runs, why_of(line, where))


def _paused(line: TimelineLine, where: Where) -> Entry:
    who = line.actor or translate("timeline", "Staff")
    runs = (Run(translate("timeline", "{who} held ").format(who=who)), Run(line.journey or "–", bold=True))
    until = str(line.facts.get("until", ""))
    second = translate("timeline", "Until somebody resumes it")
    if until:
        time = time_words(datetime.fromisoformat(until), where.zone, where.now)
        second = translate("timeline", "Until {time}").format(time=time)
    return Entry(line.at, Icon.STATE_PAUSED, Tone.WARN, runs, second)


def _resumed(line: TimelineLine, _where: Where) -> Entry:
    runs = (Run(line.journey or "–", bold=True), Run(translate("timeline", " goes on")))
    second = by_words(line) or translate("timeline", "The hold was over")
    return Entry(line.at, Icon.STATE_ACTIVE, Tone.ACCENT, runs, second)


def _moved(line: TimelineLine, _where: Where) -> Entry:
    words = translate("timeline", " was moved to version {number}").format(number=line.facts.get("to", "–"))
    return Entry(line.at, Icon.RIGHT, Tone.NEUTRAL, (Run(line.journey or "–", bold=True), Run(words)), by_words(line))


def _handled(line: TimelineLine, _where: Where) -> Entry:
    who = line.actor or translate("timeline", "Staff")
    return Entry(line.at, Icon.CHECK, Tone.OK, (Run(translate("timeline", "{who} marked it handled").format(who=who)),))


def _zone_set(line: TimelineLine, _where: Where) -> Entry:
    words = translate("timeline", "Time zone set to {zone}").format(zone=line.facts.get("to", "–"))
    return Entry(line.at, Icon.CHECK, Tone.OK, (Run(words),), by_words(line))


def _added(line: TimelineLine, _where: Where) -> Entry:
    source = str(line.facts.get("source") or "")
    words = translate("timeline", "Came in by {source}").format(source=source) if source else ""
    if not words and line.facts.get("import"):
        words = translate("timeline", "Came in with an import")
    return Entry(line.at, Icon.IMPORT, Tone.NEUTRAL, (Run(words or translate("timeline", "Added")),), by_words(line))


def _suppressed(line: TimelineLine, where: Where) -> Entry:
    channels = channels_word(line.channel) if line.channel is not None else translate("timeline", "messages")
    words = translate("timeline", "No {channels} to this address, whatever the journey").format(channels=channels)
    return Entry(line.at, Icon.STATE_OPTOUT, Tone.STOP, (Run(words),), why_of(line, where))


def _lifted(line: TimelineLine, _where: Where) -> Entry:
    channels = channels_word(line.channel) if line.channel is not None else translate("timeline", "messages")
    words = translate("timeline", "May be reached by {channels} again").format(channels=channels)
    return Entry(line.at, Icon.CHECK, Tone.OK, (Run(words),), by_words(line))


def _agreed(line: TimelineLine, _where: Where) -> Entry:
    channels = channels_word(line.channel) if line.channel is not None else translate("timeline", "messages")
    words = translate("timeline", "Agreed to marketing {channels}").format(channels=channels)
    return Entry(line.at, Icon.CHECK, Tone.OK, (Run(words),), by_words(line))


def _took_back(line: TimelineLine, _where: Where) -> Entry:
    channels = channels_word(line.channel) if line.channel is not None else translate("timeline", "messages")
    words = translate("timeline", "No longer agrees to marketing {channels}").format(channels=channels)
    return Entry(line.at, Icon.STATE_OPTOUT, Tone.NEUTRAL, (Run(words),), by_words(line))


def _held(line: TimelineLine, where: Where) -> Entry:
    runs = (Run(line.journey or "–", bold=True), Run(translate("timeline", " was held")))
    return Entry(line.at, Icon.STATE_HOLD, Tone.WARN, runs, why_of(line, where))


def _call_ended(line: TimelineLine, where: Where) -> Entry:
    outcome = known_outcome(str(line.facts.get("outcome", "")))
    words = translate("timeline", "The call ended")
    if outcome is not None:
        words = translate("timeline", "Call: {outcome}").format(outcome=outcome_words(outcome))
    tries = ""
    if "number" in line.facts:
        told = translate("timeline", "Try {number} of {tries}")
        tries = told.format(number=line.facts["number"], tries=line.facts.get("of", "–"))
    until = str(line.facts.get("until", ""))
    if until:
        time = time_words(datetime.fromisoformat(until), where.zone, where.now)
        tries = translate("timeline", "{tries}, again {time}").format(tries=tries, time=time)
    against = str(line.facts.get("against", ""))
    although = ""
    if against in tuple(Why):
        why = why_words(Why(against), {"by": line.actor}, where)
        although = translate("timeline", "Made all the same: {why}").format(why=why).removesuffix(".")
    second = "  ".join(part for part in (tries, although, by_words(line)) if part)
    return Entry(line.at, Icon.CALL, Tone.INFO, (Run(words, bold=True),), second)


_LOGGED: Mapping[str, Callable[[TimelineLine, Where], Entry]] = {
    **STEPS,
    "follow_up.started": _started,
    "follow_up.not_started": _not_started,
    "follow_up.ended": _ended,
    "follow_up.paused": _paused,
    "follow_up.resumed": _resumed,
    "follow_up.moved": _moved,
    "person.handled": _handled,
    "person.zone_set": _zone_set,
    "person.added": _added,
    "address.suppressed": _suppressed,
    "call.ended": _call_ended,
    "suppression.lifted": _lifted,
    "consent.given": _agreed,
    "consent.revoked": _took_back,
    "follow_up.held": _held,
}

_END_LOOKS: Mapping[str, tuple[Icon, Tone]] = {
    End.REPLIED.value: (Icon.STATE_REPLIED, Tone.INFO),
    End.CONVERTED.value: (Icon.STATE_CONVERTED, Tone.OK),
    End.OPTED_OUT.value: (Icon.STATE_OPTOUT, Tone.STOP),
    End.EXHAUSTED.value: (Icon.STATE_EXHAUSTED, Tone.SAND),
    End.SUPPRESSED.value: (Icon.STATE_SUPPRESSED, Tone.PLUM),
    End.STOPPED.value: (Icon.STATE_STOPPED, Tone.STOP),
    End.CLOSED.value: (Icon.STATE_CLOSED, Tone.GREY),
}
