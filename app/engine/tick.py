"""Tick: claim due enrollments in batches, ask the guards, walk each to a queued message, a hold, a wait or an end.

One batch is one transaction. One enrollment's fault goes to the problem list and never stops its batch.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from app.domain.errors import OperatorError, StopwellError, StoreError
from app.domain.ids import EnrollmentId, PersonId
from app.domain.reasons import Why
from app.domain.snapshot import EnrollmentSeen
from app.domain.states import LIVE, TERMINAL, EnrollmentState
from app.domain.verdict import Hold
from app.engine import moves
from app.engine.checkpoints import reach
from app.engine.clock_mark import begin
from app.engine.expired import expired
from app.engine.ports import LogLine, OpenUow, ProblemNote, UnitOfWork
from app.engine.walk import walk
from app.engine.walking import Walked

log = logging.getLogger(__name__)

BATCH = 100
TROUBLE_AGAIN = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class TickCount:
    """What one tick did. claimed: enrollments that were due; paused: the reason why nothing was."""

    claimed: int = 0
    queued: int = 0
    held: int = 0
    ended: int = 0
    problems: int = 0
    paused: Why | None = None

    def __add__(self, other: TickCount) -> TickCount:
        return TickCount(
            self.claimed + other.claimed,
            self.queued + other.queued,
            self.held + other.held,
            self.ended + other.ended,
            self.problems + other.problems,
            self.paused or other.paused,
        )


@dataclass(frozen=True, slots=True)
class Tick:
    """Claims and walks what is due. stopping: asked between batches; True ends the run in good order."""

    open_uow: OpenUow
    stopping: Callable[[], bool] = field(default=lambda: False)
    batch: int = BATCH

    def run(self, now: datetime, *, made_up_clock: bool = False) -> TickCount:
        """Walk everything that is due at `now` (aware, UTC).

        made_up_clock: `now` is a virtual time, so the clock guard takes it as the truth.
        """
        total = TickCount()
        while not self.stopping():
            count = self._one_batch(now, made_up_clock)
            total += count
            if count.claimed < self.batch or count.paused is not None:
                break
        return total

    def _one_batch(self, now: datetime, made_up_clock: bool) -> TickCount:
        reach("tick.before_claim")
        ids: Collection[EnrollmentId] = ()
        try:
            with self.open_uow() as uow:
                paused = begin(uow, now, made_up_clock)
                if paused is not None:
                    return TickCount(paused=paused)
                ids = uow.enrollments.claim_due(now, self.batch)
                if not ids:
                    return TickCount()
                reach("tick.claimed")
                count = _walk_batch(uow, ids, now)
                reach("tick.before_commit")
        except StoreError:
            raise
        except Exception:
            log.exception("tick.batch_failed")
            return self._one_by_one(ids, now)
        reach("tick.committed")
        return count

    def _one_by_one(self, ids: Collection[EnrollmentId], now: datetime) -> TickCount:
        """A batch that failed as a whole, again one enrollment a transaction: only the faulty one stays behind."""
        total = TickCount()
        for enrollment_id in ids:
            try:
                with self.open_uow() as uow:
                    uow.enrollments.lock([enrollment_id])
                    total += _walk_batch(uow, [enrollment_id], now)
            except StoreError:
                raise
            except Exception as fault:
                log.exception("tick.enrollment_failed")
                with self.open_uow() as uow:
                    uow.enrollments.lock([enrollment_id])
                    for row in uow.enrollments.rows([enrollment_id]).values():  # a snapshot may be what can't be read
                        if row.seen.state in LIVE:
                            _put_aside(uow, row.seen, row.person_id, fault, now)
                total += TickCount(claimed=1, problems=1)
        return total


def _walk_batch(uow: UnitOfWork, ids: Collection[EnrollmentId], now: datetime) -> TickCount:
    snapshots = uow.snapshots.of_enrollments(ids, now)
    walked: dict[EnrollmentId, Walked] = {}
    problems = 0
    for enrollment_id in ids:
        seen = snapshots.get(enrollment_id)
        if seen is None:
            continue
        try:
            walked[enrollment_id] = walk(seen)
        except Exception as fault:
            if not isinstance(fault, OperatorError):  # what staff can mend the problem list tells; the log need not
                log.exception("tick.walk_failed")
            if seen.enrollment is not None:
                _put_aside(uow, seen.enrollment, seen.person.id, fault, now)
            problems += 1
    count = _write(uow, walked, now)
    uow.log.problem([expired(snapshots[each]) for each, done in walked.items() if _has_expired(done)])
    return count + TickCount(claimed=len(ids), problems=problems)


def _has_expired(walked: Walked) -> bool:
    return walked.move is not None and walked.move.end_detail is Why.EXPIRED


def _write(uow: UnitOfWork, walked: Mapping[EnrollmentId, Walked], now: datetime) -> TickCount:
    wanted = [each.move for each in walked.values() if each.move is not None]
    written = uow.enrollments.move(wanted)
    done = {enrollment_id: walked[enrollment_id] for enrollment_id in written}
    drafts = [each.draft for each in done.values() if each.draft is not None]
    new = uow.outbox.add(drafts, now) if drafts else frozenset()
    ended = [move.id for move in wanted if move.id in written and move.state in TERMINAL]
    if ended:
        uow.outbox.cancel_waiting(ended, Why.FOLLOW_UP_ENDED, None, now)
        uow.outbox.request_stop(ended, None, now)
    lines = [line for each in done.values() for line in each.logs]
    lines += [
        _queued(each, now) for each in done.values() if each.draft is not None and each.draft.enrollment_id in new
    ]
    uow.log.add(lines)
    held = sum(1 for move in wanted if move.id in written and move.hold_why is not None)
    return TickCount(queued=len(new), held=held, ended=len(ended))


def _queued(each: Walked, now: datetime) -> LogLine:
    draft = each.draft
    if draft is None:
        raise ValueError("no message was drafted")
    facts = {"step": draft.step, "channel": draft.channel.value, "pass": draft.pass_no}
    return LogLine(
        now,
        "message.queued",
        person_id=draft.person_id,
        enrollment_id=draft.enrollment_id,
        facts=facts,
    )


def _put_aside(uow: UnitOfWork, seen: EnrollmentSeen, person_id: PersonId, fault: Exception, now: datetime) -> None:
    """Hold the enrollment for an hour and put it on the problem list, with the reason in words where there are any.

    One whose hold with a date is over is active again, as it would be without the fault. Any other hold stays.
    """
    if seen.state is EnrollmentState.PAUSED and (seen.paused_until is None or seen.paused_until > now):
        return
    because = fault.told if isinstance(fault, StopwellError) else type(fault).__name__
    hold = Hold(now + TROUBLE_AGAIN, Why.TROUBLE, {"because": because})
    active = replace(seen, state=EnrollmentState.ACTIVE, paused_until=None)
    uow.enrollments.move([moves.held(active, hold, now)])
    note = ProblemNote(now, Why.TROUBLE, person_id=person_id, enrollment_id=seen.id, facts={"because": because})
    uow.log.problem([note])
