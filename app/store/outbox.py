"""The one door to messages: add, lease, permit, move, stop. Attempts and what is read with them: attempts.py."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam

from app.domain.events import AcceptedMessage, CancelledMessage
from app.domain.ids import AttemptId, EnrollmentId, InboxEventId, MessageId, PersonId
from app.domain.reasons import Why
from app.domain.states import FINAL_MESSAGE_STATES, Channel, MessageState, message_may_become
from app.engine.ports import ALL, AttemptNote, AttemptResult, InHand, Leased, MessageDraft, MessageMove, Permission
from app.store.attempts import Attempts
from app.store.columns import ID, UtcDateTime, among
from app.store.door import Door, given_why, literal
from app.store.many import Many, Values
from app.store.tables import message as m

ACCEPTED_SHOWN: Final = 20

_QUEUED: Final = literal("queued")
_LEASED: Final = literal("leased")
_SENDING: Final = literal("sending")
_NOW: Final = bindparam("now", type_=UtcDateTime())
_FREED: Final[Mapping[str, Any]] = {
    "state": _QUEUED,
    "version": m.c.version + 1,
    "lease_token": sa.null(),
    "lease_until": sa.null(),
}

_due = sa.select(m.c.id).where(m.c.state == _QUEUED, m.c.try_at <= _NOW)


def _leasing(due: sa.Select[tuple[int]]) -> sa.Executable:
    waiting = (
        due.order_by(m.c.try_at)
        .limit(bindparam("most", type_=sa.Integer()))
        .with_for_update(skip_locked=True, key_share=True)
        .cte("waiting")
    )
    return (
        sa.update(m)
        .where(m.c.id.in_(sa.select(waiting.c.id)))
        .values(
            state=_LEASED,
            version=m.c.version + 1,
            lease_token=bindparam("token"),
            lease_until=bindparam("until", type_=UtcDateTime()),
        )
        .returning(m.c.id, m.c.person_id, m.c.enrollment_id, m.c.version, m.c.channel, m.c.attempts, m.c.try_at)
    )


_LEASE = _leasing(_due)
_LEASE_OF = _leasing(_due.where(among(m.c.channel, "channels")))
_run_out = (
    sa.select(m.c.id)
    .where(m.c.state == _LEASED, m.c.lease_until <= _NOW)
    .with_for_update(skip_locked=True, key_share=True)
    .cte("run_out")
)
_RELEASE_EXPIRED = sa.update(m).where(m.c.id.in_(sa.select(_run_out.c.id)), m.c.state == _LEASED).values(_FREED)
_mine = (
    sa.select(m.c.id)
    .where(m.c.state == _LEASED, m.c.lease_token == bindparam("token"))
    .with_for_update(skip_locked=True, key_share=True)
    .cte("mine")
)
_RELEASE = sa.update(m).where(m.c.id.in_(sa.select(_mine.c.id))).values(_FREED)

_SEEN = (
    sa.select(m.c.id, m.c.version, m.c.state)
    .where(among(m.c.id, "ids"))
    .order_by(m.c.id)
    .with_for_update(key_share=True)
)
_GIVEN: Final[Mapping[str, Any]] = {
    "move_id": ID,
    "seen_version": sa.Integer(),
    **{f"to_{name}": m.c[name].type for name in ("state", "attempts", "try_at", "hold_why", "hold_facts")},
    **{f"to_{name}": m.c[name].type for name in ("provider", "provider_id", "accepted_at", "final_at")},
    **{f"to_{name}": m.c[name].type for name in ("reason", "reason_code", "possible_duplicate")},
}


def _move(value: Values) -> sa.Update:
    return (
        sa.update(m)
        .where(m.c.id == value("move_id"), m.c.version == value("seen_version"))
        .values(
            version=m.c.version + 1,
            state=value("to_state"),
            attempts=value("to_attempts"),
            try_at=sa.func.coalesce(value("to_try_at"), m.c.try_at),
            hold_why=value("to_hold_why"),
            hold_facts=value("to_hold_facts"),
            provider=sa.func.coalesce(value("to_provider"), m.c.provider),
            provider_id=sa.func.coalesce(value("to_provider_id"), m.c.provider_id),
            accepted_at=sa.func.coalesce(value("to_accepted_at"), m.c.accepted_at),
            final_at=value("to_final_at"),
            reason=sa.func.coalesce(value("to_reason"), m.c.reason),
            reason_code=value("to_reason_code"),
            possible_duplicate=sa.or_(m.c.possible_duplicate, value("to_possible_duplicate")),
            lease_token=sa.null(),
            lease_until=sa.null(),
        )
    )


_MOVE: Final = Many(_GIVEN, _move)
# the trace is the widest column: written only by the moves that carry one
_MOVE_WITH_TRACE: Final = Many(
    {**_GIVEN, "to_trace": m.c.trace.type}, lambda value: _move(value).values(trace=value("to_trace"))
)

_CANCEL = (
    sa.update(m)
    .where(among(m.c.enrollment_id, "enrollments"), m.c.state.in_([_QUEUED, _LEASED]))
    .values(
        state=literal("cancelled"),
        version=m.c.version + 1,
        reason=bindparam("why"),
        stop_event_id=bindparam("event"),
        final_at=_NOW,
        lease_token=sa.null(),
        lease_until=sa.null(),
    )
    .returning(m.c.id, m.c.channel, m.c.template, m.c.due_at)
)
_REQUEST_STOP = (
    sa.update(m)
    .where(among(m.c.enrollment_id, "enrollments"), m.c.state == _SENDING)
    .values(
        version=m.c.version + 1,
        stop_requested_at=sa.func.coalesce(m.c.stop_requested_at, _NOW),
        stop_event_id=sa.func.coalesce(m.c.stop_event_id, bindparam("event")),
    )
    .returning(m.c.id, m.c.channel, m.c.template, m.c.due_at)
)
_LAST_ACCEPTED = (
    sa.select(m.c.id, m.c.channel, m.c.template, m.c.accepted_at)
    .where(among(m.c.enrollment_id, "enrollments"), m.c.accepted_at.is_not(None))
    .order_by(m.c.accepted_at.desc(), m.c.id.desc())
    .limit(ACCEPTED_SHOWN)
)
_LOOK_AGAIN = (
    sa.update(m)
    .where(m.c.id == bindparam("message"), m.c.state == _SENDING, m.c.lease_until <= _NOW)
    .values(
        lookups=m.c.lookups + bindparam("counted", type_=sa.Integer()),
        version=m.c.version + 1,
        lease_until=bindparam("again", type_=UtcDateTime()),
    )
    .returning(m.c.lookups)
)
_WAKE_HELD = (
    sa.update(m)
    .where(m.c.person_id == bindparam("person"), m.c.state == _QUEUED, m.c.hold_why.is_not(None), m.c.try_at > _NOW)
    .values(try_at=_NOW, version=m.c.version + 1)
)


class OutboxDoor(Door):
    """Implements ports.Outbox."""

    def add(self, drafts: Sequence[MessageDraft], now: datetime) -> frozenset[EnrollmentId]:
        """Put messages in the outbox as `queued`; enrollments whose message did not exist yet (I4)."""
        if not drafts:
            return frozenset()
        statement = self._absent(m).returning(m.c.enrollment_id)
        made = self._connection.execute(statement, [_drafted(draft, now) for draft in drafts])
        return frozenset(EnrollmentId(row.enrollment_id) for row in made)

    def lease(
        self, now: datetime, until: datetime, token: str, limit: int, channels: Collection[Channel] = ALL
    ) -> Sequence[Leased]:
        """queued, of these channels, try_at <= now -> leased, oldest first; rows locked by others are left alone."""
        given = {"now": now, "until": until, "token": token, "most": limit}
        if set(channels) >= ALL:
            rows = self._rows(_LEASE, **given)
        else:
            rows = self._rows(_LEASE_OF, channels=[channel.value for channel in channels], **given)
        rows.sort(key=lambda row: (row.try_at, row.id))  # RETURNING comes in no order
        return [
            Leased(
                message_id=MessageId(row.id),
                person_id=PersonId(row.person_id),
                enrollment_id=None if row.enrollment_id is None else EnrollmentId(row.enrollment_id),
                version=row.version,
                channel=Channel(row.channel),
                attempts=row.attempts,
            )
            for row in rows
        ]

    def release_expired(self, now: datetime) -> int:
        """leased whose lease has run out -> queued; how many."""
        return self._connection.execute(_RELEASE_EXPIRED, {"now": now}).rowcount

    def release(self, token: str) -> int:
        """Messages leased by `token` -> queued at once: a worker that stops in good order; how many.

        What a stop has in hand is left to it, or to its lease.
        """
        return self._connection.execute(_RELEASE, {"token": token}).rowcount

    def permit(
        self, permissions: Sequence[Permission], token: str, now: datetime, lease_until: datetime
    ) -> Sequence[AttemptNote]:
        """leased by `token` with seen_version -> sending, attempts + 1, one attempt row each. Stale ones left out.

        Left out too, as the last line of I6 and I10: what is suppressed by now, or whose enrollment is not active.
        """
        return self._attempts.permit(permissions, token, now, lease_until)

    def in_hand(self, attempt_ids: Sequence[AttemptId]) -> Mapping[AttemptId, InHand]:
        """Messages with these open attempts, enrollments locked first, then messages."""
        return self._attempts.in_hand(attempt_ids)

    def move(self, moves: Sequence[MessageMove], now: datetime) -> frozenset[MessageId]:
        """Write the moves whose version still stands (I9). Raises ValueError for a way MESSAGE_EXITS does not know.

        Not for `leased` and `sending`, which only `lease` and `permit` write (I6); every other move gives the lease
        back. A value that a move leaves None stays as it is stored.
        """
        if not moves:
            return frozenset()
        seen = {row.id: row for row in self._rows(_SEEN, ids=[move.id for move in moves])}
        standing = [move for move in moves if move.id in seen and seen[move.id].version == move.seen_version]
        for move in standing:
            _check_way(MessageState(seen[move.id].state), move.state)
        plain = [_moved(move, now) for move in standing if move.trace is None]
        traced = [
            _moved(move, now) | {"to_trace": move.trace.document()} for move in standing if move.trace is not None
        ]
        written = _MOVE.run(self._connection, plain) + _MOVE_WITH_TRACE.run(self._connection, traced)
        if written != len(standing):
            raise RuntimeError("a message was moved twice in one go, or changed under its lock")
        return frozenset(move.id for move in standing)

    def finish_attempts(self, results: Sequence[AttemptResult]) -> None:
        """Write each result once; an attempt that has one keeps it."""
        self._attempts.finish(results)

    def cancel_waiting(
        self, enrollment_ids: Collection[EnrollmentId], why: Why, event_id: InboxEventId | None, now: datetime
    ) -> Sequence[CancelledMessage]:
        """queued and leased messages of these enrollments -> cancelled; what they were."""
        rows = self._rows(_CANCEL, enrollments=enrollment_ids, why=why.value, event=event_id, now=now)
        return _cancelled(rows)

    def request_stop(
        self, enrollment_ids: Collection[EnrollmentId], event_id: InboxEventId | None, now: datetime
    ) -> Sequence[CancelledMessage]:
        """sending messages of these enrollments get stop_requested_at; what they are. The first stop's time stays."""
        return _cancelled(self._rows(_REQUEST_STOP, enrollments=enrollment_ids, event=event_id, now=now))

    def last_accepted(self, enrollment_ids: Collection[EnrollmentId]) -> Sequence[AcceptedMessage]:
        """Messages of these enrollments that the provider had accepted, newest first, at most 20."""
        return [
            AcceptedMessage(MessageId(row.id), Channel(row.channel), row.template, row.accepted_at)
            for row in self._rows(_LAST_ACCEPTED, enrollments=enrollment_ids)
        ]

    def expired_sending(self, now: datetime, limit: int, channels: Collection[Channel] = ALL) -> Sequence[AttemptNote]:
        """Open attempts of `sending` messages, of these channels, whose lease has run out, oldest first (reconcile)."""
        return self._attempts.expired(now, limit, channels)

    def look_again(self, message_id: MessageId, now: datetime, at: datetime, *, counts: bool = True) -> int:
        """Note one more look-up of this message, the next one at `at`; how many there were, this one included.

        counts: False for one that could not be made. 0 when the message is not `sending` any more, or somebody else
        has looked meanwhile: two workers that look at the same time are one look.
        """
        rows = self._rows(_LOOK_AGAIN, message=message_id, now=now, again=at, counted=int(counts))
        return rows[0].lookups if rows else 0

    def settled(self, attempt_ids: Sequence[AttemptId]) -> Mapping[AttemptId, InHand]:
        """Messages of these attempts whatever became of them since, locked as by `in_hand`."""
        return self._attempts.settled(attempt_ids)

    def doubt(self, message_ids: Collection[MessageId]) -> None:
        """`sending` messages whose outcome is not known are held for `checking`."""
        self._attempts.doubt(message_ids)

    def streak(self, channel: Channel, most: int, before: Collection[AttemptId]) -> Sequence[AttemptNote]:
        """The newest `most` tries of this channel that failed or are in doubt, but for `before`, newest first."""
        return self._attempts.streak(channel, most, before)

    def give_back(self, message_ids: Collection[MessageId], behind: datetime) -> frozenset[MessageId]:
        """One attempt less for each of these that is not handed over for good, not again before `behind`; which ones.

        Rows locked by others are left alone: whoever has them in hand gives their own back.
        """
        return self._attempts.give_back(message_ids, behind)

    def wake_held(self, person_id: PersonId, now: datetime) -> int:
        """queued messages of this person that are held get try_at = now; how many."""
        return self._connection.execute(_WAKE_HELD, {"person": person_id, "now": now}).rowcount

    @property
    def _attempts(self) -> Attempts:
        return Attempts(self._connection, self._memory)


