"""The queue: every live follow-up, who is due when, what holds them back, and the bars of the coming hours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, cast

import sqlalchemy as sa
from sqlalchemy import ColumnElement
from sqlalchemy.engine import Connection, Row

from app.domain.hours import Hours, zone_named
from app.domain.ids import EnrollmentId, LocationId, MessageId, PersonId
from app.domain.lines import HourBar, QueueCounts, QueueFilter, QueueLine, QueueQuery
from app.domain.states import Channel, Contact, EnrollmentState, MessageState
from app.store import tables as t
from app.store.columns import UtcDateTime, among
from app.store.door import known_why
from app.store.person_search import found_by, search_words
from app.store.reads_follow_ups import (
    HAS_TIME,
    IS_HELD,
    IS_LIVE,
    WITH_MESSAGE,
    follow_ups,
    hold_of,
    ids_in_order,
    instant,
)
from app.store.reads_people import person_name
from app.store.reads_steps import Steps, goal_word, steps_of_channel

_HOUR: Final = timedelta(hours=1)
_WITH_STAFF: Final = t.person.c.contact == Contact.WITH_STAFF.value


def queue_ids(connection: Connection, steps: Steps, query: QueueQuery, now: datetime) -> Sequence[EnrollmentId]:
    """Live follow-ups that `query` finds, soonest first; those that nothing but a person moves on stand last."""
    asked = [*_asked(connection, steps, query), *_only(query.only, now)]
    found = _from_people(sa.select(t.enrollment.c.id), asked).order_by(instant.is_(None), instant, t.enrollment.c.id)
    return cast(list[EnrollmentId], ids_in_order(connection, found))


def queue(
    connection: Connection, steps: Steps, ids: Sequence[EnrollmentId], *, ended: bool = False
) -> Sequence[QueueLine]:
    """Lines for `ids`, in that order; those that have ended since are left out, unless `ended`."""
    found = _lines().where(among(t.enrollment.c.id, "ids"))
    if not ended:
        found = found.where(IS_LIVE)
    lines = {row.id: _line(steps, row) for row in connection.execute(found, {"ids": ids})}
    return [lines[i] for i in ids if i in lines]


def queue_before(
    connection: Connection, steps: Steps, query: QueueQuery, now: datetime, instants: Sequence[datetime]
) -> Sequence[int]:
    """How many rows that `query` finds come before each of `instants`, in the order of `queue_ids`."""
    asked = [*_asked(connection, steps, query), *_only(query.only, now)]
    found = _from_people(sa.select(*(_count(instant < _at(each)) for each in instants)), asked)
    return [count or 0 for count in connection.execute(found).one()]


def queue_of(connection: Connection, steps: Steps, person_id: PersonId) -> tuple[QueueLine, ...]:
    """One person's live follow-ups, soonest first."""
    found = _lines().where(t.enrollment.c.person_id == person_id, IS_LIVE)
    ordered = found.order_by(instant.is_(None), instant, t.enrollment.c.id)
    return tuple(_line(steps, row) for row in connection.execute(ordered))


def queue_counts(connection: Connection, steps: Steps, query: QueueQuery, now: datetime) -> QueueCounts:
    """How many each chip would show under the same search, location, journey and channel."""
    chips = (QueueFilter.DUE_NOW, QueueFilter.HELD, QueueFilter.WAITING, QueueFilter.WITH_STAFF)
    counts = [_count(*_only(chip, now)) for chip in chips]
    found = _from_people(sa.select(sa.func.count(), *counts), _asked(connection, steps, query))
    everything, due_now, held, waiting, with_staff = connection.execute(found).one()
    return QueueCounts(everything, due_now or 0, held or 0, waiting or 0, with_staff or 0)


def queue_hours(
    connection: Connection,
    steps: Steps,
    query: QueueQuery,
    open_at: Mapping[LocationId, Hours],
    now: datetime,
    hours: int,
) -> Sequence[HourBar]:
    """One bar an hour, the first the hour that `now` is in: what is due already counts there.

    Hours are full ones on the first location's clock. A hold that no time lifts is in none. open_at: every location's.
    """
    here = [each for place, each in open_at.items() if query.location_id in (None, place)]
    first = _full_hour(now, here[0].zone if here else "UTC")
    starts = [first + n * _HOUR for n in range(hours)]
    # nothing is before the first hour: what is overdue goes out in it
    counts = [
        _count(instant < _at(start + _HOUR), *([instant >= _at(start)] if start > first else [])) for start in starts
    ]
    asked = [*_asked(connection, steps, query), *_only(query.only, now), HAS_TIME]
    row = connection.execute(_from_people(sa.select(*counts), asked)).one()
    return [
        HourBar(start, count or 0, bool(here) and all(_closed_throughout(each, start) for each in here))
        for start, count in zip(starts, row, strict=True)
    ]


