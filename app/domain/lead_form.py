"""A lead that a web form sends: which fields it may have, read to one row of a list of people. Pure.

It is read exactly as a row of an imported list is, so that a number, a name or a heading means the same in both.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from app.domain.errors import OperatorError
from app.domain.people_columns import HEADINGS
from app.domain.people_csv import read_people
from app.domain.people_text import fold_heading, snake
from app.domain.person import PersonDraft

FILE: Final = "lead form"
MOST_FIELDS: Final = 60
MOST_CHARS: Final = 4_000

# fields that are not the person's: what they wrote, how they agreed, the form's own id of this sending
_MESSAGE: Final = frozenset({"message", "comments", "comment", "notes", "note", "question"})
_CONSENT: Final = "consent"
_CUSTOM: Final = "custom."
_ID: Final = frozenset({"id", "submission id", "event id"})


@dataclass(frozen=True, slots=True)
class LeadForm:
    """One sending of a form. draft: None when it has neither a usable email nor a usable phone; because: why.

    consent: the words that they agreed to, "" for none. id: the form's own, "" for none. told: everything, as it came.
    """

    draft: PersonDraft | None
    because: str
    message: str
    consent: str
    id: str
    told: str


def read_lead(fields: Mapping[str, object], region: str) -> LeadForm:
    """Read one sending. region: the country that its location is in, for phones without one.

    `consent` is the wording that the person agreed to; a bare yes proves nothing and counts as none (RULES C4).
    Raises OperatorError for no fields, or more than a form has.
    """
    if not fields:
        raise OperatorError("The form is empty.", "Send at least an email or a phone.")
    if len(fields) > MOST_FIELDS:
        raise OperatorError(f"The form has {len(fields)} fields; at most {MOST_FIELDS} are read.")
    plain = {_kept(name): text for name, value in fields.items() if (text := _kept(_text(name, value)))}
    told = "\n".join(f"{name}: {text}" for name, text in plain.items())
    message, consent, own_id = "", "", ""
    person: dict[str, str] = {}
    for name, text in plain.items():
        folded = fold_heading(name)
        if folded in _MESSAGE:
            message = f"{message}\n{text}".strip()
        elif folded == _CONSENT:
            consent = "" if _is_bare(text) else text
        elif folded in _ID:
            own_id = text
        else:
            person[name] = text
    draft, because = _read(person, region)
    return LeadForm(draft, because, message, consent, own_id, told)


def _read(person: Mapping[str, str], region: str) -> tuple[PersonDraft | None, str]:
    if not person:
        return None, "It has neither an email nor a phone."
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow([_heading(name) for name in person])
    writer.writerow(person.values())
    try:
        read = read_people(out.getvalue().encode("utf-8"), FILE, region)
    except OperatorError as refused:  # no heading of a list of people among its fields
        return None, refused.told
    if read.drafts:
        return read.drafts[0], ""
    return None, read.rejected[0].told if read.rejected else "It has neither an email nor a phone."


def _heading(name: str) -> str:
    """The heading that a list of people would have: a field that none knows is kept as one of the practice's own."""
    if fold_heading(name) in HEADINGS or name.casefold().startswith(_CUSTOM):
        return name
    own = re.sub(r"[^a-z0-9_]+", "_", snake(name)).strip("_")
    return f"{_CUSTOM}{own if own[:1].isalpha() else f'field_{own}'.rstrip('_')}"


def _text(name: str, value: object) -> str:
    """The value in one line or several, as text. Raises OperatorError for a value that holds others."""
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ", ".join(value)
    raise OperatorError(f"{name[:80]} is not a text.", "Send each field as one text.")


def _kept(text: str) -> str:
    """`text` as it can be stored: no NUL, and no half of a pair of surrogates, which JSON may hold."""
    return text.replace("\x00", "").encode("utf-8", "ignore").decode("utf-8").strip()[:MOST_CHARS]


def _is_bare(text: str) -> bool:
    """A tick without its words: yes, on, true, 1."""
    return len(text.split()) < 3
