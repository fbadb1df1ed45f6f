"""Wrong engines, each with one classic fault. They are the test of the simulation: it must catch every one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import pytest

from app.domain.answer import Absent, Transient, Unknown
from app.domain.guards import GUARDS, Guard
from app.domain.ids import EnrollmentId
from app.domain.reasons import Why
from app.domain.snapshot import Snapshot
from app.domain.states import MAX_ATTEMPTS, WaitsFor
from app.domain.verdict import Answered, Pass, Trace
from app.engine import breaker, clock_mark, deliver, permit, record, tick, walk
from app.engine.checkpoints import reach
from app.engine.ports import EnrollmentMove
from app.engine.reconcile import Reconcile
from app.engine.tick import Tick, TickCount
from app.engine.walk_waits import waited
from app.engine.walking import at_step
from app.store.enrollments import EnrollmentDoor
from app.store.outbox import OutboxDoor
from tests.simulation.faults_rules import RULES
from tests.simulation.workers import Variant

Plant = Callable[[pytest.MonkeyPatch], Variant]


@dataclass(frozen=True, slots=True)
class Fault:
    """One wrong engine. caught_by: the seed that is known to catch it, which is played first."""

    plant: Plant
    caught_by: int


# what is not named here is caught by seed 0
CAUGHT_BY: Mapping[str, int] = {
    "guards_asked_only_before_the_lease": 2,
    "a_stop_leaves_the_outbox_alone": 6,
    "an_outage_uses_up_attempts": 4,
    "no_compare_and_set": 32,
    "no_look_before_the_call": 20,
    "a_hold_that_lifts_ends_the_wait": 14,
    "what_is_overdue_goes_out_by_itself": 21,
    "everybody_speaks_at_once": 3,
    "a_try_is_given_back_in_the_log_alone": 4,
    "hours_are_asked_only_when_it_is_queued": 2,
    "a_reply_holds_only_what_is_not_planned_yet": 3,
    "a_list_that_lags_is_believed": 13,
    "a_stop_cancels_only_what_is_queued": 6,
    "an_opt_out_belongs_to_a_person": 36,
    "a_fourth_try": 376,
    "whoever_moves_gets_a_whole_budget": 3,
    "a_move_starts_every_wait_anew": 8,
    "a_move_forgets_a_changed_wait": 3,
    "an_import_is_taken_back_from_under_those_written_to": 4,
    "what_was_looked_up_late_goes_out_by_itself": 17,
}


def guards_asked_only_before_the_lease(patch: pytest.MonkeyPatch) -> Variant:
    """Whatever the tick found good is good enough at hand-over (I6)."""

    def ask(seen: Snapshot, _guards: Sequence[tuple[str, Guard]]) -> Trace:
        return Trace((Answered(GUARDS[0][0], "pass", ""),), Pass(str(seen.now)))

    patch.setattr(permit, "ask", ask)
    return Variant()


def no_compare_and_set(patch: pytest.MonkeyPatch) -> Variant:
    """A tick that looks in one transaction and writes in the next, over whatever is there by then (I9)."""
    move = EnrollmentDoor.move

    def over_anything(self: EnrollmentDoor, wanted: Sequence[EnrollmentMove]) -> frozenset[EnrollmentId]:
        now = self.rows([each.id for each in wanted])
        return move(self, [replace(each, seen_version=now[each.id].seen.version) for each in wanted])

    patch.setattr(EnrollmentDoor, "move", over_anything)
    return Variant(tick=StaleTick)


@dataclass(frozen=True, slots=True)
class StaleTick(Tick):
    """Looks, lets go, writes."""

    def run(self, now: datetime, *, made_up_clock: bool = False) -> TickCount:
        """As the product's, but for the gap."""
        with self.open_uow() as uow:
            if clock_mark.begin(uow, now, made_up_clock) is not None:
                return TickCount()
            seen = uow.snapshots.of_enrollments(uow.enrollments.claim_due(now, 100), now)
        reach("tick.committed")
        with self.open_uow() as uow:
            return tick._write(uow, {i: walk.walk(each) for i, each in seen.items()}, now)


