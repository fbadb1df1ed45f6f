"""Why a message went out, or did not: every guard with what it saw, then the tries with their times."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.domain.lines import AttemptLine, MessageLine, TraceLine, WhyLines
from app.domain.states import AttemptAnswer, MessageState
from app.ui.components.labels import ElidedLabel, IconLabel, Run, label, rich_label
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Space, Type
from app.ui.when import clock_words, length_words, time_words
from app.ui.words import Where, answer_why, capital, guard_words, many, message_words, why_words

translate = QCoreApplication.translate

_WENT_OUT = frozenset({MessageState.ACCEPTED, MessageState.DELIVERED, MessageState.UNDELIVERED})


class TraceView(QWidget):
    """The trace of one message. `sentence` False leaves out the sentence, where a head says it already."""

    def __init__(self, look: Look, why: WhyLines, where: Where, *, sentence: bool = True) -> None:
        super().__init__()
        self._look = look
        self._where = where
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, Space.XS, 0, Space.S)
        self._column.setSpacing(3)
        if sentence:
            self._column.addWidget(rich_label(trace_sentence(why, where), Type.SECOND))
        self._add_guards(why.trace)
        self._add_tries(why)

    def _add_guards(self, trace: tuple[TraceLine, ...]) -> None:
        if not trace:
            return
        refused = [line for line in trace if not passed(line)]
        if refused:
            words = self.tr("{count} guards asked, the last one said no").format(count=len(trace))
        else:
            words = self.tr("{count} guards, all passed").format(count=len(trace))
        self._column.addLayout(self._heads(words, self.tr("what each one saw")))
        for line in (*refused, *(line for line in trace if passed(line))):
            self._column.addLayout(self._guard(line))

    def _guard(self, line: TraceLine) -> QHBoxLayout:
        fine = passed(line)
        row = QHBoxLayout()
        row.setSpacing(Space.S)
        name = self.tr("passed") if fine else self.tr("said no")
        row.addWidget(IconLabel(self._look, Icon.CHECK if fine else Icon.X, 14, "ok" if fine else "stop", name=name))
        row.addWidget(label(guard_words(line.guard), Type.SECOND))
        row.addStretch(1)
        why = answer_why(line.answer)
        saw = line.saw if fine or why is None else why_words(why, {}, self._where).removesuffix(".")
        row.addWidget(ElidedLabel(self._look, saw, Type.SECOND, "text2"))
        return row

    def _add_tries(self, why: WhyLines) -> None:
        if not why.attempts:
            return
        tries = many(len(why.attempts), self.tr("1 try"), self.tr("{count} tries"))
        self._column.addSpacing(Space.S)
        self._column.addLayout(self._heads(tries, why.message.provider_id or ""))
        for attempt in why.attempts:
            for fine, words in attempt_words(attempt, self._where):
                row = QHBoxLayout()
                row.setSpacing(Space.S)
                row.addWidget(IconLabel(self._look, Icon.CHECK if fine else Icon.X, 14, "ok" if fine else "stop"))
                row.addWidget(label(words, Type.SECOND, wraps=True), 1)
                self._column.addLayout(row)

    def _heads(self, left: str, right: str) -> QHBoxLayout:
        row = QHBoxLayout()
        row.addWidget(label(left, Type.LABEL))
        row.addStretch(1)
        row.addWidget(ElidedLabel(self._look, right, Type.SECOND, "text2"))
        return row


def passed(line: TraceLine) -> bool:
    """Whether a guard let the message through."""
    return line.answer == "pass"


def trace_title(message: MessageLine) -> str:
    """“Why did this go out?”, or why not."""
    if message.state in _WENT_OUT:
        return translate("trace", "Why did this go out?")
    if message.state is MessageState.SENDING:
        return translate("trace", "Where is this?")
    return translate("trace", "Why did this not go out?")


def trace_sentence(why: WhyLines, where: Where) -> tuple[Run, ...]:
    """One sentence: who was where, and what was said when the guards were asked."""
    message = why.message
    asked = why.attempts[-1].noted_at if why.attempts else None
    name = Run(message.name or translate("trace", "This person"), bold=True)
    what = message_words(message.channel, message.template)
    if message.state in _WENT_OUT and asked is not None:
        told = translate("trace", " was at {step} of {journey}, and every guard, asked at {time}, said yes.")
        journey = f"{message.journey} v{message.version}" if message.journey else translate("trace", "no journey")
        time = time_words(asked, where.zone, where.now, seconds=True)
        return (name, Run(told.format(step=message.step or what, journey=journey, time=time)))
    if message.cancel_reason is not None:
        reason = why_words(message.cancel_reason, {}, where)
        at = time_words(message.at, where.zone, where.now, seconds=True)
        told = translate("trace", "{message} was kept back at {time}: {reason}")
        return (Run(told.format(message=capital(what), time=at, reason=reason)),)
    if message.hold is not None:
        reason = why_words(message.hold.why, message.hold.facts, where)
        return (Run(translate("trace", "{message} waits: {reason}").format(message=capital(what), reason=reason)),)
    return (Run(translate("trace", "{message} is on its way.").format(message=capital(what))),)


def attempt_words(attempt: AttemptLine, where: Where) -> list[tuple[bool, str]]:
    """One try in a line or two, each with whether it went well."""
    noted = clock_words(attempt.noted_at, where.zone, seconds=True)
    if attempt.handed_at is not None:
        after = _milliseconds(attempt.noted_at, attempt.handed_at)
        first = translate("trace", "Noted {time}, handed over {length} later").format(time=noted, length=after)
    else:
        first = translate("trace", "Noted {time}, not handed over").format(time=noted)
    return [(attempt.handed_at is not None, first), *_answer(attempt, where)]


def _answer(attempt: AttemptLine, where: Where) -> list[tuple[bool, str]]:
    provider = capital(attempt.provider) or translate("trace", "The provider")
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


def _milliseconds(start: datetime, end: datetime) -> str:
    length = end - start
    if length.total_seconds() >= 1:
        return length_words(length)
    return f"{max(0, round(length.total_seconds() * 1000))} ms"
