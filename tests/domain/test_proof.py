"""I14: every publishable journey ends on every path, and its worst case is exact; I5's budget comes from here."""

from __future__ import annotations

from datetime import time, timedelta

import pytest

from app.domain.condition import Condition, parse_condition
from app.domain.documents import read_documents
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
from app.domain.journey_format import read_journey
from app.domain.proof import FaultKind, Proof, Unprovable, prove
from app.domain.proof_words import told_proof, told_proof_short
from app.domain.states import End, Purpose
from app.domain.waits import BusinessDays, Calendar, Elapsed, RelativeToRecord

BOOKED: Condition = parse_condition({"record": "appointment", "status": "booked"})
DONE = EndStep(StepId("done"), End.EXHAUSTED)


def sid(name: str) -> StepId:
    return StepId(name)


def email(name: str, following: str) -> EmailStep:
    return EmailStep(sid(name), "hello", sid(following))


def text(name: str, following: str) -> SmsStep:
    return SmsStep(sid(name), "nudge", sid(following))


def wait(name: str, following: str, days: int = 1) -> WaitStep:
    return WaitStep(sid(name), Calendar(days), sid(following))


def branch(name: str, yes: str, no: str) -> BranchStep:
    return BranchStep(sid(name), BOOKED, sid(yes), sid(no))


def repeat(name: str, times: int, back_to: str, following: str) -> RepeatStep:
    return RepeatStep(sid(name), times, sid(back_to), sid(following))


def journey(*steps: Step, start: str | None = None, ends: Ends | None = None) -> Journey:
    begin = sid(start) if start is not None else steps[0].id
    return Journey("New lead", Purpose.MARKETING, ends or Ends(replied=True), begin, {s.id: s for s in steps})


def proven(*steps: Step, start: str | None = None) -> Proof:
    proof = prove(journey(*steps, start=start))
    assert isinstance(proof, Proof), proof
    return proof


def refused(*steps: Step, start: str | None = None) -> Unprovable:
    proof = prove(journey(*steps, start=start))
    assert isinstance(proof, Unprovable)
    return proof


DESIGN_JOURNEY = """
format: stopwell.journey/1
name: New lead
purpose: marketing
ends:
  replied: true
  converted: {when: {record: appointment, status: booked, since: enrollment}}
  closed: {when: {field: person.status, is: lost}}
enter: {group: new-web-leads, per: person, again: never}
start: hello
steps:
  hello:  {do: email, template: hello, next: two-days}
  two-days: {do: wait, for: {days: 2, at: "09:30"}, next: booked}
  booked: {do: branch, if: {record: appointment, status: booked, since: enrollment}, yes: won, no: nudge}
  nudge:  {do: sms, template: nudge, hours: clinic, useless_after: {days: 3}, next: ring}
  ring:   {do: call, script: ring-script, by: staff, tries: 2, every: {hours: 4}, next: last-wait}
  last-wait: {do: wait_for, if: {record: appointment, status: booked}, up_to: {days: 5}, yes: won, no: done}
  won:    {do: end, as: converted}
  done:   {do: end, as: exhausted}
"""


def test_i14_the_journey_of_the_design_is_proven_with_each_try_of_a_call_counted() -> None:
    proof = prove(read_journey(read_documents(DESIGN_JOURNEY)[0]))

    assert isinstance(proof, Proof)
    assert (proof.emails, proof.texts, proof.calls, proof.send_budget) == (1, 1, 2, 4)
    assert proof.days == 8  # two days, four hours between the tries, five days
    assert proof.ends == frozenset(End)
    assert proof.longest == ("hello", "two-days", "booked", "nudge", "ring", "last-wait", "won")
    assert told_proof(proof) == "Always ends. At most 1 email, 1 text, 2 calls over 8 days."


def test_i14_the_worst_case_takes_each_channel_on_its_own_worst_path_and_the_budget_on_one_path() -> None:
    # given a branch with three emails on one side and two texts on the other
    proof = proven(
        branch("ask", "e1", "t1"),
        email("e1", "e2"),
        email("e2", "e3"),
        email("e3", "done"),
        text("t1", "t2"),
        text("t2", "done"),
        DONE,
    )

    assert (proof.emails, proof.texts, proof.send_budget) == (3, 2, 3)


