"""Journey: the flowchart that staff draw, as frozen values.

Not here: the document format (journey_format.py), the proof (proof.py), and what the engine does at a step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import assert_never

from app.domain.condition_tree import Condition
from app.domain.ids import StepId
from app.domain.record import RecordKind
from app.domain.states import Channel, End, Purpose
from app.domain.waits import Wait


class SendHours(StrEnum):
    """When a contact step may go out: in the clinic's opening hours, or at any legal hour."""

    CLINIC = "clinic"
    ANY = "any"


class OnBadAddress(StrEnum):
    """What a missing or bad address does: the enrollment ends, or the step is skipped."""

    END = "end"
    SKIP = "skip"


class CallBy(StrEnum):
    """Who makes a call."""

    STAFF = "staff"
    TWILIO = "twilio"


class StepKind(StrEnum):
    """The word after `do:`."""

    EMAIL = "email"
    SMS = "sms"
    CALL = "call"
    TASK = "task"
    WAIT = "wait"
    WAIT_FOR = "wait_for"
    BRANCH = "branch"
    SPLIT = "split"
    REPEAT = "repeat"
    END = "end"


REPEAT_LEAST, REPEAT_MOST = 2, 10
TRIES_MOST = 10
PRIORITY_MOST = 100


@dataclass(frozen=True, slots=True)
class EmailStep:
    """Sends an email. useless_after: elapsed time from the step's turn after which it is skipped, or None."""

    id: StepId
    template: str
    next: StepId
    hours: SendHours = SendHours.CLINIC
    useless_after: timedelta | None = None
    on_bad_address: OnBadAddress = OnBadAddress.END

    @property
    def channel(self) -> Channel:
        """The channel that it uses."""
        return Channel.EMAIL


@dataclass(frozen=True, slots=True)
class SmsStep:
    """Sends a text. useless_after: elapsed time from the step's turn after which it is skipped, or None."""

    id: StepId
    template: str
    next: StepId
    hours: SendHours = SendHours.CLINIC
    useless_after: timedelta | None = None
    on_bad_address: OnBadAddress = OnBadAddress.END

    @property
    def channel(self) -> Channel:
        """The channel that it uses."""
        return Channel.SMS


@dataclass(frozen=True, slots=True)
class CallStep:
    """Makes a call, at most `tries` times, `every` apart. script: the template read aloud."""

    id: StepId
    script: str
    next: StepId
    by: CallBy = CallBy.STAFF
    tries: int = 1
    every: timedelta | None = None
    hours: SendHours = SendHours.CLINIC
    useless_after: timedelta | None = None
    on_bad_address: OnBadAddress = OnBadAddress.END

    @property
    def channel(self) -> Channel:
        """The channel that it uses."""
        return Channel.CALL

    @property
    def template(self) -> str:
        """Name of the template that is read aloud: the script."""
        return self.script


@dataclass(frozen=True, slots=True)
class TaskStep:
    """A note to staff; goes on when it is ticked, or after `up_to`. None waits without a limit and can't be proven."""

    id: StepId
    note: str
    next: StepId
    up_to: Wait | None = None


@dataclass(frozen=True, slots=True)
class WaitStep:
    """Waits."""

    id: StepId
    wait: Wait
    next: StepId


@dataclass(frozen=True, slots=True)
class WaitForStep:
    """Waits until the condition holds (`yes`), or `up_to` is over (`no`)."""

    id: StepId
    condition: Condition
    up_to: Wait
    yes: StepId
    no: StepId


@dataclass(frozen=True, slots=True)
class BranchStep:
    """Asks once and goes `yes` or `no`."""

    id: StepId
    condition: Condition
    yes: StepId
    no: StepId


@dataclass(frozen=True, slots=True)
class Way:
    """One way of a split: `percent` of people go to `next`."""

    percent: int
    next: StepId


@dataclass(frozen=True, slots=True)
class SplitStep:
    """Sends people different ways by a stable hash of the person. The percentages add up to 100."""

    id: StepId
    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True)
class RepeatStep:
    """Jumps back to `back_to` until what lies between was done `times` times in all, then goes on.

    So it jumps at most times - 1 times for each time that a person comes to it afresh. A jump of an outer repeat makes
    the repeats within it start afresh.
    """

    id: StepId
    times: int
    back_to: StepId
    next: StepId


