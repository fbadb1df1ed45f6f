"""All the rows about one person, for the packet that is handed out (domain/evidence.py). One statement a table."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any, Final, TypeVar

import sqlalchemy as sa
from sqlalchemy import bindparam
from sqlalchemy.engine import Row

from app.domain.evidence import (
    AttemptFacts,
    ConsentFacts,
    EventFacts,
    Evidence,
    FollowUpFacts,
    JourneyVersionFacts,
    MessageFacts,
    PersonFacts,
    SealFacts,
    SuppressionFacts,
    TemplateVersionFacts,
)
from app.domain.ids import PersonId
from app.domain.legal_hours_rules import Rules
from app.domain.lines import LoggedLine
from app.domain.states import Channel
from app.store import tables as t
from app.store.columns import among
from app.store.door import Door
from app.store.seals import covering
from app.store.suppressions import Suppressions

_PERSON: Final[sa.BindParameter[int]] = bindparam("person")
_Facts = TypeVar("_Facts")


def _columns(table: sa.Table, *names: str) -> list[sa.Column[Any]]:
    return [table.c[name] for name in names]


_WHO: Final = (
    sa.select(
        *_columns(t.person, "id", "first_name", "last_name", "email", "phone", "phone_ext", "alt_phone", "status"),
        *_columns(t.person, "contact", "with_staff_since", "created_at", "erased_at", "location_id"),
        t.location.c.name.label("location"),
        t.location.c.zone,
    )
    .join(t.location, t.location.c.id == t.person.c.location_id)
    .where(t.person.c.id == _PERSON)
)
_PRACTICE: Final = sa.select(t.practice.c.name, t.practice.c.mode)
_SCHEMA: Final = sa.text("SELECT version_num FROM alembic_version")
_EVENTS: Final = (
    sa.select(
        *_columns(t.inbox_event, "id", "kind", "source", "key", "channel", "channels", "address", "text", "note"),
        *_columns(t.inbox_event, "actor", "needs_human", "payload_hash", "journey_id", "state"),
        *_columns(t.inbox_event, "happened_at", "received_at", "applied_at"),
    )
    .where(t.inbox_event.c.person_id == _PERSON)
    .order_by(t.inbox_event.c.happened_at, t.inbox_event.c.id)
)
_FOLLOW_UPS: Final = (
    sa.select(
        *_columns(t.enrollment, "id", "journey_id", "journey_version_id", "entry_key", "record_id", "entered_at"),
        *_columns(t.enrollment, "entered_by", "reason", "state", "step", "send_budget", "hold_why", "hold_until"),
        *_columns(t.enrollment, "paused_until", "paused_by", "ended_at", "end_detail", "ended_by_guard"),
        t.enrollment.c.ended_by_event_id,
        t.journey.c.name.label("journey"),
        t.journey_version.c.number.label("version"),
    )
    .join(t.journey, t.journey.c.id == t.enrollment.c.journey_id)
    .join(t.journey_version, t.journey_version.c.id == t.enrollment.c.journey_version_id)
    .where(t.enrollment.c.person_id == _PERSON)
    .order_by(t.enrollment.c.id)
)
_MESSAGES: Final = (
    sa.select(
        *_columns(t.message, "id", "enrollment_id", "step", "pass_no", "channel", "template", "template_version_id"),
        *_columns(t.message, "state", "attempts", "due_at", "to_address", "subject", "body", "created_at"),
        *_columns(t.message, "created_by", "noted_at", "provider", "provider_id", "accepted_at", "final_at"),
        *_columns(t.message, "stop_requested_at", "stop_event_id", "hold_why", "reason", "reason_code"),
        *_columns(t.message, "possible_duplicate", "trace"),
    )
    .where(t.message.c.person_id == _PERSON)
    .order_by(t.message.c.id)
)
_ATTEMPTS: Final = (
    sa.select(t.attempt)
    .join(t.message, t.message.c.id == t.attempt.c.message_id)
    .where(t.message.c.person_id == _PERSON)
    .order_by(t.attempt.c.message_id, t.attempt.c.number)
)
_ENTRIES: Final = (
    sa.select(t.suppression)
    .where(sa.or_(t.suppression.c.person_id == _PERSON, among(t.suppression.c.address_key, "keys")))
    .order_by(t.suppression.c.id)
)
_CONSENTS: Final = (
    sa.select(
        *_columns(t.consent, "id", "channel", "purpose", "act", "address", "at", "how", "wording", "evidence"),
        *_columns(t.consent, "recorded_by", "recorded_at", "import_id"),
    )
    .where(t.consent.c.person_id == _PERSON)
    .order_by(t.consent.c.id)
)
_VERSIONS: Final = (
    sa.select(t.journey_version, t.journey.c.name.label("journey"))
    .join(t.journey, t.journey.c.id == t.journey_version.c.journey_id)
    .where(among(t.journey_version.c.id, "ids"))
    .order_by(t.journey_version.c.id)
)
_TEMPLATES: Final = (
    sa.select(t.template_version, t.template.c.name.label("template"))
    .join(t.template, t.template.c.id == t.template_version.c.template_id)
    .where(among(t.template_version.c.id, "ids"))
    .order_by(t.template_version.c.id)
)
_LOG: Final = sa.select(t.log_entry).where(t.log_entry.c.person_id == _PERSON).order_by(t.log_entry.c.id)


class EvidenceReads(Door):
    """Reads the evidence about one person."""

    def of(self, person_id: PersonId) -> Evidence | None:
        """Everything that is kept about them, in one moment; None when there is no such person.

        Of an erased person too. The seals that cover lines of theirs are checked against the lines now.
        """
        who = self._rows(_WHO, person=person_id)
        if not who:
            return None
        practice = self._rows(_PRACTICE)[0]
        rules = self._memory.rules()
        follow_ups = self._facts(FollowUpFacts, _FOLLOW_UPS, person_id)
        messages = self._facts(MessageFacts, _MESSAGES, person_id)
        log = tuple(LoggedLine(**row._mapping) for row in self._rows(_LOG, person=person_id))
        versions = sorted({each.journey_version_id for each in follow_ups})
        templates = sorted({each.template_version_id for each in messages if each.template_version_id is not None})
        return Evidence(
            practice=practice.name,
            practice_mode=practice.mode == "practice",
            schema=str(self._connection.scalar(_SCHEMA)),
            rule_pack=rules.as_of if isinstance(rules, Rules) else None,
            person=PersonFacts(**who[0]._mapping),
            events=self._facts(EventFacts, _EVENTS, person_id),
            follow_ups=follow_ups,
            messages=messages,
            attempts=self._facts(AttemptFacts, _ATTEMPTS, person_id),
            suppressions=self._suppressions(who[0]),
            consents=self._facts(ConsentFacts, _CONSENTS, person_id),
            journey_versions=tuple(_version(row) for row in self._rows(_VERSIONS, ids=versions)),
            template_versions=tuple(_template(row) for row in self._rows(_TEMPLATES, ids=templates)),
            log=log,
            seals=self._seals([line.id for line in log]),
        )

    def _facts(self, kind: type[_Facts], statement: sa.Executable, person_id: PersonId) -> tuple[_Facts, ...]:
        return tuple(kind(**row._mapping) for row in self._rows(statement, person=person_id))

    def _suppressions(self, person: Row[Any]) -> tuple[SuppressionFacts, ...]:
        """Entries of the addresses that they have, and those written for them under another one; lifted ones too."""
        asked = Suppressions(self._connection, self._memory)
        phones = [phone for phone in (person.phone, person.alt_phone) if phone]
        known: dict[tuple[str, str], str] = {}
        for channel in Channel:
            addresses = phones if channel is not Channel.EMAIL else [person.email] if person.email else []
            if addresses:
                keys = asked.keys(channel, addresses)
                known |= {(channel.value, key): address for key, address in keys.items()}
        rows = self._rows(_ENTRIES, person=person.id, keys=sorted({key for _, key in known}))
        return tuple(
            SuppressionFacts(
                id=row.id,
                channel=row.channel,
                address=known.get((row.channel, row.address_key), "" if row.hashed else row.address_key),
                hashed=row.hashed,
                why=row.why,
                event_id=row.event_id if row.person_id == person.id else None,
                created_at=row.created_at,
                lifted_at=row.lifted_at,
                lift_evidence=row.lift_evidence,
            )
            for row in rows
            if row.person_id == person.id or (row.channel, row.address_key) in known
        )

    def _seals(self, log_ids: Sequence[int]) -> tuple[SealFacts, ...]:
        return tuple(
            SealFacts(seal.day, seal.last_log_id, seal.lines, seal.hash, seal.previous_hash, sealed_at, holds)
            for seal, sealed_at, holds in covering(self._connection, log_ids)
        )


def _version(row: Row[Any]) -> JourneyVersionFacts:
    text = json.dumps(row.document, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return JourneyVersionFacts(
        id=row.id,
        journey_id=row.journey_id,
        journey=row.journey,
        number=row.number,
        published_at=row.published_at,
        published_by=row.published_by,
        send_budget=row.send_budget,
        document_hash=_sha256(text),
    )


def _template(row: Row[Any]) -> TemplateVersionFacts:
    return TemplateVersionFacts(
        id=row.id,
        template=row.template,
        number=row.number,
        purpose=row.purpose,
        created_at=row.created_at,
        created_by=row.created_by,
        text_hash=_sha256(f"{row.subject}\n{row.body}"),
    )


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
