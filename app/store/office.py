"""The office's door to people: known ones, imports, consents, records, and starting someone in a journey."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from app.domain.facts import Facts
from app.domain.ids import ImportId, PersonId
from app.domain.states import Channel
from app.engine.office_ports import (
    EnrollmentNew,
    Having,
    ImportNew,
    PersonKnown,
    PersonNew,
    RecordNew,
    Started,
)
from app.store.columns import among
from app.store.door import Door, literal
from app.store.facts import FactDoor
from app.store.log import LogDoor
from app.store.memory import Memory
from app.store.office_find import find_person
from app.store.office_imports import Undo
from app.store.office_people import OfficePeople
from app.store.office_records import put_records
from app.store.office_start import start
from app.store.people import PeopleDoor
from app.store.suppressions import Suppressions
from app.store.tables import enrollment as e
from app.store.tables import import_batch
from app.store.waking import count_waits_again

# PostgreSQL: imports look and write one after the other, so that two files at once make no double people. SQLite has
# one writer anyway
_ONE_IMPORT: Final = 0x53746F71


_RUNNING: Final = (
    sa.select(e.c.person_id)
    .where(among(e.c.person_id, "people"), e.c.state.in_([literal("active"), literal("paused")]))
    .distinct()
)


class OfficeDoor(Door):
    """Implements office_ports.Office. log: the transaction's."""

    def __init__(self, connection: Connection, memory: Memory, log: LogDoor) -> None:
        super().__init__(connection, memory)
        self._log = log

    def known_people(self, emails: Collection[str], phones: Collection[str]) -> Sequence[PersonKnown]:
        """Everyone who is not erased and has one of these as email, phone or other phone, for finding duplicates.

        From here to the end of the transaction no other import looks: two files at once make no double people.
        """
        self._alone()
        return self._people.known(emails, phones)

    def who_has(self, emails: Collection[str], phones: Collection[str]) -> Mapping[str, Having]:
        """Who has each of these, in two cheap numbers; nobody: left out. Like known_people it keeps others out."""
        self._alone()
        return self._people.who_has(emails, phones)

    def suppressed(self, channel: Channel, addresses: Collection[str]) -> frozenset[str]:
        """Those of `addresses` (normalised) that must not be contacted on `channel` (I10)."""
        closed = Suppressions(self._connection, self._memory).among((channel, address) for address in addresses)
        return frozenset(address for _, address in closed)

    def add_import(self, row: ImportNew) -> ImportId:
        """Note an import, so that its people can be told from others and it can be taken back."""
        values = {
            "at": row.at,
            "by": row.by,
            "file_name": row.file_name,
            "kind": row.kind,
            "encoding": row.encoding,
            "rows": row.rows,
            "added": row.added,
            "updated": row.updated,
            "merged": row.merged,
            "rejected": row.rejected,
            "consent_text": row.consent_text or None,
        }
        added = sa.insert(import_batch).values(values).returning(import_batch.c.id)
        return ImportId(self._connection.execute(added).scalar_one())

    def add_people(self, people: Sequence[PersonNew], import_id: ImportId | None, at: datetime) -> Sequence[PersonId]:
        """Insert rows in order; their ids in the same order."""
        return self._people.add(people, import_id, at)

    def fill_people(self, people: Sequence[PersonNew], at: datetime, import_id: ImportId | None = None) -> None:
        """Fill blanks of known rows; nothing stored is overwritten, but for the later of two visits.

        Tags and custom fields are added to; do_not_contact is kept when either has it. What is held for an empty value
        is asked again. import_id: whose undo takes this back.
        """
        self._people.fill(people, at, import_id)

    def put_records(self, rows: Sequence[RecordNew], import_id: ImportId | None, at: datetime) -> tuple[int, int]:
        """(added, updated); status_changed_at moves only when the status did. A blank leaves what is stored.

        Waits of the people concerned count their end again: it may hang on a record's time.
        """
        self._alone()
        people = self._running({row.person_id for row in rows})
        PeopleDoor(self._connection, self._memory).lock(people, to_write=True)
        counts = put_records(self._connection, rows, import_id, at)
        count_waits_again(self._connection, people, at)
        return counts

    def _running(self, people: Collection[PersonId]) -> list[PersonId]:
        """Those of `people` who have a follow-up that runs, by id."""
        found = self._connection.execute(_RUNNING, {"people": people}).scalars()
        return sorted(PersonId(person) for person in found)

    def undo_import(self, import_id: ImportId, at: datetime, by: str) -> int:
        """Take back an import whole; how many people or records went.

        Raises OperatorError when there is no such import, it was undone, or a message to one of its people was noted.
        """
        return Undo(self._connection, self._memory, self._log).run(import_id, at, by)

    def find_person(self, ref: str) -> Sequence[PersonId]:
        """REF of the commands: an id, an email or a phone number, as typed by staff."""
        return find_person(self._connection, ref)

    def facts_of(self, person_ids: Collection[PersonId], now: datetime) -> Mapping[PersonId, Facts]:
        """The facts that a group's rule is asked of, in bulk; ids that are gone or erased are left out."""
        return FactDoor(self._connection, self._memory).facts_of(person_ids)

    def start(self, rows: Sequence[EnrollmentNew]) -> Sequence[Started]:
        """Insert active enrollments that wake at once; I1 and I2 refuse by the database, row by row.

        One answer a row, in order. refused: `already_in` (I1), `entered_before` (I2), `do_not_contact`, or `erased` for
        somebody who is gone. The log is the caller's to write.
        """
        PeopleDoor(self._connection, self._memory).lock({row.person_id for row in rows}, to_write=False)
        return start(self._connection, rows)

    @property
    def _people(self) -> OfficePeople:
        return OfficePeople(self._connection, self._memory)

    def _alone(self) -> None:
        if not self._is_sqlite:
            self._connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_ONE_IMPORT)))
