"""SQLite finds what is due, and reads the long lists, by the indexes made for it; no statistics are needed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import sqlalchemy as sa

from app.domain.lines import PeopleQuery, SentQuery
from app.store.session import Session
from app.store.unit_of_work import Store
from tests.builders import LATER, NOW, World


@contextmanager
def plans(store: Store) -> Iterator[list[str]]:
    """The plan of every SELECT and UPDATE inside, one line a step."""
    told: list[str] = []

    def explain(
        connection: sa.Connection, _cursor: object, statement: str, parameters: object, _context: object, many: bool
    ) -> None:
        if not many and statement.lstrip().startswith(("SELECT", "WITH", "UPDATE")):
            driver = connection.connection.driver_connection
            assert driver is not None
            told.extend(row[3] for row in driver.execute(f"EXPLAIN QUERY PLAN {statement}", parameters))

    engines = (store.session._reads, store.session._writes)
    for engine in engines:
        sa.event.listen(engine, "before_cursor_execute", explain)
    yield told
    for engine in engines:
        sa.event.remove(engine, "before_cursor_execute", explain)


@pytest.fixture
def sqlite_store(sqlite_database_url: str) -> Iterator[Store]:
    """A store on SQLite with a practice in it."""
    session = Session(sqlite_database_url)
    store = Store(session)
    World(store)
    yield store
    session.dispose()


def test_what_is_due_is_found_by_its_own_index_however_many_wait(sqlite_store: Store) -> None:
    with plans(sqlite_store) as told, sqlite_store.open_uow() as uow:
        uow.enrollments.claim_due(NOW, 100)
        uow.outbox.lease(NOW, LATER, "w", 100)
    assert any("ix_enrollment_due" in step for step in told), told
    assert any("ix_enrollment_resume" in step for step in told), told
    assert any("ix_message_queued" in step for step in told), told
    assert not any("TEMP B-TREE" in step for step in told), told


def test_the_sent_list_comes_in_order_from_its_index(sqlite_store: Store) -> None:
    with plans(sqlite_store) as told, sqlite_store.open_reader() as reads:
        reads.sent_ids(SentQuery())
    assert told == ["SCAN message USING COVERING INDEX ix_message_reached"]


def test_a_search_reads_one_index_and_no_rows_of_people(sqlite_store: Store) -> None:
    with plans(sqlite_store) as told, sqlite_store.open_reader() as reads:
        reads.people_ids(PeopleQuery(search="ana", sort="name"))
    assert told[0] in ("SCAN person USING INDEX ix_person_search", "SCAN person USING COVERING INDEX ix_person_search")
    assert not any("SEARCH" in step for step in told), told
