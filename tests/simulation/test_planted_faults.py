"""Each wrong engine is caught within a hundred seeds; the right one is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.simulation.books import Breach
from tests.simulation.faults import FAULTS
from tests.simulation.play import Play
from tests.simulation.test_simulation import EVENTS

if TYPE_CHECKING:
    from tests.simulation.conftest import SqliteTheatre

MOST = 100


def breach(theatre: SqliteTheatre, name: str, seed: int) -> Breach | None:
    with pytest.MonkeyPatch.context() as patch, theatre.stage() as store:
        try:
            Play(store, seed, FAULTS[name](patch)).run(EVENTS)
        except Breach as caught:
            return caught
    return None


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_caught(sqlite_theatre: SqliteTheatre, name: str) -> None:
    for seed in range(MOST):
        caught = breach(sqlite_theatre, name, seed)
        if caught is not None:
            assert str(caught).startswith(f"seed {seed}, "), "a failure names its seed"
            return
    pytest.fail(f"{name} went unnoticed for {MOST} seeds")
