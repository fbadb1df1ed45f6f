"""A provider's server on this machine, for the fakes that stand for providers: its wire, and how it fails.

Not a mock: the official client speaks HTTP to it. What the provider does with a request, each fake says itself.
"""

from __future__ import annotations

import json
import socket
import ssl
import struct
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit


@dataclass
class Request:
    """One request as it came. port: the other side's, the same for all that come over one connection."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: Any
    raw: bytes
    port: int


@dataclass
class Answer:
    """One answer as it goes. body: None for none."""

    status: int
    body: object = None
    headers: dict[str, str] = field(default_factory=dict)


Fault = Callable[["_Talk", Request], Answer | None]


class FakeServer:
    """Listens, keeps every request, and lets a planted fault answer. `now`: its own clock, Unix seconds."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.now = 1_772_474_400  # 2026-03-02 18:00 UTC
        self.requests: list[Request] = []
        self.answers: list[tuple[Request, Answer]] = []
        self.faults: dict[str, list[Fault]] = {}
        self._lock = threading.Lock()
        self._scheme = "http" if tls is None else "https"
        self._server = _Server(("127.0.0.1", 0), _Talk)
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True, do_handshake_on_connect=False)
        self._server.fake = self
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"{self._scheme}://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def fail(self, path: str, *faults: Fault) -> None:
        """The next requests to `path` go this way, one fault each. path: `POST /path` for requests of one method."""
        self.faults.setdefault(path, []).extend(faults)

    def of(self, path: str) -> list[Request]:
        """Requests to `path`, in order."""
        return [request for request in self.requests if request.path == path]

    # --- what each fake says itself

    def answer(self, request: Request) -> Answer:
        """By the books; under its lock."""
        raise NotImplementedError

    def parse(self, raw: bytes) -> Any:
        """The body of a request; JSON unless the provider takes something else."""
        return json.loads(raw) if raw else None


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
    fake: FakeServer

    def handle_error(self, request: object, client_address: object) -> None:
        """The other side went away, or a fault took the connection away: as it is meant."""
        if not isinstance(sys.exception(), OSError | ValueError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Talk(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def fake(self) -> FakeServer:
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
            body=self.fake.parse(raw),
            raw=raw,
            port=self.client_address[1],
        )
        self.fake.requests.append(request)
        faults = self.fake.faults.get(f"{method} {request.path}") or self.fake.faults.get(request.path)
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
