"""Which way a person takes where a step sends people different ways or goes round. Pure, the same on every machine."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.flow import flow_of
from app.domain.ids import JourneyId, PersonId, StepId
from app.domain.journey import Journey, RepeatStep, SplitStep

Laps = Mapping[StepId, int]
"""How often each repeat has jumped back since it was come to afresh; those that have not are left out."""

LAP_GAP = 2
"""What a jump adds to the pass number: more than one, so that the tries of a call before and after it stand apart."""


@dataclass(frozen=True, slots=True)
class Lap:
    """Where a repeat leads now. jumps: it goes back. laps: what is counted from then on."""

    next: StepId
    jumps: bool
    laps: Laps


def split_way(step: SplitStep, journey_id: JourneyId, person_id: PersonId) -> StepId:
    """The way of one person: by a hash of journey, step and person, so the same in every version and after a restart.

    The ways are laid out from 0 to 99 in the order of the document.
    """
    digest = hashlib.sha256(f"{journey_id}/{step.id}/{person_id}".encode()).digest()
    place = int.from_bytes(digest[:8], "big") % 100
    upper = 0
    for way in step.ways:
        upper += way.percent
        if place < upper:
            return way.next
    return step.ways[-1].next


def lap(journey: Journey, step: RepeatStep, laps: Laps) -> Lap:
    """Back once more, or on: what lies between is done `times` times in all (DESIGN section 7).

    A jump makes the repeats within it start afresh; one that goes on starts afresh itself when it is come to again.
    """
    done = laps.get(step.id, 0)
    if done >= step.times - 1:
        return Lap(step.next, False, {each: count for each, count in laps.items() if each != step.id})
    inside = flow_of(journey).body(step) - {step.id}
    kept = {each: count for each, count in laps.items() if each not in inside}
    return Lap(step.back_to, True, {**kept, step.id: done + 1})
