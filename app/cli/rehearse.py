"""rehearse: what a journey would say to whom and when, on a made-up clock. Nothing is sent, nothing is saved."""

from __future__ import annotations

import argparse

from app.cli.desk import DONE, REFUSED, Desk
from app.cli.output import counted, local, local_iso, write_json
from app.cli.shapes import CHANNEL_WORDS, problem_shape, told_hold
from app.cli.usage import instant
from app.domain.errors import DocumentError
from app.domain.proof_words import told_proof
from app.domain.reasons import told
from app.domain.rehearsal import LineKind, RehearsalLine, RehearsalOrder, Rehearsed
from app.domain.states import TERMINAL
from app.service.publishing import proof_document
from app.service.rehearsal import Rehearsal

NOTHING = "Nothing is sent, nothing is saved."


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Run `rehearse`."""
    order = RehearsalOrder(
        journey=args.journey,
        person=args.person or "",
        location=args.location or "",
        answers=tuple(args.answer),
        start=instant(args.at, "--at") if args.at else None,
        version=args.version_of or "",
    )
    with desk.open() as parts:
        try:
            rehearsed = Rehearsal(parts.open_reader, parts.open_scratch, parts.clock).run(order)
        except DocumentError as refused:
            return _refuse(desk, order.journey, refused)
    if desk.as_json:
        write_json(desk.out, _shape(rehearsed))
    else:
        _tell(desk, rehearsed)
    return DONE


def _refuse(desk: Desk, journey: str, refused: DocumentError) -> int:
    """Every problem where the answer goes, and one line about them on the error stream."""
    problems = refused.problems
    if desk.as_json:
        write_json(desk.out, {"ok": False, "problems": [problem_shape(problem) for problem in problems]})
    elif len(problems) > 1:
        for problem in problems:
            desk.say(problem.told())
    more = f" ({counted(len(problems), 'problem', 'problems')} in all)" if len(problems) > 1 else ""
    desk.complain(f"{journey} can't be rehearsed. {problems[0].told()}{more}")
    return REFUSED


def _tell(desk: Desk, run: Rehearsed) -> None:
    what = "the draft" if run.version == "draft" else f"version {run.version}"
    who = f"{run.person}, who is made up," if run.made_up else run.person
    desk.say(f"{run.journey}, {what}, rehearsed for {who} at {run.location}. {NOTHING}")
    desk.say(told_proof(run.proof))
    for line in run.lines:
        desk.say(f"{local(line.at, run.zone)}  {_words(line, run)}")
        if line.kind in (LineKind.SENT, LineKind.CALLED):
            for text in (line.subject, *line.body.splitlines()):
                if text.strip():
                    desk.say(f"    {text.strip()}")
    for text in run.unused:
        desk.say(f"{text} never came about.")


def _words(line: RehearsalLine, run: Rehearsed) -> str:
    channel = CHANNEL_WORDS[line.channel] if line.channel is not None else ""
    match line.kind:
        case LineKind.SENT:
            return f"{line.step}: {channel} to {line.to}"
        case LineKind.CALLED:
            return f"{line.step}: call to {line.to}: {line.told}"
        case LineKind.HELD:
            return f"{line.step}: held. {told_hold(line.hold, run.zone) if line.hold else ''}".rstrip()
        case LineKind.WAITS:
            first = f"{line.told} " if line.told else ""
            return f"{line.step}: {first}waits until {local(line.until, run.zone)}"
        case LineKind.WENT:
            return f"{line.step}: {line.told}"
        case LineKind.SKIPPED:
            return f"{line.step}: skipped. {line.told}"
        case LineKind.CANCELLED:
            return f"{line.step}: not sent. {line.told}"
        case LineKind.HAPPENED:
            return f"then: {line.told.replace('_', ' ')}" + (f", by {channel}" if channel else "")
        case LineKind.ENDED:
            because = told(run.end_detail, {"channel": "it"}) if run.end_detail is not None else ""
            return f"ends {line.told.replace('_', ' ')}. {because}".rstrip()
        case LineKind.STANDS:
            because = told_hold(line.hold, run.zone) if line.hold else ""
            return f"{line.step}: goes no further by itself. {because}".rstrip()


def _shape(run: Rehearsed) -> dict[str, object]:
    return {
        "journey": run.journey,
        "version": run.version,
        "person": run.person,
        "made_up": run.made_up,
        "location": run.location,
        "zone": run.zone,
        "proof": proof_document(run.proof),
        "state": run.state,
        "ended": run.state in TERMINAL,
        "end_detail": run.end_detail,
        "lines": [
            {
                "at": line.at,
                "local_time": local_iso(line.at, run.zone),
                "kind": line.kind,
                "step": line.step,
                "told": line.told or _words(line, run),
                "until": local_iso(line.until, run.zone),
                "channel": line.channel,
                "to": line.to,
                "subject": line.subject,
                "body": line.body,
            }
            for line in run.lines
        ],
        "unused": run.unused,
    }
