"""Whether a database is sound: what `stopwell doctor` asks of it. It reads and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from app.domain.soundness import Finding
from app.domain.states import LIVE, NOT_YET_HANDED, MessageState
from app.store import tables as t
from app.store.seals import check_seals
from app.store.session import JOURNAL_LIMIT_BYTES, Session, sqlite_module

SHOWN: Final = 5
STUCK_AFTER: Final = timedelta(minutes=30)  # reconcile asks for ten minutes; whatever is older waits for nobody
# https://www.sqlite.org/releaselog: the WAL-reset bug is mended from here on, and in these two older lines
_MENDED: Final = (3, 51, 3)
_MENDED_LINES: Final = ((3, 44, 6), (3, 50, 7))
_COUNTED: Final[Mapping[str, sa.Table]] = {
    "people": t.person,
    "records": t.record,
    "journeys": t.journey,
    "enrollments": t.enrollment,
    "messages": t.message,
    "attempts": t.attempt,
    "events": t.inbox_event,
    "suppressions": t.suppression,
    "log_lines": t.log_entry,
}


class Soundness:
    """Examines one database."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def findings(self, now: datetime) -> tuple[Finding, ...]:
        """Every check, in order. now: UTC, for what has waited too long. Raises StoreError when it can't be read."""
        session = self._session
        with session.read() as connection:
            found = [*_sqlite(connection), _journal(session)] if session.is_sqlite else [_server(connection)]
            found += [_imports(connection), _events(connection), _stuck(connection, now), _asleep(connection)]
            found += [_channels(connection)]
        return (*found, _seals(session))

    def counts(self) -> Mapping[str, int]:
        """How many rows there are of each family; people whose details were erased are nobody."""
        with self._session.read() as connection:
            return {word: connection.scalar(_count_of(table)) or 0 for word, table in _COUNTED.items()}


def _count_of(table: sa.Table) -> sa.Select[int]:
    count = sa.select(sa.func.count()).select_from(table)
    return count.where(table.c.erased_at.is_(None)) if "erased_at" in table.c else count


def _sqlite(connection: Connection) -> Iterator[Finding]:
    version = sqlite_module().sqlite_version_info
    said = ".".join(str(part) for part in version)
    if is_mended(version):
        yield Finding("sqlite", True, f"SQLite {said}.")
    else:
        told = f"SQLite {said} has the WAL-reset bug: with several writers it can, rarely, damage the file."
        yield Finding(
            "sqlite", False, told, "Install pysqlite3, which brings a newer one, or run one process at a time."
        )
    wrong = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA integrity_check(5)")]
    if wrong == ["ok"]:
        yield Finding("integrity", True, "The database file is whole.")
    else:
        hint = "Keep a copy of it as it is, then put back a backup."
        yield Finding("integrity", False, f"The database file is damaged: {wrong[0]}.", hint)
    strays = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    if not strays:
        yield Finding("foreign_keys", True, "Every row that another row needs is there.")
    else:
        tables = ", ".join(sorted({str(row[0]) for row in strays})[:SHOWN])
        told = f"Rows that point at rows that are gone: {len(strays)}, in {tables}."
        yield Finding("foreign_keys", False, told, "Keep a copy of the file and put back a backup.")


def is_mended(version: tuple[int, ...]) -> bool:
    """Whether this SQLite is free of the WAL-reset bug. version: (major, minor, patch)."""
    return version >= _MENDED or any(version[:2] == line[:2] and version >= line for line in _MENDED_LINES)


def _journal(session: Session) -> Finding:
    """The size of the write-ahead file: it grows while somebody reads without end, and shrinks when they stop."""
    beside = session.path.with_name(f"{session.path.name}-wal") if session.path else None
    size = beside.stat().st_size if beside is not None and beside.exists() else 0
    said = f"The write-ahead file has {size / 1024 / 1024:.1f} MB."
    if size <= 2 * JOURNAL_LIMIT_BYTES:
        return Finding("journal", True, said)
    return Finding(
        "journal", False, said, "A program reads the database without end: close windows and engines, then start again."
    )


