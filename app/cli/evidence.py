"""evidence: the packet about one person or one stop, written to a file or to standard output."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.desk import DONE, Desk, find_person
from app.cli.output import counted, write_json
from app.cli.usage import UsageError, whole
from app.domain.ids import InboxEventId
from app.service.evidence import Evidence
from app.service.private_file import check_new, write_new

STANDARD_OUTPUT = "-"
_PAGES = (".html", ".htm")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Write the packet. `-`: the packet itself is the answer, as JSON."""
    if not args.out.strip():
        raise UsageError("--out: name a new file, or - for standard output.")
    path = None if args.out == STANDARD_OUTPUT else Path(args.out)
    event_id = None if args.event is None else InboxEventId(whole(args.event, "--event"))
    if path is not None:
        check_new(path)
    with desk.open() as parts:
        evidence = Evidence(parts.open_reader, parts.clock)
        person_id = find_person(parts, args.person)
        packet = evidence.packet(person_id, redact=args.redact, event_id=event_id)
    if path is None:
        desk.out.write(evidence.text(packet))
        return DONE
    is_page = path.suffix.casefold() in _PAGES
    write_new(path, evidence.page(packet) if is_page else evidence.text(packet))
    stops = packet["stops"]
    count = len(stops) if isinstance(stops, list) else 0
    if desk.as_json:
        write_json(desk.out, {"file": str(path), "person": person_id, "stops": count})
    else:
        told = counted(count, "stop", "stops")
        desk.say(f"{path} holds the evidence about person {person_id}: {told}. Only you can read it.")
    return DONE
