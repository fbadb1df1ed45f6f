"""Mails that could not be had whole: what is kept instead, and how it is known again. A mail is never left out.

The note is a header in front of what the mail server gave, so that raw mails stay what they are: bytes.
"""

from __future__ import annotations

from app.domain.mail_parts import Part

_HEADER = "X-Stopwell-Cut"


def cut_mail(beginning: bytes, size_bytes: int) -> bytes:
    """The beginning of a mail of `size_bytes`, with the note; perhaps its headers alone."""
    return _note(len(beginning), size_bytes) + beginning


def stand_in(folder: str, size_bytes: int) -> bytes:
    """What is kept of a mail that the server never gave: where to look for it. It has no sender and matches nobody."""
    where = " ".join(folder.split())
    lines = (
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: 8bit",
        "Subject: A mail that the mail server does not give",
        "",
        f"Open the mailbox and read it there: folder {where}.",
        "",
    )
    return _note(0, size_bytes) + "\r\n".join(lines).encode()


def is_cut(mail: Part) -> bool:
    """Whether this is not all that was sent. Whoever forges the note has a person read their mail, no more."""
    return mail.has(_HEADER.lower())


def is_stand_in(mail: Part) -> bool:
    """Whether nothing of this is what was sent."""
    return mail.raw(_HEADER.lower()).startswith("0 of") and not mail.has("from")


def _note(got_bytes: int, size_bytes: int) -> bytes:
    return f"{_HEADER}: {got_bytes} of {size_bytes} bytes\r\n".encode("ascii")
