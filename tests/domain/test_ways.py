"""Where a split sends a person, and how often a repeat goes round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest

from app.domain.documents import RawDocument
from app.domain.ids import JourneyId, PersonId, StepId
from app.domain.journey import Journey, RepeatStep, SplitStep
from app.domain.journey_format import read_journey
from app.domain.ways import Laps, lap, split_way

SPLIT: Mapping[str, Mapping[str, object]] = {
    "ways": {
        "do": "split",
        "ways": [{"percent": 50, "next": "a"}, {"percent": 30, "next": "b"}, {"percent": 20, "next": "c"}],
    },
    "a": {"do": "end", "as": "exhausted"},
    "b": {"do": "end", "as": "exhausted"},
    "c": {"do": "end", "as": "exhausted"},
}
NESTED: Mapping[str, Mapping[str, object]] = {
    "outer": {"do": "wait", "for": {"days": 1}, "next": "inner"},
    "inner": {"do": "wait", "for": {"hours": 1}, "next": "in-again"},
    "in-again": {"do": "repeat", "times": 3, "back_to": "inner", "next": "out-again"},
    "out-again": {"do": "repeat", "times": 2, "back_to": "outer", "next": "done"},
    "done": {"do": "end", "as": "exhausted"},
}


def journey(steps: Mapping[str, Mapping[str, object]]) -> Journey:
    """A journey of these steps."""
    return read_journey(
        RawDocument(
            {
                "format": "stopwell.journey/1",
                "name": "Drawn",
                "purpose": "care",
                "ends": {"replied": True, "converted": "never", "closed": "never"},
                "start": next(iter(steps)),
                "steps": steps,
            }
        )
    )


def split() -> SplitStep:
    """Half, three tenths, a fifth."""
    step = journey(SPLIT).steps[StepId("ways")]
    assert isinstance(step, SplitStep)
    return step


def test_a_person_takes_the_same_way_every_time_and_people_are_shared_out_as_drawn() -> None:
    step = split()
    ways = [split_way(step, JourneyId(7), PersonId(n)) for n in range(10_000)]
    assert ways == [split_way(step, JourneyId(7), PersonId(n)) for n in range(10_000)]
    shares = Counter(ways)
    assert shares[StepId("a")] == pytest.approx(5_000, abs=200)
    assert shares[StepId("b")] == pytest.approx(3_000, abs=200)
    assert shares[StepId("c")] == pytest.approx(2_000, abs=200)


def test_two_splits_share_people_out_apart_from_each_other() -> None:
    """Whoever is in the first half of one test is not thereby in the first half of the next."""
    step = split()
    first = {n for n in range(4_000) if split_way(step, JourneyId(1), PersonId(n)) == "a"}
    second = {n for n in range(4_000) if split_way(step, JourneyId(2), PersonId(n)) == "a"}
    assert len(first & second) == pytest.approx(1_000, abs=120)


def repeat_of(drawn: Journey, name: str) -> RepeatStep:
    """One of its repeats."""
    step = drawn.steps[StepId(name)]
    assert isinstance(step, RepeatStep)
    return step


def test_a_repeat_is_done_so_many_times_in_all_and_then_goes_on() -> None:
    drawn = journey(NESTED)
    laps: Laps = {}
    led = []
    for _ in range(3):
        to = lap(drawn, repeat_of(drawn, "in-again"), laps)
        laps = to.laps
        led.append(to.next)
    assert led == ["inner", "inner", "out-again"]
    assert laps == {}, "it is fresh when it is come to again"


def test_a_jump_of_the_outer_one_makes_the_inner_one_start_afresh() -> None:
    drawn = journey(NESTED)
    laps: Laps = {StepId("in-again"): 1}
    to = lap(drawn, repeat_of(drawn, "out-again"), laps)
    assert (to.next, to.jumps, dict(to.laps)) == ("outer", True, {"out-again": 1})
    on = lap(drawn, repeat_of(drawn, "out-again"), to.laps)
    assert (on.next, on.jumps, dict(on.laps)) == ("done", False, {})
