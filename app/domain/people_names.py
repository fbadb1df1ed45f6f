"""Names out of one cell: which words are the first name and which the last."""

from __future__ import annotations

import re

from app.domain.people_text import cell_as_written, clean, is_blank, looks_like_formula

_KEPT_WHOLE = re.compile(r"\([^()]*\)|\"[^\"]*\"|“[^”]*”")
_SUFFIX = re.compile(r"(?:jr|sr|ii|iii|iv|md|m\.d|dds|d\.d\.s|phd|ph\.d|esq|rn|dvm)\.?", re.IGNORECASE)


def read_name(cell: str) -> str:
    """The name that a cell holds, as written; "" when it holds none. Undoes the guard of our own exports."""
    name = clean(cell)
    if name.startswith("'"):
        name = clean(cell_as_written(name))
    return "" if is_blank(name) else name


def split_name(cell: str) -> tuple[str, str]:
    """First and last name of a whole name: `Last, First` is turned; otherwise the last word is the last name.

    What stands in brackets or quotes is one word. A single word is a first name.
    """
    name = read_name(cell)
    covered = _KEPT_WHOLE.sub(lambda found: "_" * len(found[0]), name)
    before, comma, after = covered.partition(",")
    if comma and before.strip() and after.strip():
        cut = len(before)
        if not _SUFFIX.fullmatch(after.strip()):
            return name[cut + 1 :].strip(), name[:cut].strip()
        first, last = _at_last_blank(name[:cut].strip(), covered[:cut].strip())
        return (first, f"{last} {after.strip()}") if last else (first, after.strip())
    return _at_last_blank(name.strip(" ,"), covered.strip(" ,"))


def is_formula(cell: str) -> bool:
    """Whether a name starts as a formula would; it is kept as text, told, and made harmless in every export."""
    name = read_name(cell)
    return name.startswith(("=", "+", "-", "@")) or looks_like_formula(name)


def _at_last_blank(name: str, covered: str) -> tuple[str, str]:
    cut = covered.rfind(" ")
    return (name, "") if cut < 0 else (name[:cut].strip(), name[cut + 1 :].strip())
