"""The made-up practice's own folder: made anew at each start, and never in the place of a real practice."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from app.data_folder import DATA_VARIABLE, DATABASE_VARIABLE, LOCK_NAME, DataFolder, named_folder
from app.domain.errors import OperatorError

MARK = "made-up-practice"
_TOLD = "This folder holds a made-up practice. `stopwell demo` takes it away and makes it anew.\n"


def demo_path(given: str | None) -> Path:
    """Where the made-up practice goes: `given` (--data), or a folder of its own beside the user's real one.

    STOPWELL_DATA names the real practice, so it plays no part.
    """
    if given is not None:
        return named_folder(given)
    from platformdirs import user_data_path

    return user_data_path("stopwell-demo", appauthor=False)


def without_the_real_one(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment, without what names the real practice's folder or database."""
    return {key: value for key, value in environment.items() if key not in (DATA_VARIABLE, DATABASE_VARIABLE)}


def clear(path: Path) -> None:
    """Take away the made-up practice of an earlier start. Raises OperatorError when the folder holds anything else."""
    if not path.exists():
        return
    if not path.is_dir():
        raise OperatorError(f"{path} is not a folder.", "Name a new folder with --data.")
    if not any(entry.name != LOCK_NAME for entry in path.iterdir()):
        return
    if not (path / MARK).exists():
        hint = "Name a new folder with --data; a real practice is opened by: stopwell."
        raise OperatorError(f"{path} is not a made-up practice, so it is left alone.", hint)
    for entry in path.iterdir():
        if entry.name == LOCK_NAME:
            continue  # held by the caller while the rest goes
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def mark(folder: DataFolder) -> None:
    """Say that the folder's practice is made up."""
    (folder.path / MARK).write_text(_TOLD, encoding="utf-8")
