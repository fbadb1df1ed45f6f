"""The four facts of a person's last stop, in ten seconds: came in, state changed, cancelled, already accepted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.domain.events import EventKind
from app.domain.lines import MessageLine
from app.domain.person_lines import PersonPage, StopFacts
from app.domain.states import Channel, End, MessageState
from app.ui.components.button_paint import ButtonFace, ButtonKind, ButtonSize
from app.ui.components.buttons import Button
from app.ui.components.chips import ChipLabel
from app.ui.components.labels import IconLabel, label
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Space, Type
from app.ui.people.card_stack import Card, hairline
from app.ui.people.whom import nameless
from app.ui.state_chips import end_chip
from app.ui.when import clock_words, date_words, day_words, length_words, local, time_of_day_words, time_words
from app.ui.words import Where, capital, channel_word, each_channel_words, end_word, listed, message_words

translate = QCoreApplication.translate

_OUT = frozenset({MessageState.ACCEPTED, MessageState.DELIVERED, MessageState.UNDELIVERED})
_ROOMY, _NEVER = 460, 1 << 24  # px of the card
_READ_LATE_S = 2  # a stop that staff press is read as it is pressed


@dataclass(frozen=True, slots=True)
class Fact:
    """One of the four: what it is, the answer in a few words, and what more there is to it."""

    icon: Icon
    title: str
    answer: str
    more: str


def four_facts(stop: StopFacts, page: PersonPage, where: Where) -> tuple[Fact, Fact, Fact, Fact]:
    """The facts, in their order."""
    return (_came_in(stop, where), _changed(stop, page, where), _cancelled(stop, where), _accepted(stop, page, where))


def said_aloud(stop: StopFacts, page: PersonPage, where: Where) -> str:
    """A sentence for whoever asks “why did you write to me?”. Nothing is said of what may not be so."""
    when = _said_time(stop.came_in_at, where)
    if stop.kind == EventKind.STOPPED:
        first = translate("stop_card", "We stopped writing to you {when}.").format(when=when)
    elif stop.end is End.OPTED_OUT:
        first = translate("stop_card", "Your wish not to be contacted reached us {when}.").format(when=when)
    else:
        first = translate("stop_card", "We heard from you {when}.").format(when=when)
    if stop.unknown:
        second = translate("stop_card", "One message was on its way just then; we are finding out whether it went.")
    elif stop.accepted_after:
        last = stop.accepted_after[0]
        second = translate("stop_card", "One {message} was on its way just then and was handed over {time}.").format(
            message=channel_word(last.channel), time=_said_time(last.accepted_at or last.at, where)
        )
    elif stop.accepted_before:
        last = stop.accepted_before[0]
        second = translate("stop_card", "The last {message} had been handed over {time}.").format(
            message=channel_word(last.channel), time=_said_time(last.accepted_at or last.at, where)
        )
    else:
        second = translate("stop_card", "Nothing had been sent before.")
    if stop.unknown or not _silent_since(stop, page):
        return f"{first} {second}"
    return f"{first} {second} {translate('stop_card', 'Nothing has gone out since.')}"


def _silent_since(stop: StopFacts, page: PersonPage) -> bool:
    """Whether no message may have gone out after the stop: they can have been started again since."""
    told = {line.id for line in (*stop.accepted_before, *stop.accepted_after)}
    later = (line for line in page.timeline if line.message_state in _OUT and line.at > stop.came_in_at)
    return all(line.message_id in told for line in later)


def _said_time(at: datetime, where: Where) -> str:
    """A time as one says it on the telephone: without its zone."""
    time = time_of_day_words(at, where.zone)
    if local(at, where.zone).date() == local(where.now, where.zone).date():
        return translate("stop_card", "today at {time}").format(time=time)
    day = day_words(at, where.zone, where.now)
    return translate("stop_card", "on {day} at {time}").format(day=day, time=time)


class StopCard(Card):
    """`whole` shows it large, numbered, with the sentence to say: when nothing runs any more.

    Signal: `evidence_wanted()`.
    """

    evidence_wanted = Signal()

    def __init__(self, look: Look, page: PersonPage, stop: StopFacts, where: Where, *, whole: bool) -> None:
        super().__init__()
        self._facts = four_facts(stop, page, where)
        self._aloud = said_aloud(stop, page, where)
        self.setAccessibleName(translate("stop_card", "The last stop, in four facts"))
        self.body.addLayout(self._head(look, page, stop, where, whole=whole))
        self.body.addWidget(hairline())
        self.body.addLayout(self._grid(look, whole=whole))
        if whole:
            self.body.addWidget(self._say())

    def words(self) -> str:
        """All of it as text, for the clipboard."""
        lines = [
            f"{number}. {fact.title}: {fact.answer}. {fact.more}".strip() for number, fact in enumerate(self._facts, 1)
        ]
        return "\n".join((*lines, self._aloud))

    def _head(self, look: Look, page: PersonPage, stop: StopFacts, where: Where, *, whole: bool) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(Space.CARD_H, Space.S, Space.S, Space.S)
        row.setSpacing(Space.S)
        title = translate("stop_card", "The stop, in four facts") if whole else translate("stop_card", "Last stop")
        row.addWidget(label(title, Type.TITLE))
        if stop.end is not None:
            goal = next((each.goal_word for each in page.enrollments if each.ended_at is not None), "")
            chip = end_chip(stop.end, goal_word=goal)
            row.addWidget(ChipLabel(look, chip))
        row.addStretch(1)
        kind = ButtonKind.PLAIN if whole else ButtonKind.GHOST
        copy = Button(look, ButtonFace(translate("stop_card", "Copy"), Icon.COPY, kind, ButtonSize.ROW))
        copy.setAccessibleName(translate("stop_card", "Copy the four facts"))
        copy.clicked.connect(self._on_copy)
        row.addWidget(copy)
        name = translate("stop_card", "Save evidence about {name}").format(name=_name(page))
        self._save = Button(look, ButtonFace(translate("stop_card", "Evidence…"), Icon.EXPORT, kind, ButtonSize.ROW))
        self._save.setAccessibleName(name)
        self._save.clicked.connect(self.evidence_wanted)
        row.addWidget(self._save)
        self._roomy_from = look.px(_ROOMY) if whole else _NEVER
        return row

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The button says all of it where there is room: the chip beside it gives way last."""
        super().resizeEvent(event)
        roomy = self.width() >= self._roomy_from
        words = translate("stop_card", "Save evidence…") if roomy else translate("stop_card", "Evidence…")
        self._save.set_words(words, self._save.accessibleName())

    def _grid(self, look: Look, *, whole: bool) -> QGridLayout:
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(0)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(2, 1)
        for at, fact in enumerate(self._facts):
            grid.addWidget(_cell(look, fact, at + 1 if whole else 0), (at // 2) * 2, (at % 2) * 2)
        upright = hairline()
        upright.setProperty("line", False)
        upright.setProperty("rule", "right")
        upright.setFixedWidth(1)
        grid.addWidget(upright, 0, 1, 3, 1)
        grid.addWidget(hairline(), 1, 0, 1, 3)
        return grid

    def _say(self) -> QWidget:
        holder = QWidget()
        holder.setProperty("ground", "sunken")
        column = QVBoxLayout(holder)
        column.setContentsMargins(Space.CARD_H, Space.M, Space.CARD_H, Space.M)
        column.setSpacing(2)
        column.addWidget(label(translate("stop_card", "If they ask, you can say"), Type.LABEL, "text2"))
        column.addWidget(label(f"“{self._aloud}”", Type.BODY, wraps=True))
        return holder

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.words())


def _name(page: PersonPage) -> str:
    return page.line.name or nameless(page.line.id)


def _cell(look: Look, fact: Fact, number: int) -> QWidget:
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(Space.CARD_H, Space.M, Space.CARD_H, Space.M)
    column.setSpacing(1)
    head = QHBoxLayout()
    head.setSpacing(6)
    if number:
        head.addWidget(IconLabel(look, fact.icon, 14))
    head.addWidget(label(f"{number}. {fact.title}" if number else fact.title, Type.SECOND, "text2"))
    head.addStretch(1)
    column.addLayout(head)
    column.addWidget(label(fact.answer, Type.TITLE, wraps=True))
    column.addWidget(label(fact.more, Type.SECOND, "text2", wraps=True))
    column.addStretch(1)
    return holder


def _came_in(stop: StopFacts, where: Where) -> Fact:
    title = translate("stop_card", "Stop came in")
    answer = clock_words(stop.came_in_at, where.zone, seconds=True)
    day = capital(date_words(stop.came_in_at, where.zone, where.now))
    parts = [day, _how(stop)]
    late = stop.read_at - stop.came_in_at
    if late.total_seconds() >= _READ_LATE_S:
        parts.append(translate("stop_card", "read {length} later").format(length=length_words(late)))
    return Fact(Icon.INBOX, title, answer, ", ".join(parts))


def _how(stop: StopFacts) -> str:
    if stop.kind == EventKind.STOPPED:
        return translate("stop_card", "{who} pressed Stop").format(who=stop.actor or translate("stop_card", "staff"))
    if stop.channel is not None:
        return translate("stop_card", "by {channel}").format(channel=channel_word(stop.channel))
    return translate("stop_card", "told by {who}").format(who=stop.actor or translate("stop_card", "staff"))


def _changed(stop: StopFacts, page: PersonPage, where: Where) -> Fact:
    title = translate("stop_card", "State changed")
    if stop.changed_at is None:
        return Fact(Icon.STATE_STOPPED, title, translate("stop_card", "Nothing to change"), "")
    answer = clock_words(stop.changed_at, where.zone, seconds=True)
    ended = [each for each in page.enrollments if each.ended_at == stop.changed_at]
    if not ended:
        return Fact(Icon.STATE_STOPPED, title, answer, translate("stop_card", "nothing was running"))
    to = end_word(End(ended[0].state.value), ended[0].goal_word)
    names = listed([each.journey for each in ended])
    return Fact(
        Icon.STATE_STOPPED,
        title,
        answer,
        translate("stop_card", "{journeys}: active to {end}").format(journeys=names, end=to),
    )


def _cancelled(stop: StopFacts, where: Where) -> Fact:
    title = translate("stop_card", "Cancelled")
    if not stop.cancelled:
        return Fact(
            Icon.X,
            title,
            translate("stop_card", "Nothing was waiting"),
            translate("stop_card", "Later steps won’t happen"),
        )
    named = [
        translate("stop_card", "{message}, due {time}").format(
            message=message_words(line.channel, line.template), time=time_words(line.due_at, where.zone, where.now)
        )
        for line in stop.cancelled
    ]
    return Fact(Icon.X, title, _counted(stop.cancelled), capital("; ".join(named)))


def _accepted(stop: StopFacts, page: PersonPage, where: Where) -> Fact:
    title = translate("stop_card", "Already accepted")
    if stop.unknown:
        told = translate("stop_card", "Asking the provider whether it had it before or after the stop")
        return Fact(
            Icon.SENT, title, translate("stop_card", "{count} on its way").format(count=_counted(stop.unknown)), told
        )
    if stop.accepted_after:
        last = stop.accepted_after[0]
        length = length_words((last.accepted_at or last.at) - stop.came_in_at)
        told = translate("stop_card", "{message}, accepted {length} after the stop came in").format(
            message=capital(message_words(last.channel, last.template)), length=length
        )
        return Fact(
            Icon.SENT, title, translate("stop_card", "{count} after").format(count=_counted(stop.accepted_after)), told
        )
    if not stop.accepted_before:
        return Fact(Icon.SENT, title, translate("stop_card", "Nothing"), translate("stop_card", "Nothing had gone out"))
    last = stop.accepted_before[0]
    at = last.accepted_at or last.at
    told = translate("stop_card", "{message}, {time}").format(
        message=capital(message_words(last.channel, last.template)), time=_exactly(at, where)
    )
    if _silent_since(stop, page):
        told = translate("stop_card", "{last}. Nothing since").format(last=told)
    return Fact(Icon.SENT, title, _counted(stop.accepted_before), told)


def _exactly(at: datetime, where: Where) -> str:
    return time_words(at, where.zone, where.now, seconds=True)


def _counted(lines: tuple[MessageLine, ...]) -> str:
    counts: dict[Channel, int] = {}
    for line in lines:
        counts[line.channel] = counts.get(line.channel, 0) + 1
    return each_channel_words(counts)
