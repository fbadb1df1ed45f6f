"""The termination proof (I14): every path of a journey ends, and the most it can send and wait is known exactly (I5).

The flowchart may not go round but by `repeat`. A repeat must be well formed: every way to it passes the step that it
jumps back to, and two repeats share steps only when one lies wholly within the other. Then the worst case can be
counted (worst.py). Words: proof_words.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from itertools import combinations
from math import ceil, isfinite
from typing import assert_never

from app.domain.condition_words import told as told_condition
from app.domain.contradiction import never_true
from app.domain.flow import Flow, flow_of, loops
from app.domain.ids import StepId
from app.domain.journey import (
    BranchStep,
    CallStep,
    EmailStep,
    Journey,
    RepeatStep,
    SmsStep,
    Step,
    TaskStep,
    WaitForStep,
    WaitStep,
    exits,
)
from app.domain.problem import Problem
from app.domain.states import End
from app.domain.waits import MAX_RECORD_DAYS, BusinessDays, Calendar, Elapsed, RelativeToRecord, Wait, longest_days
from app.domain.worst import Worst

_RULED_OUT = "Its parts rule each other out: use any in place of all, or take one away."
MAX_NESTING = 3
MAX_REPEATS = 100
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Proof:
    """What can happen at the very most, over all paths.

    emails, texts, calls: each the most on any path; every try of a call counts. send_budget: the most messages on any
    one path (I5). days: of waiting as staff count them, from date to date, rounded up; holds for hours or staff come on
    top. most_days: an upper bound of the same in days of 24 hours, clock changes and times of day included.
    ends: every end that can be reached. longest: the steps of a path that takes longest, in order.
    """

    emails: int
    texts: int
    calls: int
    days: int
    ends: frozenset[End]
    send_budget: int
    most_days: float
    longest: tuple[StepId, ...]


@dataclass(frozen=True, slots=True)
class Rest:
    """What can still happen at the very most from one step on, the step itself included. As in Proof.

    here: how many of the messages are the step's own.
    """

    send_budget: int
    most_days: float
    here: int


class FaultKind(StrEnum):
    """What keeps a journey from being proven."""

    NO_STEP = "no_step"
    LOOP = "loop"
    UNREACHED = "unreached"
    ENDLESS_WAIT = "endless_wait"
    BAD_REPEAT = "bad_repeat"
    NEVER_TRUE = "never_true"


@dataclass(frozen=True, slots=True)
class Fault:
    """One reason why there is no proof. steps: of the loop in order, of the dead end, or those not reached."""

    kind: FaultKind
    steps: tuple[StepId, ...]
    problem: Problem


@dataclass(frozen=True, slots=True)
class Unprovable:
    """The journey may not end, or can't be counted. faults: never empty."""

    faults: tuple[Fault, ...]

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What to mend, with paths from the document's root."""
        return tuple(fault.problem for fault in self.faults)


def prove(journey: Journey) -> Proof | Unprovable:
    """The proof that `journey` ends on every path, or every reason why there is none."""
    flow = flow_of(journey)
    faults = [*_missing_steps(journey), *_goes_round(flow), *_unreached(flow), *_endless_waits(flow)]
    faults += [*_wrong_jumps(flow), *_never_true(journey)]
    if not faults:
        faults = _tangled_repeats(flow)  # can only be told of a flow that is sound otherwise
    if faults:
        return Unprovable(tuple(faults))
    return _counted(journey, flow)


def rests(journey: Journey) -> Mapping[StepId, Rest]:
    """For each step of a journey that can be proven, the worst case from there on, whatever was done before (I5)."""
    flow = flow_of(journey)
    sends = Worst(flow, {step.id: _sends(step) for step in flow.steps.values()})
    seconds = Worst(flow, {step.id: ceil(_most_days(step) * 86_400) for step in flow.steps.values()})
    return {
        step: Rest(sends.weight(step), seconds.weight(step) / 86_400, _sends(flow.steps[step])) for step in flow.reached
    }


# ---- what keeps it from being proven


