"""The exception tree. Anything outside it is a bug.

StopwellError
├── OperatorError      staff can mend it: names the thing and the way out
│   └── DocumentError  a document or file was refused: carries its Problems
└── StoreError         the database: full, locked, read-only, corrupt, newer than this version
    └── Collision      two transactions met half-way and this one was undone: the same again works
"""

from __future__ import annotations

from collections.abc import Sequence

from app.domain.problem import Problem


class StopwellError(Exception):
    """Base of all that Stopwell raises on purpose. `told` is one clear line for a person."""

    def __init__(self, told: str, hint: str = "") -> None:
        super().__init__(f"{told} {hint}".rstrip())
        self.told = told
        self.hint = hint


class OperatorError(StopwellError):
    """Something that staff can mend."""


class DocumentError(OperatorError):
    """A document or file was refused; nothing of it was applied."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        if not problems:
            raise ValueError("a DocumentError needs at least one problem")
        self.problems = tuple(problems)
        first = self.problems[0].told()
        more = len(self.problems) - 1
        super().__init__(first if not more else f"{first} (and {more} more)")


class StoreError(StopwellError):
    """The database can't be used as it is; what to do is in `hint`."""


class Collision(StoreError):
    """Two transactions met half-way, and this one was undone whole: the same again works (PostgreSQL, class 40)."""
