"""How a source of what comes in stands, as screens and commands show it, and its fault in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.domain.mailbox_fault import WORDS, read_mailbox_code
from app.domain.reasons import Why, told, told_inside


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One source. read_at: when it was last read whole; None before the first time. tried_at: when it was last asked.

    fault, code: why the last try failed; failing_since: since when they do. All None or empty while it works.
    """

    name: str
    tried_at: datetime | None
    read_at: datetime | None
    fault: Why | None = None
    code: str = ""
    failing_since: datetime | None = None

    @property
    def unread_since(self) -> datetime | None:
        """Since when nothing new of it is known; None while it works."""
        return None if self.fault is None else self.read_at or self.failing_since


def fault_words(provider: str, why: Why, code: str) -> str:
    """Why `provider` can't be read, in a sentence, with what its server said in brackets at the end."""
    mailbox = read_mailbox_code(code)
    if mailbox is not None:
        fault, detail = mailbox
        sentence = WORDS[fault][0]
        return f"{sentence.rstrip('.')} ({detail})." if detail else sentence
    sentence = told(why, {"provider": provider, "code": code or "–"})
    return sentence if not code or code in sentence else f"{sentence.rstrip('.')} ({code})."


def fault_inside(provider: str, why: Why, code: str) -> str:
    """The same as a part of another sentence."""
    mailbox = read_mailbox_code(code)
    if mailbox is None:
        return told_inside(why, {"provider": provider, "code": code or "–"})
    sentence = WORDS[mailbox[0]][0].rstrip(".")
    return f"{sentence[:1].lower()}{sentence[1:]}"


def what_to_do(code: str) -> str:
    """What to do about a fault that says so itself; empty for another."""
    mailbox = read_mailbox_code(code)
    return "" if mailbox is None else WORDS[mailbox[0]][1]
