"""What the receiver may ask for: its doors into the practice. Built by bootstrap; app/intake speaks HTTP."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from app.domain.clock import Clock
from app.domain.provider_settings import Receiver
from app.domain.reasons import Why
from app.domain.secret import Secret
from app.engine.ports import OpenUow, ProblemNote
from app.service.delivery_news import DeliveryNews
from app.service.intake import Intake
from app.service.leads import Leads
from app.service.secrets import Secrets


class Signatures(Protocol):
    """Checks who signed a request; each comparison takes the same time whatever differs."""

    def twilio(self, token: Secret, url: str, form: Mapping[str, Sequence[str]], signature: str) -> bool:
        """Whether Twilio signed this form, posted to `url` as the outside knows it."""
        ...

    def sendgrid(self, public_key: str, body: bytes, signature: str, timestamp: str) -> bool:
        """Whether SendGrid signed this body at `timestamp`; False for rubbish in any of them."""
        ...


@dataclass(frozen=True, slots=True)
class Receiving:
    """settings: as the practice has them when asked. secrets: never read on a thread that may not wait."""

    settings: Callable[[], Receiver | None]
    intake: Intake
    leads: Leads
    news: DeliveryNews
    secrets: Secrets
    signatures: Signatures
    clock: Clock
    open_uow: OpenUow

    def note_silence(self, because: str) -> None:
        """Nobody can knock: put it on the problem list."""
        now = self.clock.now()
        with self.open_uow() as uow:
            uow.log.problem([ProblemNote(now, Why.RECEIVER_SILENT, facts={"because": because})])

    def note_listening(self, by: str) -> None:
        """Whoever knocks is heard again: off the problem list, whatever it was for."""
        now = self.clock.now()
        with self.open_uow() as uow:
            uow.log.over(ProblemNote(now, Why.RECEIVER_SILENT), by)
