"""Starting people in a journey: one by hand, or everyone whom a group's rule matches now.

What keeps anyone from being started twice is the database (I1, I2); here it is told in words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import uuid4

from app.domain.clock import Clock
from app.domain.condition import holds
from app.domain.condition_format import parse_condition
from app.domain.condition_tree import Condition
from app.domain.documents import RawDocument
from app.domain.errors import OperatorError
from app.domain.events import EventKind
from app.domain.facts import Facts, JourneyFact, RecordFact
from app.domain.ids import EnrollmentId, JourneyVersionId, PersonId
from app.domain.journey import EntryPer, Journey
from app.domain.journey_format import read_journey
from app.domain.lines import PeopleQuery
from app.domain.problem import nearest
from app.domain.states import Contact, End, JourneyState
from app.engine.office_ports import EnrollmentNew, JourneyRow, OfficeUow, OpenOfficeUow, OpenReader, Started
from app.engine.ports import LogLine

CHUNK = 500
ONCE = "once"
ENTERED_BEFORE = "entered_before"


@dataclass(frozen=True, slots=True)
class NotStarted:
    """Someone who was not started, and why, in words."""

    person_id: PersonId
    told: str


@dataclass(frozen=True, slots=True)
class Enrolled:
    """What came of it. started: (person, enrollment), one a record for a journey per record."""

    journey: str
    version: int
    started: tuple[tuple[PersonId, EnrollmentId], ...]
    refused: tuple[NotStarted, ...]


@dataclass(frozen=True, slots=True)
class _Entry:
    """The live version that people are started in, and how."""

    row: JourneyRow
    version_id: JourneyVersionId
    journey: Journey
    rule: Condition | None
    send_budget: int
    by: str
    reason: str

    @property
    def per(self) -> EntryPer:
        return self.journey.enter.per if self.journey.enter else EntryPer.PERSON


class Enrolling:
    """Starts people in live journeys."""

    def __init__(self, open_uow: OpenOfficeUow, open_reader: OpenReader, clock: Clock) -> None:
        self._open_uow = open_uow
        self._open_reader = open_reader
        self._clock = clock

    def enroll_person(self, journey: str, person_id: PersonId, *, by: str, reason: str = "") -> Enrolled:
        """Start one person by hand. reason: needed to start someone again, as a new enrollment (DESIGN section 4).

        A journey per record starts one enrollment for each record that its group's rule matches, or without a group for
        the newest record of its kind. Raises OperatorError when nothing could be started, with the reason.
        """
        now = self._clock.now()
        with self._open_uow() as uow:
            entry = _entry(uow, journey, None, by, reason)
            uow.people.lock([person_id], to_write=True)
            person = uow.people.read(person_id)
            facts = uow.office.facts_of([person_id], now).get(person_id)
            if person is None or facts is None:
                raise OperatorError(f"There is no person {person_id}.", "stopwell people lists them.")
            if person.contact is Contact.DO_NOT_CONTACT:
                raise OperatorError(f"{_called(person.name, person_id)} is not to be contacted.", _CONSENT_FIRST)
            enrolled = _start(uow, entry, {person_id: facts}, now, by_hand=True)
        if not enrolled.started:
            told = enrolled.refused[0].told
            raise OperatorError(f"{_called(person.name, person_id)} {told}")
        return enrolled

    def enroll_group(self, journey: str, group: str, *, by: str, reason: str = "") -> Enrolled:
        """Start everyone whom the group's rule matches now; those who may not be started are told of.

        Works through people in portions of 500, a transaction each, so that a Stop never waits for it. Broken off and
        run again it starts the rest: nobody enters twice for the same reason (I2). Raises OperatorError for an unknown
        journey or group.
        """
        now = self._clock.now()
        with self._open_uow() as uow:
            entry = _entry(uow, journey, group, by, reason)
        with self._open_reader() as reads:
            ids = reads.people_ids(PeopleQuery())
        total = Enrolled(entry.row.name, entry.row.live_number or 0, (), ())
        for at in range(0, len(ids), CHUNK):
            total = _together(total, self._portion(entry, ids[at : at + CHUNK], now))
        return total

    def _portion(self, entry: _Entry, ids: Sequence[PersonId], now: datetime) -> Enrolled:
        with self._open_uow() as uow:
            facts = uow.office.facts_of(ids, now)
            matched = {person_id: each for person_id, each in facts.items() if _matches(entry, each, now)}
            uow.people.lock(sorted(matched), to_write=True)
            closed = {i for i in matched if (person := uow.people.read(i)) and person.contact is Contact.DO_NOT_CONTACT}
            open_ones = {i: each for i, each in matched.items() if i not in closed}
            enrolled = _start(uow, entry, open_ones, now, by_hand=False)
        refused = tuple(NotStarted(i, "is not to be contacted.") for i in sorted(closed))
        return Enrolled(enrolled.journey, enrolled.version, enrolled.started, refused + enrolled.refused)


_CONSENT_FIRST = (
    "Record their consent first: stopwell consent give --person REF --channel sms --way paper --evidence TEXT --lift"
)


def _called(name: str, person_id: PersonId) -> str:
    return f"{name} (person {person_id})" if name else f"Person {person_id}"


def _entry(uow: OfficeUow, journey: str, group: str | None, by: str, reason: str) -> _Entry:
    row = uow.documents.journey(journey)
    if row is None:
        near = nearest(journey, (each.name for each in uow.documents.journeys()))
        raise OperatorError(f"There is no journey {journey}.", f"Did you mean {near}?" if near else "")
    if row.state is JourneyState.RETIRED:
        raise OperatorError(f"{row.name} is retired: it takes in nobody new.", "Publish it again to go on with it.")
    if row.live_version_id is None or row.live_document is None or row.live_send_budget is None:
        raise OperatorError(f"{row.name} is a draft.", f'Publish it first: stopwell publish "{row.name}"')
    live = read_journey(RawDocument(row.live_document))
    named = group or (live.enter.group if live.enter else None)
    rule = _rule(uow, named) if named else None
    return _Entry(row, row.live_version_id, live, rule, row.live_send_budget, by, reason)


def _rule(uow: OfficeUow, group: str) -> Condition:
    match = uow.documents.group_match(group)
    if match is None:
        near = nearest(group, uow.documents.groups())
        raise OperatorError(f"There is no group {group}.", f"Did you mean {near}?" if near else "")
    return parse_condition(match)


def _matches(entry: _Entry, facts: Facts, now: datetime) -> bool:
    if entry.per is EntryPer.PERSON:
        return entry.rule is None or holds(entry.rule, facts, now)
    return bool(_records(entry, facts, now))


def _records(entry: _Entry, facts: Facts, now: datetime) -> list[RecordFact]:
    """The records that an enrollment would stand for: of the journey's kind, and the rule is true about them."""
    kind = entry.per.record_kind
    mine = [record for record in facts.records if record.kind is kind and record.id is not None]
    mine.sort(key=lambda record: record.id or 0)
    if entry.rule is None:
        return mine[-1:]
    return [record for record in mine if holds(entry.rule, facts.about(record), now)]


