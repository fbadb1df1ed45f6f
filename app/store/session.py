"""Connections: how SQLite and PostgreSQL are opened, and how a transaction begins and ends on each.

SQLite: one connection that writes, begun with IMMEDIATE after waiting its turn, and others that only read (ENGINE C3).
PostgreSQL: psycopg 3, READ COMMITTED, times in UTC (ENGINE C4).
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import event, exc
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.pool import NullPool

from app.data_folder import SECRET_OPTIONS
from app.domain.condition import plain_number
from app.domain.errors import StoreError
from app.store.condition_sql_parts import NUMBER_FUNCTION
from app.store.faults import store_error, told
from app.store.places import check_place
from app.store.turns import Turns

BUSY_TIMEOUT_MS: Final = 30_000
JOURNAL_LIMIT_BYTES: Final = 64 * 1024 * 1024
OLDEST_SQLITE: Final = (3, 35, 0)  # RETURNING
READERS: Final = 4
DESKS: Final = 8  # connections of one process to PostgreSQL

_COMPACT: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def sqlite_module() -> ModuleType:
    """The driver: pysqlite3, whose SQLite has no WAL-reset bug (PLATFORM.md section 4), or else Python's own.

    One process must open a database file with one of them only: the two don't see each other's locks.
    """
    try:
        import pysqlite3.dbapi2 as newer
    except ImportError:
        return sqlite3
    found: ModuleType = newer
    return found


def sqlite_url(path: Path) -> str:
    """The URL of a database file."""
    return URL.create("sqlite", database=str(path)).render_as_string()


class Session:
    """The engines of one database. Any thread may use it; one transaction is on one thread."""

    def __init__(self, url: str, *, busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> None:
        """Opens nothing yet.

        busy_timeout_ms: how long to wait on SQLite for another process.
        Raises StoreError for a URL that is neither SQLite nor PostgreSQL, and for a bad place.
        """
        self.url = _known(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.dialect = "sqlite" if self.is_sqlite else "postgresql"
        self._turns = Turns()
        self.path = Path(self.url.database or "") if self.is_sqlite else None
        if self.path is not None:
            check_place(self.path)
            self.name = str(self.path)
            self._writes = _sqlite_engine(self.url, busy_timeout_ms, reads_only=False)
            self._reads = _sqlite_engine(self.url, busy_timeout_ms, reads_only=True)
        else:
            self.name = _told(self.url)
            self._writes = self._reads = _postgres_engine(self.url)
            self._clock = _clock_engine(self.url)
        self._driver_error: type[BaseException] = self._writes.dialect.loaded_dbapi.Error

    @contextmanager
    def write(self, rest_s: float = 0.0) -> Iterator[Connection]:
        """One transaction that writes: committed at the end, rolled back on any exception.

        rest_s: how long to sit still after it on SQLite, for a writer in another process.
        Raises StoreError, RuleBroken.
        """
        with told(self.name, self._driver_error):
            if not self.is_sqlite:
                with self._writes.begin() as connection:
                    yield connection
                return
            with self._turns.turn(), self._writes.begin() as connection:
                yield connection
        if rest_s:
            time.sleep(rest_s)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """One transaction that reads: every SELECT in it sees the same moment. Raises StoreError."""
        with told(self.name, self._driver_error):
            if self.is_sqlite:
                with self._reads.connect() as connection, connection.begin():
                    yield connection
                return
            level = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
            with self._reads.connect().execution_options(**level) as connection, connection.begin():
                yield connection

    @contextmanager
    def asking_time(self) -> Iterator[Callable[[], datetime]]:
        """A way to ask PostgreSQL its time, UTC, beside every transaction. Raises StoreError within some seconds."""
        with told(self.name, self._driver_error), self._clock.connect() as connection:

            def ask() -> datetime:
                at: datetime = connection.exec_driver_sql("SELECT clock_timestamp()").scalar_one()
                return at.astimezone(UTC)

            yield ask

    def glance(self, statement: str, given: Sequence[object]) -> list[Any]:
        """One SELECT on SQLite, straight through the driver: a fifth of what a transaction that reads costs.

        statement: our own SQL with `?` places. Raises StoreError.
        """
        try:
            with contextlib.closing(self._reads.raw_connection()) as connection:
                return list(connection.cursor().execute(statement, given).fetchall())
        except sqlite_module().Error as fault:
            raise (store_error(fault, self.name) or fault) from fault

    def dispose(self) -> None:
        """Close every connection. On SQLite the last one to close takes the WAL back into the file."""
        self._reads.dispose()
        self._writes.dispose()


def _known(url: str) -> URL:
    try:
        parsed = make_url(url)
    except exc.ArgumentError as wrong:
        raise StoreError("The database URL can't be read.", "Write postgresql://user@host/database.") from wrong
    match parsed.get_backend_name():
        case "sqlite" if parsed.database and parsed.database != ":memory:":
            return parsed
        case "postgresql" | "postgres":
            return parsed.set(drivername="postgresql+psycopg")
        case other:
            raise StoreError(f"A database of kind {other} can't be used.", "Use a PostgreSQL URL, or none.")


def _told(url: URL) -> str:
    """A server's URL as it is shown: without a password, also among its options (I16)."""
    bare = URL.create("postgresql", url.username, None, url.host, url.port, url.database, url.query)
    return bare.difference_update_query(SECRET_OPTIONS).render_as_string()


