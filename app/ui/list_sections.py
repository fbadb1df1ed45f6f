"""Heads among the rows of a long list: which row is a head, which line stands in a row, and what is folded away.

Pure. A list without parts has a row for each line and no head.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Part:
    """Lines under one head. count: how many. day: the date all of them are on, None when they are on several."""

    key: str
    words: str
    count: int
    day: date | None = None


class Sections:
    """Rows of `parts`, one head over each; parts without lines have none. Lines are numbered from 0 through all."""

    def __init__(self, lines: int, parts: Sequence[Part] = (), folded: Collection[str] = ()) -> None:
        self._lines = lines
        self._folded = frozenset(folded)
        self.parts = tuple(part for part in parts if part.count)
        self._heads: list[int] = []  # row of each head
        self._firsts: list[int] = []  # first line of each part
        row = line = 0
        for part in self.parts:
            self._heads.append(row)
            self._firsts.append(line)
            row += 1 + (0 if part.key in self._folded else part.count)
            line += part.count
        self.rows = row if self.parts else lines

    @property
    def heads(self) -> Sequence[int]:
        """The rows that are heads."""
        return self._heads

    def is_folded(self, part: Part) -> bool:
        """Whether the lines of a part are folded away."""
        return part.key in self._folded

    def head(self, row: int) -> Part | None:
        """The part whose head stands in a row; None for a line."""
        if not self.parts:
            return None
        at = bisect_right(self._heads, row) - 1
        return self.parts[at] if self._heads[at] == row else None

    def line(self, row: int) -> int | None:
        """The line that stands in a row; None for a head."""
        if not self.parts:
            return row if row < self._lines else None
        at = bisect_right(self._heads, row) - 1
        below = row - self._heads[at] - 1
        return self._firsts[at] + below if below >= 0 and row < self.rows else None

    def part_of(self, line: int) -> Part | None:
        """The part a line belongs to."""
        if not self.parts:
            return None
        return self.parts[bisect_right(self._firsts, line) - 1]

    def row(self, line: int) -> int | None:
        """The row of a line; None when it is folded away."""
        if not self.parts:
            return line
        at = bisect_right(self._firsts, line) - 1
        if self.parts[at].key in self._folded:
            return None
        return self._heads[at] + 1 + line - self._firsts[at]
