"""What can be shown about one person when somebody asks: rows as they are stored, and the four facts of each stop.

Read by store/reads_evidence.py in one moment. Here: the values, the facts worked out of them, and one stop's part.
The packet: evidence_packet.py; without names and words: evidence_redact.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Final

from app.domain.events import FACT_OF, EventKind
from app.domain.ids import InboxEventId
from app.domain.lines import LoggedLine
from app.domain.states import MessageState

MOST_ACCEPTED: Final = 20  # of the messages accepted before one stop; the count is always whole


@dataclass(frozen=True, slots=True)
class PersonFacts:
    """The person, and the place whose clock the packet is told by."""

    id: int
    first_name: str
    last_name: str
    email: str | None
    phone: str | None
    phone_ext: str | None
    alt_phone: str | None
    status: str
    contact: str
    with_staff_since: datetime | None
    created_at: datetime
    erased_at: datetime | None
    location_id: int
    location: str
    zone: str

    @property
    def name(self) -> str:
        """First and last name with one blank between, whichever there are."""
        return f"{self.first_name} {self.last_name}".strip()


@dataclass(frozen=True, slots=True)
class EventFacts:
    """One inbox event."""

    id: int
    kind: str
    source: str
    key: str
    channel: str | None
    channels: Sequence[str]
    address: str | None
    text: str
    note: str
    actor: str
    needs_human: bool
    payload_hash: str
    journey_id: int | None
    state: str
    happened_at: datetime
    received_at: datetime
    applied_at: datetime | None

    @property
    def is_stop(self) -> bool:
        """Whether it is of a kind that stops anything."""
        return EventKind(self.kind) in FACT_OF


@dataclass(frozen=True, slots=True)
class FollowUpFacts:
    """One enrollment. version: the number of its journey's version."""

    id: int
    journey_id: int
    journey: str
    version: int
    journey_version_id: int
    entry_key: str
    record_id: int | None
    entered_at: datetime
    entered_by: str
    reason: str
    state: str
    step: str
    send_budget: int
    hold_why: str | None
    hold_until: datetime | None
    paused_until: datetime | None
    paused_by: str
    ended_at: datetime | None
    end_detail: str | None
    ended_by_guard: str | None
    ended_by_event_id: int | None


@dataclass(frozen=True, slots=True)
class MessageFacts:
    """One message. trace: what the guards said that held or stopped it last."""

    id: int
    enrollment_id: int | None
    step: str | None
    pass_no: int
    channel: str
    template: str
    template_version_id: int | None
    state: str
    attempts: int
    due_at: datetime
    to_address: str | None
    subject: str
    body: str
    created_at: datetime
    created_by: str
    noted_at: datetime | None
    provider: str | None
    provider_id: str | None
    accepted_at: datetime | None
    final_at: datetime | None
    stop_requested_at: datetime | None
    stop_event_id: int | None
    hold_why: str | None
    reason: str | None
    reason_code: str
    possible_duplicate: bool
    trace: Sequence[Mapping[str, str]] | None


