"""Mails, and the reading of a mailbox to its end, for tests of what reads one."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from datetime import UTC, datetime

from app.domain.inbound import MailIn
from app.engine.inbound_ports import Haul, Mark
from app.providers.imap_mailbox import Mailbox

NOW = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)
_MOST_READINGS = 60


def mail(subject: str = "Re: your visit", text: str = "Thank you, Tuesday is fine.") -> bytes:
    """A small mail, as it travels."""
    lines = (
        "From: Ana <ana@example.com>",
        "To: desk@example.com",
        f"Subject: {subject}",
        f"Message-ID: <{zlib.crc32((subject + text).encode())}@example.com>",
        "Date: Mon, 2 Mar 2026 09:58:00 -0800",
        "",
        text,
        "",
    )
    return "\r\n".join(lines).encode()


def read_on(mailbox: Mailbox, mark: Mark | None = None, now: datetime = NOW) -> tuple[list[MailIn], Mark]:
    """Everything that came since `mark`, in as many readings as it takes, and the mark after it."""
    items: list[MailIn] = []
    for _ in range(_MOST_READINGS):
        haul = mailbox.read(mark, now)
        assert isinstance(haul, Haul), haul
        items += [each for each in haul.items if isinstance(each, MailIn)]
        mark = haul.mark
        if not haul.more:
            return items, mark
    raise AssertionError("the reading never ends")


def subjects(items: Sequence[MailIn]) -> list[str]:
    """The subjects of mails, in their order."""
    return [_subject(each.raw) for each in items]


def keys(items: Sequence[MailIn]) -> list[str]:
    """The keys of mails, in their order."""
    return [each.key for each in items]


def _subject(raw: bytes) -> str:
    lines = [line for line in raw.split(b"\r\n") if line.startswith(b"Subject: ")]
    return lines[0].removeprefix(b"Subject: ").decode()
