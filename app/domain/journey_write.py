"""A journey as the document that `read_journey` reads as the same journey: ends first, defaults left out."""

from __future__ import annotations

from typing import assert_never

from app.domain.condition_tree import Condition
from app.domain.condition_write import condition_document
from app.domain.documents import Format
from app.domain.durations import duration_document
from app.domain.journey import (
    BranchStep,
    CallBy,
    CallStep,
    ContactStep,
    EmailStep,
    EndStep,
    Enter,
    EntryPer,
    Journey,
    OnBadAddress,
    RepeatStep,
    SendHours,
    SmsStep,
    SplitStep,
    Step,
    TaskStep,
    WaitForStep,
    WaitStep,
    kind_of,
)
from app.domain.waits import BusinessDays, Calendar, Elapsed, RelativeToRecord, Wait

Document = dict[str, object]


def write_journey(journey: Journey) -> Document:
    """The document that tells `journey`, of plain text, numbers, lists and mappings, in the order to read it in."""
    document: Document = {
        "format": Format.JOURNEY.value,
        "name": journey.name,
        "purpose": journey.purpose.value,
        "ends": {
            "replied": journey.ends.replied,
            "converted": _when(journey.ends.converted),
            "closed": _when(journey.ends.closed),
        },
    }
    if journey.enter is not None:
        document["enter"] = _enter(journey.enter)
    if journey.priority:
        document["priority"] = journey.priority
    document["start"] = str(journey.start)
    document["steps"] = {str(step.id): _step(step) for step in journey.steps.values()}
    return document


def wait_document(wait: Wait) -> Document:
    """The mapping that `parse_wait` reads as `wait`."""
    match wait:
        case Elapsed(amount):
            minutes = round(amount.total_seconds() / 60)
            return {"hours": minutes // 60} if minutes % 60 == 0 else {"minutes": minutes}
        case Calendar(days, at):
            return {"days": days, **({} if at is None else {"at": f"{at:%H:%M}"})}
        case BusinessDays(days, at):
            return {"business_days": days, **({} if at is None else {"at": f"{at:%H:%M}"})}
        case RelativeToRecord(record, before, amount):
            return {"before" if before else "after": record, **wait_document(amount)}
        case _:
            assert_never(wait)


def _when(condition: Condition | None) -> object:
    return "never" if condition is None else {"when": condition_document(condition)}


def _enter(enter: Enter) -> Document:
    document: Document = {} if enter.group is None else {"group": enter.group}
    if enter.per is not EntryPer.PERSON:
        document["per"] = enter.per.value
    again: object = "never" if enter.again_after_days is None else {"after_days": enter.again_after_days}
    return {**document, "again": again}


def _step(step: Step) -> Document:
    do: Document = {"do": kind_of(step).value}
    match step:
        case EmailStep() | SmsStep():
            return {**do, "template": step.template, **_contact(step), "next": str(step.next)}
        case CallStep():
            return {**do, "script": step.script, **_call(step), **_contact(step), "next": str(step.next)}
        case TaskStep():
            limit: Document = {} if step.up_to is None else {"up_to": wait_document(step.up_to)}
            return {**do, "note": step.note, **limit, "next": str(step.next)}
        case WaitStep():
            return {**do, "for": wait_document(step.wait), "next": str(step.next)}
        case WaitForStep():
            asked: Document = {"if": condition_document(step.condition), "up_to": wait_document(step.up_to)}
            return {**do, **asked, "yes": str(step.yes), "no": str(step.no)}
        case BranchStep():
            return {**do, "if": condition_document(step.condition), "yes": str(step.yes), "no": str(step.no)}
        case SplitStep():
            return {**do, "ways": [{"percent": way.percent, "next": str(way.next)} for way in step.ways]}
        case RepeatStep():
            return {**do, "times": step.times, "back_to": str(step.back_to), "next": str(step.next)}
        case EndStep():
            return {**do, "as": step.end.value}
        case _:
            assert_never(step)


def _call(step: CallStep) -> Document:
    document: Document = {} if step.by is CallBy.STAFF else {"by": step.by.value}
    if step.tries != 1:
        document["tries"] = step.tries
    if step.every is not None:
        document["every"] = duration_document(step.every)
    return document


def _contact(step: ContactStep) -> Document:
    document: Document = {} if step.hours is SendHours.CLINIC else {"hours": step.hours.value}
    if step.useless_after is not None:
        document["useless_after"] = duration_document(step.useless_after)
    if step.on_bad_address is not OnBadAddress.END:
        document["on_bad_address"] = step.on_bad_address.value
    return document