def test_i14_a_journey_that_goes_round_is_refused_with_the_steps_of_the_loop_in_order() -> None:
    unprovable = refused(
        email("hello", "booked"),
        branch("booked", "won", "nudge"),
        text("nudge", "four-days"),
        wait("four-days", "booked", 4),
        email("still-here", "done"),
        EndStep(sid("won"), End.CONVERTED),
        DONE,
    )

    loop, lost = unprovable.faults
    assert (loop.kind, loop.steps) == (FaultKind.LOOP, ("booked", "nudge", "four-days"))
    assert loop.problem.told() == (
        "steps.four-days: four-days goes back to booked: "
        "booked → nudge → four-days → booked goes round without a limit. "
        "Use a repeat with times, 2 to 10, or lead to an end."
    )
    assert (lost.kind, lost.steps) == (FaultKind.UNREACHED, ("still-here", "done"))
    assert "nothing leads to 2 steps: still-here, done." in lost.problem.problem
    assert told_proof(unprovable) == "Can't be published: 2 problems."
    assert unprovable.problems == (loop.problem, lost.problem)


@pytest.mark.parametrize(
    "round_about",
    [
        pytest.param([text("a", "a"), DONE], id="a step that leads to itself"),
        pytest.param([text("a", "b"), branch("b", "a", "a")], id="no way out at all"),
        pytest.param(
            [text("a", "b"), WaitForStep(sid("b"), BOOKED, Calendar(1), sid("done"), sid("a")), DONE],
            id="through a wait_for",
        ),
        pytest.param(
            [text("a", "b"), SplitStep(sid("b"), (Way(50, sid("a")), Way(50, sid("done")))), DONE], id="through a split"
        ),
        pytest.param(
            [text("a", "again"), repeat("again", 2, "a", "b"), wait("b", "a"), DONE], id="round a bounded repeat"
        ),
    ],
)
def test_i14_every_kind_of_unbounded_loop_is_refused(round_about: list[Step]) -> None:
    kinds = {fault.kind for fault in refused(*round_about).faults}
    assert FaultKind.LOOP in kinds


def test_i14_two_separate_loops_are_both_told() -> None:
    unprovable = refused(
        branch("ask", "a", "b"), text("a", "a2"), wait("a2", "a"), email("b", "b2"), branch("b2", "b", "done"), DONE
    )
    assert [fault.steps for fault in unprovable.faults] == [("a", "a2"), ("b", "b2")]


def test_i14_a_dead_end_names_the_step_and_where_it_leads() -> None:
    unprovable = refused(email("hello", "gone"))
    assert unprovable.problems[0].told() == (
        "steps.hello: hello leads to gone, which is not there: a dead end. Lead it to a step, or to an end."
    )


def test_i14_a_start_that_is_not_there_is_told_once() -> None:
    unprovable = refused(email("hello", "done"), DONE, start="helo")
    assert [problem.path for problem in unprovable.problems] == ["start"]


def test_i14_a_task_without_a_limit_can_wait_for_ever() -> None:
    endless = TaskStep(sid("phone-insurer"), "Phone the insurer", sid("done"))
    assert refused(endless, DONE).faults[0].kind is FaultKind.ENDLESS_WAIT

    bounded = TaskStep(sid("phone-insurer"), "Phone the insurer", sid("done"), Calendar(3))
    assert proven(bounded, DONE).days == 3


def test_i14_a_repeat_multiplies_what_it_repeats() -> None:
    proof = proven(text("nudge", "rest"), wait("rest", "again", 4), repeat("again", 3, "nudge", "done"), DONE)

    assert (proof.texts, proof.send_budget, proof.days) == (3, 3, 12)
    assert proof.longest == ("nudge", "rest", "again", "done")


def test_i14_a_repeat_in_a_repeat_multiplies_twice() -> None:
    proof = proven(
        email("outer", "nudge"),
        text("nudge", "again"),
        repeat("again", 3, "nudge", "rest"),
        wait("rest", "once-more", 2),
        repeat("once-more", 4, "outer", "done"),
        DONE,
    )
    assert (proof.emails, proof.texts, proof.send_budget, proof.days) == (4, 12, 16, 8)


