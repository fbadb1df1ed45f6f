"""`stopwell try people`: what the app makes of a list, in the form and the words of the data sets."""

from __future__ import annotations

from app.domain.people_csv import read_people
from app.domain.people_file import Outcome, Reason, RowRead
from app.domain.person import PersonDraft

_WITHOUT_WARNINGS = frozenset({Reason.TOTALS_ROW, Reason.REPEATED_HEADER})


def try_people(file_name: str, data: bytes, default_region: str) -> dict[str, object]:
    """What becomes of a list read for `default_region`, with the keys of `<file>.expected.json`; nothing is stored.

    Raises OperatorError for a file that is no list.
    """
    people = read_people(data, file_name, default_region)
    return {
        "file": file_name,
        "encoding": people.encoding,
        "delimiter": people.delimiter,
        "header_line": people.header_line,
        "date_order": None if people.date_order is None else people.date_order.value,
        "default_region": people.region,
        "blank_rows": people.blank_rows,
        "counts": {outcome.value: people.count(outcome) for outcome in Outcome},
        "rows": [_row(row) for row in people.rows],
        "contacts": [_contact(draft) for draft in people.drafts],
    }


def _row(row: RowRead) -> dict[str, object]:
    shown: dict[str, object] = {"line": row.line, "status": row.outcome.value}
    if row.into is not None:
        shown["into"] = row.into
    if row.reason is not None:
        shown["reason"] = row.reason.value
    if row.reason not in _WITHOUT_WARNINGS:
        shown["warnings"] = list(dict.fromkeys(note.code.value for note in row.notes))
    return shown


def _contact(draft: PersonDraft) -> dict[str, object]:
    return {
        "line": draft.line,
        "first_name": draft.first_name,
        "last_name": draft.last_name,
        "phone": draft.phone,
        "phone_ext": draft.phone_ext,
        "alt_phone": draft.alt_phone,
        "email": draft.email,
        "last_visit": None if draft.last_visit is None else draft.last_visit.isoformat(),
        "do_not_contact": draft.do_not_contact,
    }
