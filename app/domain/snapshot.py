"""What guards and steps see: live rows of one moment, as frozen values. Read in bulk by store/snapshots.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from app.domain.condition import Facts
from app.domain.hours import Hours
from app.domain.ids import (
    EnrollmentId,
    JourneyId,
    JourneyVersionId,
    LocationId,
    MessageId,
    PersonId,
    RecordId,
    StepId,
    TemplateVersionId,
)
from app.domain.journey import Journey, Step
from app.domain.legal_hours_rules import NoRules, RulesRead
from app.domain.provider_settings import Sendgrid
from app.domain.reasons import Why
from app.domain.states import (
    Channel,
    Contact,
    EnrollmentState,
    JourneyState,
    MessageState,
    Purpose,
    WaitsFor,
)


@dataclass(frozen=True, slots=True)
class EngineSeen:
    """The engine's own state. paused_why is None while it runs.

    clock_made_up: the last tick ran at a made-up time, which is where the practice stands now.
    unread: each source that can't be read now, by its name -> since when nothing new of it is known.
    """

    paused_why: Why | None = None
    paused_by: str = ""
    paused_at: datetime | None = None
    clock_seen_at: datetime | None = None  # latest instant that any tick has seen
    clock_made_up: bool = False
    unread: Mapping[str, datetime] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ChannelSeen:
    """A channel's breaker: paused_why is None while it works.

    try_at: when the provider is asked next whether it is back (I12). failures: tries in a row that failed, of whichever
    message, since one was last accepted. paced_until: up to when the sender's rate is spoken for.
    """

    paused_why: Why | None = None
    paused_at: datetime | None = None
    provider: str = ""
    try_at: datetime | None = None
    failures: int = 0
    paced_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Practice:
    """The one practice. per_day, per_week: most messages to one person over all channels.

    short_name, website: empty where it has none. overdue_days: what is later than this is held for staff to decide.
    one_marketing: a person is in one marketing journey at a time.
    """

    name: str
    country: str
    region: str
    postal_address: str
    per_day: int
    per_week: int
    short_name: str = ""
    website: str = ""
    overdue_days: int = 3
    one_marketing: bool = True

    @property
    def called(self) -> str:
        """What a text calls it: the short name, else the name."""
        return self.short_name or self.name


@dataclass(frozen=True, slots=True)
class Mailing:
    """How the readers of the practice's emails leave.

    live: a provider takes them, and not the outbox of practice mode. page: it hosts a page to leave by.
    """

    live: bool = False
    page: bool = False

    @classmethod
    def of(cls, *, live: bool, email: Sendgrid | None) -> Mailing:
        """live: of the practice. email: who carries it; nobody is as if it were not live yet."""
        return cls(live and email is not None, email is not None and email.unsubscribe_group is not None)

    @property
    def hosted(self) -> bool:
        """Whether an email shows that page. In practice mode nobody would put its address in."""
        return self.live and self.page

    @property
    def no_way_out(self) -> bool:
        """Whether marketing email may not go out, for want of such a page (RULES B11)."""
        return self.live and not self.page


@dataclass(frozen=True, slots=True)
class Location:
    """One clinic or branch, with its hours in its own zone. postal_address, website: its own, else the practice's."""

    id: LocationId
    name: str
    hours: Hours
    phone: str | None
    email: str | None
    postal_address: str
    website: str = ""
    booking_url: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """Someone followed up with. email, phone, alt_phone: normalised, or None. alt_phone is never written to."""

    id: PersonId
    version: int
    location_id: LocationId
    first_name: str
    last_name: str
    email: str | None
    phone: str | None
    contact: Contact
    status: str
    source: str
    tags: frozenset[str]
    custom: Mapping[str, str]
    created_at: datetime
    alt_phone: str | None = None

    def address(self, channel: Channel) -> str | None:
        """The normalised address for `channel`, or None."""
        return self.email if channel is Channel.EMAIL else self.phone

    @property
    def name(self) -> str:
        """First and last name with one blank between, whichever there are."""
        return f"{self.first_name} {self.last_name}".strip()


@dataclass(frozen=True, slots=True)
class TemplateSeen:
    """A template's pinned version."""

    version_id: TemplateVersionId
    name: str
    channel: Channel
    purpose: Purpose
    subject: str
    body: str


