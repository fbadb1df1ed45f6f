"""How a transaction begins and ends on each database, and what staff read when a database can't be used."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from app.domain.errors import StoreError
from app.store import tables as t
from app.store.session import Session, sqlite_module, sqlite_url
from tests.builders import World

RENAME = sa.update(t.practice).values(name="Renamed")
NAME = sa.select(t.practice.c.name)


@pytest.fixture
def impatient(sqlite_database_url: str) -> Iterator[Session]:
    """A SQLite session that does not wait for other processes."""
    session = Session(sqlite_database_url, busy_timeout_ms=0)
    yield session
    session.dispose()


def another_program(session: Session) -> Any:
    """A connection that is not the session's, and does not wait."""
    return sqlite_module().connect(str(session.path), timeout=0, isolation_level=None)


def pragma(session: Session, name: str, *, reads: bool) -> object:
    """A setting of the connection that reads or writes."""
    with session.read() if reads else session.write() as connection:
        return connection.scalar(sa.text(f"PRAGMA {name}"))


def test_the_sqlite_in_use_has_no_wal_reset_bug() -> None:
    """PLATFORM.md section 4: fixed in 3.51.3. Where pysqlite3 has no wheel, Python's own SQLite is used and told."""
    pytest.importorskip("pysqlite3")

    assert sqlite_module().sqlite_version_info >= (3, 51, 3)


def test_a_note_survives_a_power_cut_and_keys_are_kept(impatient: Session) -> None:
    assert pragma(impatient, "journal_mode", reads=False) == "wal"
    assert pragma(impatient, "synchronous", reads=False) == 2
    assert pragma(impatient, "journal_size_limit", reads=False) == 64 * 1024 * 1024
    assert pragma(impatient, "foreign_keys", reads=False) == 1
    assert pragma(impatient, "query_only", reads=False) == 0
    assert pragma(impatient, "query_only", reads=True) == 1


def test_writing_takes_the_lock_before_the_first_read(impatient: Session) -> None:
    """BEGIN alone would find out at its first write, too late to wait (ENGINE C3)."""
    other = another_program(impatient)

    with impatient.write(), pytest.raises(sqlite_module().OperationalError, match="locked"):
        other.execute("BEGIN IMMEDIATE")

    other.close()


def test_reading_takes_no_lock(impatient: Session) -> None:
    with impatient.read() as connection:
        connection.execute(NAME).all()
        other = another_program(impatient)
        other.execute("BEGIN IMMEDIATE")
        other.execute("ROLLBACK")
        other.close()


def test_a_reader_sees_one_moment(world: World) -> None:
    with world.store.session.read() as connection:
        before = connection.scalar(NAME)
        with world.store.session.write() as writing:
            writing.execute(RENAME)
        after = connection.scalar(NAME)
    with world.store.session.read() as connection:
        later = connection.scalar(NAME)

    assert (before, after, later) == ("Fernhollow", "Fernhollow", "Renamed")


def test_an_exception_takes_everything_back(world: World) -> None:
    with pytest.raises(ZeroDivisionError), world.store.session.write() as connection:
        _ = connection.execute(RENAME).rowcount / 0

    with world.store.session.read() as connection:
        assert connection.scalar(NAME) == "Fernhollow"


def test_a_reader_can_not_write(world: World) -> None:
    with pytest.raises(StoreError, match=r"can't be written to|read-only"), world.store.session.read() as connection:
        connection.execute(RENAME)


def test_times_of_a_server_are_utc(postgres_database_url: str) -> None:
    session = Session(postgres_database_url)
    with session.read() as connection:
        assert connection.scalar(sa.text("SHOW timezone")) == "UTC"
        assert connection.scalar(sa.text("SHOW transaction_isolation")) == "repeatable read"
    with session.write() as connection:
        assert connection.scalar(sa.text("SHOW transaction_isolation")) == "read committed"
    session.dispose()


def test_i7_a_commit_is_on_the_servers_disk_whatever_the_server_is_told(postgres_database_url: str) -> None:
    """The tests' own server is told to answer before that."""
    session = Session(postgres_database_url)
    with session.write() as connection:
        assert connection.scalar(sa.text("SHOW synchronous_commit")) == "on"
    session.dispose()


# what staff read


def test_a_file_that_another_program_holds(impatient: Session) -> None:
    other = another_program(impatient)
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(StoreError, match="Another program is using the database") as told, impatient.write():
        pass

    other.close()
    assert "PostgreSQL" in told.value.hint


