"""What screens and commands show: one frozen line a row, read by store/reads*.py. Whoever shows them makes words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

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
from app.domain.reasons import Why
from app.domain.states import (
    AttemptAnswer,
    Channel,
    Contact,
    End,
    EnrollmentState,
    JourneyState,
    MessageState,
)


@dataclass(frozen=True, slots=True)
class StepLine:
    """Where an enrollment stands. kind: email, sms, wait…; title: the template's or step's name; number: 1-based."""

    id: str
    kind: str
    title: str
    number: int
    of: int


@dataclass(frozen=True, slots=True)
class HoldLine:
    """Why something is held, and until when (None: until something changes)."""

    why: Why
    until: datetime | None
    facts: Mapping[str, str] = field(default_factory=dict)


class PeopleFilter(StrEnum):
    """The chips over the list of people."""

    ALL = "all"
    RUNNING = "running"
    WITH_STAFF = "with_staff"
    HELD = "held"
    ENDED = "ended"
    NOT_CONTACTED = "not_contacted"


@dataclass(frozen=True, slots=True)
class PeopleQuery:
    """What the list of people is asked for. search: any part of a name, digits of a number, an email."""

    search: str = ""
    only: PeopleFilter = PeopleFilter.ALL
    location_id: LocationId | None = None
    sort: str = "next"  # next | name | location | newest
    descending: bool = False


@dataclass(frozen=True, slots=True)
class PeopleCounts:
    """How many people each chip would show, under the same search and location."""

    everyone: int
    running: int
    with_staff: int
    held: int
    ended: int
    not_contacted: int


@dataclass(frozen=True, slots=True)
class PersonLine:
    """One row of People: the person and the follow-up that matters most (live before ended, soonest first).

    goal_word: Booked, Paid…, of a follow-up that ended `converted`.
    """

    id: PersonId
    name: str
    phone: str | None
    email: str | None
    location: str
    zone: str
    contact: Contact
    with_staff_since: datetime | None
    running: int
    journey: str | None = None
    version: int | None = None
    state: EnrollmentState | None = None
    end_detail: Why | None = None
    ended_at: datetime | None = None
    ended_by: str = ""
    goal_word: str = ""
    step: StepLine | None = None
    wake_at: datetime | None = None
    hold: HoldLine | None = None
    message_state: MessageState | None = None


class QueueFilter(StrEnum):
    """The chips over the queue."""

    EVERYTHING = "everything"
    DUE_NOW = "due_now"
    HELD = "held"
    WAITING = "waiting"
    WITH_STAFF = "with_staff"


@dataclass(frozen=True, slots=True)
class QueueQuery:
    """What the queue is asked for."""

    only: QueueFilter = QueueFilter.EVERYTHING
    search: str = ""
    location_id: LocationId | None = None
    journey_id: JourneyId | None = None
    channel: Channel | None = None


@dataclass(frozen=True, slots=True)
class QueueCounts:
    """How many live follow-ups each chip would show."""

    everything: int
    due_now: int
    held: int
    waiting: int
    with_staff: int


@dataclass(frozen=True, slots=True)
class QueueLine:
    """One follow-up of the queue: who is due when, and what holds them back. at: the instant it is ordered by.

    Live, but where lines of ended ones were asked for: then how it ended is told. goal_word: Booked, Paid…, of one that
    ended `converted`.
    """

    enrollment_id: EnrollmentId
    person_id: PersonId
    name: str
    phone: str | None
    email: str | None
    location: str
    zone: str
    journey: str
    version: int
    state: EnrollmentState
    contact: Contact
    step: StepLine
    wake_at: datetime | None
    at: datetime | None
    hold: HoldLine | None
    message_id: MessageId | None
    message_state: MessageState | None
    ended_at: datetime | None = None
    end_detail: Why | None = None
    ended_by: str = ""
    goal_word: str = ""


@dataclass(frozen=True, slots=True)
class OverdueLine:
    """A follow-up that came too late to go out by itself. channel: of its step. since: when it should have gone out."""

    enrollment_id: EnrollmentId
    person_id: PersonId
    name: str
    location: str
    zone: str
    journey: str
    step: StepLine
    channel: Channel | None
    since: datetime


@dataclass(frozen=True, slots=True)
class HourBar:
    """How many follow-ups wake in one hour, and whether every location is closed all of it."""

    starts_at: datetime
    count: int
    all_closed: bool


class SentFilter(StrEnum):
    """The chips over the sent list."""

    ALL = "all"
    NOT_SENT = "not_sent"
    PROBLEMS = "problems"


@dataclass(frozen=True, slots=True)
class SentQuery:
    """What the sent list is asked for."""

    only: SentFilter = SentFilter.ALL
    search: str = ""
    location_id: LocationId | None = None
    person_id: PersonId | None = None


@dataclass(frozen=True, slots=True)
class SentCounts:
    """How many messages each chip would show."""

    everything: int
    not_sent: int
    problems: int


@dataclass(frozen=True, slots=True)
class MessageLine:
    """One message of the outbox, whatever became of it. at: when its state was reached."""

    id: MessageId
    person_id: PersonId
    name: str
    location: str
    zone: str
    enrollment_id: EnrollmentId | None
    journey: str | None
    version: int | None
    step: str | None
    pass_no: int
    channel: Channel
    template: str
    to: str
    subject: str
    state: MessageState
    attempts: int
    at: datetime
    due_at: datetime
    try_at: datetime | None
    accepted_at: datetime | None
    provider: str | None
    provider_id: str | None
    stop_requested_at: datetime | None
    cancel_reason: Why | None
    reason_code: str
    hold: HoldLine | None
    possible_duplicate: bool
    running: int


@dataclass(frozen=True, slots=True)
class TraceLine:
    """One guard's answer, as stored."""

    guard: str
    answer: str
    saw: str


