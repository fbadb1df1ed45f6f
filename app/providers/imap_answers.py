"""What a mail server says to FETCH, read: by UID the raw bytes, sizes and times. Pure, and forgives what is odd."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

_UID = re.compile(rb"\bUID (\d{1,10})\b")
_SIZE = re.compile(rb"\bRFC822\.SIZE (\d{1,15})\b")
_QUOTED = re.compile(rb'\bBODY\[[A-Z]*\](?:<\d+>)? "((?:[^"\\]|\\.)*)"')
_RECEIVED = re.compile(
    rb'\bINTERNALDATE "([ \d]?\d)-([A-Za-z]{3})-(\d{4}) (\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)"', re.IGNORECASE
)
_MONTHS = (b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec")


@dataclass(frozen=True, slots=True)
class Fetched:
    """One mail of an answer. around: the line without its literal. literal: the bytes that were asked for, if any."""

    around: bytes
    literal: bytes | None


@dataclass(frozen=True, slots=True)
class Waiting:
    """A mail whose content has not been asked for. at: when the server got it, UTC; None when it does not say."""

    uid: int
    size_bytes: int
    at: datetime | None


def by_uid(data: Iterable[object]) -> Mapping[int, Fetched]:
    """The mails of imaplib's answer: pairs of a line's beginning and its literal, and what ends each line.

    Lines without a UID are news about flags that nobody asked for; they are left out.
    """
    found: dict[int, Fetched] = {}
    around, literal = b"", None
    for item in data:
        if isinstance(item, tuple):
            around += item[0]
            literal = item[1] if literal is None else literal
            continue
        if isinstance(item, bytes):
            around += item
            uid = _UID.search(around)
            known = None if uid is None else found.get(int(uid[1]))
            if uid is not None and (known is None or known.literal is None):
                found[int(uid[1])] = Fetched(around, _quoted(around) if literal is None else literal)
        around, literal = b"", None
    return found


def waiting(uid: int, fetched: Fetched) -> Waiting:
    """Size and time of a mail; a size that is not told is 0."""
    size = _SIZE.search(fetched.around)
    return Waiting(uid, int(size[1]) if size else 0, received_at(fetched.around))


def received_at(line: bytes) -> datetime | None:
    """The server's own time of a mail, UTC; month names are English whatever this computer speaks."""
    found = _RECEIVED.search(line)
    if found is None or found[2].lower() not in _MONTHS:
        return None
    day, year, hour, minute, second = (int(found[n]) for n in (1, 3, 4, 5, 6))
    offset = timedelta(hours=int(found[8]), minutes=int(found[9])) * (-1 if found[7] == b"-" else 1)
    try:
        at = datetime(year, _MONTHS.index(found[2].lower()) + 1, day, hour, minute, second, tzinfo=timezone(offset))
        return at.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _quoted(around: bytes) -> bytes | None:
    """A body that came as a string on the line, as an empty one may."""
    found = _QUOTED.search(around)
    return None if found is None else re.sub(rb"\\(.)", rb"\1", found[1])
