"""The data folder: where it is, which database belongs to it, who may read it, who runs the engine on it.

Files and folders only; nothing here opens a database.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from app.domain.errors import OperatorError
from app.domain.problem import nearest

SQLITE_NAME = "stopwell.sqlite"
SETTINGS_NAME = "stopwell.toml"
LOG_NAME = "stopwell.log"
OUTBOX_NAME = "practice-outbox.sqlite"
LOCK_NAME = "engine.lock"
DATABASE_VARIABLE = "STOPWELL_DATABASE"
DATA_VARIABLE = "STOPWELL_DATA"

# what may lie in a folder without a practice: a window that was opened on it, or an init that was cut off, leaves some
_DATABASE_FILES = (SQLITE_NAME, f"{SQLITE_NAME}-wal", f"{SQLITE_NAME}-shm", OUTBOX_NAME)
_OURS = frozenset({SETTINGS_NAME, LOG_NAME, f"{LOG_NAME}.1", LOCK_NAME, "window.ini", "backups", *_DATABASE_FILES})
_SETTINGS = ("database",)
_READABLE_BY_OTHERS = 0o077
SECRET_OPTIONS = frozenset({"password", "sslpassword", "oauth_client_secret"})  # of libpq, within a URL


@dataclass(frozen=True, slots=True)
class DataFolder:
    """One practice's folder. server: the URL of its PostgreSQL database; None means the SQLite file in the folder."""

    path: Path
    server: str | None = None

    @property
    def sqlite_file(self) -> Path:
        """Where the SQLite database is, or would be."""
        return self.path / SQLITE_NAME

    @property
    def practice_outbox(self) -> Path:
        """Where practice mode keeps what it pretends to send."""
        return self.path / OUTBOX_NAME

    @property
    def log_file(self) -> Path:
        """The log of what went wrong inside Stopwell."""
        return self.path / LOG_NAME

    @property
    def backups(self) -> Path:
        """Where copies from before a migration go."""
        return self.path / "backups"

    def told_database(self) -> str:
        """The database in words, without the password that a URL may hold (I16)."""
        if self.server is None:
            return str(self.sqlite_file)
        url = urlsplit(self.server)
        host = url.hostname or "this machine"
        return f"PostgreSQL database {url.path.lstrip('/') or '(default)'} on {host}"


def find_folder(given: str | None, environment: Mapping[str, str]) -> DataFolder:
    """The folder that a command works on: `given` (--data), STOPWELL_DATA, or this user's own.

    Raises OperatorError for settings in it that can't be read.
    """
    path = _folder_path(given, environment)
    server = environment.get(DATABASE_VARIABLE, "").strip() or _server_in_settings(path)
    if server is not None:
        _check_server(server)
    return DataFolder(path, server)


def _folder_path(given: str | None, environment: Mapping[str, str]) -> Path:
    if given is not None:
        return named_folder(given)
    named = environment.get(DATA_VARIABLE, "").strip()
    if named:
        return named_folder(named)
    from platformdirs import user_data_path

    return user_data_path("stopwell", appauthor=False)


def named_folder(name: str) -> Path:
    """The folder that somebody named; `~` is a home folder. Raises OperatorError for an empty name or an unknown home.

    An empty name comes from a script whose variable is empty: it must not end at the user's own practice.
    """
    if not name.strip():
        raise OperatorError("--data names no folder.", "Name one, or leave --data out for the usual one.")
    try:
        return Path(name).expanduser().absolute()
    except RuntimeError as exc:
        raise OperatorError(f"{name} begins with a home folder that there is not.", "Name the folder whole.") from exc


def _server_in_settings(path: Path) -> str | None:
    file = path / SETTINGS_NAME
    try:
        text = file.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnicodeDecodeError as exc:
        raise OperatorError(f"{file} can't be read.", "It should be a text file of settings.") from exc
    except OSError as exc:
        hint = "Give this account the right to read it, or name another folder with --data."
        raise OperatorError(f"{file} can't be read: {exc.strerror}.", hint) from exc
    import tomllib

    try:
        settings = tomllib.loads(text)
    except tomllib.TOMLDecodeError as exc:
        raise OperatorError(f"{file} is not well formed: {exc}.", 'Write database = "postgresql://…".') from exc
    for key in settings:
        if key not in _SETTINGS:
            near = nearest(key, _SETTINGS)
            raise OperatorError(f"{file}: unknown key {key}.", f"Did you mean {near}?" if near else "Known: database.")
    server = settings.get("database")
    if server is None:
        return None
    if not isinstance(server, str) or not server.strip():
        raise OperatorError(f"{file}: database is not a URL.", 'Write database = "postgresql://…".')
    _check_server(server.strip())
    if passwords_of(server):
        hint = f"Take it out and put it in ~/.pgpass, or give the whole URL in {DATABASE_VARIABLE}."
        raise OperatorError(f"{file} holds a password.", hint)
    return server.strip()


def passwords_of(server: str | None) -> tuple[str, ...]:
    """Every password in a database URL, where it stands and as options; as it is and as it is written there (I16)."""
    if server is None:
        return ()
    url = urlsplit(server)
    found = [url.password] if url.password else []
    found += [value for name, value in parse_qsl(url.query) if name in SECRET_OPTIONS and value]
    return tuple(dict.fromkeys(form for each in found for form in (each, unquote(each))))


