"""The providers document: who carries the messages, and where. Never a secret (I16)."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.documents import Format, RawDocument
from app.domain.practice_shapes import ProvidersShape
from app.domain.shape import begin_reading, read_shape


@dataclass(frozen=True, slots=True)
class Twilio:
    """Texts and calls. sender: the number they come from. base_url: empty for the provider's own."""

    account_sid: str
    sender: str
    base_url: str


@dataclass(frozen=True, slots=True)
class Sendgrid:
    """Email. base_url: empty for the provider's own."""

    from_email: str
    from_name: str
    base_url: str


@dataclass(frozen=True, slots=True)
class Imap:
    """The mailbox that answers come to. tls: False only on this machine itself."""

    host: str
    user: str
    port: int
    folder: str
    tls: bool


@dataclass(frozen=True, slots=True)
class Providers:
    """Who carries the messages; None where there is nobody. Secrets are not in here (I16)."""

    twilio: Twilio | None
    sendgrid: Sendgrid | None
    imap: Imap | None


def read_providers(raw: RawDocument) -> Providers:
    """The providers that the document tells. Raises DocumentError, also for a secret in it."""
    problems = begin_reading(raw, Format.PROVIDERS)
    shape = read_shape(ProvidersShape, raw.data, problems)
    problems.raise_if_any()
    assert shape is not None
    twilio, sendgrid, imap = shape.twilio, shape.sendgrid, shape.imap
    return Providers(
        twilio=Twilio(twilio.account_sid, twilio.sender, twilio.base_url or "") if twilio else None,
        sendgrid=Sendgrid(sendgrid.from_email, sendgrid.from_name, sendgrid.base_url or "") if sendgrid else None,
        imap=Imap(imap.host, imap.user, imap.port, imap.folder, imap.tls) if imap else None,
    )