def a_retry_is_a_step(patch: pytest.MonkeyPatch) -> Variant:
    """What failed for now moves the follow-up on as if it had been said (I11)."""
    again = record._again

    def and_on(sheet: Any, held: Any, result: Any, now: datetime, answer: Any) -> Any:
        done = again(sheet, held, result, now, answer)
        record._advance(sheet, held, now, now)
        return done

    patch.setattr(record, "_again", and_on)
    return Variant()


def an_unknown_outcome_is_tried_again_blindly(patch: pytest.MonkeyPatch) -> Variant:
    """A timeout counts as not sent (I13)."""
    settle = record._settle

    def blindly(sheet: Any, held: Any, result: Any, now: datetime) -> Any:
        if isinstance(result.answer, Unknown):
            result = replace(result, answer=Transient(Why.NO_ANSWER))
        return settle(sheet, held, result, now)

    patch.setattr(record, "_settle", blindly)
    return Variant()


def a_stop_leaves_the_outbox_alone(patch: pytest.MonkeyPatch) -> Variant:
    """The follow-up ends, and what it has queued stays there (I8)."""
    patch.setattr(OutboxDoor, "cancel_waiting", lambda *_: ())
    return Variant()


def an_outage_uses_up_attempts(patch: pytest.MonkeyPatch) -> Variant:
    """A provider that is down counts against each message (I12)."""

    def counted(sheet: Any, held: Any, result: Any, now: datetime, why: Why, code: str) -> None:
        if held.attempts >= MAX_ATTEMPTS:
            record._failed(sheet, held, result, now, why, code, bad_address=False)
        else:
            record._queued(sheet, held, now + breaker.AGAIN, Why.CHANNEL_PAUSED, {}, held.attempts)

    patch.setattr(record, "_put_back", counted)
    return Variant()


def no_look_before_the_call(_patch: pytest.MonkeyPatch) -> Variant:
    """A stop that comes between note and call is not seen."""
    return Variant(last_look=False)


def an_old_note_is_good_for_ever(patch: pytest.MonkeyPatch) -> Variant:
    """A worker that slept after its note makes the call all the same."""
    patch.setattr(deliver, "NOTE_GOOD_FOR_S", 1e9)
    return Variant()


def a_lease_that_ran_out_means_not_sent(patch: pytest.MonkeyPatch) -> Variant:
    """Nobody asks the provider what became of it (I13)."""
    patch.setattr(Reconcile, "_ask", lambda _self, _note: Absent(sure=True))
    return Variant()


def a_hold_that_lifts_ends_the_wait(patch: pytest.MonkeyPatch) -> Variant:
    """A hold with a date cuts the wait short in which it falls."""

    def cut_short(seen: Snapshot, enrollment: Any, step: Any, logs: Any) -> Any:
        if enrollment.waits_for is WaitsFor.TIME:
            return at_step(enrollment, getattr(step, "next", None) or step.no, seen.now)
        return waited(seen, enrollment, step, logs)

    patch.setattr(walk, "waited", cut_short)
    return Variant()


def the_answer_moves_nothing_on(patch: pytest.MonkeyPatch) -> Variant:
    """The message is recorded and its follow-up forgotten: it would sleep for ever."""
    patch.setattr(record, "_advance", lambda *_: None)
    return Variant()


FAULTS: Mapping[str, Fault] = {
    plant.__name__: Fault(plant, CAUGHT_BY.get(plant.__name__, 0))
    for plant in (
        guards_asked_only_before_the_lease,
        no_compare_and_set,
        a_retry_is_a_step,
        an_unknown_outcome_is_tried_again_blindly,
        a_stop_leaves_the_outbox_alone,
        an_outage_uses_up_attempts,
        no_look_before_the_call,
        an_old_note_is_good_for_ever,
        a_lease_that_ran_out_means_not_sent,
        a_hold_that_lifts_ends_the_wait,
        the_answer_moves_nothing_on,
        *RULES,
    )
}