@dataclass(frozen=True, slots=True)
class AttemptLine:
    """One try, with its times and the provider's word. trace: what every guard answered for this try."""

    id: AttemptId
    number: int
    noted_at: datetime
    handed_at: datetime | None
    answered_at: datetime | None
    answer: AttemptAnswer
    why: Why | None
    code: str
    provider: str
    provider_id: str | None
    trace: tuple[TraceLine, ...]


@dataclass(frozen=True, slots=True)
class WhyLines:
    """Why a message went out, or did not. body is empty once the person's details were erased."""

    message: MessageLine
    body: str
    trace: tuple[TraceLine, ...]
    attempts: tuple[AttemptLine, ...]
    stop: InboxEventLine | None = None


@dataclass(frozen=True, slots=True)
class InboxEventLine:
    """One thing that happened outside, as stored."""

    id: InboxEventId
    source: str
    kind: str
    channel: Channel | None
    text: str
    note: str
    actor: str
    happened_at: datetime
    received_at: datetime
    applied_at: datetime | None
    person_id: PersonId | None
    address: str | None


@dataclass(frozen=True, slots=True)
class ProblemLine:
    """One open thing for staff to look at."""

    id: ProblemId
    at: datetime
    why: Why
    facts: Mapping[str, str]
    person_id: PersonId | None
    name: str | None
    enrollment_id: EnrollmentId | None
    message_id: MessageId | None
    inbox_event_id: InboxEventId | None
    location: str | None = None
    zone: str | None = None


@dataclass(frozen=True, slots=True)
class LoggedLine:
    """One line of the log, as stored."""

    id: int
    at: datetime
    event: str
    actor: str
    person_id: PersonId | None
    enrollment_id: EnrollmentId | None
    message_id: MessageId | None
    attempt_id: AttemptId | None
    inbox_event_id: InboxEventId | None
    journey_id: JourneyId | None
    facts: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class JourneyLine:
    """One journey: its state, its live version's proof in figures, and how many are inside."""

    id: JourneyId
    name: str
    state: JourneyState
    version: int | None
    has_draft: bool
    inside: int
    ended: Mapping[End, int]
    emails: int
    texts: int
    calls: int
    days: float


@dataclass(frozen=True, slots=True)
class LocationLine:
    """A location, for choosers and for words about its zone."""

    id: LocationId
    name: str
    zone: str
    open_now: bool
    next_open: datetime | None


@dataclass(frozen=True, slots=True)
class EngineLine:
    """The status bar: running or paused and why, how many wait, each channel, and the mode."""

    practice: str
    practice_mode: bool
    paused_why: Why | None
    paused_by: str
    paused_at: datetime | None
    waiting: int
    due: int
    channels: Mapping[Channel, Why | None]
    zone: str
    problems: int
