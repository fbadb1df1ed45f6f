"""Keyrings for tests: one that keeps in memory, and ones that fail as the real ones do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import keyring
from keyring import errors
from keyring.backend import KeyringBackend


class MemoryKeyring(KeyringBackend):
    """Keeps what it is given, as the system's keyring does. most: letters of UTF-16 that one entry takes."""

    priority = 5

    def __init__(self, most: int | None = None) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.entries: dict[tuple[str, str], str] = {}
        self.most = most
        self.asked = 0

    def get_password(self, service: str, username: str) -> str | None:
        self.asked += 1
        return self.entries.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        if self.most is not None and len(password.encode("utf-16-le")) // 2 > self.most:
            raise OSError(1783, "The stub received bad data")  # what Windows says beyond 1280
        self.entries[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if (service, username) not in self.entries:
            raise errors.PasswordDeleteError("No such password!")
        del self.entries[service, username]


class FailingKeyring(MemoryKeyring):
    """Does what `fault` does, whatever it is asked."""

    def __init__(self, fault: Callable[[], object]) -> None:
        super().__init__()
        self._fault = fault

    def get_password(self, service: str, username: str) -> str | None:
        self.asked += 1
        self._fault()
        return super().get_password(service, username)

    def set_password(self, service: str, username: str, password: str) -> None:
        self._fault()
        super().set_password(service, username, password)


class WeakKeyring(MemoryKeyring):
    """One that says itself that it is not to be trusted."""

    priority = 0.5  # type: ignore[assignment]


class ForgetfulKeyring(MemoryKeyring):
    """Accepts everything and keeps nothing."""

    def set_password(self, service: str, username: str, password: str) -> None:
        return


@contextmanager
def this_keyring(backend: KeyringBackend) -> Iterator[None]:
    """While open, the process's keyring is `backend`."""
    before = keyring.get_keyring()
    keyring.set_keyring(backend)
    try:
        yield
    finally:
        keyring.set_keyring(before)
