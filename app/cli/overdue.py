"""overdue: what came too late to go out by itself, and what staff decide about it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

from app.cli.desk import DONE, REFUSED, Desk, staff
from app.cli.output import counted, local, printable, write_json, write_json_list, write_table
from app.cli.shapes import overdue_shape
from app.cli.usage import UsageError, instant, whole
from app.domain.ids import EnrollmentId
from app.domain.lines import OverdueLine
from app.service.overdue import Overdue
from app.service.parts import Parts


@dataclass(frozen=True, slots=True)
class _Decided:
    """What came of one decision. done: how many it concerned; left: how many were not overdue, or not any more."""

    word: str
    done: int
    left: int
    never: Sequence[EnrollmentId] = ()

    def told(self) -> str:
        """One line; what was asked for and is not overdue is named."""
        done = f"{counted(self.done, 'follow-up', 'follow-ups')} {self.word}."
        if not self.left:
            return done
        if self.left != len(self.never):  # somebody else decided in the same moment
            return f"{done} {counted(self.left, 'is', 'are')} not overdue any more."
        named = ", ".join(map(str, self.never))
        return f"{done} Not overdue, or not any more: {named}. stopwell overdue lists what is."


def run(args: argparse.Namespace, desk: Desk) -> int:
    """List what is overdue, or decide about some of it, or all. Exit code 1 when nothing that was named is overdue."""
    if not (args.release or args.skip or args.retime):
        if args.all or args.ids:
            raise UsageError("overdue: say what to do with them: --release, --skip or --retime TIME.")
        with desk.open() as parts:
            _list(_lines(parts), desk)
        return DONE
    if args.all == bool(args.ids):
        raise UsageError("overdue: say which: --all, or their ids, and not both.")
    asked = [EnrollmentId(whole(each, "ID")) for each in args.ids]
    with desk.open() as parts:
        late = [line.enrollment_id for line in _lines(parts)]
        ids = late if args.all else list(dict.fromkeys(asked))
        word, done = _decide(args, Overdue(parts.open_uow, parts.clock), ids)
    decided = _Decided(word, done, len(ids) - done, [each for each in ids if each not in frozenset(late)])
    if desk.as_json:
        write_json(desk.out, {decided.word: decided.done, "left_out": decided.left})
    else:
        desk.say(decided.told())
    return REFUSED if ids and not done else DONE


def _decide(args: argparse.Namespace, overdue: Overdue, ids: Sequence[EnrollmentId]) -> tuple[str, int]:
    by = staff()
    if args.release:
        return "released", overdue.release(ids, by=by)
    if args.skip:
        return "skipped", overdue.skip(ids, by=by)
    return "retimed", overdue.retime(ids, instant(args.retime, "--retime"), by=by)


def _lines(parts: Parts) -> Sequence[OverdueLine]:
    with parts.open_reader() as reads:
        return reads.overdue(parts.clock.now())


def _list(lines: Sequence[OverdueLine], desk: Desk) -> None:
    if desk.as_json:
        write_json_list(desk.out, map(overdue_shape, lines))
        return
    rows = [
        (
            str(line.enrollment_id),
            local(line.since, line.zone),
            str(line.person_id),
            printable(line.name),
            line.location,
            f"{line.journey}, {line.step.id}",
        )
        for line in lines
    ]
    headings = ("ID", "SINCE", "PERSON", "NAME", "LOCATION", "JOURNEY, STEP")
    write_table(desk.out, headings, rows, "Nothing is overdue.")
