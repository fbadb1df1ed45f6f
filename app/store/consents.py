"""Consents as they stand: given, and not taken back since, for the address that a person has now."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam

from app.domain.ids import PersonId
from app.domain.reasons import Why
from app.domain.snapshot import ConsentSeen, Person
from app.domain.states import Channel, Purpose
from app.domain.stopping import WILL, channels_revoked
from app.engine.consent_ports import ConsentNew
from app.store.columns import among
from app.store.door import Door
from app.store.events import event_of
from app.store.people import PeopleDoor
from app.store.tables import consent as c
from app.store.tables import inbox_event as i
from app.store.tables import suppression as s
from app.store.waking import wake

CONSENTS: Final = (
    sa.select(c.c.person_id, c.c.channel, c.c.purpose, c.c.act, c.c.address, c.c.at, c.c.how)
    .where(among(c.c.person_id, "ids"))
    .order_by(c.c.at, c.c.id)
)
_WISHES: Final = sa.select(i).where(
    i.c.kind.in_(sorted(kind.value for kind in WILL)),
    sa.or_(
        i.c.person_id == bindparam("person"),
        i.c.id.in_(
            sa.select(s.c.event_id).where(
                s.c.channel == bindparam("on_channel"), among(s.c.address_key, "keys"), s.c.lifted_at.is_(None)
            )
        ),
    ),
)


class ConsentDoor(Door):
    """Implements consent_ports.Consents."""

    def standing(self, person: Person) -> tuple[ConsentSeen, ...]:
        """Given, and not taken back since, for the addresses that the person has now."""
        return standing_consents(self._rows(CONSENTS, ids=[person.id]), person)

    def taken_back(self, person: Person) -> frozenset[tuple[Channel, Purpose]]:
        """Given once for the addresses that the person has now, and taken back since."""
        rows = self._rows(CONSENTS, ids=[person.id])
        given = {(row.channel, row.purpose) for row in rows if row.act == "given" and _is_about(row, person)}
        return frozenset(
            (Channel(row.channel), Purpose(row.purpose))
            for row in _newest(rows, person)
            if row.act == "revoked" and (row.channel, row.purpose) in given
        )

    def add(self, rows: Sequence[ConsentNew], now: datetime) -> None:
        """Append; what was held for want of one that is given is asked again at `now`."""
        if not rows:
            return
        self._connection.execute(sa.insert(c), [_values(row, now) for row in rows])
        given = sorted({row.person_id for row in rows if row.act == "given"})
        PeopleDoor(self._connection, self._memory).lock(given, to_write=True)
        wake(self._connection, [Why.NO_CONSENT], given, now)

    def last_wish(self, person: Person, channel: Channel, keys: Collection[str]) -> datetime | None:
        """When the person last asked for no more by `channel`; None for never.

        A time ahead of our clock counts as the moment at which it was read.
        """
        rows = self._rows(_WISHES, person=person.id, on_channel=channel.value, keys=list(keys))
        asked = [min(row.happened_at, row.received_at) for row in rows if channel in channels_revoked(event_of(row))]
        return max(asked, default=None)

    def has(self, person_id: PersonId, channel: Channel, purpose: Purpose) -> bool:
        """Whether a consent stands for the address that the person has now."""
        person = PeopleDoor(self._connection, self._memory).read(person_id)
        if person is None:
            return False
        return any((seen.channel, seen.purpose) == (channel, purpose) for seen in self.standing(person))


def standing_consents(rows: Collection[Any], person: Person) -> tuple[ConsentSeen, ...]:
    """Consents given and not taken back since, for the address that the person has now. rows: oldest first."""
    return tuple(
        ConsentSeen(Channel(row.channel), Purpose(row.purpose), row.at, row.how)
        for row in _newest(rows, person)
        if row.act == "given"
    )


def _newest(rows: Collection[Any], person: Person) -> Collection[Any]:
    newest = {(row.channel, row.purpose): row for row in rows if _is_about(row, person)}
    return newest.values()


def _is_about(row: Any, person: Person) -> bool:
    """One for an address that they no longer have says nothing about the new one; one without counts for all."""
    return row.address in (None, person.address(Channel(row.channel)))


def _values(row: ConsentNew, now: datetime) -> dict[str, object]:
    return {
        "person_id": row.person_id,
        "channel": row.channel.value,
        "purpose": row.purpose.value,
        "act": row.act,
        "address": row.address or None,
        "at": row.at,
        "how": row.how,
        "wording": row.wording,
        "evidence": row.evidence,
        "recorded_by": row.recorded_by,
        "recorded_at": now,
        "import_id": row.import_id,
    }
