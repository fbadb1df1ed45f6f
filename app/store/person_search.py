"""Search as you type: what a person is found by, as one folded text, and the SQL that asks for it.

Folded means without case and accents (domain/people_text.py). The text begins with the last name, so it is also what
a list by name is ordered by.
"""

from __future__ import annotations

import re
from typing import Any

import sqlalchemy as sa
from sqlalchemy import ColumnElement

from app.domain.people_text import fold_for_search

_NUMBER_ONLY = re.compile(r"[\d\s()+./-]*\d[\d\s()+./-]*")
_NUMBER_MARKS = re.compile(r"[\s()+./-]+")
_ESCAPE = "\\"


def search_text(
    first_name: str, last_name: str, email: str | None, phone: str | None, alt_phone: str | None = None
) -> str:
    """What a person is found by: names, email, digits of both numbers. phone, alt_phone: E.164."""
    parts = (fold_for_search(f"{last_name} {first_name}"), email or "", _digits(phone), _digits(alt_phone))
    return " ".join(part for part in parts if part)


def search_words(text: str) -> tuple[str, ...]:
    """The parts that must all be found, folded. What is digits and a number's marks only is one number.

    The zeros before a number are left out: national and international ways of dialling begin with them, E.164 does not.
    """
    folded = fold_for_search(text)
    if _NUMBER_ONLY.fullmatch(folded):
        digits = _NUMBER_MARKS.sub("", folded)
        return (digits.lstrip("0") or digits,)
    return tuple(_as_number(word) for word in folded.split())


def found_by(words: tuple[str, ...], *columns: ColumnElement[Any]) -> list[ColumnElement[bool]]:
    """One condition a word: it stands somewhere in one of `columns`, which hold folded text."""
    return [sa.or_(*(column.like(_anywhere(word), escape=_ESCAPE) for column in columns)) for word in words]


def _anywhere(word: str) -> str:
    escaped = word.replace(_ESCAPE, _ESCAPE * 2).replace("%", _ESCAPE + "%").replace("_", _ESCAPE + "_")
    return f"%{escaped}%"


def _as_number(word: str) -> str:
    """`(503)` and `555-0142` as digits; any other word as it stands."""
    return _NUMBER_MARKS.sub("", word) if _NUMBER_ONLY.fullmatch(word) else word


def _digits(phone: str | None) -> str:
    return "" if phone is None else re.sub(r"\D", "", phone)
