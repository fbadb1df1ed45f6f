"""Where somebody stands on a journey's chart: the step in a word, its number, and how many there are on the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, assert_never

from app.domain.condition import told
from app.domain.condition_tree import AllOf, AnyOf, Condition, HasEvent, HasRecord
from app.domain.events import RECORD_OF
from app.domain.ids import JourneyVersionId, StepId
from app.domain.journey import (
    CONTACT_STEPS,
    BranchStep,
    CallStep,
    EmailStep,
    EndStep,
    Journey,
    RepeatStep,
    SmsStep,
    SplitStep,
    Step,
    TaskStep,
    WaitForStep,
    WaitStep,
    exits,
    kind_of,
)
from app.domain.lines import StepLine
from app.domain.states import Channel
from app.domain.waits import RelativeToRecord, told_wait
from app.store.versions import Versions

GOAL_WORDS: Final[Mapping[str, str]] = {"booked": "Booked", "paid": "Paid", "accepted": "Accepted"}
DONE: Final = "Done"


@dataclass(slots=True)
class Steps:
    """Where people stand, looked up once for each version and step that a reader meets."""

    versions: Versions
    _known: dict[tuple[int, str], StepLine] = field(default_factory=dict)

    def journey(self, version_id: int) -> Journey:
        """The chart of a published version."""
        known = JourneyVersionId(version_id)
        return self.versions.take([known])[known].journey

    def line(self, version_id: int, step: str) -> StepLine:
        """Where `step` stands in that version."""
        found = self._known.get((version_id, step))
        if found is None:
            found = self._known[version_id, step] = step_line(self.journey(version_id), StepId(step))
        return found


def proven_most(proof: Mapping[str, object]) -> Mapping[Channel, int]:
    """The most messages by channel that a stored proof allows."""
    keys = {Channel.EMAIL: "emails", Channel.SMS: "texts", Channel.CALL: "calls"}
    counts = {channel: proof.get(key, 0) for channel, key in keys.items()}
    return {channel: count if isinstance(count, int) else 0 for channel, count in counts.items()}


def proven_days(proof: Mapping[str, object], most_days: float | None) -> float:
    """Days of waiting as the proof counts them, from date to date; the version's upper bound where it does not say."""
    days = proof.get("days")
    return float(days) if isinstance(days, int | float) else most_days or 0.0


def steps_through(journey: Journey, step: StepId) -> tuple[StepLine, ...]:
    """The longest way from the start through `step` to an end, the end included; ways back of a repeat left out.

    Of two ways of one length the one drawn first. number: 1-based place on it; of: its length without the end, which
    is no step to do. Empty for a step that is not on the chart.
    """
    if step not in journey.steps:
        return ()
    way = (*_before(journey, step), *_from(journey, step))
    of = sum(1 for each in way if not isinstance(journey.steps[each], EndStep))
    return tuple(
        StepLine(each, kind_of(journey.steps[each]).value, title(journey.steps[each]), min(place, max(of, 1)), of)
        for place, each in enumerate(way, start=1)
    )


def step_line(journey: Journey, step: StepId) -> StepLine:
    """`step` as it stands on the longest way through it; a step that is not on the chart keeps its name alone."""
    found = next((line for line in steps_through(journey, step) if line.id == step), None)
    return found if found is not None else StepLine(step, "", step, 0, 0)


def steps_of_channel(journey: Journey, channel: Channel) -> frozenset[StepId]:
    """The steps that make a message for `channel`."""
    contacts = (step for step in journey.steps.values() if isinstance(step, CONTACT_STEPS))
    return frozenset(step.id for step in contacts if step.channel is channel)


def goal_word(converted: Condition | None) -> str:
    """The word on the button that says that the journey's goal was reached: Booked, Paid, Accepted, else Done."""
    match converted:
        case HasRecord(statuses=statuses):
            return next((GOAL_WORDS[status] for status in statuses if status in GOAL_WORDS), DONE)
        case HasEvent(kind=kind):
            return GOAL_WORDS.get(RECORD_OF[kind][1], DONE) if kind in RECORD_OF else DONE
        case AllOf(parts) | AnyOf(parts):
            return next((word for part in parts if (word := goal_word(part)) != DONE), DONE)
        case _:
            return DONE


def title(step: Step) -> str:
    """A step in a few words: the template's name where it has one."""
    match step:
        case EmailStep() | SmsStep() | CallStep():
            return step.template
        case WaitStep(wait=wait):
            return f"Wait until {told_wait(wait)}" if isinstance(wait, RelativeToRecord) else f"Wait {told_wait(wait)}"
        case WaitForStep(condition=condition):
            return f"Wait until {told(condition)}"
        case BranchStep(condition=condition):
            return f"{told(condition)}?"
        case TaskStep(note=note):
            return note
        case SplitStep(ways=ways):
            return f"Split {' / '.join(str(way.percent) for way in ways)}"
        case RepeatStep(times=times):
            return f"Repeat {times} times"
        case EndStep(end=end):
            return f"End: {end.value}"
        case _:
            assert_never(step)


def _ahead(step: Step) -> tuple[StepId, ...]:
    """Where a step leads on, a repeat's way back left out."""
    return exits(step)[1:] if isinstance(step, RepeatStep) else exits(step)


def _from(journey: Journey, step: StepId) -> tuple[StepId, ...]:
    """The longest way from `step` to an end, `step` included."""
    longest: dict[StepId, tuple[StepId, ...]] = {}
    for each in _last_first(journey, step):
        ways = [longest[after] for after in _ahead(journey.steps[each])]
        longest[each] = (each, *max(ways, key=len, default=()))
    return longest[step]


def _before(journey: Journey, step: StepId) -> tuple[StepId, ...]:
    """The longest way from the start to just before `step`."""
    ways: dict[StepId, tuple[StepId, ...]] = {journey.start: ()}
    for each in reversed(_last_first(journey, journey.start)):
        for after in _ahead(journey.steps[each]):
            if len(ways[each]) >= len(ways.get(after, ())):
                ways[after] = (*ways[each], each)
    return ways.get(step, ())


def _last_first(journey: Journey, start: StepId) -> list[StepId]:
    """Every step that can be reached from `start`, each after all that it leads to. The chart has no way round."""
    ordered: list[StepId] = []
    seen: set[StepId] = set()
    stack: list[tuple[StepId, bool]] = [(start, False)]
    while stack:
        step, done = stack.pop()
        if done:
            ordered.append(step)
        elif step not in seen:
            seen.add(step)
            stack.append((step, True))
            stack += [(after, False) for after in reversed(_ahead(journey.steps[step]))]
    return ordered
