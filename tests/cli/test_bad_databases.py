"""A database that is damaged, foreign, newer, read-only, locked or away: one clear line, and no change."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.store.migrate import bring_up_to_date
from app.store.session import Session, sqlite_url
from tests.shop import PRACTICE, Said, Shop


def database(shop: Shop) -> Path:
    return shop.folder / "stopwell.sqlite"


@contextmanager
def opened(shop: Shop) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(database(shop))) as file:
        yield file
        file.commit()


@pytest.mark.parametrize("command", [("people",), ("tick",), ("doctor",), ("pause",)])
def test_a_file_that_is_no_database_is_one_clear_line_and_stays_as_it_is(new_shop: Shop, command: tuple[str]) -> None:
    garbage = b"these are no rows at all" * 1_000
    for name in ("stopwell.sqlite-wal", "stopwell.sqlite-shm"):
        (new_shop.folder / name).unlink(missing_ok=True)
    database(new_shop).write_bytes(garbage)

    line = new_shop.refused(*command)

    assert str(database(new_shop)) in line
    assert database(new_shop).read_bytes() == garbage


def test_a_damaged_database_is_one_clear_line(new_shop: Shop) -> None:
    new_shop.import_people("Name,Email\n" + "".join(f"Person {n},p{n}@example.com\n" for n in range(500)))
    whole = bytearray(database(new_shop).read_bytes())
    for start in range(8_192, len(whole), 4_096):
        whole[start : start + 200] = os.urandom(200)
    database(new_shop).write_bytes(bytes(whole))

    line = new_shop.refused("people")

    assert "stopwell.sqlite" in line
    assert "damaged" in line


def test_damage_that_shows_only_while_rows_are_read_is_one_clear_line_too(new_shop: Shop) -> None:
    new_shop.import_people("Name,Email\n" + "".join(f"Person {n},p{n}@example.com\n" for n in range(2_000)))
    whole = bytearray(database(new_shop).read_bytes())
    half = len(whole) // 2
    whole[half : half + 20_000] = os.urandom(20_000)
    database(new_shop).write_bytes(bytes(whole))

    assert "damaged" in new_shop.refused("people")
    assert "damaged" in new_shop.refused("doctor")


@pytest.mark.parametrize("like_ours", [False, True])
@pytest.mark.parametrize("command", [("people",), ("tick",), ("doctor",), ("init", *PRACTICE)])
def test_somebody_elses_database_is_not_touched(shop: Shop, command: tuple[str, ...], like_ours: bool) -> None:
    """Not even brought into WAL mode. like_ours: it uses Alembic, and has a revision of our name."""
    shop.folder.mkdir()
    with opened(shop) as file:
        file.execute("CREATE TABLE letters (body TEXT)")
        if like_ours:
            file.execute("CREATE TABLE alembic_version (version_num TEXT)")
            file.execute("INSERT INTO alembic_version VALUES ('0001')")
    before = database(shop).read_bytes()

    assert "is not a database of Stopwell's" in shop.refused(*command)
    assert database(shop).read_bytes() == before
    assert [path.name for path in shop.folder.iterdir()] == ["stopwell.sqlite"]


@pytest.mark.parametrize("there", ["nothing", "an empty file", "a schema"])
def test_after_an_init_that_was_cut_off_the_way_out_that_is_told_works(shop: Shop, there: str) -> None:
    if there != "nothing":
        shop.folder.mkdir()
        database(shop).touch()
    if there == "a schema":
        session = Session(sqlite_url(database(shop)))
        bring_up_to_date(session, datetime(2027, 1, 5, tzinfo=UTC))
        session.dispose()

    assert "stopwell init" in shop.refused("people")
    shop.done("init", *PRACTICE)
    assert shop.json("people") == []
    assert "There is a practice in" in shop.refused("init", *PRACTICE)
    assert shop.json("people") == []


def test_of_two_inits_at_once_one_makes_the_practice_and_the_other_leaves_it_whole(shop: Shop) -> None:
    together = threading.Barrier(2)
    said: list[Said] = []

    def init(name: str) -> None:
        together.wait(60)
        said.append(shop("init", "--practice", name, "--zone", "America/New_York"))

    threads = [threading.Thread(target=init, args=(name,)) for name in ("Fernhollow", "Harbor")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert sorted(each.code for each in said) == [0, 1]
    assert all(each.err.count("\n") <= 1 for each in said)
    assert shop.json("doctor")["ok"]


@pytest.mark.parametrize("command", [("people",), ("tick",), ("doctor",), ("pause",)])
def test_a_newer_database_is_refused_with_its_version_and_its_bytes_do_not_change(
    new_shop: Shop, command: tuple[str]
) -> None:
    """CASES 151."""
    with opened(new_shop) as file:
        file.execute("UPDATE alembic_version SET version_num = '9999'")
        file.execute("UPDATE setting SET value = '\"9.9.9\"' WHERE key = 'made_by'")
    with closing(sqlite3.connect(database(new_shop))) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = database(new_shop).read_bytes()

    line = new_shop.refused(*command)

    assert "was made by a newer Stopwell (9.9.9)" in line
    assert database(new_shop).read_bytes() == before


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_one_clear_line(new_shop: Shop) -> None:
    new_shop.folder.chmod(0o500)
    try:
        assert "can't be written to" in new_shop.refused("people")
    finally:
        new_shop.folder.chmod(0o700)


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("postgresql:///stopwell?host=/nowhere/at/all", "can't be reached"),
        ("postgresql://desk:s3cret@127.0.0.1:1/stopwell", "can't be reached"),
        ("mysql://db.example/x", "begins with mysql://"),
        ("stopwell", "is not a URL"),
        ("postgresql://desk:s3cret@127.0.0.1:port/stopwell", "can't be read"),
        ("postgresql:///stopwell?host=/nowhere&sslmoode=require", "sslmoode is no option of PostgreSQL's"),
    ],
)
def test_a_server_that_is_not_there_is_one_clear_line_without_its_password(tmp_path: Path, url: str, told: str) -> None:
    shop = Shop(tmp_path / "data", {"STOPWELL_DATABASE": url})

    line = shop.refused("people")

    assert told in line
    assert "s3cret" not in line


def test_a_server_without_a_practice_says_how_to_begin(tmp_path: Path, postgres_url: str) -> None:
    shop = Shop(tmp_path / "data", {"STOPWELL_DATABASE": postgres_url})

    assert "stopwell init" in shop.refused("people")
    shop.done("init", *PRACTICE)
    assert shop.json("people") == []
    assert "holds the practice Fernhollow already" in Shop(tmp_path / "other", shop.environment).refused(
        "init", *PRACTICE
    )
    assert not (tmp_path / "other").exists()


def test_a_server_is_remembered_by_the_folder(tmp_path: Path, postgres_url: str) -> None:
    Shop(tmp_path / "data", {"STOPWELL_DATABASE": postgres_url}).done("init", *PRACTICE)

    assert Shop(tmp_path / "data").json("doctor")["database"].startswith("PostgreSQL database")
    assert not (tmp_path / "data" / "stopwell.sqlite").exists()


def test_a_command_waits_for_whoever_holds_the_write_lock(new_shop: Shop) -> None:
    """CASES 141: a lock that is held for a while reaches nobody as an error."""
    said: list[Said] = []
    with closing(sqlite3.connect(database(new_shop), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("UPDATE practice SET region = 'WA'")
        waiting = threading.Thread(target=lambda: said.append(new_shop("pause")))
        waiting.start()
        other.execute("COMMIT")
        waiting.join(60)

    assert [(each.code, each.err) for each in said] == [(0, "")]
