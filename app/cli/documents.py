"""init, apply, check, publish, retire: what staff write, and when it goes live."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from app.cli.desk import DONE, REFUSED, Desk, staff
from app.cli.groups import already_lines, already_shape
from app.cli.impact import tell_impact
from app.cli.output import counted, write_json
from app.cli.shapes import problem_shape
from app.cli.usage import UsageError, version_number
from app.domain.check import CheckResult
from app.domain.errors import DocumentError
from app.domain.problem import Problem
from app.domain.proof import Proof
from app.domain.proof_words import told_proof
from app.service.documents import AppliedSet, Documents, check_files
from app.service.groups import GroupLists
from app.service.practice_setup import FIRST_LOCATION, NewPractice, PracticeSetup
from app.service.publishing import Inside, Published, Publishing, proof_document


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Run one command of this family."""
    match args.call:
        case "init":
            return _init(args, desk)
        case "check":
            return _check(args, desk)
        case "apply":
            return _apply(args, desk)
        case "publish":
            return _publish(args, desk)
        case _:
            return _retire(args, desk)


def _init(args: argparse.Namespace, desk: Desk) -> int:
    new = NewPractice(args.practice, args.zone, args.country)
    with desk.opening.make(desk.data) as parts:
        PracticeSetup(parts.open_uow, parts.clock).make(new, by=staff())
        folder, database = parts.folder, parts.database
    if desk.as_json:
        shape = {
            "folder": str(folder),
            "database": database,
            "practice": new.name.strip(),
            "zone": new.zone,
            "location": FIRST_LOCATION,
            "practice_mode": True,
        }
        write_json(desk.out, shape)
        return DONE
    desk.say(f"{new.name.strip()} is made in {folder}, in practice mode: nothing leaves this computer.")
    desk.say(f"It has one location, {FIRST_LOCATION}: Monday to Friday 09:00 to 17:00, {new.zone}.")
    desk.say("To change it, write a stopwell.location/1 document and: stopwell apply FILE")
    return DONE


def _check(args: argparse.Namespace, desk: Desk) -> int:
    paths = [Path(name) for name in args.files]
    if desk.opening.is_made(desk.data):
        with desk.open() as parts:
            result = Documents(parts.open_uow, parts.clock).check(paths)
    else:
        result = check_files(paths, None, None)
    if desk.as_json:
        write_json(desk.out, _check_shape(result))
    else:
        _tell_problems(desk, result.problems)
        for warning in result.warnings:
            desk.say(f"note: {warning.told()}")
        for name, proof in result.proofs.items():
            desk.say(f"{name}: {told_proof(proof)}")
    if result.ok:
        if not desk.as_json:
            desk.say(f"{counted(len(result.documents), 'document is', 'documents are')} right.")
        return DONE
    desk.complain(_told_first(result.problems))
    return REFUSED


def _check_shape(result: CheckResult) -> dict[str, object]:
    proofs = {name: proof_document(proof) for name, proof in result.proofs.items() if isinstance(proof, Proof)}
    first = next((proofs.get(name) for name in result.proofs), None)
    return {
        "ok": result.ok,
        "problems": [problem_shape(problem) for problem in result.problems],
        "proof": first,
        "proofs": proofs,
        "warnings": [problem_shape(problem) for problem in result.warnings],
        "documents": [{"format": each.format, "name": each.name} for each in result.documents],
    }


def _apply(args: argparse.Namespace, desk: Desk) -> int:
    with desk.open() as parts:
        try:
            applied = Documents(parts.open_uow, parts.clock).apply([Path(name) for name in args.files], by=staff())
        except DocumentError as refused:
            return _refuse(desk, refused.problems, "Nothing was applied")
    if desk.as_json:
        write_json(desk.out, _applied_shape(applied))
        return DONE
    for warning in applied.warnings:
        desk.say(f"note: {warning.told()}")
    for each in applied.documents:
        desk.say(f"{each.format.word} {each.name}: {'saved' if each.changed else 'as it was'}")
    for note in applied.notes:
        desk.say(note)
    return DONE


