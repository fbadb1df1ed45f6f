"""Rows as the frozen values that guards see, where more than one door reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from app.domain.ids import EnrollmentId, LocationId, MessageId, PersonId, RecordId, StepId, TemplateVersionId
from app.domain.provider_settings import read_kept_providers
from app.domain.snapshot import EnrollmentSeen, Mailing, MessageSeen, Person, Practice, TemplateSeen
from app.domain.states import Channel, Contact, EnrollmentState, MessageState, WaitsFor
from app.store.door import known_why
from app.store.tables import enrollment as e
from app.store.tables import person as p

ENROLLMENT_COLUMNS: Final = tuple(
    e.c[name]
    for name in (
        *("id", "version", "state", "step", "pass_no", "waits_for", "entered_at", "step_entered_at", "wake_at"),
        *("paused_until", "send_budget", "record_id", "hold_why", "hold_until", "hold_facts"),
    )
)
PERSON_COLUMNS: Final = tuple(
    p.c[name]
    for name in (
        *("id", "version", "location_id", "first_name", "last_name", "email", "phone", "contact"),
        *("status", "source", "custom", "created_at", "alt_phone"),
    )
)


def enrollment_seen(row: Any, laps: Mapping[StepId, int] | None = None) -> EnrollmentSeen:
    """From a row with ENROLLMENT_COLUMNS. laps: of its repeats, where they matter."""
    return EnrollmentSeen(
        id=EnrollmentId(row.id),
        version=row.version,
        state=EnrollmentState(row.state),
        step=StepId(row.step),
        pass_no=row.pass_no,
        waits_for=WaitsFor(row.waits_for),
        entered_at=row.entered_at,
        step_entered_at=row.step_entered_at,
        wake_at=row.wake_at,
        paused_until=row.paused_until,
        send_budget=row.send_budget,
        record_id=None if row.record_id is None else RecordId(row.record_id),
        hold_why=known_why(row.hold_why),
        hold_until=row.hold_until,
        hold_facts=row.hold_facts or {},
        laps=laps or {},
    )


def person_seen(row: Any, tags: frozenset[str]) -> Person:
    """From a row with PERSON_COLUMNS."""
    return Person(
        id=PersonId(row.id),
        version=row.version,
        location_id=LocationId(row.location_id),
        first_name=row.first_name,
        last_name=row.last_name,
        email=row.email,
        phone=row.phone,
        contact=Contact(row.contact),
        status=row.status,
        source=row.source,
        tags=tags,
        custom=row.custom,
        created_at=row.created_at,
        alt_phone=row.alt_phone,
    )


def mailing_seen(row: Any) -> Mailing:
    """From a whole row of the practice, with the kept providers as `providers`."""
    if row.mode != "live":
        return Mailing()
    return Mailing.of(live=True, email=read_kept_providers(row.providers).sendgrid)


def practice_seen(row: Any) -> Practice:
    """From a whole row of the practice."""
    return Practice(
        name=row.name,
        country=row.country,
        region=row.region,
        postal_address=row.postal_address,
        per_day=row.per_day,
        per_week=row.per_week,
        short_name=row.short_name,
        website=row.website,
        overdue_days=row.overdue_days,
        one_marketing=row.one_marketing,
    )


def message_seen(row: Any, words: Mapping[TemplateVersionId, TemplateSeen]) -> MessageSeen:
    """From a row with what a decision needs of a message. words: of the versions that are pinned."""
    return MessageSeen(
        id=MessageId(row.id),
        version=row.version,
        enrollment_id=None if row.enrollment_id is None else EnrollmentId(row.enrollment_id),
        step=None if row.step is None else StepId(row.step),
        pass_no=row.pass_no,
        channel=Channel(row.channel),
        state=MessageState(row.state),
        attempts=row.attempts,
        due_at=row.due_at,
        useful_until=row.useful_until,
        stop_requested_at=row.stop_requested_at,
        possible_duplicate=row.possible_duplicate,
        try_at=row.try_at,
        hold_why=known_why(row.hold_why),
        hold_facts=row.hold_facts or {},
        words=words.get(row.template_version_id),
    )
