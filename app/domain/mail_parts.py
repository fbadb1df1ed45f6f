"""A raw mail as a tree of parts: headers and content. Never raises, and never looks at a byte more than so many times.

Not the standard library's parser: that one recurses as deep as the sender likes and asks every open part about every
line. Here parts within parts end at `DEEPEST`; what lies deeper is the text of the last one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from app.domain.mail_decode import header_text, text_of, unpacked

DEEPEST = 12
MOST_TEXT_BYTES = 1_000_000  # of one text; the rest is not read
_MOST_HEADER_BYTES = 262_144
_MOST_PARTS = 400
_BLANK_LINE = re.compile(rb"\r?\n[ \t]*\r?\n|\A\r?\n")
_HEADER = re.compile(r"([!-9;-~]{1,80})[ \t]*:(.*)", re.DOTALL)
_PARAMETER = re.compile(
    r";\s{0,99}([A-Za-z0-9_.-]{1,40})(\*\d{1,2})?(\*)?\s{0,9}=\s{0,9}(?:\"((?:[^\"\\]|\\.)*)\"|([^;\s]*))"
)
_PERCENT = re.compile(rb"%([0-9A-Fa-f]{2})")


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a mail, or the whole of it.

    headers: names in lower case with their unfolded values, in order. content: undecoded, empty when there are `parts`.
    parts: of a multipart its parts; of an attached message that message alone.
    """

    headers: tuple[tuple[str, str], ...]
    content: bytes
    parts: tuple[Part, ...] = ()

    def raw(self, name: str) -> str:
        """The first header of that name as it was sent, "" without one."""
        return next((value for key, value in self.headers if key == name), "")

    def raws(self, name: str) -> tuple[str, ...]:
        """Every header of that name, in order."""
        return tuple(value for key, value in self.headers if key == name)

    def has(self, name: str) -> bool:
        """Whether a header of that name stands there, be it empty."""
        return any(key == name for key, _ in self.headers)

    def read(self, name: str) -> str:
        """The first header of that name with encoded words decoded."""
        return header_text(self.raw(name))

    @property
    def kind(self) -> str:
        """The media type in lower case; text/plain when none is given (RFC 2045 5.2)."""
        kind = self.raw("content-type").split(";")[0].split("(")[0].strip().lower()
        return kind if "/" in kind else {"text": "text/plain", "html": "text/html"}.get(kind, "text/plain")

    def parameter(self, name: str) -> str:
        """A parameter of the Content-Type, "" without it."""
        return parameters(self.raw("content-type")).get(name, "")

    @property
    def file_name(self) -> str:
        """The name under which this part is attached, "" for the text of a mail."""
        disposition = parameters(self.raw("content-disposition"))
        return header_text(disposition.get("filename", "") or self.parameter("name"))

    @property
    def is_attached(self) -> bool:
        """Whether this part is something to save rather than to read."""
        return self.raw("content-disposition").strip().lower().startswith("attachment") or bool(self.file_name)

    def text(self) -> str:
        """The decoded content, at most the first `MOST_TEXT_BYTES`, with plain line ends."""
        data = unpacked(self.content[: 2 * MOST_TEXT_BYTES], self.raw("content-transfer-encoding"))[:MOST_TEXT_BYTES]
        return text_of(data, self.parameter("charset") or None).replace("\r\n", "\n").replace("\r", "\n")

    @property
    def is_cut(self) -> bool:
        """Whether `text` may leave out the end."""
        return len(self.content) > MOST_TEXT_BYTES

    def walk(self) -> Iterator[Part]:
        """This part and those within it, in order, but nothing inside of attached messages."""
        yield self
        if not self.kind.startswith("message/"):
            for part in self.parts:
                yield from part.walk()


def parse_mail(data: bytes) -> Part:
    """The tree of a raw mail, whatever its line ends."""
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    if data.startswith((b"From ", b">From ")):  # the envelope line of a mailbox file
        data = data.partition(b"\n")[2]
    return _part(data, 0, [_MOST_PARTS])


def _part(data: bytes, depth: int, left: list[int]) -> Part:
    left[0] -= 1
    headers, body = _split(data)
    part = Part(headers, body)
    if depth >= DEEPEST or left[0] <= 0:
        return part
    kind = part.kind
    if kind.startswith("multipart/"):
        inner = _between(body, part.parameter("boundary"), left[0])
        if inner:
            return Part(headers, b"", tuple(_part(each, depth + 1, left) for each in inner))
    elif kind in ("message/rfc822", "message/global"):
        inside = unpacked(body, part.raw("content-transfer-encoding"))
        return Part(headers, b"", (_part(inside.lstrip(b"\r\n"), depth + 1, left),))
    return part


def _split(data: bytes) -> tuple[tuple[tuple[str, str], ...], bytes]:
    """The headers and what follows the first blank line; no headers when the first line is none."""
    blank = _BLANK_LINE.search(data, 0, _MOST_HEADER_BYTES)
    head, body = (data[: blank.start()], data[blank.end() :]) if blank else (data[:_MOST_HEADER_BYTES], b"")
    headers = parse_headers(text_of(head, None).replace("\r\n", "\n"))
    if not headers and head.strip():
        return (), data
    return headers, body


def parse_headers(block: str) -> tuple[tuple[str, str], ...]:
    """The headers of a block, unfolded; lines that are none are left out."""
    found: list[list[str]] = []
    for line in block.split("\n"):
        line = line.rstrip("\r")
        if line[:1] in (" ", "\t") and found:
            found[-1].append(line)
        elif header := _HEADER.fullmatch(line):
            found.append([header[1].lower(), header[2]])
    return tuple((name, "".join(lines).strip()) for name, *lines in found)


def parameters(raw: str) -> dict[str, str]:
    """The parameters of a structured header: names in lower case; continued and percent-coded values (RFC 2231) too."""
    plain: dict[str, str] = {}
    pieces: dict[str, list[str]] = {}
    coded: set[str] = set()
    for found in _PARAMETER.finditer(raw[:16_384]):
        name, piece, star = found[1].lower(), found[2], found[3]
        value = found[4].replace("\\", "") if found[4] is not None else found[5]
        if piece is None and star is None:
            plain.setdefault(name, value)
        else:
            pieces.setdefault(name, []).append(value)
            if star:
                coded.add(name)
    for name, values in pieces.items():
        plain[name] = _percent_decoded("".join(values)) if name in coded else "".join(values)
    return plain


def _percent_decoded(value: str) -> str:
    charset, mark, rest = value.partition("'")
    letters = rest.partition("'")[2] if mark else value
    data = _PERCENT.sub(lambda code: bytes([int(code[1], 16)]), letters.encode("utf-8", errors="replace"))
    return text_of(data, charset if mark else None)


def _between(body: bytes, boundary: str, most: int) -> list[bytes]:
    """What stands between the boundary lines; the last part may lack its end. Empty when no line is found."""
    if not boundary:
        return []
    line = re.compile(
        rb"^--" + re.escape(boundary.encode("utf-8", errors="replace")) + rb"(--)?[ \t]*\r?$", re.MULTILINE
    )
    parts: list[bytes] = []
    start: int | None = None
    for found in line.finditer(body):
        if start is not None:
            parts.append(_without_last_line_end(body[start : found.start()]))
            start = None
        if found[1] or len(parts) >= most:
            break
        start = found.end() + 1
    if start is not None:
        parts.append(body[start:])
    return parts


def _without_last_line_end(data: bytes) -> bytes:
    return data.removesuffix(b"\n").removesuffix(b"\r")
