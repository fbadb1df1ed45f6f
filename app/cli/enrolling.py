"""enroll: start people in a live journey."""

from __future__ import annotations

import argparse

from app.cli.desk import DONE, Desk, find_person, staff
from app.cli.output import counted, write_json
from app.cli.usage import instant
from app.service.enrolling import Enrolled, Enrolling

SHOWN = 20


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Run `enroll`."""
    at = instant(args.at, "--at") if args.at else None
    with desk.open(at) as parts:
        enrolling = Enrolling(parts.open_uow, parts.open_reader, parts.clock)
        if args.person is not None:
            person_id = find_person(parts, args.person)
            enrolled = enrolling.enroll_person(args.journey, person_id, by=staff(), reason=args.reason)
        else:
            enrolled = enrolling.enroll_group(args.journey, args.group, by=staff(), reason=args.reason)
    if desk.as_json:
        write_json(desk.out, _shape(enrolled))
    else:
        _tell(desk, enrolled)
    return DONE


def _shape(enrolled: Enrolled) -> dict[str, object]:
    return {
        "journey": enrolled.journey,
        "version": enrolled.version,
        "started": [
            {"person": person_id, "enrollment": enrollment_id} for person_id, enrollment_id in enrolled.started
        ],
        "refused": [{"person": each.person_id, "reason": each.told} for each in enrolled.refused],
    }


def _tell(desk: Desk, enrolled: Enrolled) -> None:
    many = counted(len(enrolled.started), "follow-up", "follow-ups")
    desk.say(f"{many} started in {enrolled.journey}, version {enrolled.version}.")
    for each in enrolled.refused[:SHOWN]:
        desk.say(f"  not started: person {each.person_id} {each.told}")
    if len(enrolled.refused) > SHOWN:
        desk.say(f"  and {len(enrolled.refused) - SHOWN} more; --json lists them all")