def _server(connection: Connection) -> Finding:
    version = connection.scalar(sa.text("SHOW server_version"))
    encoding = connection.scalar(sa.text("SHOW server_encoding"))
    if encoding == "UTF8":
        return Finding("server", True, f"PostgreSQL {version}.")
    told = f"PostgreSQL {version} keeps text as {encoding}: names of some people can't be stored."
    return Finding("server", False, told, "Move to a database with ENCODING UTF8.")


def _imports(connection: Connection) -> Finding:
    """Imports that never came to their line in the log: a computer that died half-way leaves some of the rows."""
    batch, line = t.import_batch.c, t.log_entry.c
    done = sa.select(line.facts["import"].as_integer()).where(line.event == "import.done")
    unfinished = sa.select(batch.id, batch.file_name).where(batch.undone_at.is_(None), batch.id.not_in(done))
    rows = connection.execute(unfinished.order_by(batch.id)).all()
    if not rows:
        return Finding("imports", True, "Every import is whole, or was taken back.")
    names = ", ".join(f"{row.id} ({row.file_name})" for row in rows[:SHOWN])
    told = f"Not finished: import {names}. It still runs, or was cut off half-way."
    return Finding("imports", False, told, f"When nothing is imported any more: stopwell import undo {rows[0].id}")


def _events(connection: Connection) -> Finding:
    waiting = sa.select(sa.func.count()).where(t.inbox_event.c.state == "received")
    count = connection.scalar(waiting) or 0
    if not count:
        return Finding("events", True, "Everything that came in was applied.")
    told = f"Events that came in and were not applied yet: {count}. Their people are held."
    return Finding("events", False, told, "Start the engine; when it stays so, look at stopwell problems.")


def _stuck(connection: Connection, now: datetime) -> Finding:
    sending = t.message.c.state == MessageState.SENDING.value
    stuck = sa.select(sa.func.count()).where(sending, t.message.c.lease_until < now - STUCK_AFTER)
    count = connection.scalar(stuck) or 0
    if not count:
        return Finding("sending", True, "No message is stuck on its way.")
    told = f"Messages on their way for more than half an hour: {count}."
    return Finding("sending", False, told, "Start the engine: it asks the provider what became of them.")


def _asleep(connection: Connection) -> Finding:
    """Live follow-ups that nothing would ever wake: neither a time, nor a message, nor staff."""
    live = t.enrollment.c.state.in_(sorted(state.value for state in LIVE))
    on_their_way = t.message.c.state.in_(sorted(NOT_YET_HANDED | {MessageState.SENDING}))
    open_messages = sa.select(t.message.c.enrollment_id).where(on_their_way, t.message.c.enrollment_id.is_not(None))
    asleep = sa.select(sa.func.count()).where(
        live,
        t.enrollment.c.state == "active",
        t.enrollment.c.wake_at.is_(None),
        t.enrollment.c.id.not_in(open_messages),
    )
    count = connection.scalar(asleep) or 0
    if not count:
        return Finding("follow_ups", True, "Every running follow-up has what wakes it.")
    told = f"Follow-ups that wait for a message that is over: {count}."
    hint = "Start the engine: it wakes them and lists them as problems. This is a fault of ours: please report it."
    return Finding("follow_ups", False, told, hint)


def _channels(connection: Connection) -> Finding:
    """Channels that rest because their provider failed."""
    c = t.channel_state.c
    rows = connection.execute(sa.select(c.channel, c.paused_why).where(c.paused_why.is_not(None)).order_by(c.channel))
    paused = ", ".join(f"{row.channel} ({row.paused_why})" for row in rows)
    if not paused:
        return Finding("channels", True, "No channel is paused by its provider.")
    hint = "It is tried again by itself; in practice mode, look whether practice-outbox.sqlite can be written."
    return Finding("channels", False, f"Paused, because the provider failed: {paused}.", hint)


def _seals(session: Session) -> Finding:
    checked = check_seals(session)
    said = f"sealed lines {checked.lines}, seals {checked.seals}, lines not sealed yet {checked.unsealed}"
    if checked.whole:
        return Finding("log", True, f"The log is as it was written: {said}.")
    days = ", ".join(day.isoformat() for day in checked.broken[:SHOWN])
    told = f"The log was changed after it was sealed, on {days}: {said}."
    return Finding("log", False, told, "Keep a copy of it as it is, and compare it with a backup from before.")
