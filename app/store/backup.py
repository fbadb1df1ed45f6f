"""A copy of a SQLite database while it is in use, whole and in one file."""

from __future__ import annotations

import contextlib
import os
from datetime import datetime
from pathlib import Path

from app.domain.errors import StoreError
from app.store.session import Session, sqlite_module

FOLDER = "backups"


def backup_name(version: str, at: datetime) -> str:
    """The file name of a copy: which Stopwell the data was of, and when it was made (UTC)."""
    return f"stopwell-{version}-{at:%Y%m%d-%H%M%S}.sqlite3"


def copy_database(session: Session, target: Path) -> Path:
    """Copy the database to `target`, through SQLite's own backup; nothing is left behind when it fails.

    An existing file is never written over. The copy is checked and on the disk when this returns.
    Raises StoreError: the target is there already, the copy is damaged, no place, or the database is PostgreSQL.
    """
    if session.path is None:
        raise StoreError(
            "Stopwell makes no copies of a PostgreSQL database.",
            "Back it up on the server, with pg_dump or the provider's own backups.",
        )
    if target.exists():
        raise StoreError(f"{target} is there already.", "Give a new name; a backup is never written over.")
    half = target.with_name(target.name + ".part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        half.unlink(missing_ok=True)
        os.close(os.open(half, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as fault:
        raise StoreError(f"No copy could be made at {target}: {fault.strerror}.", "Choose another place.") from fault
    try:
        _copy(session.path, half)
        with half.open("rb") as written:
            os.fsync(written.fileno())
        half.rename(target)
    finally:
        half.unlink(missing_ok=True)
    return target


def _copy(source: Path, half: Path) -> None:
    module = sqlite_module()
    try:
        with (
            contextlib.closing(module.connect(str(source), timeout=30)) as there,
            contextlib.closing(module.connect(str(half))) as here,
        ):
            there.execute("PRAGMA query_only=ON")
            there.backup(here)
            here.execute("PRAGMA journal_mode=DELETE")  # one file: a copy is carried about
            found = here.execute("PRAGMA integrity_check").fetchone()[0]
    except module.Error as fault:
        raise StoreError(
            f"No copy could be made of {source}: {fault}.", "Free some space, or look after it."
        ) from fault
    if found != "ok":
        raise StoreError(f"The copy of {source} is damaged: {found}.", "Keep the database as it is and ask for help.")
