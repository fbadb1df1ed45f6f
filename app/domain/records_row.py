"""One row of a list of records, read to a draft, or refused with its reason.

Stricter than people: a record with a wrong day or amount sends wrong messages, so a value that can't be read for sure
refuses its row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import StrEnum

from app.domain.errors import OperatorError
from app.domain.people_dates import DateFault, DateOrder, read_date, read_moment, read_time
from app.domain.people_text import (
    Note,
    RowNote,
    cell_as_written,
    clean,
    clean_address,
    is_blank,
    is_blank_address,
    quoted,
)
from app.domain.person import PersonRef, read_email, read_person_ref, read_phones
from app.domain.problem import nearest
from app.domain.record import RecordDraft, RecordKind, normalise_status, read_kind, status_hint
from app.domain.spreadsheet import SheetRow

_MONEY_SIGNS = re.compile(r"[$£€¥₹\s]|\b(?:usd|cad|aud|nzd|gbp|eur|chf)\b", re.IGNORECASE)
# the mark before the cents is never the one between the thousands: 1,204,50 is a mistake, not an amount
_MONEY = re.compile(
    r"(?P<whole>[1-9][0-9]{0,2}(?:,[0-9]{3})+(?=\.|$)|[1-9][0-9]{0,2}(?:[.'][0-9]{3})+(?=,|$)"
    r"|[1-9][0-9]{0,2}(?:'[0-9]{3})+(?=\.|$)|[0-9]{1,12})(?:[.,](?P<cents>[0-9]{1,2}))?"
)


class RecordReason(StrEnum):
    """Why a row about a record was left out."""

    NO_PERSON = "no_person"
    BAD_PERSON = "bad_person"
    BAD_KIND = "bad_kind"
    NO_STATUS = "no_status"
    NO_EXTERNAL_ID = "no_external_id"
    OTHER_PERSON = "other_person"
    BAD_DATE = "bad_date"
    AMBIGUOUS_DATE = "ambiguous_date"
    NO_TIME = "no_time"
    BAD_AMOUNT = "bad_amount"
    REPEATED_HEADER = "repeated_header"
    TOO_MANY_VALUES = "too_many_values"
    TOO_FEW_VALUES = "too_few_values"
    UNCLOSED_QUOTE = "unclosed_quote"
    AFTER_UNCLOSED_QUOTE = "after_unclosed_quote"


class RecordRefused(OperatorError):
    """Why one row is left out. `told` is one sentence without the line number."""

    def __init__(self, reason: RecordReason, told: str) -> None:
        super().__init__(told)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class RecordReader:
    """Reads rows of one file. columns: field -> positions (0-based), left to right. region: for phones without one."""

    columns: Mapping[str, Sequence[int]]
    region: str
    order: DateOrder

    def read(self, row: SheetRow) -> RecordDraft:
        """The record that a row tells of. Raises RecordRefused when it can't be read for sure."""
        notes: list[RowNote] = []
        person = self._person(row)
        kind = self._kind(row)
        status = normalise_status(self._text(row, "status"))
        if not status:
            raise RecordRefused(RecordReason.NO_STATUS, "It has no status.")
        external_id = self._text(row, "external_id")
        if not external_id:
            told = "It has no id of its own, without which it would be stored again by the next import."
            raise RecordRefused(RecordReason.NO_EXTERNAL_ID, told)
        hint = status_hint(kind, status)
        if hint:
            told = f"The status is {quoted(status)}, not {quoted(hint)}; it is kept as it is."
            notes.append(RowNote(Note.UNKNOWN_STATUS, told))
        draft = RecordDraft(
            line=row.line,
            person=person,
            kind=kind,
            status=status,
            external_id=external_id,
            label=self._text(row, "label"),
            amount=self._amount(row),
            due_on=self._due_on(row),
        )
        return replace(self._started(draft, row, notes), warnings=tuple(notes))

    def _cells(self, row: SheetRow, field: str) -> Iterator[str]:
        for at in self.columns.get(field, ()):
            if at < len(row.cells):
                yield row.cells[at]

    def _text(self, row: SheetRow, field: str) -> str:
        """The first cell of a field that says something."""
        texts = (clean(cell_as_written(clean(cell))) for cell in self._cells(row, field))
        return next((text for text in texts if not is_blank(text)), "")

    def _person(self, row: SheetRow) -> PersonRef:
        """Whom the row means. Raises RecordRefused."""
        written = [
            clean(cell)
            for field in ("person_id", "person", "email", "phone")
            for cell in self._cells(row, field)
            if not is_blank_address(cell)
        ]
        if not written:
            raise RecordRefused(RecordReason.NO_PERSON, "It names nobody: no id, email or phone.")
        refs = [read_person_ref(self._text(row, field), self.region) for field in ("person_id", "person")]
        email = next(filter(None, (read_email(cell).address for cell in self._cells(row, "email"))), None)
        phone = next(
            (read for cell in self._cells(row, "phone") for read in read_phones(cell, self.region) if read.e164), None
        )
        if phone is not None:
            refs.append(PersonRef(phone=phone.e164, phone_ext=phone.ext))
        found = [ref for ref in (*refs, PersonRef(email=email) if email else None) if ref]
        if not found:
            told = f"{quoted(written[0])} is no person's id, email or phone."
            raise RecordRefused(RecordReason.BAD_PERSON, told)
        with_phone = next((ref for ref in found if ref.phone), PersonRef())
        return PersonRef(
            id=next((ref.id for ref in found if ref.id is not None), None),
            email=next((ref.email for ref in found if ref.email), None),
            phone=with_phone.phone,
            phone_ext=with_phone.phone_ext,
        )

    def _kind(self, row: SheetRow) -> RecordKind:
        word = self._text(row, "kind")
        kind = read_kind(word)
        if kind is None:
            near = nearest(word, [kind.value for kind in RecordKind])
            hint = f"did you mean {near}?" if near else "the kinds are appointment, job, quote, invoice."
            raise RecordRefused(RecordReason.BAD_KIND, f"{quoted(word)} is no kind of record; {hint}")
        return kind

    def _amount(self, row: SheetRow) -> Decimal | None:
        """The amount, below zero for a credit: -80, 80-, (80)."""
        cell = self._text(row, "amount")
        if is_blank_address(cell):
            return None
        bare = _MONEY_SIGNS.sub("", clean_address(cell))
        inner = bare.strip("()-−+")
        read = _MONEY.fullmatch(inner)
        below = bare != inner and bare.strip("+") != inner
        if not read or (below and bare not in (f"-{inner}", f"−{inner}", f"{inner}-", f"({inner})")):
            raise RecordRefused(RecordReason.BAD_AMOUNT, f"{quoted(cell)} is no amount.")
        whole = re.sub(r"[^0-9]", "", read["whole"])
        amount = Decimal(f"{whole}.{read['cents'] or '0'}")
        return (-amount if below else amount).quantize(Decimal("0.01"))

    def _due_on(self, row: SheetRow) -> date | None:
        cell = self._text(row, "due_on")
        read = read_date(cell, self.order)
        _refuse_unsure(cell, read.fault)
        return read.value

    def _started(self, draft: RecordDraft, row: SheetRow, notes: list[RowNote]) -> RecordDraft:
        """The draft with its start: an instant when an offset was written, else a wall time."""
        cell = self._text(row, "starts_at") or self._text(row, "start_date")
        moment = read_moment(cell, self.order)
        _refuse_unsure(cell, moment.fault)
        if moment.at is None:
            return draft
        at, has_time = moment.at, moment.has_time
        written = self._text(row, "start_time")
        if not has_time and written:
            clock = read_time(written)
            if clock is None:
                raise RecordRefused(RecordReason.BAD_DATE, f"{quoted(written)} is no time of day.")
            at, has_time = datetime.combine(at.date(), clock), True
        if not has_time and draft.kind is RecordKind.APPOINTMENT:
            raise RecordRefused(RecordReason.NO_TIME, f"{quoted(cell)} is a day without a time of day.")
        if not has_time:
            notes.append(RowNote(Note.NO_TIME, f"{quoted(cell)} has no time of day; it is taken as midnight."))
        if at.tzinfo is None:
            return replace(draft, starts_at_local=at)
        return replace(draft, starts_at=at.astimezone(UTC))


def _refuse_unsure(cell: str, fault: DateFault | None) -> None:
    if fault is DateFault.BAD:
        raise RecordRefused(RecordReason.BAD_DATE, f"{quoted(cell)} is no date that there is.")
    if fault is DateFault.AMBIGUOUS:
        told = f"{quoted(cell)} may be two different days, and the file does not show which; write it as 2026-05-06."
        raise RecordRefused(RecordReason.AMBIGUOUS_DATE, told)
