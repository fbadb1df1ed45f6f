"""The door to the rows of workers: who runs an engine on this database, and was heard of when."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy import bindparam

from app.domain.workers import LONGEST_LEASE, WorkerLine
from app.store.columns import UtcDateTime
from app.store.door import Door
from app.store.tables import worker as w

_NOW: Final = bindparam("now", type_=UtcDateTime())
_FAR: Final = bindparam("far", type_=UtcDateTime())
_OLD: Final = bindparam("old", type_=UtcDateTime())
_UNTIL: Final = bindparam("until", type_=UtcDateTime())
_MINE: Final = bindparam("mine", type_=sa.Text())

_SEEN: Final = sa.update(w).where(w.c.token == _MINE).values(seen_at=_NOW, lease_until=_UNTIL)
_NEW: Final = sa.insert(w)
# the same question as WorkerLine.silent
_SILENT: Final = (
    sa.select(w.c.token)
    .where(w.c.token != _MINE, sa.or_(w.c.lease_until <= _NOW, w.c.lease_until > _FAR))
    .order_by(w.c.id)
)
_LEAVE: Final = sa.delete(w).where(w.c.token == _MINE)
_FORGET: Final = sa.delete(w).where(w.c.lease_until <= _OLD)
_ALL: Final = sa.select(w).order_by(w.c.started_at, w.c.id)


class WorkerDoor(Door):
    """Implements ports.Workers."""

    def beat(self, line: WorkerLine) -> None:
        """This worker is at work: its row is made, or raised to the line's times."""
        given = {"mine": line.token, "now": line.seen_at, "until": line.lease_until}
        if self._connection.execute(_SEEN, given).rowcount:
            return
        row = {"token": line.token, "host": line.host, "pid": line.pid, "started_at": line.started_at}
        self._connection.execute(_NEW, row | {"seen_at": line.seen_at, "lease_until": line.lease_until})

    def silent(self, mine: str, now: datetime) -> Sequence[str]:
        """Tokens of the others whose lease has run out at `now`."""
        return [row.token for row in self._rows(_SILENT, mine=mine, now=now, far=now + LONGEST_LEASE)]

    def leave(self, token: str) -> None:
        """This worker has ended in good order."""
        self._connection.execute(_LEAVE, {"mine": token})

    def forget(self, before: datetime) -> int:
        """Take away the rows of those whose lease ran out before that; how many."""
        return self._connection.execute(_FORGET, {"old": before}).rowcount

    def lines(self) -> Sequence[WorkerLine]:
        """Everybody who has not ended in good order, longest at work first."""
        return [
            WorkerLine(row.token, row.host, row.pid, row.started_at, row.seen_at, row.lease_until)
            for row in self._rows(_ALL)
        ]
