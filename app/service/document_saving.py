"""One checked document into the database, in its stored form."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import assert_never

from app.domain.check import Checked
from app.domain.condition_write import condition_document
from app.domain.errors import DocumentError, OperatorError
from app.domain.group import Group
from app.domain.ids import LocationId
from app.domain.journey import Journey
from app.domain.journey_write import write_journey
from app.domain.person import normalise_phone
from app.domain.practice_documents import LocationDocument, PracticeDocument
from app.domain.practice_documents import Sequence as OldSequence
from app.domain.problem import Problem, nearest
from app.domain.provider_settings import Providers
from app.domain.snapshot import Practice
from app.domain.template import Template
from app.engine.office_ports import LocationRow, OfficeUow
from app.service.document_rules import COUNTRY, sender_number
from app.service.known_names import closure_documents, week_document


def save(uow: OfficeUow, document: Checked, now: datetime) -> bool:
    """Save one document; False when it says what is stored already. Raises DocumentError with its file and line."""
    try:
        return _save(uow, document, now)
    except DocumentError:
        raise
    except OperatorError as refused:
        raw = document.raw
        problem = Problem(refused.told, "name", raw.line_of("name"), refused.hint, raw.file)
        raise DocumentError([problem]) from refused


def _save(uow: OfficeUow, document: Checked, now: datetime) -> bool:
    documents = uow.documents
    match document.value:
        case PracticeDocument() as practice:
            return documents.save_practice(_practice(practice), now)
        case LocationDocument() as location:
            return documents.save_location(_location(uow, location), now)
        case Template() as template:
            return documents.save_template(
                template.name, template.channel, template.purpose, template.subject, template.body, now
            )
        case Group() as group:
            enroll = (
                None if group.enroll is None else {"journey": group.enroll.journey, "existing": group.enroll.existing}
            )
            return documents.save_group(group.name, condition_document(group.match), enroll)
        case Journey() as journey:
            return documents.save_draft(journey.name, write_journey(journey), now)
        case OldSequence():
            return documents.save_sequence(document.name, document.raw.data)
        case Providers() as providers:
            return documents.save_providers(_providers(uow, document, providers), now)
        case _:
            assert_never(document.value)


def _practice(practice: PracticeDocument) -> Practice:
    return Practice(
        name=practice.name,
        country=practice.country,
        region=practice.region,
        postal_address=practice.postal_address,
        per_day=practice.caps.per_day,
        per_week=practice.caps.per_week,
        short_name="" if practice.short_name == practice.name else practice.short_name,
        website=practice.website,
        overdue_days=practice.overdue_days,
        one_marketing=practice.one_marketing,
    )


def _providers(uow: OfficeUow, document: Checked, told: Providers) -> Providers:
    """What is kept already, with what the document tells. Raises DocumentError for a location that there is not."""
    if told.receiver is not None and told.receiver.location:
        known = [row.name for row in uow.documents.locations()]
        if told.receiver.location not in known:
            near = nearest(told.receiver.location, known)
            hint = f"Did you mean {near}?" if near else f"There are: {', '.join(known)}."
            raw, path = document.raw, "receiver.location"
            told_so = f"there is no location called {told.receiver.location}."
            raise DocumentError([Problem(told_so, path, raw.line_of(path), hint, raw.file)])
    if told.twilio is not None:
        practice = uow.documents.practice()
        sender = sender_number(told.twilio.sender, practice.country if practice else COUNTRY)
        told = replace(told, twilio=replace(told.twilio, sender=sender or told.twilio.sender))
    return uow.documents.providers().with_document(told)


def _location(uow: OfficeUow, location: LocationDocument) -> LocationRow:
    practice = uow.documents.practice()
    country = location.country or (practice.country if practice else COUNTRY)
    return LocationRow(
        id=LocationId(0),  # by name: the database gives a new one its id
        name=location.name,
        zone=location.hours.zone,
        hours=week_document(location.hours),
        closures=closure_documents(location.hours),
        holidays=location.holidays or None,
        phone=normalise_phone(location.phone, country).e164 if location.phone else None,
        email=location.email or None,
        postal_address=location.postal_address,
        country=location.country,
        region=location.region,
        website=location.website,
        booking_url=location.booking_url,
    )
