"""Case 141: one SQLite file, written by an engine, an import, ten Stops, and a process that sits on the lock."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from app.domain.ids import PersonId
from app.service.import_people import PeopleImport, PeopleOrder
from app.service.stops import Stops
from app.store import tables as t
from app.store.session import Session
from app.store.unit_of_work import Store
from tests.stage import Stage

ROOT = Path(__file__).parents[2]
DUE = 150
ROWS = 2_300  # more than one transaction takes
STOPS = 10
_HOLDER = """
import sys
from app.store.session import sqlite_module
file = sqlite_module().connect(sys.argv[1], isolation_level=None)
file.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.readline()
file.execute("COMMIT")
"""


@pytest.fixture
def stage(sqlite_database_url: str) -> Iterator[Stage]:
    session = Session(sqlite_database_url)
    yield Stage(Store(session))
    session.dispose()


@contextmanager
def held_by_another_process(path: Path, meanwhile: Callable[[], None]) -> Iterator[None]:
    """Another process holds the write lock until `meanwhile` is over, which runs after the body."""
    command = [sys.executable, "-c", _HOLDER, str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdin is not None
        assert holder.stdout.readline() == "held\n"
        yield
        meanwhile()
        holder.stdin.write("let go\n")
    assert holder.returncode == 0


def everybody_waits(stage: Stage, how_many: int) -> None:
    give_up_s = time.monotonic() + 20
    while stage.store.session._turns.waiting < how_many:
        assert time.monotonic() < give_up_s, "somebody did not have to wait"


def file_of_people(folder: Path) -> Path:
    path = folder / "people.csv"
    rows = "".join(f"N{number},Row,n{number}@example.com\n" for number in range(ROWS))
    path.write_text(f"First name,Last name,Email\n{rows}", encoding="utf-8")
    return path


def test_case_141_no_lock_reaches_anyone_and_every_stop_commits(stage: Stage, tmp_path: Path) -> None:
    leads = [stage.lead() for _ in range(DUE)]
    pressed = leads[:: DUE // STOPS]
    resting = partial(stage.store.open_uow, 0.001)
    engine = stage.another()
    engine = replace(
        engine,
        tick=replace(engine.tick, open_uow=resting),
        deliver=replace(engine.deliver, open_uow=resting),
        reconcile=replace(engine.reconcile, open_uow=resting),
    )
    stops = Stops(stage.store.open_uow, stage.clock)
    order = PeopleOrder(file_of_people(tmp_path), "Dana")
    faults: list[BaseException] = []

    def told(work: Callable[[], object]) -> threading.Thread:
        def run() -> None:
            try:
                work()
            except BaseException as fault:  # noqa: BLE001 -- shown by the assertion below
                faults.append(fault)

        thread = threading.Thread(target=run)
        thread.start()
        return thread

    def press(person: PersonId) -> None:
        stops.stop(person, by="Dana")

    path = stage.store.session.path
    assert path is not None
    with held_by_another_process(path, lambda: everybody_waits(stage, STOPS + 1)):
        threads = [told(engine.run), told(partial(PeopleImport(stage.store.open_uow, stage.clock).run, order))]
        threads += [told(partial(press, person)) for person, _ in pressed]
    for thread in threads:
        thread.join()
    stage.run()

    assert faults == []
    assert {stage.state(enrollment) for _, enrollment in pressed} == {"stopped"}
    assert len(stage.world.rows(t.person)) == DUE + ROWS
    stage.balanced()
