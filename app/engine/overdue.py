"""What staff decide about follow-ups that are overdue: release, skip, re-time, many in one transaction.

People are locked first, then follow-ups, then messages. What somebody else has moved meanwhile, or what is not overdue
any more, is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from app.domain.errors import OperatorError
from app.domain.ids import EnrollmentId, PersonId
from app.domain.journey import CONTACT_STEPS
from app.domain.reasons import Why
from app.domain.snapshot import Snapshot
from app.domain.states import EnrollmentState, MessageState, WaitsFor
from app.domain.waits import MAX_DAYS
from app.engine import moves
from app.engine.overdue_ports import OverdueMessage, OverdueUow
from app.engine.ports import EnrollmentMove, EnrollmentRow, LogLine, MessageMove, UnitOfWork

AT_ONCE = 500  # snapshots in one go


@dataclass(frozen=True, slots=True)
class _Found:
    """What is overdue of what was asked for. messages: by their follow-up's id."""

    rows: Mapping[EnrollmentId, EnrollmentRow]
    messages: Mapping[EnrollmentId, OverdueMessage]


@dataclass(slots=True)
class _Sheet:
    enrollments: list[EnrollmentMove] = field(default_factory=list)
    messages: list[MessageMove] = field(default_factory=list)
    lines: list[LogLine] = field(default_factory=list)


def release(uow: OverdueUow, ids: Collection[EnrollmentId], by: str, now: datetime) -> int:
    """They go out as usual: asked again at once, in hours, under the caps; how many."""
    return _timed(uow, ids, now, by, now, "overdue.released")


def retime(uow: OverdueUow, ids: Collection[EnrollmentId], at: datetime, by: str, now: datetime) -> int:
    """They are asked at `at`, and are not late before; how many.

    Raises OperatorError when `at` is not ahead, or further ahead than a journey may wait: what nobody now here will see
    is no plan, and a follow-up has to end.
    """
    if at <= now:
        raise OperatorError("A new time lies ahead.", "Give a later one, or release them to go out now.")
    if at > now + timedelta(days=MAX_DAYS):
        raise OperatorError(
            f"A new time lies at most {MAX_DAYS} days ahead.", "Give an earlier one, skip them, or stop the follow-up."
        )
    return _timed(uow, ids, at, by, now, "overdue.retimed")


def skip(uow: OverdueUow, ids: Collection[EnrollmentId], by: str, now: datetime) -> int:
    """The step that is overdue is not said; the journey goes on at the next one, counted from now; how many."""
    found = _overdue(uow, ids)
    sheet = _Sheet()
    for enrollment_id, seen in _snapshots(uow, sorted(found.rows), now).items():
        step = seen.step
        if seen.enrollment is None or not isinstance(step, CONTACT_STEPS):
            continue
        on = moves.moved(seen.enrollment, step=step.next, waits_for=WaitsFor.NOTHING, entered_at=now, wake_at=now)
        sheet.enrollments.append(on)
        message = found.messages.get(enrollment_id)
        if message is not None:
            sheet.messages.append(_message(message, MessageState.CANCELLED, reason=Why.SKIPPED_BY_STAFF))
        person_id = found.rows[enrollment_id].person_id
        sheet.lines.append(_line(enrollment_id, person_id, message, "overdue.skipped", by, now, {"step": step.id}))
    return _write(uow, sheet, now)


def _timed(uow: OverdueUow, ids: Collection[EnrollmentId], at: datetime, by: str, now: datetime, event: str) -> int:
    found = _overdue(uow, ids)
    sheet = _Sheet()
    for enrollment_id, row in found.rows.items():
        message = found.messages.get(enrollment_id)
        if message is None:
            sheet.enrollments.append(moves.timed(row.seen, at))
        else:
            sheet.messages.append(_message(message, MessageState.QUEUED, try_at=at))
        facts = {"step": row.seen.step, "at": at.isoformat()}
        sheet.lines.append(_line(enrollment_id, row.person_id, message, event, by, now, facts))
    return _write(uow, sheet, now)


def _overdue(uow: OverdueUow, ids: Collection[EnrollmentId]) -> _Found:
    """Those of `ids` that are overdue, read under their locks."""
    people = {row.person_id for row in uow.enrollments.rows(ids).values()}
    uow.people.lock(sorted(people), to_write=True)
    uow.enrollments.lock(sorted(ids))
    rows = {each: row for each, row in uow.enrollments.rows(ids).items() if row.seen.state is EnrollmentState.ACTIVE}
    waiting = [each for each, row in rows.items() if row.seen.waits_for is WaitsFor.MESSAGE]
    messages = {each.enrollment_id: each for each in uow.overdue.messages(waiting)}
    overdue = {each: row for each, row in rows.items() if row.seen.hold_why is Why.OVERDUE or each in messages}
    return _Found(overdue, messages)


def _snapshots(uow: UnitOfWork, ids: Sequence[EnrollmentId], now: datetime) -> Mapping[EnrollmentId, Snapshot]:
    found: dict[EnrollmentId, Snapshot] = {}
    for start in range(0, len(ids), AT_ONCE):
        found.update(uow.snapshots.of_enrollments(ids[start : start + AT_ONCE], now))
    return found


def _message(
    seen: OverdueMessage, state: MessageState, *, try_at: datetime | None = None, reason: Why | None = None
) -> MessageMove:
    return MessageMove(
        id=seen.id,
        seen_version=seen.version,
        state=state,
        attempts=seen.attempts,
        try_at=try_at,
        reason=reason,
        possible_duplicate=seen.possible_duplicate,
    )


def _line(
    enrollment_id: EnrollmentId,
    person_id: PersonId,
    message: OverdueMessage | None,
    event: str,
    by: str,
    now: datetime,
    facts: Mapping[str, str],
) -> LogLine:
    message_id = None if message is None else message.id
    return LogLine(now, event, by, person_id, enrollment_id, message_id, facts=dict(facts))


def _write(uow: UnitOfWork, sheet: _Sheet, now: datetime) -> int:
    """One statement a table. Everything is locked, so that nothing is stale; how many follow-ups it concerns."""
    written = uow.enrollments.move(sheet.enrollments)
    moved = uow.outbox.move(sheet.messages, now)
    if len(written) != len(sheet.enrollments) or len(moved) != len(sheet.messages):
        raise RuntimeError("an overdue follow-up changed under its lock")
    uow.log.add(sheet.lines)
    return len(sheet.lines)
