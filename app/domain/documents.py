"""Reads the text of a file into documents: one, a list, or several YAML documents; JSON too. Knows lines, not meanings.

Each document names its own kind in `format:`. Anything hostile or half-written is a Problem with its line, no crash.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from app.domain.errors import DocumentError
from app.domain.json_tree import read_json_tree
from app.domain.problem import Problem, nearest
from app.domain.yaml_tree import Tree, read_trees

MAX_BYTES = 2_000_000

# what YAML does not allow anywhere: controls, halves of surrogate pairs, and code points that are no characters
_NOT_TEXT = re.compile("[^\t\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_AS_TEXT = "Save it as plain UTF-8 text."
_BEGIN = "A document begins with a line such as format: stopwell.journey/1"


class Format(StrEnum):
    """Every kind of document, by the word in its first line."""

    PRACTICE = "stopwell.practice/1"
    LOCATION = "stopwell.location/1"
    TEMPLATE = "stopwell.template/1"
    GROUP = "stopwell.group/1"
    JOURNEY = "stopwell.journey/1"
    SEQUENCE = "stopwell.sequence/1"
    PROVIDERS = "stopwell.providers/1"

    @property
    def word(self) -> str:
        """The kind alone: `journey`."""
        return self.value.removeprefix("stopwell.").partition("/")[0]


# a key that only one kind of document has, to guess what a document without a format is meant to be
_TELLTALES: Mapping[str, Format] = {
    "ends": Format.JOURNEY,
    "start": Format.JOURNEY,
    "match": Format.GROUP,
    "body": Format.TEMPLATE,
    "zone": Format.LOCATION,
    "hours": Format.LOCATION,
    "caps": Format.PRACTICE,
    "overdue_after": Format.PRACTICE,
    "one_marketing_journey": Format.PRACTICE,
    "priority": Format.JOURNEY,
    "twilio": Format.PROVIDERS,
    "sendgrid": Format.PROVIDERS,
    "imap": Format.PROVIDERS,
    "steps": Format.JOURNEY,
}


@dataclass(frozen=True, slots=True)
class RawDocument:
    """One document as read: plain values, and where each stands in `file` (see Tree)."""

    data: Mapping[str, object]
    file: str = ""
    lines: Mapping[str, int] = field(default_factory=dict)
    blocks: frozenset[str] = frozenset()

    def line_of(self, path: str) -> int | None:
        """The 1-based line of the value at a dotted path, or of the nearest part around it that has one."""
        while path and path not in self.lines:
            path = path.rpartition(".")[0]
        return self.lines.get(path)

    def line_within(self, path: str, line: int | None) -> int | None:
        """The line in the file of the `line`-th line of the text at `path`; its first when they can't be told apart."""
        start = self.line_of(path)
        return start if start is None or line is None or path not in self.blocks else start + line

    @property
    def name(self) -> str | None:
        """The document's own name, when it has one that is text."""
        name = self.data.get("name")
        return name if isinstance(name, str) and name.strip() else None


class Problems:
    """What is wrong with one document, gathered so that one pass tells all of it."""

    def __init__(self, raw: RawDocument) -> None:
        self._raw = raw
        self.found: list[Problem] = []

    def add(self, problem: str, path: str = "", hint: str = "") -> None:
        """Note a problem at a dotted path from the document's root."""
        self.found.append(Problem(problem, path, self._raw.line_of(path), hint, self._raw.file))

    def absorb(self, refused: DocumentError, below: str = "") -> None:
        """Note the problems of a part that was read by itself; their paths are relative to `below`."""
        for problem in refused.problems:
            path = f"{below}.{problem.path}" if below and problem.path else below or problem.path
            self.add(problem.problem, path, problem.hint)

    def raise_if_any(self) -> None:
        """Raises DocumentError with every problem, in the document's order."""
        if self.found:
            far = float("inf")
            raise DocumentError(sorted(self.found, key=lambda p: far if p.line is None else p.line))


def read_documents(text: str | bytes, file: str = "") -> list[RawDocument]:
    """Every document of a file, in order. Raises DocumentError with what is wrong, each with its line."""
    try:
        trees = _trees(_decoded(text))
        documents = [_document(tree, file) for tree in _flat(trees)]
        if not documents:
            raise DocumentError([Problem("is empty.", hint=_BEGIN)])
    except DocumentError as refused:
        raise DocumentError([replace(problem, file=file) for problem in refused.problems]) from refused
    return documents


def format_of(raw: RawDocument) -> Format:
    """What kind of document it is. Raises DocumentError when its `format:` is missing or not known."""
    stated = raw.data.get("format")
    known = [kind.value for kind in Format]
    if isinstance(stated, str) and stated in known:
        return Format(stated)
    problems = Problems(raw)
    if stated is None:
        problems.add("this isn't a Stopwell document.", "", _first_line(raw))
    else:
        near = nearest(str(stated), known)
        hint = f"The first line should be format: {near}" if near else _first_line(raw)
        problems.add(f"format {str(stated)[:60]} is not known here.", "format", hint)
    raise DocumentError(problems.found)


def _first_line(raw: RawDocument) -> str:
    likely = next((kind for key, kind in _TELLTALES.items() if key in raw.data), Format.JOURNEY)
    return f"The first line should be format: {likely.value}"


def _decoded(text: str | bytes) -> str:
    if len(text) > MAX_BYTES:
        raise DocumentError([Problem("is larger than 2 MB.", hint="Split it into several files.")])
    if isinstance(text, bytes):
        text = _text(text)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    found = _NOT_TEXT.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        raise DocumentError([Problem("is not a text document: it holds a control character.", "", line, _AS_TEXT)])
    return text


def _text(data: bytes) -> str:
    utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return data.decode("utf-16" if utf16 else "utf-8")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        raise DocumentError([Problem("is not text in UTF-8.", "", line, _AS_TEXT)]) from fault


def _trees(text: str) -> list[Tree]:
    if text.lstrip()[:1] in ("{", "["):
        tree = read_json_tree(text)
        if tree is not None:
            return [tree]
    return read_trees(text)


def _flat(trees: list[Tree]) -> list[Tree]:
    """Lists opened into their documents, empty documents left out."""
    found: list[Tree] = []
    for tree in trees:
        if isinstance(tree.data, list):
            found += [_part(tree, part, str(place)) for place, part in enumerate(tree.data)]
        elif tree.data is not None:
            found.append(tree)
    return found


def _part(tree: Tree, data: object, key: str) -> Tree:
    """One item of a list of documents as a document of its own."""
    start = f"{key}."
    lines = {path.removeprefix(start): line for path, line in tree.lines.items() if path.startswith(start)}
    if key in tree.lines:
        lines[""] = tree.lines[key]
    blocks = frozenset(path.removeprefix(start) for path in tree.blocks if path.startswith(start))
    return Tree(data, lines, blocks)


def _document(tree: Tree, file: str) -> RawDocument:
    if not isinstance(tree.data, dict):
        raise DocumentError([Problem("this isn't a Stopwell document.", "", tree.lines.get(""), _BEGIN)])
    return RawDocument(tree.data, file, tree.lines, tree.blocks)