def _asked(connection: Connection, steps: Steps, query: QueueQuery) -> list[ColumnElement[bool]]:
    conditions = found_by(search_words(query.search), t.person.c.search_text)
    if query.location_id is not None:
        conditions.append(t.person.c.location_id == query.location_id)
    if query.journey_id is not None:
        conditions.append(t.enrollment.c.journey_id == query.journey_id)
    if query.channel is not None:
        conditions.append(_at_channel(connection, steps, query.channel))
    return conditions


def _at_channel(connection: Connection, steps: Steps, channel: Channel) -> ColumnElement[bool]:
    """The follow-up stands at a step that makes a message for `channel`."""
    inside = sa.select(t.enrollment.c.journey_version_id).where(IS_LIVE).distinct()
    stands = [
        sa.and_(
            t.enrollment.c.journey_version_id == version_id,
            t.enrollment.c.step.in_(sorted(steps_of_channel(steps.journey(version_id), channel))),
        )
        for version_id in connection.execute(inside).scalars()
    ]
    return sa.or_(sa.false(), *stands)


def _only(only: QueueFilter, now: datetime) -> list[ColumnElement[bool]]:
    match only:
        case QueueFilter.EVERYTHING:
            return []
        case QueueFilter.DUE_NOW:
            return [sa.not_(IS_HELD), instant <= _at(now)]
        case QueueFilter.HELD:
            return [IS_HELD]
        case QueueFilter.WAITING:
            return [sa.not_(IS_HELD), instant > _at(now)]
        case QueueFilter.WITH_STAFF:
            return [_WITH_STAFF]


def _from_people(found: Any, asked: Sequence[ColumnElement[bool]]) -> Any:
    joined = WITH_MESSAGE.join(t.person, t.person.c.id == t.enrollment.c.person_id)
    return found.select_from(joined).where(IS_LIVE, *asked)


def _lines() -> sa.Select[Any]:
    found = follow_ups(
        *(t.person.c[name] for name in ("first_name", "last_name", "phone", "email", "contact")),
        t.location.c.name.label("location"),
        t.location.c.zone,
    )
    return found.join(t.person, t.person.c.id == t.enrollment.c.person_id).join(
        t.location, t.location.c.id == t.person.c.location_id
    )


def _line(steps: Steps, row: Row[Any]) -> QueueLine:
    return QueueLine(
        enrollment_id=EnrollmentId(row.id),
        person_id=PersonId(row.person_id),
        name=person_name(row.first_name, row.last_name),
        phone=row.phone,
        email=row.email,
        location=row.location,
        zone=row.zone,
        journey=row.journey,
        version=row.version,
        state=EnrollmentState(row.state),
        contact=Contact(row.contact),
        step=steps.line(row.journey_version_id, row.step),
        wake_at=row.wake_at,
        at=row.at,
        hold=hold_of(row),
        message_id=None if row.message_id is None else MessageId(row.message_id),
        message_state=None if row.message_state is None else MessageState(row.message_state),
        ended_at=row.ended_at,
        end_detail=known_why(row.end_detail),
        ended_by=row.ended_by,
        goal_word=_goal_word(steps, row),
    )


def _goal_word(steps: Steps, row: Row[Any]) -> str:
    if row.state != EnrollmentState.CONVERTED.value:
        return ""
    return goal_word(steps.journey(row.journey_version_id).ends.converted)


def _count(*conditions: ColumnElement[bool]) -> ColumnElement[int]:
    return sa.func.sum(sa.case((sa.and_(*conditions), 1), else_=0))


def _at(instant: datetime) -> ColumnElement[datetime]:
    return sa.literal(instant, UtcDateTime())


def _full_hour(now: datetime, zone: str) -> datetime:
    """The full hour on the clock of `zone` that `now` is in, UTC; clocks there may be off by half an hour."""
    ahead = now.astimezone(zone_named(zone)).utcoffset() or timedelta(0)
    local = now + ahead
    return local.replace(minute=0, second=0, microsecond=0) - ahead


def _closed_throughout(hours: Hours, start: datetime) -> bool:
    opens = hours.next_open(start)
    return opens is None or opens >= start + _HOUR
