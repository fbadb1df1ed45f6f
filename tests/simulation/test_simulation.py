"""Seeded plays of everything at once, two hundred of them; `make soak` plays thousands. A failure tells its story.

STOPWELL_TEST_SEEDS: how many. STOPWELL_TEST_SEED: that one alone.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.store import tables as t
from tests.simulation.faults import FAULTS
from tests.simulation.play import Play
from tests.simulation.pool import EVENTS, SqliteTheatre, Task, play_all

if TYPE_CHECKING:
    from tests.simulation.conftest import PostgresTheatre

BY_DEFAULT = 200
SEEDS = int(os.environ.get("STOPWELL_TEST_SEEDS", str(BY_DEFAULT)))
ONE = os.environ.get("STOPWELL_TEST_SEED", "")
PORTION = 10


def seeds(most: int) -> range:
    return range(int(ONE), int(ONE) + 1) if ONE else range(most)


def of_a_run(most: int) -> Sequence[int]:
    """The first ones, and those by which a planted fault is caught: else such a seed could catch whatever is played."""
    return sorted({*range(most), *(fault.caught_by for fault in FAULTS.values())})


def test_whatever_happens_in_whatever_order_every_invariant_holds(sqlite_template: Path) -> None:
    wanted = seeds(SEEDS) if ONE else of_a_run(SEEDS)
    tasks = [Task(wanted[place : place + PORTION]) for place in range(0, len(wanted), PORTION)]

    breaches = sorted(breach for outcome in play_all(sqlite_template, tasks) for breach in outcome.breaches)

    assert not breaches, "\n".join(told for _, told in breaches[:3])


def test_and_so_it_is_on_postgresql(postgres_theatre: PostgresTheatre, tmp_path: Path) -> None:
    for seed in seeds(max(SEEDS // 25, 1)):
        with postgres_theatre.stage() as store:
            Play(store, seed, tmp_path).run(EVENTS)


def test_a_seed_tells_the_same_story_every_time(sqlite_template: Path, tmp_path: Path) -> None:
    theatre = SqliteTheatre(sqlite_template, tmp_path)
    told = []
    for _ in range(2):
        with theatre.stage() as store:
            play = Play(store, 4, tmp_path)
            play.run(EVENTS)
            lines = play.practice.world.rows(t.log_entry)
            told.append((play.told, [(line["at"], line["event"], line["facts"]) for line in lines]))
    assert told[0] == told[1]