def _start(
    uow: OfficeUow, entry: _Entry, people: Mapping[PersonId, Facts], now: datetime, *, by_hand: bool
) -> Enrolled:
    refused: list[NotStarted] = []
    rows: list[EnrollmentNew] = []
    for person_id, facts in people.items():
        told = _may_not(entry, facts)
        wanted = [] if told else _rows(entry, person_id, facts, now)
        if not wanted:
            refused.append(NotStarted(person_id, told or f"has no {entry.per.value} that this journey is about."))
        rows += wanted
    results = list(uow.office.start(rows)) if rows else []
    if by_hand and entry.reason:
        again = [replace(row, entry_key=f"again-{uuid4().hex}") for row in _entered_before(rows, results)]
        kept = [result for result in results if result.refused != ENTERED_BEFORE]
        results = kept + (list(uow.office.start(again)) if again else [])
    started = [(each.person_id, each.enrollment_id) for each in results if each.enrollment_id is not None]
    refused += [
        NotStarted(each.person_id, _told_refusal(entry, each, people[each.person_id], by_hand))
        for each in results
        if each.enrollment_id is None
    ]
    uow.log.add([_line(entry, person_id, enrollment_id, now) for person_id, enrollment_id in started])
    return Enrolled(entry.row.name, entry.row.live_number or 0, tuple(started), tuple(refused))


