"""The connection of one call to SendGrid: how long it may take, and whether anything can have got there.

The official client goes through urllib, which says of a failed call neither. So it is given an opener of ours.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import time
from functools import lru_cache, partial
from http.client import HTTPConnection, HTTPMessage, HTTPResponse, HTTPSConnection
from threading import Timer
from typing import IO, Any
from urllib.request import (
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    build_opener,
)

CONNECT_WITHIN_S = 8.0


class Wire:
    """One call's connection, cut when `until_s` (by the monotonic clock) has come. For one call, then closed.

    reached: the connection stood, encrypted where it has to be. Before that nothing of a request is written to it.
    """

    def __init__(self, until_s: float) -> None:
        self._until_s = until_s
        self._cut: Timer | None = None
        self._watched: socket.socket | None = None
        self.reached = False

    def opener(self, *, loopback: bool) -> OpenerDirector:
        """Opens requests by this connection. loopback: past every proxy, which would not find this machine."""
        past_proxies = [ProxyHandler({})] if loopback else []
        return build_opener(_NoRedirects(), _Plain(self), _Encrypted(self), *past_proxies)

    def connect(self, address: tuple[str, int], timeout_s: float, source: tuple[str, int] | None) -> socket.socket:
        """A socket to the first of the host's addresses that takes one; all of them share one time limit."""
        until_s = min(self._until_s, time.monotonic() + min(timeout_s, CONNECT_WITHIN_S))
        failed: OSError = TimeoutError("no time left to connect")
        for family, kind, protocol, _, where in socket.getaddrinfo(*address, type=socket.SOCK_STREAM):
            left_s = until_s - time.monotonic()
            if left_s <= 0:
                break
            made = socket.socket(family, kind, protocol)
            try:
                made.settimeout(left_s)
                if source:
                    made.bind(source)
                made.connect(where)
            except OSError as fault:
                made.close()
                failed = fault
                continue
            self._watch(made, timeout_s)
            return made
        raise failed

    def close(self) -> None:
        """Stop watching; the call is over."""
        if self._cut is not None:
            self._cut.cancel()
        if self._watched is not None:
            self._watched.close()

    def _watch(self, made: socket.socket, timeout_s: float) -> None:
        """Each read may take `timeout_s`; a server that drips would so hold the call for ever."""
        left_s = max(0.001, self._until_s - time.monotonic())
        made.settimeout(min(timeout_s, left_s))
        self._watched = made.dup()  # of our own: the other may be closed by then, and its number given to another
        self._cut = Timer(left_s, _shut, [self._watched])
        self._cut.daemon = True
        self._cut.start()


def _shut(connection: socket.socket) -> None:
    """End a connection from another thread: whoever reads from it reads its end."""
    with contextlib.suppress(OSError):  # it had ended by itself
        connection.shutdown(socket.SHUT_RDWR)


class _NoRedirects(HTTPRedirectHandler):
    """A redirect is an answer like any other: followed, it would turn a POST into a GET and take the key elsewhere."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        return None


class _PlainConnection(HTTPConnection):
    def __init__(self, wire: Wire, host: str, **given: Any) -> None:
        super().__init__(host, **given)
        self._wire = wire
        self._create_connection = wire.connect

    def connect(self) -> None:
        super().connect()
        self._wire.reached = True


class _EncryptedConnection(HTTPSConnection):
    def __init__(self, wire: Wire, host: str, **given: Any) -> None:
        super().__init__(host, **given)
        self._wire = wire
        self._create_connection = wire.connect

    def connect(self) -> None:
        super().connect()
        self._wire.reached = True


class _Plain(HTTPHandler):
    def __init__(self, wire: Wire) -> None:
        super().__init__()
        self._wire = wire

    def http_open(self, req: Request) -> HTTPResponse:
        return self.do_open(partial(_PlainConnection, self._wire), req)


class _Encrypted(HTTPSHandler):
    def __init__(self, wire: Wire) -> None:
        super().__init__()
        self._wire = wire

    def https_open(self, req: Request) -> HTTPResponse:
        return self.do_open(partial(_EncryptedConnection, self._wire), req, context=_trusting_the_system())


@lru_cache(maxsize=1)
def _trusting_the_system() -> ssl.SSLContext:
    """Certificates are checked against those that this computer trusts, which takes a while to read."""
    return ssl.create_default_context()
