"""Takes an import back whole. Behind OfficeDoor.

People it brought are erased, and their follow-ups end `closed` (import_undone): an enrollment is never deleted
(I2, I3), and the log of it stays (I15). People and records that were there before get back what it changed, where
nobody changed it since; only do_not_contact stays, which a recorded consent alone lifts (RULES B9). Refused once a
message to one of its people was noted: what was said can't be unsaid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam
from sqlalchemy.engine import Connection

from app.domain.errors import OperatorError
from app.domain.ids import EnrollmentId, ImportId, MessageId, PersonId, RecordId
from app.domain.reasons import Why
from app.domain.states import EnrollmentState, MessageState, WaitsFor
from app.engine.ports import EnrollmentMove, LogLine, MessageMove
from app.store.columns import UtcDateTime, among
from app.store.door import Door, literal
from app.store.enrollments import EnrollmentDoor
from app.store.erasing import Erasing
from app.store.import_notes import put_back
from app.store.log import LogDoor
from app.store.memory import Memory
from app.store.office_people import OfficePeople
from app.store.office_records import WRITTEN, write_records
from app.store.outbox import OutboxDoor
from app.store.people import PeopleDoor
from app.store.rows import ENROLLMENT_COLUMNS, enrollment_seen
from app.store.tables import attempt, consent, import_batch, import_change, message, person, person_tag, record
from app.store.tables import enrollment as e
from app.store.waking import count_waits_again

GUARD: Final = "import_undone"

_BATCH: Final = (
    sa.select(import_batch.c.id, import_batch.c.at, import_batch.c.undone_at)
    .where(import_batch.c.id == bindparam("batch"))
    .with_for_update()
)
_ADDED: Final = (
    sa.select(person.c.id)
    .where(person.c.import_id == bindparam("batch"), person.c.erased_at.is_(None))
    .order_by(person.c.id)
)
_RECORDS: Final = sa.select(record.c.id, record.c.person_id).where(record.c.import_id == bindparam("batch"))
_CHANGES: Final = (
    sa.select(import_change.c.kind, import_change.c.row_id, import_change.c.before, import_change.c.after)
    .where(import_change.c.import_id == bindparam("batch"))
    .order_by(import_change.c.id.desc())
)
_PERSONS_OF: Final = sa.select(record.c.person_id).where(among(record.c.id, "ids"))
# to people whom it brought at whatever time: a clock may have been set back since, and before it they were not here
_NOTED: Final = (
    sa.select(sa.func.count(sa.distinct(attempt.c.message_id)))
    .join(message, message.c.id == attempt.c.message_id)
    .where(
        sa.or_(
            among(message.c.person_id, "brought"),
            sa.and_(
                among(message.c.person_id, "people"), attempt.c.noted_at >= bindparam("since", type_=UtcDateTime())
            ),
        )
    )
)
_LIVE: Final = (
    sa.select(*ENROLLMENT_COLUMNS, e.c.person_id, e.c.journey_id)
    .where(
        sa.or_(among(e.c.person_id, "people"), among(e.c.record_id, "records")),
        e.c.state.in_([literal("active"), literal("paused")]),
    )
    .order_by(e.c.id)
    .with_for_update(key_share=True)
)
_BY_HAND: Final = (
    sa.select(message.c.id, message.c.version, message.c.attempts, message.c.person_id)
    .where(
        among(message.c.person_id, "people"),
        message.c.enrollment_id.is_(None),
        message.c.state.in_([literal("queued"), literal("leased")]),
    )
    .order_by(message.c.id)
    .with_for_update(key_share=True)
)
_STORED_RECORDS: Final = sa.select(record.c.id, *(record.c[name] for name in WRITTEN)).where(among(record.c.id, "ids"))
_UNTAG: Final = sa.delete(person_tag).where(
    person_tag.c.person_id == bindparam("of_person"), person_tag.c.tag == bindparam("of_tag")
)
_FORGET_CONSENTS: Final = sa.delete(consent).where(
    consent.c.import_id == bindparam("batch"),
    ~sa.exists(sa.select(message.c.id).where(message.c.person_id == consent.c.person_id)),
)
_THEIR_CONSENTS: Final = (
    sa.select(consent.c.person_id, consent.c.channel, consent.c.purpose, consent.c.act, consent.c.import_id)
    .where(
        consent.c.person_id.in_(sa.select(consent.c.person_id).where(consent.c.import_id == bindparam("batch"))),
    )
    .order_by(consent.c.at, consent.c.id)
)
_UNDONE: Final = (
    sa.update(import_batch)
    .where(import_batch.c.id == bindparam("batch"))
    .values(undone_at=bindparam("now", type_=UtcDateTime()))
)


@dataclass(frozen=True, slots=True)
class _Brought:
    """What an import brought. people, records: its own rows; changes: of rows that were there before, newest first."""

    people: tuple[PersonId, ...]
    records: tuple[RecordId, ...]
    changes: Sequence[Any]
    concerned: tuple[PersonId, ...]


class Undo(Door):
    """Takes one import back. log: the transaction's."""

    def __init__(self, connection: Connection, memory: Memory, log: LogDoor) -> None:
        super().__init__(connection, memory)
        self._log = log

    def run(self, import_id: ImportId, at: datetime, by: str) -> int:
        """How many people or records went. Raises OperatorError as Office.undo_import says."""
        since = self._since(import_id)
        brought = self._brought(import_id)
        PeopleDoor(self._connection, self._memory).lock(brought.concerned, to_write=True)
        self._refuse_if_noted(import_id, brought, since)
        ended = self._end_follow_ups(brought, at, by)
        self._cancel_by_hand(brought, at)
        restored = self._put_back_people(brought, at) + self._put_back_records(brought)
        self._take_back_consents(import_id, set(brought.people), at, by)
        erasing = Erasing(self._connection, self._memory)
        erasing.records(brought.records, at)
        if brought.people:
            erasing.people(brought.people, at, by)
        count_waits_again(self._connection, brought.concerned, at)  # records have other times again, or are gone
        self._connection.execute(_UNDONE, {"batch": import_id, "now": at})
        went = len(brought.people) + len(brought.records)
        facts = {"import": import_id, "went": went, "put_back": restored, "ended": ended}
        erased = [
            LogLine(at, "person.erased", by, person_id=person_id, facts={"because": GUARD, "import": import_id})
            for person_id in brought.people
        ]
        self._log.add([*erased, LogLine(at, "import.undone", by, facts=dict(facts))])
        return went

    def _since(self, import_id: ImportId) -> datetime:
        found = self._rows(_BATCH, batch=import_id)
        if not found:
            raise OperatorError(f"There is no import {import_id}.", "An import says its number when it is done.")
        if found[0].undone_at is not None:
            raise OperatorError(f"Import {import_id} was taken back already, on {found[0].undone_at:%Y-%m-%d}.")
        since: datetime = found[0].at
        return since

    def _brought(self, import_id: ImportId) -> _Brought:
        people = tuple(PersonId(row.id) for row in self._rows(_ADDED, batch=import_id))
        records = self._rows(_RECORDS, batch=import_id)
        changes = self._rows(_CHANGES, batch=import_id)
        filled = {PersonId(row.row_id) for row in changes if row.kind == "person"}
        changed = [row.row_id for row in changes if row.kind == "record"]
        concerned = {*people, *filled, *(PersonId(row.person_id) for row in records)}
        concerned |= {PersonId(row.person_id) for row in self._rows(_PERSONS_OF, ids=changed)}
        return _Brought(people, tuple(RecordId(row.id) for row in records), changes, tuple(sorted(concerned)))

    def _refuse_if_noted(self, import_id: ImportId, brought: _Brought, since: datetime) -> None:
        noted = self._rows(_NOTED, brought=brought.people, people=brought.concerned, since=since)[0][0]
        if noted:
            told = "1 message to its people was" if noted == 1 else f"{noted} messages to its people were"
            raise OperatorError(
                f"Import {import_id} can't be taken back: {told} handed over since.",
                "Stop the people it brought instead.",
            )

    def _end_follow_ups(self, brought: _Brought, at: datetime, by: str) -> int:
        rows = self._rows(_LIVE, people=brought.people, records=brought.records)
        enrollments = EnrollmentDoor(self._connection, self._memory)
        written = enrollments.move([_ended(row, at) for row in rows])
        if len(written) != len(rows):
            raise RuntimeError("a locked enrollment changed under its lock")
        ids = [EnrollmentId(row.id) for row in rows]
        outbox = OutboxDoor(self._connection, self._memory)
        cancelled = outbox.cancel_waiting(ids, Why.IMPORT_UNDONE, None, at) if ids else ()
        facts = {"end": EnrollmentState.CLOSED.value, "why": Why.IMPORT_UNDONE.value, "guard": GUARD}
        lines = [
            LogLine(
                at,
                "follow_up.ended",
                by,
                person_id=PersonId(row.person_id),
                enrollment_id=EnrollmentId(row.id),
                journey_id=row.journey_id,
                facts=facts | {"step": row.step},
            )
            for row in rows
        ]
        lines += [_cancelled(m.message_id, at, by) for m in cancelled]
        self._log.add(lines)
        return len(ids)

    def _cancel_by_hand(self, brought: _Brought, at: datetime) -> None:
        rows = self._rows(_BY_HAND, people=brought.people)
        moves = [
            MessageMove(MessageId(row.id), row.version, MessageState.CANCELLED, row.attempts, reason=Why.IMPORT_UNDONE)
            for row in rows
        ]
        OutboxDoor(self._connection, self._memory).move(moves, at)
        self._log.add([_cancelled(MessageId(row.id), at, "") for row in rows])

    def _put_back_people(self, brought: _Brought, at: datetime) -> int:
        people = OfficePeople(self._connection, self._memory)
        gone = set(brought.people)
        changes = [row for row in brought.changes if row.kind == "person" and row.row_id not in gone]
        stored = people.stored([PersonId(row.row_id) for row in changes])
        untagged: list[dict[str, Any]] = []
        for row in changes:
            if row.row_id in stored:
                put_back(stored[PersonId(row.row_id)], row.before, row.after)
                untagged += [{"of_person": row.row_id, "of_tag": tag} for tag in row.after.get("tags", ())]
        people.write(stored, at)
        if untagged:
            self._connection.execute(_UNTAG, untagged)
        return len(stored)

    def _put_back_records(self, brought: _Brought) -> int:
        gone = set(brought.records)
        changes = [row for row in brought.changes if row.kind == "record" and row.row_id not in gone]
        found = self._rows(_STORED_RECORDS, ids=[row.row_id for row in changes])
        stored = {row.id: dict(row._mapping) for row in found}
        for row in changes:
            if row.row_id in stored:
                put_back(stored[row.row_id], row.before, row.after)
        write_records(self._connection, list(stored.values()))
        return len(stored)

    def _take_back_consents(self, import_id: ImportId, gone: set[PersonId], at: datetime, by: str) -> None:
        """Deleted where nothing was ever sent on them; else revoked, where it is this import's consent that counts."""
        self._connection.execute(_FORGET_CONSENTS, {"batch": import_id})
        newest = {
            (row.person_id, row.channel, row.purpose): row for row in self._rows(_THEIR_CONSENTS, batch=import_id)
        }
        revoked = [
            {
                "person_id": row.person_id,
                "channel": row.channel,
                "purpose": row.purpose,
                "act": "revoked",
                "at": at,
                "how": f"import {import_id} was taken back",
                "recorded_by": by,
                "recorded_at": at,
                "import_id": import_id,
            }
            for row in newest.values()
            if row.import_id == import_id and row.act == "given" and row.person_id not in gone
        ]
        if revoked:
            self._connection.execute(sa.insert(consent), revoked)


def _ended(row: Any, at: datetime) -> EnrollmentMove:
    seen = enrollment_seen(row)
    return EnrollmentMove(
        id=seen.id,
        seen_version=seen.version,
        state=EnrollmentState.CLOSED,
        step=seen.step,
        pass_no=seen.pass_no,
        waits_for=WaitsFor.NOTHING,
        step_entered_at=seen.step_entered_at,
        wake_at=None,
        ended_at=at,
        end_detail=Why.IMPORT_UNDONE,
        ended_by_guard=GUARD,
    )


def _cancelled(message_id: MessageId, at: datetime, by: str) -> LogLine:
    facts = {"why": Why.IMPORT_UNDONE.value}
    return LogLine(at, "message.cancelled", by, message_id=message_id, facts=dict(facts))
