"""Who moves to a new version and what is so for them afterwards. I5: what was said and what can still be said."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from app.domain.documents import RawDocument
from app.domain.ids import EnrollmentId, JourneyVersionId, PersonId, StepId
from app.domain.journey import Journey
from app.domain.journey_format import read_journey
from app.domain.moving import (
    Becomes,
    Insider,
    MovePlan,
    Stay,
    Target,
    firing_soon,
    plan_move,
    step_impacts,
    with_changed_wait,
)
from app.domain.proof import Proof, prove, rests
from app.domain.reasons import Why
from app.domain.states import EnrollmentState, WaitsFor
from tests.builders import NOW, journey_document

OLD = JourneyVersionId(1)
STEPS: dict[str, dict[str, object]] = {
    "hello": {"do": "email", "template": "hello", "next": "pause"},
    "pause": {"do": "wait", "for": {"days": 2}, "next": "nudge"},
    "nudge": {"do": "sms", "template": "nudge", "next": "last"},
    "last": {"do": "email", "template": "last", "next": "done"},
    "done": {"do": "end", "as": "exhausted"},
}


def journey(**changed: dict[str, object] | None) -> Journey:
    steps = {name: step for name, step in {**STEPS, **changed}.items() if step is not None}
    return read_journey(RawDocument(journey_document(steps=steps)))


def insider(step: str = "pause", **parts: object) -> Insider:
    given: dict[str, object] = {
        "id": EnrollmentId(7),
        "row_version": 3,
        "person_id": PersonId(5),
        "name": "Ana Nr1",
        "zone": "America/Los_Angeles",
        "version_id": OLD,
        "number": 1,
        "state": EnrollmentState.ACTIVE,
        "step": StepId(step),
        "waits_for": WaitsFor.TIME,
        "entered_at": NOW - timedelta(days=1),
        "step_entered_at": NOW - timedelta(days=1),
        "wake_at": NOW + timedelta(days=1),
        "hold_why": None,
        "said": 1,
        "said_here": 0,
        "message_at": None,
    }
    return Insider(**(given | parts))  # type: ignore[arg-type]


def plan(new: Journey, *inside: Insider, due: datetime | None = None, days: float = 30.0) -> MovePlan:
    old = {OLD: journey()}
    found = with_changed_wait(inside, old, new)
    return plan_move(inside, old, Target(new, days), dict.fromkeys(found, due), NOW)


LONGER = journey(pause={"do": "wait", "for": {"days": 5}, "next": "nudge"})


def test_i05_the_rest_is_the_worst_case_from_each_step_on() -> None:
    found = {step: rest.send_budget for step, rest in rests(journey()).items()}
    assert found == {"hello": 3, "pause": 2, "nudge": 2, "last": 1, "done": 0}
    days = rests(journey())
    assert days[StepId("hello")].most_days == days[StepId("pause")].most_days > 2
    assert days[StepId("nudge")].most_days == 0


def test_i05_the_rest_of_the_start_is_the_proof_itself_also_with_a_repeat() -> None:
    drawn = journey(
        last={"do": "email", "template": "last", "next": "again"},
        again={"do": "repeat", "times": 4, "back_to": "pause", "next": "done"},
    )
    proof = prove(drawn)
    assert isinstance(proof, Proof)
    found = rests(drawn)
    assert found[StepId("hello")].send_budget == proof.send_budget == 9
    assert found[StepId("hello")].most_days == proof.most_days
    assert found[StepId("last")].send_budget == 7  # this one, and three more laps of two
    assert found[StepId("again")].send_budget == 6


def test_i05_a_budget_is_what_was_said_and_the_rest_from_where_they_stand() -> None:
    (mover,) = plan(journey(), insider(said=4)).movers
    assert mover.send_budget == 4 + 2


def test_i05_a_message_of_the_step_itself_is_counted_once() -> None:
    waiting = insider("nudge", waits_for=WaitsFor.MESSAGE, wake_at=None, said=2, said_here=1)
    assert plan(journey(), waiting).movers[0].send_budget == 3
    assert plan(journey(), replace(waiting, said=1, said_here=0)).movers[0].send_budget == 3


@pytest.mark.parametrize(("tries", "made", "budget"), [(3, 1, 3 + 1), (3, 2, 2 + 2), (1, 2, 1 + 2)])
def test_i05_tries_that_were_made_are_counted_once_and_never_taken_from_what_comes_after(
    tries: int, made: int, budget: int
) -> None:
    """One email comes after the call. A version with fewer tries than were made leaves that email, and no call."""
    call = {"do": "call", "script": "ring", "tries": tries, "next": "last"} | (
        {"every": {"hours": 4}} if tries > 1 else {}
    )
    new = journey(nudge=call)
    between = insider("nudge", said=made, said_here=made)
    old = {OLD: journey(nudge=call | {"tries": 3, "every": {"hours": 4}})}
    (mover,) = plan_move([between], old, Target(new, 30.0), {}, NOW).movers
    assert mover.send_budget == budget
    assert (mover.waits_for, mover.wake_at) == (WaitsFor.TIME, between.wake_at)


def test_a_wait_that_stays_as_it_was_is_not_counted_again() -> None:
    seen = insider()
    (mover,) = plan(journey(last=None, nudge={"do": "sms", "template": "nudge", "next": "done"}), seen).movers
    assert (mover.wake_at, mover.waits_for, mover.recounted) == (seen.wake_at, WaitsFor.TIME, False)


def test_a_changed_wait_ends_when_it_is_over_and_not_before_now() -> None:
    later = NOW + timedelta(days=4)
    assert plan(LONGER, insider(), due=later).movers[0].wake_at == later
    (over,) = plan(LONGER, insider(), due=NOW - timedelta(hours=3)).movers
    assert (over.wake_at, over.waits_for, over.recounted) == (NOW, WaitsFor.TIME, True)


def test_one_who_is_held_keeps_the_hold_and_the_wait_is_counted_when_it_lifts() -> None:
    held = insider(hold_why=Why.TROUBLE, wake_at=NOW + timedelta(hours=1))
    (mover,) = plan(LONGER, held, due=NOW + timedelta(days=4)).movers
    assert (mover.wake_at, mover.waits_for) == (held.wake_at, WaitsFor.NOTHING)


def test_one_paused_by_staff_has_the_new_wait_behind_the_pause() -> None:
    later = NOW + timedelta(days=4)
    held = insider(state=EnrollmentState.PAUSED, hold_why=Why.PAUSED_BY_STAFF)
    (mover,) = plan(LONGER, held, due=later).movers
    assert (mover.wake_at, mover.waits_for) == (later, WaitsFor.TIME)


def test_a_wait_that_can_not_be_told_is_looked_at_by_the_tick_now() -> None:
    (mover,) = plan(LONGER, insider(), due=None).movers
    assert (mover.wake_at, mover.waits_for) == (NOW, WaitsFor.NOTHING)


@pytest.mark.parametrize(
    ("new", "why"),
    [
        (journey(hello={"do": "email", "template": "hello", "next": "nudge"}, pause=None), Stay.GONE),
        (journey(pause={"do": "sms", "template": "nudge", "next": "nudge"}), Stay.CHANGED),
    ],
)
def test_whose_step_is_gone_or_does_something_else_can_not_move(new: Journey, why: Stay) -> None:
    found = plan(new, insider())
    assert not found.movers
    assert [each.why for each in found.stayers] == [why]


def test_an_email_that_became_a_text_is_another_step() -> None:
    new = journey(hello={"do": "sms", "template": "nudge", "next": "pause"})
    waiting = insider("hello", waits_for=WaitsFor.MESSAGE, wake_at=None, said_here=1)
    assert plan(new, waiting).stayers[0].why is Stay.CHANGED


def test_one_who_would_be_closed_as_expired_before_the_end_can_not_move() -> None:
    """Without this a move from a journey of half a year to one of a week would close people the next minute."""
    old = insider(entered_at=NOW - timedelta(days=100))
    assert plan(LONGER, old, due=NOW, days=6.0).stayers[0].why is Stay.TOO_OLD
    assert plan(LONGER, old, due=NOW, days=30.0).movers


def test_the_sheet_says_where_people_stand_and_what_becomes_of_the_step() -> None:
    new = journey(
        pause={"do": "wait", "for": {"days": 5}, "next": "last"},
        nudge=None,
        last={"do": "sms", "template": "nudge", "next": "done"},
    )
    inside = [
        insider("hello", id=EnrollmentId(1), waits_for=WaitsFor.NOTHING),
        insider("pause", id=EnrollmentId(2)),
        insider("pause", id=EnrollmentId(3), hold_why=Why.TROUBLE),
        insider("nudge", id=EnrollmentId(4), waits_for=WaitsFor.NOTHING),
        insider("last", id=EnrollmentId(5), waits_for=WaitsFor.NOTHING),
    ]
    told = step_impacts(plan(new, *inside, due=NOW), {OLD: journey()}, new)
    assert [(each.step, each.people, each.held, each.becomes) for each in told] == [
        ("hello", 1, 0, Becomes.SAME),
        ("pause", 2, 1, Becomes.RETIMED),
        ("nudge", 1, 0, Becomes.GONE),
        ("last", 1, 0, Becomes.CHANGED),
    ]


def test_the_sheet_says_for_whom_something_is_due_within_the_hour_under_either_choice() -> None:
    new = journey(pause={"do": "wait", "for": {"days": 1}, "next": "nudge"})
    soon, later, held = NOW + timedelta(minutes=59), NOW + timedelta(minutes=61), NOW
    inside = [
        insider(id=EnrollmentId(1), wake_at=later),  # only when it moves
        insider("hello", id=EnrollmentId(2), waits_for=WaitsFor.MESSAGE, wake_at=None, message_at=soon),
        insider("hello", id=EnrollmentId(3), waits_for=WaitsFor.NOTHING, wake_at=held, hold_why=Why.TROUBLE),
        insider("last", id=EnrollmentId(4), waits_for=WaitsFor.NOTHING, wake_at=later),
    ]
    found = firing_soon(plan(new, *inside, due=NOW - timedelta(hours=1)), NOW)
    assert [(each.seen.id, each.finish_at, each.move_at) for each in found] == [(1, None, NOW), (2, soon, soon)]
