"""Where secrets are kept, and what stands in the way: the system's keyring, or the environment of a headless worker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app.domain.errors import OperatorError
from app.domain.secret import SecretName

# the way for a worker on a server that has no keyring (DESIGN section 11)
VARIABLES: Final[Mapping[SecretName, str]] = {
    SecretName.TWILIO_AUTH_TOKEN: "STOPWELL_TWILIO_AUTH_TOKEN",
    SecretName.SENDGRID_API_KEY: "STOPWELL_SENDGRID_API_KEY",
    SecretName.IMAP_PASSWORD: "STOPWELL_IMAP_PASSWORD",
    SecretName.LEAD_FORM_TOKEN: "STOPWELL_LEAD_FORM_TOKEN",
}


class HeldIn(StrEnum):
    """Where one secret is."""

    KEYRING = "keyring"
    ENVIRONMENT = "environment"


class Unavailable(StrEnum):
    """Why the keyring can't be used."""

    NONE = "none"
    OFF = "off"
    PLAIN_TEXT = "plain_text"
    LOCKED = "locked"
    NOT_KEPT = "not_kept"
    INCOMPLETE = "incomplete"
    FAULT = "fault"


_HEADLESS = f"A worker without a screen takes {', '.join(VARIABLES.values())} instead."
_INSTALL = "On Linux install and start GNOME Keyring, KWallet or KeePassXC."
_WORDS: Final[Mapping[Unavailable, tuple[str, str]]] = {
    Unavailable.NONE: ("This computer has no keyring to keep keys in.", f"{_INSTALL} {_HEADLESS}"),
    Unavailable.OFF: (
        "The keyring of this computer is switched off: it would forget what it is given.",
        f"Take PYTHON_KEYRING_BACKEND out of the environment. {_INSTALL}",
    ),
    Unavailable.PLAIN_TEXT: (
        "The only keyring of this computer keeps keys as plain text, so none is given to it.",
        f"{_INSTALL} {_HEADLESS}",
    ),
    Unavailable.LOCKED: (
        "The keyring of this computer is locked.",
        "Unlock it, by logging in or in the program for passwords, then try again.",
    ),
    Unavailable.NOT_KEPT: (
        "The keyring of this computer did not keep what it was given.",
        "Look whether it is unlocked and takes new entries, then try again.",
    ),
    Unavailable.INCOMPLETE: (
        "A key is in the keyring in parts, and some are missing.",
        "Give the key once more: stopwell keys set NAME.",
    ),
    Unavailable.FAULT: (
        "The keyring of this computer can't be used.",
        f"Look whether it is running and unlocked, then try again. {_HEADLESS}",
    ),
}


class SecretsUnavailable(OperatorError):
    """Secrets can't be read or written. why: what stands in the way."""

    def __init__(self, why: Unavailable) -> None:
        super().__init__(*_WORDS[why])
        self.why = why


@dataclass(frozen=True, slots=True)
class SecretPlace:
    """Where secrets are on this computer.

    keyring: what the keyring is called; empty when none can be used. fault: what stands in the way, None for nothing.
    held: which secrets there are, and where.
    """

    keyring: str
    fault: SecretsUnavailable | None
    held: Mapping[SecretName, HeldIn]
