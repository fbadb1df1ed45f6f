"""An old sequence as a journey: each day gap a wait, each message a step before which every guard is asked.

What ends it is chosen first, by whoever converts (DESIGN section 7). The result is a document like any other: the
validator proves it and lints its templates before it is kept. Not here: reading sequences (practice_documents.py).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from app.domain.condition_format import parse_condition
from app.domain.condition_tree import Condition, HasRecord, SinceEnrollment
from app.domain.documents import Format, RawDocument, read_documents
from app.domain.errors import OperatorError
from app.domain.ids import StepId
from app.domain.journey import CallStep, EmailStep, Ends, EndStep, Enter, Journey, SmsStep, Step, WaitStep
from app.domain.journey_write import write_journey
from app.domain.practice_documents import Sequence, SequenceStep
from app.domain.problem import Problem, nearest
from app.domain.record import RECORD_STATUSES, RecordKind, normalise_status, read_kind, status_hint
from app.domain.states import Channel, End, Purpose
from app.domain.waits import Calendar

_LAST = StepId("done")


@dataclass(frozen=True, slots=True)
class Conversion:
    """What whoever converts has chosen. name: the journey's. group: whose members enter, or None."""

    name: str
    purpose: Purpose
    ends: Ends
    group: str | None = None


@dataclass(frozen=True, slots=True)
class Converted:
    """The documents of the journey, and of the templates that were written for it."""

    journey: RawDocument
    templates: tuple[RawDocument, ...]


def convert(sequence: Sequence, chosen: Conversion, taken: Collection[str]) -> Converted:
    """The documents that make `sequence` a journey. taken: names of templates that there are already."""
    templates: list[RawDocument] = []
    steps: dict[StepId, Step] = {}
    names = set(taken)
    day = 0
    order: list[tuple[StepId, SequenceStep | int]] = []
    used = {str(_LAST)}
    for step in sequence.steps:
        if step.day > day:
            order.append((_free(f"wait-until-day-{step.day}", used), step.day - day))
            day = step.day
        order.append((_free(f"day-{step.day}-{step.channel.value}", used), step))
    for place, (step_id, what) in enumerate(order):
        after = order[place + 1][0] if place + 1 < len(order) else _LAST
        if isinstance(what, int):
            steps[step_id] = WaitStep(step_id, Calendar(what), after)
            continue
        template = what.template
        if not template:
            template = _free_name(f"{_slug(sequence.name)}-{step_id}", names)
            templates.append(_template(template, what, chosen.purpose))
        steps[step_id] = _contact(step_id, what.channel, template, after)
    steps[_LAST] = EndStep(_LAST, End.EXHAUSTED)
    enter = None if chosen.group is None else Enter(chosen.group)
    start = order[0][0]
    journey = Journey(chosen.name, chosen.purpose, chosen.ends, start, steps, enter)
    return Converted(RawDocument(write_journey(journey)), tuple(templates))


def backwards(raw: RawDocument) -> list[Problem]:
    """Where the days of a sequence go backwards: it is read by day, and whoever wrote it should know."""
    steps = raw.data.get("steps")
    days = [each.get("day") if isinstance(each, Mapping) else None for each in steps] if isinstance(steps, list) else []
    found: list[Problem] = []
    latest = -1
    for place, day in enumerate(days):
        if not isinstance(day, int) or isinstance(day, bool):
            continue
        if day < latest:
            path = f"steps.{place}.day"
            told = f"day {day} stands after day {latest}."
            hint = "The steps are taken by day; put them in order if that is not meant."
            found.append(Problem(told, path, raw.line_of(path), hint, raw.file))
        latest = max(latest, day)
    return found


def read_replied(text: str | None) -> bool:
    """What `--replied` says. Raises OperatorError when it is missing, or neither yes nor no."""
    if text is None:
        raise _missing("replied", "yes (a reply ends it; what is nearly always right), or no")
    words = {"yes": True, "true": True, "no": False, "false": False}
    if text.strip().casefold() not in words:
        raise OperatorError(f"--replied {text[:40]} is not known here.", "Say yes or no.")
    return words[text.strip().casefold()]


def read_ending(word: str, text: str | None) -> Condition | None:
    """What `--converted` or `--closed` says: never, KIND:STATUS such as appointment:booked, or a condition in braces.

    Raises OperatorError when it is missing or can't be read; DocumentError for what is wrong within the braces.
    """
    if text is None:
        raise _missing(word, "never, a record and its status such as appointment:booked, or a condition in braces")
    said = text.strip()
    if said.casefold() == "never":
        return None
    if said.startswith("{"):
        [raw, *_] = read_documents(said, f"--{word}")
        return parse_condition(raw.data)
    kind_word, _, status_word = said.partition(":")
    kind, status = read_kind(kind_word), normalise_status(status_word)
    if kind is None:
        near = nearest(kind_word, [each.value for each in RecordKind])
        hint = f"Did you mean {near}?" if near else "Write never, appointment:booked, or a condition in braces."
        raise OperatorError(f"--{word} {said[:60]} can't be read.", hint)
    if not status:
        known = ", ".join(RECORD_STATUSES[kind])
        raise OperatorError(f"--{word} {said[:60]} names no status.", f"Known of a {kind.value}: {known}.")
    near_status = status_hint(kind, status)
    if near_status is not None:
        raise OperatorError(f"--{word}: {status} is no status of a {kind.value}.", f"Did you mean {near_status}?")
    return HasRecord(kind, (status,), None, 1, None, SinceEnrollment(), None)


def _missing(word: str, choices: str) -> OperatorError:
    told = f"What ends the journey is chosen first, and --{word} is missing."
    return OperatorError(told, f"Say --{word} {choices}.")


def _contact(step_id: StepId, channel: Channel, template: str, after: StepId) -> Step:
    match channel:
        case Channel.EMAIL:
            return EmailStep(step_id, template, after)
        case Channel.SMS:
            return SmsStep(step_id, template, after)
        case Channel.CALL:
            return CallStep(step_id, template, after)


def _template(name: str, step: SequenceStep, purpose: Purpose) -> RawDocument:
    data: dict[str, object] = {
        "format": Format.TEMPLATE.value,
        "name": name,
        "channel": step.channel.value,
        "purpose": purpose.value,
    }
    if step.subject:
        data["subject"] = step.subject
    return RawDocument({**data, "body": step.body}, f"template {name}")


def _free(wanted: str, used: set[str]) -> StepId:
    return StepId(_free_name(wanted, used))


def _free_name(wanted: str, used: set[str]) -> str:
    """`wanted`, or with a number behind it where there is one already; from now on it is used."""
    found, number = wanted, 2
    while found in used:
        found, number = f"{wanted}-{number}", number + 1
    used.add(found)
    return found


def _slug(name: str) -> str:
    return re.sub(r"[^\w]+", "-", name.casefold()).strip("-")[:80] or "sequence"
