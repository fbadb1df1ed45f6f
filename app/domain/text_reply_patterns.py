"""Patterns over folded texts, written as words: how they are put down and matched. No word of any language is here.

A pattern is a row of items: a word, `one|another`, `{a_set_of_words}`, any of them with `~` when it may be missing,
`_3` for up to three words (`_!3`: none of the set `doc`), `!set` when none of
a set may stand before, and `^` and `$` for the
beginning and the end of a clause. Every repetition is bounded, so matching takes linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

Span = tuple[int, int]


class Patterns:
    """Some patterns that mean the same."""

    def __init__(self, rows: Iterable[str], sets: Mapping[str, str]) -> None:
        """rows: the patterns. sets: words by the name of their set, `|` between them; regular expressions allowed."""
        self._compiled = tuple(re.compile(_expression(row, sets)) for row in rows)

    def spans(self, folded: str) -> list[Span]:
        """Where they stand in a folded text, in order."""
        return sorted(found.span() for each in self._compiled for found in each.finditer(folded))

    def within(self, folded: str) -> bool:
        """Whether one of them stands in a folded text."""
        return any(each.search(folded) for each in self._compiled)


def masked(folded: str, spans: Iterable[Span]) -> str:
    """The text with those places blotted out, as long as before, so that no pattern reaches over them."""
    for start, end in spans:
        folded = f"{folded[:start]}{'#' * max(0, end - start - 1)} {folded[end:]}" if end > start else folded
    return folded


def _expression(row: str, sets: Mapping[str, str]) -> str:
    return "(?<= )" + "".join(_item(item, sets) for item in _items(row))


def _items(row: str) -> list[str]:
    """The items of a row: it is split at blanks, but not inside round brackets."""
    items, depth = [""], 0
    for each in row.strip():
        depth += (each == "(") - (each == ")")
        if each == " " and depth == 0:
            items.append("")
        else:
            items[-1] += each
    return [item for item in items if item]


def _item(item: str, sets: Mapping[str, str]) -> str:
    if item == "^":
        return "(?:(?<=^ )|(?<=[.?,] ))"
    if item == "$":
        return "(?=[.?,] |$)"
    if item.startswith("!"):
        return "".join(f"(?<! {word} )" for word in sets[item[1:]].split("|"))
    if re.fullmatch(r"_!?\d", item):
        barred = f"(?!(?:{sets['doc']}) )" if item[1] == "!" else ""
        return rf"(?:{barred}\w++ ){{0,{item[-1]}}}?"
    if item.startswith("(?!") and item.index(")") == len(item) - 1:
        return f"(?!(?:{item[3:-1]}) )"
    optional = item.endswith("~")
    name = item.removesuffix("~")
    inner = re.sub(r"\{([a-z]+)\}", lambda found: f"(?:{sets[found.group(1)]})", name)
    inner = re.sub(r" _(\d) ", r" (?:\\w++ ){0,\1}?", inner)
    return f"(?:(?:{inner}) )" + ("?" if optional else "")
