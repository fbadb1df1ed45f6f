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


def write_file(path: Path, text: str, not_over: Path) -> None:
    """Write a spreadsheet in UTF-8 with its mark, as spreadsheet programs want it.

    not_over: a file that must not be lost to a slip. Raises OperatorError when it would be, or nothing can be written.
    """
    if path.exists() and not_over.exists() and path.samefile(not_over):
        raise OperatorError(f"{path} is the file that is read.", "Give the rejected rows another name.")
    try:
        path.write_text(text, encoding="utf-8-sig", newline="")
    except OSError as exc:
        raise OperatorError(f"{path} can't be written: {exc.strerror or type(exc).__name__}.") from exc
