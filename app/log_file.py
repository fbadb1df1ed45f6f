"""The log file in the data folder: what went wrong inside Stopwell. Ids and constant names; no name, address or body.

A traceback goes in with its places and the kinds of its errors. Their messages stay out: a database driver puts the
values of the row it choked on into them. No secret goes in, whoever logged it (I16).
"""

from __future__ import annotations

import logging
import os
import re
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import TypeAlias

LOG_BYTES = 1_000_000
LOGS_KEPT = 2
# they log headers with the key in them, and addresses of people, when they are let (PROVIDERS section 2)
VENDORS = ("python_http_client.client", "twilio.http_client", "urllib3")

_ExcInfo: TypeAlias = "tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]"

_EMAIL = re.compile(r"[^\s@<>\"']+@[^\s@<>\"']+\.[^\s@<>\"',;]+")
_PHONE = re.compile(r"(?:\+|%2B)\d{7,15}\b", re.IGNORECASE)


@contextmanager
def log_to(path: Path, hide: Callable[[str], str] = str) -> Iterator[None]:
    """While open, everything that `app` logs at INFO or above goes to `path` as well, readable by its owner only.

    hide: takes every secret that is known out of a line. What providers' clients log goes there from WARNING on, and
    nowhere else.
    """
    handler = _PrivateFile(path, maxBytes=LOG_BYTES, backupCount=LOGS_KEPT, encoding="utf-8", delay=True)
    handler.setFormatter(BareFormatter("%(asctime)sZ %(levelname)s %(name)s: %(message)s", hide))
    heard = [(logging.getLogger("app"), logging.INFO, True)]
    heard += [(logging.getLogger(name), logging.WARNING, False) for name in VENDORS]
    before = [(log, log.level, log.propagate) for log, _, _ in heard]
    for log, level, propagate in heard:
        log.addHandler(handler)
        log.setLevel(level)
        log.propagate = propagate
    try:
        yield
    finally:
        for log, level, propagate in before:
            log.removeHandler(handler)
            log.setLevel(level)
            log.propagate = propagate
        handler.close()


class BareFormatter(logging.Formatter):
    """One line a record in UTC; tracebacks without the messages of their errors; addresses and secrets taken out."""

    def __init__(self, form: str, hide: Callable[[str], str] = str) -> None:
        super().__init__(form)
        self._hide = hide

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802 (logging's name)
        """The record's time in UTC, to the second."""
        return datetime.fromtimestamp(record.created, UTC).strftime("%Y-%m-%dT%H:%M:%S")

    def formatException(self, ei: _ExcInfo) -> str:  # noqa: N802 (logging's name)
        """The places and the kinds of a chain of errors, innermost cause first."""
        return bare_traceback(ei[1]) if ei[1] is not None else ""

    def format(self, record: logging.LogRecord) -> str:
        """The line, with secrets and whatever looks like an address taken out: nobody should have put one in."""
        return _PHONE.sub("[number]", _EMAIL.sub("[address]", self._hide(super().format(record))))


def bare_traceback(error: BaseException) -> str:
    """The traceback of `error` and of what caused it, with kinds of errors in place of their messages."""
    parts: list[str] = []
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        frames = "".join(traceback.format_tb(link.__traceback__))
        parts.append(f"{frames}{type(link).__module__}.{type(link).__qualname__}")
        link = link.__cause__ or (None if link.__suppress_context__ else link.__context__)
    return "\n  led to\n".join(reversed(parts))


class _PrivateFile(RotatingFileHandler):
    """A log file for its owner's eyes, that never stops the work it tells about."""

    def _open(self) -> TextIOWrapper:
        descriptor = os.open(self.baseFilename, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
        return open(descriptor, "a", encoding=self.encoding, errors="backslashreplace")  # noqa: PTH123

    def rotate(self, source: str, dest: str) -> None:
        """Put the full file aside; while another process holds it open (Windows), go on in it."""
        try:
            super().rotate(source, dest)
        except PermissionError:
            return

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 (logging's name)
        """A line that can't be written (disk full) is lost: there is no other place to say so than a broken one."""
