"""What the page of one person shows: frozen lines, read by store/reads_person.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from app.domain.ids import (
    EnrollmentId,
    JourneyId,
    MessageId,
)
from app.domain.lines import HoldLine, MessageLine, PersonLine, QueueLine, StepLine
from app.domain.reasons import Why
from app.domain.states import (
    Channel,
    End,
    EnrollmentState,
    MessageState,
    Purpose,
)


@dataclass(frozen=True, slots=True)
class EnrollmentLine:
    """One follow-up of a person, live or ended. sent: messages accepted so far, by channel.

    goal_word: on the button that says that its goal was reached. ends_early: the ends its author chose.
    """

    id: EnrollmentId
    journey_id: JourneyId
    journey: str
    version: int
    purpose: Purpose
    state: EnrollmentState
    end_detail: Why | None
    ended_by: str
    entered_at: datetime
    entered_by: str
    reason: str
    step: StepLine
    steps: tuple[StepLine, ...]
    done: int
    wake_at: datetime | None
    hold: HoldLine | None
    paused_until: datetime | None
    ended_at: datetime | None
    sent: Mapping[Channel, int]
    most: Mapping[Channel, int]
    days: float
    goal_word: str
    ends_early: tuple[End, ...] = ()


@dataclass(frozen=True, slots=True)
class TimelineLine:
    """One thing in a person's history: a log event, a message or an inbox event, newest first."""

    at: datetime
    event: str
    actor: str
    journey: str | None
    version: int | None
    channel: Channel | None
    template: str | None
    message_id: MessageId | None
    message_state: MessageState | None
    text: str
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SuppressionLine:
    """One live do-not-contact entry of a person's address."""

    channel: Channel
    address: str
    why: Why
    at: datetime


@dataclass(frozen=True, slots=True)
class ConsentLine:
    """One consent that was given or revoked."""

    channel: Channel
    purpose: Purpose
    act: str
    at: datetime
    how: str
    wording: str
    evidence: str
    recorded_by: str


@dataclass(frozen=True, slots=True)
class RecordLine:
    """One appointment, job, quote or invoice."""

    kind: str
    label: str
    status: str
    external_id: str
    starts_at: datetime | None
    due_on: date | None
    amount: str | None


@dataclass(frozen=True, slots=True)
class StopFacts:
    """The four facts of a person's last stop: came in, state changed, cancelled, already accepted."""

    kind: str
    end: End | None
    channel: Channel | None
    actor: str
    came_in_at: datetime
    read_at: datetime
    changed_at: datetime | None
    cancelled: tuple[MessageLine, ...]
    accepted_before: tuple[MessageLine, ...]
    accepted_after: tuple[MessageLine, ...]
    unknown: tuple[MessageLine, ...]


@dataclass(frozen=True, slots=True)
class PersonPage:
    """Everything about one person."""

    line: PersonLine
    first_name: str
    last_name: str
    phone_ext: str | None
    alt_phone: str | None
    status: str
    source: str
    tags: tuple[str, ...]
    custom: Mapping[str, str]
    created_at: datetime
    erased_at: datetime | None
    outcome: End | None
    enrollments: tuple[EnrollmentLine, ...]
    next: tuple[QueueLine, ...]
    stop: StopFacts | None
    suppressions: tuple[SuppressionLine, ...]
    consents: tuple[ConsentLine, ...]
    records: tuple[RecordLine, ...]
    timeline: tuple[TimelineLine, ...]
