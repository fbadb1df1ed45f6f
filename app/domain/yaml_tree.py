"""YAML text as plain values with the line of each, built from the parser's events and safe on hostile text.

Stricter and plainer than a YAML loader, since people write these documents by hand: only true and false are booleans,
so `yes:` and `no:` are words; 9:30, 2026-12-24, 007 and +15035550100 are text; every key is text; a key stands once;
there are no tags. Anchors work, and what they repeat is counted. Not here: what the documents mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.errors import DocumentError
from app.domain.problem import Problem

if TYPE_CHECKING:
    from yaml.events import Event

MAX_DEPTH = 60
MAX_VALUES = 200_000

_INT = re.compile(r"-?(0|[1-9][0-9]{0,17})")
_FLOAT = re.compile(r"-?(0|[1-9][0-9]{0,17})\.[0-9]{1,18}([eE][-+]?[0-9]{1,2})?")
_WORDS: Mapping[str, object] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
# what PostgreSQL and XML can't keep in a text: control characters and halves of a surrogate pair
UNKEEPABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Tree:
    """One YAML document.

    lines: 1-based line by dotted path; the empty path is the document itself. blocks: paths of texts written as
    a block (`|`), whose own first line is the one after their key's.
    """

    data: object
    lines: Mapping[str, int]
    blocks: frozenset[str] = frozenset()


def read_trees(text: str) -> list[Tree]:
    """Every YAML document of `text` in order. Raises DocumentError with what is wrong, each with its line."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    builder = _Builder(yaml.parse(text, Loader=loader))
    try:
        trees = builder.documents()
    except yaml.YAMLError as fault:
        raise DocumentError([*builder.problems, _told_fault(fault, text)]) from fault
    if builder.problems:
        raise DocumentError(builder.problems)
    return trees


