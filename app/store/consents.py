"""Consents as they stand: given, and not revoked since, for the address that a person has now."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

import sqlalchemy as sa

from app.domain.snapshot import ConsentSeen, Person
from app.domain.states import Channel, Purpose
from app.store.columns import among
from app.store.tables import consent as c

CONSENTS: Final = (
    sa.select(c.c.person_id, c.c.channel, c.c.purpose, c.c.act, c.c.address, c.c.at, c.c.how)
    .where(among(c.c.person_id, "ids"))
    .order_by(c.c.at, c.c.id)
)


def standing_consents(rows: Collection[Any], person: Person) -> tuple[ConsentSeen, ...]:
    """Consents given and not revoked since, for the address that the person has now. rows: oldest first."""
    newest: dict[tuple[str, str], Any] = {}
    for row in rows:
        # one given for an address that they no longer have says nothing about the new one (RULES C5)
        if row.act == "revoked" or row.address in (None, person.address(Channel(row.channel))):
            newest[row.channel, row.purpose] = row
    return tuple(
        ConsentSeen(Channel(row.channel), Purpose(row.purpose), row.at, row.how)
        for row in newest.values()
        if row.act == "given"
    )
