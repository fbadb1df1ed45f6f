"""Beside a call to make: whom, where and when it is there, the number, what to say, and how it went."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.domain.call_lines import CallLine
from app.domain.call_outcome import CallOutcome
from app.domain.states import Channel, EnrollmentState
from app.ui.call_words import before_words, leads_to, outcome_words, try_words
from app.ui.components.labels import Run
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.people.card_stack import CardSpec
from app.ui.people.whom import nameless
from app.ui.state_chips import live_chip
from app.ui.today.call_cards import number_row, outcomes_card, say_card
from app.ui.today.detail_cards import notice
from app.ui.today.told import OPEN, DetailButton, Foot, Told
from app.ui.when import clock_words, date_words
from app.ui.words import Where, each_channel_words, phone_words

if TYPE_CHECKING:
    from app.ui.today.call_hands import CallHands

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class Standing:
    """How the call stands by now. running: its follow-up goes on. noted: the outcome that was pressed here."""

    settled: bool
    running: bool
    noted: CallOutcome | None


def told_call(
    key: str, line: CallLine, where: Where, look: Look, hands: CallHands, standing: Standing, country: str
) -> Told:
    """One call. hands: what its buttons do. where: on the clock of its location."""
    name = line.name or nameless(line.person_id)
    opens = DetailButton(
        OPEN, translate("calls", "Open"), Icon.ENTER, name=translate("calls", "Open {name}").format(name=name)
    )
    chip = None if standing.settled else live_chip(EnrollmentState.ACTIVE, None, where)
    cards = tuple(_cards(line, name, where, look, hands, standing, country))
    foot = Foot(line.person_id, name, running=standing.running)
    return Told(key, name, _second(line, where), chip, (opens,), cards, foot)


def _second(line: CallLine, where: Where) -> str:
    """“Boise, 11:42 AM MST there · New lead, try 2 of 2 · last try Fri 3:40 PM MST, no answer”."""
    time = clock_words(where.now, line.there)
    there = translate("calls", "{place}, {time} there").format(place=line.location, time=time)
    tries = f"{line.journey}, {try_words(line)}"
    return " · ".join(part for part in (there, tries, before_words(line, where)) if part)


def _cards(
    line: CallLine, name: str, where: Where, look: Look, hands: CallHands, standing: Standing, country: str
) -> Iterator[CardSpec]:
    if standing.noted is not None:
        told = translate("calls", "Noted: {outcome}.").format(outcome=outcome_words(standing.noted))
        yield _notice(look, Icon.CHECK, told)
        return
    number = phone_words(line.phone, country)
    yield CardSpec(
        f"number-{line.message_id}",
        number,
        partial(number_row, look, number, name, partial(hands.dial, line), partial(hands.copy, line)),
    )
    if standing.settled:
        told = translate(
            "calls", "It has left the call list meanwhile: don’t call now. If you did, say below how it went."
        )
        yield _notice(look, Icon.ALERT, told)
    about = _about(line, where)
    yield CardSpec(f"say-{line.message_id}", (line.script, about), partial(say_card, line.script, about))
    words = tuple(leads_to(outcome, line) for outcome in CallOutcome)
    yield CardSpec(
        f"outcomes-{line.message_id}",
        words,
        lambda: outcomes_card(
            look,
            line,
            partial(hands.note_outcome, line),
            hands.note_of(line.message_id),
            partial(hands.keep_note, line.message_id),
        ),
    )


def _notice(look: Look, icon: Icon, told: str) -> CardSpec:
    lines = ((Run(told),),)
    return CardSpec("notice", told, partial(notice, look, icon, lines))


def _about(line: CallLine, where: Where) -> str:
    """“Came by web form. In New lead since Fri Jan 1; got 2 emails and 1 text of it.”"""
    since = date_words(line.entered_at, where.zone, where.now)
    parts = []
    if line.source:
        parts.append(translate("calls", "Came by {source}.").format(source=line.source))
    sent: dict[Channel, int] = {channel: count for channel, count in line.sent.items() if channel is not Channel.CALL}
    told = translate("calls", "In {journey} since {date}.").format(journey=line.journey, date=since)
    if sent:
        told = translate("calls", "In {journey} since {date}; got {messages} of it.").format(
            journey=line.journey, date=since, messages=each_channel_words(sent)
        )
    return " ".join((*parts, told))
