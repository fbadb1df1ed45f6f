"""Import of records: appointments, jobs, quotes and invoices from a spreadsheet, each tied to a person who is here.

As with people, up to 2,000 records are one transaction; more are written in portions, taken back when one fails.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from app.domain.clock import Clock
from app.domain.errors import OperatorError
from app.domain.ids import ImportId, LocationId, PersonId
from app.domain.people_text import fold_heading
from app.domain.person import PersonRef
from app.domain.record import RecordDraft
from app.domain.records_columns import HEADINGS
from app.domain.records_csv import RecordsFile, read_records
from app.domain.spreadsheet import read_sheet
from app.domain.spreadsheet_bytes import MAX_BYTES
from app.engine.office_ports import ImportNew, OfficeUow, OpenOfficeUow, PersonKnown, RecordNew
from app.engine.ports import LogLine
from app.service.files import read_file
from app.service.imports import ONE_TRANSACTION, LineNote, RejectedRow, portions, whole_or_not_at_all

UNKNOWN_PERSON = "unknown_person"
SEVERAL_PEOPLE = "several_people"


@dataclass(frozen=True, slots=True)
class RecordsOrder:
    """What an import of records is asked to do."""

    file: Path
    by: str
    mapping: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RecordsReport:
    """What an import did, or would do. Every row of the file is added, updated, merged or rejected.

    id: None for a dry run. merged: rows about a record that a later row of the file tells of as well; the last counts.
    """

    id: ImportId | None
    file: RecordsFile
    rows: int
    added: int
    updated: int
    merged: int
    rejected: tuple[RejectedRow, ...]
    notes: tuple[LineNote, ...]


@dataclass(frozen=True, slots=True)
class _Ready:
    """The last row of each record, with its person. own: rows left out because they fit nobody, or several."""

    order: RecordsOrder
    file: RecordsFile
    rows: tuple[RecordNew, ...]
    own: tuple[RejectedRow, ...]


class _NotKept(Exception):
    """Ends the transaction of a dry run."""


class RecordsImport:
    """Takes spreadsheets of records in."""

    def __init__(self, open_uow: OpenOfficeUow, clock: Clock) -> None:
        self._open_uow = open_uow
        self._clock = clock

    def dry_run(self, order: RecordsOrder) -> RecordsReport:
        """What `run` would do: the same writes, none of them kept. Raises OperatorError as `run` does."""
        ready = self._ready(order)
        return _report(ready, None, *self._counted(ready))

    def run(self, order: RecordsOrder) -> RecordsReport:
        """Import the file. Raises OperatorError for a file that is no list of records."""
        ready = self._ready(order)
        report = _report(ready, None, *self._counted(ready))
        if len(ready.rows) > ONE_TRANSACTION:
            return replace(report, id=self._in_portions(ready, report))
        now = self._clock.now()
        with self._open_uow() as uow:
            import_id = uow.office.add_import(_import_row(report, order, now))
            uow.office.put_records(ready.rows, import_id, now)
            uow.log.add([_logged(report, import_id, order, now)])
        return replace(report, id=import_id)

    def _counted(self, ready: _Ready) -> tuple[int, int]:
        """How many records are new and how many are known, by writing them in transactions that are not kept."""
        added = updated = 0
        for rows in portions(ready.rows):
            try:
                with self._open_uow() as uow:
                    counts = uow.office.put_records(rows, None, self._clock.now())
                    raise _NotKept
            except _NotKept:
                added, updated = added + counts[0], updated + counts[1]
        return added, updated

    def _in_portions(self, ready: _Ready, report: RecordsReport) -> ImportId:
        now = self._clock.now()
        with self._open_uow() as uow:
            import_id = uow.office.add_import(_import_row(report, ready.order, now))
        with whole_or_not_at_all(self._open_uow, self._clock, import_id, ready.order.by):
            for rows in portions(ready.rows):
                with self._open_uow() as uow:
                    uow.office.put_records(rows, import_id, now)
        with self._open_uow() as uow:
            uow.log.add([_logged(report, import_id, ready.order, now)])
        return import_id

    def _ready(self, order: RecordsOrder) -> _Ready:
        data = read_file(order.file, MAX_BYTES)
        with self._open_uow() as uow:
            practice = uow.documents.practice()
            zones = {row.id: ZoneInfo(row.zone) for row in uow.documents.locations()}
        if practice is None or not zones:
            raise OperatorError("There is no location yet.", "Write one and: stopwell apply FILE")
        file = read_records(data, order.file.name, practice.country, order.mapping)
        rows: dict[tuple[str, str], RecordNew] = {}
        own: list[RejectedRow] = []
        cells = _cells(data, order)
        people = _People()
        for drafts in portions(file.drafts):
            with self._open_uow() as uow:
                people.look(uow, drafts)
            for draft in drafts:
                found = [each for each in people.of(draft.person) if each[1] in zones]
                if len(found) == 1:
                    person_id, location_id = found[0]
                    rows[draft.kind.value, draft.external_id] = _row(draft, person_id, zones[location_id])
                else:
                    own.append(_left_out(draft, len(found), cells))
        return _Ready(order, file, tuple(rows.values()), tuple(own))


class _People:
    """Whom a file's rows mean: looked up a portion in one go, and an address once."""

    def __init__(self) -> None:
        self._asked: set[str] = set()
        self._by_id: dict[PersonId, LocationId] = {}
        self._by_address: dict[str, dict[PersonId, PersonKnown]] = {}

    def look(self, uow: OfficeUow, drafts: Sequence[RecordDraft]) -> None:
        """Look for everyone whom these rows name, and who was not looked for before."""
        refs = {draft.person for draft in drafts}
        emails = {ref.email for ref in refs if ref.email} - self._asked
        phones = {ref.phone for ref in refs if ref.phone} - self._asked
        self._asked |= emails | phones
        for person in uow.office.known_people(emails, phones):
            for address in {person.email, person.phone, person.alt_phone} & (emails | phones):
                if address is not None:
                    self._by_address.setdefault(address, {})[person.id] = person
        ids = {ref.id for ref in refs if ref.id is not None} - self._by_id.keys()
        self._by_id |= {i: named.location_id for i in ids if (named := uow.people.read(i)) is not None}

    def of(self, ref: PersonRef) -> list[tuple[PersonId, LocationId]]:
        """Everyone whom `ref` fits; an email and a phone together mean who has both, an extension who has it too."""
        if ref.id is not None:
            return [(ref.id, self._by_id[ref.id])] if ref.id in self._by_id else []
        by_email, by_phone = (self._by_address.get(address or "", {}) for address in (ref.email, ref.phone))
        fitting = by_email if ref.email else by_phone
        found = [person for person in fitting.values() if not ref.phone or person.id in by_phone]
        if ref.phone:
            with_ext = [person for person in found if person.phone_ext == ref.phone_ext]
            found = with_ext or found
        return [(person.id, person.location_id) for person in sorted(found, key=lambda person: person.id)]


