"""What Today asks of the store: replies, paused channels, what goes out next, and whether anything has moved."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from app.domain.call_lines import CallLine
from app.domain.ids import InboxEventId, LocationId
from app.domain.lines import InboxEventLine, QueueLine
from app.domain.task_lines import TaskLine
from app.domain.today_lines import ChannelLine, Pulse, ReplyLine, TodayCounts


class TodayReads(Protocol):
    """SELECTs of one read transaction, beside those of `office_ports.Reads`, which has them too."""

    def tasks(self) -> Sequence[TaskLine]:
        """The tasks of journeys that wait for staff, the oldest first."""
        ...

    def replies(self, location_id: LocationId | None) -> Sequence[ReplyLine]:
        """Everyone with staff, newest reply first, with what they last wrote or said."""
        ...

    def inbox(self, ids: Collection[InboxEventId]) -> Sequence[InboxEventLine]:
        """Inbox events by id, newest first."""
        ...

    def unmatched(self) -> Sequence[InboxEventLine]:
        """Inbox events that fit nobody, or several, and wait for somebody to say whose they are, newest first."""
        ...

    def channels(self) -> Sequence[ChannelLine]:
        """The channels that are paused, and how much waits for each."""
        ...

    def going_out(self, location_id: LocationId | None, most: int) -> Sequence[QueueLine]:
        """The soonest follow-ups that nothing holds and that stand at a message, at most `most`."""
        ...

    def calls(self, location_id: LocationId | None, now: datetime) -> Sequence[CallLine]:
        """The calls that the front desk can make at `now`, those that leave the list first on top."""
        ...

    def today_counts(self, location_id: LocationId | None, now: datetime) -> TodayCounts:
        """How many things need somebody. A problem without a person belongs to every location."""
        ...

    def pulse(self) -> Pulse:
        """Another value whenever another process has committed something; cheap enough to be asked every second."""
        ...
