"""The providers document: who carries the messages, and where. Never a secret (I16)."""

from __future__ import annotations

from app.domain.documents import Format, RawDocument
from app.domain.practice_shapes import ImapShape, ProvidersShape, ReceiverShape, SendgridShape, TwilioShape
from app.domain.provider_settings import Imap, ProviderKind, Providers, Receiver, Sendgrid, Twilio
from app.domain.shape import begin_reading, read_shape

__all__ = ["Imap", "ProviderKind", "Providers", "Receiver", "Sendgrid", "Twilio", "read_providers"]


def read_providers(raw: RawDocument) -> Providers:
    """The providers that the document tells. Raises DocumentError, also for a secret in it.

    A kind that it names without anything (`imap:` alone) is in `gone`: to be taken away.
    """
    problems = begin_reading(raw, Format.PROVIDERS)
    shape = read_shape(ProvidersShape, raw.data, problems)
    problems.raise_if_any()
    assert shape is not None
    return Providers(
        twilio=_twilio(shape.twilio) if shape.twilio else None,
        sendgrid=_sendgrid(shape.sendgrid) if shape.sendgrid else None,
        imap=_imap(shape.imap) if shape.imap else None,
        receiver=_receiver(shape.receiver) if shape.receiver else None,
        gone=frozenset(
            kind for kind in ProviderKind if kind.value in shape.model_fields_set and getattr(shape, kind.value) is None
        ),
    )


def _twilio(shape: TwilioShape) -> Twilio:
    return Twilio(
        account_sid=shape.account_sid,
        sender=shape.sender,
        base_url=shape.base_url or "",
        messaging_service_sid=shape.messaging_service_sid or "",
        api_key_sid=shape.api_key_sid or "",
    )


def _sendgrid(shape: SendgridShape) -> Sendgrid:
    return Sendgrid(
        from_email=shape.from_email,
        from_name=shape.from_name,
        base_url=shape.base_url or "",
        reply_to=shape.reply_to or "",
        unsubscribe_group=shape.unsubscribe_group,
    )


def _imap(shape: ImapShape) -> Imap:
    return Imap(
        host=shape.host,
        user=shape.user,
        port=shape.port,
        folder=shape.folder,
        tls=shape.tls,
        also=tuple(shape.also or ()),
        address=shape.address or "",
        plus_addressing=shape.plus_addressing,
    )


def _receiver(shape: ReceiverShape) -> Receiver:
    return Receiver(
        port=shape.port,
        host=shape.host,
        public_url=shape.public_url or "",
        location=shape.location or "",
        events_key=shape.events_key or "",
    )
