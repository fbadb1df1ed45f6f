"""A text as it is compared: folded, without signature, emoji and quoting marks. Nothing is decided here.

Words are separated by one blank; the marks that end a clause (. ? , -) stand as words of their own.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

# A text of the provider has at most 1,600 characters. Of anything longer the two ends are read.
MOST_CHARS = 4_000
_QUOTES = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛ʼ´`′", "'"),
        **dict.fromkeys("“”„‟«»″", '"'),
        **dict.fromkeys("‐‑‒–—―−_*~|/\\•·", "-"),
        "…": ".",
        "¿": " ",
        "¡": " ",
        "œ": "oe",
        "æ": "ae",
        "ß": "ss",
    }
)
_SIGNATURE = re.compile(
    r"(?:^|[\n.!?,] *)(?:-+ *)?(?:sent from (?:my|a|an|yahoo|outlook|mail|samsung)\b|sent via \b|get outlook for\b|"
    r"enviado desde (?:mi|un|el|outlook)\b|enviado con mi\b|envoye (?:de|depuis) (?:mon|ma|un|outlook)\b)"
    r"[^\n]{0,60}\s*$"
)
_ELISION = re.compile(r"\b(qu|[cdjlmnst])'(?=\w\w)")
_SPELLED = re.compile(r"(?<![\w'])[^\W\d](?:[ .\-]{1,2}[^\W\d](?![\w'])){2,19}")
_PIECES = re.compile(r"\w+|[.!?;,:\n()\"-]")
_MARKS = {"!": ".", ";": ".", "\n": ".", "(": ",", ")": ",", ":": ",", '"': ","}


@dataclass(frozen=True, slots=True)
class Plain:
    """folded: one string, blanks at both ends, marks as words. words: without the marks. names: places in `words` that
    were written with a capital first letter and small ones after it. apart: places of the words that follow a mark, a
    dash or a line break. signs: emoji and other pictures, in order. whole: False when only its two ends were read."""

    folded: str
    words: tuple[str, ...]
    names: frozenset[int]
    apart: frozenset[int]
    signs: tuple[str, ...]
    whole: bool

    @property
    def asks(self) -> bool:
        """Whether there is a question mark."""
        return " ? " in self.folded


def plain(text: str) -> Plain:
    """`text` normalised: NFKC, no format characters, straight quotes, case and accents folded, no signature."""
    whole = len(text) <= MOST_CHARS
    if not whole:
        text = f"{text[: MOST_CHARS // 2]}\n{text[-MOST_CHARS // 2 :]}"
    shown = _shown(text)
    lower = _SIGNATURE.sub("", fold(shown))
    kept = shown[: len(lower)]
    return _split(lower, kept, _signs(text), whole)


def fold(text: str) -> str:
    """Small letters without accents; as long as `text`, which must be composed, letter for letter."""
    return "".join(_base(letter) for letter in text)


def words_of(row: str) -> frozenset[str]:
    """The words of a row with blanks between them."""
    return frozenset(row.split())


def straight(text: str) -> str:
    """NFKC, straight quotes and dashes, no format characters; emoji stay."""
    composed = unicodedata.normalize("NFKC", text.replace("\r\n", "\n").replace("\r", "\n"))
    return "".join(each for each in composed.translate(_QUOTES) if unicodedata.category(each) != "Cf")


def _shown(text: str) -> str:
    kept = []
    for each in straight(text):
        kind = unicodedata.category(each)
        if kind in {"So", "Sk", "Mn", "Co", "Cs", "Cn", "Me"}:
            kept.append(" " if kind == "So" else "")
        elif kind == "Cc" and each not in "\n\t":
            kept.append(" ")
        else:
            kept.append(each)
    return unicodedata.normalize("NFC", "".join(kept))


def _base(letter: str) -> str:
    small = unicodedata.normalize("NFD", letter.casefold())
    return small[0] if small else letter


def _split(lower: str, shown: str, signs: tuple[str, ...], whole: bool) -> Plain:
    lower = _ELISION.sub(r"\1 ", lower)  # an apostrophe becomes one blank: the places stay the same
    pieces: list[str] = []
    words: list[str] = []
    names: set[int] = set()
    apart: set[int] = set()
    joined, places = _joined(lower)
    for found in _PIECES.finditer(joined):
        piece = found.group()
        if not piece[0].isalnum():
            mark = _MARKS.get(piece, piece)
            if pieces and pieces[-1] != mark:
                pieces.append(mark)
            apart.add(len(words))
            continue
        at = places[found.start()]
        written = shown[at : at + len(piece)]
        if len(piece) > 1 and written[:1].isupper() and written[1:].islower():
            names.add(len(words))
        pieces.append(piece)
        words.append(piece)
    return Plain(f" {' '.join(_hyphens(pieces))} ", tuple(words), frozenset(names), frozenset(apart), signs, whole)


def _joined(lower: str) -> tuple[str, list[int]]:
    """Letters spelled one by one as one word and apostrophes inside words dropped; with where each letter stood."""
    dropped = {at for found in _SPELLED.finditer(lower) for at in range(*found.span()) if not lower[at].isalnum()}
    dropped |= {at for at, each in enumerate(lower) if each == "'"}
    places = [at for at in range(len(lower)) if at not in dropped]
    return "".join(lower[at] for at in places), places


def _hyphens(pieces: list[str]) -> list[str]:
    """A dash ends nothing: only a full stop, a question mark and a comma stay."""
    return [piece for piece in pieces if piece != "-"]


def _signs(text: str) -> tuple[str, ...]:
    return tuple(each for each in text if unicodedata.category(each) == "So")