@dataclass(frozen=True, slots=True)
class JourneySeen:
    """The journey's live state, and the version that the enrollment is on."""

    id: JourneyId
    name: str
    state: JourneyState
    version_id: JourneyVersionId
    number: int
    journey: Journey
    max_days: float
    templates: Mapping[str, TemplateSeen]


@dataclass(frozen=True, slots=True)
class EnrollmentSeen:
    """The queue item as it stands. version: for compare-and-set (I9).

    hold_until without hold_why: until then it was held, so it is not late from before. laps: how often each repeat has
    jumped back; only where the journey has one.
    """

    id: EnrollmentId
    version: int
    state: EnrollmentState
    step: StepId
    pass_no: int
    waits_for: WaitsFor
    entered_at: datetime
    step_entered_at: datetime
    wake_at: datetime | None
    paused_until: datetime | None
    send_budget: int
    record_id: RecordId | None
    hold_why: Why | None
    hold_until: datetime | None
    hold_facts: Mapping[str, str] = field(default_factory=dict)
    laps: Mapping[StepId, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TurnSeen:
    """One of a person's live follow-ups in marketing journeys, as far as whose turn it is rests on it.

    begun: it has a message, or a step behind it. handed: one of its messages was handed to a provider.
    """

    enrollment_id: EnrollmentId
    journey: str
    priority: int
    entered_at: datetime
    begun: bool
    handed: bool


@dataclass(frozen=True, slots=True)
class MessageSeen:
    """One row of the outbox. words: those that it was planned with; None when it was written by hand.

    try_at: not before this instant.
    """

    id: MessageId
    version: int
    enrollment_id: EnrollmentId | None
    step: StepId | None
    pass_no: int
    channel: Channel
    state: MessageState
    attempts: int
    due_at: datetime
    useful_until: datetime | None
    stop_requested_at: datetime | None
    possible_duplicate: bool
    words: TemplateSeen | None = None
    try_at: datetime | None = None
    hold_why: Why | None = None
    hold_facts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ConsentSeen:
    """A consent that holds: given, and not revoked since."""

    channel: Channel
    purpose: Purpose
    given_at: datetime
    how: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that one decision sees.

    message: the row being handed over; None while the tick decides whether to queue one.
    said: (step, pass, state) of every message of this enrollment, the one in hand included.
    turns: the person's live follow-ups in marketing journeys, this one included; empty where it is not asked.
    asked_at: when the step in hand should have been asked, where the walk has come to it through waits; else None.
    suppressed: channels on which this person's address must not be contacted (I10).
    shared_closed: those of them that somebody else with the same address has closed, and not this person.
    unread_stops: stop events of this person that are stored and not applied yet.
    sent_at: when messages of any journey were noted for this person in seven days, oldest first, but the one in hand.
    phone_sent_at: those of them that were texts or calls.
    rules: the legal hours, as their rule pack was read.
    """

    now: datetime
    engine: EngineSeen
    practice: Practice
    location: Location
    person: Person
    facts: Facts
    journey: JourneySeen | None
    enrollment: EnrollmentSeen | None
    message: MessageSeen | None = None
    said: tuple[tuple[StepId, int, MessageState], ...] = ()
    turns: tuple[TurnSeen, ...] = ()
    asked_at: datetime | None = None
    suppressed: frozenset[Channel] = frozenset()
    shared_closed: frozenset[Channel] = frozenset()
    unread_stops: int = 0
    consents: tuple[ConsentSeen, ...] = ()
    sent_at: tuple[datetime, ...] = ()
    phone_sent_at: tuple[datetime, ...] = ()
    channels: Mapping[Channel, ChannelSeen] = field(default_factory=dict)
    record_at: Mapping[str, datetime] = field(default_factory=dict)
    variables: Mapping[str, object] = field(default_factory=dict)
    rules: RulesRead = field(default_factory=NoRules)
    mailing: Mailing = field(default_factory=Mailing)

    @property
    def step(self) -> Step:
        """The step the enrollment stands at. Raises KeyError for a message without a journey."""
        if self.journey is None or self.enrollment is None:
            raise KeyError("no journey step: the message was written by hand")
        return self.journey.journey.steps[self.enrollment.step]
