"""People as they come in. Addresses are normalised through this door and nowhere else (people_phone, people_email).

A PersonDraft is read but not yet trusted; what the engine sees of a stored person is in snapshot.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from app.domain.ids import PersonId
from app.domain.people_email import EmailFault, EmailRead, normalise_email, read_email
from app.domain.people_phone import (
    PhoneFault,
    PhoneKind,
    PhoneRead,
    can_be_texted,
    check_region,
    normalise_phone,
    phone_kind,
    read_phones,
)
from app.domain.people_text import RowNote, clean, clean_address, fold_for_search, harmless_cell
from app.domain.states import Channel

__all__ = [
    "EmailFault",
    "EmailRead",
    "PersonDraft",
    "PersonRef",
    "PhoneFault",
    "PhoneKind",
    "PhoneRead",
    "address_key",
    "can_be_texted",
    "check_region",
    "fold_for_search",
    "harmless_cell",
    "normalise_email",
    "normalise_phone",
    "phone_kind",
    "read_email",
    "read_person_ref",
    "read_phones",
]

_ID = re.compile(r"#?\s*([0-9]{1,18})")
_SURELY_ID_DIGITS = 6  # no country has whole numbers with an area code this short
_E164 = re.compile(r"\+[1-9][0-9]{3,14}")  # ITU-T E.164: 15 digits at most


@dataclass(frozen=True, slots=True)
class PersonDraft:
    """One person out of a file, merged with the rows that are the same one.

    line: the physical line on which the first of those rows starts. phone, alt_phone: E.164, different from each other.
    phone_ext: digits, only with a phone. email: normalised. last_visit: a local date. status: snake case. location: its
    name as written. warnings: all that must be told about this person's own row.
    """

    line: int
    first_name: str = ""
    last_name: str = ""
    phone: str | None = None
    phone_ext: str | None = None
    alt_phone: str | None = None
    email: str | None = None
    last_visit: date | None = None
    do_not_contact: bool = False
    status: str = ""
    source: str = ""
    tags: tuple[str, ...] = ()
    location: str = ""
    custom: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[RowNote, ...] = ()

    @property
    def name(self) -> str:
        """First and last name with one blank between, whichever there are."""
        return f"{self.first_name} {self.last_name}".strip()


@dataclass(frozen=True, slots=True)
class PersonRef:
    """How somebody wrote whom they mean: by id, or by email, phone or both. At least one is set."""

    id: PersonId | None = None
    email: str | None = None
    phone: str | None = None
    phone_ext: str | None = None


def read_person_ref(text: str, region: str) -> PersonRef | None:
    """Whom `text` means, by email, by phone as dialled in `region`, or by id (`12`, `#12`); None for anything else."""
    word = clean(text)
    if "@" in word:
        email = normalise_email(word)
        return PersonRef(email=email) if email else None
    number = _ID.fullmatch(word)
    if number and (word.startswith("#") or len(number[1]) <= _SURELY_ID_DIGITS):
        return PersonRef(id=PersonId(int(number[1])))
    phone = normalise_phone(word, region)
    if phone.e164:
        return PersonRef(phone=phone.e164, phone_ext=phone.ext)
    return PersonRef(id=PersonId(int(number[1]))) if number else None


def address_key(channel: Channel, address: str) -> str:
    """The key under which `address` is suppressed: texts and calls share the phone, an email is one in any case.

    address: as stored, or as a provider writes it. Raises ValueError when it is no E.164 number or no email: a
    suppression under a key that no message ever has would protect nobody (I10).
    """
    if channel is Channel.EMAIL:
        email = normalise_email(address)
        if email is None:
            raise ValueError("not an email address")
        return email
    phone = re.sub(r"[\s().\-]", "", clean_address(address))
    phone = phone[phone.find(":") + 1 :]  # tel:+1…, sms:+1…
    if not _E164.fullmatch(phone):
        raise ValueError("not a phone number in E.164")
    return phone