def _check_server(server: str) -> None:
    try:
        url = urlsplit(server)
        scheme, _ = url.scheme, url.port  # a port that is none is found only when it is asked for
    except ValueError as exc:  # its own words would repeat the password
        raise OperatorError("The database URL can't be read.", "Write postgresql://user@host:port/name.") from exc
    if url.netloc.count("@") > 1:  # whoever reads it next would take a part of the password for the host
        raise OperatorError("The database URL can't be read.", "Write an @ in the user's name or password as %40.")
    if scheme not in ("postgresql", "postgres"):
        told = f"The database URL begins with {scheme}://." if scheme else "The database is not a URL."
        raise OperatorError(told, "Write postgresql://user@host/name; without one Stopwell uses SQLite in the folder.")


def is_made(folder: DataFolder) -> bool:
    """Whether there is a database file with something in it, or a server that may hold one."""
    if folder.server is not None:
        return True
    return folder.sqlite_file.exists() and folder.sqlite_file.stat().st_size > 0


def check_made(folder: DataFolder) -> None:
    """Raises OperatorError, with the way out, when there is nothing to open in the folder."""
    if folder.server is not None:
        return
    if folder.path.exists() and not folder.path.is_dir():
        raise OperatorError(f"{folder.path} is not a folder.", "Name a folder with --data.")
    if not is_made(folder):
        hint = "Make one: stopwell init --practice NAME --zone ZONE, or try: stopwell demo."
        raise OperatorError(f"There is no practice in {folder.path}.", hint)


def make_folder(folder: DataFolder) -> bool:
    """Make the folder for a new practice, for its owner only; True when it was not there.

    Raises OperatorError when it holds other things. Whether it holds a practice is the database's to say.
    """
    path = folder.path
    if path.exists() and not path.is_dir():
        raise OperatorError(f"{path} is not a folder.", "Name a new folder with --data.")
    is_new = not path.exists()
    if not is_new and any(entry.name not in _OURS for entry in path.iterdir()):
        raise OperatorError(f"{path} holds other files.", "Name a new or an empty folder with --data.")
    make_path(path)
    if os.name == "posix":
        path.chmod(0o700)
    return is_new


def make_path(path: Path) -> None:
    """Make a folder for its owner only, and those around it; one that is there is left. Raises OperatorError."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as exc:
        hint = "Give this account the right to make it, or name another folder with --data."
        raise OperatorError(f"The folder {path} can't be made: {exc.strerror}.", hint) from exc


def taken(folder: DataFolder) -> OperatorError:
    """What to say when a new practice is asked for where there is one."""
    hint = "Name another folder with --data, or go on with this one."
    return OperatorError(f"There is a practice in {folder.path} already.", hint)


def take_away_database(folder: DataFolder) -> None:
    """Take away the files of a practice that was not finished."""
    for name in _DATABASE_FILES:
        (folder.path / name).unlink(missing_ok=True)


def take_away_folder(folder: DataFolder) -> None:
    """Take away a folder that was new and has come to nothing, unless there is more in it than the engine's lock."""
    if all(entry.name == LOCK_NAME for entry in folder.path.iterdir()):
        (folder.path / LOCK_NAME).unlink(missing_ok=True)
        folder.path.rmdir()


def make_private_file(path: Path) -> None:
    """Make an empty file that only its owner can read; one that is there is left alone.

    SQLite gives its side files the permissions of the main one, so this is enough for all three.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return


def keep_server(folder: DataFolder) -> bool:
    """Write the server's URL into the folder's settings for later commands; False when it has a password."""
    if folder.server is None or passwords_of(folder.server):
        return False
    file = folder.path / SETTINGS_NAME
    if file.exists():
        return True
    make_private_file(file)
    quoted = folder.server.replace("\\", "\\\\").replace('"', '\\"')
    file.write_text(f'database = "{quoted}"\n', encoding="utf-8")
    return True


def readable_by_others(folder: DataFolder) -> tuple[Path, ...]:
    """The folder and those of its files that other users of this machine can get at. Empty on Windows.

    A folder that is its owner's alone keeps everything in it from others.
    """
    if os.name != "posix" or not folder.path.is_dir() or not folder.path.stat().st_mode & _READABLE_BY_OTHERS:
        return ()
    files = [path for path in sorted(folder.path.iterdir()) if path.stat().st_mode & _READABLE_BY_OTHERS]
    return (folder.path, *files)


@contextmanager
def engine_lock(folder: DataFolder) -> Iterator[None]:
    """While open, no other process starts an engine on this folder's SQLite file.

    It keeps a second window from opening by mistake; what keeps two engines from sending twice is the database. A
    server is meant for many engines and is not locked. Raises OperatorError when another process has it.
    """
    hint = "Use the one that runs, or end it first; several desks can share a PostgreSQL database."
    with _lock(folder, OperatorError(f"Another Stopwell runs the engine on {folder.path}.", hint)):
        yield


@contextmanager
def making_lock(folder: DataFolder) -> Iterator[None]:
    """While open, no other process makes a practice in this folder. Raises OperatorError when one is at it."""
    hint = "Wait until it is done, or name another folder with --data."
    with _lock(folder, OperatorError(f"Another Stopwell is at work in {folder.path}.", hint)):
        yield


@contextmanager
def _lock(folder: DataFolder, refusal: OperatorError) -> Iterator[None]:
    if folder.server is not None:
        yield
        return
    from filelock import FileLock, Timeout

    make_private_file(folder.path / LOCK_NAME)
    # not per thread: a window opens it on one thread and lets go on another
    lock = FileLock(folder.path / LOCK_NAME, mode=0o600, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout as exc:
        raise refusal from exc
    try:
        yield
    finally:
        lock.release()
