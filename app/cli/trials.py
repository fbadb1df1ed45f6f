"""try: what the app makes of cases. JSON Lines in, JSON Lines out; exit code 1 when one of them can't be tried."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from app.cli.desk import DONE, REFUSED, Desk
from app.cli.output import counted, write_json_line
from app.service.trials import Tried, try_lines, try_lists, try_mails, try_templates


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Run one `try`."""
    first, untried = "", 0
    for tried in _answers(args):
        write_json_line(desk.out, tried.answer)
        if tried.problem:
            first, untried = first or tried.problem, untried + 1
    if not untried:
        return DONE
    more = f" (and {untried - 1} more)" if untried > 1 else ""
    desk.complain(f"{counted(untried, 'case', 'cases')} could not be tried: {first}{more}")
    return REFUSED


def _answers(args: argparse.Namespace) -> Iterator[Tried]:
    path = Path(args.path)
    match args.call:
        case "people":
            return try_lists(path, args.region)
        case "email":
            return try_mails(path)
        case "sms":
            from app.domain.trial_sms import try_sms

            return try_lines(path, try_sms)
        case "hours":
            from app.domain.trial_hours import try_hours

            return try_lines(path, try_hours)
        case "template":
            return try_templates(path, Path(args.schema) if args.schema else None)
        case _:
            from app.domain.trial_hours import try_waits

            return try_lines(path, try_waits)
