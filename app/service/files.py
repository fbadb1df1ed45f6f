"""Files that staff name: read whole, with one clear line for whatever is wrong with them."""

from __future__ import annotations

from pathlib import Path

from app.domain.errors import OperatorError


def read_file(path: Path, most_bytes: int) -> bytes:
    """The bytes of a file; one more than `most_bytes` when it is larger, so that whoever reads them can refuse it.

    Raises OperatorError when there is none, it is a folder, or this account may not read it.
    """
    try:
        with path.open("rb") as file:
            return file.read(most_bytes + 1)
    except FileNotFoundError as exc:
        raise OperatorError(f"There is no file {path}.", "Look at its name, and at the folder you are in.") from exc
    except IsADirectoryError as exc:
        raise OperatorError(f"{path} is a folder.", "Name the file in it.") from exc
    except PermissionError as exc:
        raise OperatorError(f"{path} can't be read by this account.", "Give yourself the right to read it.") from exc
    except OSError as exc:
        raise OperatorError(f"{path} can't be read: {exc.strerror or type(exc).__name__}.") from exc


def check_target(path: Path, not_over: Path) -> None:
    """Whether a file can be written at `path`, asked before the work that it is for.

    not_over: a file that must not be lost to a slip. Raises OperatorError when it would be, or there is no such place.
    """
    if path.exists() and not_over.exists() and path.samefile(not_over):
        raise OperatorError(f"{path} is the file that is read.", "Give the rejected rows another name.")
    if path.is_dir():
        raise OperatorError(f"{path} is a folder.", "Name a file in it.")
    if not path.parent.is_dir():
        raise OperatorError(f"There is no folder {path.parent}.", "Make it first, or name another.")


def write_file(path: Path, text: str) -> None:
    """Write a spreadsheet in UTF-8 with its mark, as spreadsheet programs want it. Raises OperatorError."""
    try:
        path.write_text(text, encoding="utf-8-sig", newline="")
    except OSError as exc:
        raise OperatorError(f"{path} can't be written: {exc.strerror or type(exc).__name__}.") from exc
