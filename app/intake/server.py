"""Listens for what knocks, on a thread of its own, until it is told to end."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

import uvicorn

from app.domain.errors import OperatorError
from app.domain.provider_settings import Receiver
from app.intake.patience import PatientProtocol
from app.intake.web import Pages, make_app
from app.service.receiving import Receiving

log = logging.getLogger(__name__)

MOST_AT_ONCE: Final = 64
IDLE_S: Final = 5
END_S: Final = 10


@contextmanager
def receive(receiving: Receiving, settings: Receiver) -> Iterator[None]:
    """Receive as the settings say. Where nobody can listen, that is on the problem list; everything else goes on."""
    with ExitStack() as stack:
        try:
            stack.enter_context(receiver(receiving, settings.host, settings.port))
        except OperatorError as fault:
            log.warning("receiver.silent")
            receiving.note_silence(fault.told.rstrip("."))
        else:
            receiving.note_listening("receiver")
        yield


@contextmanager
def receiver(receiving: Receiving, host: str, port: int) -> Iterator[int]:
    """Receive while open; the port that is listened on (0 asks for any free one).

    Raises OperatorError when nobody can listen there.
    """
    listening = _listen(host, port)
    config = uvicorn.Config(
        make_app(Pages(receiving)),
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        limit_concurrency=MOST_AT_ONCE,
        timeout_keep_alive=IDLE_S,
        timeout_graceful_shutdown=END_S,
        h11_max_incomplete_event_size=16 * 1024,
        lifespan="off",
        ws="none",
        loop="asyncio",
        http=PatientProtocol,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listening],), name="receiver", daemon=True)
    thread.start()
    log.info("receiver.listens")
    try:
        yield int(listening.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join(END_S + 5)
        listening.close()


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(128)
    except OSError as exc:
        listening.close()
        because = exc.strerror or type(exc).__name__
        hint = "Another program has that port? Choose another in the settings of the receiver."
        raise OperatorError(f"The receiver can't listen on {host}:{port}: {because}.", hint) from exc
    return listening
