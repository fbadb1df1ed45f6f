"""The door to the inbox: what happened outside, stored once by its key (I8)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam

from app.domain.events import EventKind, InboxEvent
from app.domain.ids import InboxEventId, JourneyId, PersonId
from app.domain.states import Channel
from app.store.columns import UtcDateTime
from app.store.door import Door, literal
from app.store.tables import inbox_event as i
from app.store.tables import inbox_raw as r
from app.store.tables import problem as b

_KNOWN: Final = sa.select(i.c.id).where(i.c.source == bindparam("source"), i.c.key == bindparam("key"))
_APPLIED: Final = (
    sa.update(i)
    .where(i.c.id == bindparam("event"), i.c.applied_at.is_(None))
    .values(state="applied", applied_at=bindparam("now", type_=UtcDateTime()))
)
_PAYLOAD: Final = sa.select(i.c.payload_hash).where(i.c.source == bindparam("source"), i.c.key == bindparam("key"))
_UNMATCHED: Final = (
    sa.select(i).where(i.c.id == bindparam("event"), i.c.state == literal("unmatched")).with_for_update(key_share=True)
)
_waiting: Final = sa.update(i).where(i.c.id == bindparam("event"), i.c.state == literal("unmatched"))
_MATCH: Final = _waiting.values(person_id=bindparam("person"), state="received")
_SET_ASIDE: Final = _waiting.values(state="set_aside")
_SOLVE: Final = (
    sa.update(b)
    .where(b.c.inbox_event_id == bindparam("event"), b.c.solved_at.is_(None))
    .values(solved_at=bindparam("now", type_=UtcDateTime()), solved_by=bindparam("who"))
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


class InboxDoor(Door):
    """Implements stop_ports.Inbox."""

    def differs(self, event: InboxEvent) -> bool:
        """Whether the event with this key is known with another payload. One without a hash is like any other."""
        found = self._rows(_PAYLOAD, source=event.source, key=event.key)
        known = found[0].payload_hash if found else ""
        return bool(known and event.payload_hash and known != event.payload_hash)

    def unmatched(self, event_id: InboxEventId) -> InboxEvent | None:
        """The event, locked, while it is on the list of unmatched ones."""
        found = self._rows(_UNMATCHED, event=event_id)
        return event_of(found[0]) if found else None

    def match(self, event_id: InboxEventId, person_id: PersonId) -> None:
        """It is this person's: received, and not applied yet."""
        self._connection.execute(_MATCH, {"event": event_id, "person": person_id})

    def set_aside(self, event_id: InboxEventId) -> None:
        """Somebody looked, and there is nothing to do."""
        self._connection.execute(_SET_ASIDE, {"event": event_id})

    def keep_raw(self, event_id: InboxEventId, raw: bytes, *, cut: bool) -> None:
        """The event's mail as it came. cut: of a longer one this is the beginning."""
        self._connection.execute(sa.insert(r), {"event_id": event_id, "raw": raw, "cut": cut})

    def solve(self, event_id: InboxEventId, now: datetime, by: str) -> int:
        """Take what the problem list says about this event off it; how many lines."""
        return self._connection.execute(_SOLVE, {"event": event_id, "now": now, "who": by}).rowcount


def event_of(row: Any) -> InboxEvent:
    """The event that a whole row of inbox_event holds."""
    return InboxEvent(
        source=row.source,
        key=row.key,
        kind=EventKind(row.kind),
        happened_at=row.happened_at,
        received_at=row.received_at,
        person_id=None if row.person_id is None else PersonId(row.person_id),
        channel=None if row.channel is None else Channel(row.channel),
        address=row.address,
        channels=tuple(Channel(channel) for channel in row.channels),
        text=row.text,
        note=row.note,
        actor=row.actor,
        needs_human=row.needs_human,
        journey_id=None if row.journey_id is None else JourneyId(row.journey_id),
        payload_hash=row.payload_hash,
    )
