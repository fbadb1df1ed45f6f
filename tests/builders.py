"""Builds rows for tests: a practice, people, journeys, enrollments, messages. Hides what does not matter to the test.

Rows are written the way the product's own doors write them, or with plain INSERTs where a door would ask too much.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import sqlalchemy as sa

from app.domain.documents import RawDocument
from app.domain.events import EventKind, InboxEvent
from app.domain.ids import (
    EnrollmentId,
    InboxEventId,
    JourneyId,
    JourneyVersionId,
    LocationId,
    MessageId,
    PersonId,
    RecordId,
    StepId,
    TemplateVersionId,
)
from app.domain.journey import CONTACT_STEPS
from app.domain.journey_format import read_journey
from app.domain.reasons import Why
from app.domain.states import Channel, Contact, WaitsFor
from app.store import tables as t
from app.store.person_search import search_text
from app.store.session import Session
from app.store.unit_of_work import Store
from tests.builders_moves import TOKEN, TRACE, Moves, ended_move
from tests.builders_rows import LATER, NOW

__all__ = ["LATER", "NOW", "TOKEN", "TRACE", "WEEK", "Published", "World", "ended_move", "journey_document"]

WEEK = {day: [["09:00", "17:00"]] for day in ("mon", "tue", "wed", "thu", "fri")}


@dataclass(frozen=True, slots=True)
class Published:
    """A live journey and its newest version."""

    id: JourneyId
    version_id: JourneyVersionId
    name: str
    start: StepId
    send_budget: int
    templates: Mapping[str, TemplateVersionId]


def journey_document(
    name: str = "New lead",
    *,
    steps: Mapping[str, Mapping[str, object]] | None = None,
    start: str | None = None,
    purpose: str = "marketing",
    **ends: object,
) -> dict[str, object]:
    """A journey document: email, two days, a text, exhausted; ends on a reply unless told otherwise."""
    steps = steps or {
        "hello": {"do": "email", "template": "hello", "next": "pause"},
        "pause": {"do": "wait", "for": {"days": 2}, "next": "nudge"},
        "nudge": {"do": "sms", "template": "nudge", "next": "done"},
        "done": {"do": "end", "as": "exhausted"},
    }
    return {
        "format": "stopwell.journey/1",
        "name": name,
        "purpose": purpose,
        "ends": {"replied": True, **ends},
        "start": start or next(iter(steps)),
        "steps": steps,
    }


class World(Moves):
    """A practice in a store. Numbers and addresses are counted, so every person has their own."""

    def __init__(self, store: Store, now: datetime = NOW) -> None:
        super().__init__(store, now)
        self._insert(
            t.practice,
            {"id": 1, "name": "Fernhollow", "country": "US", "region": "OR", "postal_address": "1 Main St, Portland"}
            | {"per_day": 2, "per_week": 6},
            returning=False,
        )
        self.portland = self.location("Portland")

    @classmethod
    def at(cls, session: Session) -> World:
        """A world in an open session."""
        return cls(Store(session))

    # what is written

    def location(
        self,
        name: str,
        zone: str = "America/Los_Angeles",
        hours: Mapping[str, object] | None = None,
        closures: Sequence[Mapping[str, object]] = (),
        **columns: object,
    ) -> LocationId:
        """A location, open Monday to Friday from nine to five unless told otherwise."""
        row: dict[str, object] = {"name": name, "zone": zone, "hours": hours or WEEK, "closures": list(closures)}
        row |= {"email": f"{name.lower()}@example.com", "phone": "+15035550100"} | columns
        return LocationId(self._insert(t.location, row))

    def person(
        self, first_name: str = "Ana", *, tags: Collection[str] = (), contact: Contact = Contact.OPEN, **columns: object
    ) -> PersonId:
        """A person in Portland with an email address and a mobile number of their own."""
        number = next(self._counted)
        row: dict[str, object] = {
            "location_id": self.portland,
            "first_name": first_name,
            "last_name": f"Nr{number}",
            "email": f"p{number}@example.com",
            "phone": f"+1{503 + number // 100}55501{number % 100:02}",
            "created_at": self.now,
            "updated_at": self.now,
            "contact": contact.value,
            "with_staff_since": self.now if contact is Contact.WITH_STAFF else None,
        }
        row |= columns
        names = ("first_name", "last_name", "email", "phone", "alt_phone")
        found_by = search_text(*(row.get(name) for name in names))  # type: ignore[arg-type]
        person_id = PersonId(self._insert(t.person, {"search_text": found_by} | row))
        for tag in tags:
            self._insert(t.person_tag, {"person_id": person_id, "tag": tag}, returning=False)
        return person_id

    def record(
        self,
        person_id: PersonId,
        kind: str = "appointment",
        status: str = "booked",
        *,
        label: str = "",
        external_id: str | None = None,
        starts_at: datetime | None = None,
        due_on: date | None = None,
        amount: Decimal | None = None,
        at: datetime | None = None,
    ) -> RecordId:
        """A record of the person. at: when it came and got its status."""
        row = {
            "person_id": person_id,
            "kind": kind,
            "status": status,
            "label": label,
            "external_id": external_id,
            "starts_at": starts_at,
            "due_on": due_on,
            "amount": amount,
            "created_at": at or self.now,
            "status_changed_at": at or self.now,
        }
        return RecordId(self._insert(t.record, row))

    def consent(self, person_id: PersonId, channel: Channel = Channel.SMS, **columns: object) -> int:
        """A marketing consent, given for whatever address the person has."""
        row = {
            "person_id": person_id,
            "channel": channel.value,
            "purpose": "marketing",
            "act": "given",
            "at": self.now,
            "how": "form",
            "recorded_at": self.now,
        }
        return self._insert(t.consent, row | columns)

    def template(
        self, name: str = "hello", channel: Channel = Channel.EMAIL, body: str = "Hi {{ person.first_name }}"
    ) -> TemplateVersionId:
        """A template with one version."""
        template_id = self._insert(t.template, {"name": name, "channel": channel.value})
        row = {"template_id": template_id, "number": 1, "purpose": "marketing", "body": body, "created_at": self.now}
        version_id = self._insert(t.template_version, row | {"subject": "Hello" if channel is Channel.EMAIL else ""})
        with self.store.session.write() as connection:
            connection.execute(
                sa.update(t.template).where(t.template.c.id == template_id).values(current_version_id=version_id)
            )
        return TemplateVersionId(version_id)

    def journey(
        self,
        name: str | None = None,
        document: Mapping[str, object] | None = None,
        *,
        send_budget: int | None = None,
        max_days: float = 30.0,
        **columns: object,
    ) -> Published:
        """A live journey with one version; its templates are made where they are not there yet.

        name: without one, `New lead` and a number. send_budget: as proven; without one, its number of contact steps.
        """
        name = name or f"New lead {next(self._counted)}"
        journey = read_journey(RawDocument(document or journey_document(name)))
        contacts = [step for step in journey.steps.values() if isinstance(step, CONTACT_STEPS)]
        pinned = self._templates()
        for step in contacts:
            if step.template not in pinned:
                pinned[step.template] = self.template(step.template, step.channel)
        pinned = {step.template: pinned[step.template] for step in contacts}
        row = {"name": name, "state": "draft", "created_at": self.now, "updated_at": self.now}
        journey_id = JourneyId(self._insert(t.journey, row | columns))
        budget = len(contacts) if send_budget is None else send_budget
        version_id = self._version(journey_id, 1, document or journey_document(name), budget, max_days, pinned)
        return Published(journey_id, version_id, name, journey.start, budget, pinned)

    def new_version(
        self, published: Published, document: Mapping[str, object], *, send_budget: int | None = None
    ) -> Published:
        """Publish `document` over the journey."""
        budget = published.send_budget if send_budget is None else send_budget
        with self.store.session.read() as connection:
            number = connection.scalar(
                sa.select(sa.func.max(t.journey_version.c.number)).where(t.journey_version.c.journey_id == published.id)
            )
        version_id = self._version(published.id, (number or 0) + 1, document, budget, 30.0, published.templates)
        start = read_journey(RawDocument(document)).start
        return Published(published.id, version_id, published.name, start, budget, published.templates)

    def enrollment(
        self,
        person_id: PersonId,
        journey: Published,
        *,
        step: str | None = None,
        wake_at: datetime | None = None,
        waits_for: WaitsFor = WaitsFor.NOTHING,
        entry_key: str = "once",
        **columns: object,
    ) -> EnrollmentId:
        """An active enrollment, due now unless told otherwise."""
        row: dict[str, object] = {
            "person_id": person_id,
            "journey_id": journey.id,
            "journey_version_id": journey.version_id,
            "entry_key": entry_key,
            "entered_at": self.now,
            "entered_by": "staff",
            "step": step or journey.start,
            "step_entered_at": self.now,
            "waits_for": waits_for.value,
            "wake_at": None if waits_for is WaitsFor.MESSAGE else wake_at or self.now,
            "send_budget": journey.send_budget,
        }
        return EnrollmentId(self._insert(t.enrollment, row | columns))

    def message(
        self, enrollment_id: EnrollmentId, *, step: str | None = None, pass_no: int = 1, **columns: object
    ) -> MessageId:
        """A queued message of the enrollment's step, due now."""
        seen = self.row(t.enrollment, enrollment_id)
        version = self.row(t.journey_version, seen["journey_version_id"])
        at = step or seen["step"]
        told = version["document"]["steps"][at]
        row: dict[str, object] = {
            "enrollment_id": enrollment_id,
            "person_id": seen["person_id"],
            "location_id": self.row(t.person, seen["person_id"])["location_id"],
            "step": at,
            "pass_no": pass_no,
            "channel": told["do"],
            "template": told["template"],
            "template_version_id": version["templates"][told["template"]],
            "due_at": self.now,
            "try_at": self.now,
            "created_at": self.now,
        }
        return MessageId(self._insert(t.message, row | columns))

    def manual_message(self, person_id: PersonId, channel: Channel = Channel.SMS, **columns: object) -> MessageId:
        """A queued message that staff wrote by hand."""
        row: dict[str, object] = {
            "person_id": person_id,
            "location_id": self.portland,
            "channel": channel.value,
            "body": "See you at three",
            "due_at": self.now,
            "try_at": self.now,
            "created_at": self.now,
        }
        return MessageId(self._insert(t.message, row | columns))

    def event(self, person_id: PersonId | None, kind: EventKind = EventKind.REPLIED, **parts: Any) -> InboxEventId:
        """An inbox event that is stored and not applied."""
        given: dict[str, Any] = {
            "happened_at": self.now,
            "received_at": self.now,
            "key": f"event-{next(self._counted)}",
        }
        given |= parts
        with self.store.open_uow() as uow:
            event_id = uow.events.insert_if_absent(InboxEvent("test", kind=kind, person_id=person_id, **given))
        assert event_id is not None
        return event_id

    def suppress(self, channel: Channel, address: str, why: Why = Why.OPT_OUT) -> None:
        """Put an address on the do-not-contact list."""
        with self.store.open_uow() as uow:
            uow.people.suppress(channel, address, why, None, None, self.now)

    # how

    def _version(
        self,
        journey_id: JourneyId,
        number: int,
        document: Mapping[str, object],
        budget: int,
        max_days: float,
        pinned: Mapping[str, TemplateVersionId],
    ) -> JourneyVersionId:
        row = {
            "journey_id": journey_id,
            "number": number,
            "document": document,
            "proof": {},
            "send_budget": budget,
            "max_days": max_days,
            "templates": dict(pinned),
            "published_at": self.now,
        }
        version_id = JourneyVersionId(self._insert(t.journey_version, row))
        with self.store.session.write() as connection:
            live = {"state": "live", "live_version_id": version_id}
            connection.execute(sa.update(t.journey).where(t.journey.c.id == journey_id).values(live))
        return version_id

    def _templates(self) -> dict[str, TemplateVersionId]:
        asked = sa.select(t.template.c.name, t.template.c.current_version_id)
        with self.store.session.read() as connection:
            return {row.name: TemplateVersionId(row.current_version_id) for row in connection.execute(asked)}