@pytest.mark.parametrize("text", ["", "no database at all\n" * 200])
def test_a_file_that_is_no_database(tmp_path: Path, text: str) -> None:
    path = tmp_path / "stopwell.sqlite3"
    path.write_text("%PDF-1.7 " + text)
    session = Session(sqlite_url(path))

    with pytest.raises(StoreError, match="is not a database") as told, session.read() as connection:
        connection.execute(NAME)

    session.dispose()
    assert "your last backup" in told.value.hint
    assert str(path) in told.value.told


def test_a_damaged_file(impatient: Session) -> None:
    assert impatient.path is not None
    with impatient.write() as connection:
        connection.execute(sa.insert(t.setting), [{"key": f"filler {n}", "value": "x" * 500} for n in range(500)])
    impatient.dispose()  # takes the WAL back into the file
    pages = bytearray(impatient.path.read_bytes())
    pages[8192:-4096] = b"\xff" * (len(pages) - 8192 - 4096)
    impatient.path.write_bytes(pages)

    with pytest.raises(StoreError, match="is damaged"), impatient.read() as connection:
        connection.execute(sa.select(t.setting)).all()


def test_a_damaged_file_at_a_glance(impatient: Session) -> None:
    assert impatient.path is not None
    with impatient.read():
        pass
    impatient.dispose()
    impatient.path.write_text("no database at all\n" * 200)

    with pytest.raises(StoreError, match="is not a database"):
        impatient.glance("SELECT 1 FROM person", [])
    with pytest.raises(sqlite_module().ProgrammingError):
        Session(sqlite_url(impatient.path.with_name("new.sqlite3"))).glance("SELECT ?", [])


def test_a_full_disk(impatient: Session) -> None:
    rows = [{"key": f"filler {n}", "value": "x" * 5_000} for n in range(100)]
    with impatient.write() as connection:
        pages = connection.scalar(sa.text("PRAGMA page_count"))
        connection.execute(sa.text(f"PRAGMA max_page_count={pages + 2}"))

    with pytest.raises(StoreError, match="The disk is full") as told, impatient.write() as connection:
        connection.execute(sa.insert(t.setting), rows)

    assert "nothing was lost" in told.value.hint
    with impatient.read() as connection:
        assert connection.execute(sa.select(t.setting).where(t.setting.c.key.like("filler%"))).all() == []


def test_a_file_that_went_away(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    session = Session(sqlite_url(folder / "stopwell.sqlite3"))
    folder.rmdir()

    with pytest.raises(StoreError, match="can't be opened"), session.write():
        pass


@pytest.mark.parametrize("url", ["mysql://root@localhost/stopwell", "sqlite://", "not a url at all"])
def test_a_url_of_another_kind(url: str) -> None:
    with pytest.raises(StoreError, match=r"can't be (used|read)"):
        Session(url)


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    session = Session(f"postgresql://dana:secret@/stopwell?host={tmp_path}")

    with pytest.raises(StoreError, match="can't be reached") as told, session.write():
        pass

    assert "secret" not in str(told.value)


def test_a_server_without_that_database(postgres_database_url: str) -> None:
    session = Session(str(sa.make_url(postgres_database_url).set(database="nowhere")))

    with pytest.raises(StoreError, match="There is no such database"), session.write():
        pass


def test_two_desks_in_each_other_s_way(postgres_database_url: str) -> None:
    session = Session(postgres_database_url)
    world = World.at(session)
    people = [world.person(), world.person()]
    both_hold_one = threading.Barrier(2)
    told: list[str] = []

    def desk(order: list[int]) -> None:
        try:
            with session.write() as connection:
                for place, person in enumerate(order):
                    connection.execute(sa.update(t.person).where(t.person.c.id == person).values(status="seen"))
                    if place == 0:
                        both_hold_one.wait()
        except StoreError as fault:
            told.append(fault.told)

    desks = [threading.Thread(target=desk, args=(order,)) for order in (people, people[::-1])]
    for thread in desks:
        thread.start()
    for thread in desks:
        thread.join()

    assert len(told) == 1
    assert "Two desks changed the same rows at once" in told[0]
    session.dispose()


def test_what_is_a_bug_stays_one(world: World) -> None:
    with pytest.raises(sa.exc.DBAPIError), world.store.session.write() as connection:
        connection.execute(sa.text("SELECT * FROM no_such_table"))
