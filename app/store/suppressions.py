"""The do-not-contact list, asked by address: plain entries, and hashed ones of people who were erased (I10)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Final

import sqlalchemy as sa

from app.domain.ids import PersonId
from app.domain.states import Channel
from app.store.columns import among
from app.store.door import Door
from app.store.memory import address_keys
from app.store.tables import setting
from app.store.tables import suppression as s

_KEY: Final = "suppression_key"
_STANDING = sa.select(s.c.channel, s.c.address_key, s.c.person_id).where(
    among(s.c.address_key, "keys"), s.c.lifted_at.is_(None)
)


class Suppressions(Door):
    """Asks the list. Writing to it is people.py's."""

    def among(self, wanted: Iterable[tuple[Channel, str]]) -> frozenset[tuple[Channel, str]]:
        """Those of `wanted` (channel, normalised address) that must not be contacted."""
        return frozenset(self.owners(wanted))

    def owners(self, wanted: Iterable[tuple[Channel, str]]) -> Mapping[tuple[Channel, str], frozenset[PersonId | None]]:
        """Those of `wanted` (channel, normalised address) that must not be contacted -> whose entries stand for it.

        None among them: nobody was known when it was written.
        """
        by_channel: dict[Channel, set[str]] = defaultdict(set)
        for channel, address in wanted:
            by_channel[channel].add(address)
        keys = {
            (channel, key): address
            for channel, addresses in by_channel.items()
            for key, address in self.keys(channel, addresses).items()
        }
        if not keys:
            return {}
        owners: dict[tuple[Channel, str], frozenset[PersonId | None]] = {}
        for row in self._rows(_STANDING, keys={key for _, key in keys}):
            channel = Channel(row.channel)
            found = keys.get((channel, row.address_key))
            if found is not None:
                owners[channel, found] = owners.get((channel, found), frozenset()) | {row.person_id}
        return owners

    def keys(self, channel: Channel, addresses: Iterable[str]) -> dict[str, str]:
        """Every key that one of `addresses` can stand under, plain and hashed -> the address."""
        return address_keys(self._memory.suppression_keys.take([_KEY], self._read_key)[_KEY], channel, addresses)

    def _read_key(self, _: Collection[str]) -> Mapping[str, str]:
        found = self._connection.scalar(sa.select(setting.c.value).where(setting.c.key == _KEY))
        if not isinstance(found, str):
            raise RuntimeError("the key of the do-not-contact list is missing")
        return {_KEY: found}
