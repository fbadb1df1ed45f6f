"""A Problem: one thing wrong in something a person wrote, said so that they can mend it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong in a document, with where it stands and the way out.

    path: keys and positions from the document's root, such as `steps.nudge.template`; empty for the whole.
    line: 1-based line in `file`, or None when the source has no lines.
    hint: what to do about it; empty when the problem says it all.
    """

    problem: str
    path: str = ""
    line: int | None = None
    hint: str = ""
    file: str = ""

    def told(self) -> str:
        """One clear line: where, what, and the way out."""
        place = self.file
        if self.line is not None:
            place = f"{place}:{self.line}" if place else f"line {self.line}"
        where = " ".join(part for part in (place, self.path) if part)
        text = f"{where}: {self.problem}" if where else self.problem
        return f"{text} {self.hint}".rstrip()


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word most like `word`, or None when nothing is near."""
    by_fold = {k.casefold(): k for k in known}
    found = get_close_matches(word.casefold(), list(by_fold), n=1, cutoff=0.6)
    return by_fold[found[0]] if found else None
