"""The door to accepted messages whose outcome is not final: which are due to be asked about, and one of them locked."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam

from app.domain.ids import EnrollmentId, LocationId, MessageId, PersonId
from app.domain.states import Channel
from app.engine.ports import AcceptedNote, Standing
from app.store.columns import ID, UtcDateTime, among
from app.store.door import Door, literal
from app.store.many import Many
from app.store.tables import attempt as a
from app.store.tables import message as m

FIRST_AGAIN: Final = timedelta(minutes=1)  # doubled each time: most texts are settled within a minute
LAST_AGAIN: Final = timedelta(hours=6)

_ACCEPTED: Final = literal("accepted")
_NOW: Final = bindparam("now", type_=UtcDateTime())
ACCEPTED_NOTES: Final = (
    sa.select(
        *(m.c[name] for name in ("id", "person_id", "enrollment_id", "location_id", "channel", "to_address")),
        *(m.c[name] for name in ("provider", "provider_id", "accepted_at", "lookups")),
        a.c.key,
    )
    .join(a, a.c.message_id == m.c.id)
    .where(m.c.state == _ACCEPTED, a.c.answer == _ACCEPTED, a.c.provider_id == m.c.provider_id)
)
"""Accepted messages with the key of the attempt that was."""

_DUE: Final = (
    ACCEPTED_NOTES.where(
        m.c.provider == bindparam("of_provider"),
        m.c.accepted_at > bindparam("since", type_=UtcDateTime()),
        m.c.try_at <= _NOW,
    )
    .order_by(m.c.accepted_at, m.c.id)
    .limit(bindparam("most", type_=sa.Integer()))
    .with_for_update(skip_locked=True, key_share=True, of=m)
)
_PUT_OFF: Final = Many(
    {"message": ID, "asked": sa.Integer(), "again": UtcDateTime()},
    lambda value: (
        sa.update(m)
        .where(m.c.id == value("message"))
        .values(lookups=value("asked"), try_at=value("again"), version=m.c.version + 1)
    ),
)
_SOON: Final = (
    sa.update(m)
    .where(m.c.id == bindparam("message", type_=ID), m.c.state == _ACCEPTED, m.c.try_at > _NOW)
    .values(try_at=_NOW, version=m.c.version + 1)
)
_STANDING: Final = (
    sa.select(m.c.version, m.c.attempts)
    .where(m.c.id == bindparam("message"), m.c.state == _ACCEPTED)
    .with_for_update(key_share=True)
)
_OF_OTHERS: Final = sa.select(m.c.provider_id).where(
    m.c.provider == bindparam("of_provider"),
    m.c.provider_id.is_not(None),
    among(m.c.provider_id, "provider_ids"),
    m.c.id != bindparam("message", type_=ID),
)


class StatusDoor(Door):
    """Implements stop_ports.Statuses."""

    def claim(self, provider: str, since: datetime, now: datetime, limit: int) -> Sequence[AcceptedNote]:
        """Those accepted after `since` that are due to be asked about, oldest first; put off, further each time.

        Another worker that asks at the same time gets others.
        """
        rows = {row.id: row for row in self._rows(_DUE, of_provider=provider, since=since, now=now, most=limit)}
        again = [
            {"message": row.id, "asked": row.lookups + 1, "again": now + _wait(row.lookups)} for row in rows.values()
        ]
        if again:
            _PUT_OFF.run(self._connection, again)
        return [accepted_note(row) for row in rows.values()]

    def ask_soon(self, message_id: MessageId, now: datetime) -> bool:
        """The provider is to be asked about it at `now`, not later; False when nothing is left to ask."""
        return self._connection.execute(_SOON, {"message": message_id, "now": now}).rowcount > 0

    def standing(self, message_id: MessageId) -> Standing | None:
        """The row, locked, while the message is accepted and nothing final is known."""
        found = self._rows(_STANDING, message=message_id)
        return Standing(found[0].version, found[0].attempts) if found else None

    def of_others(self, message_id: MessageId, provider: str, provider_ids: Collection[str]) -> frozenset[str]:
        """Which of these ids of the provider's belong to another message."""
        rows = self._rows(_OF_OTHERS, message=message_id, of_provider=provider, provider_ids=list(provider_ids))
        return frozenset(row.provider_id for row in rows)


def _wait(asked: int) -> timedelta:
    """How long until the next question, after `asked` of them."""
    return min(FIRST_AGAIN * (1 << min(asked, 20)), LAST_AGAIN)


def accepted_note(row: Any) -> AcceptedNote:
    """One row of ACCEPTED_NOTES."""
    return AcceptedNote(
        message_id=MessageId(row.id),
        person_id=PersonId(row.person_id),
        enrollment_id=None if row.enrollment_id is None else EnrollmentId(row.enrollment_id),
        location_id=LocationId(row.location_id),
        key=row.key,
        provider=row.provider,
        provider_id=row.provider_id,
        channel=Channel(row.channel),
        to=row.to_address,
        accepted_at=row.accepted_at,
    )
