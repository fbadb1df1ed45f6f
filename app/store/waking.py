"""Makes due at once what is to be asked again: what is held, when the reason is gone; waits, when what they count by
has changed. What is due already keeps its own instant.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy import bindparam
from sqlalchemy.engine import Connection

from app.domain.ids import PersonId
from app.domain.reasons import Why
from app.domain.states import WaitsFor
from app.store.columns import UtcDateTime, among
from app.store.door import literal
from app.store.tables import enrollment as e
from app.store.tables import message as m

_NOW: Final = bindparam("now", type_=UtcDateTime())
# locked before any is looked at: a tick that is just writing such a hold is waited for, so that it is lifted too
_LIVE: Final = (
    sa.select(e.c.id)
    .where(among(e.c.person_id, "people"), e.c.state.in_([literal("active"), literal("paused")]))
    .order_by(e.c.id)
    .with_for_update(key_share=True)
)
# one that waits for a time would take being woken for the end of its wait
_FOLLOW_UPS: Final = (
    sa.update(e)
    .where(
        e.c.state == literal("active"),
        e.c.waits_for != WaitsFor.TIME.value,
        e.c.wake_at > _NOW,
        among(e.c.hold_why, "why"),
        among(e.c.person_id, "people"),
    )
    .values(wake_at=_NOW, version=e.c.version + 1)
)
# asked again, a wait counts its end anew; its old end is kept, so that only a new one is told
_WAITS: Final = (
    sa.update(e)
    .where(
        e.c.state.in_([literal("active"), literal("paused")]),
        e.c.waits_for == WaitsFor.TIME.value,
        e.c.wake_at > _NOW,
        sa.or_(e.c.state == literal("paused"), e.c.hold_why.is_(None)),
        among(e.c.person_id, "people"),
    )
    .values(
        wake_at=_NOW,
        hold_until=sa.case((e.c.state == literal("active"), e.c.wake_at), else_=e.c.hold_until),
        version=e.c.version + 1,
    )
)
_MESSAGES: Final = (
    sa.update(m)
    .where(
        m.c.state == literal("queued"),
        m.c.try_at > _NOW,
        among(m.c.hold_why, "why"),
        among(m.c.person_id, "people"),
    )
    .values(try_at=_NOW, version=m.c.version + 1)
)


def wake(connection: Connection, why: Collection[Why], people: Sequence[PersonId], now: datetime) -> None:
    """Wake these people's follow-ups and queued messages that are held for one of `why`, at `now`.

    The people must be locked to write already.
    """
    given = {"why": [each.value for each in why], "people": people, "now": now}
    if connection.dialect.name != "sqlite":
        connection.execute(_LIVE, given)
    connection.execute(_FOLLOW_UPS, given)
    connection.execute(_MESSAGES, given)


def count_waits_again(connection: Connection, people: Sequence[PersonId], now: datetime) -> None:
    """Let these people's waits count their end anew, at `now`: hours, a zone or a record has changed (RULES F12).

    The people must be locked to write already.
    """
    given = {"people": people, "now": now}
    if connection.dialect.name != "sqlite":
        connection.execute(_LIVE, given)
    connection.execute(_WAITS, given)
