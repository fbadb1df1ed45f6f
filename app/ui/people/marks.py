"""Where a search was found in what is shown: the part that is marked."""

from __future__ import annotations

from app.domain.people_text import fold_for_search

Mark = tuple[int, int]


def mark(shown: str, search: str) -> Mark | None:
    """(start, length) in `shown` of the first word of `search` that stands there, whatever its case and accents."""
    folded, places = _folded(shown)
    for word in fold_for_search(search).split():
        at = folded.find(word)
        if at >= 0:
            return _span(places, at, len(word))
    return None


def mark_digits(shown: str, search: str) -> Mark | None:
    """The same for a number: its digits, whatever stands between them."""
    wanted = "".join(letter for letter in search if letter.isdigit()).lstrip("0")
    if not wanted:
        return None
    places = [at for at, letter in enumerate(shown) if letter.isdigit()]
    at = "".join(shown[place] for place in places).find(wanted)
    return _span(places, at, len(wanted)) if at >= 0 else None


def _span(places: list[int], at: int, length: int) -> Mark:
    start, last = places[at], places[at + length - 1]
    return start, last - start + 1


def _folded(shown: str) -> tuple[str, list[int]]:
    """`shown` folded letter by letter, and where each letter of it came from: æ becomes two."""
    folded: list[str] = []
    places: list[int] = []
    for at, letter in enumerate(shown):
        plain = fold_for_search(letter) or (" " if letter.isspace() else "")
        folded.append(plain)
        places.extend([at] * len(plain))
    return "".join(folded), places
