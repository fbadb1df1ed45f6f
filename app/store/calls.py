"""The door to calls: one of them as it stands, the note of one that somebody made, those whose end nobody has told."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam

from app.domain.ids import AttemptId, EnrollmentId, MessageId, PersonId, StepId
from app.domain.states import Channel, MessageState
from app.engine.ports import AcceptedNote, CallNote, CallRow
from app.store.columns import UtcDateTime
from app.store.door import Door, known_why, literal
from app.store.statuses import ACCEPTED_NOTES, accepted_note
from app.store.tables import attempt as a
from app.store.tables import log_entry
from app.store.tables import message as m

CALL_ENDED: Final = "call.ended"
"""The line of the log that says how a call ended; its actor said so."""

_NOW: Final = bindparam("now", type_=UtcDateTime())
_by: Final = (
    sa.select(log_entry.c.actor)
    .where(log_entry.c.message_id == m.c.id, log_entry.c.event == literal(CALL_ENDED))
    .order_by(log_entry.c.id.desc())
    .limit(1)
    .scalar_subquery()
)
_FIND: Final = sa.select(
    *(m.c[name] for name in ("id", "version", "person_id", "enrollment_id", "step", "pass_no", "channel", "state")),
    *(m.c[name] for name in ("attempts", "to_address", "provider", "reason", "reason_code", "final_at")),
    sa.func.coalesce(_by, "").label("over_by"),
).where(m.c.id == bindparam("message"))
_LOCKED: Final = _FIND.with_for_update(key_share=True, of=m)
_TRIES: Final = sa.select(sa.func.count()).where(a.c.message_id == bindparam("message"))
_NOTE: Final = sa.insert(a).returning(a.c.id)
_NOTED: Final = (
    sa.update(m)
    .where(
        m.c.id == bindparam("message"),
        m.c.version == bindparam("seen"),
        m.c.state.in_([literal("queued"), literal("leased")]),
    )
    .values(
        version=m.c.version + 1,
        noted_at=_NOW,
        to_address=bindparam("called"),
        subject=bindparam("about"),
        body=bindparam("say"),
        provider=bindparam("through"),
        hold_why=sa.null(),
        hold_facts=sa.null(),
    )
)
_SILENT: Final = (
    ACCEPTED_NOTES.where(
        m.c.channel == literal(Channel.CALL.value), m.c.accepted_at <= bindparam("before", type_=UtcDateTime())
    )
    .order_by(m.c.accepted_at, m.c.id)
    .limit(bindparam("most", type_=sa.Integer()))
)


class CallDoor(Door):
    """Implements ports.CallRows."""

    def find(self, message_id: MessageId) -> CallRow | None:
        """The message as it stands, not locked; None when there is none of that id."""
        return next(map(_row, self._rows(_FIND, message=message_id)), None)

    def locked(self, message_id: MessageId) -> CallRow | None:
        """The same, its row locked. People and follow-ups must be locked before (engine/ports.py)."""
        return next(map(_row, self._rows(_LOCKED, message=message_id)), None)

    def note(self, note: CallNote, now: datetime) -> AttemptId | None:
        """The open attempt of a call that waits in the outbox; None when its version does not stand any more (I9)."""
        given = {"message": note.row.message_id, "seen": note.row.version, "now": now}
        given |= {"called": note.to, "about": note.subject, "say": note.body, "through": note.provider}
        if self._connection.execute(_NOTED, given).rowcount != 1:
            return None
        tries = self._connection.execute(_TRIES, {"message": note.row.message_id}).scalar_one()
        values = {
            "message_id": note.row.message_id,
            "number": tries + 1,
            "key": note.key,
            "worker": note.provider,
            "noted_at": now,
            "answer": "open",
            "provider": note.provider,
            "trace": note.trace.document(),
        }
        return AttemptId(self._connection.execute(_NOTE, values).scalar_one())

    def silent(self, before: datetime, limit: int) -> Sequence[AcceptedNote]:
        """Calls that a provider took before that, of which nobody has said how they ended, oldest first."""
        return [accepted_note(row) for row in self._rows(_SILENT, before=before, most=limit)]


def _row(row: Any) -> CallRow:
    over = row.final_at is not None
    return CallRow(
        message_id=MessageId(row.id),
        version=row.version,
        person_id=PersonId(row.person_id),
        enrollment_id=None if row.enrollment_id is None else EnrollmentId(row.enrollment_id),
        step=None if row.step is None else StepId(row.step),
        pass_no=row.pass_no,
        channel=Channel(row.channel),
        state=MessageState(row.state),
        attempts=row.attempts,
        to=row.to_address,
        provider=row.provider,
        outcome=row.reason_code if over else "",
        reason=known_why(row.reason),
        over_at=row.final_at,
        over_by=row.over_by,
    )
