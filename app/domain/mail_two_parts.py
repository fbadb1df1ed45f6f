"""The two parts of an email, each made from the other: a template has one body, and every reader gets both.

The HTML is plain: no image, no colour, nothing that is fetched. No line of either is longer than a mail server takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from html.parser import HTMLParser
from typing import Final

from app.domain.unsubscribe import HOSTED_PAGE, with_page

# octets; a mail server takes 998 (RFC 5322, 2.1.1), and the hosted page's address is longer than its place
LINE_MOST: Final = 500
WORD_MOST: Final = 900

_LINK: Final = re.compile(rf"{re.escape(HOSTED_PAGE)}|(?:https?://|mailto:)[^\s<>\"']+")
_AFTER_LINK: Final = ".,;:!?)]}"
_WHOLE: Final = re.compile(r"<(?:!doctype|html|body)\b", re.IGNORECASE)
_STYLE: Final = "margin:0;padding:16px;font-family:Arial,Helvetica,sans-serif;font-size:16px;line-height:1.5"
_PAGE: Final = (
    '<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width">\n</head>\n'
    f'<body style="{_STYLE}">\n<div style="max-width:600px">\n{{}}\n</div>\n</body>\n</html>\n'
)


@dataclass(frozen=True, slots=True)
class TwoParts:
    """Both parts of one email. text: never blank. html: a whole document."""

    text: str
    html: str


def two_parts(body: str, *, is_html: bool, instead: str) -> TwoParts:
    """The parts of a filled body. instead: the text part of one that shows no words."""
    body = with_page(body)
    if is_html:
        whole = body if _WHOLE.search(body) else _PAGE.format(body.strip())
        return TwoParts(folded(text_of(body) or instead), folded(whole))
    return TwoParts(folded(_plain(body) if body.strip() else instead), folded(html_of(body)))


def html_of(text: str) -> str:
    """Plain text as a document: paragraphs, line ends and links, and nothing else."""
    paragraphs = re.split(r"\n[ \t]*\n\s*", _plain(text).strip("\n"))
    told = ["<br>\n".join(_linked(paragraph.split("\n"))) for paragraph in paragraphs]
    return _PAGE.format("\n".join(f"<p>{each}</p>" for each in told))


def text_of(html: str) -> str:
    """The words of `html`, a block a line, with the addresses of its links."""
    reader = _Words()
    reader.feed(html)
    reader.close()
    lines = [" ".join(line.split()) for line in "".join(reader.told).split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def folded(text: str) -> str:
    """`text` with its long lines broken at blanks; a word is broken only where no mail server would take it."""
    return "\n".join(piece for line in text.split("\n") for piece in _pieces(line))


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _linked(lines: list[str]) -> Iterator[str]:
    for line in lines:
        told, done = [], 0
        for found in _LINK.finditer(line):
            link = found[0] if found[0] == HOSTED_PAGE else found[0].rstrip(_AFTER_LINK)
            told += [escape(line[done : found.start()]), _link(link)]
            done = found.start() + len(link)
        yield "".join([*told, escape(line[done:])])


def _link(link: str) -> str:
    if link == HOSTED_PAGE:
        return f'<a href="{HOSTED_PAGE}">unsubscribe</a>'
    shown = link.removeprefix("mailto:").partition("?")[0] if link.startswith("mailto:") else link
    return f'<a href="{escape(link)}">{escape(shown)}</a>'


def _pieces(line: str) -> Iterator[str]:
    if len(line.encode()) <= LINE_MOST:
        yield line
        return
    while line:
        at = _fits(line, LINE_MOST)
        blank = line.rfind(" ", 1, at + 1) if at < len(line) else at
        if blank < 1:
            end = line.find(" ", 1)
            blank = _fits(line if end < 0 else line[:end], WORD_MOST)
        yield line[:blank]
        line = line[blank:].removeprefix(" ")


def _fits(line: str, octets: int) -> int:
    """How many characters of `line` are at most so many octets."""
    return len(line.encode()[:octets].decode(errors="ignore"))


_BLOCKS: Final = frozenset(
    {"address", "article", "aside", "blockquote", "center", "dd", "div", "dl", "dt", "fieldset", "figure", "footer"}
    | {"form", "header", "hr", "main", "nav", "ol", "section", "table", "tbody", "tfoot", "thead", "tr", "ul"}
)
_PARAGRAPHS: Final = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "pre"})
_UNSHOWN: Final = frozenset({"head", "script", "style", "title", "noscript", "template"})


class _Words(HTMLParser):
    """Collects what a reader sees."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.told: list[str] = []
        self._unshown = 0
        self._link = ""
        self._link_from = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _UNSHOWN:
            self._unshown += 1
        elif tag == "body":
            self._unshown = 0  # a head that nobody closed
        elif tag == "br":
            self.told.append("\n")
        elif tag == "li":
            self.told.append("\n- ")
        elif tag in _PARAGRAPHS:
            self.told.append("\n\n")
        elif tag in _BLOCKS:
            self.told.append("\n")
        elif tag in ("td", "th"):
            self.told.append(" ")
        elif tag == "img":
            self._say(dict(attrs).get("alt") or "")
        elif tag == "a":
            self._link, self._link_from = dict(attrs).get("href") or "", len(self.told)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag in _UNSHOWN:
            self._unshown -= 1

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNSHOWN:
            self._unshown = max(0, self._unshown - 1)
        elif tag in _PARAGRAPHS:
            self.told.append("\n\n")
        elif tag in _BLOCKS:
            self.told.append("\n")
        elif tag == "a":
            self._end_link()

    def handle_data(self, data: str) -> None:
        self._say(data.replace("\n", " "))

    def _say(self, words: str) -> None:
        if not self._unshown:
            self.told.append(words)

    def _end_link(self) -> None:
        link, self._link = self._link.strip(), ""
        if not link.startswith(("http://", "https://", "mailto:", HOSTED_PAGE)):
            return
        shown = " ".join("".join(self.told[self._link_from :]).split())
        if not shown:
            self._say(link)
        elif shown not in (link, link.removeprefix("mailto:").partition("?")[0]):
            self._say(f" ({link})")
