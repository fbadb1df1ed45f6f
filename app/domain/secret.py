"""A secret as a value that does not show itself: not in a log, a traceback, an export, a backup (I16)."""

from __future__ import annotations

import hmac
from enum import StrEnum
from typing import NoReturn


class SecretName(StrEnum):
    """Every secret there is; the word that it has in the keyring, and in commands."""

    TWILIO_AUTH_TOKEN = "twilio-auth-token"  # noqa: S105 (a name)
    SENDGRID_API_KEY = "sendgrid-api-key"
    IMAP_PASSWORD = "imap-password"  # noqa: S105 (a name)
    LEAD_FORM_TOKEN = "lead-form-token"  # noqa: S105 (a name)


class Secret:
    """Holds one secret. Only `reveal` gives it, at the place that hands it over."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The secret itself."""
        return self._value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and hmac.compare_digest(self._value.encode(), other._value.encode())

    def __hash__(self) -> int:
        return hash((Secret, self._value))

    def __repr__(self) -> str:
        return "Secret(…)"

    __str__ = __repr__

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not written anywhere")
