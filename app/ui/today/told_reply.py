"""Beside a reply: what it stopped, what will not be sent, what is held meanwhile, and the whole conversation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from PySide6.QtCore import QCoreApplication

from app.domain.events import EventKind
from app.domain.ids import MessageId
from app.domain.lines import PersonLine, WhyLines
from app.domain.person_lines import PersonPage, TimelineLine
from app.domain.states import LIVE, Contact, MessageState
from app.ui.actions import ActionId, action_spec
from app.ui.components.labels import Run, plain_words
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.people.card_stack import CardSpec
from app.ui.people.header import page_chip
from app.ui.people.timeline_words import entry
from app.ui.people.whom import nameless
from app.ui.sent.message_text import plain_text
from app.ui.state_chips import person_chip
from app.ui.today.detail_cards import Bubble, between, bubble, notice
from app.ui.today.reading import Conversation
from app.ui.today.told import HANDLED, OPEN, DetailButton, Foot, Told
from app.ui.when import clock_words, time_words
from app.ui.words import Where, capital, channel_word, each_channel_words, listed, message_words, phone_words

translate = QCoreApplication.translate

_SAID = frozenset({EventKind.REPLIED, EventKind.OTHER, EventKind.OPTED_OUT, EventKind.AUTO_REPLY, EventKind.OPTED_IN})
_NOT_OUT = frozenset({MessageState.CANCELLED, MessageState.QUEUED, MessageState.LEASED})
_TOLD_BETWEEN = frozenset({"follow_up.started", "follow_up.paused", "follow_up.resumed", "person.handled"})
_MOST = 24  # lines of the conversation; the person's page has them all


def told_person(key: str, line: PersonLine, where: Where, country: str) -> Told:
    """What is known from the row already, before the conversation is read."""
    return Told(
        key,
        line.name or nameless(line.id),
        reach_words(line, where, country),
        person_chip(line, where),
        person_buttons(line),
        foot=Foot(line.id, line.name or nameless(line.id), running=line.running > 0),
    )


def told_conversation(key: str, read: Conversation, look: Look, where: Where, country: str) -> Told:
    """All of it."""
    page = read.page
    name = page.line.name or nameless(page.line.id)
    return Told(
        key,
        name,
        reach_words(page.line, where, country),
        page_chip(page, where),
        person_buttons(page.line),
        tuple(_cards(read, look, where)),
        Foot(page.line.id, name, running=page.line.running > 0),
        to_end=True,
    )


def reach_words(line: PersonLine, where: Where, country: str) -> str:
    """“Portland, 10:42 AM PST there · (503) 555-0142 · maria@example.com”."""
    time = clock_words(where.now, where.zone)
    there = translate("today", "{place}, {time} there").format(place=line.location, time=time)
    phone = phone_words(line.phone, country) if line.phone else ""
    return " · ".join(part for part in (there, phone, line.email or "") if part)


def person_buttons(line: PersonLine) -> tuple[DetailButton, ...]:
    """Open; and Mark handled while a reply waits."""
    name = line.name or nameless(line.id)
    opens = DetailButton(
        OPEN, translate("today", "Open"), Icon.ENTER, name=translate("today", "Open {name}").format(name=name)
    )
    if line.contact is not Contact.WITH_STAFF:
        return (opens,)
    spec = action_spec(ActionId.HANDLED)
    words = translate("today", "Mark handled")
    return (opens, DetailButton(HANDLED, words, spec.icon, spec.key, primary=True, name=f"{words}: {name}"))


def stopped_lines(page: PersonPage, where: Where) -> tuple[tuple[Run, ...], ...]:
    """What their reply stopped, what was waiting, what won't be sent; what is held until it is handled."""
    lines: list[tuple[Run, ...]] = []
    stop = page.stop
    ended = [each for each in page.enrollments if stop is not None and each.ended_at == stop.changed_at]
    if stop is not None and ended:
        name = page.first_name or nameless(page.line.id)
        time = time_words(stop.came_in_at, where.zone, where.now)
        journeys = listed([each.journey for each in ended])
        head = translate("today", "{journeys} stopped when {name} replied, {time}.")
        if stop.kind != EventKind.REPLIED:
            head = translate("today", "{journeys} stopped, {time}.")
        runs = [Run(head.format(journeys=journeys, name=name, time=time), bold=True)]
        if stop.cancelled:
            named = listed([message_words(each.channel, each.template) for each in stop.cancelled])
            runs.append(Run(" " + translate("today", "Cancelled: {messages}.").format(messages=named)))
        else:
            runs.append(Run(" " + translate("today", "Nothing was waiting to go out.")))
        left = {
            channel: sum(max(0, each.most.get(channel, 0) - each.sent.get(channel, 0)) for each in ended)
            for each in ended
            for channel in each.most
        }
        if any(left.values()):
            told = translate("today", "At most {messages} to come won’t be sent.")
            runs.append(Run(" " + told.format(messages=each_channel_words(left))))
        lines.append(tuple(runs))
    held = [each.journey for each in page.enrollments if each.state in LIVE]
    if held and page.line.contact is Contact.WITH_STAFF:
        told = translate("today", "{journeys}: held until you mark this handled.")
        lines.append((Run(told.format(journeys=listed(held))),))
    if not lines and page.line.contact is Contact.WITH_STAFF:
        lines.append((Run(translate("today", "Nothing was running for them, so nothing was stopped.")),))
    return tuple(lines)


def _cards(read: Conversation, look: Look, where: Where) -> Iterator[CardSpec]:
    lines = stopped_lines(read.page, where)
    if lines:
        yield CardSpec("stopped", lines, partial(notice, look, Icon.STATE_REPLIED, lines))
    words = {why.message.id: why for why in read.words}
    said = [line for line in read.page.timeline if _belongs(line)][:_MOST]
    for at, line in enumerate(reversed(said)):
        spoken = _bubble(line, words, read.page, where)
        if spoken is not None:
            yield CardSpec(f"said-{len(said) - at}-{line.at.isoformat()}", spoken, partial(bubble, look, spoken))
        else:
            told = entry(line, where)
            between_words = f"{plain_words(told.runs)} · {time_words(line.at, where.zone, where.now)}"
            yield CardSpec(
                f"log-{len(said) - at}-{line.at.isoformat()}", between_words, partial(between, between_words)
            )


def _belongs(line: TimelineLine) -> bool:
    """What was said to and by them, and what began or rested meanwhile; steps and guards are on their page."""
    if line.message_state is not None:
        return line.message_state not in _NOT_OUT
    return line.event.startswith("event.") or line.event in _TOLD_BETWEEN


def _bubble(line: TimelineLine, words: Mapping[MessageId, WhyLines], page: PersonPage, where: Where) -> Bubble | None:
    time = time_words(line.at, where.zone, where.now)
    if line.message_state is not None and line.channel is not None:
        told = entry(line, where)
        why = words.get(line.message_id) if line.message_id is not None else None
        body = plain_text(why.body) if why is not None else ""
        return Bubble(f"{plain_words(told.runs)} · {time}", body, line.text, ours=True)
    family, _, kind = line.event.partition(".")
    if family != "event" or kind not in _SAID or not line.text:
        return None
    name = page.first_name or nameless(page.line.id)
    who = name
    if line.channel is not None:
        who = translate("today", "{name}, by {channel}").format(name=name, channel=channel_word(line.channel))
    return Bubble(f"{capital(who)} · {time}", line.text)
