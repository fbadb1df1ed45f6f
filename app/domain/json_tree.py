"""JSON text as plain values with the line of each; the lines come from reading the same text as YAML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence

from app.domain.errors import DocumentError
from app.domain.problem import Problem
from app.domain.yaml_tree import MAX_DEPTH, UNKEEPABLE, Tree, read_trees

_HALF = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")


def read_json_tree(text: str) -> Tree | None:
    """The one JSON value of `text`, or None when it is not JSON at all (it may be YAML). Raises DocumentError."""
    deep = _too_deep(text)
    if deep is not None:
        raise DocumentError([Problem(f"is nested deeper than {MAX_DEPTH} levels.", "", deep, "Write it flatter.")])
    twice: list[str] = []

    def pairs(found: list[tuple[str, object]]) -> dict[str, object]:
        keys = [key for key, _ in found]
        twice.extend(key for key in set(keys) if keys.count(key) > 1)
        return dict(found)

    try:
        data = json.loads(text, object_pairs_hook=pairs, parse_constant=_refuse, parse_int=_whole, parse_float=_broken)
    except ValueError:
        return None
    lines, faults = _lines(text)
    if twice:
        raise DocumentError(faults or [Problem(f"the key {twice[0]} stands twice.", hint="Keep one of them.")])
    problems = [Problem("holds a control character that can't be kept.", at, lines.get(at)) for at in _unkeepable(data)]
    if problems:
        raise DocumentError(problems)
    return Tree(data, lines)


def _lines(text: str) -> tuple[Mapping[str, int], Sequence[Problem]]:
    """The line of each value, and what the YAML parser has against the text; no lines when it stumbles over it."""
    try:
        # YAML takes neither tabs between values nor a character written as a pair of halves; neither moves a line
        [tree] = read_trees(_HALF.sub(" ", text.replace("\t", " ")))
    except DocumentError as refused:
        return {}, refused.problems
    return tree.lines, ()


def _refuse(word: str) -> object:
    raise ValueError(word)


def _whole(digits: str) -> object:
    """A whole number of a size that people write; a longer one stays text, and is refused where a number is wanted."""
    return int(digits) if len(digits.lstrip("-")) <= 18 else digits


def _broken(digits: str) -> object:
    """The same for a number with a point or an exponent."""
    value = float(digits) if len(digits) <= 40 else float("inf")
    return value if abs(value) < 1e18 else digits


def _too_deep(text: str) -> int | None:
    """The line on which brackets outside of strings are open more than MAX_DEPTH deep, or None."""
    depth, line = 0, 1
    in_string = escaped = False
    for sign in text:
        if sign == "\n":
            line += 1
        if in_string:
            in_string = escaped or sign != '"'
            escaped = sign == "\\" and not escaped
        elif sign == '"':
            in_string = True
        elif sign in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                return line
        elif sign in "]}":
            depth -= 1
    return None


def _unkeepable(data: object, path: str = "") -> Iterable[str]:
    if isinstance(data, str):
        if UNKEEPABLE.search(data):
            yield path
    elif isinstance(data, dict):
        for key, value in data.items():
            at = f"{path}.{key}" if path else key
            if UNKEEPABLE.search(key):
                yield at
            yield from _unkeepable(value, at)
    elif isinstance(data, list):
        for place, value in enumerate(data):
            yield from _unkeepable(value, f"{path}.{place}" if path else str(place))
