"""SIGKILL at each named point of tick, delivery, stop and reconcile; a restart; then the books are balanced (I13)."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest

from app.domain.ids import EnrollmentId, MessageId, PersonId
from app.engine.checkpoints import Checkpoint
from app.engine.once import Once
from app.store import tables as t
from app.store.unit_of_work import Store
from tests.builders import NOW, World
from tests.crashes.child import Doomed, engine, kill_at_the_point, standing_at_the_point
from tests.crashes.lists import ListProvider
from tests.crashes.matrix import (
    IN_TRANSACTION,
    NOTED_UNSENT,
    PEOPLE,
    PLAYED,
    POLL_POINTS,
    RECONCILE_POINTS,
    Cell,
)
from tests.fakes import ToldClock
from tests.outside import text

# longer than a lease
LATER = timedelta(seconds=61)
PASSES_TO_REST = 4


def leads(world: World) -> list[tuple[PersonId, EnrollmentId]]:
    journey = world.journey()
    made = []
    for _ in range(PEOPLE):
        person = world.person()
        world.consent(person)
        made.append((person, world.enrollment(person, journey)))
    return made


def run_to_rest(once: Once, clock: ToldClock) -> None:
    """The restart: everything that was cut off is found, finished or tried again."""
    for _ in range(PASSES_TO_REST):
        clock.go_on(LATER)
        once.run()


def balanced(world: World, provider: ListProvider) -> None:
    """Each person's first message was taken, none forgotten, and nothing hangs."""
    rows = world.rows(t.message)
    assert len(rows) == PEOPLE
    assert {(row["step"], row["state"]) for row in rows} == {("hello", "accepted")}
    assert {row["id"] for row in rows} == set(provider.messages()), "0 lost"
    assert {row["answer"] for row in world.rows(t.attempt)} <= {
        "accepted",
        "not_found",
        "unknown",
        "not_made",
        "transient",
    }


def doubles(world: World, provider: ListProvider) -> list[MessageId]:
    """Messages that the provider took more than once; each must stand in the books as one that may have been."""
    taken = Counter(provider.messages())
    twice = sorted(message for message, times in taken.items() if times > 1)
    assert max(taken.values(), default=0) <= 2, f"taken three times: {taken}"
    for row in world.rows(t.message):
        if row["id"] in twice:
            assert row["possible_duplicate"], "a double that nobody is told of"
    return twice


@pytest.mark.parametrize("cell", PLAYED, ids=str)
def test_i13_a_kill_at_any_point_of_tick_and_delivery_loses_nothing_and_doubles_nothing(
    store: Store, database_url: str, tmp_path: Path, cell: Cell
) -> None:
    """Cases 67 and 71. With a provider that can be asked: 0 lost, 0 doubled; without: at most one, and flagged."""
    world = World(store)
    leads(world)
    clock = ToldClock(NOW)
    provider = ListProvider(tmp_path / "list.jsonl", clock, askable=cell.askable)
    another = engine(store, provider, clock, "another")
    doomed = Doomed(database_url, tmp_path / "list.jsonl", NOW, cell.point, cell.nth, cell.askable)
    with standing_at_the_point(doomed):
        if cell.workers > 1 and cell.point not in IN_TRANSACTION:
            another.run()  # while the first one stands there, alive
    sending = world.rows(t.message, state="sending")
    if cell.accepted_unwritten:
        assert len(sending) == 1, "the note was on disk before the call (I7)"
        assert sending[0]["id"] in provider.messages()
    if cell.point in NOTED_UNSENT:
        assert len(sending) == 1
        assert sending[0]["id"] not in provider.messages()
    run_to_rest(another if cell.workers > 1 else engine(store, provider, clock, "restarted"), clock)
    balanced(world, provider)
    if cell.askable:
        assert doubles(world, provider) == []
    else:
        assert len(doubles(world, provider)) == (1 if cell.accepted_unwritten else 0)


