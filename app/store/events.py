"""The door to the inbox: what happened outside, stored once by its key (I8)."""

from __future__ import annotations

from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy import bindparam

from app.domain.events import InboxEvent
from app.domain.ids import InboxEventId
from app.store.columns import UtcDateTime
from app.store.door import Door
from app.store.tables import inbox_event as i

_KNOWN: Final = sa.select(i.c.id).where(i.c.source == bindparam("source"), i.c.key == bindparam("key"))
_APPLIED: Final = (
    sa.update(i)
    .where(i.c.id == bindparam("event"), i.c.applied_at.is_(None))
    .values(state="applied", applied_at=bindparam("now", type_=UtcDateTime()))
)


class EventDoor(Door):
    """Implements ports.Events."""

    def insert_if_absent(self, event: InboxEvent) -> InboxEventId | None:
        """The new row's id, or None when (source, key) is known already. Without a person it is `unmatched` (I17)."""
        row = {
            "source": event.source,
            "key": event.key,
            "kind": event.kind.value,
            "person_id": event.person_id,
            "journey_id": event.journey_id,
            "channel": None if event.channel is None else event.channel.value,
            "address": event.address,
            "channels": [channel.value for channel in event.channels],
            "text": event.text,
            "note": event.note,
            "actor": event.actor,
            "needs_human": event.needs_human,
            "payload_hash": event.payload_hash,
            "happened_at": event.happened_at,
            "received_at": event.received_at,
            "state": "unmatched" if event.person_id is None else "received",
        }
        made = self._connection.execute(self._absent(i).returning(i.c.id), row).all()
        return InboxEventId(made[0].id) if made else None

    def known(self, source: str, key: str) -> InboxEventId | None:
        """The id of the event with this key."""
        found = self._rows(_KNOWN, source=source, key=key)
        return InboxEventId(found[0].id) if found else None

    def mark_applied(self, event_id: InboxEventId, now: datetime) -> None:
        """The event has had its effect. The first time stays."""
        self._connection.execute(_APPLIED, {"event": event_id, "now": now})
