"""PostgreSQL: a desk that falls asleep in a transaction, or whose network is gone, holds nobody up for long."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from app.domain.errors import StoreError
from app.domain.ids import PersonId
from app.store.session import Session
from app.store.unit_of_work import Store
from tests.builders import World

ASLEEP = sa.text("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'")


@pytest.fixture
def world(postgres_database_url: str) -> Iterator[World]:
    session = Session(postgres_database_url)
    yield World(Store(session))
    session.dispose()


def test_a_transaction_that_stands_still_for_a_minute_is_ended_by_the_server(world: World) -> None:
    with world.store.session.read() as connection:
        assert connection.scalar(sa.text("SHOW idle_in_transaction_session_timeout")) == "1min"


def test_what_a_sleeping_desk_had_locked_is_free_again_and_it_is_told_in_one_line(world: World) -> None:
    ana = world.person()
    with pytest.raises(StoreError, match="stood still"):
        falls_asleep(world.store, ana)


def falls_asleep(store: Store, person: PersonId) -> None:
    with store.open_uow() as asleep:
        asleep.people.lock([person], to_write=True)
        asleep.connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = '50ms'")
        until_nobody_sleeps(store)
        with store.open_uow() as awake:
            awake.connection.exec_driver_sql("SET LOCAL lock_timeout = '100ms'")
            awake.people.lock([person], to_write=True)
        asleep.people.read(person)


def until_nobody_sleeps(store: Store) -> None:
    give_up_s = time.monotonic() + 20
    while time.monotonic() < give_up_s:
        with store.session.read() as connection:
            if not connection.scalar(ASLEEP):
                return
    raise AssertionError("the transaction that stood still was left alone")


def test_a_peer_that_is_gone_is_noticed_within_a_minute(world: World) -> None:
    """Case 145: the network is away for two minutes during a tick. By itself TCP would wait for two hours."""
    with world.store.session.read() as connection:
        driver = connection.connection.driver_connection
        assert driver is not None
        told = driver.info.get_parameters()
    assert (told["keepalives_idle"], told["keepalives_interval"], told["keepalives_count"]) == ("20", "10", "3")
    assert told["tcp_user_timeout"] == "50000"
