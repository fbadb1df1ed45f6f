"""Twilio's codes: what each means for the message, its address, or everybody (PROVIDERS.md sections 3 and 7). Pure.

Twilio asks not to build on codes as they change: one that is not here fails its message alone, judges nobody, and is
shown to staff.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import Enum, auto
from typing import Final, assert_never

from app.domain.answer import Answer, CannotKnow, Outage, Permanent, Transient, Unknown
from app.domain.delivery_status import Undelivered
from app.domain.pace import LONGEST_REST
from app.domain.reasons import Why
from app.providers.twilio_answers import Failed, Refused, Unclear, Unreached


class Kind(Enum):
    """Whom a code is about."""

    OPTED_OUT = auto()  # the person, who left at the provider
    BAD_ADDRESS = auto()  # the number: nobody reaches it this way
    THIS_MESSAGE = auto()  # this message between these two numbers, or its words
    BUSY = auto()  # everybody: too much at once, or today
    AGAIN = auto()  # nobody: another try may work
    LATE = auto()  # this message, which lay too long on the way


# everybody, until somebody mends it at the provider or in the settings
EVERYBODY: Final[Mapping[int, Why]] = {
    20003: Why.BAD_CREDENTIALS,
    20005: Why.ACCOUNT_SUSPENDED,
    20006: Why.KEY_TOO_NARROW,
    20404: Why.REFUSED,  # there is no such account there
    21210: Why.NUMBER_NOT_OURS,
    21212: Why.NUMBER_NOT_OURS,
    21213: Why.NUMBER_NOT_OURS,
    21215: Why.ACCOUNT_LIMITED,
    21216: Why.ACCOUNT_LIMITED,
    21219: Why.ACCOUNT_LIMITED,
    21606: Why.NUMBER_NOT_OURS,
    21608: Why.ACCOUNT_LIMITED,
    21659: Why.NUMBER_NOT_OURS,
    21660: Why.NUMBER_NOT_OURS,
    21661: Why.NUMBER_NOT_OURS,
    30002: Why.ACCOUNT_SUSPENDED,
    30032: Why.NUMBER_NOT_REGISTERED,
    30034: Why.NUMBER_NOT_REGISTERED,
    70051: Why.KEY_TOO_NARROW,
}
CODES: Final[Mapping[int, Kind]] = {
    20429: Kind.BUSY,
    21201: Kind.THIS_MESSAGE,
    21205: Kind.THIS_MESSAGE,
    21211: Kind.BAD_ADDRESS,
    21214: Kind.THIS_MESSAGE,
    21217: Kind.BAD_ADDRESS,
    21265: Kind.BAD_ADDRESS,
    21268: Kind.BAD_ADDRESS,
    21408: Kind.THIS_MESSAGE,
    21602: Kind.THIS_MESSAGE,
    21610: Kind.OPTED_OUT,
    21611: Kind.BUSY,
    21612: Kind.THIS_MESSAGE,
    21614: Kind.BAD_ADDRESS,
    21617: Kind.THIS_MESSAGE,
    21635: Kind.BAD_ADDRESS,
    30001: Kind.BUSY,
    30003: Kind.AGAIN,
    30004: Kind.THIS_MESSAGE,
    30005: Kind.BAD_ADDRESS,
    30006: Kind.BAD_ADDRESS,
    30007: Kind.THIS_MESSAGE,
    30008: Kind.AGAIN,
    30036: Kind.LATE,
    30410: Kind.AGAIN,
    30450: Kind.THIS_MESSAGE,
    63038: Kind.BUSY,
}
_OF_STATUS: Final[Mapping[int, Why]] = {
    401: Why.BAD_CREDENTIALS,
    403: Why.KEY_TOO_NARROW,
    404: Why.REFUSED,
    405: Why.REFUSED,
    407: Why.OFFLINE,  # a proxy on the way wants to know who we are
}


def answer_to_create(failure: Failed) -> Answer:
    """What a text or a call that was not plainly accepted came to."""
    match failure:
        case Unreached(why=why, code=code):
            return Outage(why, code)
        case Unclear(code=code):
            return Unknown(Why.NO_ANSWER, code)
        case Refused():
            return _outage(failure) or _refused(failure)
        case _:
            assert_never(failure)


def outage_of(failure: Failed) -> Outage:
    """Why a question about nobody in particular got no answer."""
    match failure:
        case Unreached(why=why, code=code):
            return Outage(why, code)
        case Unclear(code=code):
            return Outage(Why.NO_ANSWER, code)
        case Refused(code=code):
            return _outage(failure) or Outage(Why.REFUSED, str(code))
        case _:
            assert_never(failure)


def look_up_failed(failure: Failed) -> CannotKnow | Outage:
    """Why a look-up found out nothing. Never that the message is absent."""
    match failure:
        case Unclear(answered=True):
            return CannotKnow()
        case Refused():
            return _outage(failure) or CannotKnow()
        case _:
            return outage_of(failure)


def undelivered(code: int | None, word: str, at: datetime, billed: Mapping[str, str]) -> Undelivered:
    """What an accepted message came to that ended with this code. word: its status, told where there is no code.

    It was accepted once, so another try would be a second message: none is made.
    """
    told = word if code is None else str(code)
    kind = None if code is None else CODES.get(code)
    return Undelivered(
        at,
        Why.OPT_OUT if kind is Kind.OPTED_OUT else Why.UNDELIVERED,
        told,
        opted_out=kind is Kind.OPTED_OUT,
        bad_address=kind is Kind.BAD_ADDRESS,
        outage=_rest(code),
        billed=billed,
    )


def _rest(code: int | None) -> Outage | None:
    """What a code that comes later says about everybody: the self-test can't see it, so that nothing else ends it."""
    if code is None:
        return None
    if CODES.get(code) is Kind.BUSY:
        return Outage(Why.BUSY, str(code))
    return Outage(EVERYBODY[code], str(code), LONGEST_REST) if code in EVERYBODY else None


def _outage(refused: Refused) -> Outage | None:
    """What it says about everybody; None when it is about one message. A known code weighs more than the status."""
    code = str(refused.code)
    if refused.status == 429 or CODES.get(refused.code) is Kind.BUSY:
        return Outage(Why.BUSY, code, refused.wait)
    if refused.code in EVERYBODY:
        return Outage(EVERYBODY[refused.code], code)
    why = None if refused.code in CODES else _OF_STATUS.get(refused.status)
    return None if why is None else Outage(why, code)


def _refused(refused: Refused) -> Permanent | Transient:
    code = str(refused.code)
    match CODES.get(refused.code):
        case Kind.OPTED_OUT:
            return Permanent(Why.OPT_OUT, code, opted_out=True)
        case Kind.BAD_ADDRESS:
            return Permanent(Why.REFUSED, code, bad_address=True)
        case Kind.AGAIN:
            return Transient(Why.REFUSED, code, refused.wait)
        case None if refused.status == 408:
            return Transient(Why.NO_ANSWER, code, refused.wait)
        case Kind.THIS_MESSAGE | Kind.BUSY | Kind.LATE | None:
            return Permanent(Why.REFUSED, code)
        case never:
            assert_never(never)
