"""Beside a problem, a paused channel and what comes next: what happened, what it means, what to do, in that order."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QCoreApplication

from app.domain.lines import InboxEventLine
from app.domain.reasons import Why
from app.domain.remedies import remedy
from app.domain.states import Channel
from app.domain.today_lines import ChannelLine
from app.ui.actions import ActionId, action_spec
from app.ui.components.labels import Run
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.people.card_stack import CardSpec
from app.ui.people.whom import nameless
from app.ui.queue.due_words import held_of
from app.ui.queue.waiting_words import why_waiting
from app.ui.state_chips import person_chip
from app.ui.today.detail_cards import Bubble, Sign, bubble, paragraph, signs_card
from app.ui.today.outage_words import (
    because_words,
    channel_title,
    next_try_words,
    others_words,
    since_words,
    stops_words,
    waiting_words,
)
from app.ui.today.problem_words import happened_when, means, problem_place, problem_title
from app.ui.today.things import Next, Trouble, is_unmatched
from app.ui.today.told import DONE, MATCH, OPEN, RESUME, TRY_NOW, DetailButton, Foot, Told
from app.ui.today.told_reply import reach_words
from app.ui.when import time_words
from app.ui.words import Where, address_words, channel_word, empty_words

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class Around:
    """What a detail needs to know beyond its thing. tried: what came of the last Try now, by channel's key."""

    look: Look
    where: Where
    country: str
    paused_why: Why | None = None
    paused: Collection[Channel] = ()
    tried: str = ""
    trying: bool = False


def told_trouble(key: str, trouble: Trouble, around: Around, *, settled: bool) -> Told:
    """An open problem."""
    line, where = trouble.line, around.where
    cards = [
        _paragraph("happened", translate("today", "What happened"), happened_when(trouble, where)),
        *_original(trouble.event, around),
        _paragraph("means", translate("today", "What it means"), means(trouble)),
        _paragraph("do", translate("today", "What to do"), remedy(line.why, _named(line.why, line.facts))),
    ]
    buttons = []
    foot = None
    second = problem_place(trouble)
    if trouble.person is not None:
        name = trouble.person.name or nameless(trouble.person.id)
        second = reach_words(trouble.person, where, around.country)
        foot = Foot(trouble.person.id, name, running=trouble.person.running > 0)
        words = translate("today", "Open {name}").format(name=name)
        buttons.append(DetailButton(OPEN, translate("today", "Open"), Icon.ENTER, name=words))
    if line.why is Why.CLOCK_MOVED and around.paused_why is Why.CLOCK_MOVED:
        resume = translate("today", "Resume sending")
        buttons.append(DetailButton(RESUME, resume, Icon.STATE_ACTIVE))
    if not settled:
        buttons += _ends(trouble, around.country)
    chip = person_chip(trouble.person, where) if trouble.person is not None else None
    return Told(key, problem_title(trouble, around.country), second, chip, tuple(buttons), tuple(cards), foot)


def _ends(trouble: Trouble, country: str) -> list[DetailButton]:
    """What takes it off the list: whose it is, or that it is nobody's; of other problems, that they were looked at."""
    spec, title = action_spec(ActionId.HANDLED), problem_title(trouble, country)
    if is_unmatched(trouble):
        match, nobody = translate("today", "Match…"), translate("today", "Nobody’s")
        return [
            DetailButton(
                DONE, nobody, Icon.X, spec.key, name=translate("today", "Nobody’s: {title}").format(title=title)
            ),
            DetailButton(MATCH, match, Icon.PEOPLE, primary=True, name=f"{match} {title}"),
        ]
    name = translate("today", "Done, looked at: {title}").format(title=title)
    return [DetailButton(DONE, translate("today", "Done"), Icon.CHECK, spec.key, primary=True, name=name)]


def told_outage(key: str, line: ChannelLine, around: Around, *, settled: bool) -> Told:
    """A paused channel."""
    title = translate("today", "{channel} is paused").format(channel=channel_title(line.channel))
    if settled:
        title = translate("today", "{channel} works again").format(channel=channel_title(line.channel))
        told = translate("today", "What waited is asked again, then goes out. Nothing was lost.")
        return Told(key, title, line.provider, cards=(_paragraph("means", translate("today", "What it means"), told),))
    where = around.where
    since = since_words(line, where)
    head = translate("today", "{because}. Stopwell stopped trying, so that nobody’s tries are used up.")
    happened = f"{since} {head.format(because=because_words(line))}".strip()
    others = others_words(line, around.paused)
    signs = [Sign(Icon.WAIT, (Run(waiting_words(line)),)), Sign(Icon.ALERT, (Run(stops_words(line)),))]
    if others:
        signs.append(Sign(Icon.CHECK, (Run(others),)))
    if again := next_try_words(line, where):
        signs.append(Sign(Icon.AGAIN, (Run(again),)))
    meaning = translate("today", "What it means now")
    cards = [
        _paragraph("happened", translate("today", "What happened"), happened),
        CardSpec("means", tuple(signs), partial(signs_card, around.look, meaning, tuple(signs))),
        _paragraph("do", translate("today", "What to do"), remedy(Why.CHANNEL_PAUSED, _facts_of(line))),
    ]
    if around.tried:
        cards.append(_paragraph("tried", translate("today", "Tried now"), around.tried))
    words = translate("today", "Trying…") if around.trying else translate("today", "Try now")
    name = f"{words} {channel_title(line.channel)}"
    buttons = (DetailButton(TRY_NOW, words, Icon.AGAIN, primary=True, name=name),)
    return Told(key, title, line.provider, None, buttons, tuple(cards))


def told_next(key: str, thing: Next, around: Around, *, paused: bool) -> Told:
    """What goes out next, and why it stands where it stands."""
    line = thing.line
    name = line.name or nameless(line.person_id)
    where = around.where
    time = time_words(where.now, where.zone, where.now)
    second = translate("today", "{place}, {time} there").format(place=line.location, time=time)
    address = line.email if line.step.kind == Channel.EMAIL.value else line.phone
    if address:
        second = f"{second} · {address_words(address, around.country)}"
    words = translate("today", "Open {name}").format(name=name)
    sentence = f"{name}{why_waiting(line, where)}"
    return Told(
        key,
        name,
        second,
        held_of(line, where, paused=paused),
        (DetailButton(OPEN, translate("today", "Open"), Icon.ENTER, name=words),),
        (_paragraph("next", translate("today", "What goes out next"), sentence),),
        Foot(line.person_id, name, running=line.ended_at is None),
    )


def _named(why: Why, facts: Mapping[str, str]) -> Mapping[str, str]:
    """A template's variable as staff would say it, as everywhere in the window."""
    if why is Why.EMPTY_VALUE and "name" in facts:
        return {**facts, "name": empty_words(facts["name"])}
    return facts


def _facts_of(line: ChannelLine) -> dict[str, str]:
    return {"channel": line.channel.value, "because": line.why.value, "provider": line.provider}


def _paragraph(key: str, title: str, words: str) -> CardSpec:
    return CardSpec(key, (title, words), partial(paragraph, title, words))


def _original(event: InboxEventLine | None, around: Around) -> list[CardSpec]:
    """What came in, word for word."""
    if event is None or not event.text:
        return []
    where = around.where
    sender = address_words(event.address, around.country) if event.address else translate("today", "Unknown sender")
    by = translate("today", ", by {channel}").format(channel=channel_word(event.channel)) if event.channel else ""
    said = Bubble(f"{sender}{by} · {time_words(event.happened_at, where.zone, where.now)}", event.text)
    return [CardSpec("original", said, partial(bubble, around.look, said))]
