"""The door of a stop that is about several people at once: who has an address, what waits for it, what went to it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam
from sqlalchemy.sql.dml import Update

from app.domain.events import AcceptedMessage, CancelledMessage
from app.domain.ids import EnrollmentId, InboxEventId, LocationId, MessageId, PersonId
from app.domain.person import address_key
from app.domain.reasons import Why
from app.domain.states import Channel
from app.store.columns import UtcDateTime, among
from app.store.door import Door, literal
from app.store.suppressions import Suppressions
from app.store.tables import enrollment as e
from app.store.tables import location as l
from app.store.tables import message as m
from app.store.tables import suppression as s

ACCEPTED_SHOWN: Final = 20

_NOW: Final = bindparam("now", type_=UtcDateTime())
_LIVE_OF: Final = (
    sa.select(e.c.id)
    .where(among(e.c.person_id, "people"), e.c.state.in_([literal("active"), literal("paused")]))
    .order_by(e.c.id)
    .with_for_update(key_share=True)
)
_WRITTEN_TO_LAST: Final = (
    sa.select(m.c.person_id)
    .where(
        among(m.c.person_id, "people"),
        m.c.to_address == bindparam("address"),
        m.c.state.in_([literal(state) for state in ("sending", "accepted", "delivered", "undelivered")]),
    )
    .order_by(m.c.noted_at.desc(), m.c.id.desc())
    .limit(1)
)
# in id order: nobody else who locks several messages waits for one of these the other way round
_to_closed: Final = (
    sa.select(m.c.id)
    .where(
        m.c.person_id == bindparam("person"),
        among(m.c.channel, "channels"),
        m.c.state.in_([literal("queued"), literal("leased")]),
        sa.or_(m.c.enrollment_id.is_(None), among(m.c.enrollment_id, "enrollments")),
    )
    .order_by(m.c.id)
    .with_for_update(key_share=True)
    .cte("to_closed")
)
_CANCEL_TO: Final[Update] = (
    sa.update(m)
    .where(m.c.id.in_(sa.select(_to_closed.c.id)))
    .values(
        state=literal("cancelled"),
        version=m.c.version + 1,
        reason=bindparam("why"),
        stop_event_id=bindparam("event"),
        final_at=_NOW,
        lease_token=sa.null(),
        lease_until=sa.null(),
    )
)
_CANCELLED: Final = _CANCEL_TO.returning(m.c.id, m.c.enrollment_id, m.c.channel, m.c.template, m.c.due_at)
_LAST_ACCEPTED: Final = (
    sa.select(m.c.id, m.c.channel, m.c.template, m.c.accepted_at)
    .where(m.c.person_id == bindparam("person"), m.c.accepted_at.is_not(None))
    .order_by(m.c.accepted_at.desc(), m.c.id.desc())
    .limit(ACCEPTED_SHOWN)
)
_LIFTED: Final = (
    sa.select(s.c.id)
    .where(s.c.channel == bindparam("on_channel"), among(s.c.address_key, "keys"), s.c.lifted_at.is_not(None))
    .limit(1)
)
_PHONE: Final = sa.select(l.c.phone).where(l.c.id == bindparam("place"))


class StopDoor(Door):
    """Implements stop_ports.Stops."""

    def live_of(self, person_ids: Collection[PersonId]) -> Sequence[EnrollmentId]:
        """Their active and paused enrollments, locked in id order whoever's they are."""
        return [EnrollmentId(row.id) for row in self._rows(_LIVE_OF, people=sorted(person_ids))]

    def written_to_last(self, person_ids: Collection[PersonId], address: str) -> PersonId | None:
        """Whose message went to `address` last; None when none of theirs did."""
        found = self._rows(_WRITTEN_TO_LAST, people=sorted(person_ids), address=address)
        return PersonId(found[0].person_id) if found else None

    def cancel_to(
        self,
        person_id: PersonId,
        channels: Collection[Channel],
        enrollment_ids: Collection[EnrollmentId],
        why: Why,
        event_id: InboxEventId,
        now: datetime,
    ) -> Sequence[tuple[CancelledMessage, EnrollmentId | None]]:
        """Queued and leased messages of these enrollments by `channels`, and those written by hand -> cancelled."""
        given: dict[str, Any] = {"person": person_id, "channels": [channel.value for channel in sorted(channels)]}
        given |= {"enrollments": list(enrollment_ids), "why": why.value, "event": event_id, "now": now}
        rows = sorted(self._rows(_CANCELLED, **given), key=lambda row: (row.due_at, row.id))
        return [
            (_cancelled(row), None if row.enrollment_id is None else EnrollmentId(row.enrollment_id)) for row in rows
        ]

    def last_accepted_by(self, person_id: PersonId) -> Sequence[AcceptedMessage]:
        """The person's messages that a provider had accepted, newest first, at most 20."""
        return [
            AcceptedMessage(MessageId(row.id), Channel(row.channel), row.template, row.accepted_at)
            for row in self._rows(_LAST_ACCEPTED, person=person_id)
        ]

    def was_lifted(self, channel: Channel, address: str) -> bool:
        """Whether an entry of the do-not-contact list for `address` was ever lifted."""
        keys = Suppressions(self._connection, self._memory).keys(channel, [address_key(channel, address)])
        return bool(self._rows(_LIFTED, on_channel=channel.value, keys=list(keys)))

    def phone_of(self, location_id: LocationId) -> str | None:
        """The location's own number."""
        found = self._rows(_PHONE, place=location_id)
        return found[0].phone if found else None


def _cancelled(row: Any) -> CancelledMessage:
    return CancelledMessage(MessageId(row.id), Channel(row.channel), row.template, row.due_at)
