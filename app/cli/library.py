"""library: the ready journeys that ship with Stopwell, and taking one in as a draft."""

from __future__ import annotations

import argparse

from app.cli.desk import DONE, Desk, staff
from app.cli.output import write_json, write_json_list, write_table
from app.cli.usage import UsageError
from app.domain.proof_words import told_proof_short
from app.service.documents import Documents
from app.service.library import Library, starter, starters
from app.service.publishing import proof_document


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Run `library`."""
    if args.add:
        return _add(args, desk)
    if desk.as_json:
        write_json_list(
            desk.out,
            (
                {"name": each.name, "journey": each.journey.name, "for": each.told, "proof": proof_document(each.proof)}
                for each in starters()
            ),
        )
        return DONE
    rows = ((each.name, each.journey.name, told_proof_short(each.proof), each.told) for each in starters())
    write_table(desk.out, ("name", "journey", "proof", "for"), rows, "The library is empty.")
    return DONE


def _add(args: argparse.Namespace, desk: Desk) -> int:
    if not args.names:
        raise UsageError("Say which: stopwell library add NAME; stopwell library lists them.")
    taken = [starter(name) for name in args.names]
    with desk.open() as parts:
        applied = Library(Documents(parts.open_uow, parts.clock)).add(args.names, by=staff())
    if desk.as_json:
        documents = [{"format": each.format, "name": each.name, "changed": each.changed} for each in applied.documents]
        write_json(desk.out, {"journeys": [each.journey.name for each in taken], "documents": documents})
        return DONE
    for each in applied.documents:
        kind = each.format.value.removeprefix("stopwell.").partition("/")[0]
        desk.say(f"{kind} {each.name}: {'taken in' if each.changed else 'was there just so'}")
    for note in applied.notes:
        desk.say(f"note: {note}")
    for each_taken in taken:
        name = each_taken.journey.name
        desk.say(f'Try it: stopwell rehearse "{name}". Then: stopwell publish "{name}"')
    return DONE
