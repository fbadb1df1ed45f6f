"""What a stop and a delivery status need of the store beside the doors in ports.py; store/stops.py and statuses.py."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, runtime_checkable

from app.domain.delivery_status import DeliveryStatus
from app.domain.events import AcceptedMessage, CancelledMessage, InboxEvent
from app.domain.ids import EnrollmentId, InboxEventId, LocationId, MessageId, PersonId
from app.domain.reasons import Why
from app.domain.states import Channel


@dataclass(frozen=True, slots=True)
class AcceptedNote:
    """A message that a provider accepted, for asking what became of it. key: of the attempt that it accepted."""

    message_id: MessageId
    person_id: PersonId
    enrollment_id: EnrollmentId | None
    location_id: LocationId
    key: str
    provider: str
    provider_id: str
    channel: Channel
    to: str
    accepted_at: datetime


@dataclass(frozen=True, slots=True)
class Standing:
    """An accepted message's row, locked: what a move of it needs."""

    version: int
    attempts: int


@runtime_checkable
class Follower(Protocol):
    """A sender that can say later what became of a message."""

    def statuses(self, notes: Sequence[AcceptedNote]) -> Mapping[str, DeliveryStatus]:
        """By the key of each note; one that is left out is not known yet. Never raises for what a provider can do."""
        ...


class Stops(Protocol):
    """What one stop has to know and do about several people at once."""

    def live_of(self, person_ids: Collection[PersonId]) -> Sequence[EnrollmentId]:
        """Their active and paused enrollments, locked in id order whoever's they are."""
        ...

    def written_to_last(self, person_ids: Collection[PersonId], address: str) -> PersonId | None:
        """Whose message went to `address` last; None when none of theirs did."""
        ...

    def cancel_to(
        self,
        person_id: PersonId,
        channels: Collection[Channel],
        enrollment_ids: Collection[EnrollmentId],
        why: Why,
        event_id: InboxEventId,
        now: datetime,
    ) -> Sequence[tuple[CancelledMessage, EnrollmentId | None]]:
        """Queued and leased messages of these enrollments by `channels`, and those written by hand -> cancelled."""
        ...

    def last_accepted_by(self, person_id: PersonId) -> Sequence[AcceptedMessage]:
        """The person's messages that a provider had accepted, newest first, at most 20."""
        ...

    def was_lifted(self, channel: Channel, address: str) -> bool:
        """Whether an entry of the do-not-contact list for `address` was ever lifted."""
        ...

    def phone_of(self, location_id: LocationId) -> str | None:
        """The location's own number."""
        ...


class Inbox(Protocol):
    """Events that fit nobody, and copies that are none."""

    def differs(self, event: InboxEvent) -> bool:
        """Whether the event with this key is known with another payload."""
        ...

    def unmatched(self, event_id: InboxEventId) -> InboxEvent | None:
        """The event, locked, while it is on the list of unmatched ones."""
        ...

    def match(self, event_id: InboxEventId, person_id: PersonId) -> None:
        """It is this person's: received, and not applied yet."""
        ...

    def set_aside(self, event_id: InboxEventId) -> None:
        """Somebody looked, and there is nothing to do."""
        ...

    def keep_raw(self, event_id: InboxEventId, raw: bytes, *, cut: bool) -> None:
        """The event's mail as it came. cut: of a longer one this is the beginning."""
        ...

    def solve(self, event_id: InboxEventId, now: datetime, by: str) -> int:
        """Take what the problem list says about this event off it; how many lines."""
        ...


class Statuses(Protocol):
    """Accepted messages whose outcome is not final."""

    def claim(self, provider: str, since: datetime, now: datetime, limit: int) -> Sequence[AcceptedNote]:
        """Those accepted after `since` that are due to be asked about, oldest first; put off, further each time."""
        ...

    def ask_soon(self, message_id: MessageId, now: datetime) -> bool:
        """The provider is to be asked about it at `now`, not later; False when nothing is left to ask."""
        ...

    def standing(self, message_id: MessageId) -> Standing | None:
        """The row, locked, while the message is accepted and nothing final is known."""
        ...

    def of_others(self, message_id: MessageId, provider: str, provider_ids: Collection[str]) -> frozenset[str]:
        """Which of these ids of the provider's belong to another message."""
        ...
