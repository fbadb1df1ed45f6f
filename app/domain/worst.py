"""The heaviest path of a well-formed journey, exactly. What weighs (a message, a day) is the caller's.

A repeat met afresh is counted as: its laps but the last, each the heaviest way round, then the last lap in the open
with the repeat spent, which may leave on a side way or come to the repeat once more and go on. A lap of an outer repeat
makes the repeats within it fresh. proof.py has made sure that repeats are nested or apart, which this needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.domain.flow import Flow
from app.domain.ids import StepId
from app.domain.journey import EndStep, RepeatStep

Spent = frozenset[StepId]
_FRESH: Spent = frozenset()


@dataclass(frozen=True, slots=True)
class _Best:
    """The heaviest way on from a step, and the step it takes next (None: it stops here, or jumps)."""

    weight: int
    next: StepId | None


@dataclass(slots=True)
class Worst:
    """Asks one flow for its heaviest path. weights: by step, 0 when absent, none below 0."""

    flow: Flow
    weights: Mapping[StepId, int]
    _order: tuple[StepId, ...] = ()
    _repeats: Mapping[StepId, RepeatStep] = field(default_factory=dict)
    _bodies: Mapping[StepId, frozenset[StepId]] = field(default_factory=dict)
    _after: dict[StepId, frozenset[StepId]] = field(default_factory=dict)
    _tables: dict[tuple[StepId, Spent, StepId | None], dict[StepId, _Best]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.flow.order is None:
            raise ValueError("a flow that goes round has no heaviest path")
        self._order = self.flow.order
        self._repeats = {repeat.id: repeat for repeat in self.flow.repeats}
        self._bodies = {repeat.id: self.flow.body(repeat) for repeat in self.flow.repeats}

    def weight(self, origin: StepId | None = None) -> int:
        """The weight of the heaviest path from `origin`, the start without one, to an end; every repeat is fresh."""
        return self._best(self.flow.start if origin is None else origin, _FRESH, None).weight

    def path(self) -> tuple[StepId, ...]:
        """The steps of such a path in the order they are first come to, each once."""
        return tuple(dict.fromkeys(self._walk(self.flow.start, _FRESH, None)))

    def _best(self, origin: StepId, spent: Spent, goal: StepId | None) -> _Best:
        return self._table(origin, spent, goal)[origin]

    def _table(self, origin: StepId, spent: Spent, goal: StepId | None) -> dict[StepId, _Best]:
        """For each step on from `origin` that can come to `goal` (None: to an end), the heaviest way there."""
        key = (origin, spent, goal)
        if key not in self._tables:
            after = self._after_of(origin)
            if goal is not None:
                after &= self._bodies[goal]  # what lies beyond the goal is no part of the way there
            table: dict[StepId, _Best] = {}
            for step in reversed(self._order):
                if step in after:
                    best = self._at(step, spent, goal, table)
                    if best is not None:
                        table[step] = best
            self._tables[key] = table
        return self._tables[key]

    def _at(self, step: StepId, spent: Spent, goal: StepId | None, table: Mapping[StepId, _Best]) -> _Best | None:
        if step == goal or (goal is None and isinstance(self.flow.steps[step], EndStep)):
            return _Best(0, None)
        repeat = self._repeats.get(step)
        if repeat is not None and step not in spent:
            return self._laps(repeat, spent, goal)
        ways = [(table[target].weight, target) for target in self.flow.forward[step] if target in table]
        if not ways:
            return None
        heaviest = max(weight for weight, _ in ways)
        first = next(target for weight, target in ways if weight == heaviest)
        return _Best(self.weights.get(step, 0) + heaviest, first)

    def _laps(self, repeat: RepeatStep, spent: Spent, goal: StepId | None) -> _Best | None:
        last = self._table(repeat.back_to, self._spent_by(repeat, spent), goal).get(repeat.back_to)
        if last is None:
            return None
        lap = self._best(repeat.back_to, _FRESH, repeat.id).weight if repeat.times > 2 else 0
        return _Best((repeat.times - 2) * lap + last.weight, None)

    def _spent_by(self, repeat: RepeatStep, spent: Spent) -> Spent:
        """What is spent in the last lap of `repeat`: it, and what was spent around it and can still be come to."""
        after = self._after_of(repeat.back_to)
        return frozenset(r for r in spent if r in after and r not in self._bodies[repeat.id]) | {repeat.id}

    def _walk(self, origin: StepId, spent: Spent, goal: StepId | None) -> list[StepId]:
        found: list[StepId] = []
        step, table = origin, self._table(origin, spent, goal)
        while True:
            found.append(step)
            repeat = self._repeats.get(step)
            if step != goal and repeat is not None and step not in spent:
                if repeat.times > 2:
                    found += self._walk(repeat.back_to, _FRESH, repeat.id)
                origin, spent = repeat.back_to, self._spent_by(repeat, spent)
                step, table = origin, self._table(origin, spent, goal)
                continue
            following = table[step].next
            if following is None:
                return found
            step = following

    def _after_of(self, step: StepId) -> frozenset[StepId]:
        if step not in self._after:
            self._after[step] = self.flow.after(step)
        return self._after[step]
