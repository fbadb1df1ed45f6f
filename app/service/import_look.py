"""What an import knows of the people already here: read once an address, and found out when it is no longer so.

A file is read in portions, and thousands of its rows may share one number. Whoever has it is read once and not once a
portion, and before each portion is written it is asked, in a few numbers, whether the same people have it still.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from app.domain.ids import LocationId, PersonId
from app.domain.people_merge import AddPerson, KnownPerson, PlannedRow, UpdatePerson
from app.domain.person import PersonDraft
from app.domain.states import Contact
from app.engine.office_ports import Having, LocationRow, OfficeUow, PersonKnown


class ImportLook:
    """The people who share an address with a file's rows. locations: all, by their ids."""

    def __init__(self, locations: Mapping[LocationId, LocationRow]) -> None:
        self._locations = locations
        self._known: dict[PersonId, KnownPerson] = {}
        self._had: dict[str, Having] = {}
        self._asked: set[str] = set()

    @property
    def known(self) -> list[KnownPerson]:
        """Everyone found so far, by id."""
        return sorted(self._known.values(), key=lambda person: person.id)

    def look(self, uow: OfficeUow, drafts: Sequence[PersonDraft]) -> None:
        """Find who has an address of `drafts` that was not asked for before."""
        emails, phones = (addresses - self._asked for addresses in addresses_of(drafts))
        self._asked |= emails | phones
        for person in known_among(uow, emails, phones, self._locations):
            self._known[person.id] = person
        self._had.update(uow.office.who_has(emails, phones))

    def holds(self, uow: OfficeUow, drafts: Sequence[PersonDraft]) -> bool:
        """Whether the same people have these addresses as when they were looked for, but for what this import wrote.

        Once it does not hold for an address, it does not again: somebody came who was not looked at.
        """
        emails, phones = addresses_of(drafts)
        now = uow.office.who_has(emails, phones)
        return all(now.get(each, Having()) == self._had.get(each, Having()) for each in emails | phones)

    def wrote(self, rows: Sequence[PlannedRow], new: Mapping[int, PersonId]) -> None:
        """Take note of who has which address by what was just written. new: the ids of new people, by their lines."""
        for row in rows:
            match row:
                case AddPerson(draft=draft):
                    self._gave(new[draft.line], _addresses(draft))
                case UpdatePerson(before=before, after=after):
                    # an address that was there counts already, also when it moves to another column
                    self._gave(after.id, [each for each in _addresses(after) if each not in _addresses(before)])
                case _:
                    continue

    def _gave(self, person_id: PersonId, addresses: Iterable[str]) -> None:
        for address in addresses:
            had = self._had.get(address, Having())
            self._had[address] = Having(had.people + 1, had.ids + person_id)


def known_among(
    uow: OfficeUow, emails: set[str], phones: set[str], locations: Mapping[LocationId, LocationRow]
) -> list[KnownPerson]:
    """Everyone stored who has one of these addresses, by id."""
    return [_known(row, locations) for row in uow.office.known_people(emails, phones)]


def addresses_of(drafts: Iterable[PersonDraft]) -> tuple[set[str], set[str]]:
    """The emails and the phones of some rows."""
    emails: set[str] = set()
    phones: set[str] = set()
    for draft in drafts:
        emails.update([draft.email] if draft.email else [])
        phones.update(phone for phone in (draft.phone, draft.alt_phone) if phone)
    return emails, phones


def _addresses(person: PersonDraft | KnownPerson) -> list[str]:
    return [each for each in (person.email, person.phone, person.alt_phone) if each]


def _known(row: PersonKnown, locations: Mapping[LocationId, LocationRow]) -> KnownPerson:
    return KnownPerson(
        id=row.id,
        first_name=row.first_name,
        last_name=row.last_name,
        phone=row.phone,
        phone_ext=row.phone_ext,
        alt_phone=row.alt_phone,
        email=row.email,
        last_visit=row.last_visit,
        do_not_contact=row.contact is Contact.DO_NOT_CONTACT,
        status=row.status,
        source=row.source,
        location=locations[row.location_id].name if row.location_id in locations else "",
        tags=row.tags,
        custom=row.custom,
    )
