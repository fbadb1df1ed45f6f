"""I14: the proof against walking every path of random graphs, right and wrong ones, by a counter and nothing clever."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import product

from app.domain.condition import Facts, RecordFact, holds, parse_condition
from app.domain.condition_tree import AllOf, AnyOf, Condition, Not
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
    TaskStep,
    WaitForStep,
    WaitStep,
    Way,
)
from app.domain.proof import FaultKind, Proof, prove
from app.domain.record import RecordKind
from app.domain.states import End, Purpose
from app.domain.waits import Calendar

GRAPHS = 10_000
MOST_WALKED = 60_000  # steps of all walks of one graph; the few that are longer are drawn anew
NOW = datetime(2027, 3, 1, tzinfo=UTC)
GONE = StepId("gone")
SIMPLE = [
    parse_condition(each)
    for each in (
        {"field": "person.status", "is": "lost"},
        {"field": "person.status", "is": "open"},
        {"field": "person.status", "empty": True},
        {"tag": "vip"},
        {"record": "appointment", "status": "booked"},
        {"record": "appointment", "status": "booked", "count": {"at_least": 2}},
    )
]
VISIT = RecordFact(RecordKind.APPOINTMENT, "booked", NOW)
# everybody that these questions can tell apart
EVERYBODY = [
    Facts(fields={} if status is None else {"person.status": status}, tags=frozenset(tags), records=(VISIT,) * visits)
    for status, tags, visits in product((None, "lost", "open", "else"), ((), ("vip",)), (0, 1, 2))
]


class TooLong(Exception):
    """More walks than this test takes."""


def draw_condition(dice: random.Random, depth: int = 0) -> Condition:
    """A question; some rule themselves out."""
    match dice.randrange(4 if depth < 2 else 1):
        case 1:
            return AllOf((draw_condition(dice, depth + 1), draw_condition(dice, depth + 1)))
        case 2:
            return AnyOf((draw_condition(dice, depth + 1), draw_condition(dice, depth + 1)))
        case 3:
            return Not(draw_condition(dice, depth + 1))
        case _:
            return dice.choice(SIMPLE)


def draw_journey(dice: random.Random) -> Journey:
    """Up to eight steps that mostly lead on; now and then one leads back, to nowhere, or waits for ever."""
    size = dice.randint(1, 8)
    names = [StepId(f"s{n}") for n in range(size)]
    ends = [StepId("done"), StepId("won")][: dice.choice((1, 1, 2))]
    wild = dice.choice((0.0, 0.0, 0.0, 0.06))

    def to(n: int) -> StepId:
        if dice.random() < wild:
            return dice.choice((*names, GONE))
        return names[n + 1] if n + 1 < size and dice.random() < 0.75 else dice.choice((*names[n + 1 :], *ends))

    steps: list[Step] = []
    for n, name in enumerate(names):
        days = Calendar(dice.randint(1, 5))
        match dice.choice("etcwkfbsrr" if n else "etcwkfbs"):
            case "e":
                steps.append(EmailStep(name, "hello", to(n)))
            case "t":
                steps.append(SmsStep(name, "nudge", to(n)))
            case "c":
                steps.append(CallStep(name, "ring", to(n), tries=dice.randint(1, 3), every=timedelta(hours=30)))
            case "w":
                steps.append(WaitStep(name, days, to(n)))
            case "k":
                steps.append(TaskStep(name, "look", to(n), None if dice.random() < wild else days))
            case "f":
                steps.append(WaitForStep(name, draw_condition(dice), days, to(n), to(n)))
            case "b":
                steps.append(BranchStep(name, draw_condition(dice), to(n), to(n)))
            case "s":
                steps.append(SplitStep(name, tuple(Way(20, to(n)) for _ in range(dice.randint(2, 3)))))
            case _:
                steps.append(RepeatStep(name, dice.randint(2, 3), dice.choice(names[: n + 1]), to(n)))
    steps += [EndStep(each, End.EXHAUSTED if each == "done" else End.CONVERTED) for each in ends]
    chosen = Ends(replied=dice.random() < 0.5, converted=draw_condition(dice) if dice.random() < 0.3 else None)
    start = GONE if dice.random() < wild / 2 else names[0]
    return Journey("x", Purpose.CARE, chosen, start, {step.id: step for step in steps})


# ---- the enumerator: it knows no graph theory, and nothing of the code that it checks


def forward(step: Step) -> tuple[StepId, ...]:
    """Where a step leads, a repeat's way back left out."""
    match step:
        case BranchStep(yes=yes, no=no) | WaitForStep(yes=yes, no=no):
            return yes, no
        case SplitStep(ways=ways):
            return tuple(way.next for way in ways)
        case EndStep():
            return ()
        case _:
            return (step.next,)


