"""The arguments of the commands about old sequences, and the way to each family."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.cli.desk import Desk

FAMILY = "writing"
_ENDING = "never, a record's status such as appointment:booked, or a condition in braces; always asked for"


def add(commands: Any, command: Callable[..., argparse.ArgumentParser], several: Callable[..., Any]) -> None:
    """Add them. command, several: how main.py makes a command, and one that has commands below it."""
    command(commands, "sequences", FAMILY, "the old sequences, and the journeys that they became")
    below = several(commands, "sequence", "take an old sequence in; make it a journey")
    taking = command(below, "import", FAMILY, "an old sequence from a CSV file", "sequence_import")
    taking.add_argument("file", metavar="FILE", help="columns day, channel, and template or subject and body")
    taking.add_argument("--name", required=True, help="what it is called here")
    making = command(below, "convert", FAMILY, "make it a draft journey, and retire it", "sequence_convert")
    making.add_argument("name", metavar="NAME", help="the sequence's name")
    making.add_argument("--replied", metavar="YES|NO", help="whether a reply ends it; always asked for")
    making.add_argument("--converted", metavar="WHEN", help=_ENDING)
    making.add_argument("--closed", metavar="WHEN", help=_ENDING)
    making.add_argument("--as", dest="new_name", metavar="NAME", help="the journey's name, when it is another")
    making.add_argument("--group", metavar="G", help="whose members enter it; without it staff enroll")
    journey = command(commands, "journey", FAMILY, "a journey's versions; what is another between two", "versions")
    journey.add_argument("journey", metavar="JOURNEY", help="its name")
    told = "two versions by number, or draft: what changed from A to B"
    journey.add_argument("--compare", nargs=2, metavar=("A", "B"), help=told)
    ai = several(commands, "ai", "instructions for an assistant, and what it answered; no assistant is called")
    asking = command(
        ai, "instructions", FAMILY, "a text to hand to an assistant; it holds nobody's data", "ai_instructions"
    )
    asking.add_argument("kind", choices=("journey", "group", "template"), help="journey, group or template")
    taking = command(ai, "accept", FAMILY, "check what it answered as every save is checked; keep it", "ai_accept")
    taking.add_argument("file", metavar="FILE", help="the answer; - reads standard input")
    told = "marketing (default) or care, for the journey and the templates that are written for it"
    making.add_argument("--purpose", choices=("marketing", "care"), default="marketing", help=told)


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Hand over to the family of the command, imported only now."""
    if args.call.startswith("ai_"):
        from app.cli.ai import run as family
    elif args.call == "versions":
        from app.cli.versions import run as family
    else:
        from app.cli.sequences import run as family
    return family(args, desk)
