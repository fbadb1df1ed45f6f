"""Stores on real databases for tests: a migrated SQLite file or PostgreSQL database, copied anew for each test.

A conftest.py takes the fixtures that it wants by importing them.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.store.migrate import bring_up_to_date
from app.store.session import Session, sqlite_url
from app.store.triggers import trigger_ddl
from app.store.unit_of_work import Store
from tests.builders import World

if TYPE_CHECKING:
    from tests.postgres import PostgresServer

BOTH = ("sqlite", pytest.param("postgresql", marks=pytest.mark.postgres))
MADE_AT = datetime(2026, 1, 1, tzinfo=UTC)
PLACED_TRIGGERS = sum(statement.startswith("CREATE TRIGGER") for statement in trigger_ddl("postgresql"))
KEPT = frozenset({"alembic_version", "setting", "engine_state", "channel_state"})


def migrated(url: str) -> None:
    """Make the schema in an empty database, and let go of it."""
    session = Session(url)
    try:
        bring_up_to_date(session, MADE_AT)
    finally:
        session.dispose()


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file. Nobody opens it: it is copied."""
    path = tmp_path_factory.mktemp("template") / "stopwell.sqlite3"
    migrated(sqlite_url(path))
    return path


class PostgresPool:
    """Migrated PostgreSQL databases that tests take one after another: emptying one is much faster than a new one."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server
        self._free: list[str] = []

    def take(self) -> str:
        """The URL of a migrated database without any rows but those that the migration makes."""
        if self._free:
            return self._free.pop()
        url = self._server.create_database(self._server.fresh_name("store"))
        migrated(url)
        return url

    def give_back(self, url: str) -> None:
        """Empty the database as the next test wants it, whoever is still connected; triggers don't stop this."""
        import psycopg

        with psycopg.connect(url, autocommit=True) as connection, connection.transaction():
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            connection.execute("SET LOCAL session_replication_role = replica")
            names = connection.execute("SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public'")
            for (name,) in names.fetchall():
                if name not in KEPT:
                    connection.execute(f"DELETE FROM {name}")
            connection.execute(
                "UPDATE engine_state SET paused_why = NULL, paused_by = '', paused_at = NULL, clock_seen_at = NULL,"
                " clock_made_up = false"
            )
            connection.execute(
                "UPDATE channel_state SET paused_why = NULL, paused_at = NULL, try_at = NULL, provider = '',"
                " failures = 0, paced_until = NULL"
            )
            connection.execute("DELETE FROM setting WHERE key NOT IN ('suppression_key', 'made_by')")
            connection.execute("SELECT setval(format('%I', sequencename)::regclass, 1, false) FROM pg_sequences")
            triggers = connection.execute("SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal").fetchone()
        # a test that took a trigger away keeps its database to itself
        if triggers == (PLACED_TRIGGERS,):
            self._free.append(url)


@pytest.fixture(scope="session")
def postgres_pool(postgres_server: PostgresServer) -> PostgresPool:
    """The session's PostgreSQL databases. A test that changes the schema takes `postgres_url` instead."""
    return PostgresPool(postgres_server)


def fresh_database(kind: str, folder: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of a migrated database of one's own, taken back afterwards. kind: `sqlite` or `postgresql`."""
    if kind == "sqlite":
        path = folder / "stopwell.sqlite3"
        shutil.copyfile(request.getfixturevalue("sqlite_template"), path)
        yield sqlite_url(path)
        return
    pool: PostgresPool = request.getfixturevalue("postgres_pool")
    url = pool.take()
    yield url
    pool.give_back(url)


@pytest.fixture(params=BOTH)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a migrated database of the test's own, on SQLite and on PostgreSQL."""
    yield from fresh_database(request.param, tmp_path, request)


@pytest.fixture
def sqlite_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """As `database_url`, on SQLite alone."""
    yield from fresh_database("sqlite", tmp_path, request)


@pytest.fixture
def postgres_database_url(
    postgres_server: PostgresServer, request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[str]:  # the server is named for conftest.py, which marks those who ask for it
    """As `database_url`, on PostgreSQL alone."""
    yield from fresh_database("postgresql", tmp_path, request)


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    """An open store on a database of the test's own, on SQLite and on PostgreSQL."""
    session = Session(database_url)
    yield Store(session)
    session.dispose()


@pytest.fixture
def world(store: Store) -> World:
    """A practice with one location in Portland, to build people, journeys and messages in."""
    return World(store)


@pytest.fixture(scope="module", params=BOTH)
def shared_world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A world that the tests of one file share: for raw SQL that is rolled back."""
    databases = fresh_database(request.param, tmp_path_factory.mktemp("shared"), request)
    session = Session(next(databases))
    yield World(Store(session))
    session.dispose()
    for _ in databases:
        raise AssertionError("one database a world")