@pytest.mark.parametrize("nth", [1, 2])
def test_i13_a_kill_with_sixteen_in_flight_leaves_no_more_unknown_than_were_in_flight(
    store: Store, database_url: str, tmp_path: Path, nth: int
) -> None:
    world = World(store)
    leads(world)
    clock = ToldClock(NOW)
    provider = ListProvider(tmp_path / "list.jsonl", clock, askable=True)
    kill_at_the_point(Doomed(database_url, tmp_path / "list.jsonl", NOW, "call.accepted", nth, in_flight=16))
    assert 1 <= len(world.rows(t.message, state="sending")) <= 16
    run_to_rest(engine(store, provider, clock, "restarted", in_flight=16), clock)
    balanced(world, provider)
    assert doubles(world, provider) == []


@pytest.mark.parametrize("askable", [True, False])
@pytest.mark.parametrize("point", RECONCILE_POINTS)
def test_i13_a_kill_while_the_provider_is_asked_changes_nothing_of_the_truth(
    store: Store, database_url: str, tmp_path: Path, point: Checkpoint, askable: bool
) -> None:
    world = World(store)
    leads(world)
    clock = ToldClock(NOW)
    path = tmp_path / "list.jsonl"
    kill_at_the_point(Doomed(database_url, path, NOW, "deliver.answered", 2, askable))
    clock.go_on(LATER)
    kill_at_the_point(Doomed(database_url, path, clock.now(), point, 1, askable))
    provider = ListProvider(path, clock, askable=askable)
    run_to_rest(engine(store, provider, clock, "restarted"), clock)
    balanced(world, provider)
    assert len(doubles(world, provider)) == (0 if askable else 1)


@pytest.mark.parametrize("point", ["event.before_commit", "event.committed"])
def test_i8_a_kill_around_a_stop_leaves_it_whole_or_not_there_and_the_copy_finishes_it(
    store: Store, database_url: str, tmp_path: Path, point: Checkpoint
) -> None:
    world = World(store)
    (person, enrollment), *_ = leads(world)
    kill_at_the_point(Doomed(database_url, tmp_path / "list.jsonl", NOW, point, stop_person=person))
    is_there = point == "event.committed"
    assert len(world.rows(t.inbox_event)) == (1 if is_there else 0)
    assert world.row(t.enrollment, enrollment)["state"] == ("stopped" if is_there else "active")
    assert bool(world.rows(t.log_entry, event="follow_up.ended")) == is_there


@pytest.mark.parametrize("nth", [1, 2])
@pytest.mark.parametrize("point", POLL_POINTS)
def test_i13_a_kill_while_what_came_in_is_read_brings_it_again_and_doubles_nothing(
    store: Store, database_url: str, tmp_path: Path, point: Checkpoint, nth: int
) -> None:
    """Five texts, two a page; the last is a stop of somebody who is due."""
    world = World(store)
    (person, enrollment), *_ = leads(world)
    number = str(world.row(t.person, person)["phone"])
    others = [text(f"+1202555019{each}", "Hello", NOW, key=f"SM{each}") for each in range(4)]
    came_in = (*others, text(number, "STOP", NOW, key="SM9"))
    kill_at_the_point(Doomed(database_url, tmp_path / "list.jsonl", NOW, point, nth, came_in=came_in))
    assert 1 <= len(world.rows(t.inbox_event)) <= 4
    clock = ToldClock(NOW)
    clock.go_on(LATER)
    provider = ListProvider(tmp_path / "list.jsonl", clock, askable=True)
    run_to_rest(engine(store, provider, clock, "restarted", came_in=came_in), clock)
    assert sorted(row["key"] for row in world.rows(t.inbox_event)) == sorted(item.key for item in came_in)
    assert world.row(t.enrollment, enrollment)["state"] == "opted_out"
    sent = {row["id"] for row in world.rows(t.message, state="accepted")}
    assert (len(sent), set(provider.messages())) == (PEOPLE - 1, sent)
    assert world.rows(t.message, person_id=person) == []
