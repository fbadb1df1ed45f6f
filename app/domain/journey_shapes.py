"""The shapes of a journey document: which keys each step has, and of what kind. What they mean: journey_format.py.

The schema for the AI exchange comes from these models, so a key that is not here does not exist.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from app.domain.journey import PRIORITY_MOST, REPEAT_LEAST, REPEAT_MOST, TRIES_MOST
from app.domain.shape import Name, Shape, StepRef, Text, Word

HoursWord = Literal["clinic", "any"]
BadAddressWord = Literal["end", "skip"]


class JourneyShape(Shape):
    """The document itself. Parts that are objects here are read by readers of their own."""

    format: Literal["stopwell.journey/1"]
    name: Name
    purpose: Literal["marketing", "care"]
    ends: dict[str, object]
    enter: dict[str, object] | None = None
    priority: Annotated[int, Field(ge=0, le=PRIORITY_MOST)] = 0
    start: StepRef
    steps: Annotated[dict[str, object], Field(min_length=1, max_length=500)]


class EndsShape(Shape):
    """What ends everybody at once. `replied` is always stated; a condition left out, or `never`, means never."""

    replied: bool
    converted: object = "never"
    closed: object = "never"


class WhenShape(Shape):
    """A condition that ends: {when: ...}."""

    when: object


class AgainShape(Shape):
    """How long after its last end somebody may enter again."""

    after_days: Annotated[int, Field(ge=1, le=3660)]


class EnterShape(Shape):
    """Who enters."""

    group: Word | None = None
    per: Literal["person", "appointment", "job", "quote", "invoice"] = "person"
    again: object = "never"


class _ContactShape(Shape):
    next: StepRef
    hours: HoursWord = "clinic"
    useless_after: object = None
    on_bad_address: BadAddressWord = "end"


class EmailShape(_ContactShape):
    """Sends an email."""

    do: Literal["email"]
    template: Word


class SmsShape(_ContactShape):
    """Sends a text."""

    do: Literal["sms"]
    template: Word


class CallShape(_ContactShape):
    """A call: tries, and how far apart."""

    do: Literal["call"]
    script: Word
    by: Literal["staff", "twilio"] = "staff"
    tries: Annotated[int, Field(ge=1, le=TRIES_MOST)] = 1
    every: object = None


class TaskShape(Shape):
    """A note to staff."""

    do: Literal["task"]
    note: Annotated[Text, Field(min_length=1, max_length=2000)]
    up_to: object = None
    next: StepRef


class WaitShape(Shape):
    """Waits."""

    do: Literal["wait"]
    wait: object = Field(alias="for")
    next: StepRef


class WaitForShape(Shape):
    """Waits for a condition, up to a time."""

    do: Literal["wait_for"]
    condition: object = Field(alias="if")
    up_to: object
    yes: StepRef
    no: StepRef


class BranchShape(Shape):
    """Asks once."""

    do: Literal["branch"]
    condition: object = Field(alias="if")
    yes: StepRef
    no: StepRef


class WayShape(Shape):
    """One way of a split."""

    percent: Annotated[int, Field(ge=1, le=99)]
    next: StepRef


class SplitShape(Shape):
    """Sends people different ways."""

    do: Literal["split"]
    ways: Annotated[list[WayShape], Field(min_length=2, max_length=10)]


class RepeatShape(Shape):
    """Jumps back, a bounded number of times."""

    do: Literal["repeat"]
    times: Annotated[int, Field(ge=REPEAT_LEAST, le=REPEAT_MOST)]
    back_to: StepRef
    next: StepRef


class EndShape(Shape):
    """Ends the enrollment."""

    do: Literal["end"]
    end: Literal["converted", "exhausted", "closed"] = Field(alias="as")


StepShape = (
    EmailShape
    | SmsShape
    | CallShape
    | TaskShape
    | WaitShape
    | WaitForShape
    | BranchShape
    | SplitShape
    | RepeatShape
    | EndShape
)

STEP_SHAPES: Mapping[str, type[StepShape]] = {
    "email": EmailShape,
    "sms": SmsShape,
    "call": CallShape,
    "task": TaskShape,
    "wait": WaitShape,
    "wait_for": WaitForShape,
    "branch": BranchShape,
    "split": SplitShape,
    "repeat": RepeatShape,
    "end": EndShape,
}
