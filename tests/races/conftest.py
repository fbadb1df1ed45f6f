"""The engine is asked of a real SQLite file and of a real PostgreSQL."""

from __future__ import annotations

import pytest

from app.store.unit_of_work import Store
from tests.stage import Stage


@pytest.fixture
def stage(store: Store) -> Stage:
    """A practice with its engine, a told clock and a fake provider."""
    return Stage(store)
