"""Steps that wait: for a time, for a tick of staff, for something to become true. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta

from app.domain.condition import holds
from app.domain.condition_changes import changes_at, looks_elsewhere
from app.domain.errors import OperatorError
from app.domain.journey import CallStep, TaskStep, WaitForStep, WaitStep, wait_of
from app.domain.snapshot import EnrollmentSeen, Snapshot
from app.domain.states import WaitsFor
from app.domain.waits import RelativeToRecord, due_after
from app.engine import moves
from app.engine.ports import EnrollmentMove, LogLine
from app.engine.walking import Walked, at_step, log_line, parts_of

# how often a wait for the end of another journey is asked again: that end wakes nobody
LOOK_AGAIN = timedelta(hours=1)

Waiting = WaitStep | TaskStep | WaitForStep


def over_at(seen: Snapshot, step: Waiting) -> datetime:
    """When the wait that the enrollment is in is over, by the hours, the zone and the records of now (RULES F12).

    Raises OperatorError when that can't be told, such as for a record without a time, or a task without a limit.
    """
    enrollment, _ = parts_of(seen)
    wait = wait_of(step)
    if wait is None:
        raise OperatorError(f"step {step.id!r} waits without a limit", "Give it up_to, and publish the journey again.")
    record_at = seen.record_at.get(str(wait.record)) if isinstance(wait, RelativeToRecord) else None
    return due_after(wait, enrollment.step_entered_at, seen.location.hours, record_at)


def waited(seen: Snapshot, enrollment: EnrollmentSeen, step: Waiting, logs: list[LogLine]) -> Walked | EnrollmentSeen:
    """Wait at `step`, or go on: when its time is over, or what it waits for is so."""
    if isinstance(step, WaitForStep) and holds(step.condition, seen.facts, seen.now):
        logs.append(log_line(seen, "step.waited_for", {"step": step.id, "answer": "yes"}))
        first = enrollment.waits_for is WaitsFor.NOTHING
        return at_step(enrollment, step.yes, enrollment.step_entered_at if first else seen.now)
    due = over_at(seen, step)
    if due <= seen.now:
        return _over(seen, enrollment, step, max(due, enrollment.step_entered_at), logs)
    told_already = enrollment.waits_for is WaitsFor.TIME and (
        due in (enrollment.wake_at, enrollment.hold_until) or isinstance(step, WaitForStep)
    )
    if not told_already:
        event = "task.asked" if isinstance(step, TaskStep) else "step.waiting"
        logs.append(log_line(seen, event, {"step": step.id, "until": due.isoformat()}))
    return Walked(waiting(enrollment, step, _asked_next(seen, step, due)), logs=tuple(logs))


def waiting(enrollment: EnrollmentSeen, step: Waiting | CallStep, until: datetime) -> EnrollmentMove:
    """Waits at `step` until then."""
    entered_at = enrollment.step_entered_at
    return moves.moved(enrollment, step=step.id, waits_for=WaitsFor.TIME, entered_at=entered_at, wake_at=until)


def _over(
    seen: Snapshot, enrollment: EnrollmentSeen, step: Waiting, at: datetime, logs: list[LogLine]
) -> EnrollmentSeen:
    match step:
        case WaitStep():
            return at_step(enrollment, step.next, at)
        case TaskStep():
            logs.append(log_line(seen, "task.not_done", {"step": step.id}))
            return at_step(enrollment, step.next, at)
        case WaitForStep():
            logs.append(log_line(seen, "step.waited_for", {"step": step.id, "answer": "no"}))
            return at_step(enrollment, step.no, at)


def _asked_next(seen: Snapshot, step: Waiting, due: datetime) -> datetime:
    """At its end, or before it: as soon as time alone may make it true, and now and then for what nobody tells."""
    if not isinstance(step, WaitForStep):
        return due
    turns = changes_at(step.condition, seen.facts, seen.now)
    asked = due if turns is None else min(due, turns)
    return min(asked, seen.now + LOOK_AGAIN) if looks_elsewhere(step.condition) else asked
