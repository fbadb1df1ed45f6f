"""What stands in for a provider that there is none of, or whose key is missing: nothing goes out, and it is said (I12).

A channel without anybody rests with its reason; a source without its key is one that can't be read.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from app.domain.answer import Answer, Health, LookUp, Outage
from app.domain.states import Channel
from app.engine.inbound_ports import Haul, Mark
from app.engine.ports import AttemptNote

NOBODY = "nobody"


class Nobody:
    """Sender that takes nothing. name: the provider it stands for, or NOBODY."""

    rate: float | None = None

    def __init__(self, channel: Channel, outage: Outage, name: str = NOBODY) -> None:
        self.name = name
        self.channels = frozenset({channel})
        self._outage = outage

    def send(self, note: AttemptNote) -> Answer:
        """Not made, for want of somebody to make it: it uses up no attempt."""
        return self._outage

    def find(self, note: AttemptNote) -> LookUp:
        """A question that can't be put."""
        return self._outage

    def test(self) -> Health:
        """What is missing."""
        return self._outage


class Unread:
    """Source that can't be read."""

    every = timedelta(minutes=1)

    def __init__(self, name: str, outage: Outage) -> None:
        self.name = name
        self._outage = outage

    def read(self, mark: Mark | None, now: datetime) -> Haul | Outage:
        """What is missing; the mark stays where it is."""
        return self._outage

    def test(self) -> Health:
        """What is missing."""
        return self._outage
