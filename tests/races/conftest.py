"""The engine is asked of a real SQLite file and of a real PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.store.unit_of_work import Store
from tests.races.crew import Hand
from tests.stage import Stage


@pytest.fixture
def stage(store: Store) -> Stage:
    """A practice with its engine, a told clock and a fake provider."""
    return Stage(store)


@pytest.fixture(scope="session")
def _three() -> Iterator[list[Hand]]:
    three = [Hand() for _ in range(3)]
    yield three
    for hand in three:
        hand.end()


@pytest.fixture
def hands(_three: list[Hand]) -> list[Hand]:
    """Three processes that live from test to test; one that a failed test left in the middle is made anew."""
    for number, hand in enumerate(_three):
        if not hand.idle:
            hand.end()
            _three[number] = Hand()
    return list(_three)