def test_i14_a_way_out_of_a_repeat_is_worst_when_taken_in_the_last_lap() -> None:
    # given a side way out of the lap that costs five texts, and one text each lap
    side = [text(f"s{n}", f"s{n + 1}" if n < 5 else "done") for n in range(1, 6)]
    proof = proven(text("lap", "ask"), branch("ask", "s1", "again"), repeat("again", 3, "lap", "done"), *side, DONE)
    assert proof.texts == 3 + 5


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        pytest.param(
            [text("a", "again"), repeat("again", 2, "b", "b"), wait("b", "done"), DONE],
            "again jumps to b, which does not lead to it.",
            id="forward",
        ),
        pytest.param(
            [text("a", "again"), repeat("again", 2, "again", "done"), DONE],
            "again jumps to again, which does not lead to it.",
            id="to itself",
        ),
        pytest.param(
            [branch("ask", "a", "again"), text("a", "again"), repeat("again", 2, "a", "done"), DONE],
            "again can be come to without passing a, to which it jumps back.",
            id="to a step that can be passed by",
        ),
        pytest.param(
            [
                text("a", "b"),
                text("b", "one"),
                repeat("one", 2, "a", "two"),
                repeat("two", 2, "b", "done"),
                DONE,
            ],
            "one and two both repeat b, one, and neither lies within the other.",
            id="crossing another",
        ),
        pytest.param(
            [
                text("a", "r1"),
                repeat("r1", 2, "a", "r2"),
                repeat("r2", 2, "a", "r3"),
                repeat("r3", 2, "a", "r4"),
                repeat("r4", 2, "a", "done"),
                DONE,
            ],
            "r1 lies 4 repeats deep.",
            id="too deep",
        ),
    ],
)
def test_i14_a_repeat_that_is_not_well_formed_is_refused_and_says_how_to_mend_it(steps: list[Step], words: str) -> None:
    fault = refused(*steps).faults[0]

    assert fault.kind is FaultKind.BAD_REPEAT
    assert fault.problem.problem == words
    assert fault.problem.hint


def test_i14_all_reasons_are_told_at_once() -> None:
    kinds = [
        fault.kind
        for fault in refused(
            branch("ask", "loop", "gone"),
            text("loop", "loop"),
            TaskStep(sid("lost"), "Look", sid("again")),
            repeat("again", 2, "lost", "done"),
            DONE,
        ).faults
    ]
    assert kinds == [FaultKind.NO_STEP, FaultKind.LOOP, FaultKind.UNREACHED, FaultKind.ENDLESS_WAIT]


def test_i14_every_wait_counts_its_longest() -> None:
    proof = proven(
        WaitStep(sid("a"), Elapsed(timedelta(hours=30)), sid("b")),
        WaitStep(sid("b"), Calendar(2, time(9, 30)), sid("c")),
        WaitStep(sid("c"), BusinessDays(2), sid("d")),
        WaitStep(sid("d"), RelativeToRecord("appointment", True, Elapsed(timedelta(hours=24))), sid("done")),
        DONE,
    )
    assert proof.days == 1 + 1 + 2 + 14 + 367
    assert proof.most_days > 30 / 24 + 2 + 14 + 367


def test_i14_a_long_chain_with_many_repeats_is_proven_without_running_out_of_stack() -> None:
    steps: list[Step] = []
    for n in range(100):
        steps += [
            text(f"t{n}", f"w{n}"),
            wait(f"w{n}", f"r{n}"),
            repeat(f"r{n}", 10, f"t{n}", f"t{n + 1}" if n < 99 else "done"),
        ]
    assert proven(*steps, DONE).texts == 1000


def test_i14_more_repeats_than_can_be_counted_are_refused() -> None:
    steps: list[Step] = []
    for n in range(101):
        steps += [text(f"t{n}", f"r{n}"), repeat(f"r{n}", 2, f"t{n}", f"t{n + 1}" if n < 100 else "done")]
    assert "there are 101 repeats" in refused(*steps, DONE).problems[0].problem


@pytest.mark.parametrize(
    ("steps", "told", "short"),
    [
        ([DONE], "Always ends. It sends nothing, without waiting.", "Always ends: nothing sent, 0 days"),
        ([email("a", "done"), DONE], "Always ends. At most 1 email without waiting.", "Always ends: 1 email, 0 days"),
        (
            [wait("a", "done"), DONE],
            "Always ends. It sends nothing, over 1 day.",
            "Always ends: nothing sent, 1 day",
        ),
        (
            [
                email("a", "b"),
                email("b", "c"),
                text("c", "d"),
                text("d", "e"),
                CallStep(sid("e"), "ring", sid("f")),
                wait("f", "done", 12),
                DONE,
            ],
            "Always ends. At most 2 emails, 2 texts, 1 call over 12 days.",
            "Always ends: 2 emails, 2 texts, 1 call, 12 days",
        ),
    ],
)
def test_the_proof_is_told_in_words_with_singular_plural_and_nothing(steps: list[Step], told: str, short: str) -> None:
    proof = proven(*steps)
    assert told_proof(proof) == told
    assert told_proof_short(proof) == short