def every_way(step: Step) -> tuple[StepId, ...]:
    return (*forward(step), step.back_to) if isinstance(step, RepeatStep) else forward(step)


def paths(steps: Mapping[StepId, Step], begin: StepId) -> Iterator[tuple[StepId, ...]]:
    """Every path forward from `begin` as far as it goes; where one comes to a step again it stops, that step last."""
    waiting: list[tuple[StepId, ...]] = [(begin,)]
    taken = 0
    while waiting:
        path = waiting.pop()
        taken += 1
        if taken > MOST_WALKED:
            raise TooLong
        onward = [each for each in forward(steps[path[-1]]) if each in steps] if path[-1] not in path[:-1] else []
        waiting.extend((*path, each) for each in dict.fromkeys(onward))
        if not onward:
            yield path


def between(steps: Mapping[StepId, Step], repeat: RepeatStep) -> frozenset[StepId]:
    """What lies on some path from where a repeat jumps to, to itself."""
    found: set[StepId] = set()
    for path in paths(steps, repeat.back_to):
        if repeat.id in path:
            found |= set(path[: path.index(repeat.id) + 1])
    return frozenset(found)


def faults(drawn: Journey) -> set[FaultKind]:
    """What is wrong with a graph, as walking it shows."""
    steps, found = drawn.steps, set[FaultKind]()
    if drawn.start not in steps or any(way not in steps for step in steps.values() for way in every_way(step)):
        found.add(FaultKind.NO_STEP)
    if any(isinstance(step, TaskStep) and step.up_to is None for step in steps.values()):
        found.add(FaultKind.ENDLESS_WAIT)
    asked = [step.condition for step in steps.values() if isinstance(step, BranchStep | WaitForStep)]
    asked += [drawn.ends.converted] if drawn.ends.converted is not None else []
    if any(not any(holds(each, facts, NOW) for facts in EVERYBODY) for each in asked):
        found.add(FaultKind.NEVER_TRUE)
    if drawn.start not in steps:
        return found
    reached = {drawn.start}
    for _ in steps:
        reached |= {way for each in reached for way in every_way(steps[each]) if way in steps}
    if reached != set(steps):
        found.add(FaultKind.UNREACHED)
    if any(path[-1] in path[:-1] for each in reached for path in paths(steps, each)):
        found.add(FaultKind.LOOP)
    repeats = [step for step in steps.values() if isinstance(step, RepeatStep) and step.id in reached]
    repeats = [step for step in repeats if step.back_to in steps]
    whole = list(paths(steps, drawn.start))
    for repeat in repeats:
        to_it = [path[: path.index(repeat.id)] for path in whole if repeat.id in path]
        back = repeat.back_to == repeat.id or not between(steps, repeat)
        if back or any(repeat.back_to not in path for path in to_it):
            found.add(FaultKind.BAD_REPEAT)
    if not found:
        bodies = [between(steps, repeat) for repeat in repeats]
        tangled = any(a & b and not a <= b and not b <= a for a in bodies for b in bodies)
        deep = any(sum(body <= other for other in bodies) > 3 for body in bodies)
        found |= {FaultKind.BAD_REPEAT} if tangled or deep else set()
    return found


