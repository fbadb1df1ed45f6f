"""ENGINE.md C8: the PostgreSQL server is gone in an instant while a worker stands at a checkpoint, and comes back.

The workers are the same processes before and after: what they keep in memory and in their pools is under test.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import get_args

import pytest

from app.engine.checkpoints import Checkpoint
from app.store import tables as t
from app.store.session import Session
from app.store.unit_of_work import Store
from tests.databases import migrated
from tests.postgres import PostgresServer
from tests.races.crew import Crew, Hand
from tests.stage import Stage

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.skipif(sys.platform == "win32", reason="pipes and signals of POSIX"),
]
PEOPLE = 4
POINTS = [point for point in get_args(Checkpoint) if point.startswith(("tick.", "deliver."))]
ASKING = [point for point in get_args(Checkpoint) if point.startswith("reconcile.")]


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    """A server of this file's own, for it goes down. It has a migrated database to copy."""
    own = PostgresServer.start()
    migrated(own.create_database("template"))
    yield own
    own.stop()


@pytest.fixture
def crew(server: PostgresServer, tmp_path: Path, hands: list[Hand]) -> Iterator[Crew]:
    url = server.create_database(server.fresh_name(), "template")
    session = Session(url)
    crew = Crew(Stage(Store(session)), url, tmp_path, hands[:2])
    for _ in range(PEOPLE):
        crew.stage.lead()
    yield crew
    session.dispose()


def goes_down_and_comes_back(server: PostgresServer, crew: Crew, point: str) -> None:
    """While the first stands at `point`. Either is told so in one clear line, and nothing else."""
    worker, other = crew.hands
    worker.ask("wait", at=point)
    worker.tell("pass")
    worker.stands_at(point)
    server.go_down()
    worker.tell("go")
    other.tell("pass")
    for hand in crew.hands:
        told = hand.refused()
        assert "server can't be reached" in told or "shutting down or starting up" in told
    server.come_up()


def go_on_by_themselves(crew: Crew) -> None:
    """The same processes, pass by pass; then nothing is stuck, lost or said twice."""
    for _ in range(3):
        crew.go_on(timedelta(seconds=61))
        for hand in crew.hands:
            hand.ask("pass")
    rows = crew.stage.world.rows(t.message)
    assert [row["state"] for row in rows] == ["accepted"] * PEOPLE
    assert not any(row["possible_duplicate"] for row in rows)
    assert len(crew.taken()) == PEOPLE
    crew.balanced()


@pytest.mark.parametrize("point", POINTS)
def test_i13_a_server_that_is_gone_at_any_point_of_tick_and_delivery_costs_nothing_but_the_time(
    server: PostgresServer, crew: Crew, point: str
) -> None:
    goes_down_and_comes_back(server, crew, point)
    go_on_by_themselves(crew)


@pytest.mark.parametrize("point", ASKING)
def test_i13_a_server_that_is_gone_while_a_provider_is_asked_changes_nothing_of_the_truth(
    server: PostgresServer, crew: Crew, point: str
) -> None:
    worker, _ = crew.hands
    worker.ask("answer", **{"as": "no answer"})
    worker.ask("pass")
    worker.ask("answer", **{"as": "taken"})
    crew.go_on(timedelta(seconds=61))
    goes_down_and_comes_back(server, crew, point)
    go_on_by_themselves(crew)
