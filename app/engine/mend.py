"""Takes problems off the list: those that somebody has looked at, and those whose cause is gone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from app.engine.ports import LogLine, UnitOfWork
from app.engine.problem_rows import OpenProblem

BY_ITSELF = ""


def mend(uow: UnitOfWork, now: datetime) -> int:
    """Solve what the rows show to be over, each with its line in the log; how many."""
    return solve(uow, uow.log.gone(now), now, BY_ITSELF, "cause gone")


def solve(uow: UnitOfWork, problems: Sequence[OpenProblem], now: datetime, by: str, because: str) -> int:
    """Mark as solved and write down by whom. problems: open, locked by the transaction."""
    if not problems:
        return 0
    uow.log.add(
        [
            LogLine(
                now,
                "problem.solved",
                by,
                person_id=each.note.person_id,
                enrollment_id=each.note.enrollment_id,
                message_id=each.note.message_id,
                inbox_event_id=each.note.inbox_event_id,
                facts={"problem": each.id, "why": each.note.why.value, "because": because},
            )
            for each in problems
        ]
    )
    return uow.log.solve([each.id for each in problems], now, by)
