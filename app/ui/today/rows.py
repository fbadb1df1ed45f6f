"""The rows of Today: what each thing is, whose, since when, in two lines, with its one button."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from PySide6.QtCore import QCoreApplication

from app.domain.call_lines import CallLine
from app.domain.ids import EnrollmentId, PersonId
from app.domain.lines import InboxEventLine, OverdueLine, PersonLine, QueueLine
from app.domain.reasons import Why
from app.domain.states import LIVE, Channel, Contact
from app.domain.today_lines import ChannelLine
from app.ui.call_words import try_words
from app.ui.components.roles import CellRow, RowButton, Tile, stop_of
from app.ui.icons import Icon
from app.ui.people.whom import nameless
from app.ui.queue.due_words import held_of
from app.ui.state_chips import channel_icon, person_chip, step_icon
from app.ui.theme import Tone
from app.ui.today.outage_words import channel_title, waiting_words
from app.ui.today.problem_words import happened, problem_place, problem_title
from app.ui.today.things import Call, Late, Next, Outage, Reply, Thing, Trouble, is_unmatched, key_of, zone_of
from app.ui.today.told import MATCH, TRY_NOW
from app.ui.when import clock_words, day_words, local
from app.ui.words import Where, channel_word, step_name, why_words

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class Around:
    """What a row needs to know beyond its thing. people, follow_ups: how those stand now who need nobody any more."""

    now: datetime
    zone: str
    country: str
    pressed: frozenset[PersonId] = frozenset()
    people: Mapping[PersonId, PersonLine] = field(default_factory=dict)
    follow_ups: Mapping[EnrollmentId, QueueLine] = field(default_factory=dict)
    chosen: frozenset[str] = frozenset()
    paused: bool = False


def row_of(thing: Thing, around: Around, *, settled: bool) -> CellRow:
    """A row. settled: it needs nobody any more; it stays in its new state until the list is read anew."""
    where = Where(zone_of(thing, around.zone), around.now)
    match thing:
        case Reply():
            return _reply(thing, around, where, settled=settled)
        case Call(line):
            return _call(line, around, where, settled=settled)
        case Late(line):
            return _late(thing, line, around, where, settled=settled)
        case Outage(line):
            return _outage(line, where, settled=settled)
        case Trouble():
            return _trouble(thing, around, where, settled=settled)
        case Next(line):
            return _next(around.follow_ups.get(line.enrollment_id, line), around, where)


def _reply(thing: Reply, around: Around, where: Where, *, settled: bool) -> CellRow:
    line = thing.line.person
    now = around.people.get(line.id, line)
    since = now.with_staff_since or line.with_staff_since
    return CellRow(
        Tile(_reply_icon(thing.line.event), Tone.OK if settled else Tone.INFO),
        line.name or nameless(line.id),
        line.location,
        _since(since, where) if since is not None else "",
        said(thing.line.event),
        _stop(now, around),
        person_chip(now, where) if settled or now.contact is not Contact.WITH_STAFF else None,
    )


def _call(line: CallLine, around: Around, where: Where, *, settled: bool) -> CellRow:
    name = line.name or nameless(line.person_id)
    now = around.follow_ups.get(line.enrollment_id)
    by = translate("today", "by {time}").format(time=_since(line.until, where)) if line.until is not None else ""
    gone = settled and now is not None
    running = now is None or now.state in LIVE
    second = f"{step_name(line.step)}, {try_words(line)}"
    if gone and now is not None and running:
        second = f"{step_name(now.step)}, {line.journey}"
    return CellRow(
        Tile(Icon.CHECK, Tone.OK) if settled else Tile(Icon.CALL, Tone.ACCENT),
        name,
        line.location,
        "" if settled else by,
        second,
        stop_of(name, running=running, pressed=line.person_id in around.pressed),
        held_of(now, where, paused=around.paused) if gone and now is not None else None,
    )


def _late(thing: Late, line: OverdueLine, around: Around, where: Where, *, settled: bool) -> CellRow:
    name = line.name or nameless(line.person_id)
    now = around.follow_ups.get(line.enrollment_id)
    running = now is None or now.state in LIVE
    since = translate("today", "since {time}").format(time=_since(line.since, where))
    return CellRow(
        Tile(step_icon(line.step.kind), Tone.OK if settled else Tone.WARN),
        name,
        line.location,
        "" if settled else since,
        f"{step_name(line.step if now is None or not settled else now.step)}, {line.journey}",
        stop_of(name, running=running, pressed=line.person_id in around.pressed),
        held_of(now, where, paused=around.paused) if settled and now is not None else None,
        checked=None if settled else key_of(thing) in around.chosen,
    )


def _outage(line: ChannelLine, where: Where, *, settled: bool) -> CellRow:
    why = why_words(line.why, {"provider": line.provider} if line.provider else {})
    since = translate("today", "since {time}").format(time=_since(line.since, where)) if line.since else ""
    title = channel_title(line.channel)
    if settled:
        tile = Tile(Icon.CHECK, Tone.OK)
        return CellRow(tile, title, translate("today", "all locations"), "", translate("today", "It works again."))
    tile = Tile(Icon.KEY if line.why is Why.BAD_CREDENTIALS else Icon.ALERT, Tone.STOP)
    second = f"{why} {waiting_words(line)}"
    button = RowButton(TRY_NOW, translate("today", "Try now"), whom=title)
    return CellRow(tile, title, translate("today", "all locations"), since, second, button)


def _trouble(thing: Trouble, around: Around, where: Where, *, settled: bool) -> CellRow:
    icon = Icon.INBOX if is_unmatched(thing) else Icon.ALERT
    second = translate("today", "Looked at") if settled else happened(thing, where)
    button: RowButton | None = None
    if thing.person is not None:
        button = _stop(around.people.get(thing.person.id, thing.person), around)
    elif is_unmatched(thing) and not settled:
        button = RowButton(MATCH, translate("today", "Match…"), whom=problem_title(thing, around.country))
    return CellRow(
        Tile(Icon.CHECK, Tone.OK) if settled else Tile(icon, Tone.WARN),
        problem_title(thing, around.country),
        problem_place(thing),
        _since(thing.line.at, where),
        second,
        button,
    )


def _next(line: QueueLine, around: Around, where: Where) -> CellRow:
    name = line.name or nameless(line.person_id)
    when = _since(line.at, where) if line.at is not None else ""
    second = f"{step_name(line.step)}, {line.journey}"
    running = line.state in LIVE
    stop = stop_of(name, running=running, pressed=line.person_id in around.pressed)
    chip = held_of(line, where, paused=around.paused)
    return CellRow(Tile(step_icon(line.step.kind)), name, line.location, when if running else "", second, stop, chip)


def said(event: InboxEventLine | None) -> str:
    """What they wrote, on one line; what is known when there are no words."""
    if event is None:
        return translate("today", "A reply was noted")
    if event.text or event.note:
        return " ".join((event.text or event.note).split())
    if event.channel is Channel.CALL:
        return translate("today", "Reached by phone")
    if event.channel is None:
        return translate("today", "A reply, noted by {who}").format(who=event.actor or translate("today", "staff"))
    return translate("today", "A {channel} without words").format(channel=channel_word(event.channel))


def _reply_icon(event: InboxEventLine | None) -> Icon:
    channel: Channel | None = event.channel if event is not None else None
    return channel_icon(channel) if channel is not None else Icon.STATE_STAFF


def _stop(line: PersonLine, around: Around) -> RowButton:
    name = line.name or nameless(line.id)
    return stop_of(name, running=line.running > 0, pressed=line.id in around.pressed)


def _since(at: datetime, where: Where) -> str:
    """Today's by the clock, others by their day: a row has no room for both."""
    today = local(at, where.zone).date() == local(where.now, where.zone).date()
    return clock_words(at, where.zone) if today else day_words(at, where.zone, where.now)
