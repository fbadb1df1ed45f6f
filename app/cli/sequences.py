"""sequences, sequence import, sequence convert: old sequences, and the journeys that they become."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.desk import DONE, REFUSED, Desk, staff
from app.cli.output import counted, write_json, write_table
from app.cli.shapes import problem_shape
from app.domain.errors import DocumentError
from app.domain.journey import Ends
from app.domain.proof_words import told_proof
from app.domain.sequence_convert import Conversion, read_ending, read_replied
from app.domain.states import Purpose
from app.service.publishing import proof_document
from app.service.sequences import Sequences


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Run one command of this family."""
    try:
        match args.call:
            case "sequence_import":
                return _import(args, desk)
            case "sequence_convert":
                return _convert(args, desk)
            case _:
                return _list(desk)
    except DocumentError as refused:
        return tell_refused(desk, refused, "Nothing was saved")


def tell_refused(desk: Desk, refused: DocumentError, outcome: str) -> int:
    """Every problem where the answer goes, and one line about them on the error stream."""
    problems = refused.problems
    if desk.as_json:
        write_json(desk.out, {"ok": False, "problems": [problem_shape(each) for each in problems]})
    elif len(problems) > 1:
        for each in problems:
            desk.say(each.told())
    more = f" ({counted(len(problems), 'problem', 'problems')} in all)" if len(problems) > 1 else ""
    desk.complain(f"{outcome}. {problems[0].told()}{more}")
    return REFUSED


def _list(desk: Desk) -> int:
    with desk.open() as parts:
        lines = Sequences(parts.open_uow, parts.clock).list()
    if desk.as_json:
        shapes = [
            {
                "name": each.name,
                "state": each.state,
                "messages": each.messages,
                "days": each.days,
                "journey": each.journey,
            }
            for each in lines
        ]
        write_json(desk.out, shapes)
        return DONE
    rows = [(each.name, each.state, str(each.messages), str(each.days), each.journey or "–") for each in lines]
    write_table(desk.out, ("Sequence", "State", "Messages", "Days", "Became"), rows, "There are no old sequences.")
    return DONE


def _import(args: argparse.Namespace, desk: Desk) -> int:
    with desk.open() as parts:
        done = Sequences(parts.open_uow, parts.clock).import_csv(Path(args.file), args.name, by=staff())
    if desk.as_json:
        shape = {"ok": True, "sequence": done.name, "messages": done.messages, "changed": done.changed}
        write_json(desk.out, {**shape, "warnings": [problem_shape(each) for each in done.warnings]})
        return DONE
    for each in done.warnings:
        desk.say(f"note: {each.told()}")
    how = "saved" if done.changed else "as it was"
    desk.say(f"sequence {done.name}, {counted(done.messages, 'message', 'messages')}: {how}")
    return DONE


def _convert(args: argparse.Namespace, desk: Desk) -> int:
    ends = Ends(
        read_replied(args.replied), read_ending("converted", args.converted), read_ending("closed", args.closed)
    )
    chosen = Conversion(args.new_name or args.name, Purpose(args.purpose), ends, args.group)
    with desk.open() as parts:
        done = Sequences(parts.open_uow, parts.clock).convert(args.name, chosen, by=staff())
    if desk.as_json:
        shape = {
            "ok": True,
            "sequence": done.sequence,
            "journey": done.journey,
            "templates": done.templates,
            "proof": proof_document(done.proof),
            "warnings": [problem_shape(each) for each in done.warnings],
        }
        write_json(desk.out, shape)
        return DONE
    for each in done.warnings:
        desk.say(f"note: {each.told()}")
    desk.say(f"{done.sequence} is the draft {done.journey} now, and retired. {told_proof(done.proof)}")
    for name in done.templates:
        desk.say(f"template {name}: saved")
    desk.say(f'Nobody hears from it before: stopwell publish "{done.journey}"')
    return DONE
