"""What one transaction is about to write, collected and then written in one go a table, never row by row."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from app.engine.ports import EnrollmentMove, LogLine, MessageMove, ProblemNote, UnitOfWork


@dataclass(slots=True)
class Sheet:
    """Collected pictures, log lines and problems, of rows that are locked or were read in this very transaction."""

    messages: list[MessageMove] = field(default_factory=list)
    enrollments: list[EnrollmentMove] = field(default_factory=list)
    lines: list[LogLine] = field(default_factory=list)
    problems: list[ProblemNote] = field(default_factory=list)

    def write(self, uow: UnitOfWork, now: datetime) -> None:
        """Write everything, enrollments before messages.

        Raises RuntimeError when a row changed under its lock: the transaction is rolled back whole.
        """
        written = uow.enrollments.move(self.enrollments)
        if len(written) != len(self.enrollments):
            raise RuntimeError("an enrollment changed under its lock")
        moved = uow.outbox.move(self.messages, now)
        if len(moved) != len(self.messages):
            raise RuntimeError("a message changed under its lock")
        uow.log.add(self.lines)
        uow.log.problem(self.problems)
