"""A lead that comes in by itself: taken in as a row of a list is, once, with how they agreed and what they wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from app.domain.clock import Clock
from app.domain.errors import OperatorError
from app.domain.events import EventKind, InboxEvent, payload_hash
from app.domain.ids import ImportId, InboxEventId, LocationId, PersonId
from app.domain.lead_form import FILE, LeadForm, read_lead
from app.domain.people_merge import LeaveOut, UpdatePerson, plan_import
from app.domain.person import PersonDraft, fold_for_search
from app.domain.reasons import Why
from app.engine.apply_event import apply_event
from app.engine.office_ports import ImportNew, LocationRow, OfficeUow, OpenOfficeUow
from app.engine.ports import LogLine, ProblemNote
from app.service.again import again
from app.service.import_look import ImportLook
from app.service.imported_people import Writing, address_notes, write_people

SOURCE: Final = "lead-form"
FROM_THE_WEB: Final = "web form"


@dataclass(frozen=True, slots=True)
class LeadTaken:
    """What became of it. person_id: None when it waits on the list of what fits nobody. duplicate: it was known."""

    event_id: InboxEventId | None
    person_id: PersonId | None
    duplicate: bool = False


class Leads:
    """Takes leads in, each in one transaction."""

    def __init__(self, open_uow: OpenOfficeUow, clock: Clock) -> None:
        self._open_uow = open_uow
        self._clock = clock

    def take(self, fields: Mapping[str, object], *, location: str = "") -> LeadTaken:
        """Take one sending of a form in. location: where it belongs when the form does not say; "" for the only one.

        One that nobody can be reached by is kept on the list that a person sees (I17). The same sending again, by the
        form's own id or else by all its fields within the day, changes nothing. Raises OperatorError for a form that
        can't be read, or a practice without a location; StoreError when nothing could be written.
        """
        return again(lambda: self._take(fields, location))

    def _take(self, fields: Mapping[str, object], location: str) -> LeadTaken:
        now = self._clock.now()
        with self._open_uow() as uow:
            practice, locations = uow.documents.practice(), uow.documents.locations()
            if practice is None or not locations:
                raise OperatorError("There is no location yet.", "Write one and: stopwell apply FILE")
            place = _place(locations, location)
            form = read_lead(fields, (place.country if place else "") or practice.country)
            if form.draft is not None and form.draft.location:
                place = _place(locations, form.draft.location)
            key = form.id or payload_hash(f"{now.date().isoformat()}\n{form.told}")
            known = uow.events.known(SOURCE, key)
            if known is not None:
                return LeadTaken(known, None, duplicate=True)
            if form.draft is None or place is None:
                because = form.because or _nowhere(form, location)
                return _keep(uow, form, key, because, now)
            return _add(uow, form, form.draft, {row.id: row for row in locations}, place.id, key, now)


def _add(
    uow: OfficeUow,
    form: LeadForm,
    draft: PersonDraft,
    locations: Mapping[LocationId, LocationRow],
    place: LocationId,
    key: str,
    now: datetime,
) -> LeadTaken:
    draft = draft if draft.source else replace(draft, source=FROM_THE_WEB)
    look = ImportLook(locations)
    look.look(uow, [draft])
    row = plan_import([draft], look.known).rows[0]
    if isinstance(row, LeaveOut):  # it may be one of two people here: staff say which
        return _keep(uow, form, key, row.told, now)
    added = not isinstance(row, UpdatePerson)
    import_id = uow.office.add_import(_import_row(form, now, added=added))
    new = write_people(uow, [row], Writing(import_id, FILE, form.consent, SOURCE, now, {draft.line: place}))
    person_id = row.after.id if isinstance(row, UpdatePerson) else new[draft.line]
    # who is on the do-not-contact list stays there; whether they mean to come back, a person finds out (RULES B9)
    closed = any(address_notes(uow, [draft]))
    applied = apply_event(uow, _event(form, key, now, person_id, needs_human=closed), now)
    uow.log.add([_logged(applied.event_id, import_id, person_id, now, added=added)])
    return LeadTaken(applied.event_id, person_id)


def _keep(uow: OfficeUow, form: LeadForm, key: str, because: str, now: datetime) -> LeadTaken:
    event_id = uow.events.insert_if_absent(_event(form, key, now, None, needs_human=True))
    uow.log.problem([ProblemNote(now, Why.UNREADABLE, inbox_event_id=event_id, facts=_facts(because))])
    uow.log.add([LogLine(now, "lead.kept", SOURCE, inbox_event_id=event_id)])
    return LeadTaken(event_id, None)


def _nowhere(form: LeadForm, location: str) -> str:
    named = (form.draft.location if form.draft is not None else "") or location
    return f"There is no location {named}." if named else "It does not say which location it is for."


def _facts(because: str) -> dict[str, str]:
    return {"provider": SOURCE, "because": because}


def _event(form: LeadForm, key: str, now: datetime, person_id: PersonId | None, *, needs_human: bool) -> InboxEvent:
    return InboxEvent(
        source=SOURCE,
        key=key,
        kind=EventKind.OTHER,
        happened_at=now,
        received_at=now,
        person_id=person_id,
        text=form.message if person_id is not None else form.told,
        note="lead form",
        actor=SOURCE,
        needs_human=needs_human,
        payload_hash=payload_hash(form.told),
    )


def _import_row(form: LeadForm, now: datetime, *, added: bool) -> ImportNew:
    return ImportNew(
        at=now,
        by=SOURCE,
        file_name=FILE,
        kind="people",
        encoding="utf-8",
        rows=1,
        added=int(added),
        updated=int(not added),
        merged=0,
        rejected=0,
        consent_text=form.consent,
    )


def _logged(
    event_id: InboxEventId | None, import_id: ImportId, person_id: PersonId, now: datetime, *, added: bool
) -> LogLine:
    facts = {"import": import_id, "added": added}
    return LogLine(now, "lead.taken", SOURCE, person_id=person_id, inbox_event_id=event_id, facts=facts)


def _place(locations: Sequence[LocationRow], name: str) -> LocationRow | None:
    """The location of that name, or the only one for no name; None when that does not tell one."""
    if not name:
        return locations[0] if len(locations) == 1 else None
    wanted = fold_for_search(name)
    return next((row for row in locations if fold_for_search(row.name) == wanted), None)
