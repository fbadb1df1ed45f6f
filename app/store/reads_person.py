"""Everything about one person, for their page. The last stop: reads_stop.py; the timeline: reads_timeline.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam
from sqlalchemy.engine import Row

from app.domain.events import FACT_OF, EventKind
from app.domain.ids import EnrollmentId, JourneyId, PersonId, StepId
from app.domain.journey import Ends
from app.domain.lines import InboxEventLine
from app.domain.outcome import strongest
from app.domain.person_lines import ConsentLine, EnrollmentLine, PersonPage, RecordLine, SuppressionLine
from app.domain.reasons import Why
from app.domain.states import LIVE, Channel, End, EnrollmentState, Purpose
from app.store import tables as t
from app.store.columns import among
from app.store.door import Door, known_why
from app.store.memory import Memory
from app.store.reads_follow_ups import follow_ups, hold_of
from app.store.reads_people import people
from app.store.reads_queue import queue_of
from app.store.reads_sent import inbox_events
from app.store.reads_steps import Steps, goal_word, proven_days, proven_most, steps_through
from app.store.reads_stop import stop_facts
from app.store.reads_timeline import timeline
from app.store.suppressions import Suppressions

_PERSON: Final = sa.select(t.person).where(t.person.c.id == bindparam("person"))
_TAGS: Final = (
    sa.select(t.person_tag.c.tag).where(t.person_tag.c.person_id == bindparam("person")).order_by(t.person_tag.c.tag)
)
_FOLLOW_UPS: Final = follow_ups(
    *(t.enrollment.c[name] for name in ("entered_at", "entered_by", "reason")),
    *(t.journey_version.c[name] for name in ("proof", "max_days")),
).where(t.enrollment.c.person_id == bindparam("person"))
_SENT: Final = (
    sa.select(t.message.c.enrollment_id, t.message.c.channel, sa.func.count().label("how_many"))
    .where(
        t.message.c.person_id == bindparam("person"),
        t.message.c.enrollment_id.is_not(None),
        t.message.c.accepted_at.is_not(None),
    )
    .group_by(t.message.c.enrollment_id, t.message.c.channel)
)
_CONSENTS: Final = (
    sa.select(t.consent)
    .where(t.consent.c.person_id == bindparam("person"))
    .order_by(t.consent.c.at.desc(), t.consent.c.id.desc())
)
_RECORDS: Final = (
    sa.select(t.record)
    .where(t.record.c.person_id == bindparam("person"))
    .order_by(sa.func.coalesce(t.record.c.starts_at, t.record.c.created_at).desc(), t.record.c.id.desc())
)
_ENTRIES: Final = (
    sa.select(t.suppression)
    .where(
        sa.or_(t.suppression.c.person_id == bindparam("person"), among(t.suppression.c.address_key, "keys")),
        t.suppression.c.lifted_at.is_(None),
    )
    .order_by(t.suppression.c.created_at.desc(), t.suppression.c.id.desc())
)
_NEVER: Final = datetime.max.replace(tzinfo=UTC)


class PersonReads(Door):
    """Reads one person's page."""

    def __init__(self, connection: sa.engine.Connection, memory: Memory, steps: Steps) -> None:
        super().__init__(connection, memory)
        self._steps = steps

    def page(self, person_id: PersonId) -> PersonPage | None:
        """The page, of an erased person too; None when there is none."""
        lines = people(self._connection, self._steps, [person_id])
        if not lines:
            return None
        row = self._rows(_PERSON, person=person_id)[0]
        events = inbox_events(self._connection, t.inbox_event.c.person_id == person_id)
        enrollments = self._enrollments(person_id)
        return PersonPage(
            line=lines[0],
            first_name=row.first_name,
            last_name=row.last_name,
            phone_ext=row.phone_ext,
            alt_phone=row.alt_phone,
            status=row.status,
            source=row.source,
            tags=tuple(each.tag for each in self._rows(_TAGS, person=person_id)),
            custom=row.custom,
            created_at=row.created_at,
            erased_at=row.erased_at,
            outcome=_outcome(enrollments, events),
            enrollments=enrollments,
            next=queue_of(self._connection, self._steps, person_id),
            stop=stop_facts(self._connection, events),
            suppressions=self._suppressions(row),
            consents=tuple(_consent(each) for each in self._rows(_CONSENTS, person=person_id)),
            records=tuple(_record(each) for each in self._rows(_RECORDS, person=person_id)),
            timeline=timeline(self._connection, row, events),
        )

    def _enrollments(self, person_id: PersonId) -> tuple[EnrollmentLine, ...]:
        """Live ones first, soonest first; then the ended, newest end first."""
        sent: dict[int, dict[Channel, int]] = {}
        for each in self._rows(_SENT, person=person_id):
            sent.setdefault(each.enrollment_id, {})[Channel(each.channel)] = each.how_many
        rows = sorted(self._rows(_FOLLOW_UPS, person=person_id), key=_place)
        return tuple(self._enrollment(row, sent.get(row.id, {})) for row in rows)

    def _enrollment(self, row: Row[Any], sent: Mapping[Channel, int]) -> EnrollmentLine:
        journey = self._steps.journey(row.journey_version_id)
        step = self._steps.line(row.journey_version_id, row.step)
        way = steps_through(journey, StepId(step.id))
        state = EnrollmentState(row.state)
        return EnrollmentLine(
            id=EnrollmentId(row.id),
            journey_id=JourneyId(row.journey_id),
            journey=row.journey,
            version=row.version,
            purpose=Purpose(journey.purpose),
            state=state,
            end_detail=known_why(row.end_detail),
            ended_by=row.ended_by,
            entered_at=row.entered_at,
            entered_by=row.entered_by,
            reason=row.reason,
            step=step,
            steps=way,
            done=next((place for place, each in enumerate(way) if each.id == step.id), 0),
            wake_at=row.wake_at,
            hold=hold_of(row),
            paused_until=row.paused_until if state in LIVE else None,
            ended_at=row.ended_at,
            sent={channel: sent.get(channel, 0) for channel in Channel},
            most=proven_most(row.proof),
            days=proven_days(row.proof or {}, row.max_days),
            goal_word=goal_word(journey.ends.converted),
            ends_early=_ends_early(journey.ends),
        )

    def _suppressions(self, person: Row[Any]) -> tuple[SuppressionLine, ...]:
        """Entries of the addresses that they have, and those written for them under another one."""
        asked = Suppressions(self._connection, self._memory)
        phones = [phone for phone in (person.phone, person.alt_phone) if phone]
        known: dict[tuple[str, str], str] = {}
        for channel in Channel:
            addresses = phones if channel is not Channel.EMAIL else [person.email] if person.email else []
            if addresses:
                keys = asked.keys(channel, addresses)
                known |= {(channel.value, key): address for key, address in keys.items()}
        rows = self._rows(_ENTRIES, person=person.id, keys=sorted({key for _, key in known}))
        return tuple(
            SuppressionLine(
                channel=Channel(row.channel),
                address=known.get((row.channel, row.address_key), "" if row.hashed else row.address_key),
                why=Why(row.why),
                at=row.created_at,
            )
            for row in rows
            if row.person_id == person.id or (row.channel, row.address_key) in known
        )


