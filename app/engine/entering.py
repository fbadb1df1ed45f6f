"""People enter a live journey: by hand, by a command for a group, or by themselves when a group takes them in.

What keeps anyone from entering twice is the database (I1, I2); here it is told whom it kept out, and why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from uuid import uuid4

from app.domain.condition_tree import Condition
from app.domain.entering import NotLetIn, entry_key, opens_again_at, opted_out
from app.domain.facts import Facts, RecordFact
from app.domain.ids import EnrollmentId, JourneyId, JourneyVersionId, PersonId, RecordId
from app.domain.journey import EntryPer, Journey
from app.engine.office_ports import EnrollmentNew, OfficeUow
from app.engine.ports import LogLine

STARTED: Final = "follow_up.started"


@dataclass(frozen=True, slots=True)
class Entry:
    """The live version that people enter, by whom and why. rule: of the group they come from; None without one."""

    journey_id: JourneyId
    name: str
    version_id: JourneyVersionId
    number: int
    journey: Journey
    send_budget: int
    by: str
    reason: str
    rule: Condition | None = None

    @property
    def per(self) -> EntryPer:
        """What one follow-up stands for."""
        return self.journey.enter.per if self.journey.enter else EntryPer.PERSON


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who is to enter. records: one follow-up for each, None for the person themselves."""

    facts: Facts
    records: tuple[RecordFact | None, ...] = (None,)


@dataclass(frozen=True, slots=True)
class KeptOut:
    """Somebody who did not enter. again_at: from when the journey takes them again by itself, where it does."""

    person_id: PersonId
    why: NotLetIn
    record_id: RecordId | None = None
    again_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Entered:
    """What came of it. started: (person, follow-up), one a record for a journey per record."""

    started: tuple[tuple[PersonId, EnrollmentId], ...] = ()
    kept_out: tuple[KeptOut, ...] = ()


def enter(
    uow: OfficeUow,
    entry: Entry,
    people: Mapping[PersonId, Entrant],
    now: datetime,
    *,
    anew: bool = False,
    facts: Mapping[str, int] | None = None,
) -> Entered:
    """Let them in at `now`, as far as they may; the people must be locked.

    anew: whoever was in before enters under a fresh key: a person said so, with a reason. facts: what more the log is
    to say of each that entered.
    """
    kept_out: list[KeptOut] = []
    rows: list[EnrollmentNew] = []
    for person_id, entrant in people.items():
        if opted_out(entry.name, entrant.facts):
            kept_out.append(KeptOut(person_id, NotLetIn.OPTED_OUT))
        elif not entrant.records:
            kept_out.append(KeptOut(person_id, NotLetIn.NO_RECORD))
        else:
            rows += [_row(entry, person_id, entrant.facts, record, now) for record in entrant.records]
    answers = list(zip(rows, uow.office.start(rows), strict=True)) if rows else []
    if anew:
        again = [row for row, answer in answers if answer.refused == NotLetIn.ENTERED_BEFORE.value]
        answers = [(row, answer) for row, answer in answers if answer.refused != NotLetIn.ENTERED_BEFORE.value]
        fresh = [replace(row, entry_key=f"again-{uuid4().hex}") for row in again]
        answers += zip(fresh, uow.office.start(fresh), strict=True) if fresh else []
    started = [(row.person_id, answer.enrollment_id) for row, answer in answers if answer.enrollment_id is not None]
    for row, answer in answers:
        if answer.enrollment_id is None:
            kept_out.append(_kept_out(entry, row, NotLetIn(answer.refused), people[row.person_id].facts))
    uow.log.add(_lines(entry, started, now, facts or {}))
    return Entered(tuple(started), tuple(kept_out))


def _row(entry: Entry, person_id: PersonId, facts: Facts, record: RecordFact | None, now: datetime) -> EnrollmentNew:
    return EnrollmentNew(
        person_id=person_id,
        journey_id=entry.journey_id,
        journey_version_id=entry.version_id,
        entry_key=entry_key(entry.journey.enter, entry.name, facts, record, now),
        record_id=None if record is None else record.id,
        entered_at=now,
        entered_by=entry.by,
        reason=entry.reason,
        step=entry.journey.start,
        send_budget=entry.send_budget,
    )


def _kept_out(entry: Entry, row: EnrollmentNew, why: NotLetIn, facts: Facts) -> KeptOut:
    opens = None
    if why is NotLetIn.ENTERED_BEFORE and row.record_id is None:
        opens = opens_again_at(entry.journey.enter, entry.name, facts)
    return KeptOut(row.person_id, why if opens is None else NotLetIn.AGAIN_LATER, row.record_id, opens)


def _lines(
    entry: Entry, started: Sequence[tuple[PersonId, EnrollmentId]], now: datetime, facts: Mapping[str, int]
) -> list[LogLine]:
    return [
        LogLine(
            now,
            STARTED,
            entry.by,
            person_id=person_id,
            enrollment_id=enrollment_id,
            journey_id=entry.journey_id,
            facts={"version": entry.number, **facts},
        )
        for person_id, enrollment_id in started
    ]
