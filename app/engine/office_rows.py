"""The rows that the services hand to the store's office doors and get from them: documents, people, imports, starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from app.domain.ids import (
    EnrollmentId,
    JourneyId,
    JourneyVersionId,
    LocationId,
    PersonId,
    RecordId,
    StepId,
    TemplateVersionId,
)
from app.domain.states import Channel, Contact, JourneyState, Purpose

JsonDocument = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class LocationRow:
    """A location as stored: hours and closures in their document form. What is empty is the practice's.

    country: two letters; region: a state or province, without the country.
    """

    id: LocationId
    name: str
    zone: str
    hours: JsonDocument
    closures: Sequence[JsonDocument]
    holidays: str | None
    phone: str | None
    email: str | None
    postal_address: str
    country: str = ""
    region: str = ""
    website: str = ""
    booking_url: str = ""


@dataclass(frozen=True, slots=True)
class TemplateRow:
    """A template with its current version."""

    name: str
    channel: Channel
    purpose: Purpose
    version_id: TemplateVersionId
    number: int
    subject: str
    body: str


@dataclass(frozen=True, slots=True)
class JourneyRow:
    """A journey with its draft and its live version's document, either of which may be missing."""

    id: JourneyId
    name: str
    state: JourneyState
    draft: JsonDocument | None
    live_version_id: JourneyVersionId | None
    live_number: int | None
    live_document: JsonDocument | None
    live_send_budget: int | None
    live_templates: Mapping[str, TemplateVersionId] | None


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A published version, which never changes."""

    number: int
    document: JsonDocument
    published_at: datetime
    published_by: str


@dataclass(frozen=True, slots=True)
class SequenceRow:
    """An old sequence. state: listed, or retired once it was converted. journey: what it became, or None."""

    name: str
    document: JsonDocument
    state: str
    journey: str | None


@dataclass(frozen=True, slots=True)
class PersonNew:
    """A person to be added or filled in. Addresses are normalised. id None: a new row."""

    id: PersonId | None
    location_id: LocationId
    first_name: str
    last_name: str
    email: str | None
    phone: str | None
    phone_ext: str | None
    alt_phone: str | None
    last_visit: date | None
    status: str
    source: str
    tags: tuple[str, ...]
    custom: Mapping[str, str]
    do_not_contact: bool


@dataclass(frozen=True, slots=True)
class PersonKnown:
    """A stored person, as an import needs it to find duplicates."""

    id: PersonId
    location_id: LocationId
    first_name: str
    last_name: str
    email: str | None
    phone: str | None
    phone_ext: str | None
    alt_phone: str | None
    last_visit: date | None
    contact: Contact
    status: str
    source: str
    tags: tuple[str, ...]
    custom: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class RecordNew:
    """A record to be added, or updated when (kind, external_id) is known."""

    person_id: PersonId
    kind: str
    status: str
    external_id: str
    label: str
    starts_at: datetime | None
    due_on: date | None
    amount: Decimal | None


@dataclass(frozen=True, slots=True)
class ImportNew:
    """One import, for the list of imports and for `import undo`."""

    at: datetime
    by: str
    file_name: str
    kind: str  # people | records
    encoding: str
    rows: int
    added: int
    updated: int
    merged: int
    rejected: int
    consent_text: str


@dataclass(frozen=True, slots=True)
class EnrollmentNew:
    """One person to be started in a journey's live version."""

    person_id: PersonId
    journey_id: JourneyId
    journey_version_id: JourneyVersionId
    entry_key: str
    record_id: RecordId | None
    entered_at: datetime
    entered_by: str
    reason: str
    step: StepId
    send_budget: int


@dataclass(frozen=True, slots=True)
class Started:
    """What became of an EnrollmentNew: its id, or why not (`already_in` I1, `entered_before` I2)."""

    person_id: PersonId
    enrollment_id: EnrollmentId | None
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Having:
    """Who has an address: how many people, and the sum of their ids. Equal ones mean the same people."""

    people: int = 0
    ids: int = 0
