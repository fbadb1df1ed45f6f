"""The bytes of a mail as text: charsets, transfer encodings, encoded words, addresses. Nothing here raises.

Whoever can write to the mailbox chooses these bytes. So each step takes time that grows with their number alone, and
what can't be read is shown as well as it can be instead of being refused.
"""

from __future__ import annotations

import binascii
import codecs
import re

_ALLOWED = re.compile(  # a codec by any other name may be no charset at all, or slow on purpose (idna, punycode)
    r"(?:utf_8|utf_16|utf_32|utf_7|ascii|latin_1|iso8859|iso2022|cp\d|koi8|mac_|gb|big5|shift_jis|euc_|johab|hz"
    r"|tis_620|ptcp)",
)
_HOW_PYTHON_NAMES_THEM = re.compile(r"[^a-z0-9]+")
_READ_AS = {"ascii": "utf_8", "latin_1": "cp1252", "iso8859_1": "cp1252", "gb2312": "gb18030"}  # as browsers do
_UNREADABLE = dict.fromkeys(
    [*range(0x09), 0x0B, *range(0x0E, 0x20), 0x7F, *range(0xD800, 0xE000), *range(0xFDD0, 0xFDF0)], None
)
_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]*)\?=")
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")
_LONGEST_HEADER_CHARS = 16_384
_ADDRESS = re.compile(r"[^\s<>()\[\],;:\"@]{1,64}@[^\s<>()\[\],;:\"@]{1,253}")
_MOST_ADDRESSES = 200


def text_of(data: bytes, charset: str | None) -> str:
    """The characters of `data`. A charset that doesn't exist or doesn't fit gives way to UTF-8, then Windows-1252."""
    stated = _codec(charset)
    for name in (stated, "utf_8"):
        if name is not None:
            try:
                return data.decode(name).translate(_UNREADABLE)
            except (UnicodeError, LookupError):
                continue
    if stated is not None and stated not in ("utf_8", "utf-8"):
        return data.decode(stated, errors="replace").translate(_UNREADABLE)
    mended = data.decode("utf_8", errors="replace")
    is_broken_utf8 = any(letter > "\x7f" and letter != "\ufffd" for letter in mended)  # else it never was UTF-8
    return (mended if is_broken_utf8 else data.decode("cp1252", errors="replace")).translate(_UNREADABLE)


def _codec(charset: str | None) -> str | None:
    if not charset or len(charset) > 40 or not charset.isascii():
        return None
    try:
        name = codecs.lookup(charset.strip().strip("'\"")).name
    except (LookupError, ValueError):
        return None
    plain = _HOW_PYTHON_NAMES_THEM.sub("_", name.lower())
    if not _ALLOWED.match(plain):
        return None
    return _READ_AS.get(plain, name)


def unpacked(data: bytes, encoding: str) -> bytes:
    """The content behind a Content-Transfer-Encoding; with a broken or unknown one, as much as can be had."""
    match encoding.split(";")[0].split("(")[0].strip().lower():
        case "quoted-printable":
            return binascii.a2b_qp(data)
        case "base64":
            return _from_base64(data)
        case _:
            return data


def _from_base64(data: bytes) -> bytes:
    letters = _NOT_BASE64.sub(b"", data)
    whole = letters[: len(letters) - len(letters) % 4]
    rest = letters[len(whole) :]
    padded = whole + (rest + b"=" * (4 - len(rest)) if len(rest) > 1 else b"")
    try:
        return binascii.a2b_base64(padded)
    except binascii.Error:
        return b""


def header_text(raw: str) -> str:
    """A header as it is read by people: encoded words decoded (RFC 2047), broken ones left as they stand."""
    raw = raw[:_LONGEST_HEADER_CHARS]
    if "=?" not in raw:
        return raw.strip()
    told: list[str] = []
    end, charset, held = 0, "", b""
    for word in _WORD.finditer(raw):
        between, data = raw[end : word.start()], _word_bytes(word[2], word[3])
        if data is None:
            continue
        name = word[1].split("*")[0]  # RFC 2231: a language may follow
        if held and not between.strip() and name.lower() == charset.lower():
            held += data  # one letter may be cut in two by the fold
        else:
            told.append(text_of(held, charset))
            told.append(between if between.strip() or not held else "")
            charset, held = name, data
        end = word.end()
    told.append(text_of(held, charset))
    told.append(raw[end:])
    return "".join(told).strip()


def _word_bytes(how: str, letters: str) -> bytes | None:
    data = letters.encode("utf-8", errors="replace")
    if how in "qQ":
        return binascii.a2b_qp(data, header=True)
    return _from_base64(data) or (None if data else b"")


def addresses(raw: str) -> tuple[str, ...]:
    """The addresses of a header, lower case, in order; names beside them are left out."""
    raw = raw[:_LONGEST_HEADER_CHARS]
    found = [match.group().strip(".'").lower() for match in _ADDRESS.finditer(raw)]
    return tuple(dict.fromkeys(found))[:_MOST_ADDRESSES]


def sender_address(raw: str) -> str | None:
    """The address of a From header: the last one in angle brackets, else the last one at all. None when there is none.

    The last, because a name before it may be written like an address too.
    """
    raw = raw[:_LONGEST_HEADER_CHARS]
    in_angles = [match.group(1) for match in re.finditer(r"<\s{0,5}([^<>\s]{3,320})\s{0,5}>", raw) if "@" in match[1]]
    found = addresses(in_angles[-1]) if in_angles else addresses(raw)
    return found[-1] if found else None


def sender_name(raw: str) -> str:
    """The name in a From header, "" without one."""
    name = header_text(raw).split("<")[0].strip().strip("\"'").strip()
    return "" if "@" in name else name
