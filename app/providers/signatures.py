"""Who signed a request that came in: Twilio by the account's token, SendGrid by its published key (PROVIDERS 6, 9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.domain.secret import Secret


class _Form(dict[str, Sequence[str]]):
    """A form in which a name may stand several times, as the official validator reads it."""

    def getlist(self, name: str) -> list[str]:
        return list(self[name])


class ProviderSignatures:
    """Implements service.receiving.Signatures by the official clients' own validators."""

    def twilio(self, token: Secret, url: str, form: Mapping[str, Sequence[str]], signature: str) -> bool:
        """Whether Twilio signed this form, posted to `url` as the outside knows it. Unknown names count too."""
        from twilio.request_validator import RequestValidator

        return bool(RequestValidator(token.reveal()).validate(url, _Form(form), signature))

    def sendgrid(self, public_key: str, body: bytes, signature: str, timestamp: str) -> bool:
        """Whether SendGrid signed this body at `timestamp`; False for rubbish in any of them."""
        from sendgrid.helpers.eventwebhook import EventWebhook

        try:
            return bool(EventWebhook(public_key).verify_signature(body.decode("utf-8"), signature, timestamp))
        except ValueError:  # not base64, not a key, not UTF-8
            return False
