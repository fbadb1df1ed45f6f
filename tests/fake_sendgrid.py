"""A SendGrid on this machine: takes mails, keeps its lists and logs, and fails as the real one and its network do.

Not a mock: the official client speaks HTTP to it. What it does not check, the contract tests do.
"""

from __future__ import annotations

import json
import socket
import struct
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

KEY = "SG.fake-key.nothing-opens-with-it"
FROM = "desk@example.com"
GROUP = 4711

LISTS = {
    "/v3/suppression/bounces": "bounces",
    "/v3/suppression/blocks": "blocks",
    "/v3/suppression/invalid_emails": "invalid_emails",
    "/v3/suppression/spam_reports": "spam_reports",
    "/v3/suppression/unsubscribes": "unsubscribes",
}
SCOPES = [
    *("mail.send", "suppression.bounces.read", "suppression.blocks.read", "suppression.invalid_emails.read"),
    *("suppression.spam_reports.read", "suppression.unsubscribes.read", "asm.groups.suppressions.read"),
]


@dataclass
class Request:
    """One request as it came."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: Any
    raw: bytes


@dataclass
class Answer:
    """One answer as it goes. body: None for none."""

    status: int
    body: object = None
    headers: dict[str, str] = field(default_factory=dict)


Fault = Callable[["_Talk", Request], Answer | None]


class FakeSendgrid:
    """Stateful. Times are Unix seconds of its own clock, `now`."""

    def __init__(self) -> None:
        self.now = 1_772_474_400  # 2026-03-02 18:00 UTC
        self.scopes = list(SCOPES)
        self.verified = {FROM}
        self.waiting: set[str] = set()  # entered as a sender, not confirmed
        self.groups = {GROUP}
        self.mails: list[dict[str, Any]] = []
        self.logs: list[dict[str, Any]] = []
        self.lists: dict[str, list[dict[str, Any]]] = {name: [] for name in LISTS.values()}
        self.group_unsubscribes: list[dict[str, Any]] = []
        self.requests: list[Request] = []
        self.answers: list[tuple[Request, Answer]] = []
        self.faults: dict[str, list[Fault]] = {}
        self.logs_lag = 0  # so many of the newest mails are not in the logs yet
        self._lock = threading.Lock()
        self._ids = 0
        self._server = _Server(("127.0.0.1", 0), _Talk)
        self._server.fake = self
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def fail(self, path: str, *faults: Fault) -> None:
        """The next requests to `path` go this way, one fault each."""
        self.faults.setdefault(path, []).extend(faults)

    def of(self, path: str) -> list[Request]:
        """Requests to `path`, in order."""
        return [request for request in self.requests if request.path == path]

    def list_entry(self, name: str, email: str, created: int | None = None, **more: object) -> None:
        """Put an address on one of the five lists that have windows."""
        entry: dict[str, Any] = {"created": self.now if created is None else created, "email": email}
        if name == "spam_reports":
            entry["ip"] = "192.0.2.7"
        elif name != "unsubscribes":
            entry |= {"reason": "550 5.1.1 no such user"} | ({} if name == "invalid_emails" else {"status": "5.1.1"})
        self.lists[name].append(entry | more)

    def group_entry(self, email: str, group: int = GROUP, created: int | None = None) -> None:
        """Somebody left by the hosted page."""
        at = self.now if created is None else created
        entry = {"email": email, "group_id": group, "group_name": "Offers", "created_at": at}
        self.group_unsubscribes.append(entry)

    def becomes(self, mail: int, status: str, event: Mapping[str, object] | None = None) -> None:
        """What becomes of the mail with this number, counted from 0; `event` as Email Logs tell it."""
        log = self.logs[mail]
        log["status"] = status
        if event is not None:
            log["events"].append(self._event(log, event))

    # --- what it answers

    def answer(self, request: Request) -> Answer:
        """By the books; under its lock."""
        with self._lock:
            if request.headers.get("authorization") != f"Bearer {KEY}":
                return _errors(401, "authorization required")
            place = (request.method, request.path)
            if place == ("POST", "/v3/mail/send"):
                return self._send(request.body)
            if place == ("GET", "/v3/scopes"):
                return Answer(200, {"scopes": self.scopes})
            if place == ("GET", "/v3/verified_senders"):
                return Answer(200, {"results": self._senders()})
            if request.method == "GET" and request.path in LISTS:
                name = LISTS[request.path]
                return self._list(f"suppression.{name}.read", self._page(name, request.query))
            if place == ("GET", "/v3/asm/suppressions"):
                return self._list("asm.groups.suppressions.read", self.group_unsubscribes)
            if place == ("POST", "/v3/logs"):
                return self._search(request.body)
            if request.method == "GET" and request.path.startswith("/v3/logs/"):
                return self._detail(unquote(request.path.removeprefix("/v3/logs/")))
            return _errors(404, "not found")

    def _send(self, mail: dict[str, Any]) -> Answer:
        if "mail.send" not in self.scopes:
            return _errors(403, "access forbidden")
        if mail["from"]["email"] not in self.verified:
            told = "The from address does not match a verified Sender Identity. Mail cannot be sent until it is."
            return _errors(403, told, "from")
        to = mail["personalizations"][0]["to"][0]["email"]
        if "@" not in to:
            return _errors(400, "Does not contain a valid address.", "personalizations.0.to.0.email")
        if not mail.get("subject", "").strip():
            return _errors(400, "The subject is required.", "subject")
        if any(not part["value"] for part in mail["content"]):
            return _errors(400, "The content value must be a string at least one character.", "content.0.value")
        if "asm" in mail and mail["asm"]["group_id"] not in self.groups:
            return _errors(400, "The asm group ID is not valid.", "asm.group_id")
        if mail.get("mail_settings", {}).get("sandbox_mode", {}).get("enable"):
            return Answer(200)
        self._ids += 1
        message_id = f"fakeId{self._ids:016}"
        self.mails.append(mail)
        log = {
            "from_email": mail["from"]["email"],
            "to_email": to,
            "subject": mail["subject"],
            "sg_message_id": f"{message_id}.recvd-5f6b-0.0",
            "sg_message_id_created_at": self._stamp(),
            "status": "processed",
            "custom_args": dict(mail["personalizations"][0].get("custom_args", {})),
            "events": [],
            "api_key_id": "fake-key",
            "client_ip": "192.0.2.1",
        }
        log["events"].append(self._event(log, {"event": "processed"}))
        self.logs.append(log)
        return Answer(202, headers={"X-Message-Id": message_id})

    def _event(self, log: Mapping[str, Any], event: Mapping[str, object]) -> dict[str, object]:
        known = {
            "email": log["to_email"],
            "sg_message_id": log["sg_message_id"],
            "sg_event_id": f"event-{len(log['events'])}",
            "smtp-id": "<fake@geopod-ismtpd-7>",
            "timestamp": self.now,
        }
        return known | dict(event)

    def _senders(self) -> list[dict[str, object]]:
        listed = sorted(self.verified | self.waiting)
        return [
            {"id": at, "nickname": "Desk", "from_email": email, "verified": email in self.verified}
            for at, email in enumerate(listed, start=1)
        ]

    def _list(self, right: str, found: list[dict[str, Any]]) -> Answer:
        return Answer(200, found) if right in self.scopes else _errors(403, "access forbidden")

    def _page(self, name: str, query: Mapping[str, str]) -> list[dict[str, Any]]:
        """Newest first, as far as any order is kept."""
        since, until = int(query.get("start_time", 0)), int(query.get("end_time", 2**60))
        inside = [each for each in self.lists[name] if since <= each["created"] <= until]
        inside.sort(key=lambda each: -each["created"])
        offset, limit = int(query.get("offset", 0)), min(int(query.get("limit", 500)), 500)
        return inside[offset : offset + limit]

    def _search(self, asked: Mapping[str, Any]) -> Answer:
        tests = [_condition(part) for part in str(asked["query"]).split(" AND ")]
        there = self.logs[: len(self.logs) - self.logs_lag]
        found = [log for log in there if all(test(log) for test in tests)]
        listed = ("from_email", "sg_message_id", "subject", "to_email", "status", "sg_message_id_created_at")
        most = int(asked.get("limit", 10))
        return Answer(200, {"messages": [{name: log[name] for name in listed} for log in found[:most]]})

    def _detail(self, sg_id: str) -> Answer:
        found = next((log for log in self.logs if log["sg_message_id"] == sg_id), None)
        if found is None:
            return _errors(404, "not found")
        return Answer(200, {name: value for name, value in found.items() if name != "sg_message_id_created_at"})

    def _stamp(self) -> str:
        from datetime import UTC, datetime

        return datetime.fromtimestamp(self.now, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _condition(part: str) -> Callable[[Mapping[str, Any]], bool]:
    """One condition of a query of Email Logs, as its description allows them."""
    if " IN (" in part:
        name, _, values = part.partition(" IN ")
        wanted = [value.strip().strip("'") for value in values.strip("()").split(",")]
        return lambda log: log[name] in wanted
    name, sign, value = part.split(" ", 2)
    value = value.removeprefix("TIMESTAMP ").strip("'\"")
    if sign == "=":
        return lambda log: bool(log[name] == value)
    if sign == ">=":
        return lambda log: bool(log[name] >= value)
    return lambda log: bool(log[name] <= value)


def _errors(status: int, message: str, field_name: str | None = None) -> Answer:
    return Answer(status, {"errors": [{"message": message} | ({"field": field_name} if field_name else {})]})


# --- faults


def says(status: int, body: object = None, headers: Mapping[str, str] | None = None) -> Fault:
    """This answer instead, and nothing is done. body: text goes as it is, anything else as JSON."""
    return lambda talk, request: Answer(status, body, dict(headers or {}))


def taken_but(fault: Fault) -> Fault:
    """It is done, and then the answer goes wrong."""

    def both(talk: _Talk, request: Request) -> Answer | None:
        talk.fake.answer(request)
        return fault(talk, request)

    return both


def hangs_up(talk: _Talk, request: Request) -> None:
    """The connection ends without a word."""
    talk.close_connection = True


def resets(talk: _Talk, request: Request) -> None:
    """The connection is torn down."""
    talk.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    talk.close_connection = True
    for end in (talk.rfile, talk.wfile, talk.connection):
        end.close()


def cuts_short(talk: _Talk, request: Request) -> None:
    """The answer ends in its middle."""
    talk.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n[")
    talk.close_connection = True


def keeps_silent(talk: _Talk, request: Request) -> None:
    """No answer, until the other side gives up."""
    talk.connection.recv(1)
    talk.close_connection = True


def drips(talk: _Talk, request: Request) -> None:
    """An answer that never ends, one blank at a time, until the other side gives up."""
    try:
        talk.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
        talk.connection.settimeout(0.01)
        while True:
            talk.wfile.write(b" ")
            try:
                if not talk.connection.recv(1):
                    break
            except TimeoutError:
                continue
    except OSError:
        pass
    talk.close_connection = True


# --- the line


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    fake: FakeSendgrid

    def handle_error(self, request: object, client_address: object) -> None:
        """The other side went away, or a fault took the connection away: as it is meant."""
        if not isinstance(sys.exception(), OSError | ValueError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Talk(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def fake(self) -> FakeSendgrid:
        """Whose line this is."""
        assert isinstance(self.server, _Server)
        return self.server.fake

    def do_GET(self) -> None:
        self._talk("GET")

    def do_POST(self) -> None:
        self._talk("POST")

    def _talk(self, method: str) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        split = urlsplit(self.path)
        request = Request(
            method=method,
            path=split.path,
            query={name: values[-1] for name, values in parse_qs(split.query).items()},
            headers={name.lower(): value for name, value in self.headers.items()},
            body=json.loads(raw) if raw else None,
            raw=raw,
        )
        self.fake.requests.append(request)
        faults = self.fake.faults.get(request.path)
        answer = faults.pop(0)(self, request) if faults else self.fake.answer(request)
        if answer is not None:
            self.fake.answers.append((request, answer))
            self._write(answer)

    def _write(self, answer: Answer) -> None:
        text = isinstance(answer.body, str)
        body = b"" if answer.body is None else (str(answer.body) if text else json.dumps(answer.body)).encode()
        self.send_response_only(answer.status)
        self.send_header("Date", self.date_time_string(self.fake.now))
        self.send_header("Content-Type", "text/html" if text else "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base class's name)
        pass
