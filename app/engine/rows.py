"""The rows that the engine hands to the store's doors and gets from them: new pictures, drafts, notes, results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from app.domain.ids import (
    AttemptId,
    EnrollmentId,
    InboxEventId,
    JourneyId,
    LocationId,
    MessageId,
    PersonId,
    StepId,
    TemplateVersionId,
)
from app.domain.reasons import Why
from app.domain.snapshot import EnrollmentSeen
from app.domain.states import AttemptAnswer, Channel, EnrollmentState, MessageState, Purpose, WaitsFor
from app.domain.verdict import Trace


@dataclass(frozen=True, slots=True)
class EnrollmentRow:
    """One enrollment's bare row: nothing of its journey, its person or their location has to be readable for it."""

    seen: EnrollmentSeen
    person_id: PersonId
    journey_id: JourneyId


@dataclass(frozen=True, slots=True)
class EnrollmentMove:
    """A new picture of one enrollment, written only if `seen_version` still stands (I9).

    wake_at: when to look again; None while it waits for a message or has ended.
    hold_*: why it is held and until when; all None when it is not.
    ended_*: set together when `state` is terminal: what ended it (an event's id or a guard's name) and the detail.
    turn_at: since when it should have ended, for whoever waits for its turn; None: since it did.
    laps: how often each repeat has jumped back from now on; None: as before.
    """

    id: EnrollmentId
    seen_version: int
    state: EnrollmentState
    step: StepId
    pass_no: int
    waits_for: WaitsFor
    step_entered_at: datetime
    wake_at: datetime | None
    hold_why: Why | None = None
    hold_until: datetime | None = None
    hold_facts: Mapping[str, str] = field(default_factory=dict)
    paused_until: datetime | None = None
    ended_at: datetime | None = None
    end_detail: Why | None = None
    ended_by_guard: str | None = None
    ended_by_event: InboxEventId | None = None
    turn_at: datetime | None = None
    laps: Mapping[StepId, int] | None = None


@dataclass(frozen=True, slots=True)
class MessageDraft:
    """A message to be put in the outbox as `queued`."""

    enrollment_id: EnrollmentId
    person_id: PersonId
    location_id: LocationId
    step: StepId
    pass_no: int
    channel: Channel
    template: str
    template_version_id: TemplateVersionId
    due_at: datetime
    useful_until: datetime | None


@dataclass(frozen=True, slots=True)
class Leased:
    """A message this worker holds for a while. token: the worker's own."""

    message_id: MessageId
    person_id: PersonId
    enrollment_id: EnrollmentId | None
    version: int
    channel: Channel
    attempts: int


@dataclass(frozen=True, slots=True)
class Permission:
    """What the permission transaction writes for one message: `sending`, and the attempt with its trace (I6, I7).

    The attempt's number is the store's to give: it counts tries, those that an outage gave back included (I12).
    """

    message_id: MessageId
    seen_version: int
    key: str
    to: str
    subject: str
    body: str
    trace: Trace
    provider: str
    purpose: Purpose
    valid_until: datetime | None


@dataclass(frozen=True, slots=True)
class AttemptNote:
    """The durable note of one try: all that a provider is given. key: ours, unique, to be looked up by.

    provider: the name of the one that it is handed to. purpose: the stricter of the journey's and the template's, in a
    note that is read again the template's. valid_until: the provider is asked not to deliver later (RULES F10); None:
    no limit. A note that is read again is not handed over again: there it is when the message is no longer useful.
    """

    attempt_id: AttemptId
    message_id: MessageId
    person_id: PersonId
    enrollment_id: EnrollmentId | None
    location_id: LocationId
    key: str
    number: int
    channel: Channel
    to: str
    subject: str
    body: str
    noted_at: datetime
    provider: str
    purpose: Purpose
    valid_until: datetime | None


@dataclass(frozen=True, slots=True)
class MessageMove:
    """A new picture of one message, written only if `seen_version` still stands (I9).

    attempts: the counter after this move (I11); try_at: not before this instant, when queued again or held.
    trace: what the guards answered, stored with the message that they held or stopped; None leaves the stored one.
    """

    id: MessageId
    seen_version: int
    state: MessageState
    attempts: int
    try_at: datetime | None = None
    hold_why: Why | None = None
    hold_facts: Mapping[str, str] = field(default_factory=dict)
    provider: str | None = None
    provider_id: str | None = None
    accepted_at: datetime | None = None
    reason: Why | None = None
    reason_code: str = ""
    possible_duplicate: bool = False
    trace: Trace | None = None


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """How one try ended, written once under its own id."""

    attempt_id: AttemptId
    answer: AttemptAnswer
    why: Why | None
    code: str
    provider_id: str | None
    answered_at: datetime
    handed_at: datetime | None


@dataclass(frozen=True, slots=True)
class InHand:
    """A message with an open attempt, as the result transaction needs it, read under its row lock.

    stop_requested_at: set when a stop came after the note. final_at: when it was over; None while it is not.
    """

    note: AttemptNote
    version: int
    state: MessageState
    attempts: int
    lookups: int
    possible_duplicate: bool
    stop_requested_at: datetime | None
    enrollment: EnrollmentSeen | None
    next_step: StepId | None
    on_bad_address: str
    final_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the append-only log: ids and facts; never a name, an address or a body (I15)."""

    at: datetime
    event: str
    actor: str = ""
    person_id: PersonId | None = None
    enrollment_id: EnrollmentId | None = None
    message_id: MessageId | None = None
    attempt_id: AttemptId | None = None
    inbox_event_id: InboxEventId | None = None
    journey_id: JourneyId | None = None
    facts: Mapping[str, str | int | float | bool | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProblemNote:
    """Something for staff to look at. One open problem a (why, enrollment, message): the same again changes nothing."""

    at: datetime
    why: Why
    person_id: PersonId | None = None
    enrollment_id: EnrollmentId | None = None
    message_id: MessageId | None = None
    inbox_event_id: InboxEventId | None = None
    facts: Mapping[str, str] = field(default_factory=dict)
