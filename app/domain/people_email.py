"""Email addresses: what a cell holds, read to the one form that is stored and compared. Imported through person.py."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from app.domain.people_text import clean_address, is_blank_address


class EmailFault(StrEnum):
    """Why a cell gave no email."""

    BLANK = "blank"
    BAD = "bad_email"


@dataclass(frozen=True, slots=True)
class EmailRead:
    """What one cell gave. address is set exactly when `fault` is None; others: more valid addresses beside it."""

    address: str | None
    fault: EmailFault | None = None
    others: tuple[str, ...] = ()


_MAX_CHARS, _MAX_LOCAL_CHARS, _MAX_LABEL_CHARS = 254, 64, 63  # RFC 5321 4.5.3.1, RFC 1035 2.3.4
# a dot-atom, RFC 5322 3.2.3, without / and |, which separate two addresses in lists and are in nobody's
_LOCAL = re.compile(r"[a-z0-9!#$%&'*+=?^_`{}~-]+(?:\.[a-z0-9!#$%&'*+=?^_`{}~-]+)*")
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?")
_TOP = re.compile(r"[a-z]{2,}|xn--[a-z0-9-]+")
_IN_ANGLES = re.compile(r"<([^<>]*)>")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_BETWEEN = re.compile(r"[;|\n\t]|\s/\s|,\s|\sor\s", re.IGNORECASE)
_PERHAPS_BETWEEN = re.compile(r"[\s,/]+")  # only when an address stands on each side: a comma may be a mistyped dot
_MAILTO = re.compile(r"^(?:mailto:\s*)+", re.IGNORECASE)
_PLAIN = re.compile(r"[a-zA-Z0-9]+(?:[._+-][a-zA-Z0-9]+)*@(?:[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*\.)+[a-zA-Z]{2,}")
_PLAIN_CHARS = 60  # no part of a plain address that short can be too long
_EDGES = " '\"=<>[],;."
# letters that the older and the newer standard for international domains turn into different names
_TWO_READINGS = "ßς\u200c\u200d"


def normalise_email(text: str) -> str | None:
    """The first valid address in `text`, lower-case and bare; None when there is none. Its own result gives itself."""
    return read_email(text).address


def read_email(text: str) -> EmailRead:
    """The first valid address of a cell and the others beside it; else why there is none.

    A name before `<…>`, `mailto:`, remarks in brackets, trailing marks and characters that nobody sees are left aside.
    Only addresses that mail servers everywhere take are valid: letters before the @ are plain ones.
    """
    if len(text) <= _PLAIN_CHARS and _PLAIN.fullmatch(text):
        return EmailRead(text.lower())
    cell = _IN_BRACKETS.sub(" ", text.replace("\r", "\n"))
    if is_blank_address(cell):
        return EmailRead(None, EmailFault.BLANK)
    read = [_address(piece) for part in _BETWEEN.split(cell) for piece in _pieces(part)]
    valid = list(dict.fromkeys(address for address in read if address))
    if not valid:
        return EmailRead(None, EmailFault.BAD)
    return EmailRead(valid[0], others=tuple(valid[1:]))


def _pieces(part: str) -> list[str]:
    in_angles = _IN_ANGLES.findall(part)
    if in_angles:
        return in_angles
    pieces = [piece for piece in _PERHAPS_BETWEEN.split(part.strip()) if piece]
    return pieces if all("@" in piece for piece in pieces) else [part]


def _address(piece: str) -> str | None:
    """The address that `piece` is, in its stored form, or None."""
    bare = clean_address(piece).strip(_EDGES)
    linked = _MAILTO.match(bare)
    if linked:
        bare = bare[linked.end() :].partition("?")[0]  # mailto:ana@example.com?subject=…
    local, at, domain = bare.strip(_EDGES).lower().rpartition("@")
    ascii_domain = _ascii_domain(domain)
    if not at or ascii_domain is None or len(local) > _MAX_LOCAL_CHARS or not _LOCAL.fullmatch(local):
        return None
    address = f"{local}@{ascii_domain}"
    return address if len(address) <= _MAX_CHARS else None


def _ascii_domain(domain: str) -> str | None:
    """The domain as mail servers ask for it, or None when no public domain can look like that."""
    if not domain.isascii():
        if any(letter in _TWO_READINGS for letter in domain):
            return None
        try:
            domain = domain.encode("idna").decode("ascii").lower()
        except UnicodeError:
            return None
    *labels, top = domain.split(".")
    if not labels or not _TOP.fullmatch(top) or any(not _LABEL.fullmatch(label) for label in labels):
        return None
    return domain if all(len(label) <= _MAX_LABEL_CHARS for label in (*labels, top)) else None
