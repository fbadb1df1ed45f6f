"""What an assistant answered, taken down to the one document in it. Strict: what is not clear is told, never guessed.

One code fence is fine, with words around it. Not here: what the document means, and whether it is right (check.py).
"""

from __future__ import annotations

import re
from dataclasses import replace

from app.domain.documents import Format, RawDocument, format_of, read_documents
from app.domain.errors import DocumentError
from app.domain.problem import Problem

MOST_BYTES = 200_000
TAKEN = (Format.JOURNEY, Format.GROUP, Format.TEMPLATE)
FILE = "reply"

_FENCE = re.compile(r"^[ \t]*(```+|~~~+)[^\n]*$", re.MULTILINE)
_HTML = re.compile(r"^\s*<(?:!doctype|html|head|body|div|p|pre|table)\b", re.IGNORECASE)
_JUST_IT = "Answer with the document alone, in one code block."


def read_reply(reply: bytes) -> RawDocument:
    """The one journey, group or template in `reply`. Raises DocumentError with what is wrong, in words to paste back.

    Lines count from the beginning of the reply.
    """
    if len(reply) > MOST_BYTES:
        raise _refused(f"the reply is larger than {MOST_BYTES // 1000} kB.", "Answer with one document.")
    text = reply.decode("utf-8", "surrogateescape").replace("\r\n", "\n").removeprefix("\ufeff")
    if not text.strip():
        raise _refused("the reply is empty.", _JUST_IT)
    if _HTML.match(text):
        raise _refused("the reply is an HTML page, not a document.", _JUST_IT)
    body, before = _unfenced(text)
    try:
        raws = read_documents(body.encode("utf-8", "surrogateescape"), FILE)
    except DocumentError as refused:
        problems = [_moved(problem, before) for problem in refused.problems]
        if not _FENCE.search(text) and not body.lstrip().startswith(("format:", "{", '"format"', "---", "#")):
            problems.append(Problem("there are words around the document.", file=FILE, hint=_JUST_IT))
        raise DocumentError(problems) from refused
    if len(raws) > 1:
        told = f"the reply holds {len(raws)} documents; one is taken at a time."
        raise _refused(told, "Answer with one of them.")
    raw = replace(raws[0], lines={path: line + before for path, line in raws[0].lines.items()})
    wordy = next((key for key in raw.data if " " in key.strip()), None)
    if wordy is not None:  # "Sure, here it is:" reads as a key
        raise _refused("there are words around the document.", _JUST_IT, raw.line_of(wordy))
    kind = format_of(raw)
    if kind not in TAKEN:
        told = f"this is a {kind.word} document, which is not taken from an assistant."
        raise _refused(told, f"A reply holds a {', a '.join(each.word for each in TAKEN)}.")
    return raw


def _unfenced(text: str) -> tuple[str, int]:
    """What stands in the one code fence, and how many lines stand before it; the whole when there is no fence."""
    marks = list(_FENCE.finditer(text))
    if not marks:
        return text, 0
    if len(marks) == 1:
        line = text.count("\n", 0, marks[0].start()) + 1
        raise _refused("a code block is opened and not closed: the reply was cut off.", _JUST_IT, line)
    if len(marks) > 2:
        raise _refused(
            f"the reply holds {len(marks) // 2} code blocks or more.", "Answer with one document in one code block."
        )
    return text[marks[0].end() + 1 : marks[1].start()], text.count("\n", 0, marks[0].end()) + 1


def _moved(problem: Problem, before: int) -> Problem:
    return problem if problem.line is None else replace(problem, line=problem.line + before)


def _refused(told: str, hint: str, line: int | None = None) -> DocumentError:
    return DocumentError([Problem(told, "", line, hint, FILE)])
