"""Plays many seeds in several processes. Each has a theatre of its own, and plants its faults in itself alone."""

from __future__ import annotations

import gc
import multiprocessing
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from app.store.session import Session, sqlite_url
from app.store.unit_of_work import Store
from tests.simulation.books import Breach
from tests.simulation.faults import FAULTS
from tests.simulation.play import Play

EVENTS = 30
PROCESSES = min(os.cpu_count() or 1, 4)


class SqliteTheatre:
    """One file, overwritten for each play. Statements are compiled once for all of them.

    Nothing is synced: a play kills workers by an exception, never the process or the power.
    """

    def __init__(self, template: Path, folder: Path) -> None:
        self._template = template
        self.folder = folder
        self._path = folder / "play.sqlite3"
        shutil.copyfile(template, self._path)
        self._session = Session(sqlite_url(self._path))
        sa.event.listen(self._session._writes, "connect", _unsynced)

    @contextmanager
    def stage(self) -> Iterator[Store]:
        """A store with nothing in it."""
        for name in (self._path.name, f"{self._path.name}-wal", f"{self._path.name}-shm"):
            self._path.with_name(name).unlink(missing_ok=True)
        shutil.copyfile(self._template, self._path)
        yield Store(self._session)
        self._session.dispose()


@dataclass(frozen=True, slots=True)
class Task:
    """Some seeds, one after the other in one process. fault: planted in its engine; then the first breach ends it."""

    seeds: Sequence[int]
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a task. breaches: by seed, each with its story."""

    task: Task
    breaches: tuple[tuple[int, str], ...]


def play_all(template: Path, tasks: Sequence[Task], processes: int = PROCESSES) -> Iterator[Outcome]:
    """Play `tasks`, in the order in which they are done. template: a migrated SQLite file."""
    if processes == 1 or len(tasks) == 1:
        _begin(template)
        yield from map(_play, tasks)
        return
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, spawned, _begin, (template,)) as pool:
        for done in as_completed([pool.submit(_play, task) for task in tasks]):
            yield done.result()


def play(theatre: SqliteTheatre, seed: int, fault: str = "") -> Breach | None:
    """Play one seed; the breach, if there is one."""
    with pytest.MonkeyPatch.context() as patch, theatre.stage() as store:
        variant = FAULTS[fault].plant(patch) if fault else None
        try:
            Play(store, seed, theatre.folder, variant).run(EVENTS)
        except Breach as caught:
            return caught
    return None


_theatre: list[SqliteTheatre] = []  # of this process


def _begin(template: Path) -> None:
    if not _theatre:
        gc.freeze()  # what the plays stand on stays for all of them
        gc.set_threshold(200_000, 50, 50)
        _theatre.append(SqliteTheatre(template, Path(tempfile.mkdtemp(prefix="play-", dir=template.parent))))


def _play(task: Task) -> Outcome:
    breaches: list[tuple[int, str]] = []
    for seed in task.seeds:
        caught = play(_theatre[0], seed, task.fault)
        if caught is not None:
            breaches.append((seed, str(caught)))
            if task.fault:
                break
    return Outcome(task, tuple(breaches))


def _unsynced(connection: Any, _record: object) -> None:
    connection.execute("PRAGMA synchronous=OFF")
