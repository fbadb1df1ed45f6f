"""The status bar, locations, problems, the log and the journeys, as lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam
from sqlalchemy.engine import Row

from app.domain.hours import Hours, parse_hours
from app.domain.ids import (
    AttemptId,
    EnrollmentId,
    InboxEventId,
    JourneyId,
    LocationId,
    MessageId,
    PersonId,
    ProblemId,
)
from app.domain.lines import EngineLine, JourneyLine, LocationLine, LoggedLine, ProblemLine
from app.domain.reasons import Why
from app.domain.source_line import SourceLine
from app.domain.states import Channel, End, JourneyState
from app.store import tables as t
from app.store.columns import UtcDateTime
from app.store.door import Door, known_why, literal
from app.store.engine_state import EngineDoor
from app.store.reads_follow_ups import IS_LIVE
from app.store.reads_people import person_name
from app.store.reads_steps import proven_days, proven_most

_NOW: Final = bindparam("now", type_=UtcDateTime())
_PRACTICE: Final = sa.select(t.practice.c.name, t.practice.c.mode)
_WAITING: Final = sa.select(sa.func.count(t.enrollment.c.id)).where(IS_LIVE)
_DUE: Final = sa.select(sa.func.count(t.enrollment.c.id)).where(
    t.enrollment.c.state == literal("active"), t.enrollment.c.wake_at <= _NOW
)
_DUE_MESSAGES: Final = sa.select(sa.func.count(t.message.c.id)).where(
    t.message.c.state == literal("queued"), t.message.c.try_at <= _NOW
)
_OPEN_PROBLEMS: Final = sa.select(sa.func.count(t.problem.c.id)).where(t.problem.c.solved_at.is_(None))
_SOURCES: Final = sa.select(t.source_mark).order_by(t.source_mark.c.source)
_LOCATIONS: Final = sa.select(t.location).where(sa.not_(t.location.c.archived)).order_by(t.location.c.name)
_PROBLEMS: Final = (
    sa.select(
        t.problem,
        t.person.c.first_name,
        t.person.c.last_name,
        t.location.c.name.label("location"),
        t.location.c.zone,
    )
    .outerjoin(t.person, t.person.c.id == t.problem.c.person_id)
    .outerjoin(t.location, t.location.c.id == t.person.c.location_id)
    .where(t.problem.c.solved_at.is_(None))
    .order_by(t.problem.c.at.desc(), t.problem.c.id.desc())
)
_JOURNEYS: Final = (
    sa.select(t.journey, t.journey_version.c.number, t.journey_version.c.proof, t.journey_version.c.max_days)
    .outerjoin(t.journey_version, t.journey_version.c.id == t.journey.c.live_version_id)
    .order_by(t.journey.c.name)
)
_BY_STATE: Final = sa.select(
    t.enrollment.c.journey_id, t.enrollment.c.state, sa.func.count().label("how_many")
).group_by(t.enrollment.c.journey_id, t.enrollment.c.state)
_ENDS: Final = frozenset(end.value for end in End)


class EngineReads(Door):
    """Reads what is about the whole practice."""

    def engine(self, now: datetime) -> EngineLine:
        """The status bar. waiting: live follow-ups; due: those and the messages whose time has come."""
        state = EngineDoor(self._connection, self._memory)
        seen, channels = state.read(), state.channels()
        practice = self._connection.execute(_PRACTICE).one_or_none()
        places = self._rows(_LOCATIONS)
        due = self._rows(_DUE, now=now)[0][0] + self._rows(_DUE_MESSAGES, now=now)[0][0]
        return EngineLine(
            practice=practice.name if practice else "",
            practice_mode=practice is None or practice.mode == "practice",
            paused_why=seen.paused_why,
            paused_by=seen.paused_by,
            paused_at=seen.paused_at,
            waiting=self._rows(_WAITING)[0][0],
            due=due,
            channels={channel: channels[channel].paused_why for channel in Channel if channel in channels},
            zone=min(places, key=lambda row: row.id).zone if places else "UTC",
            problems=self._rows(_OPEN_PROBLEMS)[0][0],
        )

    def locations(self, now: datetime) -> Sequence[LocationLine]:
        """Every location in use, by name. next_open: from `now` on, which it is while open; None for not in a year."""
        lines = []
        for row in self._rows(_LOCATIONS):
            hours = _hours(row)
            opens = hours.next_open(now)
            lines.append(LocationLine(LocationId(row.id), row.name, row.zone, hours.is_open(now), opens))
        return lines

    def sources(self) -> Sequence[SourceLine]:
        """Where what comes in is read, by name."""
        return [
            SourceLine(
                name=row.source,
                tried_at=row.tried_at,
                read_at=row.worked_at,
                fault=known_why(row.fault_why),
                code=row.fault_code,
                failing_since=row.failing_since,
            )
            for row in self._rows(_SOURCES)
        ]

    def hours(self) -> Mapping[LocationId, Hours]:
        """The hours of every location in use, the first one made first."""
        rows = sorted(self._rows(_LOCATIONS), key=lambda row: row.id)
        return {LocationId(row.id): _hours(row) for row in rows}

    def problems(self) -> Sequence[ProblemLine]:
        """What is open on the problem list, newest first."""
        return [_problem(row) for row in self._rows(_PROBLEMS)]

    def log(self, person_id: PersonId | None, limit: int) -> Sequence[LoggedLine]:
        """The newest `limit` lines, newest first, about one person or (None) about everything."""
        found = sa.select(t.log_entry).order_by(t.log_entry.c.id.desc()).limit(limit)
        if person_id is not None:
            found = found.where(t.log_entry.c.person_id == person_id)
        return [_logged(row) for row in self._rows(found)]

    def journeys(self) -> Sequence[JourneyLine]:
        """Every journey, by name."""
        counts: dict[int, dict[str, int]] = {}
        for row in self._rows(_BY_STATE):
            counts.setdefault(row.journey_id, {})[row.state] = row.how_many
        return [_journey(row, counts.get(row.id, {})) for row in self._rows(_JOURNEYS)]


def _hours(row: Row[Any]) -> Hours:
    return parse_hours(row.zone, row.hours, row.closures, may_never_open=True)


def _problem(row: Row[Any]) -> ProblemLine:
    return ProblemLine(
        id=ProblemId(row.id),
        at=row.at,
        why=Why(row.why),
        facts=row.facts,
        person_id=None if row.person_id is None else PersonId(row.person_id),
        name=None if row.person_id is None else person_name(row.first_name, row.last_name),
        enrollment_id=None if row.enrollment_id is None else EnrollmentId(row.enrollment_id),
        message_id=None if row.message_id is None else MessageId(row.message_id),
        inbox_event_id=None if row.inbox_event_id is None else InboxEventId(row.inbox_event_id),
        location=row.location,
        zone=row.zone,
    )


def _logged(row: Row[Any]) -> LoggedLine:
    return LoggedLine(
        id=row.id,
        at=row.at,
        event=row.event,
        actor=row.actor,
        person_id=None if row.person_id is None else PersonId(row.person_id),
        enrollment_id=None if row.enrollment_id is None else EnrollmentId(row.enrollment_id),
        message_id=None if row.message_id is None else MessageId(row.message_id),
        attempt_id=None if row.attempt_id is None else AttemptId(row.attempt_id),
        inbox_event_id=None if row.inbox_event_id is None else InboxEventId(row.inbox_event_id),
        journey_id=None if row.journey_id is None else JourneyId(row.journey_id),
        facts=row.facts,
    )


def _journey(row: Row[Any], counts: Mapping[str, int]) -> JourneyLine:
    most = proven_most(row.proof or {})
    return JourneyLine(
        id=JourneyId(row.id),
        name=row.name,
        state=JourneyState(row.state),
        version=row.number,
        has_draft=row.draft_document is not None,
        inside=sum(count for state, count in counts.items() if state not in _ENDS),
        ended={End(state): count for state, count in counts.items() if state in _ENDS},
        emails=most[Channel.EMAIL],
        texts=most[Channel.SMS],
        calls=most[Channel.CALL],
        days=proven_days(row.proof or {}, row.max_days),
    )
