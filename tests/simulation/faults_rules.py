"""More wrong engines: rules that are not asked, stops that reach too little, moves that lose count."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from app.domain import moving
from app.domain.answer import Absent
from app.domain.guards import Guard
from app.domain.guards import ask as ask_all
from app.domain.ids import EnrollmentId
from app.domain.proof import rests
from app.domain.reasons import Why
from app.domain.snapshot import Snapshot
from app.domain.verdict import Trace
from app.engine import permit, record, walk
from app.engine.reconcile import Reconcile
from app.store import tables as t
from app.store.log import LogDoor
from app.store.office_imports import Undo
from app.store.outbox import OutboxDoor
from app.store.people import PeopleDoor
from tests.simulation.workers import Variant


def without(patch: pytest.MonkeyPatch, *names: str, tick: bool = True) -> Variant:
    """A guard that is not asked: at permission, and by the tick neither."""

    def leaving_out(real: Any) -> Any:
        def ask(seen: Snapshot, guards: Sequence[tuple[str, Guard]]) -> Trace:
            asked: Trace = real(seen, [each for each in guards if each[0] not in names])
            return asked

        return ask

    patch.setattr(permit, "ask", leaving_out(ask_all))
    if tick:
        patch.setattr(walk, "ask", leaving_out(ask_all))
    return Variant()


def hours_are_asked_only_when_it_is_queued(patch: pytest.MonkeyPatch) -> Variant:
    """What was in hours when it was planned is good at any time (I6)."""
    return without(patch, "clinic_hours", "legal_hours", tick=False)


def a_reply_holds_only_what_is_not_planned_yet(patch: pytest.MonkeyPatch) -> Variant:
    """Somebody who is with staff gets what was in the outbox already (I6)."""
    return without(patch, "nobody_handling", tick=False)


def consent_is_taken_for_granted(patch: pytest.MonkeyPatch) -> Variant:
    """A number is as good as a yes."""
    return without(patch, "consent_given")


def what_is_overdue_goes_out_by_itself(patch: pytest.MonkeyPatch) -> Variant:
    """A computer that was off for a week says everything at once when it is on again."""
    return without(patch, "not_overdue")


def everybody_speaks_at_once(patch: pytest.MonkeyPatch) -> Variant:
    """A person is in two marketing journeys, and hears both."""
    return without(patch, "one_at_a_time")


def a_try_is_given_back_in_the_log_alone(patch: pytest.MonkeyPatch) -> Variant:
    """A provider's bad hour is told as such and counted all the same (I12)."""
    patch.setattr(OutboxDoor, "give_back", lambda _self, ids, *_: frozenset(ids))
    return Variant()


def the_call_comes_before_the_note(_patch: pytest.MonkeyPatch) -> Variant:
    """The provider is called while the note of it is not committed (I7)."""
    return Variant(calls_first=True)


def a_lease_never_runs_out(patch: pytest.MonkeyPatch) -> Variant:
    """What a worker held when it died stays its own (I13)."""
    patch.setattr(OutboxDoor, "release_expired", lambda *_: 0)
    return Variant()


def an_attempt_that_ran_out_is_never_looked_up(patch: pytest.MonkeyPatch) -> Variant:
    """What was on its way when a worker died stays there (I13)."""
    patch.setattr(OutboxDoor, "expired_sending", lambda *_: ())
    return Variant()


def a_list_that_lags_is_believed(patch: pytest.MonkeyPatch) -> Variant:
    """Not there yet is taken for never there (I13)."""
    ask = Reconcile._ask

    def believing(self: Reconcile, note: Any) -> Any:
        found = ask(self, note)
        return Absent(sure=True) if isinstance(found, Absent) else found

    patch.setattr(Reconcile, "_ask", believing)
    return Variant()


def a_stop_cancels_only_what_is_queued(patch: pytest.MonkeyPatch) -> Variant:
    """What some worker has leased is none of its business (I8)."""
    cancel = OutboxDoor.cancel_waiting

    def only_queued(self: OutboxDoor, ids: Collection[EnrollmentId], *rest: Any) -> Any:
        asked = sa.select(t.message.c.enrollment_id).where(t.message.c.state == "leased")
        leased = set(self._connection.execute(asked).scalars())
        return cancel(self, [each for each in ids if each not in leased], *rest)

    patch.setattr(OutboxDoor, "cancel_waiting", only_queued)
    return Variant()


