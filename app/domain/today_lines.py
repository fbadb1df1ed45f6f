"""What Today shows beside the lists: who replied, how a paused channel stands, what is counted, whether anything moved.

Frozen lines, read by store/reads_today.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.domain.lines import InboxEventLine, PersonLine
from app.domain.reasons import Why
from app.domain.states import Channel


@dataclass(frozen=True, slots=True)
class ReplyLine:
    """Somebody whose reply waits for staff. event: what they last sent; None when staff noted it without a word."""

    person: PersonLine
    event: InboxEventLine | None


@dataclass(frozen=True, slots=True)
class ChannelLine:
    """A channel that is paused. waiting: messages and follow-ups held by it. try_at: when one is tried again."""

    channel: Channel
    why: Why
    since: datetime | None
    provider: str
    try_at: datetime | None
    waiting: int


@dataclass(frozen=True, slots=True)
class TodayCounts:
    """How many things need somebody, by what they are. problems: open ones, but for channels that are paused still.

    calls: those that the front desk can make now.
    """

    replies: int
    overdue: int
    problems: int
    calls: int = 0

    @property
    def all(self) -> int:
        """The figure beside the section's name."""
        return self.replies + self.calls + self.overdue + self.problems


@dataclass(frozen=True, slots=True)
class Pulse:
    """Changes whenever another process has committed something. rows: what lists show; engine: how sending stands."""

    rows: tuple[int, ...]
    engine: tuple[str, ...]
