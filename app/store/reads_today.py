"""What needs somebody today: replies, paused channels, the counts; what goes out next; and whether anything moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import ColumnElement
from sqlalchemy.engine import Connection

from app.domain.events import EventKind
from app.domain.ids import EnrollmentId, InboxEventId, LocationId, PersonId
from app.domain.lines import InboxEventLine, QueueLine
from app.domain.reasons import Why
from app.domain.states import Channel, Contact, EnrollmentState, MessageState
from app.domain.today_lines import ChannelLine, Pulse, ReplyLine, TodayCounts
from app.store import tables as t
from app.store.columns import among
from app.store.door import literal
from app.store.reads_follow_ups import IS_HELD, IS_LIVE, WITH_MESSAGE, ids_in_order, instant, waiting
from app.store.reads_people import people
from app.store.reads_queue import queue
from app.store.reads_sent import inbox_events
from app.store.reads_steps import Steps

# what somebody wrote or said; the rest is noted by providers and staff
_SAID: Final = (EventKind.REPLIED.value, EventKind.OTHER.value, EventKind.OPTED_OUT.value)
_PAUSED: Final = Why.CHANNEL_PAUSED.value
_LOOKED_THROUGH: Final = 300  # the soonest follow-ups; those at a wait or a branch make no message yet
_WITH_STAFF: Final = t.person.c.contact == Contact.WITH_STAFF.value
_OPEN: Final = t.problem.c.solved_at.is_(None)
_WAITS: Final = sa.select(t.message.c.channel, sa.func.count().label("how_many")).where(
    t.message.c.state == literal(MessageState.QUEUED.value),
    sa.or_(t.message.c.hold_why.is_(None), t.message.c.hold_why == _PAUSED),
)
_HELD: Final = sa.select(t.enrollment.c.hold_facts).where(
    t.enrollment.c.state == literal(EnrollmentState.ACTIVE.value), t.enrollment.c.hold_why == literal(_PAUSED)
)
_ENGINE: Final = sa.select(t.engine_state.c.paused_why, t.engine_state.c.paused_by, t.engine_state.c.paused_at)
_CHANNELS: Final = sa.select(t.channel_state).order_by(t.channel_state.c.channel)


def replies(connection: Connection, steps: Steps, location_id: LocationId | None) -> Sequence[ReplyLine]:
    """Everyone with staff, newest reply first, with what they last wrote or said."""
    found = sa.select(t.person.c.id).where(_WITH_STAFF, *_there(location_id))
    ids = ids_in_order(connection, found.order_by(t.person.c.with_staff_since.desc(), t.person.c.id.desc()))
    said = last_said(connection, [PersonId(each) for each in ids])
    lines = people(connection, steps, [PersonId(each) for each in ids])
    return [ReplyLine(line, said.get(line.id)) for line in lines]


def last_said(connection: Connection, ids: Collection[PersonId]) -> Mapping[PersonId, InboxEventLine]:
    """What each of these last wrote or said."""
    i = t.inbox_event.c
    newest = sa.select(sa.func.max(i.id)).where(among(i.person_id, "ids"), i.kind.in_(_SAID)).group_by(i.person_id)
    found = [row[0] for row in connection.execute(newest, {"ids": list(ids)})]
    return {line.person_id: line for line in inbox(connection, found) if line.person_id is not None}


def inbox(connection: Connection, ids: Collection[InboxEventId]) -> Sequence[InboxEventLine]:
    """Inbox events by id, newest first."""
    return inbox_events(connection, t.inbox_event.c.id.in_(sorted(ids))) if ids else []


def channels(connection: Connection) -> Sequence[ChannelLine]:
    """The channels that are paused, and how much waits for each."""
    paused = [row for row in connection.execute(_CHANNELS) if row.paused_why is not None]
    if not paused:
        return []
    waits = Counter({row.channel: row.how_many for row in connection.execute(_WAITS.group_by(t.message.c.channel))})
    waits.update((row.hold_facts or {}).get("channel", "") for row in connection.execute(_HELD))
    return [_channel(row, waits[row.channel]) for row in paused]


def going_out(connection: Connection, steps: Steps, location_id: LocationId | None, most: int) -> Sequence[QueueLine]:
    """The soonest follow-ups that nothing holds and that stand at a message, at most `most`."""
    joined = WITH_MESSAGE.join(t.person, t.person.c.id == t.enrollment.c.person_id)
    unheld = (IS_LIVE, sa.not_(IS_HELD), sa.not_(_WITH_STAFF), instant.is_not(None))
    taken = sa.or_(waiting.c.state.is_(None), waiting.c.state != MessageState.SENDING.value)
    found = sa.select(t.enrollment.c.id).select_from(joined).where(*unheld, taken, *_there(location_id))
    ids = ids_in_order(connection, found.order_by(instant, t.enrollment.c.id).limit(_LOOKED_THROUGH))
    lines = queue(connection, steps, [EnrollmentId(each) for each in ids])
    return [line for line in lines if line.step.kind in tuple(Channel)][:most]


def today_counts(connection: Connection, location_id: LocationId | None, calls: int) -> TodayCounts:
    """How many things need somebody, `calls` among them. A problem without a person belongs to every location."""
    there = _there(location_id)
    with_staff = sa.select(sa.func.count()).select_from(t.person).where(_WITH_STAFF, *there)
    overdue = (
        sa.select(sa.func.count())
        .select_from(WITH_MESSAGE.join(t.person, t.person.c.id == t.enrollment.c.person_id))
        .where(t.enrollment.c.state == literal(EnrollmentState.ACTIVE.value), _held_as(Why.OVERDUE), *there)
    )
    problems = (
        sa.select(t.problem.c.why, t.problem.c.facts)
        .select_from(t.problem.outerjoin(t.person, t.person.c.id == t.problem.c.person_id))
        .where(_OPEN, sa.or_(t.problem.c.person_id.is_(None), sa.and_(True, *there)))
    )
    paused = {line.channel.value for line in channels(connection)}
    return TodayCounts(
        replies=connection.execute(with_staff).scalar_one(),
        calls=calls,
        overdue=connection.execute(overdue).scalar_one(),
        problems=len(paused)
        + sum(
            1 for row in connection.execute(problems) if row.why != _PAUSED or row.facts.get("channel") not in paused
        ),
    )


def pulse(connection: Connection) -> Pulse:
    """Four numbers by index, the engine's row and the channels': cheap enough to be asked every second."""
    newest = sa.select(
        sa.select(sa.func.max(t.log_entry.c.id)).scalar_subquery(),
        sa.select(sa.func.max(t.problem.c.id)).scalar_subquery(),
        sa.select(sa.func.count()).select_from(t.problem).where(_OPEN).scalar_subquery(),
        sa.select(sa.func.max(t.inbox_event.c.id)).scalar_subquery(),
    )
    rows = tuple(number or 0 for number in connection.execute(newest).one())
    engine = [_told(value) for row in connection.execute(_ENGINE) for value in row]
    state = [_told(value) for row in connection.execute(_CHANNELS) for value in (row.paused_why, row.try_at)]
    return Pulse(rows, (*engine, *state))


def _held_as(why: Why) -> ColumnElement[bool]:
    """The follow-up, or the message that it waits for, is held for this."""
    in_the_outbox = waiting.c.state.in_([MessageState.QUEUED.value, MessageState.LEASED.value])
    of_message = sa.and_(in_the_outbox, waiting.c.hold_why == why.value)
    return sa.or_(t.enrollment.c.hold_why == why.value, of_message)


def _there(location_id: LocationId | None) -> list[ColumnElement[bool]]:
    return [t.person.c.erased_at.is_(None), *([t.person.c.location_id == location_id] if location_id else [])]


def _channel(row: Any, how_many: int) -> ChannelLine:
    return ChannelLine(
        Channel(row.channel), Why(row.paused_why), row.paused_at, row.provider, row.try_at, waiting=how_many
    )


def _told(value: datetime | str | None) -> str:
    return value.isoformat() if isinstance(value, datetime) else value or ""
