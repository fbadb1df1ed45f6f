"""Text out of spreadsheet cells: cleaned, folded for comparing, and made harmless on its way back out.

Also the notes that a row carries (RowNote). Addresses are read in people_phone.py and people_email.py.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container
from dataclasses import dataclass
from enum import StrEnum


class Note(StrEnum):
    """What must be told about a row. The first eight are the words of the data sets."""

    BAD_PHONE = "bad_phone"
    DAMAGED_PHONE = "damaged_phone"
    BAD_EMAIL = "bad_email"
    BAD_DATE = "bad_date"
    AMBIGUOUS_DATE = "ambiguous_date"
    FORMULA_TEXT = "formula_text"
    SHARED_CONTACT_POINT = "shared_contact_point"
    EXTRA_FIELDS = "extra_fields"
    MISSING_FIELDS = "missing_fields"
    DAMAGED_TEXT = "damaged_text"
    LANDLINE = "landline"
    TOLL_FREE = "toll_free"
    NOT_TEXTABLE = "not_textable"
    MORE_PHONES = "more_phones"
    MORE_EMAILS = "more_emails"
    UNCLEAR_DO_NOT_CONTACT = "unclear_do_not_contact"
    SAME_NAME = "same_name"
    KEPT_OLDER = "kept_older"
    UNKNOWN_STATUS = "unknown_status"
    NO_TIME = "no_time"


@dataclass(frozen=True, slots=True)
class RowNote:
    """One thing to tell about a row that was read all the same. told: one sentence, without its line number."""

    code: Note
    told: str


# format characters (zero width, bidi marks, byte order mark), soft hyphen, and controls that are no white space
_SPANS = ((0x00, 0x09), (0x0E, 0x1C), (0x7F, 0x85), (0x86, 0xA0), (0x200B, 0x2010), (0x202A, 0x202F), (0x2060, 0x2070))
_INVISIBLE = dict.fromkeys([0xAD, 0x061C, 0x180E, 0xFEFF, *(code for span in _SPANS for code in range(*span))], None)
_JOINERS = "\u200c\u200d"  # inside a word they are part of how Persian and Indic names are written
_INVISIBLE_IN_NAMES = {code: None for code in _INVISIBLE if chr(code) not in _JOINERS}
_QUOTES = str.maketrans("’‘ʼ‛`´“”„‐‑‒–—", "''''''\"\"\"-----")
_PLAIN_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h", "ŋ": "n"}
)
_BLANK_WORDS = frozenset({"", "-", "--", "---", "n/a", "#n/a", "(none)", "."})
_BLANK_ADDRESS_WORDS = _BLANK_WORDS | {"na", "n.a.", "none", "null", "nil", "(blank)"}
_LONGER_THAN_BLANK = 20  # chars, with room for a few that nobody sees
_LONGEST_SHOWN = 60  # chars of a cell in a sentence
_LONGEST_READ = 1_000  # chars of which those are taken
_RISKY = "=+-@\t\r\n＝＋－＠"
_JUST_A_NUMBER = re.compile(r"\+[0-9]{7,15}|-[0-9]+(?:[.,][0-9]+)?")
_GUARDED = re.compile(f"'+[{re.escape(_RISKY)}]")


def clean(text: str) -> str:
    """`text` without invisible characters, every run of white space one blank, ends trimmed; case and accents kept."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    shown = unicodedata.normalize("NFC", text).translate(_INVISIBLE_IN_NAMES)
    return " ".join(shown.split()).strip(_JOINERS + " ")


def clean_address(text: str) -> str:
    """`clean`, for a phone or an email: joiners are dropped as well, and full-width letters become plain ones."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    return " ".join(unicodedata.normalize("NFKC", text).translate(_INVISIBLE).split())


def quoted(cell: str) -> str:
    """A cell as a sentence shows it: clean, in quotes, and no longer than a line can hold."""
    shown = clean(cell[:_LONGEST_READ])
    return f"“{shown}”" if len(shown) <= _LONGEST_SHOWN else f"“{shown[: _LONGEST_SHOWN - 1]}…”"


def is_blank(text: str) -> bool:
    """Whether a cell says nothing: empty, a dash, `n/a`."""
    return len(text.strip()) < _LONGER_THAN_BLANK and clean(text).translate(_QUOTES).casefold() in _BLANK_WORDS


def is_blank_address(text: str) -> bool:
    """Whether a cell for a phone, an email or a date says nothing. For names it is fewer words: Null is one."""
    return len(text.strip()) < _LONGER_THAN_BLANK and clean(text).translate(_QUOTES).casefold() in _BLANK_ADDRESS_WORDS


def fold_for_search(text: str) -> str:
    """`text` as search compares it: case and accents off, curly quotes straight; letters of every script kept."""
    if text.isascii() and text.isprintable():
        return " ".join(text.casefold().split())
    apart = unicodedata.normalize("NFKD", text.translate(_INVISIBLE).translate(_QUOTES).casefold())
    # only the marks of Latin, Greek and Cyrillic: elsewhere a mark makes another letter
    bare = "".join(letter for letter in apart if not "\u0300" <= letter <= "\u036f")
    return " ".join(unicodedata.normalize("NFC", bare.casefold().translate(_PLAIN_LETTERS)).split())


def fold_heading(text: str) -> str:
    """A column's name as it is compared: words only, case and accents off, so that `E-Mail:` is `e mail`."""
    return " ".join(re.sub(r"[\W_]+", " ", fold_for_search(text.replace("'", ""))).split())


def heading_among(text: str, known: Container[str]) -> str | None:
    """The known folded heading that a column's name is, a remark in brackets or a number after it aside; else None."""
    without_remark = re.sub(r"[(\[][^)\]]*[)\]]", " ", text)
    for name in (text, without_remark, re.sub(r"\s*[0-9]\s*$", "", without_remark)):
        folded = fold_heading(name)
        if folded in known:
            return folded
    return None


def name_key(first_name: str, last_name: str) -> str:
    """What two equal names share: letters and digits only, case and accents off; "" for no name."""
    return re.sub(r"[\W_]+", "", fold_for_search(f"{first_name}{last_name}"))


def snake(text: str) -> str:
    """A status as it is stored: lower case, words joined by `_`, accents and marks gone; "" for a blank."""
    return re.sub(r"[\W_]+", "_", fold_for_search(clean(text))).strip("_")


def looks_like_formula(text: str) -> bool:
    """Whether a spreadsheet might run `text` instead of showing it."""
    return text[:1] != "" and text[0] in _RISKY and not _JUST_A_NUMBER.fullmatch(text)


def harmless_cell(text: str) -> str:
    """`text` for a cell of an export: what a spreadsheet might run gets a leading apostrophe, numbers stay as they are.

    Text that would read as guarded is guarded once more, so that `cell_as_written` always gives back the same text.
    """
    return f"'{text}" if looks_like_formula(text) or _GUARDED.match(text) else text


def cell_as_written(text: str) -> str:
    """The text that `harmless_cell` guarded; any other text unchanged."""
    return text[1:] if _GUARDED.match(text) else text
