"""Stores on real databases for tests: a migrated SQLite file or PostgreSQL database, copied anew for each test.

A conftest.py takes the fixtures that it wants: `from tests.databases import store  # noqa: F401`.
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
from app.store.unit_of_work import Store
from tests.builders import World

if TYPE_CHECKING:
    from tests.postgres import PostgresServer

BOTH = ("sqlite", pytest.param("postgresql", marks=pytest.mark.postgres))
MADE_AT = datetime(2026, 1, 1, tzinfo=UTC)
TEMPLATE = "stopwell_template"


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


@pytest.fixture(scope="session")
def postgres_template(postgres_server: PostgresServer) -> str:
    """The name of a migrated PostgreSQL database. Nobody connects to it: it is copied."""
    migrated(postgres_server.create_database(TEMPLATE))
    return TEMPLATE


def fresh_database(kind: str, folder: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of a copy of the template, taken away afterwards. kind: `sqlite` or `postgresql`."""
    if kind == "sqlite":
        path = folder / "stopwell.sqlite3"
        shutil.copyfile(request.getfixturevalue("sqlite_template"), path)
        yield sqlite_url(path)
        return
    server: PostgresServer = request.getfixturevalue("postgres_server")
    name = server.fresh_name("store")
    yield server.create_database(name, request.getfixturevalue("postgres_template"))
    server.drop_database(name)


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
) -> Iterator[str]:
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