@dataclass(frozen=True, slots=True)
class EndStep:
    """Ends the enrollment. end: converted, exhausted or closed."""

    id: StepId
    end: End


ContactStep = EmailStep | SmsStep | CallStep
Step = (
    EmailStep | SmsStep | CallStep | TaskStep | WaitStep | WaitForStep | BranchStep | SplitStep | RepeatStep | EndStep
)

CONTACT_STEPS = (EmailStep, SmsStep, CallStep)
END_STEP_ENDS = frozenset({End.CONVERTED, End.EXHAUSTED, End.CLOSED})
ALWAYS_ENDS = frozenset({End.OPTED_OUT, End.SUPPRESSED, End.STOPPED, End.EXHAUSTED})


@dataclass(frozen=True, slots=True)
class Ends:
    """What ends every enrollment of the journey at once, wherever it stands. None: never by a condition."""

    replied: bool
    converted: Condition | None = None
    closed: Condition | None = None


class EntryPer(StrEnum):
    """What one enrollment stands for; but for `person`, a record of that kind."""

    PERSON = "person"
    APPOINTMENT = "appointment"
    JOB = "job"
    QUOTE = "quote"
    INVOICE = "invoice"

    @property
    def record_kind(self) -> RecordKind | None:
        """The kind of record that starts an enrollment, or None for one a person."""
        return None if self is EntryPer.PERSON else RecordKind(self.value)


@dataclass(frozen=True, slots=True)
class Enter:
    """Who enters.

    group: None when only staff enroll. again_after_days: whole days after the end of the last enrollment for the same
    reason; None means never again (I2).
    """

    group: str | None = None
    per: EntryPer = EntryPer.PERSON
    again_after_days: int | None = None


@dataclass(frozen=True, slots=True)
class Journey:
    """A journey as its document says. steps: by id, in the document's order.

    priority: 0 to 100; of two marketing journeys that a person has not begun yet, the higher one has its turn first.
    """

    name: str
    purpose: Purpose
    ends: Ends
    start: StepId
    steps: Mapping[StepId, Step]
    enter: Enter | None = None
    priority: int = 0

    @property
    def terminal_set(self) -> frozenset[End]:
        """Every end that an enrollment can reach: the four that always are, those chosen, and those drawn."""
        chosen = {
            End.REPLIED: self.ends.replied,
            End.CONVERTED: self.ends.converted is not None,
            End.CLOSED: self.ends.closed is not None,
        }
        drawn = {step.end for step in self.steps.values() if isinstance(step, EndStep)}
        return ALWAYS_ENDS | drawn | {end for end, on in chosen.items() if on}

    def templates(self) -> tuple[str, ...]:
        """Names of the templates that its steps use, each once, in order."""
        return tuple(dict.fromkeys(s.template for s in self.steps.values() if isinstance(s, CONTACT_STEPS)))


def wait_of(step: Step | None) -> Wait | None:
    """What a step waits at most: a wait's own, `up_to` of a task or of a wait for something; None for every other."""
    match step:
        case WaitStep(wait=wait):
            return wait
        case WaitForStep(up_to=up_to) | TaskStep(up_to=up_to):
            return up_to
        case _:
            return None


def exits(step: Step) -> tuple[StepId, ...]:
    """Where a step may lead, in drawing order; a repeat's way back comes first. Empty for an end."""
    match step:
        case EmailStep() | SmsStep() | CallStep() | TaskStep() | WaitStep():
            return (step.next,)
        case WaitForStep() | BranchStep():
            return (step.yes, step.no)
        case SplitStep():
            return tuple(way.next for way in step.ways)
        case RepeatStep():
            return (step.back_to, step.next)
        case EndStep():
            return ()
        case _:
            assert_never(step)


def kind_of(step: Step) -> StepKind:
    """The word after `do:`."""
    return _KINDS[type(step)]


_KINDS: Mapping[type[Step], StepKind] = {
    EmailStep: StepKind.EMAIL,
    SmsStep: StepKind.SMS,
    CallStep: StepKind.CALL,
    TaskStep: StepKind.TASK,
    WaitStep: StepKind.WAIT,
    WaitForStep: StepKind.WAIT_FOR,
    BranchStep: StepKind.BRANCH,
    SplitStep: StepKind.SPLIT,
    RepeatStep: StepKind.REPEAT,
    EndStep: StepKind.END,
}
