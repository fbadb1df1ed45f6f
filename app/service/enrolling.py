"""Starting people in a journey: one by hand, or everyone whom a group's rule matches now.

How they enter, and what keeps anyone from being started twice: engine/entering.py. Here it is told in words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from app.domain.clock import Clock
from app.domain.condition import holds
from app.domain.condition_format import parse_condition
from app.domain.condition_tree import Condition
from app.domain.documents import RawDocument
from app.domain.entering import NotLetIn, records_for
from app.domain.errors import OperatorError
from app.domain.facts import Facts
from app.domain.ids import EnrollmentId, PersonId
from app.domain.journey import EntryPer
from app.domain.journey_format import read_journey
from app.domain.lines import PeopleQuery
from app.domain.problem import nearest
from app.domain.states import Contact, JourneyState
from app.engine.entering import Entered, Entrant, Entry, KeptOut, enter
from app.engine.office_ports import OfficeUow, OpenOfficeUow, OpenReader

CHUNK = 500


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
            people = {person_id: _entrant(entry, facts, now)}
            entered = enter(uow, entry, people, now, anew=bool(entry.reason))
        enrolled = _told(entry, entered, by_hand=True)
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
        total = Enrolled(entry.name, entry.number, (), ())
        for at in range(0, len(ids), CHUNK):
            total = _together(total, self._portion(entry, ids[at : at + CHUNK], now))
        return total

    def _portion(self, entry: Entry, ids: Sequence[PersonId], now: datetime) -> Enrolled:
        with self._open_uow() as uow:
            facts = uow.office.facts_of(ids, now)
            matched = {person_id: each for person_id, each in facts.items() if _matches(entry, each, now)}
            uow.people.lock(sorted(matched), to_write=True)
            closed = {i for i in matched if (person := uow.people.read(i)) and person.contact is Contact.DO_NOT_CONTACT}
            open_ones = {i: _entrant(entry, each, now) for i, each in matched.items() if i not in closed}
            enrolled = _told(entry, enter(uow, entry, open_ones, now), by_hand=False)
        refused = tuple(NotStarted(i, "is not to be contacted.") for i in sorted(closed))
        return Enrolled(enrolled.journey, enrolled.version, enrolled.started, refused + enrolled.refused)


_CONSENT_FIRST = (
    "Record their consent first: stopwell consent give --person REF --channel sms --way paper --evidence TEXT --lift"
)


def _called(name: str, person_id: PersonId) -> str:
    return f"{name} (person {person_id})" if name else f"Person {person_id}"


def _entry(uow: OfficeUow, journey: str, group: str | None, by: str, reason: str) -> Entry:
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
    return Entry(
        journey_id=row.id,
        name=row.name,
        version_id=row.live_version_id,
        number=row.live_number or 0,
        journey=live,
        send_budget=row.live_send_budget,
        by=by,
        reason=reason,
        rule=rule,
    )


def _rule(uow: OfficeUow, group: str) -> Condition:
    match = uow.documents.group_match(group)
    if match is None:
        near = nearest(group, uow.documents.groups())
        raise OperatorError(f"There is no group {group}.", f"Did you mean {near}?" if near else "")
    return parse_condition(match)


def _matches(entry: Entry, facts: Facts, now: datetime) -> bool:
    if entry.per is EntryPer.PERSON:
        return entry.rule is None or holds(entry.rule, facts, now)
    return bool(records_for(entry.per, entry.rule, facts, now))


def _entrant(entry: Entry, facts: Facts, now: datetime) -> Entrant:
    if entry.per is EntryPer.PERSON:
        return Entrant(facts)
    return Entrant(facts, records_for(entry.per, entry.rule, facts, now))


def _told(entry: Entry, entered: Entered, *, by_hand: bool) -> Enrolled:
    refused = tuple(NotStarted(each.person_id, _why(entry, each, by_hand)) for each in entered.kept_out)
    return Enrolled(entry.name, entry.number, entered.started, refused)


def _why(entry: Entry, kept_out: KeptOut, by_hand: bool) -> str:
    match kept_out.why:
        case NotLetIn.OPTED_OUT:
            return f"opted out of this journey. {_CONSENT_FIRST}"
        case NotLetIn.NO_RECORD:
            return f"has no {entry.per.value} that this journey is about."
        case NotLetIn.ENTERED_BEFORE | NotLetIn.AGAIN_LATER if by_hand:
            return "was in this journey before. To start them again, say why: --reason TEXT"
        case NotLetIn.AGAIN_LATER if kept_out.again_at is not None:
            return f"was in this journey before; it takes them again from {kept_out.again_at.date().isoformat()}."
        case NotLetIn.ENTERED_BEFORE | NotLetIn.AGAIN_LATER:
            return "was in this journey before."
        case _:
            return "is in this journey already."


def _together(one: Enrolled, other: Enrolled) -> Enrolled:
    return replace(one, started=one.started + other.started, refused=one.refused + other.refused)
