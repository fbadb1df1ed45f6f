"""A new file that its owner alone can read, there whole or not at all. A file that is there is never overwritten."""

from __future__ import annotations

import os
from pathlib import Path
from uuid import uuid4

from app.domain.errors import OperatorError


def check_new(path: Path) -> None:
    """Whether a new file can be made at `path`, asked before the work that it is for. Raises OperatorError."""
    if path.is_dir():
        raise OperatorError(f"{path} is a folder.", "Name a file in it.")
    if os.path.lexists(path):
        raise _taken(path)
    if not path.parent.is_dir():
        raise OperatorError(f"There is no folder {path.parent}.", "Make it first, or name another.")


def write_new(path: Path, text: str) -> None:
    """Write `text` to a new file, in UTF-8, for its owner alone (0600).

    It is written beside its place first, and gets its name when it is on the disk. Raises OperatorError when a file is
    there, or it can't be written; nothing is left behind then.
    """
    check_new(path)
    draft = path.with_name(f".{uuid4().hex}.part")
    try:
        with os.fdopen(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        _name(draft, path)
    except FileExistsError as exc:
        raise _taken(path) from exc
    except OSError as exc:
        raise OperatorError(f"{path} can't be written: {exc.strerror or type(exc).__name__}.") from exc
    finally:
        draft.unlink(missing_ok=True)


def _name(draft: Path, path: Path) -> None:
    """Give the draft its name, unless somebody has taken that meanwhile: a link never overwrites, a move does."""
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        check_new(path)
        draft.rename(path)


def _taken(path: Path) -> OperatorError:
    return OperatorError(f"There is a file {path} already.", "Name a new one; evidence never overwrites anything.")
