"""Keys, tests of connections, the list and the switch, by commands. Case 153: nothing falls back to a file."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import keyring.backends.fail
import pytest

from app.domain.connection_words import Connection
from app.domain.secret import SecretName
from tests.keyrings import MemoryKeyring, this_keyring
from tests.shop import PRACTICE, Shop

TOKEN = "0a1b2c3d4e5f6a7b8c9d"
PROVIDERS = """format: stopwell.providers/1
twilio: {account_sid: AC0123, from: "+15035550100", base_url: "http://127.0.0.1:9"}
"""


@pytest.fixture(autouse=True)
def ring() -> Iterator[MemoryKeyring]:
    memory = MemoryKeyring()
    with this_keyring(memory):
        yield memory


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def test_a_key_comes_from_standard_input_and_is_never_shown(
    fernhollow: Shop, ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(monkeypatch, f"{TOKEN}\n")
    said = fernhollow.done("keys", "set", "twilio-auth-token")

    assert said.out == "twilio-auth-token is kept in the keyring.\n"
    assert list(ring.entries.values()) == [TOKEN]
    shown = fernhollow.json("keys", "show")
    assert [each["held"] for each in shown["keys"]] == ["keyring", None, None, None]
    assert TOKEN not in json.dumps(shown) + fernhollow.done("keys", "show").out


@pytest.mark.skipif(os.name != "posix", reason="a terminal of POSIX")
def test_i16_a_key_that_is_typed_at_a_terminal_is_not_shown_there(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "data")
    shop.done("init", *PRACTICE)
    argv = [sys.executable, "-m", "app", "keys", "set", "twilio-auth-token", "--data", str(shop.folder)]
    ours, theirs = os.openpty()
    with subprocess.Popen(
        argv, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as child:
        os.close(theirs)
        assert child.stderr is not None
        asked = b""
        while not asked.endswith(b"shown): "):  # by then nothing is echoed any more
            read = child.stderr.read(1)
            assert read, asked
            asked += read
        os.write(ours, f"{TOKEN}\n".encode())
        out, err = child.communicate(timeout=60)
    os.set_blocking(ours, False)
    try:
        echoed = os.read(ours, 10_000)
    except OSError:  # nothing at all, and nobody at the other end
        echoed = b""
    os.close(ours)

    assert b"no keyring" in err  # in the test's environment there is none: the key came as far as there
    assert TOKEN.encode() not in echoed + out + err


def test_a_key_is_no_word_of_the_command_line(fernhollow: Shop) -> None:
    assert fernhollow("keys", "set", "twilio-auth-token", TOKEN).code == 2


def test_blanks_around_a_key_are_left_out_with_a_note(fernhollow: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, f"  {TOKEN} \n")
    assert fernhollow.json("keys", "set", "twilio-auth-token")["notes"] == ["Blanks before or behind it were left out."]
    typed(monkeypatch, "\n")
    assert "Nothing was given" in fernhollow.refused("keys", "set", "imap-password")


def test_a_key_is_forgotten(fernhollow: Shop, ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, TOKEN)
    fernhollow.done("keys", "set", "twilio-auth-token")

    assert fernhollow.json("keys", "forget", "twilio-auth-token")["changed"] is True
    assert fernhollow.json("keys", "forget", "twilio-auth-token")["changed"] is False
    assert ring.entries == {}


def test_case_153_without_a_keyring_it_is_said_what_to_do(fernhollow: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, TOKEN)
    with this_keyring(keyring.backends.fail.Keyring()):  # type: ignore[no-untyped-call]
        told = fernhollow.refused("keys", "set", "twilio-auth-token")
        shown = fernhollow.json("keys", "show")
    assert "GNOME Keyring" in told
    assert TOKEN not in told
    assert (shown["keyring"], "GNOME Keyring" in shown["fault"]) == (None, True)


def test_what_the_environment_gives_is_shown_as_that(fernhollow: Shop) -> None:
    headless = Shop(fernhollow.folder, {"STOPWELL_TWILIO_AUTH_TOKEN": TOKEN})

    assert headless.json("keys", "show")["keys"][0]["held"] == "environment"
    assert TOKEN not in headless.done("keys", "show").out
    assert "STOPWELL_TWILIO_AUTH_TOKEN" in headless.refused("keys", "forget", "twilio-auth-token")


def test_a_connection_is_tested_and_what_is_wrong_is_told(fernhollow: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fernhollow("test-connection", "twilio").out.startswith("Twilio is not set up.")
    fernhollow.done("apply", fernhollow.write("providers.yaml", PROVIDERS))
    assert "There is no key for Twilio" in fernhollow("test-connection", "twilio").out
    typed(monkeypatch, TOKEN)
    fernhollow.done("keys", "set", "twilio-auth-token")

    said = fernhollow("test-connection", "twilio", "--json")

    assert said.code == 1
    assert said.json["works"] is False
    assert "Twilio can't be reached" in said.json["told"]
    assert TOKEN not in said.out + said.err


def test_the_list_names_what_is_missing_and_nothing_goes_live_before(fernhollow: Shop) -> None:
    said = fernhollow("checklist", "--json")
    assert (said.code, said.json["ready"]) == (1, False)
    assert {item["check"] for item in said.json["items"] if item["required"] and not item["ok"]} >= {"senders"}
    assert "missing" in fernhollow("checklist").out

    told = fernhollow.refused("live")

    assert "stays in practice mode" in told
    assert "No provider is set up yet" in told
    assert fernhollow.json("practice") == {
        "live": False,
        "changed": False,
        "told": "The practice is in practice mode, as it was.",
    }


def test_every_key_and_connection_that_there_is_can_be_named() -> None:
    from app.cli import main

    assert set(main.SECRETS) == {name.value for name in SecretName}
    assert set(main.CONNECTIONS) == {connection.value for connection in Connection}


# ---- what a tick loads, and what its children see


@pytest.mark.parametrize("command", [("tick",), ("engine", "--for", "1")])
def test_in_practice_mode_no_vendor_s_client_is_loaded_and_no_keyring(tmp_path: Path, command: tuple[str, ...]) -> None:
    shop = Shop(tmp_path / "data")
    shop.done("init", *PRACTICE)
    shop.done("apply", shop.write("providers.yaml", PROVIDERS))
    heavy = ("twilio", "sendgrid", "python_http_client", "keyring", "imap_tools", "requests", "starlette", "uvicorn")
    argv = [*command, "--data", str(shop.folder)]
    code = (
        f"import sys; from app.__main__ import main; code = main({argv!r}); "
        f"print(code, [name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)

    assert done.stdout.splitlines()[-1] == "0 []"


def test_i16_what_the_environment_gives_is_out_of_reach_of_children(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "data")
    shop.done("init", *PRACTICE)
    code = (
        "import os, subprocess, sys; from app.__main__ import main; "
        f"main(['keys', 'show', '--data', {str(shop.folder)!r}]); "
        "print(subprocess.run(['env'], capture_output=True, text=True).stdout)"
    )
    environment = {**os.environ, "STOPWELL_TWILIO_AUTH_TOKEN": TOKEN, "STOPWELL_SENDGRID_API_KEY": TOKEN}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60, env=environment
    )

    assert "given by the environment" in done.stdout
    assert TOKEN not in done.stdout + done.stderr
