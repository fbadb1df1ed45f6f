"""A practice worked from the command line, in this process: what each call says, and with which exit code."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.bootstrap import Builder
from app.cli.main import run

DATA = Path(__file__).parent / "data"
FERNHOLLOW = DATA / "documents" / "fernhollow.yaml"
PRACTICE = ("--practice", "Fernhollow", "--zone", "America/Los_Angeles")


@dataclass(frozen=True, slots=True)
class Said:
    """What a call answered."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The answer as JSON."""
        return json.loads(self.out)


@dataclass(frozen=True, slots=True)
class Shop:
    """A data folder and the environment it is worked in. Calling it runs one command there."""

    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, *argv: str | Path) -> Said:
        out, err = io.StringIO(), io.StringIO()
        code = run([*map(str, argv), "--data", str(self.folder)], Builder(self.environment), out, err)
        return Said(code, out.getvalue(), err.getvalue())

    def done(self, *argv: str | Path) -> Said:
        """Run a command that must succeed."""
        said = self(*argv)
        assert said.code == 0, said.err
        assert said.err == ""
        return said

    def json(self, *argv: str | Path) -> Any:
        """The JSON answer of a command that must succeed."""
        return self.done(*argv, "--json").json

    def refused(self, *argv: str | Path) -> str:
        """The one line of a command that must be refused."""
        said = self(*argv)
        assert said.code == 1, said.out
        assert said.err.count("\n") == 1, said.err
        assert "Traceback" not in said.err
        return said.err.strip()

    def write(self, name: str, text: str | bytes) -> Path:
        """A file beside the data folder."""
        path = self.folder.parent / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def import_people(self, text: str, *more: str) -> Any:
        """The JSON answer to an import of `text`."""
        return self.json("import", "people", self.write("people.csv", text), *more)
