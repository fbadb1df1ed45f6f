"""The system's keyring: one entry a secret, and what its back ends raise, turned into words (PROVIDERS section 11).

A back end may ask somebody for a password and wait for it. Reading gives up waiting after a while, and takes the answer
when it comes; writing is done by staff, who are there to answer.
"""

from __future__ import annotations

import logging
import secrets as random
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from app.domain.errors import OperatorError
from app.domain.secret import Secret, SecretName
from app.domain.secret_place import VARIABLES, HeldIn, SecretPlace, SecretsUnavailable, Unavailable
from app.known_secrets import KnownSecrets

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

log = logging.getLogger(__name__)

T = TypeVar("T")

MOST_UNITS: Final = 1280  # of UTF-16 in one entry of Windows' Credential Manager
PART_UNITS: Final = 1200
ASKED_FOR_S: Final = 25.0  # a sender's test ends within 30 s
_PARTS: Final = "stopwell-parts/1"
_REFUSED: Final = {"keyring.backends.null": Unavailable.OFF, "keyring.backends.fail": Unavailable.NONE}


class KeyringSecrets:
    """Implements service.secrets.Secrets.

    practice_id: gives the practice's own id, by which its entries are told from another practice's. given: what the
    environment gave; it wins. known: is told every secret that is read or written here.
    """

    def __init__(
        self,
        practice_id: Callable[[], str],
        given: Mapping[SecretName, Secret],
        known: KnownSecrets,
        *,
        asked_for_s: float = ASKED_FOR_S,
    ) -> None:
        self._practice_id = practice_id
        self._given = dict(given)
        self._known = known
        self._asked_for_s = asked_for_s
        self._lock = threading.RLock()
        self._kept: dict[SecretName, Secret] = {}
        self._asking: dict[SecretName, _Asking[Secret | None]] = {}
        self._locked: SecretsUnavailable | None = None

    def read(self, name: SecretName) -> Secret | None:
        """What the environment gave, what was read before, or what the keyring says within 25 s.

        A keyring that is locked is not asked again, and so asks nobody, before `look_again`.
        """
        with self._lock:
            known = self._given.get(name) or self._kept.get(name)
            if known is not None:
                return known
            if self._locked is not None:
                raise self._locked
            asking = self._asking.get(name)
            if asking is None:
                if any(other.given_up for other in self._asking.values()):  # one open question is enough
                    raise SecretsUnavailable(Unavailable.LOCKED)
                asking = self._asking[name] = _Asking(lambda: self._ask(name))
        secret = self._answer(name, asking)
        if secret is not None:
            self._keep(name, secret)
        return secret

    def write(self, name: SecretName, secret: Secret) -> None:
        """In one entry, or in several when it is longer than one may be. The old one is there until the new one is."""
        self._not_given(name)
        entry = _Entry(_backend(), self._service(name), name)
        with _told_in_words():
            entry.write(secret.reveal())
            if entry.read() != secret.reveal():
                raise SecretsUnavailable(Unavailable.NOT_KEPT)
        self.look_again()
        self._keep(name, secret)

    def forget(self, name: SecretName) -> bool:
        """Out of the keyring, with all its parts."""
        self._not_given(name)
        entry = _Entry(_backend(), self._service(name), name)
        with _told_in_words():
            gone = entry.forget()
        self.look_again()
        return gone

    def place(self) -> SecretPlace:
        """Reads each secret to see whether it is there."""
        held: dict[SecretName, HeldIn] = {}
        fault: SecretsUnavailable | None = None
        for name in SecretName:
            if name in self._given:
                held[name] = HeldIn.ENVIRONMENT
                continue
            try:
                if fault is None and self.read(name) is not None:
                    held[name] = HeldIn.KEYRING
            except SecretsUnavailable as told:
                fault = told
        return SecretPlace(_called(), fault, held)

    def look_again(self) -> None:
        """Forget what was read, and that the keyring was locked."""
        with self._lock:
            self._kept.clear()
            self._asking.clear()
            self._locked = None

    def _keep(self, name: SecretName, secret: Secret) -> None:
        self._known.add(secret.reveal())
        with self._lock:
            self._kept[name] = secret

    def _answer(self, name: SecretName, asking: _Asking[Secret | None]) -> Secret | None:
        try:
            secret = asking.answer(0.0 if asking.given_up else self._asked_for_s)
        except SecretsUnavailable as fault:
            with self._lock:
                self._asking.pop(name, None)
                if fault.why is Unavailable.LOCKED:
                    self._locked = fault
            raise
        except TimeoutError as waiting:  # whoever asks next takes the answer, if it has come by then
            asking.given_up = True
            raise SecretsUnavailable(Unavailable.LOCKED) from waiting
        with self._lock:
            self._asking.pop(name, None)
        return secret

    def _ask(self, name: SecretName) -> Secret | None:
        entry = _Entry(_backend(), self._service(name), name)
        with _told_in_words():
            value = entry.read()
        return None if value is None else Secret(value)

    def _service(self, name: SecretName) -> str:
        return f"Stopwell/{self._practice_id()}/{name.value}"

    def _not_given(self, name: SecretName) -> None:
        if name in self._given:
            told = f"{name.value} is given by the environment, which goes before the keyring."
            raise OperatorError(told, f"Take {VARIABLES[name]} out of the environment of Stopwell first.")


