"""Where Stopwell starts: the command line, which opens the window when it names no command."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import TextIOWrapper


def main(argv: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; the exit code. argv: without the program's name; None: the process's own."""
    from app.bootstrap import Builder
    from app.cli.main import run

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # names of people are in every script, and a locale without them must not end a command half-way
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    return run(sys.argv[1:] if argv is None else argv, Builder(), sys.stdout, sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
