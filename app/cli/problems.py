"""problems: what needs a look, since when, and what to do about it; one of them marked as looked at."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence

from app.cli import shapes
from app.cli.desk import DONE, REFUSED, Desk, staff
from app.cli.output import counted, local, write_json, write_json_list
from app.cli.usage import UsageError, whole
from app.domain.ids import ProblemId
from app.domain.lines import ProblemLine
from app.domain.remedies import command, remedy
from app.service.problems import Problems
from app.service.queues import Pages


def run(args: argparse.Namespace, desk: Desk) -> int:
    """List what is open (exit code 1 when anything is), or mark one as looked at."""
    if args.solve is not None:
        return _solve(args, desk)
    if args.note:
        raise UsageError("--note goes with --solve ID.")
    with desk.open() as parts:
        problems = Pages(parts.open_reader, parts.clock).problems()
    if desk.as_json:
        write_json_list(desk.out, map(shapes.problem_line_shape, problems))
    else:
        _tell(desk, problems)
    return REFUSED if problems else DONE


def _solve(args: argparse.Namespace, desk: Desk) -> int:
    problem_id = ProblemId(whole(args.solve, "--solve"))
    by = staff()
    with desk.open() as parts:
        Problems(parts.open_uow, parts.clock).solve(problem_id, by=by, note=args.note)
    if desk.as_json:
        write_json(desk.out, {"id": problem_id, "solved_by": by})
    else:
        desk.say(f"Problem {problem_id} is off the list, looked at by {by}.")
    return DONE


def _tell(desk: Desk, problems: Sequence[ProblemLine]) -> None:
    if not problems:
        desk.say("Nothing needs a look.")
        return
    kinds = Counter(line.why for line in problems).most_common()
    told = ", ".join(f"{count:,} {kind.value.replace('_', ' ')}" for kind, count in kinds)
    desk.say(f"{counted(len(problems), 'problem', 'problems')}: {told}.")
    for line in problems:
        desk.say("")
        desk.say(f"{line.id}  since {local(line.at, line.zone or 'UTC')}{_whom(line)}")
        desk.say(f"    {shapes.told_with(line.why, line.facts)}")
        desk.say(f"    To do: {remedy(line.why, line.facts)}")
        desk.say(f"    {command(line.why, line.person_id, line.message_id, line.facts)}")
    desk.say("")
    desk.say("Looked at one that needs no more: stopwell problems --solve ID")


def _whom(line: ProblemLine) -> str:
    if line.person_id is None:
        return ""
    place = f", {line.location}" if line.location else ""
    return f"  {line.name or 'no name'} (person {line.person_id}){place}"