def _sqlite_engine(url: URL, busy_timeout_ms: int, *, reads_only: bool) -> Engine:
    module = sqlite_module()
    if module.sqlite_version_info < OLDEST_SQLITE:
        raise StoreError(f"SQLite {module.sqlite_version} is too old.", "Install pysqlite3, or a newer Python.")
    # one connection writes: the turns see to it that it is never waited for
    pool: dict[str, Any] = {"pool_size": READERS, "max_overflow": READERS} if reads_only else {"pool_size": 1}
    engine = sa.create_engine(
        url,
        module=module,
        json_serializer=_COMPACT,
        connect_args={"timeout": busy_timeout_ms / 1000, "check_same_thread": False},
        **pool,
    )

    @event.listens_for(engine, "connect")
    def _connected(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # we say BEGIN, the driver never does
        connection.execute(f"PRAGMA busy_timeout={busy_timeout_ms}")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA temp_store=MEMORY")
        connection.create_function(NUMBER_FUNCTION, 1, plain_number, deterministic=True)
        if reads_only:
            connection.execute("PRAGMA query_only=ON")
            return
        _private(Path(url.database or ""))
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")  # a note that a power cut loses is a second send (I7)
        connection.execute(f"PRAGMA journal_size_limit={JOURNAL_LIMIT_BYTES}")

    begin = "BEGIN" if reads_only else "BEGIN IMMEDIATE"

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _private(path: Path) -> None:
    """A new database file is its owner's alone."""
    if os.name == "posix" and path.exists() and path.stat().st_size == 0:
        path.chmod(0o600)


# a server or network that is gone without a word: by themselves TCP and libpq would wait for two hours
_NOTICED_IN_A_MINUTE: Final = {
    "keepalives_idle": 20,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 50_000,
}


def _postgres_engine(url: URL) -> Engine:
    return sa.create_engine(
        url,
        json_serializer=_COMPACT,
        isolation_level="READ COMMITTED",
        # a server may be told to answer before a commit is on disk: a note that a crash loses is a second send (I7)
        connect_args={
            # and a desk that falls asleep in the middle of a transaction would keep from others what it has locked
            "options": "-c timezone=UTC -c synchronous_commit=on -c idle_in_transaction_session_timeout=60s",
            "connect_timeout": 10,
            "application_name": "stopwell",
            **_NOTICED_IN_A_MINUTE,
        },
        pool_size=DESKS,
        pool_pre_ping=True,
    )


def _clock_engine(url: URL) -> Engine:
    """Asked twice a minute at most: a connection a question, which holds none of the server's for long.

    Whoever wants the time may be the window: it is told soon that the server can't be asked.
    """
    return sa.create_engine(
        url,
        isolation_level="AUTOCOMMIT",
        poolclass=NullPool,
        connect_args={
            "options": "-c timezone=UTC -c statement_timeout=3s",
            "connect_timeout": 3,
            "tcp_user_timeout": 3_000,
            "application_name": "stopwell clock",
        },
    )
