"""Secrets in a keyring: whole or not at all, and every way in which a keyring fails in words. Cases 153 and 155."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import keyring.backends.fail
import keyring.backends.null
import pytest
from keyring import errors
from keyring.backend import KeyringBackend

from app.domain.errors import OperatorError
from app.domain.secret import Secret, SecretName
from app.domain.secret_place import HeldIn, SecretsUnavailable, Unavailable
from app.known_secrets import KnownSecrets
from app.providers.keyring_secrets import KeyringSecrets
from tests.keyrings import FailingKeyring, ForgetfulKeyring, MemoryKeyring, WeakKeyring, this_keyring

TOKEN = SecretName.TWILIO_AUTH_TOKEN
KEY = SecretName.SENDGRID_API_KEY
LONG = "k" * 1500
NO_KEYRING = keyring.backends.fail.Keyring()  # type: ignore[no-untyped-call]
NULL_KEYRING = keyring.backends.null.Keyring()  # type: ignore[no-untyped-call]
MIXED = "pässwörd-☂-😀" * 120


def secrets_of(
    practice: str = "9f3c", given: dict[SecretName, Secret] | None = None, known: KnownSecrets | None = None
) -> KeyringSecrets:
    return KeyringSecrets(lambda: practice, given or {}, known or KnownSecrets(), asked_for_s=5.0)


@pytest.fixture
def ring() -> Iterator[MemoryKeyring]:
    memory = MemoryKeyring(most=1280)
    with this_keyring(memory):
        yield memory


def test_what_is_written_is_read_back_by_somebody_else(ring: MemoryKeyring) -> None:
    secrets_of().write(TOKEN, Secret("0a1b2c"))

    assert secrets_of().read(TOKEN) == Secret("0a1b2c")
    assert secrets_of().read(KEY) is None
    assert secrets_of("another practice").read(TOKEN) is None
    assert list(ring.entries) == [("Stopwell/9f3c/twilio-auth-token", "twilio-auth-token")]


@pytest.mark.parametrize("value", [LONG, MIXED, "k" * 1280, "k" * 1281, "line\n", "stopwell-parts/1 ab 3"])
def test_a_secret_too_long_for_windows_is_kept_whole(ring: MemoryKeyring, value: str) -> None:
    """Case 155."""
    secrets_of().write(KEY, Secret(value))

    assert secrets_of().read(KEY) == Secret(value)
    assert all(len(part.encode("utf-16-le")) <= 2560 for part in ring.entries.values())


def test_a_new_secret_leaves_nothing_of_a_longer_old_one(ring: MemoryKeyring) -> None:
    secrets = secrets_of()
    secrets.write(KEY, Secret(LONG))
    secrets.write(KEY, Secret(MIXED))
    assert secrets_of().read(KEY) == Secret(MIXED)

    secrets.write(KEY, Secret("short"))

    assert list(ring.entries.values()) == ["short"]


def test_a_secret_whose_parts_are_not_all_there_is_said_to_be_so(ring: MemoryKeyring) -> None:
    secrets_of().write(KEY, Secret(LONG))
    del ring.entries[next(key for key in ring.entries if key[0].endswith("-1"))]

    with pytest.raises(SecretsUnavailable) as told:
        secrets_of().read(KEY)
    assert told.value.why is Unavailable.INCOMPLETE


def test_forgetting_takes_every_part_out(ring: MemoryKeyring) -> None:
    secrets = secrets_of()
    secrets.write(KEY, Secret(LONG))

    assert secrets.forget(KEY)
    assert not secrets.forget(KEY)
    assert ring.entries == {}
    assert secrets.read(KEY) is None


def test_a_secret_is_asked_for_once_and_then_remembered(ring: MemoryKeyring) -> None:
    secrets_of().write(TOKEN, Secret("0a1b2c"))
    secrets = secrets_of()
    secrets.read(TOKEN)
    asked = ring.asked

    assert secrets.read(TOKEN) == Secret("0a1b2c")
    assert ring.asked == asked


def test_another_process_may_have_given_a_new_one(ring: MemoryKeyring) -> None:
    secrets = secrets_of()
    secrets.write(TOKEN, Secret("old"))
    secrets_of().write(TOKEN, Secret("new"))
    assert secrets.read(TOKEN) == Secret("old")

    secrets.look_again()

    assert secrets.read(TOKEN) == Secret("new")


# ---- the environment


def test_what_the_environment_gives_wins_and_needs_no_keyring() -> None:
    with this_keyring(NO_KEYRING):
        secrets = secrets_of(given={TOKEN: Secret("from outside")})
        assert secrets.read(TOKEN) == Secret("from outside")
        with pytest.raises(SecretsUnavailable):
            secrets.read(KEY)


def test_what_the_environment_gives_can_not_be_changed_here(ring: MemoryKeyring) -> None:
    secrets = secrets_of(given={TOKEN: Secret("from outside")})

    for change in (lambda: secrets.write(TOKEN, Secret("new")), lambda: secrets.forget(TOKEN)):
        with pytest.raises(OperatorError, match="STOPWELL_TWILIO_AUTH_TOKEN"):
            change()
    assert ring.entries == {}


def test_where_each_secret_is_can_be_told(ring: MemoryKeyring) -> None:
    secrets = secrets_of(given={TOKEN: Secret("from outside")})
    secrets.write(KEY, Secret("mine"))

    place = secrets.place()

    assert place.fault is None
    assert place.held == {TOKEN: HeldIn.ENVIRONMENT, KEY: HeldIn.KEYRING}
    assert place.keyring


# ---- keyrings that can't be used


def _raises(error: Exception) -> Callable[[], object]:
    def fail() -> object:
        raise error

    return fail


_FAILS = [
    (NO_KEYRING, Unavailable.NONE, "GNOME Keyring, KWallet or KeePassXC"),
    (NULL_KEYRING, Unavailable.OFF, "PYTHON_KEYRING_BACKEND"),
    (WeakKeyring(), Unavailable.PLAIN_TEXT, "plain text"),
    (FailingKeyring(_raises(errors.NoKeyringError("no"))), Unavailable.NONE, "no keyring"),
    (FailingKeyring(_raises(errors.KeyringLocked("x"))), Unavailable.LOCKED, "Unlock it"),
    (FailingKeyring(_raises(errors.InitError("Prompt dismissed"))), Unavailable.LOCKED, "Unlock it"),
    (FailingKeyring(_raises(errors.PasswordSetError("no"))), Unavailable.NOT_KEPT, "did not keep"),
]


@pytest.mark.parametrize(("backend", "why", "words"), _FAILS)
def test_a_keyring_that_can_not_be_used_is_told_in_words(backend: KeyringBackend, why: Unavailable, words: str) -> None:
    """Case 153: nothing falls back to a file or the database."""
    with this_keyring(backend):
        uses: list[Callable[[], object]] = [
            lambda: secrets_of().read(TOKEN),
            lambda: secrets_of().write(TOKEN, Secret("0a1b2c")),
        ]
        for use in uses:
            with pytest.raises(SecretsUnavailable) as told:
                use()
            assert told.value.why is why
            assert words in f"{told.value.told} {told.value.hint}"
            assert "0a1b2c" not in str(told.value)
        place = secrets_of().place()
    assert place.fault is not None
    assert place.held == {}


@pytest.mark.expects_warning("keyring.failed")
def test_what_only_a_system_knows_of_is_told_as_a_keyring_that_can_not_be_used() -> None:
    ring = FailingKeyring(_raises(OSError(5, "0a1b2c can't be read")))
    with this_keyring(ring), pytest.raises(SecretsUnavailable) as told:
        secrets_of().read(TOKEN)
    assert told.value.why is Unavailable.FAULT
    assert "0a1b2c" not in str(told.value)


def test_a_keyring_that_keeps_nothing_is_found_out() -> None:
    with this_keyring(ForgetfulKeyring()), pytest.raises(SecretsUnavailable) as told:
        secrets_of().write(TOKEN, Secret("0a1b2c"))
    assert told.value.why is Unavailable.NOT_KEPT


def test_a_locked_keyring_asks_nobody_again_until_somebody_looks() -> None:
    ring = FailingKeyring(_raises(errors.KeyringLocked("dismissed")))
    with this_keyring(ring):
        secrets = secrets_of()
        for name in (TOKEN, TOKEN, KEY):
            with pytest.raises(SecretsUnavailable):
                secrets.read(name)
        assert ring.asked == 1

        secrets.look_again()
        with pytest.raises(SecretsUnavailable):
            secrets.read(TOKEN)
        assert ring.asked == 2


def test_a_question_that_nobody_answers_stops_nothing_and_its_answer_is_taken_when_it_comes() -> None:
    """Case 161: a keyring prompt."""
    answered, asked = threading.Event(), threading.Event()

    def wait() -> None:
        asked.set()
        answered.wait(60)

    ring = FailingKeyring(wait)
    ring.entries["Stopwell/9f3c/twilio-auth-token", TOKEN.value] = "0a1b2c"
    with this_keyring(ring):
        secrets = KeyringSecrets(lambda: "9f3c", {}, KnownSecrets(), asked_for_s=0.0)
        for name in (TOKEN, TOKEN, KEY):
            with pytest.raises(SecretsUnavailable) as told:
                secrets.read(name)
            assert told.value.why is Unavailable.LOCKED
        assert asked.wait(60)
        assert ring.asked == 1  # one open question is enough
        answered.set()
        _until_read(secrets)
        assert secrets.read(TOKEN) == Secret("0a1b2c")


def _until_read(secrets: KeyringSecrets) -> None:
    for thread in threading.enumerate():
        if thread.name == "keyring":
            thread.join(60)
    assert secrets.read(TOKEN) is not None


def test_i16_what_is_read_and_written_is_hidden_from_then_on(ring: MemoryKeyring) -> None:
    known = KnownSecrets()
    secrets_of(known=known).write(TOKEN, Secret("0a1b2c3d"))
    assert "0a1b2c3d" not in known.hide("token 0a1b2c3d")

    later = KnownSecrets()
    secrets_of(known=later).read(TOKEN)
    assert "0a1b2c3d" not in later.hide("token 0a1b2c3d")
