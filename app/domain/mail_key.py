"""What tells that two mails are one: the same mail in two folders, or read by two computers, is one event.

A mailbox's own number for a mail (folder, UIDVALIDITY, UID) changes with the folder, and with every rebuilt mailbox. A
Message-ID alone is not enough: some programs give the same one to every mail.
"""

from __future__ import annotations

import hashlib
import re

from app.domain.mail_parts import Part

_END_OF_HEADERS = re.compile(rb"\r?\n[ \t]*\r?\n|\A\r?\n")
_LINE_END = re.compile(rb"[ \t]*\r?\n")
_NAMED_BY = ("message-id", "date", "from", "subject")


def mail_key(mail: Part, raw: bytes, place: str) -> str:
    """The key of a mail: its Message-ID, date, sender and subject, and all that comes after the headers.

    What servers add on the way (Received, labels, spam marks) counts for nothing. mail: `raw`, parsed. place:
    where it lies, which tells apart mails that have neither a Message-ID nor a date: better twice than not at all.
    """
    named = [" ".join(mail.raw(name).split()) for name in _NAMED_BY]
    if not any(named[:2]):
        named.append(place)
    found = _END_OF_HEADERS.search(raw)
    body = _LINE_END.sub(b"\n", raw[found.end() :] if found else b"").strip()
    told = hashlib.sha256("\x00".join(named).encode("utf-8", "replace"))
    told.update(b"\x00" + body)
    return f"mail {told.hexdigest()}"
