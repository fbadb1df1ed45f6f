"""A hundred seeded plays of everything at once; `make soak` plays thousands. A failure names its seed.

STOPWELL_TEST_SEEDS: how many. STOPWELL_TEST_SEED: that one alone.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from app.store import tables as t
from tests.simulation.play import Play

if TYPE_CHECKING:
    from tests.simulation.conftest import PostgresTheatre, SqliteTheatre

SEEDS = int(os.environ.get("STOPWELL_TEST_SEEDS", "100"))
ONE = os.environ.get("STOPWELL_TEST_SEED", "")
EVENTS = 30


def seeds(most: int) -> range:
    return range(int(ONE), int(ONE) + 1) if ONE else range(most)


def test_whatever_happens_in_whatever_order_every_invariant_holds(sqlite_theatre: SqliteTheatre) -> None:
    for seed in seeds(SEEDS):
        with sqlite_theatre.stage() as store:
            Play(store, seed).run(EVENTS)


def test_and_so_it_is_on_postgresql(postgres_theatre: PostgresTheatre) -> None:
    for seed in seeds(max(SEEDS // 20, 1)):
        with postgres_theatre.stage() as store:
            Play(store, seed).run(EVENTS)


def test_a_seed_tells_the_same_story_every_time(sqlite_theatre: SqliteTheatre) -> None:
    told = []
    for _ in range(2):
        with sqlite_theatre.stage() as store:
            play = Play(store, 4)
            play.run(EVENTS)
            lines = play.practice.world.rows(t.log_entry)
            told.append((play.told, [(line["at"], line["event"], line["facts"]) for line in lines]))
    assert told[0] == told[1]
