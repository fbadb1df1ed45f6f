"""By which settings messages are carried, read in one short look: the engine asks before each pass and each message."""

from __future__ import annotations

import json
from typing import Final

import sqlalchemy as sa

from app.domain.provider_settings import Connections, read_kept_providers
from app.store import tables as t
from app.store.documents import LINEUP, PROVIDERS
from app.store.unit_of_work import Store

_STAMP: Final = sa.select(t.setting.c.value).where(t.setting.c.key == LINEUP)
_STAMP_SQLITE: Final = "SELECT value FROM setting WHERE key = ?"


class ConnectionsKept:
    """Reads what decides who carries messages."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def connections(self) -> Connections:
        """As they stand; practice mode before there is a practice. Raises StoreError."""
        with self._store.session.read() as connection:
            mode = connection.execute(sa.select(t.practice.c.mode)).scalar_one_or_none()
            kept = sa.select(t.setting.c.key, t.setting.c.value).where(t.setting.c.key.in_((PROVIDERS, LINEUP)))
            settings = {row.key: row.value for row in connection.execute(kept)}
        return Connections(mode == "live", read_kept_providers(settings.get(PROVIDERS)), str(settings.get(LINEUP, "")))

    def stamp(self) -> str:
        """Another one after each change of mode, settings or keys. Asked before each message, so the shortest way."""
        if self._store.session.is_sqlite:
            rows = self._store.session.glance(_STAMP_SQLITE, [LINEUP])
            return str(json.loads(rows[0][0])) if rows else ""
        with self._store.session.read() as connection:
            return str(connection.execute(_STAMP).scalar_one_or_none() or "")

    def practice_id(self) -> str:
        """The practice's own id, for its entries in a keyring; made when it is first asked for. Raises StoreError."""
        with self._store.open_uow() as uow:
            return uow.documents.practice_id()
