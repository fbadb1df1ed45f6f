"""One row of a list of people, read to a draft. Which rows are read at all is decided in people_csv.py."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from app.domain.people_dates import DateFault, DateOrder, read_date
from app.domain.people_names import is_formula, read_name, split_name
from app.domain.people_text import (
    Note,
    RowNote,
    cell_as_written,
    clean,
    fold_for_search,
    is_blank,
    is_blank_address,
    name_key,
    quoted,
    snake,
)
from app.domain.person import (
    EmailFault,
    PersonDraft,
    PhoneFault,
    PhoneKind,
    PhoneRead,
    can_be_texted,
    read_email,
    read_phones,
)
from app.domain.spreadsheet import SheetRow

_YES = {"y", "yes", "true", "t", "1", "x", "on", "ok", "oui", "o", "si", "s", "ja", "j", "sim", "tak", "✓", "✔", "☑"}
_NO = {"n", "no", "false", "f", "0", "off", "non", "nein", "nee", "nao", "nej", "nie", "☐"}
_REFUSED = {"dnc", "stop", "never", "do not contact", "do not call", "opted out", "opt out", "unsubscribed"}


@dataclass(frozen=True, slots=True)
class RowReader:
    """Reads rows of one file. columns: field -> positions (0-based), left to right. region: for phones without one."""

    columns: Mapping[str, Sequence[int]]
    region: str
    order: DateOrder

    def read(self, row: SheetRow) -> PersonDraft:
        """The person that a row tells of, with all that must be told about it; perhaps without a phone or an email."""
        notes: list[RowNote] = []
        first, last = self._names(row, notes)
        phone, alt = self._phones(row, notes)
        return PersonDraft(
            line=row.line,
            first_name=first,
            last_name=last,
            phone=phone.e164,
            phone_ext=phone.ext or self._extension(row, phone),
            alt_phone=alt,
            email=self._email(row, notes),
            last_visit=self._last_visit(row, notes),
            do_not_contact=self._do_not_contact(row, notes),
            status=snake(self._text(row, "status")),
            source=self._text(row, "source"),
            tags=self._tags(row),
            location=self._text(row, "location"),
            custom=self._custom(row),
            warnings=(*self._damage(row), *notes),
        )

    def cells(self, row: SheetRow, field: str) -> Iterator[str]:
        """The cells of a field's columns, left to right, as written; fewer when the row is short."""
        for at in self.columns.get(field, ()):
            if at < len(row.cells):
                yield row.cells[at]

    def _text(self, row: SheetRow, field: str) -> str:
        """The first cell of a field that says something."""
        texts = (clean(cell_as_written(clean(cell))) for cell in self.cells(row, field))
        return next((text for text in texts if not is_blank(text)), "")

    def _names(self, row: SheetRow, notes: list[RowNote]) -> tuple[str, str]:
        first = next(filter(None, map(read_name, self.cells(row, "first_name"))), "")
        last = next(filter(None, map(read_name, self.cells(row, "last_name"))), "")
        whole = next((cell for cell in self.cells(row, "name") if read_name(cell)), "")
        if first and last.casefold().startswith(first.casefold() + " "):
            last = last[len(first) + 1 :]  # a last name column that holds the whole name
        elif last and first.casefold().endswith(" " + last.casefold()):
            first = first[: -len(last) - 1]
        if not first and not last:
            first, last = split_name(whole)
        elif whole and not (first and last):
            split_first, split_last = split_name(whole)
            if name_key(split_first, "") == name_key(first, "") or name_key("", split_last) == name_key("", last):
                first, last = split_first, split_last
        notes.extend(
            RowNote(Note.FORMULA_TEXT, f"{quoted(name)} begins like a formula; it is kept as plain text.")
            for name in dict.fromkeys((first, last))
            if is_formula(name)
        )
        return first, last

    def _phones(self, row: SheetRow, notes: list[RowNote]) -> tuple[PhoneRead, str | None]:
        """The first usable phone and the next different one."""
        found: dict[str, PhoneRead] = {}
        for field in ("phone", "alt_phone"):
            for cell in self.cells(row, field):
                for read in read_phones(cell, self.region) if cell else ():
                    if read.e164:
                        found.setdefault(read.e164, read)
                    elif read.fault is PhoneFault.DAMAGED:
                        told = f"{quoted(cell)} was damaged by the spreadsheet: digits of the phone are lost."
                        notes.append(RowNote(Note.DAMAGED_PHONE, told))
                    elif read.fault is PhoneFault.BAD:
                        told = f"{quoted(cell)} is or holds no phone number that can be dialled from {self.region}."
                        notes.append(RowNote(Note.BAD_PHONE, told))
        phones = list(found.values())
        if len(phones) > 2:
            more = ", ".join(str(phone.e164) for phone in phones[2:])
            notes.append(RowNote(Note.MORE_PHONES, f"A person has two phones here; {more} is not kept."))
        notes.extend(note for phone in phones[:2] for note in _kind_note(phone))
        return phones[0] if phones else PhoneRead(None), phones[1].e164 if len(phones) > 1 else None

    def _extension(self, row: SheetRow, phone: PhoneRead) -> str | None:
        """The extension out of a column of its own."""
        digits = re.sub(r"[^0-9]", "", self._text(row, "phone_ext"))
        return digits[:7] if phone.e164 and digits else None

    def _email(self, row: SheetRow, notes: list[RowNote]) -> str | None:
        found: dict[str, None] = {}
        for cell in self.cells(row, "email"):
            if not cell:
                continue
            read = read_email(cell)
            if read.address:
                found.update(dict.fromkeys((read.address, *read.others)))
            elif read.fault is EmailFault.BAD:
                notes.append(RowNote(Note.BAD_EMAIL, f"{quoted(cell)} is no email address."))
        emails = list(found)
        if len(emails) > 1:
            notes.append(
                RowNote(Note.MORE_EMAILS, f"A person has one email here; {', '.join(emails[1:])} is not kept.")
            )
        return emails[0] if emails else None

    def _last_visit(self, row: SheetRow, notes: list[RowNote]) -> date | None:
        day: date | None = None
        for cell in self.cells(row, "last_visit"):
            read = read_date(cell, self.order)
            day = day or read.value
            if read.fault is DateFault.BAD:
                notes.append(RowNote(Note.BAD_DATE, f"{quoted(cell)} is no date; it is left blank."))
            elif read.fault is DateFault.AMBIGUOUS:
                told = f"{quoted(cell)} may be two different days, and the file does not show which; it is left blank."
                notes.append(RowNote(Note.AMBIGUOUS_DATE, told))
        return day

    def _do_not_contact(self, row: SheetRow, notes: list[RowNote]) -> bool:
        """Whether any column says so. What can't be understood counts as a no to being contacted, and is told."""
        refused = False
        for field, refusals, others in (
            ("do_not_contact", _YES | _REFUSED, _NO),
            ("may_contact", _NO | _REFUSED, _YES),
        ):
            for cell in self.cells(row, field):
                word = fold_for_search(clean(cell)).strip(".!")
                if is_blank_address(word):
                    continue
                refused = refused or word not in others
                if word not in refusals and word not in others:
                    told = f"{quoted(cell)} is neither yes nor no; it is taken as: do not contact."
                    notes.append(RowNote(Note.UNCLEAR_DO_NOT_CONTACT, told))
        return refused

    def _tags(self, row: SheetRow) -> tuple[str, ...]:
        tags: dict[str, str] = {}
        for cell in self.cells(row, "tags"):
            for word in re.split(r"[,;|\n]", cell):
                tag = clean(cell_as_written(clean(word)))
                if not is_blank(tag):
                    tags.setdefault(fold_for_search(tag), tag)
        return tuple(tags.values())

    def _custom(self, row: SheetRow) -> dict[str, str]:
        texts = {name: self._text(row, name) for name in self.columns if name.startswith("custom.")}
        return {name.removeprefix("custom."): text for name, text in texts.items() if text}

    def _damage(self, row: SheetRow) -> list[RowNote]:
        """A note when a character of the row was lost before the file came here."""
        if not any("\ufffd" in cell for cell in row.cells):
            return []
        read = (cell for field in self.columns for cell in self.cells(row, field))
        broken = next((clean(cell) for cell in read if "\ufffd" in cell), None)
        return [] if broken is None else [RowNote(Note.DAMAGED_TEXT, f"{quoted(broken)} has lost characters.")]


def _kind_note(phone: PhoneRead) -> list[RowNote]:
    """A note when a text can't reach this number."""
    e164 = phone.e164
    if can_be_texted(phone.kind):
        return []
    if phone.kind is PhoneKind.FIXED:
        return [RowNote(Note.LANDLINE, f"{e164} is a landline: texts can't reach it.")]
    if phone.kind is PhoneKind.TOLL_FREE:
        return [RowNote(Note.TOLL_FREE, f"{e164} is a toll-free number, hardly one person's: texts won't go to it.")]
    return [RowNote(Note.NOT_TEXTABLE, f"{e164} is a kind of number that texts can't reach.")]
