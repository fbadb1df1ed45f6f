"""Waiting on PostgreSQL: until a transaction of another thread stands before a lock."""

from __future__ import annotations

import time

import sqlalchemy as sa

from app.store.unit_of_work import Store

GIVE_UP_S = 20.0
_WAITING = sa.text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
)


def wait_until_blocked(store: Store, count: int = 1) -> None:
    """Until so many transactions of this database wait for a lock. Raises AssertionError when they don't for 20 s."""
    give_up_s = time.monotonic() + GIVE_UP_S
    while time.monotonic() < give_up_s:
        with store.session.read() as connection:
            if (connection.scalar(_WAITING) or 0) >= count:
                return
    raise AssertionError("nobody waited for a lock")
