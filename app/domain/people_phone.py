"""Phones: what a cell holds, read to E.164 with the country's own rules. Imported through person.py.

The rules are those of `phonenumbers` for the region, beside what desks write around a number and what spreadsheets
make of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from app.domain.errors import OperatorError
from app.domain.people_text import clean_address, is_blank_address


class PhoneKind(StrEnum):
    """What a number is, as far as its plan tells. North America tells only `fixed_or_mobile`."""

    MOBILE = "mobile"
    FIXED = "fixed"
    FIXED_OR_MOBILE = "fixed_or_mobile"
    TOLL_FREE = "toll_free"
    OTHER = "other"
    UNKNOWN = "unknown"


class PhoneFault(StrEnum):
    """Why a cell gave no phone."""

    BLANK = "blank"
    BAD = "bad_phone"
    DAMAGED = "damaged_phone"


@dataclass(frozen=True, slots=True)
class PhoneRead:
    """One phone out of a cell. e164 is set exactly when `fault` is None. ext: digits, or None. kind: of the number."""

    e164: str | None
    ext: str | None = None
    fault: PhoneFault | None = None
    kind: PhoneKind = PhoneKind.UNKNOWN


_BLANK = PhoneRead(None, fault=PhoneFault.BLANK)
_BAD = PhoneRead(None, fault=PhoneFault.BAD)
_DAMAGED = PhoneRead(None, fault=PhoneFault.DAMAGED)

_PLAIN = re.compile(r"\+?\(?[0-9][0-9 ().\-]*")
_ZERO_IS_A_DIGIT = frozenset({"IT", "SM", "VA", "BJ", "CG", "CI", "GA"})  # a national number may begin with it
_WRAPPED = re.compile(r"""^(?:=\s*"(?P<formula>[^"]*)"|['"=]+(?P<marked>.*?)['"]?)$""")
_POWER = re.compile(r"\+?(\d+)(?:[.,](\d+))?\s?[eE]\s?\+?(\d{1,2})")
_DECIMAL_TAIL = re.compile(r"(\+?\d{7,15})[.,]0+")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3}){2,}|\d{1,3}(?:'\d{3}){2,}")
_TOO_NARROW = re.compile(r"#{3,}")
_BETWEEN_NUMBERS = re.compile(r"\s*(?:[;|&\n]|\s/\s|,(?=\s)|\b(?:or|and|ou|oder|und|et|o|y)\b)\s*", re.IGNORECASE)
_PERHAPS_BETWEEN = re.compile(r"[/,]")  # also stands inside one number: 030/23125100
_EXTENSION = re.compile(
    r"(?:[,;\s.]*\b(?:ext(?:ension|n)?|poste|anexo|ramal|interno|durchwahl)\b|(?:(?<=[\d\s)])|,)x|#)[\s.:]*(\d{1,7})\s*$",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(r"[(\[]\s*[^\W\d_][^\d()\[\]]*[)\]]")
_LABEL_BEFORE = re.compile(r"^[^\d+(]*?(?=[\d+(])")
_LABEL_AFTER = re.compile(r"[\s,:.\-]*[^\W\d_][^\d+]*$")
_CHUNK = re.compile(r"(?<![\d/])\+?\(?\d[\d\s().\-]{5,}\d(?![\d/])")
_VANITY = re.compile(r"[+(]?\d[\d\s().\-]*[A-Za-z]{3,}[A-Za-z\d\-]*")


def check_region(region: str) -> str:
    """The two-letter country in the form that phones are read with. Raises OperatorError for anything else."""
    import phonenumbers

    known = {"UK": "GB"}.get(region.strip().upper(), region.strip().upper())
    if known not in phonenumbers.SUPPORTED_REGIONS:
        raise OperatorError(f"“{region}” is no country that phones can be read for.", "Use two letters, such as US.")
    return known


def normalise_phone(text: str, region: str) -> PhoneRead:
    """The first usable phone in `text`; else why there is none. region: two letters, for numbers without a country."""
    return read_phones(text, region)[0]


def read_phones(text: str, region: str) -> tuple[PhoneRead, ...]:
    """Every different usable phone in one cell, in order, and a faulty read at the end when digits were left over.

    Several numbers stand apart by `/`, `;`, `or` and the like. A slash inside one number is left alone. Never empty.
    """
    cell = clean_address(text.replace("\n", " ; ").replace("\r", " "))
    if is_blank_address(cell):
        return (_BLANK,)
    if _PLAIN.fullmatch(cell) and not _DECIMAL_TAIL.fullmatch(cell):
        return (_dialled(cell, region) or _BAD,)
    cell = _unwrapped(cell)
    mended = _mended(cell)
    if mended is not None:
        return (_DAMAGED,) if mended == "" else (_one(mended, region),)
    reads: list[PhoneRead] = []
    for part in _BETWEEN_NUMBERS.split(cell):
        if _has_digit(part):
            reads.extend(_several(part, region))
    found = list(dict.fromkeys(read for read in reads if read.e164))
    if not found:
        found = list(dict.fromkeys(_usable_inside(cell, region)))
        return tuple(found) or (_BAD,)
    return (*found, _BAD) if _BAD in reads else tuple(found)


def phone_kind(e164: str) -> PhoneKind:
    """What kind of number this is. e164: as `normalise_phone` gives it; `unknown` for anything else."""
    read = _valid(e164, "ZZ") if e164.startswith("+") else None  # ZZ: no country, the number names its own
    return read.kind if read else PhoneKind.UNKNOWN


def can_be_texted(kind: PhoneKind) -> bool:
    """Whether a text to such a number can arrive. North America's can: its plan does not tell mobiles apart."""
    return kind in (PhoneKind.MOBILE, PhoneKind.FIXED_OR_MOBILE, PhoneKind.UNKNOWN)


def _unwrapped(cell: str) -> str:
    """Without the marks that keep a spreadsheet from counting: '212…, =212…, ="212…"."""
    wrapped = _WRAPPED.match(cell)
    return (wrapped["formula"] or wrapped["marked"] or "").strip() if wrapped else cell


def _mended(cell: str) -> str | None:
    """A number that a spreadsheet wrote its own way, as digits again; "" when some are lost; None for anything else."""
    if _TOO_NARROW.fullmatch(cell):
        return ""
    power = _POWER.fullmatch(cell)
    if power:
        whole, after, exponent = power[1], power[2] or "", int(power[3])
        if len(after) < exponent or after[exponent:].strip("0"):
            return ""
        return whole + after[:exponent]
    tail = _DECIMAL_TAIL.fullmatch(cell)
    if tail:
        return tail[1]
    return re.sub(r"\D", "", cell) if _THOUSANDS.fullmatch(cell) else None


def _several(part: str, region: str) -> list[PhoneRead]:
    """The numbers of a part in which a slash or comma may separate two, or belong to one."""
    pieces = [piece for piece in _PERHAPS_BETWEEN.split(part) if _has_digit(piece)]
    reads = [_one(piece, region) for piece in pieces] if len(pieces) > 1 else [_BAD]
    if _BAD not in reads:
        return reads
    whole = _one(part, region)
    if whole.e164:
        return [whole]
    # a piece that fails before the first good one may be its area code: then the good one is not that person's
    return reads if reads[0].e164 else [_BAD]


def _one(part: str, region: str) -> PhoneRead:
    """The one phone that `part` is, labels and extension aside."""
    if "@" in part:
        return _BAD
    text = _IN_BRACKETS.sub(" ", part)
    extension = _EXTENSION.search(text)
    if extension:
        text = text[: extension.start()]
    bare = _LABEL_AFTER.sub("", _LABEL_BEFORE.sub("", text, count=1)).strip()
    tries = [bare]
    if _VANITY.fullmatch(text.strip()):
        tries.append(text.strip())
    for attempt in tries:
        read = _dialled(attempt, region)
        if read:
            return replace(read, ext=extension[1]) if extension else read
    return _BAD


def _dialled(text: str, region: str) -> PhoneRead | None:
    """A number as one would dial it from `region`, or None when it is not valid."""
    if not _has_digit(text):
        return None
    direct = _valid(text, region)
    if direct or text.startswith("+"):
        return direct
    digits = "".join(letter for letter in text if letter.isdigit())
    if digits.startswith("00"):
        return _valid("+" + digits[2:], region)
    if len(digits) < 10 or (len(digits) == 10 and _is_north_american(region)):
        # a North American number with a typing error must not become one of another country
        abroad = None
    else:
        abroad = _valid("+" + digits, region)
    return abroad or (_valid("0" + digits, region) if region in _ZERO_IS_A_DIGIT else None)


def _valid(text: str, region: str) -> PhoneRead | None:
    import phonenumbers

    try:
        number = phonenumbers.parse(text, region)
    except phonenumbers.NumberParseException:
        return None
    kind = phonenumbers.number_type(number)
    if kind == phonenumbers.PhoneNumberType.UNKNOWN:  # exactly the numbers that is_valid_number refuses
        return None
    e164 = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
    return PhoneRead(e164, number.extension or None, kind=_kinds().get(kind, PhoneKind.OTHER))


def _kinds() -> dict[int, PhoneKind]:
    from phonenumbers import PhoneNumberType as Type

    return {
        Type.MOBILE: PhoneKind.MOBILE,
        Type.FIXED_LINE: PhoneKind.FIXED,
        Type.FIXED_LINE_OR_MOBILE: PhoneKind.FIXED_OR_MOBILE,
        Type.TOLL_FREE: PhoneKind.TOLL_FREE,
    }


def _has_digit(text: str) -> bool:
    return any(letter.isdigit() for letter in text)


def _is_north_american(region: str) -> bool:
    import phonenumbers

    return phonenumbers.country_code_for_region(region) == 1


def _usable_inside(cell: str, region: str) -> Iterator[PhoneRead]:
    """Phones that stand inside a remark, such as `ask for 212 555 0142 after five`."""
    if "@" in cell:
        return
    for chunk in _CHUNK.finditer(cell):
        read = _dialled(chunk[0].strip(), region)
        if read:
            yield read
