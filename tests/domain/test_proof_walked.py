"""I14: the worst case of a journey is exactly that of walking every path, on random journeys with repeats."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import timedelta

from hypothesis import assume, event, given
from hypothesis import strategies as st

from app.domain.condition import Condition, parse_condition
from app.domain.flow import flow_of
from app.domain.ids import StepId
from app.domain.journey import (
    BranchStep,
    CallStep,
    EmailStep,
    Ends,
    EndStep,
    Journey,
    RepeatStep,
    SmsStep,
    SplitStep,
    Step,
    WaitStep,
    Way,
    exits,
)
from app.domain.proof import FaultKind, Proof, prove
from app.domain.states import End, Purpose
from app.domain.waits import Calendar

BOOKED: Condition = parse_condition({"record": "appointment", "status": "booked"})
DONE = EndStep(StepId("done"), End.EXHAUSTED)


@st.composite
def _journeys(draw: st.DrawFn) -> Journey:
    """Small journeys with steps in a row that lead on, and repeats that lead back; some are not provable."""
    size = draw(st.integers(2, 8))
    names = [StepId(f"s{n}") for n in range(size)]
    steps: list[Step] = []
    for n, name in enumerate(names):
        later = st.sampled_from([*names[n + 1 :], DONE.id])
        near = names[n + 1] if n + 1 < size else DONE.id
        kind = draw(st.sampled_from("etwcbbsrrrr" if n else "etwb"))
        match kind:
            case "e":
                steps.append(EmailStep(name, "hello", near))
            case "t":
                steps.append(SmsStep(name, "nudge", near))
            case "w":
                steps.append(WaitStep(name, Calendar(draw(st.integers(1, 5))), near))
            case "c":
                steps.append(CallStep(name, "ring", near, tries=2, every=timedelta(hours=30)))
            case "b":
                steps.append(BranchStep(name, BOOKED, near, draw(later)))
            case "s":
                steps.append(SplitStep(name, (Way(30, near), Way(70, draw(later)))))
            case _:
                back = draw(st.sampled_from(names[:n]))
                steps.append(RepeatStep(name, draw(st.integers(2, 3)), back, near))
    return Journey("x", Purpose.CARE, Ends(replied=True), names[0], {s.id: s for s in [*steps, DONE]})


@given(_journeys())
def test_i14_the_worst_case_is_exactly_that_of_walking_every_path(drawn: Journey) -> None:
    proof = prove(drawn)
    assume(isinstance(proof, Proof))
    assert isinstance(proof, Proof)
    event(f"{sum(isinstance(s, RepeatStep) for s in drawn.steps.values())} repeats")

    assert proof.emails == _walked(drawn, lambda s: isinstance(s, EmailStep))
    assert proof.texts == _walked(drawn, lambda s: isinstance(s, SmsStep))
    assert proof.calls == _walked(drawn, lambda s: s.tries if isinstance(s, CallStep) else 0)
    assert proof.send_budget == _walked(drawn, _sends)
    hours = _walked(drawn, _hours)
    assert proof.days == -(-hours // 24)
    assert hours == _hours_along(drawn, proof.longest)


@given(_journeys())
def test_i14_a_journey_is_refused_only_for_a_reason_that_walking_shows_or_for_its_repeats(drawn: Journey) -> None:
    proof = prove(drawn)
    if isinstance(proof, Proof):
        return
    flow = flow_of(drawn)
    for fault in proof.faults:
        assert fault.kind in (FaultKind.UNREACHED, FaultKind.BAD_REPEAT)
        if fault.kind is FaultKind.UNREACHED:
            assert set(fault.steps) == set(drawn.steps) - set(_seen_walking(drawn))
            assert set(fault.steps) == set(drawn.steps) - flow.reached


def _sends(step: Step) -> int:
    return step.tries if isinstance(step, CallStep) else int(isinstance(step, EmailStep | SmsStep))


def _hours(step: Step) -> int:
    if isinstance(step, CallStep):
        return 30
    return step.wait.days * 24 if isinstance(step, WaitStep) and isinstance(step.wait, Calendar) else 0


def _between(drawn: Journey, step: RepeatStep) -> frozenset[StepId]:
    """The repeats within `step`, by walking forward from where it jumps to."""

    def leads(begin: StepId, goal: StepId) -> bool:
        at = drawn.steps[begin]
        onward = (at.next,) if isinstance(at, RepeatStep) else exits(at)
        return begin == goal or any(leads(target, goal) for target in onward)

    inside = (s.id for s in drawn.steps.values() if isinstance(s, RepeatStep) and s.id != step.id)
    return frozenset(name for name in inside if leads(step.back_to, name) and leads(name, step.id))


def _walked(drawn: Journey, weigh: Callable[[Step], int]) -> int:
    """The most that any walk weighs, as a person would walk it: a counter for each repeat, nothing clever."""
    inner = {s.id: _between(drawn, s) for s in drawn.steps.values() if isinstance(s, RepeatStep)}
    known: dict[tuple[StepId, frozenset[tuple[StepId, int]]], int] = {}

    def most(name: StepId, jumps: frozenset[tuple[StepId, int]]) -> int:
        if (name, jumps) not in known:
            step = drawn.steps[name]
            ways: Iterable[tuple[StepId, frozenset[tuple[StepId, int]]]] = [(t, jumps) for t in exits(step)]
            if isinstance(step, RepeatStep):
                made = dict(jumps).get(name, 0)
                if made < step.times - 1:
                    kept = {key: count for key, count in jumps if key not in inner[name] and key != name}
                    ways = [(step.back_to, frozenset({**kept, name: made + 1}.items()))]
                else:
                    ways = [(step.next, jumps)]
            known[name, jumps] = weigh(step) + max((most(*way) for way in ways), default=0)
        return known[name, jumps]

    return most(drawn.start, frozenset())


def _seen_walking(drawn: Journey) -> set[StepId]:
    seen: set[StepId] = set()
    waiting = [drawn.start]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += exits(drawn.steps[name])
    return seen


def _hours_along(drawn: Journey, longest: tuple[StepId, ...]) -> int:
    """The hours of the heaviest walk that keeps to the steps of `longest`: what is lit must be worth the worst case."""
    assert longest[0] == drawn.start
    assert isinstance(drawn.steps[longest[-1]], EndStep) or any(
        isinstance(drawn.steps[name], EndStep) for name in longest
    )
    lit = set(longest)

    def kept(step: Step) -> Step:
        match step:
            case BranchStep():
                ways = [t for t in (step.yes, step.no) if t in lit] or [step.yes]
                return BranchStep(step.id, step.condition, ways[0], ways[-1])
            case SplitStep():
                ways = [w.next for w in step.ways if w.next in lit] or [step.ways[0].next]
                return SplitStep(step.id, tuple(Way(50, t) for t in ways))
            case _:
                return step

    steps = {name: kept(step) for name, step in drawn.steps.items()}
    return _walked(Journey(drawn.name, drawn.purpose, drawn.ends, drawn.start, steps), _hours)
