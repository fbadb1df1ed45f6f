"""A call of the call list as it is shown: whom, where, what to say, which try, and what each outcome would lead to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.domain.call_outcome import CallOutcome
from app.domain.ids import EnrollmentId, MessageId, PersonId
from app.domain.lines import StepLine
from app.domain.states import Channel


@dataclass(frozen=True, slots=True)
class CallWay:
    """What the outcomes lead to. replied: reaching them ends the journey. next: the step after the call.

    every: how long until the next try; None when this is the last. goes_on: without this number, too.
    """

    replied: bool
    next: StepLine
    every: timedelta | None
    goes_on: bool


@dataclass(frozen=True, slots=True)
class CallLine:
    """A call that the front desk can make now. phone: E.164. script: what to say, filled in for this person.

    zone: of their location, in which times are told; there: of the person, where that is known, else the same.
    number, tries: which try this is, of how many. due_at: since when it is due; until: when it leaves the list, None
    without a limit. before: when the earlier tries were and how they ended, oldest first.
    source, entered_at: how they came here, and since when they are in the journey; sent: what they got of it since.
    """

    message_id: MessageId
    enrollment_id: EnrollmentId
    person_id: PersonId
    name: str
    location: str
    zone: str
    there: str
    phone: str
    journey: str
    step: StepLine
    number: int
    tries: int
    due_at: datetime
    until: datetime | None
    script: str
    way: CallWay
    before: tuple[tuple[datetime, CallOutcome], ...]
    source: str
    entered_at: datetime
    sent: Mapping[Channel, int]
