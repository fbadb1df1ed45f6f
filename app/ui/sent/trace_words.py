"""Why a message went out, or did not, in sentences: the title, the one sentence, the tries, the stop that came."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

from PySide6.QtCore import QCoreApplication

from app.domain.events import EventKind
from app.domain.lines import AttemptLine, InboxEventLine, MessageLine, TraceLine, WhyLines
from app.domain.states import AttemptAnswer, MessageState
from app.ui.components.labels import Run, plain_words
from app.ui.guard_words import guard_name, saw_words
from app.ui.when import clock_words, length_words, time_words
from app.ui.words import Where, answer_why, capital, channel_word, hold_words, many, message_words, why_words

translate = QCoreApplication.translate

WENT_OUT = frozenset({MessageState.ACCEPTED, MessageState.DELIVERED, MessageState.UNDELIVERED})


def passed(line: TraceLine) -> bool:
    """Whether a guard let the message through."""
    return line.answer == "pass"


def trace_title(message: MessageLine) -> str:
    """“Why did this go out?”, or why not."""
    if message.state in WENT_OUT:
        return translate("trace", "Why did this go out?")
    if message.state is MessageState.SENDING:
        return translate("trace", "Where is this?")
    if message.state in (MessageState.QUEUED, MessageState.LEASED):
        return translate("trace", "Why does this wait?")
    return translate("trace", "Why did this not go out?")


def trace_sentence(why: WhyLines, where: Where) -> tuple[Run, ...]:
    """One sentence: who was where, and what was said when the guards were asked."""
    message = why.message
    what = capital(message_words(message.channel, message.template))
    if message.state in WENT_OUT and why.attempts:
        return _went_out(message, why.attempts[-1].noted_at, where)
    name = Run(message.name or translate("trace", "This person"), bold=True)
    if message.cancel_reason is not None:
        told = translate("trace", ": {message} was given up at {time}. {reason}")
        if message.state is MessageState.CANCELLED:
            told = translate("trace", ": {message} was cancelled at {time}. {reason}")
        facts = {"provider": _provider(message.provider), "code": message.reason_code or "–"}
        if why.stop is not None and why.stop.actor:
            facts["by"] = why.stop.actor
        reason = why_words(message.cancel_reason, facts, where)
        return (name, Run(told.format(message=what, time=_time(message.at, where), reason=reason)))
    if message.hold is not None:
        told = translate("trace", ": {message} is held. {reason}")
        return (name, Run(told.format(message=what, reason=hold_words(message.hold, where))))
    if message.state is MessageState.QUEUED:
        told = translate("trace", ": {message} waits for {time}. Every guard is asked then, on what is true then.")
        return (name, Run(told.format(message=what, time=_time(message.try_at or message.due_at, where))))
    return (name, Run(translate("trace", ": {message} is on its way.").format(message=what)))


def guard_rows(why: WhyLines, where: Where) -> list[tuple[bool, str, str]]:
    """Each guard in order: whether it passed, its name, what it saw. The one that said no stands first."""
    refused = [line for line in why.trace if not passed(line)]
    fine = [line for line in why.trace if passed(line)]
    channel = why.message.channel
    return [(passed(line), guard_name(line.guard, channel), _saw(line, why, where)) for line in (*refused, *fine)]


def guards_title(why: WhyLines) -> str:
    """“19 guards, all passed”; empty when none was asked yet."""
    if not why.trace:
        return ""
    count = many(len(why.trace), translate("trace", "1 guard"), translate("trace", "{count} guards"))
    if all(passed(line) for line in why.trace):
        return translate("trace", "{guards}, all passed").format(guards=count)
    return translate("trace", "{guards} asked, the last one said no").format(guards=count)


def tries_title(why: WhyLines) -> str:
    """“1 try”; “No try yet” for what waits, “No try was made” for what was cancelled before."""
    if why.attempts:
        return many(len(why.attempts), translate("trace", "1 try"), translate("trace", "{count} tries"))
    waits = why.message.state in (MessageState.QUEUED, MessageState.LEASED)
    return translate("trace", "No try yet") if waits else translate("trace", "No try was made")


def try_rows(why: WhyLines, where: Where) -> list[tuple[bool, str]]:
    """The tries, the stop that came, and a copy that there may be: whether it went well, and what happened."""
    rows = [row for attempt in why.attempts for row in attempt_words(attempt, where)]
    if why.stop is not None:
        rows.append((False, stop_words(why.stop, where)))
    if why.message.possible_duplicate:
        rows.append((False, translate("trace", "Handed over again without knowing: they may have got it twice")))
    return rows


def attempt_words(attempt: AttemptLine, where: Where) -> list[tuple[bool, str]]:
    """One try in a line or two, each with whether it went well."""
    noted = clock_words(attempt.noted_at, where.zone, seconds=True)
    if attempt.handed_at is not None:
        after = _milliseconds(attempt.noted_at, attempt.handed_at)
        first = translate("trace", "Noted {time}, handed over {length} later").format(time=noted, length=after)
    else:
        first = translate("trace", "Noted {time}, not handed over").format(time=noted)
    return [(attempt.handed_at is not None, first), *_answer(attempt, where)]


def stop_words(stop: InboxEventLine, where: Where) -> str:
    """The stop that ended it: who, how, when."""
    time = _time(stop.happened_at, where)
    kinds = {
        EventKind.STOPPED: translate("trace", "{who} pressed Stop at {time}"),
        EventKind.REPLIED: translate("trace", "A reply{channel} came at {time}"),
        EventKind.OPTED_OUT: translate("trace", "An opt-out{channel} came at {time}"),
        EventKind.BOOKED: translate("trace", "A booking came at {time}"),
        EventKind.PAID: translate("trace", "A payment came at {time}"),
        EventKind.COMPLAINED: translate("trace", "They reported a message as spam at {time}"),
        EventKind.BOUNCED: translate("trace", "A message came back at {time}: the address does not exist"),
        EventKind.DISCONNECTED: translate("trace", "The number turned out to be disconnected at {time}"),
    }
    known = {each.value: each for each in EventKind}
    told = kinds.get(known.get(stop.kind, EventKind.CONVERTED), translate("trace", "It ended by what came at {time}"))
    by = translate("trace", " by {channel}").format(channel=channel_word(stop.channel)) if stop.channel else ""
    return told.format(who=stop.actor or translate("trace", "Staff"), channel=by, time=time)


def trace_text(why: WhyLines, where: Where) -> str:
    """The whole trace as plain text, for the clipboard."""
    yes, no = translate("trace", "yes"), translate("trace", "no")
    lines = [trace_title(why.message), plain_words(trace_sentence(why, where)), ""]
    if why.trace:
        lines.append(guards_title(why))
        lines += [f"  {yes if fine else no}  {name}: {saw}" for fine, name, saw in guard_rows(why, where)]
        lines.append("")
    lines.append(tries_title(why) + (f" ({why.message.provider_id})" if why.message.provider_id else ""))
    lines += [f"  {words}" for _, words in try_rows(why, where)]
    return "\n".join(lines)


def _went_out(message: MessageLine, asked_at: datetime, where: Where) -> tuple[Run, ...]:
    name = Run(message.name or translate("trace", "This person"), bold=True)
    time = _time(asked_at, where)
    if message.journey is None:
        told = translate("trace", " got a message written by hand, and every guard, asked at {time}, said yes.")
        return (name, Run(told.format(time=time)))
    was = translate("trace", " was at step “{step}” of ").format(step=message.step or message.template)
    told = translate("trace", " v{version}, and every guard, asked at {time}, said yes.")
    return (name, Run(was), Run(message.journey, bold=True), Run(told.format(version=message.version, time=time)))


def _saw(line: TraceLine, why: WhyLines, where: Where) -> str:
    reason, hold = answer_why(line.answer), why.message.hold
    if reason is not None and hold is not None and hold.why is reason:
        return hold_words(hold, where).removesuffix(".")  # with its until, which the trace alone doesn't tell
    return saw_words(line, where)


def _answer(attempt: AttemptLine, where: Where) -> list[tuple[bool, str]]:
    provider = _provider(attempt.provider)
    at = attempt.answered_at
    time = clock_words(at, where.zone, seconds=True) if at is not None else "–"
    facts = {"provider": provider, "code": attempt.code or "–"}
    why = why_words(attempt.why, facts, where) if attempt.why is not None else ""
    match attempt.answer:
        case AttemptAnswer.OPEN:
            return []
        case AttemptAnswer.ACCEPTED:
            return [(True, translate("trace", "{provider} accepted it {time}").format(provider=provider, time=time))]
        case AttemptAnswer.NOT_MADE:
            return [(False, translate("trace", "Taken back before the call: {why}").format(why=why))]
        case AttemptAnswer.NOT_FOUND:
            return [(False, translate("trace", "{provider} never had it").format(provider=provider))]
        case AttemptAnswer.TRANSIENT | AttemptAnswer.PERMANENT | AttemptAnswer.OUTAGE | AttemptAnswer.UNKNOWN:
            return [(False, f"{time}: {why}")]
    assert_never(attempt.answer)


def _provider(name: str | None) -> str:
    match name:
        case "practice":
            return translate("trace", "The practice phone")
        case "twilio":
            return "Twilio"
        case "sendgrid":
            return "SendGrid"
    return capital(name) if name else translate("trace", "The provider")


def _time(at: datetime, where: Where) -> str:
    return time_words(at, where.zone, where.now, seconds=True)


def _milliseconds(start: datetime, end: datetime) -> str:
    length = end - start
    if length.total_seconds() >= 1:
        return length_words(length)
    return f"{max(0, round(length.total_seconds() * 1000))} ms"
