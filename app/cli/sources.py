"""sources: where what comes in is read, when each was last read whole, and why one can't be."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Sequence

from app.cli.desk import DONE, REFUSED, Desk
from app.cli.output import stamp, write_json_list
from app.domain.reasons import provider_words
from app.domain.source_line import SourceLine, fault_words, what_to_do


def run(args: argparse.Namespace, desk: Desk) -> int:
    """List them; exit code 1 when one can't be read."""
    with desk.open() as parts:
        polled = {source.name for source in parts.lineup().sources}
        with parts.open_reader() as reads:
            asked = {line.name: line for line in reads.sources()}
    lines = [asked.get(name) or SourceLine(name, None, None) for name in sorted(polled | asked.keys())]
    if desk.as_json:
        write_json_list(desk.out, (_shape(line, polled=line.name in polled) for line in lines))
    else:
        _tell(desk, lines, polled)
    return REFUSED if any(line.fault is not None for line in lines) else DONE


def _tell(desk: Desk, lines: Sequence[SourceLine], polled: Collection[str]) -> None:
    if not lines:
        desk.say("Nothing is read from outside: in practice mode nothing comes in by itself.")
        return
    for line in lines:
        read = "never read whole" if line.read_at is None else f"last read {stamp(line.read_at.replace(microsecond=0))}"
        name = provider_words(line.name)
        ended = "" if line.name in polled else "; it is read no longer"
        desk.say(f"{name[:1].upper()}{name[1:]}: {read}{ended}")
        if line.fault is not None and line.failing_since is not None:
            since = stamp(line.failing_since.replace(microsecond=0))
            desk.say(f"    Can't be read since {since}: {fault_words(line.name, line.fault, line.code)}")
            todo = what_to_do(line.code)
            if todo:
                desk.say(f"    To do: {todo}")


def _shape(line: SourceLine, *, polled: bool) -> dict[str, object]:
    fault = line.fault
    return {
        "source": line.name,
        "polled": polled,
        "read_at": line.read_at,
        "tried_at": line.tried_at,
        "failing_since": line.failing_since,
        "fault": None
        if fault is None
        else {"why": fault, "code": line.code, "told": fault_words(line.name, fault, line.code)},
    }