class _Builder:
    """Turns events into values. Problems that leave the rest readable are collected; others raise."""

    def __init__(self, events: Iterator[Event]) -> None:
        self.problems: list[Problem] = []
        self._events = events
        self._lines: dict[str, int] = {}
        self._blocks: set[str] = set()
        self._anchors: dict[str, tuple[object, int]] = {}
        self._values = 0

    def documents(self) -> list[Tree]:
        from yaml.events import DocumentStartEvent, StreamEndEvent

        found: list[Tree] = []
        while True:
            event = next(self._events)
            if isinstance(event, StreamEndEvent):
                return found
            if isinstance(event, DocumentStartEvent):
                self._lines, self._blocks, self._anchors = {}, set(), {}
                first = next(self._events)
                data = self._value(first, "", 1)
                self._lines[""] = _line(first)
                found.append(Tree(data, self._lines, frozenset(self._blocks)))

    def _value(self, event: Event, path: str, depth: int) -> object:
        from yaml.events import AliasEvent, MappingStartEvent, ScalarEvent, SequenceStartEvent

        self._count(1, event, path)
        if depth > MAX_DEPTH:
            hint = "Write it flatter."
            raise DocumentError([Problem(f"is nested deeper than {MAX_DEPTH} levels.", "", _line(event), hint)])
        if path not in self._lines:
            self._lines[path] = _line(event)
        if isinstance(event, AliasEvent):
            return self._alias(event, path)
        before = self._values
        value: object
        self._refuse_tag(event, path)
        if isinstance(event, ScalarEvent):
            value = self._scalar(event, path)
        elif isinstance(event, SequenceStartEvent):
            value = self._sequence(path, depth)
        elif isinstance(event, MappingStartEvent):
            value = self._mapping(path, depth)
        else:
            raise AssertionError(f"no value begins with {event!r}")
        if event.anchor:
            # set only now: a part that repeats itself is unknown while it is read
            self._anchors[event.anchor] = (value, self._values - before + 1)
        return value

    def _count(self, more: int, event: Event, path: str) -> None:
        self._values += more
        if self._values > MAX_VALUES:
            told = f"holds more than {MAX_VALUES:,} values, repeated parts counted each time."
            raise DocumentError([Problem(told, path, _line(event), "Split it into several files.")])

    def _alias(self, event: Event, path: str) -> object:
        name = str(getattr(event, "anchor", ""))
        if name not in self._anchors:
            self._add(f"*{name} repeats a part that is not there, or one that it stands in.", path, event)
            return None
        value, size = self._anchors[name]
        self._count(size, event, path)
        return value

    def _sequence(self, path: str, depth: int) -> list[object]:
        from yaml.events import SequenceEndEvent

        found: list[object] = []
        for event in self._events:
            if isinstance(event, SequenceEndEvent):
                break
            found.append(self._value(event, f"{path}.{len(found)}" if path else str(len(found)), depth + 1))
        return found

    def _mapping(self, path: str, depth: int) -> dict[str, object]:
        from yaml.events import MappingEndEvent

        found: dict[str, object] = {}
        for event in self._events:
            if isinstance(event, MappingEndEvent):
                break
            key = self._key(event, path, depth)
            at = f"{path}.{key}" if path else key
            if key in found:
                told = f"the key {_short(key)} stands twice; the first is in line {self._lines.get(at)}."
                self._add(told, at, event, "Keep one of them.")
            else:
                self._lines[at] = _line(event)
            found[key] = self._value(next(self._events), at, depth + 1)
        return found

    def _key(self, event: Event, path: str, depth: int) -> str:
        from yaml.events import ScalarEvent

        if isinstance(event, ScalarEvent):
            self._refuse_tag(event, path)
            return self._kept(str(event.value), path, event)
        self._value(event, path, depth + 1)
        self._add("a key should be a word, not a list or a mapping.", path, event)
        return f"line {_line(event)}"

    def _scalar(self, event: Event, path: str) -> object:
        text = self._kept(str(getattr(event, "value", "")), path, event)
        style = getattr(event, "style", None)
        if style == "|":
            self._blocks.add(path)
        return plain_value(text) if style in (None, "") else text

    def _kept(self, text: str, path: str, event: Event) -> str:
        if UNKEEPABLE.search(text):
            self._add("holds a control character that can't be kept.", path, event, "Take it away.")
        return text

    def _refuse_tag(self, event: Event, path: str) -> None:
        tag = getattr(event, "tag", None)
        if tag is not None:
            self._add(f"{_short(str(tag))}: tags are not read here.", path, event, "Put text in quotes instead.")

    def _add(self, problem: str, path: str, event: Event, hint: str = "") -> None:
        self.problems.append(Problem(problem, path, _line(event), hint))


def plain_value(text: str) -> object:
    """What a word without quotes stands for: nothing, a boolean, a number, or itself."""
    if text in _WORDS:
        return _WORDS[text]
    if _INT.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text


def _line(event: Event) -> int:
    mark = event.start_mark
    return 1 if mark is None else mark.line + 1


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."


def _told_fault(fault: Exception, text: str) -> Problem:
    """The parser's complaint as a Problem with its line."""
    mark = getattr(fault, "problem_mark", None)
    opened = getattr(fault, "context_mark", None)
    line = None if mark is None else min(mark.line, text.count("\n")) + 1
    rows = text.split("\n")
    hint = "Look at this line and the one before it: a quote, a bracket, a colon or an indent may be missing."
    if line is not None and "\t" in rows[line - 1][: len(rows[line - 1]) - len(rows[line - 1].lstrip())]:
        hint = "Indent with blanks, not with tabs."
    said = str(getattr(fault, "problem", None) or "it is not well formed")
    told = f"can't be read as YAML: {said}"
    if opened is not None and line is not None and opened.line + 1 != line:
        told = f"{told} ({getattr(fault, 'context', '')} that begins in line {opened.line + 1})"
    return Problem(f"{told}.", "", line, hint)
