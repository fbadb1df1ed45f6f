"""Erases people: their details, and what others wrote about them. What was done stays, without a name (DESIGN 5).

Left: the row itself, enrollments and messages without words, the log, and the do-not-contact list, by keyed hash.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam

from app.domain.ids import PersonId, RecordId
from app.domain.states import Channel
from app.store.columns import UtcDateTime, among
from app.store.door import Door
from app.store.suppressions import Suppressions
from app.store.tables import (
    consent,
    enrollment,
    group_member,
    inbox_event,
    inbox_raw,
    message,
    person,
    person_tag,
    problem,
    record,
    suppression,
)

GONE_WITH_ITS_PERSON: Final = "erased"  # the status of a record that an enrollment stands for, and so has to stay

_NOW: Final = bindparam("now", type_=UtcDateTime())
_DETAILS: Final = (
    sa.update(person)
    .where(among(person.c.id, "ids"), person.c.erased_at.is_(None))
    .values(
        dict.fromkeys(("first_name", "last_name", "status", "source", "search_text"), "")
        | dict.fromkeys(("email", "phone", "phone_ext", "alt_phone", "last_visit"), sa.null())
        | {"custom": {}, "erased_at": _NOW, "updated_at": _NOW, "version": person.c.version + 1}
    )
)
_TAGS: Final = sa.delete(person_tag).where(among(person_tag.c.person_id, "ids"))
_GROUPS: Final = (
    sa.update(group_member)
    .where(among(group_member.c.person_id, "ids"), group_member.c.left_at.is_(None))
    .values(left_at=_NOW)
)
_EVENTS: Final = (
    sa.update(inbox_event).where(among(inbox_event.c.person_id, "ids")).values(text="", note="", address=sa.null())
)
_RAW: Final = sa.delete(inbox_raw).where(
    inbox_raw.c.event_id.in_(sa.select(inbox_event.c.id).where(among(inbox_event.c.person_id, "ids")))
)
_WORDS: Final = (
    sa.update(message).where(among(message.c.person_id, "ids")).values(to_address=sa.null(), subject="", body="")
)
_PROBLEMS: Final = (
    sa.update(problem)
    .where(among(problem.c.person_id, "ids"), problem.c.solved_at.is_(None))
    .values(solved_at=_NOW, solved_by=bindparam("who"))
)
# consent that nothing was sent on is of no use to anybody; the other proves that what was sent was allowed
_CONSENTS_UNUSED: Final = sa.delete(consent).where(
    among(consent.c.person_id, "ids"),
    ~sa.exists(sa.select(message.c.id).where(message.c.person_id == consent.c.person_id)),
)
_CONSENTS_USED: Final = (
    sa.update(consent).where(among(consent.c.person_id, "ids")).values(address=sa.null(), evidence="")
)
_RECORDS: Final = sa.select(record.c.id).where(among(record.c.person_id, "ids")).order_by(record.c.id)
_RECORDS_FREE: Final = sa.delete(record).where(
    among(record.c.id, "ids"),
    ~sa.exists(sa.select(enrollment.c.id).where(enrollment.c.record_id == record.c.id)),
)
_RECORDS_BOUND: Final = (
    sa.update(record)
    .where(among(record.c.id, "ids"))
    .values(
        {"status": GONE_WITH_ITS_PERSON, "status_changed_at": _NOW, "label": "", "version": record.c.version + 1}
        | dict.fromkeys(("external_id", "starts_at", "due_on", "amount"), sa.null())
    )
)
_PLAIN_ENTRIES: Final = sa.select(suppression.c.id, suppression.c.channel, suppression.c.address_key).where(
    among(suppression.c.person_id, "ids"), sa.not_(suppression.c.hashed)
)
_HASH_ENTRY: Final = (
    sa.update(suppression)
    .where(suppression.c.id == bindparam("entry"))
    .values(address_key=bindparam("to_key"), hashed=True)
)


class Erasing(Door):
    """Takes details away for good. Nothing of these people may be live, and their rows must be locked."""

    def people(self, ids: Sequence[PersonId], at: datetime, by: str) -> None:
        """Erase everything that says who they are."""
        given: dict[str, Any] = {"ids": ids}
        self.records([RecordId(row.id) for row in self._rows(_RECORDS, **given)], at)
        self._hash_suppressions(ids)
        for statement in (_TAGS, _EVENTS, _RAW, _WORDS, _CONSENTS_UNUSED, _CONSENTS_USED):
            self._connection.execute(statement, given)
        self._connection.execute(_GROUPS, given | {"now": at})
        self._connection.execute(_PROBLEMS, given | {"now": at, "who": by})
        self._connection.execute(_DETAILS, given | {"now": at})

    def records(self, ids: Collection[RecordId], at: datetime) -> None:
        """Delete records; one that an enrollment stands for stays without its details (I2 needs it)."""
        if ids:
            self._connection.execute(_RECORDS_FREE, {"ids": ids})
            self._connection.execute(_RECORDS_BOUND, {"ids": ids, "now": at})

    def _hash_suppressions(self, ids: Sequence[PersonId]) -> None:
        list_ = Suppressions(self._connection, self._memory)
        entries = []
        for row in self._rows(_PLAIN_ENTRIES, ids=ids):
            keys = list_.keys(Channel(row.channel), [row.address_key])
            hashed = next(key for key in keys if key != row.address_key)
            entries.append({"entry": row.id, "to_key": hashed})
        if entries:
            self._connection.execute(_HASH_ENTRY, entries)
