"""holidays: what a location's calendar proposes to close on, and closing on it."""

from __future__ import annotations

import argparse
from datetime import date

from app.cli.desk import DONE, Desk, staff
from app.cli.output import counted, write_json, write_table
from app.cli.usage import UsageError
from app.domain.public_holidays import ProposedClosure
from app.service.closures import Closures


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Run one command of this family."""
    days = [_day(each) for each in args.close]
    with desk.open() as parts:
        closures = Closures(parts.open_uow, parts.clock)
        if args.close_all:
            days += [each.date for each in closures.proposals(args.location) if not each.closed]
        if days or args.close_all:
            closed = closures.close(args.location, days, by=staff())
            _tell_closed(desk, args.location, closed)
        else:
            _tell(desk, args.location, closures.proposals(args.location))
    return DONE


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"--close: {text} is not a date; write it like 2027-12-24") from None


def _tell(desk: Desk, location: str, proposed: tuple[ProposedClosure, ...]) -> None:
    if desk.as_json:
        rows = [{"date": each.date, "name": each.name, "closed": each.closed} for each in proposed]
        write_json(desk.out, {"location": location, "holidays": rows})
        return
    rows_told = [(f"{each.date:%a %Y-%m-%d}", each.name, "closed" if each.closed else "open") for each in proposed]
    write_table(desk.out, ("DAY", "HOLIDAY", "THAT DAY"), rows_told, "Its calendar has no holiday in the next year.")
    still_open = sum(not each.closed for each in proposed)
    if still_open:
        desk.say(f"Open on {counted(still_open, 'holiday', 'holidays')}. To close: --close DATE, or --close-all.")


def _tell_closed(desk: Desk, location: str, closed: tuple[date, ...]) -> None:
    if desk.as_json:
        write_json(desk.out, {"location": location, "closed": closed})
        return
    if not closed:
        desk.say("It was closed on all of them already.")
        return
    desk.say(f"{location} is closed on {', '.join(f'{day:%a %Y-%m-%d}' for day in closed)}.")
    desk.say("The next file that you apply for it should hold them too: a document says all closures.")
