"""A channel that rests because its provider failed, tried by hand: once the password is mended nobody has to wait."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from app.domain.answer import Outage
from app.domain.clock import Clock
from app.domain.reasons import Why
from app.domain.states import Channel
from app.engine.breaker import ask, hear
from app.engine.lineup_ports import Lineup
from app.engine.office_ports import OpenOfficeUow


@dataclass(frozen=True, slots=True)
class Tried:
    """What a provider said about itself. why, code: what is wrong, None and empty when it works.

    again_at: when it is asked again by itself, UTC; None when the channel works. provider: by its name.
    """

    works: bool
    why: Why | None
    code: str
    again_at: datetime | None
    provider: str


class Channels:
    """Asks a channel's provider about itself, which sends nothing, and opens or closes the channel by what it says."""

    def __init__(self, open_uow: OpenOfficeUow, lineup: Callable[[], Lineup], clock: Clock) -> None:
        self._open_uow = open_uow
        self._lineup = lineup
        self._clock = clock

    def try_now(self, channel: Channel, *, by: str) -> Tried:
        """Ask now, up to 30 s, with no transaction open. What was held goes at the engine's next pass.

        by: who asks, for the log. The keyring is asked anew, by every engine too: it may have been unlocked.
        """
        with self._open_uow() as uow:
            uow.documents.renew_lineup()
        lineup = self._lineup()
        sender = lineup.senders.get(channel)
        if sender is None:  # its key is on another computer, which goes on as it does
            left = lineup.elsewhere[channel]
            missing = ask(left)
            why, code = (missing.why, missing.code) if isinstance(missing, Outage) else (None, "")
            return Tried(why is None, why, code, None, left.name)
        health = ask(sender)
        with self._open_uow() as uow:
            hear(uow, channel, sender.name, health, self._clock.now(), by)
            again_at = uow.engine.channels()[channel].try_at
        if isinstance(health, Outage):
            return Tried(False, health.why, health.code, again_at, sender.name)
        return Tried(True, None, "", None, sender.name)
