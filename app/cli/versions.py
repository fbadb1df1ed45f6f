"""journey: a journey's versions, and what is another between two."""

from __future__ import annotations

import argparse

from app.cli.desk import DONE, Desk
from app.cli.output import stamp, write_json, write_table
from app.service.versions import Versions


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Run `journey`."""
    with desk.open() as parts:
        versions = Versions(parts.open_uow)
        if args.compare:
            old, new = args.compare
            differences = versions.compare(args.journey, old, new)
        else:
            row, listed = versions.of(args.journey)
    if args.compare:
        if desk.as_json:
            write_json(desk.out, {"journey": args.journey, "from": old, "to": new, "differences": differences})
        for line in () if desk.as_json else differences or ("Both say the same.",):
            desk.say(line)
        return DONE
    shapes = [
        {
            "version": each.number,
            "live": each.number == row.live_number and row.state.value == "live",
            "published_at": each.published_at,
            "published_by": each.published_by,
        }
        for each in listed
    ]
    if desk.as_json:
        shape = {"journey": row.name, "state": row.state, "draft": row.draft is not None, "versions": shapes}
        write_json(desk.out, shape)
        return DONE
    rows = [
        (str(each.number), stamp(each.published_at), "live" if shape["live"] else "", each.published_by)
        for each, shape in zip(listed, shapes, strict=True)
    ]
    write_table(desk.out, ("Version", "Published", "", "By"), rows, "It was never published.")
    if row.draft is not None:
        desk.say("It has a draft.")
    return DONE
