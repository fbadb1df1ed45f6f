"""Answers to invitations (iTIP, RFC 5546): whose visit they are about and what they say."""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.domain.mail_parts import Part

_PARTSTAT = re.compile(r";partstat=\"?([a-z-]{1,40})", re.IGNORECASE)
_FOLD = re.compile(r"\r?\n[ \t]")
_MOST_LINES = 5_000


@dataclass(frozen=True, slots=True)
class CalendarReply:
    """uid: of the visit, "" when the answer names none. partstat: ACCEPTED, DECLINED, TENTATIVE; None when not told."""

    uid: str
    partstat: str | None


def calendar_reply(mail: Part) -> CalendarReply | None:
    """The answer to an invitation that the mail carries, None without one."""
    for part in mail.walk():
        if part.kind in ("text/calendar", "application/ics", "text/x-vcalendar"):
            found = _read(part.text(), part.parameter("method"))
            if found is not None:
                return found
    return None


def _read(text: str, method: str) -> CalendarReply | None:
    uid, partstat = "", None
    for line in _FOLD.sub("", text).split("\n", _MOST_LINES)[:_MOST_LINES]:
        name, _, value = line.strip().partition(":")
        match name.split(";")[0].upper():
            case "METHOD":
                method = value
            case "UID":
                uid = uid or value.strip()
            case "ATTENDEE" if found := _PARTSTAT.search(line):
                partstat = partstat or found[1].upper()
    return CalendarReply(uid, partstat) if method.strip().upper() == "REPLY" else None
