"""What the books know of lateness by themselves: since when each follow-up should have been asked (I6, ADR 0017)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from app.domain.reasons import Why
from app.engine.ports import AttemptNote
from app.store import tables as t
from app.store.unit_of_work import Store
from tests.simulation.asked import Asked, Versions

OVERDUE: Final = timedelta(days=3, hours=1)
_IN_HAND: Final = ("queued", "leased", "sending")
Rows = Sequence[Mapping[str, Any]]


class Late:
    """Since when everybody is late, by what was so at the last look and by what came about since then.

    What waits for its channel is put off together with the channel's next test, however late that is.
    """

    def __init__(self, store: Store, asked: Asked, drawn: Versions) -> None:
        self._store = store
        self._asked = asked
        self._drawn = drawn
        self._due: dict[int, datetime] = {}
        self._accepted: frozenset[int] = frozenset()
        self._ahead: dict[int, Sequence[int]] = {}
        self._with_staff: frozenset[int] = frozenset()

    def look(self, enrollments: Rows, messages: Rows) -> None:
        """When each is due, which messages were taken, and who waits for whose turn."""
        in_hand = {row["enrollment_id"]: row for row in messages if row["state"] in _IN_HAND}
        held = {row["id"]: in_hand.get(row["id"], row)["hold_why"] for row in enrollments}
        due = {row["id"]: _due(row, in_hand.get(row["id"])) for row in enrollments}
        self._due = {each: at for each, at in due.items() if at is not None and held[each] != Why.CHANNEL_PAUSED}
        self._accepted = frozenset(row["id"] for row in messages if row["accepted_at"] is not None)
        self._with_staff = frozenset(each for each, why in held.items() if why == Why.OVERDUE)
        live = [row for row in enrollments if row["ended_at"] is None]
        marketing = [row for row in live if row["journey_id"] in self._asked.marketing]
        self._ahead = {
            row["id"]: [other["id"] for other in marketing if other["person_id"] == row["person_id"]]
            for row in live
            if held[row["id"]] == Why.ONE_AT_A_TIME
        }

    def told(self, note: AttemptNote) -> str:
        """What speaks against this call; "" when it is not late by more than staff have to decide about."""
        with self._store.session.read() as connection:
            since = self._since(connection, note.enrollment_id or 0)
        late = note.noted_at - (since or note.noted_at)
        return f"permitted although it was {late} late" if late > OVERDUE else ""

    def _since(self, connection: Connection, enrollment: int) -> datetime | None:
        """Since when it should have been asked: since its own time, what it said last, and when its turn came."""
        own = self._due.get(enrollment)
        if own is None:
            return None
        said, turn = self._said(connection, enrollment), self._turn(connection, enrollment)
        return max(at for at in (own, said, turn) if at is not None)

    def _said(self, connection: Connection, enrollment: int) -> datetime | None:
        """The end of the waits behind what was taken since the last look, or found out to have been."""
        e, m = t.enrollment.c, t.message.c
        asked = (
            sa.select(m.id, m.accepted_at, e.journey_version_id)
            .join(t.enrollment, e.id == m.enrollment_id)
            .where(e.id == enrollment, m.accepted_at.is_not(None))
        )
        new = [row for row in connection.execute(asked) if row.id not in self._accepted]
        return max((row.accepted_at + self._drawn.rests(row.journey_version_id) for row in new), default=None)

    def _turn(self, connection: Connection, enrollment: int) -> datetime | None:
        """When its turn came: when the one ahead should have ended, if it has."""
        ahead = self._ahead.get(enrollment, ())
        e = t.enrollment.c
        asked = sa.select(e.id, e.ended_at, e.ended_by_event_id).where(e.id.in_(ahead), e.ended_at.is_not(None))
        return max((self._over(connection, row) for row in connection.execute(asked).all()), default=None)

    def _over(self, connection: Connection, row: Any) -> datetime:
        ended_at: datetime = row.ended_at
        if row.ended_by_event_id is not None or row.id in self._with_staff:
            return ended_at
        return min(self._since(connection, row.id) or ended_at, ended_at)


def _due(row: Mapping[str, Any], message: Mapping[str, Any] | None) -> datetime | None:
    """When it is to be asked, or was handed over without an answer yet; None when nobody knows."""
    if row["ended_at"] is not None or (row["state"] == "paused" and row["paused_until"] is None):
        return None
    if message is None:
        own = row["wake_at"]
    else:
        own = message["noted_at" if message["state"] == "sending" else "try_at"]
    return max((at for at in (own, row["hold_until"], row["paused_until"]) if at is not None), default=None)
