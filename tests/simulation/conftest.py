"""Where plays are given: one database after another, each as empty as the first."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from app.store.session import Session, sqlite_url
from app.store.unit_of_work import Store
from tests.databases import PostgresPool


class SqliteTheatre:
    """One file, overwritten for each play. Statements are compiled once for all of them.

    Nothing is synced: a play kills workers by an exception, never the process or the power.
    """

    def __init__(self, template: Path, folder: Path) -> None:
        self._template = template
        self._path = folder / "play.sqlite3"
        shutil.copyfile(template, self._path)
        self._session = Session(sqlite_url(self._path))
        sa.event.listen(self._session._writes, "connect", _unsynced)

    @contextmanager
    def stage(self) -> Iterator[Store]:
        """A store with nothing in it."""
        for name in (self._path.name, f"{self._path.name}-wal", f"{self._path.name}-shm"):
            self._path.with_name(name).unlink(missing_ok=True)
        shutil.copyfile(self._template, self._path)
        yield Store(self._session)
        self._session.dispose()


class PostgresTheatre:
    """A database of the pool for each play."""

    def __init__(self, pool: PostgresPool) -> None:
        self._pool = pool

    @contextmanager
    def stage(self) -> Iterator[Store]:
        """A store with nothing in it."""
        url = self._pool.take()
        session = Session(url)
        yield Store(session)
        session.dispose()
        self._pool.give_back(url)


def _unsynced(connection: Any, _record: object) -> None:
    connection.execute("PRAGMA synchronous=OFF")


@pytest.fixture
def sqlite_theatre(sqlite_template: Path, tmp_path: Path) -> SqliteTheatre:
    """Plays on SQLite."""
    return SqliteTheatre(sqlite_template, tmp_path)


@pytest.fixture
def postgres_theatre(postgres_pool: PostgresPool, postgres_server: object) -> PostgresTheatre:
    """Plays on PostgreSQL. postgres_server: named for the root conftest, which marks those who ask for it."""
    return PostgresTheatre(postgres_pool)
