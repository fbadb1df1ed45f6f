"""Takes our own secrets out of what a provider says before anybody keeps it: one that repeats the key it was given, or
a mail server that repeats a password, would else bring it into the database with its code (I16).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from app.domain.answer import Answer, Health, LookUp, Outage, Permanent, Transient, Unknown
from app.domain.delivery_status import CallEnded, DeliveryStatus, Undelivered
from app.engine.inbound_ports import Haul, Mark, Source
from app.engine.ports import AcceptedNote, AttemptNote, Follower, Sender

Hide = Callable[[str], str]
S = TypeVar("S")


class DiscreetSender:
    """A sender that follows nothing, with nothing secret in what it says."""

    def __init__(self, sender: Sender, hide: Hide) -> None:
        self.name, self.channels, self.rate = sender.name, sender.channels, sender.rate
        self._sender = sender
        self._hide = hide

    def send(self, note: AttemptNote) -> Answer:
        """What the sender said."""
        return _without(self._sender.send(note), self._hide)

    def find(self, note: AttemptNote) -> LookUp:
        """What the sender said."""
        return _without(self._sender.find(note), self._hide)

    def test(self) -> Health:
        """What the sender said."""
        return _without(self._sender.test(), self._hide)


class DiscreetFollower(DiscreetSender):
    """A sender that can say later what became of a message."""

    def __init__(self, sender: Sender, follower: Follower, hide: Hide) -> None:
        super().__init__(sender, hide)
        self._follower = follower

    def statuses(self, notes: Sequence[AcceptedNote]) -> Mapping[str, DeliveryStatus]:
        """What the sender said."""
        return {key: _without(said, self._hide) for key, said in self._follower.statuses(notes).items()}


class DiscreetSource:
    """A source with nothing secret in why it can't be read. What came in is kept as it came."""

    def __init__(self, source: Source, hide: Hide) -> None:
        self.name, self.every = source.name, source.every
        self._source = source
        self._hide = hide

    def read(self, mark: Mark | None, now: datetime) -> Haul | Outage:
        """What the source said."""
        return _without(self._source.read(mark, now), self._hide)

    def test(self) -> Health:
        """What the source said."""
        return _without(self._source.test(), self._hide)


def discreet_sender(sender: Sender, hide: Hide) -> Sender:
    """`sender`, which follows messages when it did."""
    return DiscreetFollower(sender, sender, hide) if isinstance(sender, Follower) else DiscreetSender(sender, hide)


def _without(said: S, hide: Hide) -> S:
    match said:
        case Undelivered():
            outage = None if said.outage is None else _without(said.outage, hide)
            return replace(said, code=hide(said.code), outage=outage)
        case Outage() | Transient() | Permanent() | Unknown() | CallEnded():
            return replace(said, code=hide(said.code))
        case _:
            return said
