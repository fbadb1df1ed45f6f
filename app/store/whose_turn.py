"""Whose turn it is (domain/whose_turn.py), as the store knows it: live marketing follow-ups, and waking the next.

The one who waits is woken in the transaction that ends the one ahead. Rows that somebody else has in hand are left to
them (SKIP LOCKED): whoever waits is asked again by itself from time to time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam
from sqlalchemy.engine import Connection

from app.domain.ids import EnrollmentId, JourneyVersionId, PersonId
from app.domain.reasons import Why
from app.domain.snapshot import TurnSeen
from app.domain.states import MessageState, Purpose
from app.store.columns import UtcDateTime, among
from app.store.door import Door, literal
from app.store.memory import VersionKept
from app.store.tables import enrollment as e
from app.store.tables import journey as j
from app.store.tables import message as m
from app.store.versions import Versions

_UNDER_WAY: Final = (MessageState.QUEUED, MessageState.LEASED)
_HANDED: Final = (
    *(MessageState.SENDING, MessageState.ACCEPTED, MessageState.DELIVERED),
    *(MessageState.UNDELIVERED, MessageState.FAILED),
)


def _has(states: Collection[MessageState]) -> sa.ColumnElement[bool]:
    return sa.exists().where(m.c.enrollment_id == e.c.id, m.c.state.in_([literal(state.value) for state in states]))


_TURNS: Final = (
    sa.select(
        *(e.c[name] for name in ("id", "person_id", "journey_version_id", "step", "pass_no", "entered_at")),
        j.c.name,
        j.c.priority,
        _has(_UNDER_WAY).label("under_way"),
        _has(_HANDED).label("handed"),
    )
    .join(j, j.c.id == e.c.journey_id)
    .where(among(e.c.person_id, "people"), e.c.state.in_([literal("active"), literal("paused")]))
)
_NOW: Final = bindparam("now", type_=UtcDateTime())
_TURN: Final = bindparam("turn", type_=UtcDateTime())
_PEOPLE: Final = sa.select(e.c.person_id).where(among(e.c.id, "ended"))
_HELD: Final = literal(Why.ONE_AT_A_TIME.value)


def _since(own: sa.ColumnElement[datetime]) -> sa.ColumnElement[datetime]:
    """Its turn, or its own time where that is later; never after now."""
    return sa.case((own > _NOW, _NOW), (own > _TURN, own), else_=_TURN)


def _not_then(due: sa.ColumnElement[datetime], since: sa.ColumnElement[datetime]) -> sa.ColumnElement[bool]:
    """Not due yet, or due for being asked again while it was not its turn."""
    return sa.or_(due > _NOW, due < since)


_own = _since(e.c.step_entered_at)
_waiting = (
    sa.select(e.c.id)
    .where(
        e.c.person_id.in_(_PEOPLE), e.c.state == literal("active"), e.c.hold_why == _HELD, _not_then(e.c.wake_at, _own)
    )
    .with_for_update(skip_locked=True, key_share=True)
    .cte("waiting")
)
_WAKE: Final = sa.update(e).where(e.c.id.in_(sa.select(_waiting.c.id))).values(wake_at=_own, version=e.c.version + 1)
_planned = _since(m.c.due_at)
_in_the_outbox = (
    sa.select(m.c.id)
    .where(m.c.person_id.in_(_PEOPLE), m.c.state == literal("queued"), m.c.hold_why == _HELD)
    .where(_not_then(m.c.try_at, _planned))
    .with_for_update(skip_locked=True, key_share=True)
    .cte("in_the_outbox")
)
_WAKE_MESSAGES: Final = (
    sa.update(m).where(m.c.id.in_(sa.select(_in_the_outbox.c.id))).values(try_at=_planned, version=m.c.version + 1)
)


class Turns(Door):
    """Reads whose turn it is."""

    def of(self, people: Collection[PersonId]) -> Mapping[PersonId, tuple[TurnSeen, ...]]:
        """The live follow-ups of `people` in marketing journeys: one statement, whatever their number."""
        rows = self._rows(_TURNS, people=people)
        ids = {JourneyVersionId(row.journey_version_id) for row in rows}
        versions = Versions(self._connection, self._memory).take(ids)
        found: defaultdict[PersonId, tuple[TurnSeen, ...]] = defaultdict(tuple)
        for row in rows:
            kept = versions[JourneyVersionId(row.journey_version_id)]
            if kept.journey.purpose is Purpose.MARKETING:
                found[PersonId(row.person_id)] += (_turn(row, kept),)
        return found


def wake_next(connection: Connection, ended: Collection[EnrollmentId], now: datetime, turn_at: datetime) -> None:
    """Make due whoever waits for the turn of one of `ended`, follow-ups and messages alike.

    turn_at: since when it is their turn, up to `now`. Those that the engine ended late are followed by those that
    are late.
    """
    given = {"ended": ended, "now": now, "turn": turn_at}
    connection.execute(_WAKE, given)
    connection.execute(_WAKE_MESSAGES, given)


def _turn(row: Any, kept: VersionKept) -> TurnSeen:
    return TurnSeen(
        enrollment_id=EnrollmentId(row.id),
        journey=row.name,
        priority=row.priority,
        entered_at=row.entered_at,
        begun=bool(row.under_way or row.handed or row.pass_no > 1 or row.step != kept.journey.start),
        handed=bool(row.handed),
    )
