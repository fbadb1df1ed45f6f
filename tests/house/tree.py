"""The files of this repository as the house rules see them: what git would track, without needing git."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def ours() -> Iterator[Path]:
    """Every file that .gitignore does not leave out."""
    yield from _walk(ROOT, _ignored())


def python_files(*folders: str) -> list[Path]:
    """Our Python files in these folders, given from the root: `app`, `app/domain`."""
    return sorted(
        path
        for path in ours()
        if path.suffix == ".py" and any(path.is_relative_to(ROOT / folder) for folder in folders)
    )


def name(path: Path) -> str:
    """The path from the root, for a message."""
    return path.relative_to(ROOT).as_posix()


def parsed(path: Path) -> ast.Module:
    """The file's syntax tree."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=name(path))


def _ignored() -> list[str]:
    lines = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    return [".git", *(line.strip("/") for line in lines if line and not line.startswith("#"))]


def _walk(folder: Path, ignored: list[str]) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if any(fnmatch(path.name, pattern) for pattern in ignored):
            continue
        if path.is_dir():
            yield from _walk(path, ignored)
        else:
            yield path
