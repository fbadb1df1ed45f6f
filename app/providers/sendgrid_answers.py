"""What SendGrid's answers mean: accepted, surely not, or nobody knows (PROVIDERS.md section 1). Decides nothing else.

Codes are the status and the field that is named, never SendGrid's words: those may hold an address, and codes are kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, assert_never

from app.domain.answer import Accepted, Answer, Outage, Permanent, Unknown
from app.domain.reasons import Why
from app.providers.sendgrid_client import Outcome, Replied, Unclear, Unreached

# by the field that a 400 names: whose fault it is
_ADDRESS: Final = re.compile(r"personalizations(?:\.\d+|\[\d+\])\.to(?:\.\d+|\[\d+\])(?:\.email)?")
_SETTINGS: Final = re.compile(r"(?:from|reply_to|asm|api_key|mail_settings|tracking_settings)(?:[.\[].*)?")
_FIELD: Final = re.compile(r"[A-Za-z0-9_.\[\]-]{1,80}")
_LAST: Final = 253_402_300_799  # the last second of the year 9999
_DIGITS: Final = 11
# what is wrong with the way there and not with any mail: no such place, no such method, a proxy in between
_PLACE: Final = frozenset({404, 405, 407})


def answer_to_send(outcome: Outcome, now: datetime) -> Answer:
    """What a POST of a mail came to. now: taken as the time of acceptance where SendGrid does not tell its own."""
    match outcome:
        case Unreached(why=why, code=code):
            return Outage(why, code)
        case Unclear(code=code):
            return Unknown(Why.NO_ANSWER, code)
        case Replied(status=202, headers=headers) if headers.get("x-message-id"):
            return Accepted(headers["x-message-id"], outcome.at or now)
        case Replied(status=status) if 400 <= status < 500:
            return outage(outcome, now) or _refused(outcome)
        case Replied(status=status):
            return Unknown(Why.NO_ANSWER, str(status))
        case _:
            assert_never(outcome)


def outage(replied: Replied, now: datetime) -> Outage | None:
    """What it says about the account, the key or the place, so about everybody; None when it is about one request."""
    told = _errors(replied)
    words = " ".join(message for message, _ in told).lower()
    fields = [field for _, field in told]
    code = _code(replied.status, fields)
    match replied.status:
        case 401 if "credit" in words:
            return Outage(Why.NO_CREDIT, code)
        case 401:
            return Outage(Why.BAD_CREDENTIALS, code)
        case 403 if "sender identity" in words or any(field.partition(".")[0] == "from" for field in fields):
            return Outage(Why.SENDER_NOT_VERIFIED, code)
        case 403:
            return Outage(Why.KEY_TOO_NARROW, code)
        case 429:
            return Outage(Why.BUSY, code, _wait(replied, now))
        case 400 if any(field.startswith("asm") for field in fields):
            return Outage(Why.NO_UNSUBSCRIBE_GROUP, code)
        case 400 if any(_SETTINGS.fullmatch(field) for field in fields):
            return Outage(Why.REFUSED, code)
        case status if status in _PLACE:
            return Outage(Why.REFUSED, code)
        case _:
            return None


def health_outage(outcome: Outcome, now: datetime) -> Outage | None:
    """Why a question about the account itself failed; None when it was answered."""
    match outcome:
        case Unreached(why=why, code=code):
            return Outage(why, code)
        case Unclear(code=code):
            return Outage(Why.NO_ANSWER, code)
        case Replied(status=status) if 200 <= status < 300:
            return None
        case Replied(status=status) if status >= 500:
            return Outage(Why.NO_ANSWER, str(status))
        case Replied():
            return outage(outcome, now) or Outage(Why.REFUSED, _code(outcome.status, _fields(outcome)))
        case _:
            assert_never(outcome)


def document(replied: Replied) -> object:
    """The answer's JSON; None for what is not JSON."""
    try:
        return json.loads(replied.body)
    except ValueError:  # UnicodeDecodeError is one
        return None


def instant(seconds: object) -> datetime:
    """A time that SendGrid tells in Unix seconds; the beginning of 1970 for what is none."""
    if isinstance(seconds, int | float) and 0 <= seconds <= _LAST:
        return datetime.fromtimestamp(seconds, UTC)
    return datetime.fromtimestamp(0, UTC)


def rows(told: object) -> Sequence[Mapping[str, object]]:
    """The objects of a list; whatever is no object is left out."""
    return [each for each in told if isinstance(each, dict)] if isinstance(told, list) else []


def _refused(replied: Replied) -> Permanent:
    """Our fault, or the address's: this mail is refused, and staff see it."""
    fields = _fields(replied)
    code = _code(replied.status, fields)
    if replied.status == 400 and fields and all(_ADDRESS.fullmatch(field) for field in fields):
        return Permanent(Why.INVALID_ADDRESS, code, bad_address=True)
    return Permanent(Why.REFUSED, code)


def _wait(replied: Replied, now: datetime) -> timedelta | None:
    """How long a 429 asks to wait: Retry-After, else until X-RateLimit-Reset, by SendGrid's own clock."""
    after, reset = replied.headers.get("retry-after", ""), replied.headers.get("x-ratelimit-reset", "")
    if after.isdecimal() and len(after) <= _DIGITS:
        return max(timedelta(seconds=1), timedelta(seconds=int(after)))
    if reset.isdecimal() and len(reset) <= _DIGITS:
        return max(timedelta(seconds=1), instant(int(reset)) - (replied.at or now))
    return None


def _errors(replied: Replied) -> list[tuple[str, str]]:
    """(message, field) of each error that the body names; none for a page of HTML, as a 413 comes with."""
    told = document(replied)
    errors = told.get("errors") if isinstance(told, dict) else None
    return [(str(each.get("message") or ""), str(each.get("field") or "")) for each in rows(errors)]


def _fields(replied: Replied) -> list[str]:
    return [field for _, field in _errors(replied) if field]


def _code(status: int, fields: Sequence[str]) -> str:
    named = next((field for field in fields if _FIELD.fullmatch(field)), "")
    return f"{status} {named}".strip()
