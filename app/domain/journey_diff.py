"""The difference of two journeys in plain words, a line each: what staff read before they publish, and after.

Compared by meaning: the order in which a document lists its steps is no difference. Not here: whom a change touches
(moving.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import assert_never

from app.domain.condition_tree import Condition
from app.domain.condition_words import told as told_condition
from app.domain.durations import told_duration
from app.domain.journey import (
    BranchStep,
    CallStep,
    EmailStep,
    EndStep,
    Enter,
    Journey,
    RepeatStep,
    SmsStep,
    SplitStep,
    Step,
    TaskStep,
    WaitForStep,
    WaitStep,
    kind_of,
)
from app.domain.waits import Wait, told_wait

Facts = dict[str, str]


def journey_differences(old: Journey | None, new: Journey) -> tuple[str, ...]:
    """What is another in `new` than in `old`, a sentence each; empty when they say the same. None: there was none."""
    if old is None:
        steps = f"{len(new.steps)} step{'' if len(new.steps) == 1 else 's'}"
        return (f"{new.name} is new: {new.purpose.value}, {steps}.", *(_added(step) for step in new.steps.values()))
    return (*_about_the_whole(old, new), *_about_steps(old, new))


def _about_the_whole(old: Journey, new: Journey) -> Iterator[str]:
    yield from _changes("", _whole(old), _whole(new))


def _whole(journey: Journey) -> Facts:
    ends = journey.ends
    return {
        "name": journey.name,
        "purpose": journey.purpose.value,
        "a reply": "ends it" if ends.replied else "does not end it",
        "converted": _when(ends.converted),
        "closed": _when(ends.closed),
        "who enters": _entry(journey.enter),
        "priority": str(journey.priority),
        "starts at": str(journey.start),
    }


def _about_steps(old: Journey, new: Journey) -> Iterator[str]:
    for step_id, step in old.steps.items():
        if step_id not in new.steps:
            yield f"{step_id} ({kind_of(step).value}) is removed."
    for step_id, step in new.steps.items():
        before = old.steps.get(step_id)
        if before is None:
            yield _added(step)
        elif kind_of(before) is not kind_of(step):
            yield f"{step_id}: {kind_of(before).value} -> {kind_of(step).value}, {_listed(_facts(step))}."
        else:
            yield from _changes(f"{step_id}: ", _facts(before), _facts(step))


def _added(step: Step) -> str:
    return f"{step.id} ({kind_of(step).value}) is added: {_listed(_facts(step))}."


def _changes(lead: str, old: Facts, new: Facts) -> Iterator[str]:
    for name in dict.fromkeys((*old, *new)):
        before, after = old.get(name, "none"), new.get(name, "none")
        if before != after:
            yield f"{lead}{name}: {before} -> {after}."


def _listed(facts: Facts) -> str:
    return ", ".join(f"{name} {value}" for name, value in facts.items())


def _facts(step: Step) -> Facts:
    """What a step says, by the word that staff know each part by."""
    match step:
        case EmailStep() | SmsStep() | CallStep():
            return _contact(step)
        case TaskStep():
            return {"note": f"“{step.note}”", "waits at most": _limit(step.up_to), "then": str(step.next)}
        case WaitStep():
            return {"waits": told_wait(step.wait), "then": str(step.next)}
        case WaitForStep():
            asked = {"until": told_condition(step.condition), "waits at most": told_wait(step.up_to)}
            return {**asked, "then if so": str(step.yes), "else": str(step.no)}
        case BranchStep():
            return {"asks whether": told_condition(step.condition), "if so": str(step.yes), "else": str(step.no)}
        case SplitStep():
            return {f"way {n}": f"{way.percent}% to {way.next}" for n, way in enumerate(step.ways, start=1)}
        case RepeatStep():
            return {"goes back to": str(step.back_to), "times in all": str(step.times), "then": str(step.next)}
        case EndStep():
            return {"ends as": step.end.value}
        case _:
            assert_never(step)


def _contact(step: EmailStep | SmsStep | CallStep) -> Facts:
    facts = {"script" if isinstance(step, CallStep) else "template": step.template}
    if isinstance(step, CallStep):
        facts |= {
            "called by": step.by.value,
            "tries": str(step.tries),
            "tries apart": "none" if step.every is None else told_duration(step.every),
        }
    return facts | {
        "hours": step.hours.value,
        "useless after": "never" if step.useless_after is None else told_duration(step.useless_after),
        "on a bad address": step.on_bad_address.value,
        "then": str(step.next),
    }


def _limit(wait: Wait | None) -> str:
    return "without a limit" if wait is None else told_wait(wait)


def _when(condition: Condition | None) -> str:
    return "never" if condition is None else f"when {told_condition(condition)}"


def _entry(enter: Enter | None) -> str:
    if enter is None or enter.group is None:
        who = "whom staff enroll"
    else:
        who = f"the group {enter.group}"
    if enter is None:
        return who
    again = "never again" if enter.again_after_days is None else f"again after {enter.again_after_days} days"
    return f"{who}, one enrollment a {enter.per.value}, {again}"


def text_differences(old: str, new: str) -> tuple[str, ...]:
    """The lines of a text that changed, each as "line 3: old -> new"."""
    pairs = zip_longest(old.splitlines(), new.splitlines())
    return tuple(
        f"line {n}: {'(none)' if before is None else before} -> {'(none)' if after is None else after}"
        for n, (before, after) in enumerate(pairs, start=1)
        if before != after
    )
