"""Asks a database directly, with SQL, to do what must never be: what it said."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from app.store.faults import RuleBroken
from tests.builders import World


def refusal(world: World, statement: str, **given: object) -> str:
    """The words with which the database refused `statement`; the test fails when it did not."""
    with pytest.raises(RuleBroken) as told, world.rolled_back() as connection:
        connection.execute(sa.text(statement), given)
    return str(told.value)


def allowed(world: World, statement: str, **given: object) -> int:
    """How many rows `statement` changed, before it was taken back: the database let it pass."""
    with world.rolled_back() as connection:
        return connection.execute(sa.text(statement), given).rowcount
