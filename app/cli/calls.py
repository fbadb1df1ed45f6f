"""calls, call: whom the front desk is to call now, and how a call went."""

from __future__ import annotations

import argparse

from app.cli.desk import DONE, Desk, staff
from app.cli.output import local, local_iso, printable, write_json, write_json_list, write_table
from app.cli.shapes import Shape, applied_shape, told_with
from app.cli.usage import one_of, whole
from app.domain.call_lines import CallLine
from app.domain.call_outcome import OUTCOME_WORDS, CallOutcome
from app.domain.ids import MessageId
from app.domain.verdict import Hold, Pass, Verdict
from app.engine.calls import CallNoted
from app.service.calls import Calls
from app.service.parts import Parts
from app.service.queues import Pages


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Run one command of this family."""
    with desk.open() as parts:
        calls = Calls(parts.open_uow, parts.open_reader, parts.clock)
        if args.call == "calls":
            _list(calls, parts, desk, args.location)
            return DONE
        outcome = CallOutcome(one_of(args.outcome, CallOutcome, "OUTCOME"))
        message_id = MessageId(whole(args.message, "MESSAGE"))
        _tell(parts, desk, calls.record(message_id, outcome, by=staff(), note=args.note))
    return DONE


def _list(calls: Calls, parts: Parts, desk: Desk, location: str | None) -> None:
    lines = calls.lines(calls.location(location) if location else None)
    if desk.as_json:
        now = parts.clock.now()
        write_json_list(desk.out, [call_shape(line) | {"local_time": local_iso(now, line.there)} for line in lines])
        return
    rows = [
        (
            str(line.message_id),
            local(line.until, line.zone),
            printable(line.name),
            line.phone,
            line.location,
            f"{line.number} of {line.tries}",
            printable(f"{line.journey}, {line.step.id}"),
        )
        for line in lines
    ]
    headings = ("MESSAGE", "UNTIL", "NAME", "NUMBER", "LOCATION", "TRY", "JOURNEY, STEP")
    write_table(desk.out, headings, rows, "Nobody is to be called now.")


def call_shape(line: CallLine) -> Shape:
    """One of `calls`."""
    return {
        "message": line.message_id,
        "person": line.person_id,
        "name": line.name,
        "location": line.location,
        "phone": line.phone,
        "journey": line.journey,
        "step": line.step.id,
        "number": line.number,
        "tries": line.tries,
        "due_at": line.due_at,
        "until": line.until,
        "script": line.script,
        "before": [{"at": at, "outcome": outcome} for at, outcome in line.before],
    }


def noted_shape(noted: CallNoted) -> Shape:
    """What `call` did."""
    against = None if noted.against is None or isinstance(noted.against, Pass) else noted.against.why
    return {
        "message": noted.message_id,
        "person": noted.person_id,
        "outcome": noted.outcome,
        "at": noted.at,
        "number": noted.number,
        "tries": noted.tries,
        "again_at": noted.again_at,
        "next_step": noted.next_step,
        "against": against,
        "too_late": noted.too_late,
        "applied": None if noted.applied is None else applied_shape(noted.applied),
    }


def _tell(parts: Parts, desk: Desk, noted: CallNoted) -> None:
    if desk.as_json:
        write_json(desk.out, noted_shape(noted))
        return
    zone = Pages(parts.open_reader, parts.clock).person(noted.person_id).line.zone
    tries = f", try {noted.number} of {noted.tries}" if noted.tries else ""
    desk.say(f"noted      {OUTCOME_WORDS[noted.outcome]}{tries}")
    for each in noted.applied.ended if noted.applied is not None else ():
        desk.say(f"ended      {each.journey}: {each.end}")
    if noted.again_at is not None:
        desk.say(f"again      {local(noted.again_at, zone)}")
    if noted.next_step is not None:
        desk.say(f"goes on    {noted.next_step}")
    if noted.applied is not None and noted.applied.suppressed:
        desk.say(f"no more    {' and '.join(noted.applied.suppressed)} to this number, by any path")
    if noted.too_late is not None:
        desk.say(f"too late   the call had been cancelled: {told_with(noted.too_late, {'by': 'somebody'})}")
    elif noted.against is not None:
        desk.say(f"although   {_against(noted.against, zone)}")


def _against(verdict: Verdict, zone: str) -> str:
    """Why a guard would not have let it be made."""
    if isinstance(verdict, Pass):
        return ""
    until = {"until": local(verdict.until, zone)} if isinstance(verdict, Hold) and verdict.until is not None else {}
    return told_with(verdict.why, {**verdict.facts, **until})
