"""All that a decision sees, for many enrollments or messages at once: one statement a table, frozen values out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam

from app.domain.errors import StoreError
from app.domain.facts import Facts
from app.domain.hours import parse_hours, zone_named
from app.domain.ids import (
    EnrollmentId,
    JourneyId,
    JourneyVersionId,
    LocationId,
    MessageId,
    PersonId,
    RecordId,
    StepId,
)
from app.domain.legal_hours_rules import RulesRead
from app.domain.record import RecordKind
from app.domain.snapshot import (
    ChannelSeen,
    EngineSeen,
    EnrollmentSeen,
    JourneySeen,
    Location,
    Mailing,
    MessageSeen,
    Person,
    Practice,
    Snapshot,
    TurnSeen,
)
from app.domain.states import Channel, JourneyState, MessageState
from app.store.columns import UtcDateTime, among
from app.store.consents import CONSENTS, standing_consents
from app.store.documents import PROVIDERS
from app.store.door import Door, literal
from app.store.engine_state import EngineDoor
from app.store.facts import FactDoor, Told, facts_about
from app.store.laps import laps_of
from app.store.memory import LocationKept, VersionKept
from app.store.record_choice import chosen, timed
from app.store.rows import (
    ENROLLMENT_COLUMNS,
    PERSON_COLUMNS,
    enrollment_seen,
    mailing_seen,
    message_seen,
    person_seen,
    practice_seen,
)
from app.store.suppressions import Suppressions
from app.store.tables import enrollment as e
from app.store.tables import journey as j
from app.store.tables import location as l
from app.store.tables import message as m
from app.store.tables import person as p
from app.store.tables import practice, setting
from app.store.variables import Variables, variables_of
from app.store.versions import Versions
from app.store.whose_turn import Turns

CAPS_LOOK_BACK: Final = timedelta(days=7)

_ENROLLMENTS: Final = (
    sa.select(
        *ENROLLMENT_COLUMNS,
        e.c.person_id,
        e.c.journey_version_id,
        j.c.id.label("journey_id"),
        j.c.name.label("journey_name"),
        j.c.state.label("journey_state"),
    )
    .join(j, j.c.id == e.c.journey_id)
    .where(among(e.c.id, "ids"))
)
_MESSAGES: Final = sa.select(
    *(m.c[name] for name in ("id", "version", "enrollment_id", "person_id", "step", "pass_no", "channel", "state")),
    *(m.c[name] for name in ("attempts", "due_at", "useful_until", "stop_requested_at", "possible_duplicate")),
    *(m.c[name] for name in ("try_at", "hold_why", "hold_facts")),
    m.c.template_version_id,
).where(among(m.c.id, "ids"))
_PEOPLE: Final = (
    sa.select(*PERSON_COLUMNS, l.c.version.label("location_version"))
    .join(l, l.c.id == p.c.location_id)
    .where(among(p.c.id, "ids"))
)
_LOCATIONS: Final = sa.select(
    *(l.c[name] for name in ("id", "version", "name", "zone", "hours", "closures", "phone", "email", "postal_address")),
    *(l.c[name] for name in ("website", "booking_url")),
).where(among(l.c.id, "ids"))
_SAID: Final = (
    sa.select(m.c.enrollment_id, m.c.step, m.c.pass_no, m.c.state)
    .where(among(m.c.enrollment_id, "ids"))
    .order_by(m.c.id)
)
_NOTED: Final = sa.select(m.c.id, m.c.person_id, m.c.channel, m.c.noted_at).where(
    among(m.c.person_id, "ids"),
    m.c.noted_at > bindparam("since", type_=UtcDateTime()),
    m.c.state.in_(
        [
            sa.literal_column(f"'{state.value}'", sa.Text())
            for state in (
                MessageState.SENDING,
                MessageState.ACCEPTED,
                MessageState.DELIVERED,
                MessageState.UNDELIVERED,
            )
        ]
    ),
)
_PRACTICE: Final = sa.select(
    practice, sa.select(setting.c.value).where(setting.c.key == literal(PROVIDERS)).scalar_subquery().label("providers")
)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """One snapshot to be made. message_id: the one in hand, None for an enrollment's."""

    person_id: PersonId
    enrollment_id: EnrollmentId | None
    message_id: MessageId | None
    message: MessageSeen | None


@dataclass(frozen=True, slots=True)
class _Read:
    """Everything that was read for one batch, by id."""

    engine: EngineSeen
    practice: Practice
    mailing: Mailing
    rules: RulesRead
    channels: Mapping[Channel, ChannelSeen]
    enrollments: Mapping[EnrollmentId, Any]
    versions: Mapping[JourneyVersionId, VersionKept]
    people: Mapping[PersonId, Any]
    locations: Mapping[tuple[LocationId, int], LocationKept]
    told: Mapping[PersonId, Told]
    laps: Mapping[EnrollmentId, Mapping[StepId, int]]
    said: Mapping[EnrollmentId, list[Any]]
    turns: Mapping[PersonId, tuple[TurnSeen, ...]]
    noted: Mapping[PersonId, list[Any]]
    consents: Mapping[PersonId, list[Any]]
    closed: Mapping[tuple[Channel, str], frozenset[PersonId | None]]


