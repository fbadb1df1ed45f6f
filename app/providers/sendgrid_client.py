"""SendGrid's official client as Stopwell uses it: where it goes, how long it may take, and what came of a call.

One client a call: the vendor's object keeps headers from call to call, and is for one thread. What an answer means is
told in sendgrid_answers.py. The client is imported when it is first used.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache
from http.client import HTTPException
from ssl import SSLCertVerificationError
from typing import Any, Final
from urllib.error import URLError
from urllib.parse import urlsplit

from app.domain.loopback import is_loopback
from app.domain.provider_settings import Sendgrid
from app.domain.reasons import Why
from app.domain.secret import Secret
from app.providers.sendgrid_wire import Wire

GLOBAL: Final = "https://api.sendgrid.com"
HOSTS: Final = frozenset({"api.sendgrid.com", "api.eu.sendgrid.com"})
# at DEBUG they write down the key, and whole mails
TALKATIVE: Final = ("python_http_client", "python_http_client.client", "sendgrid")


@dataclass(frozen=True, slots=True)
class Limits:
    """timeout_s: of each step of a call. whole_s: of everything that one question takes; ports ask for 30 at most."""

    timeout_s: float = 20.0
    whole_s: float = 25.0


@dataclass(frozen=True, slots=True)
class Replied:
    """SendGrid answered. headers: by lower-case name. at: its own clock, None where it did not say."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Unreached:
    """There was no connection: whatever was asked surely did not arrive."""

    why: Why
    code: str


@dataclass(frozen=True, slots=True)
class Unclear:
    """The connection stood and no whole answer came back: it may have arrived."""

    code: str


Outcome = Replied | Unreached | Unclear


class Question:
    """One call or several that share a time limit. For one thread."""

    def __init__(self, account: Sendgrid, key: Secret, limits: Limits) -> None:
        self._base_url = account.base_url or GLOBAL
        self._key = key
        self._timeout_s = limits.timeout_s
        self._until_s = time.monotonic() + limits.whole_s

    @property
    def has_time(self) -> bool:
        """Whether another call may be begun."""
        return time.monotonic() < self._until_s

    def send(self, mail: Mapping[str, object]) -> Outcome:
        """POST /v3/mail/send."""
        return self._called(lambda api: api.send(dict(mail)))

    def get(self, *path: str, query: Mapping[str, object] | None = None) -> Outcome:
        """GET /v3/<path>."""
        return self._called(lambda api: _at(api, path).get(query_params=dict(query or {})))

    def post(self, *path: str, body: Mapping[str, object]) -> Outcome:
        """POST /v3/<path>."""
        return self._called(lambda api: _at(api, path).post(request_body=dict(body)))

    def _called(self, call: Any) -> Outcome:
        host = urlsplit(self._base_url).hostname or ""
        if host not in HOSTS and not is_loopback(host):
            return Unreached(Why.OFFLINE, "not an address of SendGrid")  # a key goes nowhere else
        if not _could_be_key(self._key):
            return Unreached(Why.BAD_CREDENTIALS, "not a key")
        if not self.has_time:
            return Unreached(Why.NO_ANSWER, "no time left")
        wire = Wire(self._until_s)
        try:
            return _outcome(call, self._client(wire, loopback=is_loopback(host)), wire)
        finally:
            wire.close()

    def _client(self, wire: Wire, *, loopback: bool) -> Any:
        _hold_loggers()
        from sendgrid import SendGridAPIClient

        api = SendGridAPIClient(self._key.reveal(), host=self._base_url.rstrip("/"))
        opener = wire.opener(loopback=loopback)
        api.client = _bound_client()(
            host=api.host, request_headers=api.client.request_headers, version=3, opener=opener
        )
        api.client.timeout = self._timeout_s
        return api


def _outcome(call: Any, api: Any, wire: Wire) -> Outcome:
    from python_http_client.exceptions import HTTPError

    try:
        reply = call(api)
    except HTTPError as refused:
        return _replied(refused.status_code, refused.headers, refused.body)
    except (OSError, HTTPException) as fault:
        cause = fault.reason if isinstance(fault, URLError) and isinstance(fault.reason, Exception) else fault
        code = type(cause).__name__
        if wire.reached:
            return Unclear(code)
        wrong = isinstance(cause, SSLCertVerificationError)
        return Unreached(Why.CERTIFICATE_WRONG if wrong else Why.OFFLINE, code)
    return _replied(reply.status_code, reply.headers, reply.body)


def _replied(status: int, headers: Any, body: bytes) -> Replied:
    named = {str(name).lower(): str(value) for name, value in (headers or {}).items()}
    return Replied(status, named, body, _told_at(named.get("date", "")))


def _told_at(date: str) -> datetime | None:
    try:
        at = parsedate_to_datetime(date)
    except ValueError:
        return None
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


def _at(api: Any, path: Sequence[str]) -> Any:
    place = api.client
    for part in path:
        place = place._(part)
    return place


def _could_be_key(key: Secret) -> bool:
    """Whether it can stand in a header: http.client tells a header that it refuses, and so would tell the key."""
    told = key.reveal()
    return bool(told) and told.isascii() and told.isprintable() and " " not in told


def _hold_loggers() -> None:
    for name in TALKATIVE:
        logger = logging.getLogger(name)
        if logger.level < logging.WARNING:
            logger.setLevel(logging.WARNING)


@lru_cache(maxsize=1)
def _bound_client() -> Any:
    """The vendor's client with an opener of ours in place of the one that it builds itself."""
    from python_http_client import Client

    class BoundClient(Client):  # type: ignore[misc]
        def __init__(self, *given: Any, opener: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            self._opener = opener

        def _build_client(self, name: str | None = None) -> Any:
            return BoundClient(
                host=self.host,
                version=self._version,
                request_headers=self.request_headers,
                url_path=[*self._url_path, name] if name else self._url_path,
                append_slash=self.append_slash,
                timeout=self.timeout,
                opener=self._opener,
            )

        def _make_request(self, opener: Any, request: Any, timeout: float | None = None) -> Any:
            return super()._make_request(self._opener, request, timeout=timeout)

    return BoundClient
