"""What every list asks of a follow-up: its instant, what holds it, the message that it waits for. Pieces of SELECTs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import ColumnElement, FromClause
from sqlalchemy.engine import Connection

from app.domain.lines import HoldLine
from app.domain.reasons import Why
from app.domain.states import LIVE, EnrollmentState, MessageState
from app.store import tables as t
from app.store.columns import quoted

# holds of a message that say until when: it is tried again then. Others are only asked again from time to time
LIFTED_BY_TIME: Final = frozenset(
    {Why.CLINIC_CLOSED, Why.QUIET_HOURS, Why.DAY_CAP, Why.WEEK_CAP, Why.PHONE_CAP, Why.TRY_AGAIN, Why.CHANNEL_PAUSED}
)

# states as literal SQL: a bound value would hide the partial indexes from PostgreSQL (ENGINE C3)
_LIVE = quoted(sorted(LIVE))
_ON_THE_WAY = quoted((MessageState.QUEUED, MessageState.LEASED, MessageState.SENDING))

waiting: Final = t.message.alias("waiting")
"""The message that a follow-up waits for at its step: queued, leased or sending; a call also until it has ended."""

IS_LIVE: Final[ColumnElement[bool]] = sa.literal_column(f"enrollment.state IN ({_LIVE})", sa.Boolean)

WITH_MESSAGE: Final[FromClause] = t.enrollment.outerjoin(
    waiting,
    sa.and_(
        waiting.c.enrollment_id == t.enrollment.c.id,
        waiting.c.step == t.enrollment.c.step,
        waiting.c.pass_no == t.enrollment.c.pass_no,
        sa.literal_column(
            f"(waiting.state IN ({_ON_THE_WAY}) OR (waiting.state = 'accepted' AND waiting.channel = 'call'))",
            sa.Boolean,
        ),
    ),
)

instant: Final[ColumnElement[datetime]] = sa.case(
    (t.enrollment.c.state == EnrollmentState.PAUSED.value, t.enrollment.c.paused_until),
    else_=sa.func.coalesce(t.enrollment.c.wake_at, waiting.c.try_at),
)
"""The instant that a live follow-up is ordered by; null when nothing but a person lifts its pause."""

IS_HELD: Final[ColumnElement[bool]] = sa.or_(
    t.enrollment.c.state == EnrollmentState.PAUSED.value,
    t.enrollment.c.hold_why.is_not(None),
    sa.and_(waiting.c.state == MessageState.QUEUED.value, waiting.c.hold_why.is_not(None)),
)
"""Of a live follow-up: paused by staff, held itself, or with a message that is held."""

HAS_TIME: Final[ColumnElement[bool]] = sa.or_(
    sa.not_(IS_HELD),
    t.enrollment.c.hold_until.is_not(None),
    t.enrollment.c.paused_until.is_not(None),
    waiting.c.hold_why.in_(sorted(LIFTED_BY_TIME)),
)
"""Of a live follow-up: something happens at its instant. A hold without an end is only asked again now and then."""


def ids_in_order(
    connection: Connection, statement: sa.Select[Any], given: Mapping[str, Any] | None = None
) -> list[int]:
    """The first column of every row as plain integers, past SQLAlchemy's rows: four times as fast (PLATFORM §5)."""
    cursor = connection.execute(statement, given or {}).cursor
    if cursor is None:
        raise TypeError("a SELECT has a cursor")
    return [row[0] for row in cursor.fetchall()]


def follow_ups(*more: ColumnElement[Any]) -> sa.Select[Any]:
    """Follow-ups with their journey, version, waiting message and what ended them. more: columns of other tables."""
    e = t.enrollment.c
    columns = (
        *(e.id, e.person_id, e.journey_id, e.journey_version_id, e.state, e.step, e.wake_at),
        *(e.hold_why, e.hold_until, e.hold_facts, e.paused_until, e.paused_by, e.ended_at, e.end_detail),
        t.journey.c.name.label("journey"),
        t.journey_version.c.number.label("version"),
        sa.func.coalesce(t.inbox_event.c.actor, "").label("ended_by"),
        waiting.c.id.label("message_id"),
        waiting.c.state.label("message_state"),
        waiting.c.try_at.label("message_try_at"),
        waiting.c.hold_why.label("message_hold_why"),
        waiting.c.hold_facts.label("message_hold_facts"),
        instant.label("at"),
    )
    joined = (
        WITH_MESSAGE.join(t.journey, t.journey.c.id == e.journey_id)
        .join(t.journey_version, t.journey_version.c.id == e.journey_version_id)
        .outerjoin(t.inbox_event, t.inbox_event.c.id == e.ended_by_event_id)
    )
    return sa.select(*columns, *more).select_from(joined)


def hold_of(row: sa.Row[Any]) -> HoldLine | None:
    """What holds a live follow-up, by a row of `follow_ups`; None when nothing does or it has ended."""
    state = EnrollmentState(row.state)
    if state not in LIVE:
        return None
    if state is EnrollmentState.PAUSED:
        return HoldLine(Why.PAUSED_BY_STAFF, row.paused_until, {"by": row.paused_by, **(row.hold_facts or {})})
    if row.hold_why is not None:
        return HoldLine(Why(row.hold_why), row.hold_until, row.hold_facts or {})
    return hold_of_message(row.message_state, row.message_hold_why, row.message_try_at, row.message_hold_facts)


def hold_of_message(
    state: str | None, why: str | None, try_at: datetime | None, facts: Mapping[str, str] | None
) -> HoldLine | None:
    """What holds a queued message. until: only when time lifts it."""
    if state != MessageState.QUEUED.value or why is None:
        return None
    reason = Why(why)
    return HoldLine(reason, try_at if reason in LIFTED_BY_TIME else None, facts or {})
