"""What a call's end needs of the store; store/calls.py. A part of ports.py."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from app.domain.ids import AttemptId, EnrollmentId, MessageId, PersonId, StepId
from app.domain.reasons import Why
from app.domain.states import Channel, MessageState
from app.domain.verdict import Trace
from app.engine.stop_ports import AcceptedNote


@dataclass(frozen=True, slots=True)
class CallRow:
    """The message of one call as it stands.

    to: the number that was called; None while nobody was. outcome: the word of how it ended, "" while it has not;
    over_at, over_by: when it was over, and who said so. reason: why it was cancelled, failed or not answered.
    """

    message_id: MessageId
    version: int
    person_id: PersonId
    enrollment_id: EnrollmentId | None
    step: StepId | None
    pass_no: int
    channel: Channel
    state: MessageState
    attempts: int
    to: str | None
    provider: str | None
    outcome: str
    reason: Why | None
    over_at: datetime | None
    over_by: str


@dataclass(frozen=True, slots=True)
class CallNote:
    """A call that somebody has made themselves, to be noted as an attempt (I7). key: ours, unique.

    body: what they were to say; to: the number.
    """

    row: CallRow
    key: str
    provider: str
    to: str
    subject: str
    body: str
    trace: Trace


class CallRows(Protocol):
    """Messages that are calls."""

    def find(self, message_id: MessageId) -> CallRow | None:
        """The message as it stands, not locked; None when there is none of that id."""
        ...

    def locked(self, message_id: MessageId) -> CallRow | None:
        """The same, its row locked. People and follow-ups must be locked before (engine/ports.py)."""
        ...

    def note(self, note: CallNote, now: datetime) -> AttemptId | None:
        """The open attempt of a call that waits in the outbox; None when its version does not stand any more (I9)."""
        ...

    def silent(self, before: datetime, limit: int) -> Sequence[AcceptedNote]:
        """Calls that a provider took before that, of which nobody has said how they ended, oldest first."""
        ...