def _row(draft: RecordDraft, person_id: PersonId, zone: ZoneInfo) -> RecordNew:
    """A wall time without an offset is on the clock of the person's location; of one that occurs twice, the first."""
    starts_at = draft.starts_at
    if draft.starts_at_local is not None:
        starts_at = draft.starts_at_local.replace(tzinfo=zone).astimezone(UTC)
    return RecordNew(
        person_id=person_id,
        kind=draft.kind.value,
        status=draft.status,
        external_id=draft.external_id,
        label=draft.label,
        starts_at=starts_at,
        due_on=draft.due_on,
        amount=draft.amount,
    )


def _left_out(draft: RecordDraft, fits: int, cells: Mapping[int, tuple[str, ...]]) -> RejectedRow:
    if fits:
        reason, told = SEVERAL_PEOPLE, f"It fits {fits} people; name the one by their id."
    else:
        reason, told = UNKNOWN_PERSON, "Nobody here is whom it names; import the people first."
    return RejectedRow(draft.line, reason, told, cells.get(draft.line, ()))


def _cells(data: bytes, order: RecordsOrder) -> dict[int, tuple[str, ...]]:
    """The cells of every row as written, by its line: for the file of rejected rows."""
    known = frozenset(HEADINGS) | {fold_heading(name) for name in order.mapping} - {""}
    return {row.line: row.cells for row in read_sheet(data, order.file.name, known).rows}


def _report(ready: _Ready, import_id: ImportId | None, added: int, updated: int) -> RecordsReport:
    file = ready.file
    rejected = [RejectedRow(row.line, row.reason.value, row.told, row.cells) for row in file.rejected]
    rejected = sorted((*rejected, *ready.own), key=lambda row: row.line)
    rows = len(file.drafts) + len(file.rejected)
    return RecordsReport(
        id=import_id,
        file=file,
        rows=rows,
        added=added,
        updated=updated,
        merged=rows - added - updated - len(rejected),
        rejected=tuple(rejected),
        notes=tuple(
            LineNote(draft.line, note.code.value, note.told) for draft in file.drafts for note in draft.warnings
        ),
    )


def _import_row(report: RecordsReport, order: RecordsOrder, now: datetime) -> ImportNew:
    return ImportNew(
        at=now,
        by=order.by,
        file_name=order.file.name,
        kind="records",
        encoding=report.file.encoding,
        rows=report.rows,
        added=report.added,
        updated=report.updated,
        merged=report.merged,
        rejected=len(report.rejected),
        consent_text="",
    )


def _logged(report: RecordsReport, import_id: ImportId, order: RecordsOrder, now: datetime) -> LogLine:
    facts: dict[str, str | int | float | bool | None] = {
        "import": import_id,
        "kind": "records",
        "added": report.added,
        "updated": report.updated,
        "merged": report.merged,
        "rejected": len(report.rejected),
    }
    return LogLine(now, "import.done", order.by, facts=facts)