def _applied_shape(applied: AppliedSet) -> dict[str, object]:
    return {
        "ok": True,
        "problems": [],
        "applied": [{"format": each.format, "name": each.name, "changed": each.changed} for each in applied.documents],
        "warnings": [problem_shape(problem) for problem in applied.warnings],
        "notes": applied.notes,
    }


def _publish(args: argparse.Namespace, desk: Desk) -> int:
    number = None if args.version_of is None else version_number(args.version_of, "--version")
    with desk.open() as parts:
        publishing = Publishing(parts.open_uow, parts.open_reader, parts.clock)
        try:
            already = GroupLists(parts.open_uow, parts.open_reader, parts.clock).already_in(args.journey)
            if args.dry_run:
                return tell_impact(desk, publishing.impact(args.journey, number), already)
            published = publishing.publish(args.journey, _inside(args), by=staff(), number=number)
        except DocumentError as refused:
            return _refuse(desk, refused.problems, f"{args.journey} was not published")
    if desk.as_json:
        write_json(desk.out, _published_shape(published) | {"groups": already_shape(already)})
        return DONE
    for warning in published.warnings:
        desk.say(f"note: {warning.told()}")
    how = "is live" if published.changed else "is live already, and nothing has changed"
    desk.say(f"{published.journey} version {published.version} {how}. {told_proof(published.proof)}")
    if published.moved:
        desk.say(f"{counted(published.moved, 'person was', 'people were')} moved to it.")
    if published.finishing and (published.changed or published.moved):
        desk.say(f"{counted(published.finishing, 'person finishes', 'people finish')} on the version they are on.")
    for line in already_lines(published.journey, already) if published.changed else ():
        desk.say(line)
    return DONE


def _inside(args: argparse.Namespace) -> Inside | None:
    if args.finish_rest and not args.move:
        raise UsageError("--finish-rest goes with --move: it is about those who can't move.")
    if args.move:
        return Inside.MOVE_WHO_CAN if args.finish_rest else Inside.MOVE
    return Inside.FINISH if args.finish else None


def _published_shape(published: Published) -> dict[str, object]:
    return {
        "journey": published.journey,
        "version": published.version,
        "changed": published.changed,
        "proof": proof_document(published.proof),
        "finishing": published.finishing,
        "warnings": [problem_shape(problem) for problem in published.warnings],
        "moved": published.moved,
    }


def _retire(args: argparse.Namespace, desk: Desk) -> int:
    with desk.open() as parts:
        retired = Publishing(parts.open_uow, parts.open_reader, parts.clock).retire(args.journey, by=staff())
    if desk.as_json:
        shape = {"journey": retired.journey, "changed": retired.changed, "finishing": retired.finishing}
        write_json(desk.out, shape)
        return DONE
    how = "is retired: it takes in nobody new" if retired.changed else "is retired already"
    finishing = f"; {counted(retired.finishing, 'person goes', 'people go')} on to the end" if retired.finishing else ""
    desk.say(f"{retired.journey} {how}{finishing}.")
    return DONE


def _refuse(desk: Desk, problems: Sequence[Problem], outcome: str) -> int:
    """Every problem where the answer goes, and one line about them on the error stream."""
    if desk.as_json:
        write_json(desk.out, {"ok": False, "problems": [problem_shape(problem) for problem in problems]})
    else:
        _tell_problems(desk, problems)
    desk.complain(f"{outcome}. {_told_first(problems)}")
    return REFUSED


def _tell_problems(desk: Desk, problems: Sequence[Problem]) -> None:
    if len(problems) > 1:  # a single one is told on the error stream
        for problem in problems:
            desk.say(problem.told())


def _told_first(problems: Sequence[Problem]) -> str:
    more = f" ({counted(len(problems), 'problem', 'problems')} in all)" if len(problems) > 1 else ""
    return f"{problems[0].told()}{more}"
