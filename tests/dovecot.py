"""A Dovecot for one test session: own folder, own configuration, two ports on loopback, gone afterwards.

Not a package of this project: `sudo sh tools/setup.sh partners` brings it. As root its programs run as `nobody`, since
Dovecot gives nobody's mail to root.
"""

from __future__ import annotations

import grp
import imaplib
import itertools
import os
import pwd
import re
import shutil
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from app.domain.provider_settings import Imap
from app.domain.secret import Secret
from tests.certificates import Authority
from tests.postgres import Account

PASSWORD = "correct horse"
ODD_USER, ODD_PASSWORD = "zoë@example.com", 'pass "wört\\" '  # as people choose them
_USERS = 400  # each test has one of its own
_START_S = 60
_SETTINGS = """
base_dir = {folder}/run
state_dir = {folder}/run
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_cert = <{cert}
ssl_key = <{key}
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_failure_delay = 0
auth_username_chars =
mail_location = maildir:{folder}/mail/%u/Maildir
mail_fsync = never
first_valid_uid = 1
first_valid_gid = 1
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
mail_max_userip_connections = 100
passdb {{
  driver = passwd-file
  args = scheme=PLAIN username_format=%u {folder}/users
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}/mail/%u
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service imap-login {{
  chroot =
  service_count = 0
  inet_listener imap {{
    port = {plain_port}
  }}
  inet_listener imaps {{
    port = {port}
    ssl = yes
  }}
}}
"""


class NoDovecot(Exception):
    """There is none that could be run here; says why."""


