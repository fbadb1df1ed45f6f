"""By which settings messages are carried, read in one short look: the engine asks before each pass."""

from __future__ import annotations

import sqlalchemy as sa

from app.domain.provider_settings import Connections, read_kept_providers
from app.store import tables as t
from app.store.documents import LINEUP, PROVIDERS
from app.store.session import Session
from app.store.unit_of_work import Store


def connections(session: Session) -> Connections:
    """As they stand; practice mode before there is a practice. Raises StoreError."""
    with session.read() as connection:
        mode = connection.execute(sa.select(t.practice.c.mode)).scalar_one_or_none()
        kept = sa.select(t.setting.c.key, t.setting.c.value).where(t.setting.c.key.in_((PROVIDERS, LINEUP)))
        settings = {row.key: row.value for row in connection.execute(kept)}
    return Connections(mode == "live", read_kept_providers(settings.get(PROVIDERS)), str(settings.get(LINEUP, "")))


def practice_id(store: Store) -> str:
    """The practice's own id, for its entries in a keyring; made when it is first asked for. Raises StoreError."""
    with store.open_uow() as uow:
        return uow.documents.practice_id()
