"""Twilio's official client as Stopwell uses it: where it goes, how long it may take, and that it keeps quiet.

What its answers and errors mean: twilio_answers.py. The client is imported when it is first used.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final, Generic, TypeVar
from urllib.parse import urlsplit

from app.domain.clock import Clock
from app.domain.loopback import is_loopback
from app.domain.provider_settings import Twilio
from app.domain.reasons import Why
from app.domain.secret import Secret
from app.providers.twilio_answers import Failed, Unreached, failed

OFFICIAL: Final = "https://api.twilio.com"
# at INFO and DEBUG they write down numbers, addresses of pages and keys
TALKATIVE: Final = ("python_http_client.client", "twilio.http_client", "urllib3")
# a pooled connection that the other side closed while idle looks like a message whose outcome nobody knows
FRESH_AFTER_S: Final = 30.0
CONNECT_S: Final = 5.0
ENOUGH_S: Final = 5.0  # with less time left, nothing more is begun
CHUNK: Final = 65_536
IN_PARALLEL: Final = 32
# not empty: the client takes an empty one for the process's own, where TWILIO_REGION would send it elsewhere
_NO_ENVIRONMENT: Final = {"STOPWELL": ""}

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Limits:
    """timeout_s: of each wait for an answer. whole_s: of all that one question takes; ports ask for 30 at most."""

    timeout_s: float = 20.0
    whole_s: float = 25.0


@dataclass(frozen=True, slots=True)
class Told(Generic[Value]):
    """The client gave a value. at: by Twilio's own clock, None where it did not say."""

    value: Value
    at: datetime | None


class Line:
    """One account's line to Twilio, for any thread."""

    def __init__(self, account: Twilio, token: Secret, clock: Clock, limits: Limits | None = None) -> None:
        """token: of the account, or the secret of the API key that the account's settings name."""
        self._account = account
        self._token = token
        self._clock = clock
        self._limits = limits or Limits()
        self._lock = threading.Lock()
        self._client: Any = None
        self._wire: Any = None

    def ask(self, question: Callable[[Any], Value]) -> Told[Value] | Failed:
        """What `question` gets out of the official client; what went wrong is a value.

        question: makes calls of the client and reads nothing out of their answers.
        """
        if not _is_twilio(self._account.base_url or OFFICIAL):
            return Unreached(Why.OFFLINE, "not an address of Twilio")  # a key goes nowhere else
        if not _could_be_token(self._token):
            return Unreached(Why.BAD_CREDENTIALS, "not a token")
        wire, client = self._built()
        wire.heard.headers = {}
        try:
            value = question(client)
        except Exception as fault:
            known = failed(fault, wire.heard.headers)
            if known is None:
                raise
            return known
        return Told(value, _told_at(wire.heard.headers.get("date", "")))

    @contextmanager
    def within(self) -> Iterator[Callable[[], bool]]:
        """All that this thread asks in the block shares one time limit; gives whether there is time for more."""
        wire, _ = self._built()
        until_s = self._clock.monotonic_s() + self._limits.whole_s
        wire.heard.until_s = until_s
        try:
            yield lambda: self._clock.monotonic_s() < until_s - min(ENOUGH_S, self._limits.whole_s / 2)
        finally:
            wire.heard.until_s = None

    def _built(self) -> tuple[Any, Any]:
        with self._lock:
            if self._client is None:
                self._wire = _wire(self._account.base_url or OFFICIAL, self._limits.timeout_s, self._clock)
                self._client = self._official(self._wire)
            return self._wire, self._client

    def _official(self, wire: Any) -> Any:
        for name in TALKATIVE:
            logger = logging.getLogger(name)
            if logger.level < logging.WARNING:
                logger.setLevel(logging.WARNING)
        from twilio.rest import Client

        return Client(
            self._account.api_key_sid or self._account.account_sid,
            self._token.reveal(),
            account_sid=self._account.account_sid,
            http_client=wire,
            environment=dict(_NO_ENVIRONMENT),
        )


