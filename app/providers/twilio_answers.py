"""What Twilio's official client raises, as one of three: refused, surely not arrived, nobody knows (PROVIDERS.md 1).

What a refusal's code means: twilio_codes.py. Never Twilio's words: those may hold a number, and codes are kept.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from http.client import HTTPException
from ssl import SSLCertVerificationError
from typing import Any, Final

from app.domain.reasons import Why

_LONGEST_WAIT_S: Final = 7 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Refused:
    """Twilio took the request and refused it: any 4xx. code: Twilio's own, else the status.

    wait: its Retry-After, None where it gave none.
    """

    status: int
    code: int
    wait: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Unreached:
    """There was no connection: whatever was asked surely did not arrive."""

    why: Why
    code: str


@dataclass(frozen=True, slots=True)
class Unclear:
    """The request may have arrived, and no answer that can be read came back.

    answered: it was Twilio that said something, such as a 5xx; else the connection broke, or nothing came in time.
    """

    code: str
    answered: bool


Failed = Refused | Unreached | Unclear


def failed(fault: Exception, headers: Mapping[str, str]) -> Failed | None:
    """What `fault` of the client's tells; None for a fault of ours. headers: of its answer, by lower-case name."""
    from requests.exceptions import RequestException
    from twilio.base.exceptions import TwilioException

    match fault:
        case TwilioException():
            return _said(fault, headers)
        case RequestException():
            return _broken(fault)
        case OSError() | HTTPException():
            return Unclear(type(fault).__name__, answered=False)
        case ValueError() | TypeError() | AttributeError() | LookupError():
            # what the client stumbles over when an answer is not what it should be: no JSON, or JSON of another shape
            return Unclear("unreadable", answered=True)
        case _:
            return None


def _said(fault: Any, headers: Mapping[str, str]) -> Failed:
    """A failing create or fetch tells status and code; a failing list hands over the answer itself."""
    status, code = getattr(fault, "status", None), getattr(fault, "code", None)
    if status is None and len(fault.args) > 1:
        status = getattr(fault.args[1], "status_code", None)
        code = _code_in(getattr(fault.args[1], "text", ""))
    if not isinstance(status, int):
        return Unclear("unreadable", answered=True)
    if not 400 <= status < 500:
        return Unclear(str(status), answered=True)
    return Refused(status, code if isinstance(code, int) else status, _wait(headers))


def _code_in(text: str) -> int | None:
    try:
        body = json.loads(text)
    except ValueError:
        return None
    code = body.get("code") if isinstance(body, dict) else None
    return code if isinstance(code, int) else None


def _wait(headers: Mapping[str, str]) -> timedelta | None:
    told = headers.get("retry-after", "").strip()
    if not (told.isascii() and told.isdigit()):
        return None
    return timedelta(seconds=min(int(told[:9]), _LONGEST_WAIT_S))


def _broken(fault: Exception) -> Unreached | Unclear:
    from requests.exceptions import ConnectTimeout, ProxyError, SSLError
    from urllib3.exceptions import NameResolutionError, NewConnectionError

    name = type(fault).__name__
    if isinstance(fault, ConnectTimeout):
        return Unreached(Why.OFFLINE, name)
    reason = _reason(fault)
    if isinstance(fault, SSLError):
        cause = reason.args[0] if reason is not None and reason.args else None
        if isinstance(cause, SSLCertVerificationError):
            return Unreached(Why.CERTIFICATE_WRONG, "certificate")
        return Unclear(name, answered=False)
    if isinstance(fault, ProxyError):  # a tunnel is dug before anything goes through it
        return Unreached(Why.OFFLINE, "proxy")
    if isinstance(reason, NewConnectionError | NameResolutionError):
        return Unreached(Why.OFFLINE, type(reason).__name__)
    return Unclear(name, answered=False)


def _reason(fault: Exception) -> Exception | None:
    """What urllib3 says made it fail."""
    reason = getattr(fault.args[0], "reason", None) if fault.args else None
    return reason if isinstance(reason, Exception) else None
