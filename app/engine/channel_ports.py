"""What the engine needs to know of channels: how they stand, and who hands over on them. A part of ports.py."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

from app.domain.answer import Answer, Health, LookUp
from app.domain.reasons import Why
from app.domain.snapshot import ChannelSeen, EngineSeen
from app.domain.states import Channel
from app.engine.rows import AttemptNote


class EngineState(Protocol):
    """Pause, breakers and the clock's high-water mark."""

    def read(self) -> EngineSeen:
        """As it stands."""
        ...

    def pause(self, why: Why, by: str, now: datetime) -> bool:
        """Pause all sending; False when it was paused."""
        ...

    def resume(self, by: str, now: datetime) -> bool:
        """Go on, take `now` as the clock's truth, wake messages held for the pause; False when it was running."""
        ...

    def saw_clock(self, now: datetime) -> None:
        """Raise the high-water mark to `now`."""
        ...

    def trust_clock(self, now: datetime, *, made_up: bool) -> None:
        """Set the high-water mark to `now`, backwards too. made_up: it is a made-up time (`tick --at`)."""
        ...

    def breaker(self, channel: Channel, *, always: bool) -> ChannelSeen | None:
        """The channel's breaker, its row locked; None when it works and nothing has failed, unless `always`."""
        ...

    def channels(self) -> Mapping[Channel, ChannelSeen]:
        """Every channel's breaker."""
        ...

    def pause_channel(self, channel: Channel, why: Why, provider: str, now: datetime, try_at: datetime) -> bool:
        """Open the breaker until `try_at`; False when it was open: for the newer reason, until the later time then.

        What is held for it is held until then.
        """
        ...

    def claim_test(self, channel: Channel, now: datetime, again: datetime) -> bool:
        """The channel's self-test is due, and the caller's to make; nobody else makes one before `again`."""
        ...

    def due_since(self, channel: Channel) -> datetime | None:
        """Since when the oldest message that nothing holds is due on this channel; None for none that is queued."""
        ...

    def ask_soon(self, now: datetime) -> None:
        """Every channel that rests is tried at the next pass: somebody changed what may have kept it from working."""
        ...

    def resume_channel(self, channel: Channel, now: datetime) -> bool:
        """Close the breaker; False when it was closed. Messages held for it are woken. Its failures stay counted."""
        ...

    def count_failures(self, channel: Channel, failures: int) -> None:
        """So many tries in a row have failed since one was last accepted."""
        ...

    def pace(self, channel: Channel, until: datetime) -> None:
        """Up to `until` the sender's rate is spoken for. The row must be locked: see `breaker`."""
        ...


class Sender(Protocol):
    """One provider for one or more channels. It decides nothing; what it says is a value."""

    name: str
    channels: frozenset[Channel]
    rate: float | None  # most messages a second; None without a limit

    def send(self, note: AttemptNote) -> Answer:
        """Make the call. Never raises for what a provider or a network can do.

        It gives up within 30 s: the note is good for 15, and after 60 another worker may look the attempt up.
        """
        ...

    def find(self, note: AttemptNote) -> LookUp:
        """Ask the provider whether it has this attempt. Never raises; gives up within 30 s."""
        ...

    def test(self) -> Health:
        """Ask the provider about itself: connection, key, account. Sends nothing, never raises, ends within 30 s."""
        ...
