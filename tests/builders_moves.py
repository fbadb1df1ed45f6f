"""Moves what was built through the product's own doors: leased, permitted, accepted, put back, ended."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from app.domain.guard_parts import purpose_of
from app.domain.ids import AttemptId, EnrollmentId, MessageId, StepId
from app.domain.reasons import Why
from app.domain.states import AttemptAnswer, EnrollmentState, MessageState, WaitsFor
from app.domain.verdict import Answered, Pass, Trace
from app.engine.ports import AttemptNote, AttemptResult, EnrollmentMove, MessageMove, Permission
from app.store import tables as t
from app.store.unit_of_work import EngineUow
from tests.builders_rows import Rows

TOKEN = "worker-1"
TRACE = Trace((Answered("clock_sane", "pass", "first look"),), Pass())


class Moves(Rows):
    """What happens to messages and enrollments."""

    def sending(self, message_id: MessageId, *, at: datetime | None = None, token: str = TOKEN) -> AttemptNote:
        """Lease and permit the message: it is `sending`, with an open attempt."""
        now = at or self.now
        with self.store.open_uow() as uow:
            self.lease(uow, message_id, now, token)
            note = self.permit(uow, message_id, now, token)
        assert note is not None
        return note

    def lease(self, uow: EngineUow, message_id: MessageId, now: datetime, token: str = TOKEN) -> None:
        """Lease what is due, and check that the message is among it."""
        leased = uow.outbox.lease(now, now + timedelta(minutes=1), token, 1000)
        assert message_id in {each.message_id for each in leased}

    def permit(self, uow: EngineUow, message_id: MessageId, now: datetime, token: str = TOKEN) -> AttemptNote | None:
        """Permit a leased message, whatever the guards would say; None when the door leaves it out."""
        seen = uow.snapshots.of_messages([message_id], now)[message_id]
        assert seen.message is not None
        permission = Permission(
            message_id=message_id,
            seen_version=seen.message.version,
            key=f"key-{next(self._counted)}-{message_id}",
            to=seen.person.address(seen.message.channel) or "",
            subject="Hello",
            body="Hi Ana",
            trace=TRACE,
            provider="practice",
            purpose=purpose_of(seen),
            valid_until=seen.message.useful_until,
        )
        notes = uow.outbox.permit([permission], token, now, now + timedelta(minutes=1))
        return notes[0] if notes else None

    def move_message(self, message_id: MessageId, state: MessageState, **parts: Any) -> None:
        """Move a message through its door."""
        row = self.row(t.message, message_id)
        given: dict[str, Any] = {"attempts": row["attempts"]}
        if state is MessageState.ACCEPTED:
            given |= {"accepted_at": self.now, "provider_id": f"P{message_id}"}
        if state in (MessageState.CANCELLED, MessageState.FAILED):
            given |= {"reason": Why.FOLLOW_UP_ENDED}
        with self.store.open_uow() as uow:
            assert uow.outbox.move([MessageMove(message_id, row["version"], state, **(given | parts))], self.now)

    def put_back(self, note: AttemptNote, why: Why = Why.BUSY) -> None:
        """The attempt failed for now: it is closed, and its message queued again with the attempt counted."""
        with self.store.open_uow() as uow:
            held = uow.outbox.in_hand([note.attempt_id])[note.attempt_id]
            move = MessageMove(note.message_id, held.version, MessageState.QUEUED, held.attempts, try_at=self.now)
            assert uow.outbox.move([move], self.now)
            answer = AttemptAnswer.TRANSIENT
            uow.outbox.finish_attempts([AttemptResult(note.attempt_id, answer, why, "", None, self.now, self.now)])

    def accepted(self, message_id: MessageId, *, at: datetime | None = None) -> AttemptId:
        """Send the message and have it accepted."""
        note = self.sending(message_id, at=at)
        self.move_message(message_id, MessageState.ACCEPTED, accepted_at=at or self.now)
        return note.attempt_id

    def end(
        self, enrollment_id: EnrollmentId, state: EnrollmentState = EnrollmentState.STOPPED, why: Why = Why.STAFF_STOP
    ) -> None:
        """End an enrollment through its door."""
        with self.store.open_uow() as uow:
            move = ended_move(self.row(t.enrollment, enrollment_id), state, why, self.now)
            assert uow.enrollments.move([move]) == {enrollment_id}


def ended_move(row: Mapping[str, Any], state: EnrollmentState, why: Why, now: datetime) -> EnrollmentMove:
    """The move that ends the enrollment of `row` where it stands."""
    return EnrollmentMove(
        id=EnrollmentId(row["id"]),
        seen_version=row["version"],
        state=state,
        step=StepId(row["step"]),
        pass_no=row["pass_no"],
        waits_for=WaitsFor.NOTHING,
        step_entered_at=row["step_entered_at"],
        wake_at=None,
        ended_at=now,
        end_detail=why,
        ended_by_guard="test",
    )
