"""Bringing a database up to this version: made, copied and upgraded, refused; and what a crash half-way leaves."""

from __future__ import annotations

import contextlib
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from app import __version__
from app.domain.errors import StoreError
from app.store import tables as t
from app.store.migrate import SHIPPED, Brought, Plan, Upgrade, bring_up_to_date, holds_practice
from app.store.session import Session, sqlite_url
from tests.builders import NOW, World

SECOND = """
from alembic import op
import sqlalchemy as sa
revision = "0006"
down_revision = "0005"
def upgrade():
    op.add_column("person", sa.Column("nickname", sa.Text()))
    {then}
"""
GOOD = SECOND.format(then="op.create_table('note', sa.Column('id', sa.Integer, primary_key=True))")
BROKEN = SECOND.format(then="op.execute('INSERT INTO no_such_table VALUES (1)')")
DIES = SECOND.format(then="import os, signal; os.kill(os.getpid(), signal.SIGKILL)")

RUN = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from app.store.migrate import SHIPPED, Plan, bring_up_to_date
from app.store.session import Session
plan = Plan(Path(sys.argv[2]), (*SHIPPED.revisions, "0006")) if len(sys.argv) > 2 else SHIPPED
print(bring_up_to_date(Session(sys.argv[1]), datetime.now(UTC), plan).done, "alembic" in sys.modules)
"""


@contextlib.contextmanager
def opened(url: str) -> Iterator[Session]:
    """A session that is closed again."""
    session = Session(url)
    try:
        yield session
    finally:
        session.dispose()


def with_second(folder: Path, migration: str) -> Plan:
    """The shipped migrations and one more."""
    shutil.copytree(SHIPPED.folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "versions" / "0004_more.py").write_text(migration, encoding="utf-8")
    return Plan(folder, (*SHIPPED.revisions, "0006"))


def columns(session: Session, table: str) -> set[str]:
    """Names of a table's columns, as the database has them."""
    with session.read() as connection:
        return {column["name"] for column in sa.inspect(connection).get_columns(table)}


def test_an_empty_file_is_made(tmp_path: Path) -> None:
    with opened(sqlite_url(tmp_path / "stopwell.sqlite3")) as session:
        assert bring_up_to_date(session, NOW) == Upgrade(Brought.MADE)
        assert not holds_practice(session)
        assert bring_up_to_date(session, NOW) == Upgrade(Brought.NOTHING)
    assert (tmp_path / "stopwell.sqlite3").stat().st_mode & 0o077 == 0


def test_an_empty_server_database_is_made(postgres_url: str) -> None:
    with opened(postgres_url) as session:
        assert bring_up_to_date(session, NOW) == Upgrade(Brought.MADE)
        assert not holds_practice(session)


def test_what_is_always_there_is_there(world: World) -> None:
    assert [row["paused_why"] for row in world.rows(t.engine_state)] == [None]
    assert {row["channel"] for row in world.rows(t.channel_state)} == {"email", "sms", "call"}
    settings = {row["key"]: row["value"] for row in world.rows(t.setting)}
    assert settings["made_by"] == __version__
    assert len(bytes.fromhex(settings["suppression_key"])) == 32


def test_no_two_practices_hash_with_the_same_key(tmp_path: Path) -> None:
    keys = set()
    for name in ("one", "two"):
        with opened(sqlite_url(tmp_path / f"{name}.sqlite3")) as session:
            bring_up_to_date(session, NOW)
            with session.read() as connection:
                keys.add(connection.scalar(sa.select(t.setting.c.value).where(t.setting.c.key == "suppression_key")))
    assert len(keys) == 2


