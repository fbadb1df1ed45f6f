"""doctor: look whether everything is sound. Exit code 1 when there is something to do."""

from __future__ import annotations

import argparse

from app.cli.desk import DONE, REFUSED, Desk
from app.cli.output import counted, write_json
from app.domain.soundness import Examined
from app.service.doctor import Doctor


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Run `doctor`."""
    with desk.open() as parts:
        examined = Doctor(parts).examine()
        database = parts.database
    if desk.as_json:
        write_json(desk.out, _shape(examined, database))
    else:
        _tell(desk, examined, database)
    if examined.sound:
        return DONE
    wrong = [finding for finding in examined.findings if not finding.ok]
    desk.complain(f"{counted(len(wrong), 'thing needs', 'things need')} a look: {wrong[0].told} {wrong[0].hint}")
    return REFUSED


def _shape(examined: Examined, database: str) -> dict[str, object]:
    return {
        "ok": examined.sound,
        "checks": [
            {"check": each.check, "ok": each.ok, "told": each.told, "hint": each.hint} for each in examined.findings
        ],
        "counts": examined.counts,
        "database": database,
    }


def _tell(desk: Desk, examined: Examined, database: str) -> None:
    desk.say(database)
    for each in examined.findings:
        desk.say(f"{'ok   ' if each.ok else 'LOOK '} {each.told} {'' if each.ok else each.hint}".rstrip())
    desk.say(", ".join(_counted(word, count) for word, count in examined.counts.items()) + ".")


def _counted(word: str, count: int) -> str:
    many = word.replace("_", " ")
    return counted(count, "person" if many == "people" else many.removesuffix("s"), many)