@dataclass
class Seen:
    """What the walks came to: the most of each on any, and the ends."""

    emails: int = 0
    texts: int = 0
    calls: int = 0
    sends: int = 0
    hours: int = 0
    ends: frozenset[End] = frozenset()


def walk_all(drawn: Journey) -> Seen:
    """Every walk from the start to an end, one after the other, a counter for each repeat."""
    steps, seen, taken = drawn.steps, Seen(), 0
    inner = {step.id: between(steps, step) - {step.id} for step in steps.values() if isinstance(step, RepeatStep)}
    waiting: list[tuple[StepId, Mapping[StepId, int], tuple[int, int, int, int]]] = [(drawn.start, {}, (0, 0, 0, 0))]
    while waiting:
        at, jumps, (emails, texts, calls, hours) = waiting.pop()
        step = steps[at]
        taken += 1
        if taken > MOST_WALKED:
            raise TooLong
        ways = [(way, jumps) for way in forward(step)]
        match step:
            case EmailStep():
                emails += 1
            case SmsStep():
                texts += 1
            case CallStep(tries=tries):
                calls, hours = calls + tries, hours + 30 * (tries - 1)
            case WaitStep(wait=Calendar(days)) | TaskStep(up_to=Calendar(days)) | WaitForStep(up_to=Calendar(days)):
                hours += 24 * days
            case RepeatStep(times=times, back_to=back_to) if jumps.get(at, 0) < times - 1:
                kept = {key: count for key, count in jumps.items() if key not in inner[at]}
                ways = [(back_to, {**kept, at: jumps.get(at, 0) + 1})]
            case EndStep(end=end):
                seen.emails, seen.texts = max(seen.emails, emails), max(seen.texts, texts)
                seen.calls, seen.hours = max(seen.calls, calls), max(seen.hours, hours)
                seen.sends, seen.ends = max(seen.sends, emails + texts + calls), seen.ends | {end}
            case _:
                pass
        waiting += [(way, now, (emails, texts, calls, hours)) for way, now in ways]
    return seen


def test_i14_walking_every_path_of_random_graphs_agrees_with_the_proof() -> None:
    told: Counter[str] = Counter()
    seed = 0
    while told["graphs"] < GRAPHS:
        seed += 1
        drawn = draw_journey(random.Random(seed))
        try:
            wrong = faults(drawn)
            seen = Seen() if wrong else walk_all(drawn)
        except TooLong:
            told["too long"] += 1
            continue
        told["graphs"] += 1
        proof = prove(drawn)
        if not isinstance(proof, Proof):
            assert {fault.kind for fault in proof.faults} == wrong, f"seed {seed}"
            told.update({"refused": 1, **{kind.value: 1 for kind in wrong}})
            continue
        assert not wrong, f"seed {seed}: {wrong}"
        told["proven"] += 1
        told["repeats"] += any(isinstance(step, RepeatStep) for step in drawn.steps.values())
        walked = (seen.emails, seen.texts, seen.calls, seen.sends, -(-seen.hours // 24))
        assert (proof.emails, proof.texts, proof.calls, proof.send_budget, proof.days) == walked, f"seed {seed}"
        always = {End.OPTED_OUT, End.SUPPRESSED, End.STOPPED, End.EXHAUSTED}
        chosen = {End.REPLIED} if drawn.ends.replied else set()
        chosen |= {End.CONVERTED} if drawn.ends.converted is not None else set()
        assert proof.ends == always | chosen | seen.ends, f"seed {seed}"
    assert min(told["proven"], told["refused"], told["repeats"]) > GRAPHS // 50, told
    assert all(told[kind.value] for kind in FaultKind), told
    assert told["too long"] < GRAPHS // 50, told
