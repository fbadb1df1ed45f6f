"""The HTML of a mail as the lines that its writer sees, without what other people wrote in it.

Breaks and ends of blocks are line ends. Quote containers and configured signatures are left out. One pass over the
text; unclosed tags, comments and quotes cost no more than closed ones.
"""

from __future__ import annotations

import html
import re

QUOTE_LINE = "\ufdd0"  # stands alone on the line where a quote was left out: never a character of a text (Unicode 23.7)

_TAG = re.compile(r"(/?)([A-Za-z][A-Za-z0-9:-]{0,40})")
_ATTRIBUTE = re.compile(r"([A-Za-z][\w:-]{0,40})\s{0,20}=\s{0,20}(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_ENTITY = re.compile(r"&(?:#[0-9]{1,8}(?![0-9])|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});?")
_SPACE = re.compile(r"[ \t\n\r\f]+")
_LONGEST_TAG_CHARS = 8_192
_MOST_OPEN = 200  # deeper tags are not followed


def _words(told: str) -> frozenset[str]:
    return frozenset(told.split())


_BLOCKS = _words(
    "address article aside blockquote body center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header "
    "hr li main nav ol p pre section table tbody tfoot thead tr ul"
)
_VOID = _words("area base br col embed hr img input link meta source track wbr")
_UNSHOWN = _words("head script style title noscript template")
_CELLS = _words("td th")

# classes and ids of containers that hold what somebody else wrote
_QUOTES = _words("yahoo_quoted moz-cite-prefix gmail_attr x_gmail_quote protonmail_quote tutanota_quote zmail_extra")
_WITH_QUOTE_WITHIN = _words("gmail_quote gmail_extra gmail_quote_container")
_QUOTED_FROM_HERE = _words(
    "divrplyfwdmsg x_divrplyfwdmsg appendonsend ms-outlook-reply-separator mail-editor-reference-message-container"
)
_SIGNATURES = _words(
    "gmail_signature gmail_signature_prefix moz-signature signature x_signature ms-outlook-mobile-signature "
    "applemailsignature protonmail_signature_block ymail_android_signature"
)


class _Open:
    """A tag that is open: its name, and why nothing in it is shown ("" when it is shown)."""

    __slots__ = ("hidden", "holds_quote", "name", "quote_seen")

    def __init__(self, name: str, hidden: str, holds_quote: bool) -> None:
        self.name = name
        self.hidden = hidden
        self.holds_quote = holds_quote
        self.quote_seen = False


class _Reader:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.line: list[str] = []
        self.open: list[_Open] = []
        self.hidden = 0
        self.waiting = 0  # open containers whose quote is still to come: what stands in them so far is no answer
        self.pre = 0
        self.done = False

    # --- text

    def text(self, raw: str) -> None:
        if not self.shown():
            return
        told = _ENTITY.sub(lambda entity: html.unescape(entity[0]), raw).replace("\xa0", " ")
        if self.pre:
            first, *rest = told.split("\n")
            self.line.append(first)
            for each in rest:
                self.end_line()
                self.line.append(each)
        else:
            self.line.append(_SPACE.sub(" ", told))

    def shown(self) -> bool:
        return not self.hidden and not self.waiting

    def end_line(self) -> None:
        self.lines.append("".join(self.line).strip())
        self.line = []

    def end_block(self) -> None:
        if "".join(self.line).strip():
            self.end_line()
        else:
            self.line = []

    def quote_left_out(self) -> None:
        self.end_block()
        if not self.lines or self.lines[-1] != QUOTE_LINE:
            self.lines.append(QUOTE_LINE)

    # --- tags

    def start(self, name: str, rest: str) -> None:
        if name == "br":
            if self.shown():
                self.end_line()
            return
        if name in _BLOCKS and self.shown():
            self.end_block()
        marks = _marks(rest)
        if name == "hr" and self.shown() and not marks:
            self.lines.append("")
        if marks & _QUOTED_FROM_HERE:
            self.quote_left_out()
            self.done = True
            return
        if name in _VOID or rest.endswith("/"):
            return
        if name in _CELLS and self.shown():
            self.line.append(" ")
        if len(self.open) >= _MOST_OPEN:
            return
        self.push(name, marks)

    def push(self, name: str, marks: frozenset[str]) -> None:
        hidden = ""
        if name in _UNSHOWN:
            hidden = "unshown"
        elif name == "blockquote" or marks & _QUOTES or any(mark.startswith("yahoo_quoted") for mark in marks):
            hidden = "quote"
            if name == "blockquote":
                self.mark_quote()
        elif marks & _SIGNATURES:
            hidden = "signature"
        holds_quote = not hidden and bool(marks & _WITH_QUOTE_WITHIN)
        if (hidden == "quote" or holds_quote) and not self.hidden:
            self.quote_left_out()
        self.open.append(_Open(name, hidden, holds_quote))
        self.hidden += bool(hidden)
        self.waiting += holds_quote
        self.pre += name == "pre"

    def mark_quote(self) -> None:
        """An answer may follow a quote within its container; in a container around that one all was written before."""
        innermost = next((tag for tag in reversed(self.open) if tag.holds_quote), None)
        if innermost is not None and not innermost.quote_seen:
            innermost.quote_seen = True
            self.waiting -= 1

    def end(self, name: str) -> None:
        at = next((i for i in range(len(self.open) - 1, -1, -1) if self.open[i].name == name), None)
        if at is None:
            if name == "p" and self.shown():
                self.end_line()
            return
        for tag in self.open[at:]:
            self.hidden -= bool(tag.hidden)
            self.waiting -= tag.holds_quote and not tag.quote_seen
            self.pre -= tag.name == "pre"
        was_hidden = any(tag.hidden for tag in self.open[at:])
        del self.open[at:]
        if name in _BLOCKS and self.shown() and not was_hidden:
            self.end_block()
            if name == "p":
                self.lines.append("")


def _marks(rest: str) -> frozenset[str]:
    """The classes and the id of a tag, in lower case."""
    marks: set[str] = set()
    for found in _ATTRIBUTE.finditer(rest):
        name = found[1].lower()
        value = (found[2] or found[3] or found[4] or "").lower()
        if name in ("class", "id"):
            marks.update(value.split())
        elif name == "type" and value == "cite":
            marks.add("moz-cite-prefix")
    return frozenset(marks)


def text_of_html(source: str) -> str:
    """The lines of an HTML mail without its quotes; `QUOTE_LINE` stands where one was."""
    reader = _Reader()
    at, no_more_tags = 0, False
    while at < len(source) and not reader.done:
        opens = source.find("<", at)
        if opens < 0 or no_more_tags:
            reader.text(source[at:])
            break
        if opens > at:
            reader.text(source[at:opens])
        if source.startswith("<!--", opens):
            closes = source.find("-->", opens + 4)
            at = len(source) if closes < 0 else closes + 3
            continue
        closes = _tag_end(source, opens)
        if closes < 0:
            no_more_tags = True
            at = opens
            continue
        inside = source[opens + 1 : closes]
        tag = _TAG.match(inside)
        if tag is None:
            if inside[:1] in ("!", "?", "/"):
                at = closes + 1
            else:  # "<3" and the like are text
                reader.text("<")
                at = opens + 1
            continue
        name = tag[2].lower()
        at = closes + 1
        if tag[1]:
            reader.end(name)
        elif name in ("script", "style"):
            at = _after(source, name, at)
        else:
            reader.start(name, inside[tag.end() :])
    reader.end_block()
    return "\n".join(reader.lines)


def _tag_end(source: str, opens: int) -> int:
    """Where the tag closes: its first > outside of quotes, else its first >; -1 when there is none at all."""
    first = source.find(">", opens)
    closes = first
    for _ in range(8):
        if closes < 0 or closes - opens > _LONGEST_TAG_CHARS:
            break
        inside = source[opens:closes]
        if inside.count('"') % 2 == 0 and inside.count("='") * 2 <= inside.count("'"):
            return closes
        closes = source.find(">", closes + 1)
    return first


def _after(source: str, name: str, at: int) -> int:
    end = re.compile(f"</{name}", re.IGNORECASE).search(source, at)
    return len(source) if end is None else end.start()
