"""Reading: the small parts of a document's values, each with the Problem that a wrong one makes.

A reader goes on after a problem, so that one pass finds them all; what could not be read comes out as None.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from enum import StrEnum
from typing import TypeVar

from app.domain.condition_tree import fold
from app.domain.durations import parse_duration
from app.domain.errors import DocumentError
from app.domain.hours_format import shown
from app.domain.problem import Problem, nearest

_E = TypeVar("_E", bound=StrEnum)


def under(path: str, key: str) -> str:
    """The path of `key` below `path`; either may be empty for the mapping itself."""
    return f"{path}.{key}" if path and key else path or key


class Reading:
    """Collects the problems of one document part. Paths are relative to the part that is read."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def whole(self, value: object, at: str, least: int, hint: str = "") -> int:
        if type(value) is int and least <= value <= 1000:
            return value
        self.add(f"{shown(value)} is not a whole number from {least} to 1000.", at, hint)
        return least

    def length(self, value: object, at: str) -> timedelta | None:
        try:
            return parse_duration(value)
        except DocumentError as refused:
            for problem in refused.problems:
                self.add(problem.problem, under(at, problem.path), problem.hint)
            return None

    def choice(self, kinds: type[_E], value: object, at: str) -> _E | None:
        words = [kind.value for kind in kinds]
        if value in words:
            return kinds(value)
        near = nearest(str(value), words)
        self.add(
            f"{shown(value)} is not known here.", at, f"Did you mean {near}?" if near else f"Known: {', '.join(words)}."
        )
        return None

    def text(self, value: object, at: str) -> str | None:
        if isinstance(value, str | int | float) and not isinstance(value, bool) and fold(str(value)):
            return str(value)
        self.add(f"{shown(value)} is not a word.", at)
        return None

    def texts(self, value: object, at: str) -> tuple[str, ...]:
        if not isinstance(value, list | tuple):
            one = self.text(value, at)
            return () if one is None else (one,)
        if not value:
            self.add("should be a word, or a list of one or more.", at)
        read = (self.text(one, f"{at}.{place}") for place, one in enumerate(value))
        return tuple(one for one in read if one is not None)

    def known(self, data: Mapping[object, object], known: Iterable[str], path: str) -> None:
        words = tuple(known)
        for key in data:
            if key not in words:
                near = nearest(str(key), words)
                hint = f"Did you mean {near}?" if near else f"Known here: {', '.join(words)}."
                self.add(f"unknown key {key}.", under(path, str(key)), hint)

    def add(self, problem: str, path: str, hint: str = "") -> None:
        self.problems.append(Problem(problem, path, hint=hint))
