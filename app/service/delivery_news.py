"""What a provider tells by itself about a message that it accepted, where it knocks instead of being asked."""

from __future__ import annotations

from app.domain.clock import Clock
from app.domain.delivery_status import Delivered, Undelivered
from app.engine.ports import OpenUow
from app.engine.status import settle
from app.service.again import again


class DeliveryNews:
    """Takes such news in, once: a second telling changes nothing, nor does one about a message that is not ours."""

    def __init__(self, open_uow: OpenUow, clock: Clock) -> None:
        self._open_uow = open_uow
        self._clock = clock

    def settle(self, provider: str, provider_id: str, said: Delivered | Undelivered) -> bool:
        """Write down what became of a message; False when that was known, or the message is not."""
        return again(lambda: self._settle(provider, provider_id, said))

    def ask_soon(self, provider: str, provider_id: str) -> bool:
        """Something changed there: the provider is asked at the next pass; False when nothing is left to ask."""
        return again(lambda: self._ask_soon(provider, provider_id))

    def _settle(self, provider: str, provider_id: str, said: Delivered | Undelivered) -> bool:
        now = self._clock.now()
        with self._open_uow() as uow:
            note = uow.matching.by_provider_ids(provider, [provider_id])
            return note is not None and settle(uow, note, said, now) is not None

    def _ask_soon(self, provider: str, provider_id: str) -> bool:
        now = self._clock.now()
        with self._open_uow() as uow:
            note = uow.matching.by_provider_ids(provider, [provider_id])
            return note is not None and uow.statuses.ask_soon(note.message_id, now)
