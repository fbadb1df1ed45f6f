"""The door to the marks of what is polled: how far each source was read, and how it stands."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam

from app.domain.answer import Outage
from app.engine.inbound_ports import MOST_WAIT, Mark, SourceSeen
from app.store.columns import UtcDateTime
from app.store.door import Door, given_why, known_why
from app.store.tables import source_mark as s

_NOW: Final = bindparam("now", type_=UtcDateTime())
_BEFORE: Final = bindparam("before", type_=UtcDateTime())
_FAR: Final = bindparam("far", type_=UtcDateTime())
_WHICH: Final = bindparam("which", type_=sa.Text())
_OF: Final = sa.select(s).where(s.c.source == _WHICH)
_ALL: Final = sa.select(s).order_by(s.c.source)
_UPDATE: Final = sa.update(s).where(s.c.source == _WHICH)
# a time ahead of now, or further ahead than any wait, was written by a clock that has gone back since
_TURN: Final = _UPDATE.where(
    sa.or_(s.c.tried_at.is_(None), s.c.tried_at <= _BEFORE, s.c.tried_at > _NOW),
    sa.or_(s.c.try_at.is_(None), s.c.try_at <= _NOW, s.c.try_at > _FAR),
).values(tried_at=_NOW)
_READ: Final = _UPDATE.values(mark=bindparam("to_mark", type_=s.c.mark.type))
_WHOLE: Final = _READ.values(worked_at=_NOW, try_at=None, fault_why=None, fault_code="", failing_since=None)
_FAILED: Final = _UPDATE.values(
    fault_why=bindparam("why"),
    fault_code=bindparam("code"),
    failing_since=sa.func.coalesce(s.c.failing_since, _NOW),
    try_at=bindparam("again", type_=UtcDateTime()),
)
_NO_LONGER_READ: Final = _UPDATE.values(fault_why=None, fault_code="", failing_since=None, try_at=None)


class MarkDoor(Door):
    """Implements inbound_ports.Marks."""

    def of(self, source: str) -> SourceSeen:
        """As it stands; an empty one before the first reading."""
        found = self._rows(_OF, which=source)
        return _seen(found[0]) if found else SourceSeen(source)

    def all(self) -> Sequence[SourceSeen]:
        """Every source that was ever asked, by name."""
        return [_seen(row) for row in self._rows(_ALL)]

    def turn(self, source: str, every: timedelta, now: datetime) -> SourceSeen | None:
        """The source, when it is to be asked now and nobody else has just done so; it counts as tried."""
        self._there(source)
        found = self._rows(_TURN.returning(*s.c), which=source, now=now, before=now - every, far=now + MOST_WAIT)
        return _seen(found[0]) if found else None

    def read_to(self, source: str, mark: Mark, now: datetime, *, whole: bool) -> None:
        """Everything up to `mark` is written down. whole: nothing is left to read just now, so its fault is over."""
        self._there(source)
        given = {"which": source, "to_mark": dict(mark)}
        self._connection.execute(_WHOLE if whole else _READ, given | ({"now": now} if whole else {}))

    def failed(self, source: str, outage: Outage, now: datetime) -> bool:
        """A try failed; whether that is news: it worked before, or failed for another reason."""
        self._there(source)
        known = self._rows(_OF.with_for_update(), which=source)[0].fault_why
        again = now + outage.wait if outage.wait is not None else None
        given = {"which": source, "why": given_why(outage.why), "code": outage.code, "now": now, "again": again}
        self._connection.execute(_FAILED, given)
        return bool(known != outage.why.value)

    def keep_only(self, sources: Collection[str]) -> Sequence[str]:
        """Those that are not among `sources` are read no longer, so that they fail no longer; which had failed."""
        gone = [
            row.source for row in self._rows(_ALL) if row.fault_why is not None and row.source not in frozenset(sources)
        ]
        for source in gone:
            self._connection.execute(_NO_LONGER_READ, {"which": source})
        return gone

    def _there(self, source: str) -> None:
        self._connection.execute(self._absent(s), {"source": source})


def _seen(row: Any) -> SourceSeen:
    why = known_why(row.fault_why)
    return SourceSeen(
        name=row.source,
        mark=row.mark,
        tried_at=row.tried_at,
        worked_at=row.worked_at,
        fault=None if why is None else Outage(why, row.fault_code),
        failing_since=row.failing_since,
    )
