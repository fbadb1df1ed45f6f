"""SIGKILL in a backup and in a checkpoint of the WAL: the database opens, is whole, and has the same rows (C8)."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from app.store import tables as t
from app.store.backup import FOLDER, copy_database
from app.store.session import Session, sqlite_module, sqlite_url
from app.store.unit_of_work import Store
from tests.stage import Stage

_FORKS = multiprocessing.get_context("forkserver")


def rows_of(session: Session) -> dict[str, int]:
    """How many rows each table has."""
    with session.read() as connection:
        return {
            table.name: connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0
            for table in (t.person, t.enrollment, t.message, t.attempt, t.log_entry)
        }


def whole(session: Session) -> None:
    """SQLite finds nothing wrong with the file."""
    with session.read() as connection:
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar_one() == "ok"
        assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []


def _copies(url: str, target: str, point: str) -> None:
    """Make a backup, and die in it: when all pages are copied, or right before or after it gets its name."""

    def die(*_args: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    rename = Path.rename

    def renamed(self: Path, to: Path) -> Path:
        if point == "after the rename":
            rename(self, to)
        die()
        return to

    if point == "when copied":
        os.fsync = die  # type: ignore[assignment]
    Path.rename = renamed  # type: ignore[assignment, method-assign]
    copy_database(Session(url), Path(target))


def _checkpoints(path: str, writes: int) -> None:
    """Write and take the WAL back into the file, again and again, and die in the middle of a write."""
    with contextlib.closing(sqlite_module().connect(path, isolation_level=None)) as file:
        file.execute("PRAGMA journal_mode=WAL")
        file.execute("PRAGMA synchronous=FULL")
        for number in range(writes):
            file.execute("BEGIN IMMEDIATE")
            file.execute("INSERT INTO setting (key, value) VALUES (?, '1')", (f"round-{number}",))
            if number == writes - 1:
                os.kill(os.getpid(), signal.SIGKILL)
            file.execute("COMMIT")
            file.execute("PRAGMA wal_checkpoint(TRUNCATE)")


@pytest.fixture
def stage(sqlite_database_url: str) -> Stage:
    """Some history on SQLite."""
    stage = Stage(Store(Session(sqlite_database_url)))
    for _ in range(20):
        stage.lead()
    stage.run()
    assert rows_of(stage.store.session)["message"] == 20
    return stage


def died(target: Callable[..., None], *args: object) -> None:
    """A process that does `target` and is killed in it."""
    child = _FORKS.Process(target=target, args=args)
    child.start()
    child.join(60)
    assert child.exitcode == -signal.SIGKILL


@pytest.mark.parametrize("point", ["when copied", "before the rename", "after the rename"])
def test_i13_a_kill_in_a_backup_leaves_the_database_and_a_backup_that_is_whole_or_not_there(
    stage: Stage, sqlite_database_url: str, tmp_path: Path, point: str
) -> None:
    session = stage.store.session
    before = rows_of(session)
    target = tmp_path / FOLDER / "copy.sqlite3"
    died(_copies, sqlite_database_url, str(target), point)
    whole(session)
    assert rows_of(session) == before
    assert target.exists() == (point == "after the rename")
    if not target.exists():
        copy_database(session, target)  # as if nothing had been
    assert [each.name for each in target.parent.iterdir()] == ["copy.sqlite3"]
    copied = Session(sqlite_url(target))
    whole(copied)
    assert rows_of(copied) == before
    copied.dispose()


def test_i13_a_kill_in_the_midst_of_checkpoints_loses_no_committed_row(stage: Stage) -> None:
    session = stage.store.session
    before = rows_of(session)
    died(_checkpoints, str(session.path), 40)
    whole(session)
    assert rows_of(session) == before
    with session.read() as connection:
        kept = connection.scalar(sa.select(sa.func.count()).where(t.setting.c.key.like("round-%")))
    assert kept == 39
    stage.lead()
    stage.run()
    stage.balanced()
