"""What a follow-up may still say: the messages that lie ahead of the step where it stands. Pure."""

from __future__ import annotations

from app.domain.ids import StepId
from app.domain.journey import CONTACT_STEPS, ContactStep, Journey, exits
from app.domain.states import Channel


def messages_ahead(journey: Journey, step: StepId) -> tuple[ContactStep, ...]:
    """The contact steps that can be come to from `step`, itself included, ways back of a repeat too; as drawn."""
    found: set[StepId] = set()
    waiting = [step]
    while waiting:
        at = waiting.pop()
        if at in found or at not in journey.steps:
            continue
        found.add(at)
        waiting.extend(exits(journey.steps[at]))
    return tuple(each for each in journey.steps.values() if isinstance(each, CONTACT_STEPS) and each.id in found)


def other_way_left(journey: Journey, step: StepId, closed: frozenset[Channel]) -> bool:
    """Whether something by a channel that is not closed lies ahead of `step`."""
    return any(each.channel not in closed for each in messages_ahead(journey, step))