class _Entry:
    """One secret in one back end. A long one is an entry that names its parts, and the parts beside it."""

    def __init__(self, backend: KeyringBackend, service: str, name: SecretName) -> None:
        self._backend = backend
        self._service = service
        self._user = name.value

    def read(self) -> str | None:
        value = self._get(self._service)
        parts = _parts_named(value)
        if not parts:
            return value
        read = [self._get(f"{self._service}/{part}") for part in parts]
        whole = [part for part in read if part is not None]
        if len(whole) != len(read):
            raise SecretsUnavailable(Unavailable.INCOMPLETE)
        return "".join(whole)

    def write(self, value: str) -> None:
        before = _parts_named(self._get(self._service))
        if _units(value) <= MOST_UNITS and not value.startswith(_PARTS):
            self._set(self._service, value)
        else:
            pieces = _pieces(value)
            batch = random.token_hex(4)
            for number, piece in enumerate(pieces):
                self._set(f"{self._service}/{batch}-{number}", piece)
            self._set(self._service, f"{_PARTS} {batch} {len(pieces)}")
        self._take_away(before)

    def forget(self) -> bool:
        value = self._get(self._service)
        if value is None:
            return False
        self._backend.delete_password(self._service, self._user)
        self._take_away(_parts_named(value))
        return True

    def _take_away(self, parts: list[str]) -> None:
        for part in parts:
            if self._get(f"{self._service}/{part}") is not None:
                self._backend.delete_password(f"{self._service}/{part}", self._user)

    def _get(self, service: str) -> str | None:
        value: str | None = self._backend.get_password(service, self._user)
        return value

    def _set(self, service: str, value: str) -> None:
        self._backend.set_password(service, self._user, value)


def _parts_named(value: str | None) -> list[str]:
    """The parts that an entry names; none for a plain value."""
    words = (value or "").split(" ")
    if len(words) != 3 or words[0] != _PARTS or not words[2].isdigit():
        return []
    return [f"{words[1]}-{number}" for number in range(int(words[2]))]


def _pieces(value: str) -> list[str]:
    """`value` cut between letters, each piece short enough for one entry."""
    pieces, piece, units = [], "", 0
    for letter in value:
        if units + _units(letter) > PART_UNITS:
            pieces.append(piece)
            piece, units = "", 0
        piece += letter
        units += _units(letter)
    return [*pieces, piece]


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _backend() -> KeyringBackend:
    """The back end that is asked. Raises SecretsUnavailable for one that would show or lose what it is given."""
    with _told_in_words():
        import keyring
        from keyring.backends import chainer, fail
        from keyring.core import init_backend

        found = keyring.get_keyring()
        if isinstance(found, fail.Keyring):  # it may have come up since
            init_backend()
            found = keyring.get_keyring()
        several = list(found.backends) if isinstance(found, chainer.ChainerBackend) else [found]
        reasons = {_unusable(each) for each in several}
        usable = next((each for each in several if _unusable(each) is None), None)
    if usable is None:
        worst = (Unavailable.PLAIN_TEXT, Unavailable.OFF)
        raise SecretsUnavailable(next((why for why in worst if why in reasons), Unavailable.NONE))
    return usable


def _unusable(backend: KeyringBackend) -> Unavailable | None:
    module = type(backend).__module__
    if module in _REFUSED:
        return _REFUSED[module]
    if module.startswith("keyrings.alt") or backend.priority < 1:
        return Unavailable.PLAIN_TEXT
    return None


def _called() -> str:
    try:
        return str(_backend().name)
    except SecretsUnavailable:
        return ""


@contextmanager
def _told_in_words() -> Iterator[None]:
    """Turns what a back end raises into SecretsUnavailable; its own words may repeat what it was given."""
    try:
        yield
    except OperatorError:
        raise
    except Exception as error:  # back ends let through whatever their system raises
        from keyring import errors

        match error:
            case errors.NoKeyringError():
                why = Unavailable.NONE
            case errors.KeyringLocked() | errors.InitError():
                why = Unavailable.LOCKED
            case errors.PasswordSetError():
                why = Unavailable.NOT_KEPT
            case _:
                why = Unavailable.FAULT
                log.exception("keyring.failed")
        raise SecretsUnavailable(why) from error


class _Asking(Generic[T]):
    """One question on a thread of its own, which ends with the process: nobody may ever answer it."""

    def __init__(self, question: Callable[[], T]) -> None:
        self.given_up = False  # somebody has waited for as long as one waits
        self._future: Future[T] = Future()
        self._question = question
        threading.Thread(target=self._run, name="keyring", daemon=True).start()

    def answer(self, within_s: float) -> T:
        """What came of it, also an error. Raises TimeoutError while nothing has."""
        return self._future.result(within_s)

    def _run(self) -> None:
        try:
            self._future.set_result(self._question())
        except BaseException as error:  # noqa: BLE001 (handed on to whoever waits)
            self._future.set_exception(error)
