"""What every door has: the transaction's connection, and what this process remembers of rows that never change."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Row

from app.domain.reasons import Why
from app.store.columns import quoted
from app.store.memory import Memory


class Door:
    """A door to one family of tables, for the length of one transaction. Statements are built once, not a call."""

    def __init__(self, connection: Connection, memory: Memory) -> None:
        self._connection = connection
        self._memory = memory
        self._is_sqlite = connection.dialect.name == "sqlite"

    def _rows(self, statement: sa.Executable, **given: Any) -> list[Row[Any]]:
        """All rows at once: on SQLite a statement left open would hold its snapshot."""
        return list(self._connection.execute(statement, given).all())

    def _absent(self, table: sa.Table) -> Any:
        """An INSERT into `table` that leaves a row alone which is there already."""
        return insert_absent(table, self._connection.dialect.name)


def literal(word: str) -> sa.ColumnElement[str]:
    """A constant of ours written into the SQL: PostgreSQL's generic plans use no partial index for a bound one."""
    return sa.literal_column(quoted([word]), sa.Text())


def given_why(why: Why | None) -> str | None:
    """A reason as it is stored."""
    return None if why is None else why.value


def known_why(stored: str | None) -> Why | None:
    """A stored reason."""
    return None if stored is None else Why(stored)


@lru_cache(maxsize=32)
def insert_absent(table: sa.Table, dialect: str) -> Any:
    """INSERT … ON CONFLICT DO NOTHING, whatever the conflict is with. dialect: `sqlite` or `postgresql`."""
    if dialect == "sqlite":
        from sqlalchemy.dialects.sqlite import insert as insert_sqlite

        return insert_sqlite(table).on_conflict_do_nothing()
    from sqlalchemy.dialects.postgresql import insert as insert_postgresql

    return insert_postgresql(table).on_conflict_do_nothing()
