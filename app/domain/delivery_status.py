"""What a provider says later about what it accepted: it arrived, it did not, the call ended so, or nothing final."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from app.domain.answer import Outage
from app.domain.call_outcome import CallOutcome
from app.domain.reasons import Why

FOLLOWED_FOR = timedelta(days=3)  # no provider says anything new about an older one


@dataclass(frozen=True, slots=True)
class Delivered:
    """It arrived. at: the provider's own time where it gives one, UTC.

    billed: what the provider tells of its size and its price, for the log.
    """

    at: datetime
    billed: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Undelivered:
    """It did not arrive, and will not. at, billed: as in Delivered. code: the provider's own.

    opted_out: the provider blocks the address because the person opted out there (Twilio's 21610; RULES B4).
    bad_address: the address itself can't be reached, as a landline by text.
    outage: the reason is nobody's in particular, as an account that is suspended: the channel rests for it (I12).
    """

    at: datetime
    why: Why
    code: str = ""
    opted_out: bool = False
    bad_address: bool = False
    outage: Outage | None = None
    billed: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CallEnded:
    """A call that the provider made is over. at, code: as in Undelivered.

    unsure: the provider can't tell. With `no_answer`: something answered that may have been a person, so staff look
    before anything else is sent. With `disconnected`: it could not connect, so the number may be wrong, and staff are
    told when the last try ends so; nothing is closed for it.
    """

    outcome: CallOutcome
    at: datetime
    code: str = ""
    unsure: bool = False


@dataclass(frozen=True, slots=True)
class NotYet:
    """Nothing final is known."""


DeliveryStatus = Delivered | Undelivered | CallEnded | NotYet
