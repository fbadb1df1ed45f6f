"""Where Stopwell starts: the command line, which opens the window when it names no command."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO


def main(argv: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; the exit code. argv: without the program's name; None: the process's own."""
    out, err = _stream(sys.stdout), _stream(sys.stderr)
    try:
        from app.bootstrap import Builder
        from app.cli.main import run

        code = run(sys.argv[1:] if argv is None else argv, Builder(), out, err)
        out.flush()
    except BrokenPipeError:  # `| head` has seen enough
        from app.cli.desk import let_go_of_stdout

        let_go_of_stdout(out)
        return 0
    except KeyboardInterrupt:  # before there was a command that could end in good order
        err.write("Stopped before anything was begun.\n")
        return 1
    except OSError as exc:  # a command tells its own; what is left is that nobody can be told
        from app.cli.desk import let_go_of_stdout

        let_go_of_stdout(out)
        err.write(f"The answer can't be written: {exc.strerror}.\n")
        return 1
    return code


def _stream(stream: TextIO | None) -> TextIO:
    """`stream` in UTF-8; for one that was closed before the start, the one that swallows everything."""
    if stream is None:
        return Path(os.devnull).open("w", encoding="utf-8")
    if isinstance(stream, TextIOWrapper):
        # names of people are in every script, and a locale without them must not end a command half-way
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    return stream


if __name__ == "__main__":
    sys.exit(main())
