"""The people of an import beside those already stored: whose address may not be used, and what is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.domain.consent import channels_in_words
from app.domain.events import EventKind, InboxEvent
from app.domain.ids import ImportId, LocationId, PersonId
from app.domain.people_merge import AddPerson, PlannedRow, UpdatePerson
from app.domain.person import PersonDraft
from app.domain.states import Channel, Purpose
from app.engine.apply_event import apply_event
from app.engine.consent_ports import ConsentNew
from app.engine.office_ports import OfficeUow, PersonNew
from app.service.imports import LineNote

SOURCE = "import"
STILL_CLOSED = "do_not_contact_stays"


@dataclass(frozen=True, slots=True)
class Writing:
    """What every row of one import shares. consent: how and when they agreed, "" for not asked."""

    import_id: ImportId
    file_name: str
    consent: str
    by: str
    at: datetime
    places: Mapping[int, LocationId]


def address_notes(uow: OfficeUow, drafts: Sequence[PersonDraft]) -> Iterator[LineNote]:
    """Which lines have an address that is on the do-not-contact list: an import never lifts an entry (RULES B9)."""
    emails = uow.office.suppressed(Channel.EMAIL, {draft.email for draft in drafts if draft.email})
    phones = {draft.phone for draft in drafts if draft.phone}
    closed = {channel: uow.office.suppressed(channel, phones) for channel in (Channel.SMS, Channel.CALL)}
    for draft in drafts:
        what = ["email"] if draft.email in emails else []
        what += ["texts"] if draft.phone in closed[Channel.SMS] else []
        what += ["calls"] if draft.phone in closed[Channel.CALL] else []
        if what:
            told = f"It is on the do-not-contact list for {' and '.join(what)}, and stays there."
            yield LineNote(draft.line, STILL_CLOSED, told)


def without_consent(uow: OfficeUow, rows: Sequence[PlannedRow], consent: str) -> int:
    """How many of these people have a phone and no consent to marketing texts, so that those will be held."""
    if consent:
        return 0
    count = 0
    for row in rows:
        match row:
            case AddPerson(draft=draft):
                count += draft.phone is not None and not draft.do_not_contact
            case UpdatePerson(after=after):
                may = after.phone is not None and not after.do_not_contact
                count += may and not uow.consents.has(after.id, Channel.SMS, Purpose.MARKETING)
    return count


def write_people(uow: OfficeUow, rows: Sequence[PlannedRow], writing: Writing) -> dict[int, PersonId]:
    """Add and complete people, write their consents, and take in who is not to be contacted.

    The ids of the new people, by their lines.
    """
    # everyone at once, in the order in which everybody locks people: it is done in steps below
    uow.people.lock(sorted({row.after.id for row in rows if isinstance(row, UpdatePerson)}), to_write=True)
    added = [row.draft for row in rows if isinstance(row, AddPerson)]
    ids = (
        uow.office.add_people([_new(draft, writing) for draft in added], writing.import_id, writing.at) if added else ()
    )
    new = dict(zip((draft.line for draft in added), ids, strict=True))
    changed = [row for row in rows if isinstance(row, UpdatePerson) and row.changed]
    if changed:
        uow.office.fill_people([_filled(row, writing) for row in changed], writing.at, writing.import_id)
    _consents(uow, rows, new, writing)
    closed = [(new[draft.line], draft.line) for draft in added if draft.do_not_contact]
    closed += [
        (row.after.id, row.line) for row in changed if row.after.do_not_contact and not row.before.do_not_contact
    ]
    for person_id, line in closed:
        _close(uow, person_id, line, writing)
    return new


def _new(draft: PersonDraft, writing: Writing) -> PersonNew:
    return PersonNew(
        id=None,
        location_id=writing.places[draft.line],
        first_name=draft.first_name,
        last_name=draft.last_name,
        email=draft.email,
        phone=draft.phone,
        phone_ext=draft.phone_ext,
        alt_phone=draft.alt_phone,
        last_visit=draft.last_visit,
        status=draft.status,
        source=draft.source,
        tags=draft.tags,
        custom=draft.custom,
        do_not_contact=draft.do_not_contact,
    )


def _filled(row: UpdatePerson, writing: Writing) -> PersonNew:
    after = row.after
    return PersonNew(
        id=after.id,
        location_id=writing.places[row.line],  # not written: a stored person stays where they are
        first_name=after.first_name,
        last_name=after.last_name,
        email=after.email,
        phone=after.phone,
        phone_ext=after.phone_ext,
        alt_phone=after.alt_phone,
        last_visit=after.last_visit,
        status=after.status,
        source=after.source,
        tags=after.tags,
        custom=after.custom,
        do_not_contact=after.do_not_contact,
    )


def _consents(uow: OfficeUow, rows: Sequence[PlannedRow], new: Mapping[int, PersonId], writing: Writing) -> None:
    """One consent to marketing texts a person with a phone, with the file as its evidence; and one to automated calls,
    where its words speak of calls.

    None for somebody who is not to be contacted, whose number is on the do-not-contact list, or who took a consent
    back: what they said there is stronger than a sentence about a whole file.
    """
    if not writing.consent:
        return
    asked: list[tuple[PersonId, str]] = []
    for row in rows:
        match row:
            case AddPerson(draft=draft) if draft.phone and not draft.do_not_contact:
                asked.append((new[draft.line], draft.phone))
            case UpdatePerson(after=after) if after.phone and not after.do_not_contact:
                asked.append((after.id, after.phone))
            case _:
                pass
    known = {row.after.id for row in rows if isinstance(row, UpdatePerson)}
    given: list[ConsentNew] = []
    for channel in channels_in_words(writing.consent):
        closed = uow.office.suppressed(channel, {phone for _, phone in asked})
        given += [
            _consent(person_id, channel, phone, writing)
            for person_id, phone in dict.fromkeys(asked)
            if phone not in closed and not (person_id in known and _answered(uow, person_id, channel))
        ]
    uow.consents.add(given, writing.at)


def _answered(uow: OfficeUow, person_id: PersonId, channel: Channel) -> bool:
    """Whether they agreed already, or took it back."""
    person = uow.people.read(person_id)
    if person is None:
        return True
    asked = (channel, Purpose.MARKETING)
    agreed = {(seen.channel, seen.purpose) for seen in uow.consents.standing(person)}
    return asked in agreed | uow.consents.taken_back(person)


def _consent(person_id: PersonId, channel: Channel, phone: str, writing: Writing) -> ConsentNew:
    return ConsentNew(
        person_id=person_id,
        channel=channel,
        purpose=Purpose.MARKETING,
        act="given",
        address=phone,
        at=writing.at,
        how=writing.consent,
        wording="",
        evidence=f"file {writing.file_name}, import {writing.import_id}",
        recorded_by=writing.by,
        import_id=writing.import_id,
    )


def _close(uow: OfficeUow, person_id: PersonId, line: int, writing: Writing) -> None:
    """Somebody whom the file marks as not to be contacted: a stop like any other, with its event as the reason (I8)."""
    event = InboxEvent(
        source=SOURCE,
        key=f"import-{writing.import_id}-person-{person_id}",
        kind=EventKind.OPTED_OUT,
        happened_at=writing.at,
        received_at=writing.at,
        person_id=person_id,
        note=f"{writing.file_name}, line {line}",
        actor=writing.by,
    )
    apply_event(uow, event, writing.at)
