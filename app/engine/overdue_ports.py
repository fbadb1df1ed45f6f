"""What deciding about overdue follow-ups needs of the store. As office_ports.py, apart from it for its length."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from app.domain.ids import EnrollmentId, MessageId
from app.domain.lines import OverdueLine
from app.engine.ports import UnitOfWork


@dataclass(frozen=True, slots=True)
class OverdueMessage:
    """A message in the outbox that is held as overdue, as it must be known to be moved."""

    id: MessageId
    version: int
    enrollment_id: EnrollmentId
    attempts: int
    possible_duplicate: bool


class OverdueRows(Protocol):
    """The door to what is overdue."""

    def messages(self, ids: Collection[EnrollmentId]) -> Sequence[OverdueMessage]:
        """The messages of these follow-ups that are in the outbox and held as overdue, locked in id order."""
        ...


class OverdueUow(UnitOfWork, Protocol):
    """A transaction in which staff decide about what is overdue."""

    overdue: OverdueRows


class OverdueReads(Protocol):
    """A SELECT of one read transaction, beside those of `office_ports.Reads`, which has it too."""

    def overdue(self, now: datetime) -> Sequence[OverdueLine]:
        """What came too late to go out by itself and waits for staff, oldest first."""
        ...
