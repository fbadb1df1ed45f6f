"""What an email that goes out is called and where its answers go; the other side of mail_match.py, which reads it."""

from __future__ import annotations

import unicodedata
from typing import Final

LONGEST_LOCAL_PART: Final = 64  # octets (RFC 5321, 4.5.3.1.1)


def outgoing_message_id(message_id: int, key: str, from_email: str) -> str:
    """Our own Message-ID of one attempt, angle brackets included. key: the attempt's."""
    return f"<sw.{message_id}.{key}@{from_email.rpartition('@')[2]}>"


def reply_address(office: str, key: str, *, plus_addressing: bool) -> str:
    """Where the answer to one attempt goes: `office`, with the attempt's key in it where the mailbox takes that.

    Without room for the key, or with a + of its own, the address stays as it is: answers are matched by other ways.
    """
    local, _, domain = office.rpartition("@")
    tagged = f"{local}+r.{key}"
    if not plus_addressing or "+" in local or len(tagged.encode()) > LONGEST_LOCAL_PART:
        return office
    return f"{tagged}@{domain}"


def one_line(text: str) -> str:
    """`text` as a header may hold it: no line ends or other control characters, single blanks."""
    return " ".join("".join(" " if _breaks(sign) else sign for sign in text).split())


def _breaks(sign: str) -> bool:
    return unicodedata.category(sign) in ("Cc", "Zl", "Zp")
