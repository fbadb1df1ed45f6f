"""Which parts of a mail are its text, and that text in lines. Quotes are cut in mail_quotes.py."""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.domain.mail_html import text_of_html
from app.domain.mail_parts import Part

_STUB = re.compile(
    r"(?:does ?n[o'’]t|not|cannot) (?:\w+ ){0,4}html|html[- ](?:e-?mail|f[aä]hig|version|message)"
    r"|view this (?:message|e-?mail) in (?:a|your) browser"
    r"|kein html|pas (?:en charge )?(?:le )?html|no (?:admite|soporta) html",
    re.IGNORECASE,
)
_LONGEST_STUB_CHARS = 300
_OBJECTS = str.maketrans("", "", "\ufffc\ufeff")  # where a picture stood; a byte order mark


@dataclass(frozen=True, slots=True)
class MailText:
    """lines: of the text, quotes included but for those of HTML. attached: whether something hangs on the mail.

    is_cut: whether the text is longer than what is read of it.
    """

    lines: str
    attached: bool
    is_cut: bool


def mail_text(mail: Part) -> MailText:
    """The text of a mail: of alternatives the plain one, unless it is blank or says that there is none."""
    texts: list[str] = []
    parts = _shown(mail)
    for part in parts:
        lines = _lines(part)
        if lines.strip():
            texts.append(lines)
    attached = any(part.is_attached or not _is_text(part) for part in mail.walk() if not part.parts)
    carries_mail = any(part.kind.startswith("message/") for part in mail.walk())
    return MailText("\n".join(texts).translate(_OBJECTS), attached or carries_mail, any(part.is_cut for part in parts))


def _shown(part: Part) -> list[Part]:
    if part.kind == "multipart/alternative" and part.parts:
        return _best([_shown(each) for each in part.parts])
    if part.kind.startswith("multipart/") and part.parts:
        return [leaf for each in part.parts for leaf in _shown(each)]
    return [part] if _is_text(part) and not part.is_attached else []


def _best(choices: list[list[Part]]) -> list[Part]:
    """The first choice that is plain text and says something; else the last one with text, which is the richest."""
    with_text = [choice for choice in choices if choice]
    for choice in with_text:
        if all(part.kind != "text/html" for part in choice) and not _says_nothing(choice):
            return choice
    return with_text[-1] if with_text else []


def _says_nothing(parts: list[Part]) -> bool:
    text = "\n".join(part.text() for part in parts).strip()
    return not text or (len(text) <= _LONGEST_STUB_CHARS and bool(_STUB.search(text)))


def _is_text(part: Part) -> bool:
    return part.kind in ("text/plain", "text/html", "text/enriched", "text/markdown") or (
        part.kind.startswith("multipart/") and not part.parts  # no boundary line: what is there is the text
    )


def _lines(part: Part) -> str:
    text = part.text()
    if part.kind == "text/html" or (part.kind.startswith("multipart/") and "<html" in text[:2_000].lower()):
        return text_of_html(text)
    if part.parameter("format").lower() == "flowed" and part.parameter("delsp").lower() == "yes":
        return _joined(text)
    return text


def _joined(text: str) -> str:
    """Flowed lines of one depth joined without the blank at their ends (RFC 3676 4.1, DelSp=yes)."""
    lines: list[str] = []
    flows = False
    for line in text.split("\n"):
        quoted = line.startswith(">")
        if flows and not quoted and lines:
            lines[-1] += line.removeprefix(" ")
        else:
            lines.append(line if quoted else line.removeprefix(" "))
        flows = line.endswith(" ") and line != "-- " and not quoted
        if flows:
            lines[-1] = lines[-1][:-1]
    return "\n".join(lines)
