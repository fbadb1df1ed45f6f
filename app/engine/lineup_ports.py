"""Who hands over, and what is read: one line-up, by which one pass of the engine goes from beginning to end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from app.domain.states import Channel
from app.engine.channel_ports import Sender
from app.engine.inbound_ports import Source


@dataclass(frozen=True, slots=True)
class Lineup:
    """live: messages leave this computer. senders: one for each channel. sources: what is polled.

    by_name: who can be asked what became of a message, by the provider's name in its note. It may hold providers that
    carry nothing now, such as the practice outbox in live mode; one that is not in it can't be asked.
    elsewhere: channels whose key is not on this computer, left to the others on the same database, by who tells why;
    none of them is among `senders`.
    in_force: whether it is still the one that mode, settings and keys ask for. Raises StoreError.
    """

    live: bool
    senders: Mapping[Channel, Sender]
    by_name: Mapping[str, Sender]
    sources: Sequence[Source] = ()
    elsewhere: Mapping[Channel, Sender] = field(default_factory=dict)
    in_force: Callable[[], bool] = field(default=lambda: True, compare=False)

    @staticmethod
    def of(senders: Mapping[Channel, Sender], *, live: bool = False) -> Lineup:
        """The line-up of these senders alone, with nothing to poll."""
        return Lineup(live, senders, {sender.name: sender for sender in senders.values()})
