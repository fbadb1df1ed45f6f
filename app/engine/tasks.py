"""A task that staff have done: its follow-up goes on at once, in one transaction."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from app.domain.errors import OperatorError
from app.domain.ids import EnrollmentId, PersonId, StepId
from app.domain.journey import TaskStep
from app.domain.snapshot import Snapshot
from app.domain.states import LIVE, WaitsFor
from app.engine import moves
from app.engine.ports import UnitOfWork
from app.engine.walking import log_line, parts_of


@dataclass(frozen=True, slots=True)
class TaskDone:
    """What ticking did. next: the step that the follow-up is at now."""

    enrollment_id: EnrollmentId
    person_id: PersonId
    journey: str
    note: str
    next: StepId


def tick_task(uow: UnitOfWork, enrollment_id: EnrollmentId, by: str, now: datetime) -> TaskDone:
    """The task at which the follow-up stands is done; it goes on from the step behind it.

    One that staff hold stays held, and goes on from there when it is resumed. Raises OperatorError when it waits for no
    task: it was ticked already, its time was over, or the follow-up has ended.
    """
    row = uow.enrollments.rows([enrollment_id]).get(enrollment_id)
    if row is None:
        raise OperatorError(f"There is no task {enrollment_id}.", "stopwell tasks lists them.")
    uow.people.lock([row.person_id], to_write=True)
    uow.enrollments.lock([enrollment_id])
    seen = uow.snapshots.of_enrollments([enrollment_id], now).get(enrollment_id)
    step = None if seen is None else _task(seen)
    if seen is None or step is None:
        ended = seen is not None and seen.enrollment is not None and seen.enrollment.state not in LIVE
        stands = "has ended" if ended else "has gone on"
        raise OperatorError(f"The follow-up of task {enrollment_id} {stands}.", "stopwell tasks lists those that wait.")
    enrollment, journey = parts_of(seen)
    on = moves.moved(enrollment, step=step.next, waits_for=WaitsFor.NOTHING, entered_at=now, wake_at=now)
    if not uow.enrollments.move([on]):
        raise OperatorError(f"Task {enrollment_id} changed meanwhile.", "Look again: stopwell tasks")
    uow.log.add([replace(log_line(seen, "task.done", {"step": step.id}), actor=by)])
    return TaskDone(enrollment.id, seen.person.id, journey.name, step.note, step.next)


def _task(seen: Snapshot) -> TaskStep | None:
    enrollment = seen.enrollment
    waits = enrollment is not None and enrollment.state in LIVE and enrollment.waits_for is WaitsFor.TIME
    return seen.step if waits and isinstance(seen.step, TaskStep) else None
