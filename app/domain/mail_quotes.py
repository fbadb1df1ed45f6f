"""What a person typed in a mail: without quotes, attributions, copied headers, device signatures, signatures.

Answers between quoted lines stay, in order; a typed name stays. The words of the languages are in mail_quote_words.py.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.domain.mail_html import QUOTE_LINE
from app.domain.mail_quote_words import (
    ADDRESSED,
    CLOSES_ATTRIBUTION,
    CLOSES_WITH_VERB,
    DATED,
    DEVICE_SIGNATURE,
    FORWARD_BEGINS,
    FROM_LABEL,
    OPENS_ATTRIBUTION,
    ORIGINAL_ALONE,
    ORIGINAL_BELOW,
    OTHER_LABEL,
    RULE,
    WROTE,
    WROTE_AND_MORE,
)

_LONGEST_MARK_CHARS = 400  # a longer line is nobody's attribution or signature
_MOST_ATTRIBUTION_LINES = 4
_MOST_HEADER_LINES = 9
_BLANK_LINES = re.compile(r"\n{3,}")


@dataclass(frozen=True, slots=True)
class Typed:
    """new_text: what the person typed, "" when nothing. cut: whether something was left out as written by others."""

    new_text: str
    cut: bool


def typed(text: str) -> Typed:
    """The new text of a mail's plain text, or of the lines that mail_html gave."""
    lines = [line.rstrip("\r") for line in text.split("\n")]
    kept: list[str] = []
    at, cut = 0, False
    while at < len(lines):
        line = lines[at].strip()
        if _is_quoted(lines[at]):
            at, cut = at + 1, True
        elif line == "--" or _begins_the_original(lines, at, line):
            return Typed(_tidied(kept), cut or line != "--")
        elif length := _attribution(lines, at):
            if not _quote_or_end_follows(lines, at + length):
                return Typed(_tidied(kept), True)
            at, cut = at + length, True
        else:
            if not _is_device_signature(line):
                kept.append(line)
            at += 1
    return Typed(_tidied(kept), cut)


def _tidied(lines: list[str]) -> str:
    return _BLANK_LINES.sub("\n\n", "\n".join(lines)).strip()


def _is_quoted(line: str) -> bool:
    return line.lstrip(" \t")[:1] in (">", "|", QUOTE_LINE) and line.lstrip()[:2] != ">:"


def _is_device_signature(line: str) -> bool:
    return (
        0 < len(line) <= _LONGEST_MARK_CHARS and "?" not in line and bool(DEVICE_SIGNATURE.fullmatch(line.strip("*_ ")))
    )


def _begins_the_original(lines: list[str], at: int, line: str) -> bool:
    if WROTE.search(line, 0, _LONGEST_MARK_CHARS) and WROTE_AND_MORE.match(line, 0, _LONGEST_MARK_CHARS):
        return True
    if not line or len(line) > _LONGEST_MARK_CHARS:
        return False
    if ORIGINAL_ALONE.fullmatch(line) and FROM_LABEL.match((_next_line(lines, at + 1) or "").strip()):
        return True
    if RULE.fullmatch(line) or ORIGINAL_BELOW.fullmatch(line) or FORWARD_BEGINS.fullmatch(line):
        return True
    return _is_header_block(lines, at, line)


def _is_header_block(lines: list[str], at: int, line: str) -> bool:
    """Whether a From and two more headers follow each other here, folded ones among them."""
    if not _is_label(line) or (at and _is_label(lines[at - 1].strip())):
        return False  # within a block that was looked at from its first line
    seen: set[str] = set()
    has_from = False
    for other in lines[at : at + _MOST_HEADER_LINES]:
        bare = other.strip()
        if not bare or len(bare) > _LONGEST_MARK_CHARS:
            break
        if FROM_LABEL.match(bare):
            has_from = True
        elif label := OTHER_LABEL.match(bare):
            seen.add(label["label"].lower())
    return has_from and len(seen) >= 2


def _is_label(line: str) -> bool:
    return bool(FROM_LABEL.match(line) or OTHER_LABEL.match(line))


def _attribution(lines: list[str], at: int) -> int:
    """How many lines from here are one attribution ("On ..., ... wrote:"); 0 when none begins here."""
    joined = ""
    opens = False
    for length in range(1, _MOST_ATTRIBUTION_LINES + 1):
        if at + length > len(lines):
            return 0
        line = lines[at + length - 1].strip()
        if not line or _is_quoted(line) or len(joined) + len(line) > _LONGEST_MARK_CHARS:
            return 0
        joined = f"{joined} {line}".strip()
        opens = opens or (length == 1 and bool(OPENS_ATTRIBUTION.match(line)))
        if CLOSES_ATTRIBUTION.search(joined) and _attributes(joined, opens, lines, at + length):
            return length
        if not opens and length == 1 and not ADDRESSED.search(line):
            return 0
    return 0


def _attributes(joined: str, opens: bool, lines: list[str], after: int) -> bool:
    wrote = bool(WROTE.search(joined))
    when, who = bool(DATED.search(joined)), bool(ADDRESSED.search(joined))
    if _quote_follows(lines, after):
        return wrote or (when and who)
    verb_is_last = bool(CLOSES_WITH_VERB.search(joined))  # else it may be a sentence that has the verb somewhere
    return wrote and (who or verb_is_last) and ((opens and (when or who)) or (when and who))


def _quote_follows(lines: list[str], at: int) -> bool:
    return (line := _next_line(lines, at)) is not None and _is_quoted(line)


def _quote_or_end_follows(lines: list[str], at: int) -> bool:
    line = _next_line(lines, at)
    return line is None or _is_quoted(line)


def _next_line(lines: list[str], at: int) -> str | None:
    """The next line that is not blank, looked for a few lines ahead; None at the end of the text."""
    for line in lines[at : at + 6]:
        if line.strip():
            return line
    return None