def _drafted(draft: MessageDraft, now: datetime) -> dict[str, Any]:
    return {
        "enrollment_id": draft.enrollment_id,
        "person_id": draft.person_id,
        "location_id": draft.location_id,
        "step": draft.step,
        "pass_no": draft.pass_no,
        "channel": draft.channel.value,
        "template": draft.template,
        "template_version_id": draft.template_version_id,
        "state": MessageState.QUEUED.value,
        "due_at": draft.due_at,
        "try_at": draft.due_at,
        "useful_until": draft.useful_until,
        "created_at": now,
    }


def _check_way(seen: MessageState, to: MessageState) -> None:
    stays = seen is to and seen not in FINAL_MESSAGE_STATES
    if to in (MessageState.LEASED, MessageState.SENDING) or (not stays and not message_may_become(seen, to)):
        raise ValueError(f"I11: a message can't be moved from {seen.value} to {to.value}")


def _moved(move: MessageMove, now: datetime) -> dict[str, Any]:
    return {
        "move_id": move.id,
        "seen_version": move.seen_version,
        "to_state": move.state.value,
        "to_attempts": move.attempts,
        "to_try_at": move.try_at,
        "to_hold_why": given_why(move.hold_why),
        "to_hold_facts": dict(move.hold_facts) or None,
        "to_provider": move.provider,
        "to_provider_id": move.provider_id,
        "to_accepted_at": move.accepted_at,
        "to_final_at": now if move.state in FINAL_MESSAGE_STATES else None,
        "to_reason": given_why(move.reason),
        "to_reason_code": move.reason_code,
        "to_possible_duplicate": move.possible_duplicate,
    }


def _cancelled(rows: Sequence[sa.Row[Any]]) -> Sequence[CancelledMessage]:
    by_time = sorted(rows, key=lambda row: (row.due_at, row.id))
    return [CancelledMessage(MessageId(row.id), Channel(row.channel), row.template, row.due_at) for row in by_time]
