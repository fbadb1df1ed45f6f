"""What the bar says after a stop: who and when, what was cancelled, what was on its way, what had been accepted.

Always in that order (UI.md section 7.1), and never a guess.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from PySide6.QtCore import QCoreApplication

from app.domain.events import AcceptedMessage, Applied, CancelledMessage
from app.domain.ids import MessageId
from app.domain.lines import MessageLine
from app.domain.states import MessageState
from app.ui.components.bar_facts import BarButton, BarFacts, BarKind
from app.ui.components.labels import Run
from app.ui.icons import Icon
from app.ui.people.whom import Whom
from app.ui.when import clock_words, length_words, time_words
from app.ui.words import listed, many, message_words

translate = QCoreApplication.translate

FACTS, START_AGAIN, OPT_OUT = "facts", "start_again", "opt_out"
_NAMED = 3  # more would make the bar a list; the rest are counted, and named on the person page


def stop_bar(
    whom: Whom,
    applied: Applied,
    now: datetime,
    known: Mapping[MessageId, MessageLine] | None = None,
    *,
    one_of_several: bool = False,
) -> BarFacts:
    """The bar of a stop that ended something. known: what became of messages that were on their way, where known.

    one_of_several: it was one journey's stop, so others may go on.
    """
    at = applied.changed_at or now
    time = clock_words(at, whom.zone, seconds=True)
    lines = [
        _cancelled(whom, applied, now),
        *_on_their_way(applied.on_their_way, known or {}),
        _accepted(whom, applied.accepted, now, _last(applied, one_of_several=one_of_several)),
    ]
    return BarFacts(
        key=f"stop-{applied.event_id}",
        kind=BarKind.STOP,
        title=translate("stop_bar", "Stopped: {name}, {time}.").format(name=whom.name, time=time),
        lines=tuple(lines),
        buttons=(
            BarButton(f"{FACTS}:{whom.id}", translate("stop_bar", "Show the facts"), Icon.EYE),
            BarButton(f"{START_AGAIN}:{whom.id}", translate("stop_bar", "Start again…"), Icon.AGAIN, "A"),
        ),
    )


def nothing_running_bar(whom: Whom, applied: Applied) -> BarFacts:
    """Stop on someone with nothing running: it changes nothing, says so, and names Opt out."""
    return BarFacts(
        key=f"stop-{applied.event_id}",
        kind=BarKind.NOTE,
        title=translate("stop_bar", "Nothing was running for {name}.").format(name=whom.name),
        beside=(Run(translate("stop_bar", "So nothing was stopped. Opt out… keeps every journey away from them.")),),
        buttons=(BarButton(f"{OPT_OUT}:{whom.id}", translate("stop_bar", "Opt out…"), Icon.STATE_OPTOUT, "O"),),
    )


def still_open(applied: Applied, known: Mapping[MessageId, MessageLine]) -> list[MessageId]:
    """Messages that were on their way when the stop came, and whose outcome is not known yet."""
    return [
        message.message_id
        for message in applied.on_their_way
        if (line := known.get(message.message_id)) is None or line.state is MessageState.SENDING
    ]


def _cancelled(whom: Whom, applied: Applied, now: datetime) -> tuple[Run, ...]:
    left = sum(follow_up.steps_left for follow_up in applied.ended)
    if not applied.cancelled:
        head = Run(translate("stop_bar", "Nothing was waiting."), bold=True)
        later = many(
            left,
            translate("stop_bar", "The 1 message still to come won’t be made."),
            translate("stop_bar", "The {count} messages still to come won’t be made."),
        )
        return (head, Run(f" {later}")) if left else (head,)
    due = translate("stop_bar", "{message}, due {time}")
    named = [
        due.format(message=message_words(m.channel, m.template), time=time_words(m.due_at, whom.zone, now))
        for m in applied.cancelled
    ]
    later = many(
        left,
        translate("stop_bar", "The 1 message after it won’t be made."),
        translate("stop_bar", "The {count} messages after it won’t be made."),
    )
    count = translate("stop_bar", "Cancelled {count}:").format(count=len(applied.cancelled))
    return (Run(count, bold=True), Run(f" {_few(named)}.{f' {later}' if left else ''}"))


def _on_their_way(
    messages: Sequence[CancelledMessage], known: Mapping[MessageId, MessageLine]
) -> list[tuple[Run, ...]]:
    return [_became(message, known.get(message.message_id)) for message in messages]


def _became(message: CancelledMessage, line: MessageLine | None) -> tuple[Run, ...]:
    name = message_words(message.channel, message.template)
    head = Run(translate("stop_bar", "On its way: {message}.").format(message=name), bold=True)
    if line is None or line.state is MessageState.SENDING:
        told = translate("stop_bar", "Whether the provider had it before or after the stop shows here in a moment.")
        return (head, Run(f" {told}"))
    if line.state is MessageState.CANCELLED:
        return (head, Run(" " + translate("stop_bar", "It was taken back before it was handed over.")))
    if line.accepted_at is None or line.stop_requested_at is None:
        return (head, Run(" " + translate("stop_bar", "The provider did not take it; it won’t be tried again.")))
    apart = line.accepted_at - line.stop_requested_at
    length = length_words(abs(apart))
    if line.accepted_at <= line.stop_requested_at:
        told = translate("stop_bar", "The provider had it {length} before the stop.").format(length=length)
    else:
        told = translate("stop_bar", "The provider accepted it {length} after the stop.").format(length=length)
    return (head, Run(f" {told}"))


def _last(applied: Applied, *, one_of_several: bool) -> str:
    if not one_of_several:
        return translate("stop_bar", "Nothing else will go out.")
    journeys = listed([follow_up.journey for follow_up in applied.ended])
    return translate("stop_bar", "Nothing else of {journeys} will go out.").format(journeys=journeys)


def _accepted(whom: Whom, accepted: Sequence[AcceptedMessage], now: datetime, last: str) -> tuple[Run, ...]:
    if not accepted:
        return (Run(translate("stop_bar", "Nothing had gone out.") + f" {last}"),)
    at = translate("stop_bar", "{message}, {time}")
    named = [
        at.format(message=message_words(m.channel, m.template), time=time_words(m.accepted_at, whom.zone, now))
        for m in accepted
    ]
    head = translate("stop_bar", "Already accepted {count}:").format(count=len(accepted))
    return (Run(head, bold=True), Run(f" {_few(named)}. {last}"))


def _few(named: list[str]) -> str:
    more = len(named) - _NAMED
    if more <= 0:
        return "; ".join(named)
    rest = many(more, translate("stop_bar", "1 more"), translate("stop_bar", "{count} more"))
    return listed(["; ".join(named[:_NAMED]), rest])