def _ends_early(ends: Ends) -> tuple[End, ...]:
    """The ends that the journey's author chose, beside those that are in every journey."""
    chosen = ((End.REPLIED, ends.replied), (End.CONVERTED, ends.converted), (End.CLOSED, ends.closed))
    return tuple(end for end, asked in chosen if asked)


def _outcome(enrollments: Sequence[EnrollmentLine], events: Sequence[InboxEventLine]) -> End | None:
    """The strongest fact, whichever came first (DESIGN section 6)."""
    facts = [End(line.state.value) for line in enrollments if line.ended_at is not None]
    facts += [FACT_OF[kind] for line in events if (kind := EventKind(line.kind)) in FACT_OF]
    return strongest(facts)


def _place(row: Row[Any]) -> tuple[bool, float, int]:
    if row.ended_at is None:
        return (False, (row.at or _NEVER).timestamp(), row.id)
    return (True, -row.ended_at.timestamp(), -row.id)


def _consent(row: Row[Any]) -> ConsentLine:
    return ConsentLine(
        channel=Channel(row.channel),
        purpose=Purpose(row.purpose),
        act=row.act,
        at=row.at,
        how=row.how,
        wording=row.wording,
        evidence=row.evidence,
        recorded_by=row.recorded_by,
    )


def _record(row: Row[Any]) -> RecordLine:
    return RecordLine(
        kind=row.kind,
        label=row.label,
        status=row.status,
        external_id=row.external_id or "",
        starts_at=row.starts_at,
        due_on=row.due_on,
        amount=None if row.amount is None else str(row.amount),
    )
