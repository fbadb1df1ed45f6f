"""What a provider may say to one attempt, and to a question about one.

Errors of a provider are values, not exceptions.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from app.domain.reasons import Why


@dataclass(frozen=True, slots=True)
class Accepted:
    """The provider has it. at: the provider's own time where it gives one, UTC."""

    provider_id: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Transient:
    """Surely not accepted, and another try may work. wait: the provider's Retry-After, if it gave one."""

    why: Why
    code: str = ""
    wait: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Permanent:
    """Surely not accepted, and no try will work. bad_address: the address itself is refused.

    opted_out: the provider blocks the address because the person opted out there (Twilio's 21610; RULES B4).
    """

    why: Why
    code: str = ""
    bad_address: bool = False
    opted_out: bool = False


@dataclass(frozen=True, slots=True)
class Outage:
    """Surely not accepted, for a reason that is nobody's in particular: it uses up no attempt (I12).

    wait: how long the provider asks everybody to wait (Retry-After of a 429, a daily limit); None when it does not say.
    """

    why: Why
    code: str = ""
    wait: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Works:
    """What a provider says about itself when it would take messages."""


Health = Works | Outage


@dataclass(frozen=True, slots=True)
class Unknown:
    """It may have arrived. Reconcile asks; nothing is tried again before (I13)."""

    why: Why
    code: str = ""


@dataclass(frozen=True, slots=True)
class NotMade:
    """The call was not made after all: a stop came since the note, or the note grew too old."""

    why: Why


Answer = Accepted | Transient | Permanent | Outage | Unknown | NotMade


@dataclass(frozen=True, slots=True)
class Found:
    """The provider has the attempt's message.

    others: more that may be it, likeliest first, where the provider can't be asked by our own name for it: the first
    that no other message has is it.
    """

    provider_id: str
    at: datetime
    others: tuple[Found, ...] = ()


@dataclass(frozen=True, slots=True)
class Absent:
    """The provider's own list does not hold it. sure: the list is complete, so one look is enough."""

    sure: bool


@dataclass(frozen=True, slots=True)
class CannotKnow:
    """The provider was asked about this attempt and could not say; ever: it never will.

    A question that could not be put at all, for want of a connection or a right key, is an Outage.
    """

    ever: bool = False


LookUp = Found | Absent | CannotKnow | Outage
