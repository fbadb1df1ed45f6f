"""What was typed or pasted as a key, made ready to keep; what can't be one is refused without repeating it (I16)."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Final

from app.domain.errors import OperatorError
from app.domain.secret import Secret, SecretName

SHORTEST_TOKEN: Final = 16  # of our own making; nobody should guess it

# what it is called where it comes from, and whether it is plain letters alone
_FORMS: Final[Mapping[SecretName, tuple[str, bool]]] = {
    SecretName.TWILIO_AUTH_TOKEN: ("Twilio's auth token", True),
    SecretName.SENDGRID_API_KEY: ("SendGrid's API key", True),
    SecretName.IMAP_PASSWORD: ("the mailbox's password", False),
    SecretName.LEAD_FORM_TOKEN: ("the lead form's token", True),
}


def read_key(name: SecretName, typed: Secret) -> tuple[Secret, tuple[str, ...]]:
    """The key without blanks at its ends, and what to tell whoever gave it. Raises OperatorError."""
    whole = typed.reveal()
    key = whole.strip()
    called, plain = _FORMS[name]
    if not key:
        raise OperatorError("Nothing was given.", f"Copy {called} whole, and give it once more.")
    if any(unicodedata.category(letter) == "Cc" for letter in key):
        raise OperatorError(f"There is a line break in what was given as {called}.", "Copy the key alone.")
    if plain and not (key.isascii() and key.isprintable() and " " not in key):
        told = f"What was given has blanks or letters that {called} never has."
        raise OperatorError(told, "Copy the key alone, and give it once more.")
    if name is SecretName.LEAD_FORM_TOKEN and len(key) < SHORTEST_TOKEN:
        raise OperatorError(f"{called.capitalize()} is too short.", f"Take {SHORTEST_TOKEN} letters or more.")
    notes = ("Blanks before or behind it were left out.",) if key != whole.rstrip("\r\n") else ()
    return Secret(key), notes
