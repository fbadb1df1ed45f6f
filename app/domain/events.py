"""What happened outside, as a value: a reply, an opt-out, a booking, a bounce, a button. Stored once by its key."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from app.domain.clock import utc
from app.domain.ids import InboxEventId, JourneyId, MessageId, PersonId
from app.domain.reasons import Why
from app.domain.states import Channel, End


class EventKind(StrEnum):
    """Every kind of inbox event."""

    REPLIED = "replied"
    BOOKED = "booked"
    PAID = "paid"
    ACCEPTED = "accepted"
    COMPLETED = "completed"
    CONVERTED = "converted"
    CLOSED = "closed"
    OPTED_OUT = "opted_out"
    OPTED_IN = "opted_in"
    COMPLAINED = "complained"
    BOUNCED = "bounced"
    BOUNCED_SOFT = "bounced_soft"
    DISCONNECTED = "disconnected"
    AUTO_REPLY = "auto_reply"
    STOPPED = "stopped"
    OPENED = "opened"
    CLICKED = "clicked"
    OTHER = "other"


# the record that a goal event stands for: kind and status (DESIGN section 7, conditions over records)
RECORD_OF: Mapping[EventKind, tuple[str, str]] = {
    EventKind.BOOKED: ("appointment", "booked"),
    EventKind.PAID: ("invoice", "paid"),
    EventKind.ACCEPTED: ("quote", "accepted"),
    EventKind.COMPLETED: ("job", "complete"),
}

# the fact an event adds to the person's outcome; None: no stop by itself
FACT_OF: Mapping[EventKind, End] = {
    EventKind.REPLIED: End.REPLIED,
    EventKind.BOOKED: End.CONVERTED,
    EventKind.PAID: End.CONVERTED,
    EventKind.ACCEPTED: End.CONVERTED,
    EventKind.COMPLETED: End.CONVERTED,
    EventKind.CONVERTED: End.CONVERTED,
    EventKind.CLOSED: End.CLOSED,
    EventKind.OPTED_OUT: End.OPTED_OUT,
    EventKind.COMPLAINED: End.OPTED_OUT,
    EventKind.BOUNCED: End.SUPPRESSED,
    EventKind.DISCONNECTED: End.SUPPRESSED,
    EventKind.STOPPED: End.STOPPED,
}


class Dated(StrEnum):
    """Whether the time that an event claims can be right."""

    PLAUSIBLE = "plausible"
    FUTURE = "future"  # ahead of our clock
    BEFORE_PERSON = "before_person"  # long before the person was here


@dataclass(frozen=True, slots=True)
class InboxEvent:
    """One thing that happened outside.

    key: the provider's id, or one derived by `derived_key`; unique within its source, so that a copy changes nothing.
    person_id: None when nobody matched (I17). address: normalised, the one it came from or is about.
    channels: the channels an opt-out names; empty means the event's own channel, or all when it has none.
    happened_at: the provider's time; received_at: when we read it. journey_id: only this journey (Stop this one).
    why: what its kind alone does not say of a dead address; it goes with what the event does, and is not kept with it.
    """

    source: str
    key: str
    kind: EventKind
    happened_at: datetime
    received_at: datetime
    person_id: PersonId | None = None
    channel: Channel | None = None
    address: str | None = None
    channels: tuple[Channel, ...] = ()
    text: str = ""
    note: str = ""
    actor: str = ""
    needs_human: bool = False
    journey_id: JourneyId | None = None
    payload_hash: str = ""
    why: Why | None = None


@dataclass(frozen=True, slots=True)
class CancelledMessage:
    """A message that a stop kept from going out."""

    message_id: MessageId
    channel: Channel
    template: str
    due_at: datetime


@dataclass(frozen=True, slots=True)
class AcceptedMessage:
    """The last messages that the provider had accepted before the stop."""

    message_id: MessageId
    channel: Channel
    template: str
    accepted_at: datetime


@dataclass(frozen=True, slots=True)
class EndedFollowUp:
    """One enrollment that a stop ended."""

    journey: str
    end: End
    steps_left: int


@dataclass(frozen=True, slots=True)
class Applied:
    """What `apply_event` did, for the bar, the person's page and the command line: the four facts.

    duplicate: the event was known already, and nothing changed. unmatched: it went to the list a person sees (I17).
    other_text: its id was known with another payload; it was taken in all the same, and is on the problem list.
    came_in_at, read_at: the source's time and ours; dated: whether the former can be right.
    on_their_way: messages that were with the provider when the stop came; whether it came in time is shown later.
    accepted: of the follow-ups that it ended; when it ended none, the last ones to this person.
    others: what it did for each other person who has the address that it closed, or that it came from.
    """

    event_id: InboxEventId | None
    person_id: PersonId | None
    duplicate: bool = False
    unmatched: bool = False
    other_text: bool = False
    came_in_at: datetime | None = None
    read_at: datetime | None = None
    dated: Dated = Dated.PLAUSIBLE
    changed_at: datetime | None = None
    ended: tuple[EndedFollowUp, ...] = ()
    cancelled: tuple[CancelledMessage, ...] = ()
    on_their_way: tuple[CancelledMessage, ...] = ()
    accepted: tuple[AcceptedMessage, ...] = ()
    suppressed: tuple[Channel, ...] = ()
    others: tuple[Applied, ...] = ()


def payload_hash(text: str) -> str:
    """SHA-256 of a payload, hex: tells a copy of an event from another event with the same derived key."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def derived_key(person: str, kind: EventKind, happened_at: datetime, payload: str) -> str:
    """The key of an event whose source gives no id: who, what, when by the source's time, and the payload's hash."""
    stamp = utc(happened_at).isoformat()
    return payload_hash("\n".join((person, kind.value, stamp, payload_hash(payload))))
