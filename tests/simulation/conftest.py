"""Where plays on PostgreSQL are given: one database after another, each as empty as the first. On SQLite: pool.py."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from app.store.session import Session
from app.store.unit_of_work import Store
from tests.databases import PostgresPool


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


@pytest.fixture
def postgres_theatre(postgres_pool: PostgresPool, postgres_server: object) -> PostgresTheatre:
    """Plays on PostgreSQL. postgres_server: named for the root conftest, which marks those who ask for it."""
    return PostgresTheatre(postgres_pool)