class SnapshotDoor(Door):
    """Implements ports.Snapshots."""

    def of_enrollments(self, ids: Collection[EnrollmentId], now: datetime) -> Mapping[EnrollmentId, Snapshot]:
        """One snapshot an enrollment, `message` None. Ids that are gone are left out."""
        if not ids:
            return {}
        rows = {EnrollmentId(row.id): row for row in self._rows(_ENROLLMENTS, ids=ids)}
        wanted = {key: _Wanted(PersonId(row.person_id), key, None, None) for key, row in rows.items()}
        return self._made(wanted, rows, now)

    def of_messages(self, ids: Collection[MessageId], now: datetime) -> Mapping[MessageId, Snapshot]:
        """One snapshot a message; `enrollment` and `journey` None when it was written by hand."""
        if not ids:
            return {}
        messages = {MessageId(row.id): row for row in self._rows(_MESSAGES, ids=ids)}
        pinned = {row.template_version_id for row in messages.values() if row.template_version_id is not None}
        words = Versions(self._connection, self._memory).templates(pinned)
        inside = {row.enrollment_id for row in messages.values() if row.enrollment_id is not None}
        rows = {EnrollmentId(row.id): row for row in self._rows(_ENROLLMENTS, ids=inside)} if inside else {}
        wanted = {
            key: _Wanted(
                PersonId(row.person_id),
                None if row.enrollment_id is None else EnrollmentId(row.enrollment_id),
                key,
                message_seen(row, words),
            )
            for key, row in messages.items()
        }
        return self._made(wanted, rows, now)

    def _made(
        self, wanted: Mapping[Any, _Wanted], enrollments: Mapping[EnrollmentId, Any], now: datetime
    ) -> dict[Any, Snapshot]:
        if not wanted:
            return {}
        read = self._read(wanted, enrollments, now)
        return {key: _snapshot(each, read, now) for key, each in wanted.items()}

    def _read(self, wanted: Mapping[Any, _Wanted], enrollments: Mapping[EnrollmentId, Any], now: datetime) -> _Read:
        person_ids = sorted({each.person_id for each in wanted.values()})
        people = {PersonId(row.id): row for row in self._rows(_PEOPLE, ids=person_ids)}
        of = {key: JourneyVersionId(row.journey_version_id) for key, row in enrollments.items()}
        versions = Versions(self._connection, self._memory).take(set(of.values()))
        engine = EngineDoor(self._connection, self._memory)
        row = self._practice()
        practice = practice_seen(row)
        return _Read(
            engine=engine.read(),
            practice=practice,
            mailing=mailing_seen(row),
            rules=self._memory.rules(),
            channels=engine.channels(),
            enrollments=enrollments,
            versions=versions,
            people=people,
            locations=self._locations({(row.location_id, row.location_version) for row in people.values()}),
            told=FactDoor(self._connection, self._memory).told(person_ids),
            laps=laps_of(self._connection, {key: versions[version].journey for key, version in of.items()}),
            said=_grouped(self._rows(_SAID, ids=list(enrollments)), "enrollment_id") if enrollments else {},
            turns=self._turns(practice, wanted.values()),
            noted=_grouped(self._rows(_NOTED, ids=person_ids, since=now - CAPS_LOOK_BACK), "person_id"),
            consents=_grouped(self._rows(CONSENTS, ids=person_ids), "person_id"),
            closed=Suppressions(self._connection, self._memory).owners(_addresses(people.values())),
        )

    def _turns(self, practice: Practice, wanted: Collection[_Wanted]) -> Mapping[PersonId, tuple[TurnSeen, ...]]:
        people = {each.person_id for each in wanted if each.enrollment_id is not None}
        return Turns(self._connection, self._memory).of(people) if practice.one_marketing and people else {}

    def practice(self) -> Practice:
        """The one practice. Raises StoreError when there is none yet."""
        return practice_seen(self._practice())

    def _practice(self) -> Any:
        found = self._rows(_PRACTICE)
        if not found:
            raise StoreError("There is no practice in this database yet.", "Make one with `stopwell init`.")
        return found[0]

    def _locations(self, keys: Collection[tuple[LocationId, int]]) -> Mapping[tuple[LocationId, int], LocationKept]:
        return self._memory.locations.take(keys, self._read_locations)

    def _read_locations(
        self, keys: Collection[tuple[LocationId, int]]
    ) -> Mapping[tuple[LocationId, int], LocationKept]:
        rows = self._rows(_LOCATIONS, ids=[location_id for location_id, _ in keys])
        return {
            (LocationId(row.id), row.version): LocationKept(
                name=row.name,
                hours=parse_hours(row.zone, row.hours, row.closures, may_never_open=True),
                phone=row.phone,
                email=row.email,
                postal_address=row.postal_address,
                website=row.website,
                booking_url=row.booking_url,
            )
            for row in rows
        }


