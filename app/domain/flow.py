"""The flowchart of a journey as a graph: what leads where, what is reached, where it goes round, what a repeat repeats.

A repeat's way back is kept apart: "forward" means without it. Not here: what that means for a proof (proof.py).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from app.domain.ids import StepId
from app.domain.journey import Journey, RepeatStep, Step, exits


@dataclass(frozen=True, slots=True)
class Flow:
    """forward: where each step leads, ways back and steps that are not there left out. order: topological, or None.

    repeats: the reachable ones, in that order.
    """

    start: StepId
    steps: Mapping[StepId, Step]
    forward: Mapping[StepId, tuple[StepId, ...]]
    reached: frozenset[StepId]
    order: tuple[StepId, ...] | None
    repeats: tuple[RepeatStep, ...]

    def after(self, step: StepId, without: StepId | None = None) -> frozenset[StepId]:
        """The steps that can be come to from `step` going forward, itself included, never passing `without`."""
        return _reach(self.forward, step, without)

    def body(self, repeat: RepeatStep) -> frozenset[StepId]:
        """The steps between where a repeat jumps to and the repeat itself, both included."""
        return frozenset(s for s in self.after(repeat.back_to) if repeat.id in self.after(s))


def flow_of(journey: Journey) -> Flow:
    """The graph of `journey`. Total: a target that is not there is left out, and no start reaches nothing."""
    steps = journey.steps
    forward = {step.id: tuple(t for t in _forward_exits(step) if t in steps) for step in steps.values()}
    everything = {step.id: tuple(t for t in exits(step) if t in steps) for step in steps.values()}
    reached = _reach(everything, journey.start) if journey.start in steps else frozenset()
    order = _topological({step: forward[step] for step in steps if step in reached})
    placed = {step: place for place, step in enumerate(order or ())}
    repeats = [step for step in steps.values() if isinstance(step, RepeatStep) and step.id in reached]
    repeats.sort(key=lambda repeat: placed.get(repeat.id, 0))
    return Flow(journey.start, steps, forward, reached, order, tuple(repeats))


def loops(flow: Flow) -> list[tuple[StepId, ...]]:
    """One way round for each knot of reachable steps that goes round forward: first step first, as drawn."""
    found: list[tuple[StepId, ...]] = []
    seen: set[StepId] = set()
    for step in flow.steps:
        if step not in flow.reached or step in seen:
            continue
        back = _way(flow.forward, flow.forward[step], step)
        if back is not None:
            found.append((step, *back[:-1]))
            # all that can be come to from here and leads back here is the same knot
            seen |= {other for other in flow.after(step) if step in flow.after(other)}
    return found


def _forward_exits(step: Step) -> tuple[StepId, ...]:
    return (step.next,) if isinstance(step, RepeatStep) else exits(step)


def _reach(
    leads: Mapping[StepId, tuple[StepId, ...]], start: StepId, without: StepId | None = None
) -> frozenset[StepId]:
    if start == without:
        return frozenset()
    found = {start}
    open_ends = [start]
    while open_ends:
        for target in leads.get(open_ends.pop(), ()):
            if target not in found and target != without:
                found.add(target)
                open_ends.append(target)
    return frozenset(found)


def _topological(leads: Mapping[StepId, tuple[StepId, ...]]) -> tuple[StepId, ...] | None:
    """An order in which every step comes before what it leads to; None when there is a way round."""
    arrivals = dict.fromkeys(leads, 0)
    for targets in leads.values():
        for target in targets:
            arrivals[target] += 1
    ready = deque(step for step, count in arrivals.items() if count == 0)
    order: list[StepId] = []
    while ready:
        step = ready.popleft()
        order.append(step)
        for target in leads[step]:
            arrivals[target] -= 1
            if arrivals[target] == 0:
                ready.append(target)
    return tuple(order) if len(order) == len(leads) else None


def _way(
    leads: Mapping[StepId, tuple[StepId, ...]], begins: Iterable[StepId], goal: StepId
) -> tuple[StepId, ...] | None:
    """A shortest way from one of `begins` to `goal`, both included; None when there is none."""
    came_from: dict[StepId, StepId | None] = dict.fromkeys(begins)
    waiting = deque(came_from)
    while waiting:
        step = waiting.popleft()
        if step == goal:
            way = [step]
            while (before := came_from[way[-1]]) is not None:
                way.append(before)
            return tuple(reversed(way))
        for target in leads[step]:
            if target not in came_from:
                came_from[target] = step
                waiting.append(target)
    return None
