"""Seals of the log: once a day a hash over all lines that are not sealed yet, chained to the seal before (I15).

A line that was changed, taken out or put in afterwards breaks its seal, and a seal that was changed breaks the next.
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from app.store.session import Session
from app.store.tables import log_entry as g
from app.store.tables import log_seal as s

PAGE: Final = 5_000
_LINE: Final = (
    *(g.c.id, g.c.at, g.c.event, g.c.actor, g.c.person_id, g.c.enrollment_id),
    *(g.c.message_id, g.c.attempt_id, g.c.inbox_event_id, g.c.journey_id, g.c.facts),
)


@dataclass(frozen=True, slots=True)
class Seal:
    """One seal. day: the UTC date on which it was made. lines: how many it covers, up to last_log_id."""

    day: date
    last_log_id: int
    lines: int
    hash: str
    previous_hash: str


@dataclass(frozen=True, slots=True)
class SealCheck:
    """What checking every seal found. broken: the days whose lines or chain are not as they were sealed."""

    seals: int
    lines: int
    unsealed: int
    broken: tuple[date, ...]

    @property
    def whole(self) -> bool:
        """Whether the sealed part of the log is as it was written."""
        return not self.broken


def seal_log(session: Session, now: datetime) -> Seal | None:
    """Seal what has no seal yet; at most once a day (UTC), None when today has its seal or nothing is new."""
    day = now.astimezone(UTC).date()
    with session.read() as connection:
        if _newest(connection, since=day) is not None:
            return None
    with session.write() as connection:
        if not session.is_sqlite:
            # two engines that seal at the same moment: the second one waits, and finds the day sealed
            connection.execute(sa.text("LOCK TABLE log_seal IN SHARE ROW EXCLUSIVE MODE"))
            # a line may have its id and not be committed yet: wait for every writer, so that no id comes later
            connection.execute(sa.text("LOCK TABLE log_entry IN SHARE MODE"))
        before = _newest(connection)
        if before is not None and before.day >= day:
            return None
        after = before.last_log_id if before else 0
        last = connection.scalar(sa.select(sa.func.max(g.c.id)).where(g.c.id > after))
        if last is None:
            return None
        previous = before.hash if before else ""
        lines, digest = _digest(connection, after, last, previous)
        seal = Seal(day, last, lines, digest, previous)
        row = {"day": day, "last_log_id": last, "lines": lines, "hash": digest, "previous_hash": previous}
        connection.execute(sa.insert(s), row | {"sealed_at": now})
        return seal


def check_seals(session: Session) -> SealCheck:
    """Read the whole log again and compare it with every seal, in one moment."""
    with session.read() as connection:
        seals = [_seal(row) for row in connection.execute(sa.select(s).order_by(s.c.last_log_id)).all()]
        broken: list[date] = []
        after, previous, lines = 0, "", 0
        for seal in seals:
            counted, digest = _digest(connection, after, seal.last_log_id, previous)
            if (counted, digest, previous) != (seal.lines, seal.hash, seal.previous_hash):
                broken.append(seal.day)
            # go on from what the seal says, so that one break is told once
            after, previous, lines = seal.last_log_id, seal.hash, lines + counted
        unsealed = connection.scalar(sa.select(sa.func.count()).where(g.c.id > after)) or 0
    return SealCheck(len(seals), lines, unsealed, tuple(broken))


def covering(connection: Connection, log_ids: Sequence[int]) -> list[tuple[Seal, datetime, bool]]:
    """The seals over lines of the log, in order: each with when it was made, and whether it holds now.

    log_ids: ascending. A seal holds when its lines are as they were sealed and it hangs on the seal before it. Only
    the lines of these seals are read.
    """
    rows = connection.execute(sa.select(s).order_by(s.c.last_log_id)).all()
    found: list[tuple[Seal, datetime, bool]] = []
    after, previous = 0, ""
    for row in rows:
        first = bisect_right(log_ids, after)
        if first < len(log_ids) and log_ids[first] <= row.last_log_id:
            counted, digest = _digest(connection, after, row.last_log_id, previous)
            holds = (counted, digest, previous) == (row.lines, row.hash, row.previous_hash)
            found.append((_seal(row), row.sealed_at, holds))
        after, previous = row.last_log_id, row.hash
    return found


def _newest(connection: Connection, since: date | None = None) -> Seal | None:
    asked = sa.select(s).order_by(s.c.last_log_id.desc()).limit(1)
    if since is not None:
        asked = asked.where(s.c.day >= since)
    row = connection.execute(asked).one_or_none()
    return None if row is None else _seal(row)


def _seal(row: Any) -> Seal:
    return Seal(row.day, row.last_log_id, row.lines, row.hash, row.previous_hash)


def _digest(connection: Connection, after: int, last: int, previous: str) -> tuple[int, str]:
    """How many lines there are after `after` up to `last`, and their hash with the one before."""
    hashed = hashlib.sha256(f"{previous}\n".encode())
    count = 0
    for row in _lines(connection, after, last):
        hashed.update(_canonical(row))
        count += 1
    return count, hashed.hexdigest()


def _lines(connection: Connection, after: int, last: int) -> Iterator[Sequence[Any]]:
    while True:
        page = connection.execute(
            sa.select(*_LINE).where(g.c.id > after, g.c.id <= last).order_by(g.c.id).limit(PAGE)
        ).all()
        yield from page
        if len(page) < PAGE:
            return
        after = page[-1].id


def _canonical(row: Sequence[Any]) -> bytes:
    """One line as bytes that do not depend on the database: instants in UTC, keys in order."""
    values = [value.isoformat() if isinstance(value, datetime) else value for value in row]
    return (json.dumps(values, sort_keys=True, ensure_ascii=False, separators=(",", ":")) + "\n").encode()
