"""The receiver's pages: texts and their statuses from Twilio, events from SendGrid, leads from a form.

A request is answered 2xx only after the commit; whoever asked asks again otherwise. Nobody is told who is here.
"""

from __future__ import annotations

import hmac
import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import Final
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from app.domain.errors import OperatorError, StopwellError
from app.domain.inbound import ListedIn, TextIn
from app.domain.provider_settings import Receiver
from app.domain.secret import SecretName
from app.domain.sendgrid_events import MailNews, read_event
from app.intake.limits import TooLarge, Turnstile, read_body
from app.service.receiving import Receiving

log = logging.getLogger(__name__)

FORM_BYTES: Final = 64 * 1024
EVENTS_BYTES: Final = 2 * 1024 * 1024  # a batch of SendGrid's
MOST_EVENTS: Final = 5_000
OLDEST_EVENTS: Final = timedelta(hours=25)  # SendGrid tries a day long
LEADS_A_MINUTE: Final = 60.0
KNOCKS_A_MINUTE: Final = 1_200.0
TWIML: Final = '<?xml version="1.0" encoding="UTF-8"?><Response/>'

_Handler = Callable[[Request], Awaitable[Response]]


class Refused(Exception):
    """What a request is answered instead. wait_s: after which it may be tried again."""

    def __init__(self, status: int, told: str, wait_s: float = 0.0) -> None:
        super().__init__(told)
        self.status = status
        self.told = told
        self.wait_s = wait_s


class Pages:
    """The handlers. Each reads its body to a limit, checks who sent it, and then takes it in on a worker's thread."""

    def __init__(self, receiving: Receiving, seconds: Callable[[], float] = time.monotonic) -> None:
        self._doors = receiving
        self._leads = Turnstile(LEADS_A_MINUTE, LEADS_A_MINUTE / 2, seconds)
        self._knocks = Turnstile(KNOCKS_A_MINUTE, KNOCKS_A_MINUTE / 2, seconds)

    async def text_in(self, request: Request) -> Response:
        """A text to one of our numbers."""
        form = await self._signed_form(request)
        sid, sender = _first(form, "MessageSid"), _first(form, "From")
        if not sid or not sender:
            raise Refused(400, "MessageSid and From are missing.")
        pictures = _first(form, "NumMedia")
        item = TextIn(
            source="twilio",
            key=sid,
            sender=sender,
            to=_first(form, "To"),
            body=_first(form, "Body"),
            at=self._doors.clock.now(),
            pictures=int(pictures) if pictures.isdecimal() else 0,
            asked=_first(form, "OptOutType").upper(),
        )
        await run_in_threadpool(self._doors.intake.take, item)
        return Response(TWIML, media_type="text/xml")

    async def text_status(self, request: Request) -> Response:
        """What became of a text or a call: it is asked for at Twilio at the next pass, whatever this says."""
        form = await self._signed_form(request)
        texts, calls = _first(form, "MessageSid"), _first(form, "CallSid")
        if texts:
            await run_in_threadpool(self._doors.news.ask_soon, "twilio", texts)
        elif calls:
            await run_in_threadpool(self._doors.news.ask_soon, "twilio-voice", calls)
        else:
            raise Refused(400, "MessageSid is missing.")
        return Response(status_code=204)

    async def mail_events(self, request: Request) -> Response:
        """A batch of SendGrid's events, signed."""
        self._pass(self._knocks)
        body = await _body(request, EVENTS_BYTES)
        key = (await self._settings()).events_key
        stamp = request.headers.get("X-Twilio-Email-Event-Webhook-Timestamp", "")
        signature = request.headers.get("X-Twilio-Email-Event-Webhook-Signature", "")
        if not key or not self._doors.signatures.sendgrid(key, body, signature, stamp):
            raise Refused(403, "The signature is not SendGrid's, or its public key is not in the settings.")
        now = self._doors.clock.now()
        if not _is_fresh(stamp, now):
            raise Refused(403, "The signature is too old.")
        for event in _events(body):
            await run_in_threadpool(self._take_event, event, now)
        return Response(status_code=204)

    async def lead(self, request: Request) -> Response:
        """A lead, as JSON or as a form, from whoever has the token; strangers use up none of its owner's turns."""
        self._pass(self._knocks)
        await self._check_token(request)
        self._pass(self._leads)
        settings = await self._settings()
        fields = _fields(await _body(request, FORM_BYTES), request.headers.get("Content-Type", ""))
        try:
            taken = await run_in_threadpool(self._doors.leads.take, fields, location=settings.location)
        except OperatorError as refused:
            raise Refused(422, str(refused)) from refused
        return JSONResponse({"id": taken.event_id, "taken": True}, status_code=200 if taken.duplicate else 201)

    async def health(self, request: Request) -> Response:
        """That somebody is here; nothing else."""
        return JSONResponse({"stopwell": "receiver"})

    def _take_event(self, event: Mapping[str, object], now: datetime) -> None:
        match read_event(event, now):
            case ListedIn() as listed:
                self._doors.intake.take(listed)
            case MailNews() as news:
                self._doors.news.settle("sendgrid", news.provider_id, news.said)
            case None:
                pass

    async def _signed_form(self, request: Request) -> Mapping[str, list[str]]:
        self._pass(self._knocks)
        body = await _body(request, FORM_BYTES)
        try:
            form = parse_qs(body.decode("utf-8"), keep_blank_values=True, strict_parsing=bool(body), max_num_fields=400)
        except ValueError as exc:
            raise Refused(400, "This is not a form.") from exc
        token = await run_in_threadpool(self._doors.secrets.read, SecretName.TWILIO_AUTH_TOKEN)
        public = (await self._settings()).public_url
        if token is None or not public:
            raise Refused(403, "The signature can't be checked: the public URL or Twilio's token is not set.")
        url = f"{public.rstrip('/')}{request.url.path}" + (f"?{request.url.query}" if request.url.query else "")
        if not self._doors.signatures.twilio(token, url, form, request.headers.get("X-Twilio-Signature", "")):
            raise Refused(403, "The signature is not Twilio's.")
        return form

    async def _check_token(self, request: Request) -> None:
        token = await run_in_threadpool(self._doors.secrets.read, SecretName.LEAD_FORM_TOKEN)
        kind, _, given = request.headers.get("Authorization", "").partition(" ")
        if token is None:
            raise Refused(403, "No token is set. Set one: stopwell keys set lead-form-token")
        same = hmac.compare_digest(given.strip().encode(), token.reveal().encode())
        if kind.lower() != "bearer" or not same:
            raise Refused(401, "The token is not the right one.")

    async def _settings(self) -> Receiver:
        settings = await run_in_threadpool(self._doors.settings)
        if settings is None:
            raise Refused(503, "The receiver is switched off.")
        return settings

    def _pass(self, turnstile: Turnstile) -> None:
        wait = turnstile.wait_s()
        if wait:
            raise Refused(429, "Too many at once.", wait)