@dataclass(frozen=True, slots=True)
class AttemptFacts:
    """One try. trace: what every guard answered that let it through."""

    id: int
    message_id: int
    number: int
    key: str
    worker: str
    noted_at: datetime
    handed_at: datetime | None
    answered_at: datetime | None
    answer: str
    why: str | None
    code: str
    provider: str
    provider_id: str | None
    trace: Sequence[Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class SuppressionFacts:
    """One do-not-contact entry, lifted ones too. address: "" for one kept as a hash alone."""

    id: int
    channel: str
    address: str
    hashed: bool
    why: str
    event_id: int | None
    created_at: datetime
    lifted_at: datetime | None
    lift_evidence: str


@dataclass(frozen=True, slots=True)
class ConsentFacts:
    """One consent that was given or revoked."""

    id: int
    channel: str
    purpose: str
    act: str
    address: str | None
    at: datetime
    how: str
    wording: str
    evidence: str
    recorded_by: str
    recorded_at: datetime
    import_id: int | None


@dataclass(frozen=True, slots=True)
class JourneyVersionFacts:
    """One published version that the person is or was in. document_hash: SHA-256 of its document."""

    id: int
    journey_id: int
    journey: str
    number: int
    published_at: datetime
    published_by: str
    send_budget: int
    document_hash: str


@dataclass(frozen=True, slots=True)
class TemplateVersionFacts:
    """One version of a template that a message was made of. text_hash: SHA-256 of its subject, a new line, its body."""

    id: int
    template: str
    number: int
    purpose: str
    created_at: datetime
    created_by: str
    text_hash: str


@dataclass(frozen=True, slots=True)
class SealFacts:
    """One seal of the log that covers lines of this person. holds: whether those lines are as they were sealed."""

    day: date
    last_log_id: int
    lines: int
    hash: str
    previous_hash: str
    sealed_at: datetime
    holds: bool


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything about one person, in the order in which it came.

    schema: the revision of the database's tables. rule_pack: the day whose law the rules of legal hours tell, None when
    they can't be read.
    """

    practice: str
    practice_mode: bool
    schema: str
    rule_pack: date | None
    person: PersonFacts
    events: tuple[EventFacts, ...]
    follow_ups: tuple[FollowUpFacts, ...]
    messages: tuple[MessageFacts, ...]
    attempts: tuple[AttemptFacts, ...]
    suppressions: tuple[SuppressionFacts, ...]
    consents: tuple[ConsentFacts, ...]
    journey_versions: tuple[JourneyVersionFacts, ...]
    template_versions: tuple[TemplateVersionFacts, ...]
    log: tuple[LoggedLine, ...]
    seals: tuple[SealFacts, ...]
    only_event: InboxEventId | None = None
    redacted: bool = False


@dataclass(frozen=True, slots=True)
class Stopped:
    """The four facts of one stop: it came in, the state changed, what was cancelled, what had been accepted.

    accepted_before, accepted_after: by the provider's time against `event.happened_at`. unknown: still being asked
    about. not_accepted: with the provider when the stop came, and refused by it.
    """

    event: EventFacts
    ended: tuple[FollowUpFacts, ...]
    changed_at: datetime | None
    cancelled: tuple[MessageFacts, ...]
    accepted_before: tuple[MessageFacts, ...]
    accepted_after: tuple[MessageFacts, ...]
    not_accepted: tuple[MessageFacts, ...]
    unknown: tuple[MessageFacts, ...]


def stops(found: Evidence) -> tuple[Stopped, ...]:
    """The facts of every stop, the newest first; of one alone where the evidence is about that."""
    asked = [event for event in found.events if event.is_stop and found.only_event in (None, event.id)]
    asked.sort(key=lambda event: (event.happened_at, event.id), reverse=True)
    return tuple(_stopped(found, event) for event in asked)


def _stopped(found: Evidence, event: EventFacts) -> Stopped:
    """Nothing is guessed: what was with the provider when the stop came counts by the provider's own answer."""
    ended = tuple(each for each in found.follow_ups if each.ended_by_event_id == event.id)
    mine = tuple(each for each in found.messages if each.stop_event_id == event.id)
    ids = {each.id for each in ended}
    # a stop that ended nothing is held against everything that went out; what came after it was not stopped by it
    near = tuple(each for each in found.messages if each.enrollment_id in ids or not ids)
    late = near if ids else mine
    came_in = event.happened_at
    return Stopped(
        event=event,
        ended=ended,
        changed_at=min((each.ended_at for each in ended if each.ended_at is not None), default=event.applied_at),
        cancelled=tuple(each for each in mine if each.state == MessageState.CANCELLED.value),
        accepted_before=_newest_first(m for m in near if m.accepted_at is not None and m.accepted_at <= came_in),
        accepted_after=_newest_first(m for m in late if m.accepted_at is not None and m.accepted_at > came_in),
        not_accepted=tuple(each for each in mine if each.state == MessageState.FAILED.value),
        unknown=tuple(each for each in mine if each.state == MessageState.SENDING.value),
    )


def _newest_first(messages: Iterable[MessageFacts]) -> tuple[MessageFacts, ...]:
    return tuple(sorted(messages, key=lambda each: (each.accepted_at or each.created_at, each.id), reverse=True))


def of_stop(found: Evidence, event_id: InboxEventId) -> Evidence:
    """The part of `found` that is about one stop: its follow-ups, their messages and tries, and what tells of them.

    Raises KeyError when the person has no stop of that id.
    """
    event = next((each for each in found.events if each.id == event_id and each.is_stop), None)
    if event is None:
        raise KeyError(event_id)
    facts = _stopped(found, event)
    told_of = (*facts.cancelled, *facts.accepted_before[:MOST_ACCEPTED], *facts.accepted_after)
    ids = {each.id for each in (*told_of, *facts.not_accepted, *facts.unknown)}
    ended = {each.id for each in facts.ended}
    messages = tuple(each for each in found.messages if each.id in ids or each.enrollment_id in ended)
    kept = {each.id for each in messages}
    inside = {each.enrollment_id for each in messages if each.enrollment_id is not None} | ended
    follow_ups = tuple(each for each in found.follow_ups if each.id in inside)
    versions = {each.journey_version_id for each in follow_ups}
    templates = {each.template_version_id for each in messages}
    return replace(
        found,
        only_event=event_id,
        events=(event,),
        follow_ups=follow_ups,
        messages=messages,
        attempts=tuple(each for each in found.attempts if each.message_id in kept),
        suppressions=tuple(each for each in found.suppressions if each.event_id == event_id),
        journey_versions=tuple(each for each in found.journey_versions if each.id in versions),
        template_versions=tuple(each for each in found.template_versions if each.id in templates),
        log=tuple(each for each in found.log if _about(each, event_id, inside, kept)),
    )


def _about(line: LoggedLine, event_id: int, follow_ups: set[int], messages: set[int]) -> bool:
    if line.inbox_event_id == event_id or line.message_id in messages:
        return True
    return line.message_id is None and line.enrollment_id in follow_ups
