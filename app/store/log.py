"""The door to the append-only log and to the problem list. The log's seals: seals.py."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy import bindparam
from sqlalchemy.engine import Connection

from app.domain.ids import ProblemId
from app.engine.ports import LogLine, OpenProblem, ProblemNote
from app.store import problems
from app.store.columns import UtcDateTime, among
from app.store.door import Door
from app.store.memory import Memory
from app.store.tables import log_entry
from app.store.tables import problem as b

_ADD: Final = sa.insert(log_entry)
# RETURNING makes it one statement for many rows, which is what PostgreSQL wants and SQLite does not (ENGINE C3, C4)
_ADD_AT_ONCE: Final = _ADD.returning(log_entry.c.id)
_SOLVE: Final = (
    sa.update(b)
    .where(among(b.c.id, "ids"), b.c.solved_at.is_(None))
    .values(solved_at=bindparam("now", type_=UtcDateTime()), solved_by=bindparam("who"))
)
_OVER: Final = (
    sa.update(b)
    .where(b.c.key == bindparam("of"), b.c.solved_at.is_(None))
    .values(solved_at=bindparam("now", type_=UtcDateTime()), solved_by=bindparam("who"))
)


class LogDoor(Door):
    """Implements ports.Log."""

    def __init__(self, connection: Connection, memory: Memory) -> None:
        super().__init__(connection, memory)
        self._lines: list[LogLine] = []

    def add(self, lines: Sequence[LogLine]) -> None:
        """Append (I15). Lines are kept together until the end of the transaction: nothing in it reads them."""
        self._lines += lines

    def flush(self) -> None:
        """Write what was added, in the order in which it came."""
        lines, self._lines = self._lines, []
        if lines:
            self._connection.execute(
                _ADD if self._is_sqlite else _ADD_AT_ONCE,
                [
                    {
                        "at": line.at,
                        "event": line.event,
                        "actor": line.actor,
                        "person_id": line.person_id,
                        "enrollment_id": line.enrollment_id,
                        "message_id": line.message_id,
                        "attempt_id": line.attempt_id,
                        "inbox_event_id": line.inbox_event_id,
                        "journey_id": line.journey_id,
                        "facts": dict(line.facts),
                    }
                    for line in lines
                ],
            )

    def problem(self, notes: Sequence[ProblemNote]) -> None:
        """Put on the list what is not on it yet."""
        if notes:
            self._connection.execute(
                self._absent(b),
                [
                    {
                        "key": problem_key(note),
                        "at": note.at,
                        "why": note.why.value,
                        "person_id": note.person_id,
                        "enrollment_id": note.enrollment_id,
                        "message_id": note.message_id,
                        "inbox_event_id": note.inbox_event_id,
                        "facts": dict(note.facts),
                    }
                    for note in notes
                ],
            )

    def solve(self, problem_ids: Collection[ProblemId], now: datetime, by: str) -> int:
        """Mark as looked at; how many were open."""
        return self._connection.execute(_SOLVE, {"ids": problem_ids, "now": now, "who": by}).rowcount

    def over(self, note: ProblemNote, by: str) -> bool:
        """What `note` says is over at its time: off the list; False when it was not on it."""
        given = {"of": problem_key(note), "now": note.at, "who": by}
        return self._connection.execute(_OVER, given).rowcount == 1

    def open_problems(self, problem_ids: Collection[ProblemId]) -> Sequence[OpenProblem]:
        """Those of `problem_ids` that are on the list, locked."""
        return problems.open_problems(self._connection, problem_ids)

    def gone(self, now: datetime) -> Sequence[OpenProblem]:
        """What is on the list and whose cause is gone, locked."""
        return problems.gone(self._connection, now)


def problem_key(note: ProblemNote) -> str:
    """What a problem is about. Two notes with one key are the same problem.

    The person counts only where nothing nearer is named, and where nobody is the channel or the source: each its own.
    """
    nearest = [("e", note.enrollment_id), ("m", note.message_id), ("i", note.inbox_event_id)]
    named = [f"{letter}{number}" for letter, number in nearest if number is not None]
    if not named and note.person_id is not None:
        named = [f"p{note.person_id}"]
    if not named:
        named = [note.facts[name] for name in ("channel", "source") if name in note.facts][:1]
    return " ".join((note.why.value, *named))
