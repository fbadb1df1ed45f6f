"""SIGKILL at each named point of tick, delivery, stop and reconcile; a restart; then the books are balanced (I13)."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest

from app.domain.ids import EnrollmentId, PersonId
from app.engine.checkpoints import Checkpoint
from app.providers.practice import PracticeOutbox
from app.store import tables as t
from app.store.unit_of_work import Store
from tests.builders import NOW, World
from tests.crashes.child import engine
from tests.fakes import ToldClock

PEOPLE = 4
ROOT = Path(__file__).parents[2]

ENGINE_POINTS: tuple[Checkpoint, ...] = (
    "tick.before_claim",
    "tick.claimed",
    "tick.before_commit",
    "tick.committed",
    "deliver.before_lease",
    "deliver.leased",
    "deliver.before_note_commit",
    "deliver.permitted",
    "deliver.before_call",
    "deliver.answered",
    "deliver.before_record_commit",
    "deliver.recorded",
)
RECONCILE_POINTS: tuple[Checkpoint, ...] = ("reconcile.asked", "reconcile.before_commit", "reconcile.recorded")
# once a pass: the tick is one batch, and the last result is recorded alone
ONCE_A_PASS = frozenset(ENGINE_POINTS[:6]) | {"deliver.before_record_commit", "deliver.recorded"}
# what was on disk without an answer when the process died is looked up, and tried again only when it never arrived
LOSES_THE_ANSWER = frozenset({"deliver.answered", "deliver.before_record_commit"})


def kill_child(url: str, outbox: Path, now: str, point: str, nth: int, stop_person: str = "") -> None:
    """Run the child until it kills itself."""
    command = [sys.executable, "-m", "tests.crashes.child", url, str(outbox), now, point, str(nth), stop_person]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == -9, f"not killed at {point}: {done.returncode} {done.stderr[-500:]}"


def leads(world: World) -> list[tuple[PersonId, EnrollmentId]]:
    journey = world.journey()
    made = []
    for _ in range(PEOPLE):
        person = world.person()
        world.consent(person)
        made.append((person, world.enrollment(person, journey)))
    return made


def run_to_rest(store: Store, outbox: PracticeOutbox, clock: ToldClock) -> None:
    """The restart: everything that was cut off is found, finished or tried again."""
    once = engine(store, outbox, clock, "restarted")
    for _ in range(5):
        clock.go_on(timedelta(seconds=61))
        once.run()


def balanced(world: World, outbox: PracticeOutbox) -> None:
    """Each person's first message was taken once, none twice, none forgotten, and nothing hangs."""
    taken = Counter(message.message_id for message in outbox.messages())
    assert set(taken.values()) == {1}, f"taken twice: {taken}"
    rows = world.rows(t.message)
    assert {(row["step"], row["state"]) for row in rows} == {("hello", "accepted")}
    assert {row["id"] for row in rows} == set(taken)
    assert len(rows) == PEOPLE
    assert not any(row["possible_duplicate"] for row in rows)


@pytest.mark.parametrize(
    ("point", "nth"),
    [(point, nth) for point in ENGINE_POINTS for nth in ((1,) if point in ONCE_A_PASS else (1, PEOPLE))],
)
def test_i13_a_kill_at_any_point_of_tick_and_delivery_loses_nothing_and_doubles_nothing(
    store: Store, database_url: str, tmp_path: Path, point: Checkpoint, nth: int
) -> None:
    world = World(store)
    leads(world)
    clock = ToldClock(NOW)
    outbox = PracticeOutbox(tmp_path / "outbox.sqlite3", clock)
    kill_child(database_url, tmp_path / "outbox.sqlite3", NOW.isoformat(), point, nth)
    if point in LOSES_THE_ANSWER:
        sending = world.rows(t.message, state="sending")
        assert sending, "the note was on disk before the call (I7)"
        assert len(outbox.messages()) >= len(sending)
    run_to_rest(store, outbox, clock)
    balanced(world, outbox)


@pytest.mark.parametrize("point", RECONCILE_POINTS)
def test_i13_a_kill_while_the_provider_is_asked_changes_nothing_of_the_truth(
    store: Store, database_url: str, tmp_path: Path, point: Checkpoint
) -> None:
    world = World(store)
    leads(world)
    clock = ToldClock(NOW)
    path = tmp_path / "outbox.sqlite3"
    kill_child(database_url, path, NOW.isoformat(), "deliver.answered", 2)
    clock.go_on(timedelta(seconds=61))
    kill_child(database_url, path, clock.now().isoformat(), point, 1)
    outbox = PracticeOutbox(path, clock)
    run_to_rest(store, outbox, clock)
    balanced(world, outbox)


@pytest.mark.parametrize("point", ["event.before_commit", "event.committed"])
def test_i8_a_kill_around_a_stop_leaves_it_whole_or_not_there_and_the_copy_finishes_it(
    store: Store, database_url: str, tmp_path: Path, point: Checkpoint
) -> None:
    world = World(store)
    (person, enrollment), *_ = leads(world)
    kill_child(database_url, tmp_path / "outbox.sqlite3", NOW.isoformat(), point, 1, str(person))
    is_there = point == "event.committed"
    assert len(world.rows(t.inbox_event)) == (1 if is_there else 0)
    assert world.row(t.enrollment, enrollment)["state"] == ("stopped" if is_there else "active")
    assert bool(world.rows(t.log_entry, event="follow_up.ended")) == is_there