def _missing_steps(journey: Journey) -> list[Fault]:
    found = []
    if journey.start not in journey.steps:
        told = f"the journey starts at {journey.start}, which is not there."
        found.append(
            Fault(FaultKind.NO_STEP, (journey.start,), Problem(told, "start", hint="Start at one of its steps."))
        )
    for step in journey.steps.values():
        for target in dict.fromkeys(exits(step)):
            if target not in journey.steps:
                told = f"{step.id} leads to {target}, which is not there: a dead end."
                problem = Problem(told, f"steps.{step.id}", hint="Lead it to a step, or to an end.")
                found.append(Fault(FaultKind.NO_STEP, (step.id, target), problem))
    return found


def _goes_round(flow: Flow) -> list[Fault]:
    found = []
    for loop in loops(flow):
        told = f"{loop[-1]} goes back to {loop[0]}: {' → '.join((*loop, loop[0]))} goes round without a limit."
        hint = "Use a repeat with times, 2 to 10, or lead to an end."
        found.append(Fault(FaultKind.LOOP, loop, Problem(told, f"steps.{loop[-1]}", hint=hint)))
    return found


def _unreached(flow: Flow) -> list[Fault]:
    lost = tuple(step for step in flow.steps if step not in flow.reached)
    if not lost or not flow.reached:  # without a start nothing is reached, and that is told already
        return []
    told = f"nothing leads to {_steps_in_words(lost)}."
    problem = Problem(told, f"steps.{lost[0]}", hint="Lead a step there, or take it away.")
    return [Fault(FaultKind.UNREACHED, lost, problem)]


def _endless_waits(flow: Flow) -> list[Fault]:
    found = []
    for step in flow.steps.values():
        if isinstance(step, TaskStep) and step.up_to is None:
            told = f"{step.id} waits for staff without a limit."
            problem = Problem(told, f"steps.{step.id}", hint="Give it up_to, such as up_to: {days: 3}.")
            found.append(Fault(FaultKind.ENDLESS_WAIT, (step.id,), problem))
        elif not isfinite(_most_days(step)):
            problem = Problem(f"{step.id} can wait for ever.", f"steps.{step.id}", hint="Give the wait a limit.")
            found.append(Fault(FaultKind.ENDLESS_WAIT, (step.id,), problem))
    return found


def _never_true(journey: Journey) -> list[Fault]:
    """A way that nobody can ever take, and a goal that nobody can ever reach, look like a promise and are none."""
    found = []
    for step in journey.steps.values():
        if isinstance(step, BranchStep | WaitForStep) and never_true(step.condition):
            told = f"{step.id} asks for what can never be true ({told_condition(step.condition)}): nobody goes its yes."
            problem = Problem(told, f"steps.{step.id}.if", hint=_RULED_OUT)
            found.append(Fault(FaultKind.NEVER_TRUE, (step.id,), problem))
    for word, when in (("converted", journey.ends.converted), ("closed", journey.ends.closed)):
        if when is not None and never_true(when):
            told = f"nobody can ever end as {word}: {told_condition(when)} can never be true."
            found.append(Fault(FaultKind.NEVER_TRUE, (), Problem(told, f"ends.{word}.when", hint=_RULED_OUT)))
    return found


def _wrong_jumps(flow: Flow) -> list[Fault]:
    there = [repeat for repeat in flow.repeats if repeat.back_to in flow.steps]
    return [_bad_repeat(r, (r.id, r.back_to), *fault) for r in there if (fault := _jumps_wrong(flow, r)) is not None]


def _tangled_repeats(flow: Flow) -> list[Fault]:
    found: list[Fault] = []
    bodies = {repeat.id: flow.body(repeat) for repeat in flow.repeats}
    for one, other in combinations(flow.repeats, 2):
        shared = bodies[one.id] & bodies[other.id]
        if shared and not (bodies[one.id] <= bodies[other.id] or bodies[other.id] <= bodies[one.id]):
            steps = tuple(step for step in flow.steps if step in shared)
            told = f"{one.id} and {other.id} both repeat {', '.join(steps)}, and neither lies within the other"
            found.append(_bad_repeat(other, (one.id, other.id, *steps), told, "Put one inside the other, or apart."))
    for repeat in flow.repeats:
        depth = sum(bodies[repeat.id] <= body for body in bodies.values())
        if depth > MAX_NESTING:
            told = f"{repeat.id} lies {depth} repeats deep"
            found.append(_bad_repeat(repeat, (repeat.id,), told, f"At most {MAX_NESTING} may lie within each other."))
    if len(flow.repeats) > MAX_REPEATS:
        told = f"there are {len(flow.repeats)} repeats"
        found.append(
            _bad_repeat(flow.repeats[0], (flow.repeats[0].id,), told, f"At most {MAX_REPEATS} can be counted.")
        )
    return found


