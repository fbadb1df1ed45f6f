"""Stories are told on a real SQLite file; what the database itself must refuse, on PostgreSQL too."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.store.session import Session
from app.store.unit_of_work import Store


@pytest.fixture
def sqlite_store(sqlite_database_url: str) -> Iterator[Store]:
    """An open store on a SQLite file of the test's own."""
    session = Session(sqlite_database_url)
    yield Store(session)
    session.dispose()
