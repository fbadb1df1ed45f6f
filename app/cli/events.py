"""event, stop, hold, resume, handled: what happened outside, and what staff decide for one person."""

from __future__ import annotations

import argparse
from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

from app.cli.desk import DONE, Desk, find_person, staff
from app.cli.output import counted, local, write_json
from app.cli.shapes import CHANNEL_WORDS, applied_shape
from app.cli.usage import day_or_instant, instant, one_of
from app.domain.errors import OperatorError
from app.domain.events import Applied, Dated, EventKind
from app.domain.ids import JourneyId, PersonId
from app.domain.problem import nearest
from app.domain.states import Channel
from app.engine.hold import Held
from app.service.events import Events, Told
from app.service.parts import Parts
from app.service.queues import Pages
from app.service.stops import Stops


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Run one command of this family."""
    at = instant(args.at, "--at") if args.call == "event" and args.at else None
    until = day_or_instant(args.until, "--until") if args.call == "hold" and args.until else None
    with desk.open() as parts:
        person_id = find_person(parts, args.person)
        stops = Stops(parts.open_uow, parts.clock)
        match args.call:
            case "event":
                kind = EventKind(one_of(args.kind, EventKind, "KIND"))
                channel = Channel(args.channel) if args.channel else None
                told = Told(kind, args.id, at, args.text, channel)
                tell_applied(parts, desk, Events(parts.open_uow, parts.clock).take_in(person_id, told, by=staff()))
            case "stop":
                journey_id = _journey(parts, args.journey)
                tell_applied(parts, desk, stops.stop(person_id, by=staff(), note=args.note, journey_id=journey_id))
            case "hold":
                _hold(parts, desk, person_id, until, args)
            case "resume":
                journey_id = _journey(parts, args.journey)
                held = stops.resume(person_id, by=staff(), note=args.note, journey_id=journey_id)
                _tell_held(desk, person_id, held, "resumed")
            case _:
                _handled(desk, person_id, stops.handled(person_id, by=staff()))
    return DONE


def _hold(
    parts: Parts, desk: Desk, person_id: PersonId, until: date | datetime | None, args: argparse.Namespace
) -> None:
    at = until if isinstance(until, datetime) or until is None else _start_of_day(parts, person_id, until)
    journey_id = _journey(parts, args.journey)
    stops = Stops(parts.open_uow, parts.clock)
    held = stops.hold(person_id, until=at, by=staff(), note=args.note, journey_id=journey_id)
    _tell_held(desk, person_id, held, "paused")


def _start_of_day(parts: Parts, person_id: PersonId, day: date) -> datetime:
    """Midnight at the beginning of `day` on the clock of the person's location."""
    zone = Pages(parts.open_reader, parts.clock).person(person_id).line.zone
    return datetime.combine(day, time(0), tzinfo=ZoneInfo(zone)).astimezone(UTC)


def _journey(parts: Parts, name: str | None) -> JourneyId | None:
    if name is None:
        return None
    known = {line.name: line.id for line in Pages(parts.open_reader, parts.clock).journeys()}
    if name in known:
        return known[name]
    near = nearest(name, known)
    raise OperatorError(
        f"There is no journey {name}.", f"Did you mean {near}?" if near else "stopwell journeys lists them."
    )


def tell_applied(parts: Parts, desk: Desk, applied: Applied) -> None:
    """What an event did: the four facts, and what it did for others who have the address."""
    if desk.as_json:
        write_json(desk.out, applied_shape(applied))
        return
    if applied.duplicate:
        desk.say("It was known already: nothing changed.")
        return
    if applied.unmatched or applied.person_id is None:
        desk.say("Nobody can tell yet whose it is: stopwell unmatched lists it.")
        return
    if applied.other_text:
        desk.say("Its id was known with another text: both are kept, and it is on the problem list.")
    zone = Pages(parts.open_reader, parts.clock).person(applied.person_id).line.zone
    desk.say(f"came in    {local(applied.came_in_at, zone)}")
    if applied.dated is not Dated.PLAUSIBLE:
        desk.say(f"dated      {_DATED[applied.dated]}; it was taken in as it stands")
    desk.say(f"changed    {local(applied.changed_at, zone)}")
    for each in applied.ended:
        left = counted(each.steps_left, "message", "messages")
        desk.say(f"ended      {each.journey}: {each.end}; {left} of it will not be sent")
    if not applied.ended:
        desk.say("ended      nothing")
    desk.say(f"cancelled  {counted(len(applied.cancelled), 'message', 'messages')}")
    for late in applied.on_their_way:
        by = CHANNEL_WORDS[late.channel]
        desk.say(f"on its way {late.template} by {by}, message {late.message_id}: its outcome will be shown")
    for before in applied.accepted:
        crossed = applied.came_in_at is not None and before.accepted_at > applied.came_in_at
        so = ", after it came in and before it was read" if crossed else ""
        desk.say(f"accepted   {local(before.accepted_at, zone)} {before.template}, message {before.message_id}{so}")
    if not applied.accepted:
        desk.say("accepted   nothing before it")
    for channel in applied.suppressed:
        desk.say(f"no more    {CHANNEL_WORDS[channel]} to this address, by any path")
    for other in applied.others:
        waited = counted(len(other.cancelled), "message", "messages")
        ended = counted(len(other.ended), "follow-up", "follow-ups")
        desk.say(f"also       person {other.person_id}, who has this address: {ended} ended, {waited} cancelled")


_DATED = {Dated.FUTURE: "in the future", Dated.BEFORE_PERSON: "long before they were here"}


def _tell_held(desk: Desk, person_id: PersonId, held: Held, done: str) -> None:
    if desk.as_json:
        write_json(desk.out, {"person": person_id, done: held.changed, "of": held.of})
    elif not held.of:
        desk.say("No follow-up of theirs is running.")
    else:
        what = counted(len(held.changed), "follow-up", "follow-ups")
        desk.say(f"{what} of {held.of} running {done}.")


def _handled(desk: Desk, person_id: PersonId, was_waiting: bool) -> None:
    if desk.as_json:
        write_json(desk.out, {"person": person_id, "handled": was_waiting})
    elif was_waiting:
        desk.say("Handled: what was held for staff goes on.")
    else:
        desk.say("Nothing waited for staff.")
