"""A copy of a database in use: whole, checked, private, never over an existing file."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy as sa

from app.domain.errors import StoreError
from app.store import tables as t
from app.store.backup import backup_name, copy_database
from app.store.session import Session, sqlite_url
from tests.builders import World


@pytest.fixture
def in_use(sqlite_database_url: str) -> World:
    """A world in a SQLite file."""
    return World.at(Session(sqlite_database_url))


def test_a_copy_holds_what_was_committed_and_is_one_file(in_use: World, tmp_path: Path) -> None:
    in_use.person("Ana")
    target = tmp_path / "copies" / "copy.sqlite3"
    with in_use.store.session.write() as connection:
        connection.execute(sa.update(t.practice).values(name="Not committed"))
        done = copy_database(in_use.store.session, target)

    assert done == target
    assert [path.name for path in target.parent.iterdir()] == ["copy.sqlite3"]
    assert target.stat().st_mode & 0o077 == 0
    copy = Session(sqlite_url(target))
    with copy.read() as connection:
        assert connection.scalar(sa.select(t.practice.c.name)) == "Fernhollow"
        assert connection.scalar(sa.select(t.person.c.first_name)) == "Ana"
    copy.dispose()


def test_a_copy_is_never_written_over(in_use: World, tmp_path: Path) -> None:
    target = tmp_path / "copy.sqlite3"
    target.write_text("the only good one")

    with pytest.raises(StoreError, match="is there already"):
        copy_database(in_use.store.session, target)

    assert target.read_text() == "the only good one"


def test_no_half_copy_is_left_behind(in_use: World, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("in the way")

    with pytest.raises(StoreError, match="No copy could be made"):
        copy_database(in_use.store.session, file / "copy.sqlite3")

    assert sorted(path.name for path in tmp_path.iterdir() if "copy" in path.name) == []


def test_a_damaged_database_is_not_passed_off_as_a_copy(in_use: World, tmp_path: Path) -> None:
    session = in_use.store.session
    assert session.path is not None
    with session.write() as connection:
        rows = [{"key": f"filler {n}", "value": "x" * 500} for n in range(500)]
        connection.execute(sa.insert(t.setting), rows)
    session.dispose()
    pages = bytearray(session.path.read_bytes())
    pages[20_000:60_000] = b"\xff" * 40_000
    session.path.write_bytes(pages)

    with pytest.raises(StoreError, match="copy"):
        copy_database(session, tmp_path / "copies" / "copy.sqlite3")

    assert list((tmp_path / "copies").iterdir()) == []


def test_a_server_is_backed_up_by_its_own_means(postgres_database_url: str, tmp_path: Path) -> None:
    session = Session(postgres_database_url)

    with pytest.raises(StoreError, match="PostgreSQL") as told:
        copy_database(session, tmp_path / "copy.sqlite3")

    session.dispose()
    assert "pg_dump" in told.value.hint


def test_a_copy_s_name_says_of_what_and_when() -> None:
    at = datetime(2026, 3, 2, 18, 5, 9, tzinfo=UTC)

    assert backup_name("1.2.0", at) == "stopwell-1.2.0-20260302-180509.sqlite3"
