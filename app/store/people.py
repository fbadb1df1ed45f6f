"""The engine's door to people: lock, read, contact state, the do-not-contact list, goals as live records."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy import bindparam

from app.domain.ids import InboxEventId, PersonId
from app.domain.person import address_key
from app.domain.reasons import Why
from app.domain.record import RecordKind
from app.domain.snapshot import Person
from app.domain.states import CONTACT_EXITS, Channel, Contact
from app.store.columns import UtcDateTime, among
from app.store.door import Door
from app.store.record_choice import GOAL_REACHED, OVER
from app.store.rows import PERSON_COLUMNS, person_seen
from app.store.suppressions import Suppressions
from app.store.tables import person as p
from app.store.tables import person_tag, record
from app.store.tables import suppression as s
from app.store.waking import count_waits_again

_lock = sa.select(p.c.id).where(among(p.c.id, "ids")).order_by(p.c.id)
_LOCK_TO_WRITE: Final = _lock.with_for_update(key_share=True)
_LOCK_TO_RELY: Final = _lock.with_for_update(read=True)
_READ = sa.select(*PERSON_COLUMNS).where(p.c.id == bindparam("person"))
_TAGS = sa.select(person_tag.c.tag).where(person_tag.c.person_id == bindparam("person"))
_WITH_EMAIL = sa.select(p.c.id).where(p.c.email == bindparam("address"), p.c.erased_at.is_(None)).order_by(p.c.id)
_WITH_PHONE = (
    sa.select(p.c.id)
    .where(
        sa.or_(p.c.phone == bindparam("address"), p.c.alt_phone == bindparam("address")),
        p.c.erased_at.is_(None),
    )
    .order_by(p.c.id)
)
_CONTACT = sa.select(p.c.contact).where(p.c.id == bindparam("person")).with_for_update(key_share=True)
_NOW = bindparam("now", type_=UtcDateTime())
_BUMP = sa.update(p).where(p.c.id == bindparam("person")).values(version=p.c.version + 1, updated_at=_NOW)
_SET_CONTACT = _BUMP.values(
    contact=bindparam("to_contact"), with_staff_since=bindparam("to_since", type_=UtcDateTime())
)
_SET_STATUS = sa.update(p).where(p.c.id == bindparam("person")).values(status=bindparam("to_status"))
_LIFT = (
    sa.update(s)
    .where(s.c.channel == bindparam("on_channel"), among(s.c.address_key, "keys"), s.c.lifted_at.is_(None))
    .values(lifted_at=_NOW, lift_evidence=bindparam("evidence"))
)
_RECORD_NAMED = (
    sa.select(record.c.id, record.c.person_id)
    .where(record.c.kind == bindparam("of_kind"), record.c.external_id == bindparam("name"))
    .with_for_update(key_share=True)
)
_RECORD_OPEN = (
    sa.select(record.c.id, record.c.person_id)
    .where(
        record.c.person_id == bindparam("person"),
        record.c.kind == bindparam("of_kind"),
        record.c.status != bindparam("to_status"),
        record.c.status.not_in([*OVER, *GOAL_REACHED]),
    )
    .order_by(record.c.created_at.desc(), record.c.id.desc())
    .limit(1)
    .with_for_update(key_share=True)
)
_RECORD_REACHED = (
    sa.update(record)
    .where(record.c.id == bindparam("record"))
    .values(status=bindparam("to_status"), status_changed_at=_NOW, version=record.c.version + 1)
)


class PeopleDoor(Door):
    """Implements ports.People."""

    def lock(self, ids: Collection[PersonId], *, to_write: bool) -> None:
        """Lock rows in id order: FOR NO KEY UPDATE to write, FOR SHARE to rely on. SQLite: nothing, BEGIN has it."""
        if ids and not self._is_sqlite:
            self._rows(_LOCK_TO_WRITE if to_write else _LOCK_TO_RELY, ids=ids)

    def read(self, person_id: PersonId) -> Person | None:
        """The live row."""
        found = self._rows(_READ, person=person_id)
        if not found:
            return None
        return person_seen(found[0], frozenset(row.tag for row in self._rows(_TAGS, person=person_id)))

    def with_address(self, channel: Channel, address: str) -> Sequence[PersonId]:
        """Persons with this normalised address, by id; a second phone number counts."""
        statement = _WITH_EMAIL if channel is Channel.EMAIL else _WITH_PHONE
        return [PersonId(row.id) for row in self._rows(statement, address=address)]

    def bump(self, person_id: PersonId, contact: Contact | None, now: datetime) -> None:
        """version + 1, and the contact state when one is given. Raises ValueError for a way CONTACT_EXITS lacks."""
        given: dict[str, object] = {"person": person_id, "now": now}
        if contact is None:
            self._connection.execute(_BUMP, given)
            return
        seen = Contact(self._rows(_CONTACT, person=person_id)[0].contact)
        if contact is seen:
            self._connection.execute(_BUMP, given)
            return
        if contact not in CONTACT_EXITS[seen]:
            raise ValueError(f"a person can't go from {seen.value} to {contact.value}")
        since = now if contact is Contact.WITH_STAFF else None
        self._connection.execute(_SET_CONTACT, given | {"to_contact": contact.value, "to_since": since})

    def set_status(self, person_id: PersonId, status: str) -> None:
        """The person's own status word, such as `lost`."""
        self._connection.execute(_SET_STATUS, {"person": person_id, "to_status": status})

    def suppress(
        self,
        channel: Channel,
        address: str,
        why: Why,
        event_id: InboxEventId | None,
        person_id: PersonId | None,
        now: datetime,
    ) -> bool:
        """Put (channel, address) on the do-not-contact list; False when it was there.

        Raises ValueError when the address is none that a message could have.
        """
        plain = address_key(channel, address)
        if Suppressions(self._connection, self._memory).among([(channel, plain)]):
            return False
        row = {
            "channel": channel.value,
            "address_key": plain,
            "why": why.value,
            "person_id": person_id,
            "event_id": event_id,
            "created_at": now,
        }
        return bool(self._connection.execute(self._absent(s).returning(s.c.id), row).all())

    def lift_suppression(self, channel: Channel, address: str, evidence: str, now: datetime) -> bool:
        """Lift an entry with its evidence (RULES B9); False when there was none. Raises ValueError without evidence."""
        if not evidence.strip():
            raise ValueError("a do-not-contact entry is lifted only with evidence")
        keys = Suppressions(self._connection, self._memory).keys(channel, [address_key(channel, address)])
        given = {"on_channel": channel.value, "keys": list(keys), "evidence": evidence, "now": now}
        return self._connection.execute(_LIFT, given).rowcount > 0

    def record_goal(self, person_id: PersonId, kind: str, status: str, external_id: str, now: datetime) -> None:
        """A goal event as a live fact: the record of that name, or the newest open one of `kind`, gets `status`.

        Without either a new record is added. Open: neither over nor at its goal already; so a second booking is a
        second appointment.
        """
        of_kind = RecordKind(kind).value
        named = self._rows(_RECORD_NAMED, of_kind=of_kind, name=external_id) if external_id else []
        own = [row for row in named if row.person_id == person_id]
        found = own or self._rows(_RECORD_OPEN, person=person_id, of_kind=of_kind, to_status=status)
        if found:
            self._connection.execute(_RECORD_REACHED, {"record": found[0].id, "to_status": status, "now": now})
            count_waits_again(self._connection, [person_id], now)
            return
        row = {
            "person_id": person_id,
            "kind": of_kind,
            "status": status,
            "external_id": None if named else external_id or None,  # the name is another person's already
            "created_at": now,
            "status_changed_at": now,
        }
        self._connection.execute(sa.insert(record), row)
        count_waits_again(self._connection, [person_id], now)