def _may_not(entry: _Entry, facts: Facts) -> str:
    """Why this person may not be started whatever the reason; "" when they may."""
    outs = [past.ended_at for past in _past(entry, facts) if past.end is End.OPTED_OUT]
    ins = [event.at for event in facts.events if event.kind is EventKind.OPTED_IN]
    if outs and (not ins or max(ins) < max(outs)):
        return f"opted out of this journey. {_CONSENT_FIRST}"
    return ""


def _past(entry: _Entry, facts: Facts) -> list[JourneyFact]:
    return [past for past in facts.journeys if past.name == entry.row.name]


def _rows(entry: _Entry, person_id: PersonId, facts: Facts, now: datetime) -> list[EnrollmentNew]:
    records = [None] if entry.per is EntryPer.PERSON else _records(entry, facts, now)
    return [
        EnrollmentNew(
            person_id=person_id,
            journey_id=entry.row.id,
            journey_version_id=entry.version_id,
            entry_key=_entry_key(entry, facts, now) if record is None else str(record.id),
            record_id=None if record is None else record.id,
            entered_at=now,
            entered_by=entry.by,
            reason=entry.reason,
            step=entry.journey.start,
            send_budget=entry.send_budget,
        )
        for record in records
    ]


def _entry_key(entry: _Entry, facts: Facts, now: datetime) -> str:
    """`once`; or, where the journey lets people back in after some days and those are over, one key for each return."""
    opens = _opens_again_at(entry, facts)
    if opens is None or now < opens:
        return ONCE
    return f"after-{max(past.ended_at for past in _past(entry, facts)).isoformat()}"


def _opens_again_at(entry: _Entry, facts: Facts) -> datetime | None:
    """From when the journey takes this person again by itself; None for never, or for someone who never was in it."""
    days = entry.journey.enter.again_after_days if entry.journey.enter else None
    past = _past(entry, facts)
    return max(each.ended_at for each in past) + timedelta(days=days) if days is not None and past else None


def _entered_before(rows: Sequence[EnrollmentNew], results: Sequence[Started]) -> list[EnrollmentNew]:
    return [row for row, result in zip(rows, results, strict=True) if result.refused == ENTERED_BEFORE]


def _told_refusal(entry: _Entry, started: Started, facts: Facts, by_hand: bool) -> str:
    if started.refused != ENTERED_BEFORE:
        return "is in this journey already."
    if by_hand:
        return "was in this journey before. To start them again, say why: --reason TEXT"
    opens = _opens_again_at(entry, facts)
    until = f"; it takes them again from {opens.date().isoformat()}" if opens is not None else ""
    return f"was in this journey before{until}."


def _line(entry: _Entry, person_id: PersonId, enrollment_id: EnrollmentId, now: datetime) -> LogLine:
    return LogLine(
        now,
        "follow_up.started",
        entry.by,
        person_id=person_id,
        enrollment_id=enrollment_id,
        journey_id=entry.row.id,
        facts={"version": entry.row.live_number},
    )


def _together(one: Enrolled, other: Enrolled) -> Enrolled:
    return replace(one, started=one.started + other.started, refused=one.refused + other.refused)
