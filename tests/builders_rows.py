"""What every builder stands on: the store, and a look at what is in it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from app.domain.ids import EnrollmentId, MessageId
from app.domain.snapshot import Snapshot
from app.store.unit_of_work import Store

# Monday, 10:00 in Portland, inside office hours
NOW = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)
LATER = NOW + timedelta(minutes=1)


class Rows:
    """A store, the time that a test takes for now, and the rows."""

    def __init__(self, store: Store, now: datetime = NOW) -> None:
        self.store = store
        self.now = now
        self._counted = itertools.count(1)

    def row(self, table: sa.Table, row_id: int) -> Mapping[str, Any]:
        """One row by its id."""
        with self.store.session.read() as connection:
            return dict(connection.execute(sa.select(table).where(table.c.id == row_id)).mappings().one())

    def rows(self, table: sa.Table, **where: object) -> Sequence[Mapping[str, Any]]:
        """Rows by equal columns, by id."""
        asked = sa.select(table).where(*(table.c[name] == value for name, value in where.items()))
        with self.store.session.read() as connection:
            return [dict(row) for row in connection.execute(asked.order_by(*table.primary_key.columns)).mappings()]

    def seen(self, enrollment_id: EnrollmentId, now: datetime | None = None) -> Snapshot:
        """What the guards see of the enrollment."""
        with self.store.open_uow() as uow:
            return uow.snapshots.of_enrollments([enrollment_id], now or self.now)[enrollment_id]

    def seen_message(self, message_id: MessageId, now: datetime | None = None) -> Snapshot:
        """What the guards see of the message."""
        with self.store.open_uow() as uow:
            return uow.snapshots.of_messages([message_id], now or self.now)[message_id]

    @contextmanager
    def rolled_back(self) -> Iterator[sa.Connection]:
        """A raw connection in a transaction that leaves nothing behind."""
        try:
            with self.store.session.write() as connection:
                yield connection
                raise _Undone
        except _Undone:
            pass

    def _insert(self, table: sa.Table, row: Mapping[str, object], *, returning: bool = True) -> int:
        with self.store.session.write() as connection:
            made = connection.execute(sa.insert(table).values(row))
            return int(made.inserted_primary_key[0]) if returning and made.inserted_primary_key else 0


class _Undone(Exception):
    """Ends a transaction that is to leave nothing behind."""
