"""Many due, several worker processes on one PostgreSQL database: each message is accepted once, by the provider's list.

STOPWELL_TEST_DUE: how many are due; `make soak` takes 5,000.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from app.store import tables as t
from app.store.session import Session
from app.store.unit_of_work import Store
from tests.races.crew import Crew, Hand
from tests.stage import Stage

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
DUE = int(os.environ.get("STOPWELL_TEST_DUE", "500"))
IN_FLIGHT = 16


@pytest.fixture
def four(hands: list[Hand]) -> Iterator[list[Hand]]:
    """The three, and one that is going to be killed."""
    doomed = Hand()
    yield [*hands, doomed]
    doomed.end()


@pytest.fixture
def stage(postgres_database_url: str) -> Iterator[Stage]:
    session = Session(postgres_database_url)
    yield Stage(Store(session))
    session.dispose()


def many_due(stage: Stage) -> None:
    """So many people, each with an email that is due."""
    world, journey = stage.world, stage.journey
    person = {"location_id": world.portland, "contact": "open", "created_at": world.now, "updated_at": world.now}
    enrollment = {
        "journey_id": journey.id,
        "journey_version_id": journey.version_id,
        "entry_key": "once",
        "entered_at": world.now,
        "entered_by": "staff",
        "step": journey.start,
        "step_entered_at": world.now,
        "waits_for": "nothing",
        "wake_at": world.now,
        "send_budget": journey.send_budget,
    }
    people = [
        person | {"first_name": "Ana", "last_name": f"Nr{number}", "email": f"p{number}@example.com"}
        for number in range(DUE)
    ]
    with stage.store.session.write() as connection:
        connection.execute(sa.insert(t.person), people)
        ids = connection.scalars(sa.select(t.person.c.id)).all()
        connection.execute(sa.insert(t.enrollment), [enrollment | {"person_id": person_id} for person_id in ids])


def took_part(crew: Crew) -> Counter[int]:
    """How many messages the provider has from each process."""
    return Counter(json.loads(line)["by"] for line in crew.list.read_text().splitlines())


def all_at_once(hands: list[Hand]) -> None:
    """Everything is queued by one; then each leases a batch, and only when all of them have one do they begin."""
    assert hands[0].ask("tick")["queued"] == DUE
    for hand in hands:
        hand.ask("wait", at="deliver.leased")
        hand.tell("pass")
    for hand in hands:
        hand.stands_at("deliver.leased")
    for hand in hands:
        hand.tell("go")


def test_i7_two_workers_on_one_database_hand_over_each_message_once(
    stage: Stage, postgres_database_url: str, tmp_path: Path, hands: list[Hand]
) -> None:
    many_due(stage)
    crew = Crew(stage, postgres_database_url, tmp_path, hands[:2], in_flight=IN_FLIGHT)
    all_at_once(crew.hands)
    accepted = [hand.done()["accepted"] for hand in crew.hands]
    assert sum(accepted) == DUE
    assert set(took_part(crew)) == {hand.process.pid for hand in crew.hands}, "one worker did it all"
    assert len(crew.taken()) == DUE
    crew.balanced()


def test_i13_of_four_workers_one_is_killed_in_the_middle_and_nothing_is_lost_or_said_twice(
    stage: Stage, postgres_database_url: str, tmp_path: Path, four: list[Hand]
) -> None:
    many_due(stage)
    crew = Crew(stage, postgres_database_url, tmp_path, four, in_flight=IN_FLIGHT)
    *survivors, doomed = crew.hands
    doomed.ask("die", at="deliver.answered", nth=DUE // 20)
    all_at_once(crew.hands)
    doomed.until_killed()
    for hand in survivors:
        hand.done()
    left = {row["state"] for row in stage.world.rows(t.message)} - {"accepted"}
    assert "sending" in left, "what the killed one had in hand is unknown"
    assert took_part(crew)[doomed.process.pid] >= DUE // 20
    for _ in range(2):
        crew.go_on(timedelta(seconds=61))
        for hand in survivors:
            hand.tell("pass")
        for hand in survivors:
            hand.done()
    assert {row["state"] for row in stage.world.rows(t.message)} == {"accepted"}
    assert not any(row["possible_duplicate"] for row in stage.world.rows(t.message))
    assert len(crew.taken()) == DUE
    crew.balanced()