def a_stop_forgets_what_is_on_its_way(patch: pytest.MonkeyPatch) -> Variant:
    """What was noted before the stop is tried again after it (I8)."""
    patch.setattr(OutboxDoor, "request_stop", lambda *_: ())
    return Variant()


def an_opt_out_belongs_to_a_person(patch: pytest.MonkeyPatch) -> Variant:
    """The address is not put on the list, so whoever else has it hears on (I10)."""
    patch.setattr(PeopleDoor, "suppress", lambda *_: True)
    return Variant()


def a_fourth_try(patch: pytest.MonkeyPatch) -> Variant:
    """Three attempts, and one more (I11)."""
    patch.setattr(record, "MAX_ATTEMPTS", 4)
    return Variant()


def whoever_moves_gets_a_whole_budget(patch: pytest.MonkeyPatch) -> Variant:
    """What was said already is given once more (I5)."""

    def whole(journey: Any) -> Any:
        found = rests(journey)
        return dict.fromkeys(found, found[journey.start])

    patch.setattr(moving, "rests", whole)
    return Variant()


def a_move_starts_every_wait_anew(patch: pytest.MonkeyPatch) -> Variant:
    """Waits that nobody changed are rescheduled with the others."""
    moved = moving._moved

    def anew(each: Any, rest: Any, due: Any, now: datetime, **more: Any) -> Any:
        done = moved(each, rest, due, now, **more)
        return done if done.wake_at is None else replace(done, wake_at=now + timedelta(days=1))

    patch.setattr(moving, "_moved", anew)
    return Variant()


def a_move_forgets_a_changed_wait(patch: pytest.MonkeyPatch) -> Variant:
    """One who is held in a wait that grew leaves it when the hold lifts, by the old length."""
    patch.setattr(moving, "_retimed", lambda *_: False)
    return Variant()


def an_import_is_taken_back_from_under_those_written_to(patch: pytest.MonkeyPatch) -> Variant:
    """Whoever heard something is erased as if they never had (I15)."""
    patch.setattr(Undo, "_refuse_if_noted", lambda *_: None)
    return Variant()


def an_end_leaves_no_line_in_the_log(patch: pytest.MonkeyPatch) -> Variant:
    """Nobody could say afterwards when and why (I15)."""
    add = LogDoor.add

    def silent(self: LogDoor, lines: Sequence[Any]) -> None:
        add(self, [line for line in lines if line.event != "follow_up.ended"])

    patch.setattr(LogDoor, "add", silent)
    return Variant()


def a_stop_is_only_logged(patch: pytest.MonkeyPatch) -> Variant:
    """An attempt that comes back after a stop is queued again instead of cancelled (I8)."""
    cancelled = record._cancelled

    def again(sheet: Any, held: Any, result: Any, now: datetime, why: Why, attempts: int) -> None:
        if why is Why.FOLLOW_UP_ENDED:
            record._queued(sheet, held, now, Why.TRY_AGAIN, {}, attempts)
        else:
            cancelled(sheet, held, result, now, why, attempts)

    patch.setattr(record, "_cancelled", again)
    return Variant()


def what_was_looked_up_late_goes_out_by_itself(patch: pytest.MonkeyPatch) -> Variant:
    """What was on its way when the power failed is tried again at once, days later (I6)."""
    queued = record._queued

    def from_now(sheet: Any, held: Any, try_at: Any, why: Why | None, facts: dict[str, str], attempts: int) -> None:
        told = facts.get("until")
        queued(sheet, held, datetime.fromisoformat(told) if told else try_at, why, facts, attempts)

    patch.setattr(record, "_queued", from_now)
    return Variant()


RULES = (
    *(what_is_overdue_goes_out_by_itself, everybody_speaks_at_once),
    *(a_try_is_given_back_in_the_log_alone, the_call_comes_before_the_note),
    *(hours_are_asked_only_when_it_is_queued, a_reply_holds_only_what_is_not_planned_yet, consent_is_taken_for_granted),
    *(a_lease_never_runs_out, an_attempt_that_ran_out_is_never_looked_up, a_list_that_lags_is_believed),
    *(a_stop_cancels_only_what_is_queued, a_stop_forgets_what_is_on_its_way, an_opt_out_belongs_to_a_person),
    *(a_fourth_try, whoever_moves_gets_a_whole_budget, a_move_starts_every_wait_anew, a_move_forgets_a_changed_wait),
    *(an_import_is_taken_back_from_under_those_written_to, an_end_leaves_no_line_in_the_log, a_stop_is_only_logged),
    what_was_looked_up_late_goes_out_by_itself,
)
