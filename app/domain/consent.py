"""Consent by hand: what is kept of it, and what has to be there before it may be recorded (RULES B9, C1, C3)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from app.domain.errors import OperatorError
from app.domain.states import Channel, Purpose


class ConsentWay(StrEnum):
    """How somebody agreed (RULES C1)."""

    WEB_FORM = "web_form"
    PAPER = "paper"
    TEXT = "text"
    EMAIL = "email"
    PHONE = "phone"
    IN_PERSON = "in_person"


WAY_WORDS: Mapping[ConsentWay, str] = {
    ConsentWay.WEB_FORM: "web form",
    ConsentWay.PAPER: "signed paper",
    ConsentWay.TEXT: "text message",
    ConsentWay.EMAIL: "email",
    ConsentWay.PHONE: "by phone",
    ConsentWay.IN_PERSON: "in person",
}
SPOKEN = frozenset({ConsentWay.PHONE, ConsentWay.IN_PERSON})
IN_WRITING = (
    "In the US marketing texts and automated calls need it in writing. Better: let them sign a form, or text it to you."
)


def channels_in_words(words: str) -> tuple[Channel, ...]:
    """The phone channels that a sentence of a file or a form gives: texts, and calls where it speaks of calls.

    A consent is for one channel (RULES C1): whoever agreed to texts has not agreed to be rung by a machine.
    """
    return (Channel.SMS, Channel.CALL) if _CALLS.search(words) else (Channel.SMS,)


_CALLS = re.compile(
    r"\b(?:call(?:s|ed|ing)?|robocalls?|ring|rung|dial(?:l?ed|l?ing)?|voice|autodial\w*)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Agreed:
    """What somebody agreed to, as staff record it.

    wording: the words that they were shown or said. evidence: where the form, paper or message is kept. at: when they
    agreed, None for now. lift: they asked for no more before, and this is a yes after it (RULES B9).
    """

    channels: tuple[Channel, ...]
    way: ConsentWay
    wording: str = ""
    evidence: str = ""
    at: datetime | None = None
    lift: bool = False
    purpose: Purpose = Purpose.MARKETING


@dataclass(frozen=True, slots=True)
class Closed:
    """A channel that is closed to somebody. since: when they last asked for no more; None: the address is dead."""

    channel: Channel
    since: datetime | None


@dataclass(frozen=True, slots=True)
class ConsentDone:
    """What recording did. given: channels with a new consent. lifted: channels that are open again."""

    given: tuple[Channel, ...] = ()
    lifted: tuple[Channel, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """What there is already, before something is recorded. closed: of the channels asked for, those that are closed."""

    country: str
    closed: tuple[Closed, ...] = ()
    addresses: Mapping[Channel, str | None] = field(default_factory=dict)


def check_agreed(agreed: Agreed, standing: Standing, now: datetime) -> tuple[str, ...]:
    """What staff should know about recording `agreed`; () for nothing.

    Raises OperatorError when it can't be recorded, with what is missing.
    """
    if not agreed.channels:
        raise OperatorError("Say what they agreed to: texts, calls or email.")
    at = agreed.at or now
    if at > now:
        raise OperatorError("They can't have agreed in the future.", "Give the time at which they did.")
    if not (agreed.wording.strip() or agreed.evidence.strip()):
        raise OperatorError("A consent needs its proof: the words that they agreed to, or where the form is kept.")
    for channel in agreed.channels:
        if not standing.addresses.get(channel):
            raise OperatorError(f"There is no {_ADDRESS[channel]} that it could be for.", "Add it first.")
    if agreed.lift and not agreed.evidence.strip():
        raise OperatorError(
            f"{closed_words(standing.closed)}.", "To lift that, say where the proof of their yes is kept."
        )
    if standing.closed:
        _check_lift(agreed, standing, at)
    spoken = agreed.way in SPOKEN and agreed.purpose is Purpose.MARKETING and standing.country == "US"
    return (IN_WRITING,) if spoken and any(c is not Channel.EMAIL for c in agreed.channels) else ()


def closed_words(closed: Sequence[Closed]) -> str:
    """What stands in the way, in a sentence without its full stop."""
    wishes = {each.since.date() for each in closed if each.since is not None}
    if wishes:
        return f"They asked for no more on {max(wishes):%d %B %Y}"
    if not closed:
        return "They asked for no more once"
    return "This address is on the do-not-contact list: nothing arrives there"


def _check_lift(agreed: Agreed, standing: Standing, at: datetime) -> None:
    told = closed_words(standing.closed)
    if not agreed.lift:
        raise OperatorError(f"{told}.", "Only a yes that came after that lifts it: say so, with its proof.")
    if any(each.since is not None and each.since > at for each in standing.closed):
        raise OperatorError(f"{told}.", "They agreed before that; only a yes that came after it lifts it.")


_ADDRESS: Mapping[Channel, str] = {Channel.EMAIL: "email address", Channel.SMS: "number", Channel.CALL: "number"}