def _jumps_wrong(flow: Flow, repeat: RepeatStep) -> tuple[str, str] | None:
    if repeat.back_to == repeat.id or repeat.id not in flow.after(repeat.back_to):
        told = f"{repeat.id} jumps to {repeat.back_to}, which does not lead to it"
        return told, "Jump back to an earlier step, one that leads here."
    if repeat.id in flow.after(flow.start, without=repeat.back_to):
        told = f"{repeat.id} can be come to without passing {repeat.back_to}, to which it jumps back"
        return told, "Jump back to a step that every way here passes."
    return None


def _bad_repeat(repeat: RepeatStep, steps: tuple[StepId, ...], told: str, hint: str) -> Fault:
    return Fault(FaultKind.BAD_REPEAT, steps, Problem(f"{told}.", f"steps.{repeat.id}", hint=hint))


def _steps_in_words(steps: tuple[StepId, ...]) -> str:
    return steps[0] if len(steps) == 1 else f"{len(steps)} steps: {', '.join(steps)}"


# ---- what it can cost


def _counted(journey: Journey, flow: Flow) -> Proof:
    def most(weigh: Callable[[Step], int]) -> int:
        return Worst(flow, {step.id: weigh(step) for step in flow.steps.values()}).weight()

    # a path that takes longest, and among those one that sends most
    longest = Worst(flow, {step.id: _told_us(step) * 1_000_000 + _sends(step) for step in flow.steps.values()})
    return Proof(
        emails=most(lambda step: int(isinstance(step, EmailStep))),
        texts=most(lambda step: int(isinstance(step, SmsStep))),
        calls=most(lambda step: step.tries if isinstance(step, CallStep) else 0),
        days=-(-most(_told_us) // _us(_DAY)),
        ends=journey.terminal_set,
        send_budget=most(_sends),
        most_days=most(lambda step: ceil(_most_days(step) * 86_400)) / 86_400,
        longest=longest.path(),
    )


def _sends(step: Step) -> int:
    match step:
        case EmailStep() | SmsStep():
            return 1
        case CallStep():
            return step.tries
        case _:
            return 0


def _told_us(step: Step) -> int:
    """The longest that a step waits, as staff count it, in microseconds: sums of these are exact."""
    match step:
        case WaitStep():
            return _us(_told_length(step.wait))
        case WaitForStep():
            return _us(_told_length(step.up_to))
        case TaskStep():
            return 0 if step.up_to is None else _us(_told_length(step.up_to))
        case CallStep():
            return _us(_between_tries(step))
        case _:
            return 0


def _told_length(wait: Wait) -> timedelta:
    """A wait from date to date: "2 days at 9:30" is two days, whatever the time of day it began at."""
    match wait:
        case Elapsed(amount):
            return amount
        case Calendar(days):
            return days * _DAY
        case BusinessDays(days):
            return 7 * days * _DAY  # since some weekday has hours; closed dates come on top, as every hold does
        case RelativeToRecord(_, _, amount):
            return MAX_RECORD_DAYS * _DAY + _told_length(amount)
        case _:
            assert_never(wait)


def _most_days(step: Step) -> float:
    match step:
        case WaitStep():
            return longest_days(step.wait)
        case WaitForStep():
            return longest_days(step.up_to)
        case TaskStep():
            return 0.0 if step.up_to is None else longest_days(step.up_to)
        case CallStep():
            return _between_tries(step) / _DAY
        case _:
            return 0.0


def _between_tries(step: CallStep) -> timedelta:
    return (step.tries - 1) * (step.every or timedelta(0))


def _us(length: timedelta) -> int:
    return length // timedelta(microseconds=1)