def test_a_start_with_nothing_to_do_does_not_load_alembic(sqlite_database_url: str) -> None:
    done = subprocess.run([sys.executable, "-c", RUN, sqlite_database_url], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["nothing", "False"]


@pytest.mark.parametrize("made_by", ["2.7.0", None])
def test_a_database_of_a_newer_stopwell_is_refused_with_the_version_it_needs(
    database_url: str, made_by: str | None
) -> None:
    with opened(database_url) as session:
        with session.write() as connection:
            connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
            connection.execute(sa.update(t.setting).where(t.setting.c.key == "made_by").values(value=made_by))
        with pytest.raises(StoreError, match="newer Stopwell") as told:
            bring_up_to_date(session, NOW)
        with session.write() as connection:
            connection.execute(sa.text("UPDATE alembic_version SET version_num = '0005'"))
            connection.execute(sa.update(t.setting).where(t.setting.c.key == "made_by").values(value=__version__))

    assert ("Install version 2.7.0 or newer." if made_by else "Install the newest version.") in str(told.value)


def test_somebody_else_s_database_is_refused(tmp_path: Path) -> None:
    with opened(sqlite_url(tmp_path / "notes.sqlite3")) as session:
        with session.write() as connection:
            connection.execute(sa.text("CREATE TABLE note (id INTEGER PRIMARY KEY)"))
        with pytest.raises(StoreError, match="not a database of Stopwell's"):
            bring_up_to_date(session, NOW)


def test_an_older_file_is_copied_before_it_is_upgraded(tmp_path: Path, sqlite_database_url: str) -> None:
    plan = with_second(tmp_path / "plan", GOOD)
    with opened(sqlite_database_url) as session:
        ana = with_ana(session)
        done = bring_up_to_date(session, NOW, plan)
        assert done.done is Brought.UPGRADED
        assert done.copy == tmp_path / "backups" / f"stopwell-{__version__}-20260302-180000.sqlite3"
        assert "nickname" in columns(session, "person")
        assert bring_up_to_date(session, NOW, plan) == Upgrade(Brought.NOTHING)
    with opened(sqlite_url(done.copy)) as copy:
        assert "nickname" not in columns(copy, "person")
        with copy.read() as connection:
            assert connection.scalar(sa.select(t.person.c.first_name).where(t.person.c.id == ana)) == "Ana"


def with_ana(session: Session) -> int:
    """One person in the database; their id."""
    from app.store.unit_of_work import Store

    return World(Store(session)).person("Ana")


def test_a_server_database_is_upgraded_without_a_copy(tmp_path: Path, postgres_url: str) -> None:
    plan = with_second(tmp_path / "plan", GOOD)
    with opened(postgres_url) as session:
        bring_up_to_date(session, NOW)
        assert bring_up_to_date(session, NOW, plan) == Upgrade(Brought.UPGRADED)
        assert "nickname" in columns(session, "person")


def test_an_upgrade_that_fails_leaves_what_was_there(tmp_path: Path, sqlite_database_url: str) -> None:
    plan = with_second(tmp_path / "plan", BROKEN)
    with opened(sqlite_database_url) as session:
        with pytest.raises(sa.exc.OperationalError, match="no_such_table"):
            bring_up_to_date(session, NOW, plan)
        assert "nickname" not in columns(session, "person")
        assert bring_up_to_date(session, NOW) == Upgrade(Brought.NOTHING)
    assert len(list((tmp_path / "backups").iterdir())) == 1


def test_i13_a_computer_that_dies_in_an_upgrade_opens_what_was_there(tmp_path: Path, sqlite_database_url: str) -> None:
    plan = with_second(tmp_path / "plan", DIES)

    died = subprocess.run([sys.executable, "-c", RUN, sqlite_database_url, str(plan.folder)], check=False)

    assert died.returncode == -signal.SIGKILL
    with opened(sqlite_database_url) as session:
        assert "nickname" not in columns(session, "person")
        assert bring_up_to_date(session, NOW) == Upgrade(Brought.NOTHING)
        with session.read() as connection:
            assert connection.scalar(sa.text("PRAGMA integrity_check")) == "ok"


def test_i13_a_computer_that_dies_while_the_schema_is_made_starts_afresh(tmp_path: Path) -> None:
    folder = tmp_path / "plan"
    plan = with_second(folder, DIES)
    url = sqlite_url(tmp_path / "stopwell.sqlite3")

    died = subprocess.run([sys.executable, "-c", RUN, url, str(plan.folder)], check=False)

    assert died.returncode == -signal.SIGKILL
    with opened(url) as session:
        assert bring_up_to_date(session, NOW) == Upgrade(Brought.MADE)


def test_two_desks_that_start_at_once_make_one_schema(postgres_url: str) -> None:
    done: list[Upgrade] = []

    def start() -> None:
        with opened(postgres_url) as session:
            done.append(bring_up_to_date(session, NOW))

    desks = [threading.Thread(target=start) for _ in range(2)]
    for desk in desks:
        desk.start()
    for desk in desks:
        desk.join()

    assert sorted(each.done for each in done) == [Brought.MADE, Brought.NOTHING]


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_what_a_practice_had_stays_through_the_second_migration(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """From the first schema to this one: the practice and a paused channel are as they were."""
    is_sqlite = kind == "sqlite"
    url = sqlite_url(tmp_path / "first.sqlite3") if is_sqlite else request.getfixturevalue("postgres_url")
    with opened(url) as session:
        bring_up_to_date(session, NOW, Plan(SHIPPED.folder, ("0001",)))
        with session.write() as connection:
            connection.exec_driver_sql(
                "INSERT INTO practice (id, name, country, per_day, per_week) VALUES (1, 'Fernhollow', 'US', 2, 6)"
            )
            connection.exec_driver_sql(
                "UPDATE channel_state SET paused_why = 'offline', paused_at = '2026-03-02T18:00:00.000000Z',"
                " provider = 'fake' WHERE channel = 'sms'"
            )
        assert bring_up_to_date(session, NOW).done is Brought.UPGRADED
        with session.read() as connection:
            practice = connection.execute(sa.select(t.practice)).one()
            channels = {row.channel: row for row in connection.execute(sa.select(t.channel_state))}

    assert (practice.name, practice.per_day, practice.overdue_days, practice.one_marketing) == (
        "Fernhollow",
        2,
        3,
        True,
    )
    assert {channel: row.paused_why for channel, row in channels.items()} == {
        "call": None,
        "email": None,
        "sms": "offline",
    }
    assert (channels["sms"].failures, channels["sms"].paused_at) == (0, NOW)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
@pytest.mark.parametrize("revisions", [("0001",), ("0001", "0002")])
def test_what_came_in_before_stays_through_the_third_migration(
    kind: str, revisions: tuple[str, ...], request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """From either earlier schema to this one: an event is as it was, no source was read, and no mail is kept."""
    url = sqlite_url(tmp_path / "old.sqlite3") if kind == "sqlite" else request.getfixturevalue("postgres_url")
    with opened(url) as session:
        bring_up_to_date(session, NOW, Plan(SHIPPED.folder, revisions))
        with session.write() as connection:
            connection.exec_driver_sql(
                "INSERT INTO inbox_event (source, key, kind, text, happened_at, received_at, state) VALUES"
                " ('cli', 'k1', 'replied', 'Yes please', '2026-03-02T18:00:00.000000Z',"
                " '2026-03-02T18:00:00.000000Z', 'unmatched')"
            )
        assert bring_up_to_date(session, NOW).done is Brought.UPGRADED
        with session.read() as connection:
            (event,) = connection.execute(sa.select(t.inbox_event)).all()
            assert connection.execute(sa.select(t.source_mark)).all() == []
            assert connection.execute(sa.select(t.inbox_raw)).all() == []

    assert (event.key, event.text, event.state, event.happened_at) == ("k1", "Yes please", "unmatched", NOW)
