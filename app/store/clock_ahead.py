"""What was written under a clock that ran ahead, counted again once the clock is right (CASES 77).

A wait that was begun in the wrong time begins now; a hold that was set then is asked again; what was to go on at once
goes on. Else each would stand as long as the clock had run ahead.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy import bindparam
from sqlalchemy.engine import Connection

from app.domain.delivery_status import FOLLOWED_FOR
from app.domain.lateness import RETIMED
from app.domain.states import WaitsFor
from app.store.columns import UtcDateTime
from app.store.door import literal
from app.store.tables import channel_state as c
from app.store.tables import enrollment as e
from app.store.tables import message as m

_NOW: Final = bindparam("now", type_=UtcDateTime())
# a wait that is walked afresh counts its end from when its step was entered
_AFRESH: Final = sa.case((e.c.waits_for == WaitsFor.TIME.value, WaitsFor.NOTHING.value), else_=e.c.waits_for)
_BEGUN: Final = (
    sa.update(e)
    .where(e.c.state.in_([literal("active"), literal("paused")]), e.c.step_entered_at > _NOW)
    .values(
        entered_at=sa.case((e.c.entered_at > _NOW, _NOW), else_=e.c.entered_at),
        step_entered_at=_NOW,
        waits_for=_AFRESH,
        wake_at=sa.case((e.c.wake_at.is_not(None), _NOW), else_=e.c.wake_at),
        version=e.c.version + 1,
    )
)
_HELD: Final = (
    sa.update(e)
    .where(e.c.state == literal("active"), e.c.hold_why.is_not(None), e.c.wake_at > _NOW)
    .values(waits_for=_AFRESH, wake_at=_NOW, version=e.c.version + 1)
)
# what waits for nothing was to go on at once, unless staff gave it a time
_AT_ONCE: Final = (
    sa.update(e)
    .where(e.c.state == literal("active"), e.c.waits_for == WaitsFor.NOTHING.value, e.c.hold_why.is_(None))
    .where(e.c.wake_at > _NOW, e.c.hold_facts[RETIMED].as_string().is_(None))
    .values(wake_at=_NOW, version=e.c.version + 1)
)
_HELD_MESSAGES: Final = (
    sa.update(m)
    .where(m.c.state == literal("queued"), m.c.hold_why.is_not(None), m.c.try_at > _NOW)
    .values(try_at=_NOW, version=m.c.version + 1)
)
# a try that was given back goes behind the others, once it is known what became of it
_ON_THEIR_WAY: Final = (
    sa.update(m).where(m.c.state == literal("sending"), m.c.try_at > _NOW).values(try_at=_NOW, version=m.c.version + 1)
)
_CHANNELS: Final = sa.update(c).where(c.c.try_at > _NOW).values(try_at=_NOW)
# asked about rarely once they are old, so that a question put off in the wrong time is far away
_ACCEPTED: Final = (
    sa.update(m)
    .where(m.c.state == literal("accepted"), m.c.accepted_at > bindparam("since", type_=UtcDateTime()))
    .where(m.c.try_at > _NOW)
    .values(try_at=_NOW, version=m.c.version + 1)
)


def count_again(connection: Connection, now: datetime) -> None:
    """Let nothing that was begun or held after `now` wait for a time that the clock had only made up."""
    for statement in (_BEGUN, _HELD, _AT_ONCE, _HELD_MESSAGES, _ON_THEIR_WAY, _CHANNELS):
        connection.execute(statement, {"now": now})
    connection.execute(_ACCEPTED, {"now": now, "since": now - FOLLOWED_FOR})
