"""The states of enrollment, message, person and attempt, and every allowed way between them (DESIGN section 4).

The doors in store/ refuse any pair that is not in EXITS; triggers in the database refuse the way back (I3).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Channel(StrEnum):
    """How a message reaches a person."""

    EMAIL = "email"
    SMS = "sms"
    CALL = "call"


class Purpose(StrEnum):
    """Why a message is sent: marketing needs recorded consent for texts; care needs only the address itself."""

    MARKETING = "marketing"
    CARE = "care"


class EnrollmentState(StrEnum):
    """Live states first, then the seven ends."""

    ACTIVE = "active"
    PAUSED = "paused"
    REPLIED = "replied"
    CONVERTED = "converted"
    OPTED_OUT = "opted_out"
    EXHAUSTED = "exhausted"
    SUPPRESSED = "suppressed"
    STOPPED = "stopped"
    CLOSED = "closed"


class End(StrEnum):
    """A terminal state of an enrollment. No path back."""

    REPLIED = "replied"
    CONVERTED = "converted"
    OPTED_OUT = "opted_out"
    EXHAUSTED = "exhausted"
    SUPPRESSED = "suppressed"
    STOPPED = "stopped"
    CLOSED = "closed"

    @property
    def state(self) -> EnrollmentState:
        """The enrollment state of the same name."""
        return EnrollmentState(self.value)


class WaitsFor(StrEnum):
    """What an active enrollment waits for at its step; `nothing` means that the step is still to be walked."""

    NOTHING = "nothing"
    TIME = "time"
    MESSAGE = "message"


class Contact(StrEnum):
    """Whether a person may be followed up with at all."""

    OPEN = "open"
    WITH_STAFF = "with_staff"
    DO_NOT_CONTACT = "do_not_contact"


class MessageState(StrEnum):
    """The road of one message."""

    QUEUED = "queued"
    LEASED = "leased"
    SENDING = "sending"
    ACCEPTED = "accepted"
    DELIVERED = "delivered"
    UNDELIVERED = "undelivered"
    FAILED = "failed"
    CANCELLED = "cancelled"


class AttemptAnswer(StrEnum):
    """How one try ended; `open` is a note whose outcome is not known yet."""

    OPEN = "open"
    ACCEPTED = "accepted"
    TRANSIENT = "transient"
    PERMANENT = "permanent"
    OUTAGE = "outage"
    NOT_MADE = "not_made"
    NOT_FOUND = "not_found"
    UNKNOWN = "unknown"


class JourneyState(StrEnum):
    """A journey is drawn, then live, then retired."""

    DRAFT = "draft"
    LIVE = "live"
    RETIRED = "retired"


LIVE = frozenset({EnrollmentState.ACTIVE, EnrollmentState.PAUSED})
TERMINAL = frozenset(EnrollmentState) - LIVE

ENROLLMENT_EXITS: Mapping[EnrollmentState, frozenset[EnrollmentState]] = {
    EnrollmentState.ACTIVE: frozenset({EnrollmentState.PAUSED}) | TERMINAL,
    EnrollmentState.PAUSED: frozenset({EnrollmentState.ACTIVE}) | TERMINAL,
    **{end: frozenset[EnrollmentState]() for end in TERMINAL},
}

# do_not_contact is lifted only with recorded consent (RULES B9), by one door of its own
CONTACT_EXITS: Mapping[Contact, frozenset[Contact]] = {
    Contact.OPEN: frozenset({Contact.WITH_STAFF, Contact.DO_NOT_CONTACT}),
    Contact.WITH_STAFF: frozenset({Contact.OPEN, Contact.DO_NOT_CONTACT}),
    Contact.DO_NOT_CONTACT: frozenset({Contact.OPEN}),
}

# queued and leased may become accepted: a try that was given up turns out to have arrived, and it is not tried again
MESSAGE_EXITS: Mapping[MessageState, frozenset[MessageState]] = {
    MessageState.QUEUED: frozenset({MessageState.LEASED, MessageState.ACCEPTED, MessageState.CANCELLED}),
    MessageState.LEASED: frozenset(
        {MessageState.QUEUED, MessageState.SENDING, MessageState.ACCEPTED, MessageState.CANCELLED}
    ),
    MessageState.SENDING: frozenset(
        {MessageState.ACCEPTED, MessageState.QUEUED, MessageState.FAILED, MessageState.CANCELLED}
    ),
    MessageState.ACCEPTED: frozenset({MessageState.DELIVERED, MessageState.UNDELIVERED}),
    MessageState.DELIVERED: frozenset(),
    MessageState.UNDELIVERED: frozenset(),
    MessageState.FAILED: frozenset(),
    MessageState.CANCELLED: frozenset(),
}

FINAL_MESSAGE_STATES = frozenset(state for state, exits in MESSAGE_EXITS.items() if not exits)
NOT_YET_HANDED = frozenset({MessageState.QUEUED, MessageState.LEASED})
UNDER_WAY = NOT_YET_HANDED | {MessageState.SENDING}

MAX_ATTEMPTS = 3  # I11


def under_way(state: MessageState, *, call: bool) -> bool:
    """Whether a follow-up still waits for a message in `state`. A call is not over when it is taken."""
    return state in UNDER_WAY or (call and state is MessageState.ACCEPTED)


def may_become(seen: EnrollmentState, to: EnrollmentState) -> bool:
    """Whether an enrollment may go from `seen` to `to` (I3: a terminal state has no exits)."""
    return to in ENROLLMENT_EXITS[seen]


def message_may_become(seen: MessageState, to: MessageState) -> bool:
    """Whether a message may go from `seen` to `to`."""
    return to in MESSAGE_EXITS[seen]