def _snapshot(wanted: _Wanted, read: _Read, now: datetime) -> Snapshot:
    row = read.people[wanted.person_id]
    told = read.told[wanted.person_id]
    person = person_seen(row, told.tags)
    location = _location(row, read)
    entered = None if wanted.enrollment_id is None else read.enrollments[wanted.enrollment_id]
    enrollment = None if entered is None else enrollment_seen(entered, read.laps.get(EnrollmentId(entered.id)))
    started = None if enrollment is None else enrollment.record_id
    zone = zone_named(location.hours.zone)
    owners = _closed(person, read.closed)
    noted = sorted(
        (each.noted_at, each.channel) for each in read.noted.get(person.id, ()) if each.id != wanted.message_id
    )
    return Snapshot(
        now=now,
        engine=read.engine,
        practice=read.practice,
        location=location,
        person=person,
        facts=_facts(person, location, told, enrollment),
        journey=None if entered is None else _journey(entered, read),
        enrollment=enrollment,
        message=wanted.message,
        said=_said(wanted, read),
        turns=read.turns.get(person.id, ()),
        suppressed=frozenset(owners),
        shared_closed=frozenset(channel for channel, who in owners.items() if who.isdisjoint({person.id, None})),
        unread_stops=told.unread_stops,
        consents=standing_consents(read.consents.get(person.id, ()), person),
        sent_at=tuple(at for at, _ in noted),
        phone_sent_at=tuple(at for at, channel in noted if channel != Channel.EMAIL.value),
        channels=read.channels,
        record_at=_record_times(told, started, now, location),
        variables=Variables(
            lambda: variables_of(
                person,
                location,
                read.practice,
                {kind: chosen(told.records, kind, started, now, zone) for kind in RecordKind},
                told.names,
                now,
                hosted=read.mailing.hosted and wanted.message is not None and wanted.message.channel is Channel.EMAIL,
            )
        ),
        rules=read.rules,
        mailing=read.mailing,
    )


def _closed(
    person: Person, closed: Mapping[tuple[Channel, str], frozenset[PersonId | None]]
) -> Mapping[Channel, frozenset[PersonId | None]]:
    """The channels on which this person's address must not be contacted -> who closed it."""
    addresses = ((channel, person.address(channel)) for channel in Channel)
    return {
        channel: closed[channel, address] for channel, address in addresses if address and (channel, address) in closed
    }


def _location(row: Any, read: _Read) -> Location:
    kept = read.locations[row.location_id, row.location_version]
    return Location(
        id=LocationId(row.location_id),
        name=kept.name,
        hours=kept.hours,
        phone=kept.phone,
        email=kept.email,
        postal_address=read.practice.postal_address if kept.postal_address is None else kept.postal_address,
        website=read.practice.website if kept.website is None else kept.website,
        booking_url=kept.booking_url or "",
    )


def _journey(entered: Any, read: _Read) -> JourneySeen:
    version_id = JourneyVersionId(entered.journey_version_id)
    kept = read.versions[version_id]
    return JourneySeen(
        id=JourneyId(entered.journey_id),
        name=entered.journey_name,
        state=JourneyState(entered.journey_state),
        version_id=version_id,
        number=kept.number,
        journey=kept.journey,
        max_days=kept.max_days,
        templates=kept.templates,
    )


def _facts(person: Person, location: Location, told: Told, enrollment: EnrollmentSeen | None) -> Facts:
    """An enrollment that a record started is asked about that record alone, of its kind."""
    facts = facts_about(person, location.name, told)
    if enrollment is None:
        return facts
    facts = replace(facts, since_enrollment=enrollment.entered_at)
    own = next((record for record in told.records if record.id == enrollment.record_id), None)
    return facts if own is None else facts.about(own)


def _said(wanted: _Wanted, read: _Read) -> tuple[tuple[StepId, int, MessageState], ...]:
    if wanted.enrollment_id is None:
        return ()
    rows = read.said.get(wanted.enrollment_id, ())
    return tuple((StepId(row.step), row.pass_no, MessageState(row.state)) for row in rows)


def _record_times(told: Told, started: RecordId | None, now: datetime, location: Location) -> Mapping[str, datetime]:
    if not told.records:
        return {}
    zone = zone_named(location.hours.zone)
    times = ((kind, timed(told.records, kind, started, now, zone)) for kind in RecordKind)
    return {kind.value: at for kind, at in times if at is not None}


def _addresses(people: Collection[Any]) -> set[tuple[Channel, str]]:
    found: set[tuple[Channel, str]] = set()
    for row in people:
        if row.email:
            found.add((Channel.EMAIL, row.email))
        if row.phone:
            found |= {(Channel.SMS, row.phone), (Channel.CALL, row.phone)}
    return found


def _grouped(rows: Collection[Any], name: str) -> Mapping[Any, list[Any]]:
    found: defaultdict[Any, list[Any]] = defaultdict(list)
    for row in rows:
        found[getattr(row, name)].append(row)
    return found
