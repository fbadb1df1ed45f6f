"""A real Secret Service: GNOME Keyring on a session bus of its own, in a child process. Skipped where it is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = ("dbus-run-session", "gnome-keyring-daemon")
MISSING = [tool for tool in TOOLS if shutil.which(tool) is None]

# what is done with the real keyring, by one process after another
_CHILD = """
import sys
from app.known_secrets import KnownSecrets
from app.domain.secret import Secret, SecretName
from app.providers.keyring_secrets import KeyringSecrets

def anew():
    return KeyringSecrets(lambda: "9f3c", {}, KnownSecrets())

long = "pässwörd-\\N{GRINNING FACE}" * 150
anew().write(SecretName.SENDGRID_API_KEY, Secret(long))
anew().write(SecretName.TWILIO_AUTH_TOKEN, Secret("0a1b2c"))
assert anew().read(SecretName.SENDGRID_API_KEY) == Secret(long)
assert anew().read(SecretName.TWILIO_AUTH_TOKEN) == Secret("0a1b2c")
assert anew().read(SecretName.IMAP_PASSWORD) is None
anew().write(SecretName.SENDGRID_API_KEY, Secret("short"))
assert anew().read(SecretName.SENDGRID_API_KEY) == Secret("short")
assert anew().forget(SecretName.SENDGRID_API_KEY)
assert anew().read(SecretName.SENDGRID_API_KEY) is None
print(anew().place().keyring, sorted(name.value for name in anew().place().held))
"""
_UNLOCKED = """
printf testpw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1
exec "$0" -c "$1"
"""


@pytest.mark.skipif(bool(MISSING), reason=f"{' and '.join(MISSING)} not installed (make setup does, where it may)")
def test_a_real_secret_service_keeps_secrets_whole(tmp_path: Path) -> None:
    said = _in_session(tmp_path, _UNLOCKED, _CHILD)

    assert said.returncode == 0, said.stderr
    assert "['twilio-auth-token']" in said.stdout


_LOCKED = """
exec "$0" -c "$1"
"""
_ASKS = """
from app.known_secrets import KnownSecrets
from app.domain.secret import SecretName
from app.domain.secret_place import SecretsUnavailable
from app.providers.keyring_secrets import KeyringSecrets

try:
    print(KeyringSecrets(lambda: "9f3c", {}, KnownSecrets()).read(SecretName.TWILIO_AUTH_TOKEN))
except SecretsUnavailable as told:
    print(told)
"""


@pytest.mark.skipif(bool(MISSING), reason=f"{' and '.join(MISSING)} not installed (make setup does, where it may)")
def test_a_session_without_a_secret_service_is_told_in_words(tmp_path: Path) -> None:
    """Case 153: a bare window manager."""
    said = _in_session(tmp_path, _LOCKED, _ASKS, services=False)

    assert said.returncode == 0, said.stderr
    assert "keyring" in said.stdout
    assert "Traceback" not in said.stderr


def _in_session(tmp_path: Path, script: str, code: str, *, services: bool = True) -> subprocess.CompletedProcess[str]:
    """Run `code` by Python within `script` on a session bus of its own, with a home of its own."""
    home, runtime = tmp_path / "home", tmp_path / "run"
    home.mkdir(mode=0o700)
    runtime.mkdir(mode=0o700)
    environment = {key: value for key, value in os.environ.items() if key != "PYTHON_KEYRING_BACKEND"}
    environment |= {"HOME": str(home), "XDG_RUNTIME_DIR": str(runtime), "XDG_DATA_HOME": str(home / "data")}
    command = ["dbus-run-session"]
    if not services:  # a bus that can start nothing by itself
        bus = tmp_path / "bus.conf"
        bus.write_text(_BARE_BUS, encoding="utf-8")
        command += [f"--config-file={bus}"]
    return subprocess.run(
        [*command, "--", "sh", "-c", script, sys.executable, code],
        env=environment,
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


_BARE_BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <policy context="default"><allow send_destination="*"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>
"""
