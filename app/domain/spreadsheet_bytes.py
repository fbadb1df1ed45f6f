"""From a file's bytes to text: refuses what is no text, finds the encoding. What it says: spreadsheet.py."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from app.domain.errors import OperatorError

MAX_BYTES = 50 * 1024 * 1024
_SAVE_AS = "Open it in your spreadsheet program and save it as “CSV UTF-8”."
_NOT_A_LIST = "Choose the list itself, saved as “CSV UTF-8”."

# the first bytes of a file, what they mean, the way out
_STARTS: tuple[tuple[bytes, str, str], ...] = (
    (b"%PDF", "a PDF", "Export the list from the program that made it, as “CSV UTF-8”."),
    (b"\x89PNG", "a picture (PNG)", _NOT_A_LIST),
    (b"\xff\xd8\xff", "a picture (JPEG)", _NOT_A_LIST),
    (b"GIF8", "a picture (GIF)", _NOT_A_LIST),
    (b"II*\x00", "a picture (TIFF)", _NOT_A_LIST),
    (b"MM\x00*", "a picture (TIFF)", _NOT_A_LIST),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook or Word document", _SAVE_AS),
    (b"\x1f\x8b", "a packed file (gzip)", "Unpack it first and choose the list inside."),
    (b"7z\xbc\xaf", "a packed file (7-Zip)", "Unpack it first and choose the list inside."),
    (b"Rar!", "a packed file (RAR)", "Unpack it first and choose the list inside."),
    (b"SQLite format 3", "a database", "Export the list from the program that made it, as “CSV UTF-8”."),
    (b"{\\rtf", "a text document (RTF)", _SAVE_AS),
    (
        b"BEGIN:VCARD",
        "a set of contact cards (vCard)",
        "Bring it into a spreadsheet or address book and save it as CSV.",
    ),
)
_INSIDE_ZIP: tuple[tuple[bytes, str, str], ...] = (
    (b"xl/", "an Excel workbook", _SAVE_AS),
    (b"opendocument.spreadsheet", "an OpenDocument spreadsheet", _SAVE_AS),
    (b"Index/Document.iwa", "a Numbers spreadsheet", _SAVE_AS),
    (b"word/", "a Word document", _NOT_A_LIST),
)
_WEB_PAGE = re.compile(rb"\s*(?:<!doctype html|<html|<table|<meta|<\?xml)", re.IGNORECASE)
_BOMS: tuple[tuple[bytes, str, str], ...] = (
    (codecs.BOM_UTF8, "utf-8", "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "utf-16-be"),
)
_NOTHING = " \t\r\n\x1a\x00\ufeff"
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
_BEYOND_ASCII = re.compile("[^\x00-\x7f\ufffd]")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file's text. encoding: as shown to staff. doubt: what to look at before trusting it; "" when there is none."""

    text: str
    encoding: str
    doubt: str = ""


def decode(data: bytes, file_name: str) -> Decoded:
    """The text of a file: byte order mark, else UTF-8 when it is valid, else Windows-1252.

    Raises OperatorError, naming the file and the way out, for what is empty, too big, or no text at all.
    """
    if len(data) > MAX_BYTES:
        most = MAX_BYTES // 1024 // 1024
        raise OperatorError(f"{file_name} is larger than {most} MB.", "Split it and import the parts.")
    _refuse_other_kinds(data, file_name)
    decoded = _decode(data, file_name)
    if not decoded.text.strip(_NOTHING):
        raise OperatorError(f"{file_name} is empty.", "Choose the file that holds the list.")
    _refuse_binary(decoded.text, file_name)
    return decoded


def _refuse_other_kinds(data: bytes, file_name: str) -> None:
    """Raise for files that announce themselves as something else than text."""
    kind = next(((what, way) for start, what, way in _STARTS if data.startswith(start)), None)
    if data.startswith(b"PK\x03\x04"):
        inside = ((what, way) for mark, what, way in _INSIDE_ZIP if mark in data)
        kind = next(inside, ("a packed file (ZIP)", "Unpack it first and choose the list inside."))
    elif data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        kind = ("a picture (WebP)", _NOT_A_LIST)
    elif data[4:8] == b"ftyp":
        kind = ("a picture or a film", _NOT_A_LIST)
    elif _WEB_PAGE.match(data.removeprefix(codecs.BOM_UTF8)):
        kind = ("a web page or XML file, whatever its name ends in", _SAVE_AS)
    if kind:
        raise OperatorError(f"{file_name} is {kind[0]}.", kind[1])


def _decode(data: bytes, file_name: str) -> Decoded:
    for mark, codec, shown in _BOMS:
        if data.startswith(mark):
            text = data[len(mark) :].decode(codec, errors="replace")
            return Decoded(text, shown, _replaced(text, shown) if not _is_valid(data[len(mark) :], codec) else "")
    hidden = _utf16_without_mark(data)
    if hidden:
        return Decoded(data.decode(hidden, errors="replace"), hidden, f"It has no mark that says so; read as {hidden}.")
    if _is_valid(data, "utf-8"):
        return Decoded(data.decode("utf-8"), "utf-8")
    if _is_damaged_utf8(data):
        text = data.decode("utf-8", errors="replace")
        return Decoded(text, "utf-8", _replaced(text, "utf-8"))
    if _is_valid(data, "cp1252"):
        return Decoded(data.decode("cp1252"), "windows-1252")
    return _guessed(data, file_name)


def _is_valid(data: bytes, codec: str) -> bool:
    try:
        data.decode(codec)
    except UnicodeDecodeError:
        return False
    return True


def _replaced(text: str, encoding: str) -> str:
    first = text.count("\n", 0, text.find("\ufffd")) + 1
    return f"It is {encoding} with broken characters, the first in line {first}; they are shown as \ufffd."


def _utf16_without_mark(data: bytes) -> str | None:
    """UTF-16 by the zero that every other byte of plain letters is."""
    head = data[:4096]
    half = len(head) // 2
    if half >= 2 and head[1::2].count(0) > half * 0.6 and head[::2].count(0) < half * 0.1:
        return "utf-16-le"
    if half >= 2 and head[::2].count(0) > half * 0.6 and head[1::2].count(0) < half * 0.1:
        return "utf-16-be"
    return None


def _is_damaged_utf8(data: bytes) -> bool:
    """Whether broken bytes stand in a text that is UTF-8 otherwise: Windows text never holds many valid sequences."""
    text = data.decode("utf-8", errors="replace")
    valid = len(_BEYOND_ASCII.findall(text))
    return valid >= 2 and valid > 4 * text.count("\ufffd")


def _guessed(data: bytes, file_name: str) -> Decoded:
    """The likeliest encoding of bytes that neither UTF-8 nor Windows-1252 can have written."""
    from charset_normalizer import from_bytes

    best = from_bytes(data).best()
    if best is None:
        raise OperatorError(f"{file_name} is in an encoding that can't be told.", _SAVE_AS)
    shown = best.encoding.replace("_", "-")
    return Decoded(str(best), shown, f"Its encoding is a guess ({shown}): look at the names before you import it.")


def _refuse_binary(text: str, file_name: str) -> None:
    strange = len(_CONTROLS.findall(text.rstrip("\x1a\x00")))
    if strange > max(2, len(text) // 200) or "\x00" in text.rstrip("\x1a\x00"):
        raise OperatorError(f"{file_name} is no text: it looks like a picture or a program's own file.", _NOT_A_LIST)
    if text.count("\ufffd") > max(20, len(text) // 10):
        raise OperatorError(f"{file_name} is in an encoding that can't be told.", _SAVE_AS)
