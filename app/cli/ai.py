"""ai instructions, ai accept: a text for whatever assistant staff use, and what it answered."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from app.cli.desk import DONE, Desk, staff
from app.cli.output import write_json
from app.cli.sequences import tell_refused
from app.cli.shapes import problem_shape
from app.domain.documents import Format
from app.domain.errors import DocumentError
from app.domain.exchange_reply import MOST_BYTES
from app.service.exchange import Exchange
from app.service.files import read_file


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Run one command of this family."""
    if args.call == "ai_instructions":
        return _instructions(args, desk)
    return _accept(args, desk)


def _instructions(args: argparse.Namespace, desk: Desk) -> int:
    with desk.open() as parts:
        text = Exchange(parts.open_uow, parts.clock).instructions(Format[args.kind.upper()])
    if desk.as_json:
        write_json(desk.out, {"kind": args.kind, "instructions": text})
    else:
        desk.out.write(text)
    return DONE


def _accept(args: argparse.Namespace, desk: Desk) -> int:
    stdin = args.file == "-"
    reply = sys.stdin.buffer.read(MOST_BYTES + 1) if stdin else read_file(Path(args.file), MOST_BYTES)
    with desk.open() as parts:
        try:
            done = Exchange(parts.open_uow, parts.clock).accept(reply, by=staff())
        except DocumentError as refused:
            return tell_refused(desk, refused, "Nothing was saved")
    if desk.as_json:
        shape = {"ok": True, "problems": [], "format": done.format, "name": done.name, "changed": done.changed}
        warnings = [problem_shape(each) for each in done.warnings]
        write_json(desk.out, {**shape, "differences": done.differences, "warnings": warnings})
        return DONE
    for each in done.warnings:
        desk.say(f"note: {each.told()}")
    kept = "saved as a draft" if done.format is Format.JOURNEY else "saved"
    desk.say(f"{done.format.word} {done.name}: {kept if done.changed else 'as it was'}")
    for line in done.differences:
        desk.say(f"  {line}")
    return DONE
