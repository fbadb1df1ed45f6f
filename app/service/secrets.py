"""What services need of the place where secrets are. It may ask for a password: never call it on the UI's thread."""

from __future__ import annotations

from typing import Protocol

from app.domain.secret import Secret, SecretName
from app.domain.secret_place import HeldIn, SecretPlace, SecretsUnavailable, Unavailable

__all__ = ["HeldIn", "Secret", "SecretName", "SecretPlace", "Secrets", "SecretsUnavailable", "Unavailable"]


class Secrets(Protocol):
    """The practice's secrets on this computer (I16). Each call may take as long as somebody takes to unlock them."""

    def read(self, name: SecretName) -> Secret | None:
        """The secret; None when there is none of that name. Read once, then remembered.

        Raises SecretsUnavailable when nobody can tell, after half a minute at most.
        """
        ...

    def write(self, name: SecretName, secret: Secret) -> None:
        """Keep it in the keyring, whole, and look that it is there. Raises SecretsUnavailable.

        Raises OperatorError for one that the environment gives: it would go on to win.
        """
        ...

    def forget(self, name: SecretName) -> bool:
        """Take it out of the keyring; False when it held none. Raises as `write`."""
        ...

    def place(self) -> SecretPlace:
        """Where each secret is. Never raises for a keyring that can't be used: that is told."""
        ...

    def look_again(self) -> None:
        """Ask the keyring anew the next time: somebody may have given it another key, or unlocked it."""
        ...
