"""The door to the engine's own state: pause, breakers, the clock's high-water mark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam

from app.domain.guards_life import CLOCK_SLACK
from app.domain.pace import LONGEST_REST
from app.domain.reasons import Why
from app.domain.snapshot import ChannelSeen, EngineSeen
from app.domain.states import Channel
from app.domain.workers import LEASE, LONGEST_LEASE
from app.store.clock_ahead import count_again
from app.store.columns import UtcDateTime, among
from app.store.door import Door, known_why, literal
from app.store.tables import channel_state as c
from app.store.tables import engine_state as g
from app.store.tables import enrollment as e
from app.store.tables import message as m
from app.store.tables import source_mark as k

_NOW: Final = bindparam("now", type_=UtcDateTime())
_TRY: Final = bindparam("again", type_=UtcDateTime())
# one row, or one for each source that can't be read now
_ENGINE: Final = sa.select(
    *(g.c[name] for name in ("paused_why", "paused_by", "paused_at", "clock_seen_at", "clock_made_up")),
    k.c.source,
    sa.func.coalesce(k.c.worked_at, k.c.failing_since).label("unread_since"),
).outerjoin_from(g, k, k.c.fault_why.is_not(None))
_CHANNELS: Final = sa.select(c)
_PAUSE: Final = (
    sa.update(g)
    .where(g.c.paused_why.is_(None))
    .values(paused_why=bindparam("why"), paused_by=bindparam("who"), paused_at=_NOW)
)
_RESUME: Final = (
    sa.update(g)
    .where(g.c.paused_why.is_not(None))
    .values(paused_why=None, paused_by="", paused_at=None, clock_seen_at=_NOW)
)
_SAW: Final = (
    sa.update(g).where(sa.or_(g.c.clock_seen_at.is_(None), g.c.clock_seen_at < _NOW)).values(clock_seen_at=_NOW)
)
_TRUST: Final = sa.update(g).values(clock_seen_at=_NOW, clock_made_up=bindparam("made_up", type_=sa.Boolean()))
_WHICH: Final = bindparam("which", type_=sa.Text())
_OF_CHANNEL: Final = sa.select(c).where(c.c.channel == _WHICH).with_for_update()
_TROUBLED: Final = _OF_CHANNEL.where(sa.or_(c.c.paused_why.is_not(None), c.c.failures > 0))
_LATER: Final = sa.case((c.c.try_at > _TRY, c.c.try_at), else_=_TRY)
_PAUSE_CHANNEL: Final = (
    sa.update(c)
    .where(c.c.channel == _WHICH)
    .values(
        paused_why=bindparam("why"),
        paused_at=sa.func.coalesce(c.c.paused_at, _NOW),
        provider=bindparam("of_provider"),
        try_at=sa.case((c.c.paused_why.is_not(None), _LATER), else_=_TRY),
    )
    .returning(c.c.try_at)
)
_CLAIM_TEST: Final = (
    sa.update(c)
    .where(c.c.channel == _WHICH, c.c.paused_why.is_not(None), sa.or_(c.c.try_at.is_(None), c.c.try_at <= _NOW))
    .values(try_at=_TRY)
)
_DUE_SINCE: Final = sa.select(sa.func.min(m.c.try_at)).where(
    m.c.state == literal("queued"), m.c.hold_why.is_(None), m.c.channel == _WHICH
)
_ASK_SOON: Final = sa.update(c).where(c.c.paused_why.is_not(None)).values(try_at=_NOW)
_RESUME_CHANNEL: Final = (
    sa.update(c)
    .where(c.c.channel == _WHICH, c.c.paused_why.is_not(None))
    .values(paused_why=None, paused_at=None, try_at=None)
)
_COUNT: Final = sa.update(c).where(c.c.channel == _WHICH).values(failures=bindparam("count", type_=sa.Integer()))
_PACE: Final = sa.update(c).where(c.c.channel == _WHICH).values(paced_until=bindparam("until", type_=UtcDateTime()))
_FOR_CHANNEL: Final = literal(Why.CHANNEL_PAUSED.value)
# what is held for a channel that rests is held until it is tried, and not asked before
_PUT_OFF_MESSAGES: Final = (
    sa.select(m.c.id)
    .where(m.c.state == literal("queued"), m.c.hold_why == _FOR_CHANNEL, m.c.channel == _WHICH, m.c.try_at < _TRY)
    .with_for_update(skip_locked=True, key_share=True)
    .cte("free")
)
_PUT_OFF_ENROLLMENTS: Final = (
    sa.select(e.c.id)
    .where(
        e.c.state == literal("active"),
        e.c.hold_why == _FOR_CHANNEL,
        e.c.hold_facts["channel"].as_string() == _WHICH,
        e.c.wake_at < _TRY,
    )
    .with_for_update(skip_locked=True, key_share=True)
    .cte("free")
)
_PUT_OFF: Final = (
    sa.update(m).where(m.c.id.in_(sa.select(_PUT_OFF_MESSAGES.c.id))).values(try_at=_TRY, version=m.c.version + 1),
    sa.update(e)
    .where(e.c.id.in_(sa.select(_PUT_OFF_ENROLLMENTS.c.id)))
    .values(wake_at=_TRY, hold_until=_TRY, version=e.c.version + 1),
)
_HELD_MESSAGES: Final = sa.select(m.c.id).where(
    m.c.state == literal("queued"), among(m.c.hold_why, "why"), m.c.try_at > _NOW
)
_HELD_ENROLLMENTS: Final = sa.select(e.c.id).where(
    e.c.state == literal("active"), among(e.c.hold_why, "why"), e.c.wake_at > _NOW
)


def _waking(held: sa.Select[tuple[int]], table: sa.Table, due: str) -> sa.Update:
    """Makes `held` due now. What another transaction has in hand is left to it: these holds end soon by themselves,
    and rows are woken here whose people are not locked (engine/ports.py).
    """
    free = held.with_for_update(skip_locked=True, key_share=True).cte("free")
    return (
        sa.update(table).where(table.c.id.in_(sa.select(free.c.id))).values({due: _NOW, "version": table.c.version + 1})
    )


_WAKE_MESSAGES: Final = _waking(_HELD_MESSAGES, m, "try_at")
_WAKE_ENROLLMENTS: Final = _waking(_HELD_ENROLLMENTS, e, "wake_at")
_WAKE_CHANNEL: Final = _waking(_HELD_MESSAGES.where(m.c.channel == bindparam("which")), m, "try_at")
_FAR: Final = bindparam("far", type_=UtcDateTime())
_PACED_AHEAD: Final = sa.select(c.c.channel).where(c.c.paced_until > _FAR)
_FROM_AHEAD: Final = (
    sa.update(m).where(m.c.state == literal("leased"), m.c.lease_until > _FAR).values(lease_until=_NOW, try_at=_NOW),
    # whoever noted it may be in the call right now: it is looked up after a lease's length, and not at once
    sa.update(m)
    .where(m.c.state == literal("sending"), m.c.lease_until > _FAR)
    .values(lease_until=bindparam("leased", type_=UtcDateTime())),
    sa.update(m)
    .where(m.c.state == literal("queued"), m.c.try_at > _NOW, m.c.created_at > _NOW)
    .values(try_at=_NOW, version=m.c.version + 1),
    sa.update(m)
    .where(m.c.state == literal("queued"), m.c.hold_why.is_(None), m.c.try_at > _NOW, m.c.channel.in_(_PACED_AHEAD))
    .values(try_at=_NOW, version=m.c.version + 1),
    sa.update(c).where(c.c.paused_at > _NOW).values(paused_at=_NOW, try_at=_NOW),
    sa.update(c).where(c.c.try_at > bindparam("rested", type_=UtcDateTime())).values(try_at=_NOW),
    sa.update(c).where(c.c.paced_until > _FAR).values(paced_until=sa.null()),
)
_PAUSES: Final = [Why.SENDING_PAUSED.value, Why.CLOCK_MOVED.value]


class EngineDoor(Door):
    """Implements ports.EngineState."""

    def read(self) -> EngineSeen:
        """As it stands."""
        rows = self._rows(_ENGINE)
        unread = {row.source: row.unread_since for row in rows if row.source is not None}
        return replace(engine_seen(rows[0]), unread=unread)

    def channels(self) -> Mapping[Channel, ChannelSeen]:
        """Every channel's breaker."""
        return {Channel(row.channel): _channel_seen(row) for row in self._rows(_CHANNELS)}

    def pause(self, why: Why, by: str, now: datetime) -> bool:
        """Pause all sending; False when it was paused."""
        return self._changed(_PAUSE, why=why.value, who=by, now=now)

    def resume(self, by: str, now: datetime) -> bool:
        """Go on, take `now` as the clock's truth, wake what is held for the pause; False when it was running.

        by: for the log, which is the caller's to write.
        """
        seen = self.read()
        if not self._changed(_RESUME, now=now):
            return False
        for statement in (_WAKE_ENROLLMENTS, _WAKE_MESSAGES):
            self._connection.execute(statement, {"why": _PAUSES, "now": now})
        self._back_from_ahead(now, moved=seen.paused_why is Why.CLOCK_MOVED or _was_ahead(seen.clock_seen_at, now))
        return True

    def saw_clock(self, now: datetime) -> None:
        """Raise the high-water mark to `now`."""
        self._connection.execute(_SAW, {"now": now})

    def trust_clock(self, now: datetime, *, made_up: bool) -> None:
        """Set the high-water mark to `now`, backwards too. made_up: it is a made-up time (`tick --at`)."""
        seen_at = self.read().clock_seen_at
        self._connection.execute(_TRUST, {"now": now, "made_up": made_up})
        self._back_from_ahead(now, moved=_was_ahead(seen_at, now))

    def breaker(self, channel: Channel, *, always: bool) -> ChannelSeen | None:
        """The channel's breaker, its row locked; None when it works and nothing has failed, unless `always`."""
        rows = self._rows(_OF_CHANNEL if always else _TROUBLED, which=channel.value)
        return _channel_seen(rows[0]) if rows else None

    def pause_channel(self, channel: Channel, why: Why, provider: str, now: datetime, try_at: datetime) -> bool:
        """Open the breaker until `try_at`; False when it was open: for the newer reason, until the later time then.

        What is held for it is held until then.
        """
        seen = self.breaker(channel, always=True)
        given = {"which": channel.value, "why": why.value, "of_provider": provider, "now": now, "again": try_at}
        self._put_off(channel, self._connection.execute(_PAUSE_CHANNEL, given).scalar_one())
        return seen is None or seen.paused_why is None

    def claim_test(self, channel: Channel, now: datetime, again: datetime) -> bool:
        """The channel's self-test is due, and the caller's to make; nobody else makes one before `again`."""
        if not self._changed(_CLAIM_TEST, which=channel.value, now=now, again=again):
            return False
        self._put_off(channel, again)
        return True

    def due_since(self, channel: Channel) -> datetime | None:
        """Since when the oldest message that nothing holds is due on this channel; None for none that is queued."""
        since: datetime | None = self._connection.execute(_DUE_SINCE, {"which": channel.value}).scalar_one()
        return since

    def ask_soon(self, now: datetime) -> None:
        """Every channel that rests is tried at the next pass: somebody changed what may have kept it from working."""
        self._connection.execute(_ASK_SOON, {"now": now})

    def resume_channel(self, channel: Channel, now: datetime) -> bool:
        """Close the breaker; False when it was closed. Messages held for it are woken, and enrollments.

        Its failures stay counted: only an acceptance proves that it takes messages.
        """
        if not self._changed(_RESUME_CHANNEL, which=channel.value):
            return False
        held = {"why": [Why.CHANNEL_PAUSED.value], "now": now}
        self._connection.execute(_WAKE_CHANNEL, held | {"which": channel.value})
        self._connection.execute(_WAKE_ENROLLMENTS, held)  # for whichever channel: they are only asked again
        return True

    def count_failures(self, channel: Channel, failures: int) -> None:
        """So many tries in a row have failed since one was last accepted."""
        self._connection.execute(_COUNT, {"which": channel.value, "count": failures})

    def pace(self, channel: Channel, until: datetime) -> None:
        """Up to `until` the sender's rate is spoken for. The row must be locked: see `breaker`."""
        self._connection.execute(_PACE, {"which": channel.value, "until": until})

    def _put_off(self, channel: Channel, again: datetime) -> None:
        for statement in _PUT_OFF:
            self._connection.execute(statement, {"which": channel.value, "again": again})

    def _back_from_ahead(self, now: datetime, *, moved: bool) -> None:
        """What a clock that ran 20 days ahead has leased or queued would else be out of reach for 20 days.

        moved: the clock was ahead, or went where nobody could believe it: whatever was written then is counted again.
        """
        given = {"now": now, "far": now + LONGEST_LEASE, "rested": now + LONGEST_REST, "leased": now + LEASE}
        for statement in _FROM_AHEAD:
            self._connection.execute(statement, given)
        if moved:
            count_again(self._connection, now)

    def _changed(self, statement: sa.Executable, **given: Any) -> bool:
        return self._connection.execute(statement, given).rowcount == 1


def _was_ahead(seen_at: datetime | None, now: datetime) -> bool:
    """seen_at: the latest instant that was on the clock's mark."""
    return seen_at is not None and seen_at > now + CLOCK_SLACK


def engine_seen(row: Any) -> EngineSeen:
    """From a row with the engine's columns."""
    return EngineSeen(
        known_why(row.paused_why), row.paused_by, row.paused_at, row.clock_seen_at, clock_made_up=row.clock_made_up
    )


def _channel_seen(row: Any) -> ChannelSeen:
    return ChannelSeen(
        known_why(row.paused_why), row.paused_at, row.provider, row.try_at, row.failures, row.paced_until
    )