def make_app(pages: Pages) -> Starlette:
    """The web application of these pages."""
    routes = [
        Route("/twilio/messages", _guarded(pages.text_in), methods=["POST"]),
        Route("/twilio/status", _guarded(pages.text_status), methods=["POST"]),
        Route("/sendgrid/events", _guarded(pages.mail_events), methods=["POST"]),
        Route("/leads", _guarded(pages.lead), methods=["POST"]),
        Route("/health", _guarded(pages.health), methods=["GET"]),
    ]
    app = Starlette(routes=routes)
    app.router.redirect_slashes = False  # the address of a redirect would be what the request says that we are called
    return app


def _guarded(handler: _Handler) -> _Handler:
    """`handler`, its refusals and faults told as JSON: one line a person understands, never a traceback."""

    async def handle(request: Request) -> Response:
        try:
            return await handler(request)
        except Refused as refused:
            headers = {"Retry-After": str(ceil(refused.wait_s))} if refused.wait_s else None
            return JSONResponse({"refused": refused.told}, status_code=refused.status, headers=headers)
        except StopwellError as fault:
            log.exception("receiver.failed", extra={"path": request.url.path})
            return JSONResponse({"refused": fault.told}, status_code=503)
        except Exception:
            log.exception("receiver.failed", extra={"path": request.url.path})
            return JSONResponse({"refused": "Something went wrong; nothing was taken."}, status_code=500)

    return handle


async def _body(request: Request, most: int) -> bytes:
    announced = request.headers.get("Content-Length", "")
    try:
        if announced.isdecimal() and int(announced) > most:
            raise TooLarge
        return await read_body(request.stream(), most)
    except TooLarge as exc:
        raise Refused(413, f"At most {most:,} bytes are read.") from exc
    except ClientDisconnect as exc:
        raise Refused(400, "The request was cut off.") from exc


def _first(form: Mapping[str, list[str]], name: str) -> str:
    return form.get(name, [""])[0].strip()


def _is_fresh(stamp: str, now: datetime) -> bool:
    if not stamp.isdecimal() or len(stamp) > 12:
        return False
    return abs(now - datetime.fromtimestamp(int(stamp), UTC)) <= OLDEST_EVENTS


def _events(body: bytes) -> list[Mapping[str, object]]:
    try:
        read = json.loads(body)
    except (ValueError, RecursionError) as exc:
        raise Refused(400, "This is not JSON.") from exc
    if not isinstance(read, list) or len(read) > MOST_EVENTS:
        raise Refused(400, f"A list of at most {MOST_EVENTS:,} events is expected.")
    return [event for event in read if isinstance(event, dict)]


def _fields(body: bytes, kind: str) -> Mapping[str, object]:
    """The fields of a lead, of JSON or a form."""
    try:
        text = body.decode("utf-8")
        if kind.partition(";")[0].strip().lower() == "application/x-www-form-urlencoded":
            form = parse_qs(text, keep_blank_values=True, strict_parsing=bool(text), max_num_fields=100)
            return {name: ", ".join(values) for name, values in form.items()}
        read = json.loads(text)
    except (ValueError, RecursionError) as exc:
        raise Refused(400, "Send the lead as a JSON object, or as a form.") from exc
    if not isinstance(read, dict):
        raise Refused(400, "Send the lead as a JSON object, or as a form.")
    return read