class Dovecot:
    """A running server. `box` gives a fresh, empty mailbox; `stop` ends the server and removes its folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.authority = Authority(folder)
        self.account = Account.for_this_process()
        self.port, self.plain_port = _free_ports()
        self._program = _program()
        self._users = itertools.count(1)
        self._process: subprocess.Popen[bytes] | None = None

    @classmethod
    def start(cls) -> Dovecot:
        """Write the settings and start. Raises NoDovecot."""
        _program()
        # straight under the temporary folder: pytest's own folders are closed to `nobody`, and sockets need short names
        folder = Path(tempfile.mkdtemp(prefix="stopwell-imap-"))
        server = cls(folder)
        try:
            server._write_settings()
            server._come_up()
        except (OSError, subprocess.SubprocessError, NoDovecot) as exc:
            log = folder / "log"
            told = log.read_text(errors="replace")[-2000:] if log.exists() else ""
            server.stop()
            raise NoDovecot(f"{exc}\n{told}".rstrip()) from exc
        return server

    def box(self) -> Box:
        """A mailbox that nobody used before."""
        return Box(self, f"u{next(self._users)}")

    def stop(self) -> None:
        """End the server, by its own process, and remove its folder."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(_START_S)
        shutil.rmtree(self.folder)

    def doveadm(self, *arguments: str) -> None:
        """Run Dovecot's own tool."""
        program = shutil.which("doveadm") or self._program.with_name("doveadm")
        self.account.run(Path(program), "-c", str(self._settings), *arguments)

    @property
    def _settings(self) -> Path:
        return self.folder / "dovecot.conf"

    def _write_settings(self) -> None:
        certificate = self.authority.issue()
        uid = os.geteuid() if self.account.uid is None else self.account.uid
        gid = os.getegid() if self.account.gid is None else self.account.gid
        (self.folder / "mail").mkdir()
        (self.folder / "run").mkdir()
        users = [(f"u{n}", PASSWORD) for n in range(1, _USERS + 1)] + [(ODD_USER, ODD_PASSWORD)]
        lines = "".join(f"{user}:{{PLAIN}}{password}\n" for user, password in users)
        (self.folder / "users").write_text(lines, encoding="utf-8")
        self._settings.write_text(
            _SETTINGS.format(
                folder=self.folder,
                cert=certificate.cert,
                key=certificate.key,
                user=pwd.getpwuid(uid).pw_name,
                group=grp.getgrgid(gid).gr_name,
                uid=uid,
                gid=gid,
                port=self.port,
                plain_port=self.plain_port,
            )
        )
        self.account.give(self.folder)

    def _come_up(self) -> None:
        process = subprocess.Popen(
            [str(self._program), "-F", "-c", str(self._settings)],
            user=self.account.uid,
            group=self.account.gid,
            extra_groups=None if self.account.uid is None else [],
            cwd="/",
            env={"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._process = process
        until = time.monotonic() + _START_S
        while not _answers(self.port):
            try:
                ended = process.wait(timeout=0.02)
            except subprocess.TimeoutExpired:
                ended = None
            if ended is not None or time.monotonic() > until:
                raise NoDovecot(f"Dovecot did not come up ({ended}).")


class Box:
    """One user's mailbox: mail is put into it as a delivery does, or by a colleague's mail program."""

    def __init__(self, server: Dovecot, user: str) -> None:
        self.server = server
        self.user = user
        self._names = itertools.count(1)

    def settings(self, *, folder: str = "INBOX", also: Sequence[str] = (), host: str = "localhost") -> Imap:
        """What the app is told about it."""
        return Imap(host=host, user=self.user, port=self.server.port, folder=folder, tls=True, also=tuple(also))

    @property
    def password(self) -> Secret:
        """What opens it."""
        return Secret(PASSWORD)

    def deliver(self, raw: bytes, at: datetime | None = None) -> None:
        """A mail arrives in the INBOX. at: when the server is said to have got it; None for now."""
        maildir = self.server.folder / "mail" / self.user / "Maildir"
        for each in (maildir / "tmp", maildir / "new", maildir / "cur"):
            each.mkdir(parents=True, exist_ok=True)
        name = f"{next(self._names):06d}.M0P0.test"
        written = maildir / "tmp" / name
        written.write_bytes(raw)
        if at is not None:
            os.utime(written, (at.timestamp(), at.timestamp()))
        self.server.account.give(maildir.parent)
        written.rename(maildir / "new" / name)

    def colleague(self) -> imaplib.IMAP4_SSL:
        """Somebody else's mail program, logged in. For use in a `with`."""
        context = ssl.create_default_context(cafile=str(self.server.authority.file))
        client = imaplib.IMAP4_SSL("localhost", self.server.port, ssl_context=context, timeout=_START_S)
        client.login(self.user, PASSWORD)
        return client

    def append(self, raw: bytes, folder: str = "INBOX", flags: str = "") -> int:
        """A mail program files a mail; its UID."""
        with self.colleague() as client:
            kind, told = client.append(folder, flags, "", raw)
        found = re.search(rb"APPENDUID \d+ (\d+)", told[0])
        assert kind == "OK", told
        assert found, told
        return int(found[1])

    def flags(self, folder: str = "INBOX") -> dict[int, bytes]:
        """The flags of every mail, by UID, \\Recent left out: it says who looked first, not what was done."""
        with self.colleague() as client:
            client.select(folder, readonly=True)
            lines = [line for line in client.uid("FETCH", "1:*", "(UID FLAGS)")[1] if isinstance(line, bytes)]
        found = [re.search(rb"UID (\d+) FLAGS \(([^)]*)\)", line) for line in lines]
        return {int(each[1]): each[2].replace(rb"\Recent", b"").strip() for each in found if each}


def _program() -> Path:
    for place in (shutil.which("dovecot"), "/usr/sbin/dovecot", "/usr/local/sbin/dovecot"):
        if place is not None and Path(place).exists():
            break
    else:
        raise NoDovecot("Dovecot is not installed: sudo sh tools/setup.sh partners")
    done = subprocess.run([place, "--version"], capture_output=True, text=True, timeout=_START_S, check=False)
    if not done.stdout.startswith("2.3"):
        raise NoDovecot(f"These tests know the settings of Dovecot 2.3; here is {done.stdout.strip()}.")
    if not any(Path(each, "dovecot/imap").exists() for each in ("/usr/lib", "/usr/libexec", "/usr/local/libexec")):
        raise NoDovecot("Dovecot has no IMAP here: sudo sh tools/setup.sh partners")
    return Path(place)


def _free_ports() -> tuple[int, int]:
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as other:
        return one.getsockname()[1], other.getsockname()[1]


def _answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5):
            return True
    except OSError:
        return False
