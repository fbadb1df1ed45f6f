"""The one validator of a journey document (DESIGN section 7): editor, importer, AI exchange and `apply` use it.

Every problem is found in one pass, each with its path, its line and the nearest right word. Whether the journey always
ends is proof.py's question; whether its templates and groups exist is check.py's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import TypeVar, assert_never

from app.domain.condition_format import parse_condition
from app.domain.condition_tree import Condition
from app.domain.documents import Format, Problems, RawDocument
from app.domain.durations import parse_duration
from app.domain.errors import DocumentError
from app.domain.ids import StepId
from app.domain.journey import (
    BranchStep,
    CallBy,
    CallStep,
    EmailStep,
    Ends,
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
    Way,
)
from app.domain.journey_shapes import (
    STEP_SHAPES,
    AgainShape,
    BranchShape,
    CallShape,
    EmailShape,
    EndShape,
    EndsShape,
    EnterShape,
    JourneyShape,
    RepeatShape,
    SmsShape,
    SplitShape,
    StepShape,
    TaskShape,
    WaitForShape,
    WaitShape,
    WhenShape,
)
from app.domain.problem import nearest
from app.domain.shape import begin_reading, keys_of, read_shape
from app.domain.states import End, Purpose
from app.domain.waits import Wait, parse_wait

_STEP_ID = re.compile(r"[\w-]{1,64}")
_ENDS_FIRST = "Write the ends first, such as ends: {replied: true, converted: {when: ...}, closed: never}."

_EXIT_KEYS = ("next", "yes", "no", "back_to")

T = TypeVar("T")


def read_journey(raw: RawDocument) -> Journey:
    """The journey that the document tells. Raises DocumentError with every problem, not only the first."""
    problems = begin_reading(raw, Format.JOURNEY)
    journey = _Reader(problems).journey(raw)
    problems.raise_if_any()
    assert journey is not None  # a reader that gives nothing has said why
    return journey


class _Reader:
    def __init__(self, problems: Problems) -> None:
        self._problems = problems

    def journey(self, raw: RawDocument) -> Journey | None:
        if "ends" not in raw.data:
            self._problems.add("ends is missing: what ends it is chosen before the first step.", "", _ENDS_FIRST)
        shape = read_shape(JourneyShape, {"ends": {}, **raw.data}, self._problems)
        ends = self._ends(raw.data["ends"]) if isinstance(raw.data.get("ends"), Mapping) else None
        enter = self._enter(raw.data["enter"]) if isinstance(raw.data.get("enter"), Mapping) else None
        listed = raw.data.get("steps")
        steps = self._steps(listed) if isinstance(listed, Mapping) else {}
        if isinstance(listed, Mapping) and listed:
            self._targets(raw.data.get("start"), listed)
        if shape is None or ends is None or self._problems.found:
            return None
        return Journey(shape.name, Purpose(shape.purpose), ends, StepId(shape.start), steps, enter, shape.priority)

    # ---- ends and entry

    def _ends(self, data: object) -> Ends | None:
        shape = read_shape(EndsShape, data, self._problems, "ends")
        if isinstance(data, Mapping):
            converted = self._when(data.get("converted", "never"), "ends.converted")
            closed = self._when(data.get("closed", "never"), "ends.closed")
            return None if shape is None else Ends(shape.replied, converted, closed)
        return None

    def _when(self, data: object, path: str) -> Condition | None:
        if data == "never":
            return None
        if not isinstance(data, Mapping):
            self._problems.add("should be a condition or never.", path, "Write {when: {...}}, or never.")
            return None
        shape = read_shape(WhenShape, data, self._problems, path)
        return None if shape is None else self._condition(shape.when, f"{path}.when")

    def _enter(self, data: object) -> Enter | None:
        shape = read_shape(EnterShape, data, self._problems, "enter")
        if shape is None:
            return None
        return Enter(shape.group, EntryPer(shape.per), self._again(shape.again))

    def _again(self, data: object) -> int | None:
        if data == "never":
            return None
        if not isinstance(data, Mapping):
            self._problems.add(
                "should be never, or a number of days.", "enter.again", "Write {after_days: 90}, or never."
            )
            return None
        shape = read_shape(AgainShape, data, self._problems, "enter.again")
        return None if shape is None else shape.after_days

    # ---- steps

    def _steps(self, listed: Mapping[object, object]) -> dict[StepId, Step]:
        found: dict[StepId, Step] = {}
        for key, data in listed.items():
            path = f"steps.{key}"
            if not _STEP_ID.fullmatch(str(key)):
                hint = "Use letters, digits, - and _, at most 64."
                self._problems.add(f"{str(key)[:80]} can't be the name of a step.", path, hint)
            step = self._step(StepId(str(key)), data, path)
            if step is not None:
                found[step.id] = step
        return found

    def _step(self, step_id: StepId, data: object, path: str) -> Step | None:
        if not isinstance(data, Mapping):
            self._problems.add(
                "is not a step.", path, "Write a mapping, such as {do: email, template: hello, next: done}."
            )
            return None
        kind = data.get("do")
        model = STEP_SHAPES.get(kind) if isinstance(kind, str) else None
        if model is None:
            near = nearest(str(kind), STEP_SHAPES) if kind is not None else None
            told = "does not say what to do." if kind is None else f"do: {str(kind)[:40]} is not a kind of step."
            hint = f"Did you mean {near}?" if near else f"The kinds are {', '.join(STEP_SHAPES)}."
            self._problems.add(told, f"{path}.do" if kind is not None else path, hint)
            return None
        shape = read_shape(model, data, self._problems, path)
        if shape is None:
            self._parts_of_a_bad_step(model, data, path)
            return None
        return self._from_shape(step_id, shape, path)

    def _parts_of_a_bad_step(self, model: type[StepShape], data: Mapping[object, object], path: str) -> None:
        """What else is wrong in a step whose shape is wrong already, so that one pass tells all."""
        readers: Mapping[str, Callable[[object, str], object]] = {
            "if": self._condition,
            "for": self._wait,
            "up_to": self._wait,
            "useless_after": self._length,
            "every": self._length,
        }
        for key, read in readers.items():
            if key in data and key in keys_of(model):
                read(data[key], f"{path}.{key}")

    def _from_shape(self, step_id: StepId, shape: StepShape, path: str) -> Step | None:
        match shape:
            case EmailShape() | SmsShape():
                useless_after = self._maybe_length(shape.useless_after, f"{path}.useless_after")
                make = EmailStep if isinstance(shape, EmailShape) else SmsStep
                hours, bad = SendHours(shape.hours), OnBadAddress(shape.on_bad_address)
                return make(step_id, shape.template, StepId(shape.next), hours, useless_after, bad)
            case CallShape():
                return self._call(step_id, shape, path)
            case TaskShape():
                up_to = None if shape.up_to is None else self._wait(shape.up_to, f"{path}.up_to")
                return TaskStep(step_id, shape.note, StepId(shape.next), up_to)
            case WaitShape():
                wait = self._wait(shape.wait, f"{path}.for")
                return None if wait is None else WaitStep(step_id, wait, StepId(shape.next))
            case WaitForShape():
                condition = self._condition(shape.condition, f"{path}.if")
                longest = self._wait(shape.up_to, f"{path}.up_to")
                if condition is None or longest is None:
                    return None
                return WaitForStep(step_id, condition, longest, StepId(shape.yes), StepId(shape.no))
            case BranchShape():
                condition = self._condition(shape.condition, f"{path}.if")
                if condition is None:
                    return None
                return BranchStep(step_id, condition, StepId(shape.yes), StepId(shape.no))
            case SplitShape():
                return self._split(step_id, shape, path)
            case RepeatShape():
                return RepeatStep(step_id, shape.times, StepId(shape.back_to), StepId(shape.next))
            case EndShape():
                return EndStep(step_id, End(shape.end))
            case _:
                assert_never(shape)

    def _call(self, step_id: StepId, shape: CallShape, path: str) -> Step:
        every = self._maybe_length(shape.every, f"{path}.every")
        if shape.tries > 1 and shape.every is None:
            self._problems.add("every is missing: how far apart the tries are.", path, "Write every: {hours: 4}.")
        return CallStep(
            step_id,
            shape.script,
            StepId(shape.next),
            CallBy(shape.by),
            shape.tries,
            every,
            SendHours(shape.hours),
            self._maybe_length(shape.useless_after, f"{path}.useless_after"),
            OnBadAddress(shape.on_bad_address),
        )

    def _split(self, step_id: StepId, shape: SplitShape, path: str) -> Step:
        total = sum(way.percent for way in shape.ways)
        if total != 100:
            self._problems.add(f"the ways add up to {total} percent.", f"{path}.ways", "They should add up to 100.")
        return SplitStep(step_id, tuple(Way(way.percent, StepId(way.next)) for way in shape.ways))

    def _targets(self, start: object, listed: Mapping[object, object]) -> None:
        """The start, and every step that is led to, must be there; asked of the document, so bad steps are seen too."""
        ids = [str(key) for key in listed]
        led_to = [("start", start)]
        for key, data in listed.items():
            if isinstance(data, Mapping):
                led_to += [(f"steps.{key}.{at}", target) for at, target in _led_to(data)]
        for path, target in led_to:
            if isinstance(target, str | int) and not isinstance(target, bool) and str(target).strip() not in ids:
                self._no_step(str(target), path, ids)

    def _no_step(self, target: str, path: str, ids: list[str]) -> None:
        near = nearest(target, ids)
        hint = f"Did you mean {near}?" if near else f"The steps are {', '.join(ids[:20])}."
        self._problems.add(f"there is no step called {target[:80]}.", path, hint)

    # ---- parts with readers of their own

    def _condition(self, data: object, path: str) -> Condition | None:
        return self._read(parse_condition, data, path)

    def _length(self, data: object, path: str) -> timedelta | None:
        return self._read(parse_duration, data, path)

    def _wait(self, data: object, path: str) -> Wait | None:
        try:
            return parse_wait(data, path)
        except DocumentError as refused:
            self._problems.absorb(refused)
            return None

    def _read(self, read: Callable[[object], T], data: object, path: str) -> T | None:
        try:
            return read(data)
        except DocumentError as refused:
            self._problems.absorb(refused, path)
            return None

    def _maybe_length(self, data: object, path: str) -> timedelta | None:
        return None if data is None else self._length(data, path)


def _led_to(step: Mapping[object, object]) -> list[tuple[str, object]]:
    """Each exit of a step's document, with the key below the step that names it."""
    found = [(key, step[key]) for key in _EXIT_KEYS if key in step]
    ways = step.get("ways")
    if isinstance(ways, list | tuple):
        found += [
            (f"ways.{n}.next", way["next"]) for n, way in enumerate(ways) if isinstance(way, Mapping) and "next" in way
        ]
    return found