class Heard(threading.local):
    """What this thread heard last: headers by lower-case name. until_s: when its time is up, None for no limit."""

    headers: Mapping[str, str] = {}
    until_s: float | None = None


def _wire(base_url: str, timeout_s: float, clock: Clock) -> Any:
    """The client's own HTTP client, bounded: a class of the vendor's, so it is made when the vendor is imported."""
    from requests import Session
    from requests.adapters import HTTPAdapter
    from requests.exceptions import InvalidURL, ReadTimeout
    from twilio.http.http_client import TwilioHttpClient

    class Adapter(HTTPAdapter):
        """Gives up connecting sooner than waiting for an answer, so that both together stay within the limit."""

        def send(self, request: Any, stream: bool = False, timeout: Any = None, *given: Any, **named: Any) -> Any:
            until_s = time.monotonic() + CONNECT_S + timeout
            response = super().send(request, stream, (min(CONNECT_S, timeout), timeout), *given, **named)
            response._content = b"".join(_read(response.raw, until_s))
            return response

    class Wire(TwilioHttpClient):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(timeout=timeout_s)
            self.heard = Heard()
            self._fresh = threading.Lock()
            self._used_s = clock.monotonic_s()
            self.session = self._new_session()

        def request(self, method: str, url: str, *given: Any, **named: Any) -> Any:
            if not url.startswith(f"{OFFICIAL}/"):
                raise InvalidURL("a page lies elsewhere")  # its answer chose the address; a key goes nowhere else
            named["timeout"] = self._time_left()
            self._after_idling()
            response = super().request(method, base_url.rstrip("/") + url[len(OFFICIAL) :], *given, **named)
            self.heard.headers = {str(name).lower(): str(value) for name, value in response.headers.items()}
            return response

        def _time_left(self) -> float:
            if self.heard.until_s is None:
                return timeout_s
            left = self.heard.until_s - clock.monotonic_s()
            if left <= 0:
                raise ReadTimeout("no time left")
            return min(timeout_s, left)

        def _after_idling(self) -> None:
            with self._fresh:
                now_s = clock.monotonic_s()
                if now_s - self._used_s > FRESH_AFTER_S:
                    self.session = self._new_session()
                self._used_s = now_s

        def _new_session(self) -> Session:
            session = Session()
            # neither a proxy nor a .netrc has a say on this machine itself
            session.trust_env = not is_loopback(urlsplit(base_url).hostname or "")
            for scheme in ("https://", "http://"):
                session.mount(scheme, Adapter(pool_maxsize=IN_PARALLEL))
            return session

    return Wire()


def _read(raw: Any, until_s: float) -> Iterator[bytes]:
    """An answer's body. One that comes drop by drop would else keep within every single wait, and never end."""
    from requests.exceptions import ChunkedEncodingError, ReadTimeout
    from urllib3.exceptions import HTTPError, ReadTimeoutError

    try:
        while chunk := raw.read1(CHUNK, decode_content=True):
            yield chunk
            if time.monotonic() > until_s:
                raise ReadTimeout("it comes drop by drop")
    except ReadTimeoutError as fault:
        raise ReadTimeout(fault) from fault
    except HTTPError as fault:
        raise ChunkedEncodingError(fault) from fault


def _told_at(date: str) -> datetime | None:
    try:
        at = parsedate_to_datetime(date)
    except ValueError:
        return None
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


def _is_twilio(base_url: str) -> bool:
    """Twilio's own hosts, its regions among them, and this machine itself."""
    place = urlsplit(base_url)
    host = place.hostname or ""
    return is_loopback(host) or (place.scheme == "https" and host.endswith(".twilio.com"))


def _could_be_token(token: Secret) -> bool:
    """Whether it can stand in a header: an error that refuses it would tell it."""
    told = token.reveal()
    return bool(told) and told.isascii() and told.isprintable() and " " not in told
