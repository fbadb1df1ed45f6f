"""unmatched, match, set-aside: what came in and fits nobody, or several, and whose it is."""

from __future__ import annotations

import argparse

from app.cli.desk import DONE, Desk, find_person, staff
from app.cli.events import tell_applied
from app.cli.output import printable, stamp, write_json, write_json_list, write_table
from app.cli.shapes import unmatched_shape
from app.cli.usage import whole
from app.domain.ids import InboxEventId
from app.service.parts import Parts
from app.service.unmatched import Unmatched, UnmatchedLine


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Run one command of this family."""
    with desk.open() as parts:
        unmatched = Unmatched(parts.open_uow, parts.open_reader, parts.clock)
        if args.call == "unmatched":
            _list(unmatched, desk)
            return DONE
        event_id = InboxEventId(whole(args.event, "EVENT"))
        if args.call == "match":
            _match(unmatched, parts, desk, event_id, args.person)
        else:
            _set_aside(unmatched, desk, event_id)
    return DONE


def _list(unmatched: Unmatched, desk: Desk) -> None:
    lines = unmatched.lines()
    if desk.as_json:
        write_json_list(desk.out, map(unmatched_shape, lines))
        return
    headings = ("EVENT", "CAME IN (UTC)", "KIND", "FROM", "MAY BE", "TEXT")
    write_table(desk.out, headings, map(_row, lines), "Everything that came in has its person.")


def _row(line: UnmatchedLine) -> tuple[str, ...]:
    event = line.event
    may_be = ", ".join(f"person {each}" for each in line.candidates)
    said = printable(event.text or event.note)
    return (str(event.id), stamp(event.happened_at), event.kind, event.address or "–", may_be or "nobody here", said)


def _match(unmatched: Unmatched, parts: Parts, desk: Desk, event_id: InboxEventId, ref: str) -> None:
    person_id = find_person(parts, ref)
    tell_applied(parts, desk, unmatched.match(event_id, person_id, by=staff()))


def _set_aside(unmatched: Unmatched, desk: Desk, event_id: InboxEventId) -> None:
    unmatched.set_aside(event_id, by=staff())
    if desk.as_json:
        write_json(desk.out, {"event": event_id, "set_aside": True})
    else:
        desk.say("Set aside: it is kept, and off the list.")
