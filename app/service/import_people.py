"""Import of people: a spreadsheet read, matched with everyone already here, and written, or only told of (a dry run).

Up to 2,000 people are one transaction. More are written in portions, so that a Stop never waits long; they are
one import all the same, and when a portion fails the ones before it are taken back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from app.domain.clock import Clock
from app.domain.errors import OperatorError
from app.domain.ids import ImportId, LocationId
from app.domain.people_csv import read_people
from app.domain.people_file import Outcome, PeopleFile, Reason
from app.domain.people_merge import ImportPlan, LeaveOut, PlannedRow, UpdatePerson, plan_import
from app.domain.person import PersonDraft, fold_for_search
from app.domain.problem import nearest
from app.domain.spreadsheet_bytes import MAX_BYTES
from app.engine.office_ports import ImportNew, LocationRow, OpenOfficeUow
from app.engine.ports import LogLine
from app.service.files import read_file
from app.service.import_look import ImportLook, addresses_of, known_among
from app.service.imported_people import Writing, address_notes, without_consent, write_people
from app.service.imports import ONE_TRANSACTION, LineNote, RejectedRow, portions, whole_or_not_at_all

UNKNOWN_LOCATION = "unknown_location"
NO_LOCATION = "no_location"


@dataclass(frozen=True, slots=True)
class PeopleOrder:
    """What an import of people is asked to do. location: of rows that name none; consent: how and when they agreed."""

    file: Path
    by: str
    location: str | None = None
    consent: str = ""
    mapping: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did, or would do. Every row of the file is added, updated, merged or rejected.

    id: None for a dry run. merged: rows that brought nothing new about someone in the file or here already.
    no_consent: people whose marketing texts will be held for want of a recorded consent.
    """

    id: ImportId | None
    file: PeopleFile
    rows: int
    added: int
    updated: int
    merged: int
    rejected: tuple[RejectedRow, ...]
    notes: tuple[LineNote, ...]
    no_consent: int


@dataclass(frozen=True, slots=True)
class _Ready:
    """A file whose people have their locations. places: of each draft, by its line; left_out: why a draft has none."""

    order: PeopleOrder
    file: PeopleFile
    locations: Mapping[LocationId, LocationRow]
    drafts: tuple[PersonDraft, ...]
    places: Mapping[int, LocationId]
    left_out: Mapping[int, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class _Looked:
    """What there is to say before anything is written. look: who is here already."""

    look: ImportLook
    plan: ImportPlan
    notes: tuple[LineNote, ...]
    no_consent: int


class PeopleImport:
    """Takes spreadsheets of people in."""

    def __init__(self, open_uow: OpenOfficeUow, clock: Clock) -> None:
        self._open_uow = open_uow
        self._clock = clock

    def dry_run(self, order: PeopleOrder) -> ImportReport:
        """What `run` would do, decided by the same code; nothing is written. Raises OperatorError as `run` does."""
        ready = self._ready(order)
        return _report(ready, self._look(ready))

    def run(self, order: PeopleOrder) -> ImportReport:
        """Import the file. Raises OperatorError for a file that is no list of people, or rows without any location."""
        ready = self._ready(order)
        if len(ready.drafts) > ONE_TRANSACTION:
            return self._in_portions(ready)
        now = self._clock.now()
        look = ImportLook(ready.locations)
        with self._open_uow() as uow:
            look.look(uow, ready.drafts)
            plan = plan_import(ready.drafts, look.known)
            notes = tuple(address_notes(uow, ready.drafts))
            report = _report(ready, _Looked(look, plan, notes, without_consent(uow, plan.rows, order.consent)))
            import_id = uow.office.add_import(_import_row(ready, report, now))
            write_people(uow, plan.rows, _writing(ready, import_id, now))
            uow.log.add([_logged(report, import_id, order, now)])
        return replace(report, id=import_id)

    def _ready(self, order: PeopleOrder) -> _Ready:
        data = read_file(order.file, MAX_BYTES)
        with self._open_uow() as uow:
            practice = uow.documents.practice()
            locations = uow.documents.locations()
        if practice is None or not locations:
            raise OperatorError("There is no location yet.", "Write one and: stopwell apply FILE")
        country = _country(locations, order.location) or practice.country
        file = read_people(data, order.file.name, country, order.mapping)
        places, left_out = _places(file.drafts, locations, order.location)
        drafts = tuple(draft for draft in file.drafts if draft.line in places)
        return _Ready(order, file, {row.id: row for row in locations}, drafts, places, left_out)

    def _look(self, ready: _Ready) -> _Looked:
        """The whole plan, read in portions, so that nobody waits for it."""
        look = ImportLook(ready.locations)
        notes: list[LineNote] = []
        for drafts in portions(ready.drafts):
            with self._open_uow() as uow:
                look.look(uow, drafts)
                notes += address_notes(uow, drafts)
        plan = plan_import(ready.drafts, look.known)
        no_consent = 0
        for rows in portions(plan.rows):
            with self._open_uow() as uow:
                no_consent += without_consent(uow, rows, ready.order.consent)
        return _Looked(look, plan, tuple(notes), no_consent)

    def _in_portions(self, ready: _Ready) -> ImportReport:
        looked = self._look(ready)
        report = _report(ready, looked)
        with self._open_uow() as uow:
            import_id = uow.office.add_import(_import_row(ready, report, self._clock.now()))
        with whole_or_not_at_all(self._open_uow, self._clock, import_id, ready.order.by):
            for drafts, rows in zip(portions(ready.drafts), portions(looked.plan.rows), strict=True):
                self._portion(ready, drafts, rows, looked.look, import_id)
        with self._open_uow() as uow:
            uow.log.add([_logged(report, import_id, ready.order, self._clock.now())])
        return replace(report, id=import_id)

    def _portion(
        self,
        ready: _Ready,
        drafts: Sequence[PersonDraft],
        rows: Sequence[PlannedRow],
        look: ImportLook,
        import_id: ImportId,
    ) -> None:
        """Write in one transaction what was planned, or plan once more when others have come meanwhile."""
        now = self._clock.now()
        with self._open_uow() as uow:
            if not look.holds(uow, drafts):
                rows = plan_import(drafts, known_among(uow, *addresses_of(drafts), ready.locations)).rows
            look.wrote(rows, write_people(uow, rows, _writing(ready, import_id, now)))


def _writing(ready: _Ready, import_id: ImportId, now: datetime) -> Writing:
    order = ready.order
    return Writing(import_id, order.file.name, order.consent.strip(), order.by, now, ready.places)


def _country(locations: Sequence[LocationRow], given: str | None) -> str:
    """The country of the one location that the whole list belongs to; empty when there are several, or it has none."""
    wanted = None if given is None else fold_for_search(given)
    here = [row.country for row in locations if wanted in (None, fold_for_search(row.name))]
    return here[0] if len(here) == 1 else ""


def _places(
    drafts: Sequence[PersonDraft], locations: Sequence[LocationRow], given: str | None
) -> tuple[dict[int, LocationId], dict[int, tuple[str, str]]]:
    """The location of each draft by its line, and why the others have none.

    Raises OperatorError for a given location that there is not, and when no row of the file says where it belongs.
    """
    by_name = {fold_for_search(row.name): row.id for row in locations}
    names = [row.name for row in locations]
    elsewhere = locations[0].id if len(locations) == 1 else None
    if given is not None:
        elsewhere = by_name.get(fold_for_search(given))
        if elsewhere is None:
            raise OperatorError(f"There is no location {given}.", _which(given, names))
    if elsewhere is None and drafts and not any(draft.location for draft in drafts):
        raise OperatorError(
            "The file does not say which location its people belong to.", f"Give --location, {_one(names)}."
        )
    places: dict[int, LocationId] = {}
    left_out: dict[int, tuple[str, str]] = {}
    for draft in drafts:
        place = by_name.get(fold_for_search(draft.location)) if draft.location else elsewhere
        if place is not None:
            places[draft.line] = place
        elif draft.location:
            told = f"There is no location {draft.location}. {_which(draft.location, names)}"
            left_out[draft.line] = (UNKNOWN_LOCATION, told)
        else:
            left_out[draft.line] = (NO_LOCATION, f"It names no location. Give --location, {_one(names)}.")
    return places, left_out


def _which(name: str, names: Sequence[str]) -> str:
    near = nearest(name, names)
    return f"Did you mean {near}?" if near else f"Known: {', '.join(names)}."


def _one(names: Sequence[str]) -> str:
    return f"one of {', '.join(names)}"


def _report(ready: _Ready, looked: _Looked) -> ImportReport:
    file = ready.file
    out = dict(ready.left_out)
    out |= {row.line: (Reason.AMBIGUOUS_DUPLICATE.value, row.told) for row in looked.plan.left_out}
    rejected = [
        RejectedRow(row.line, "" if row.reason is None else row.reason.value, row.told, row.cells)
        for row in file.rejected
    ]
    for row in file.rows:
        first = row.into if row.into is not None else row.line
        if row.outcome is not Outcome.REJECTED and first in out:
            reason, told = out[first]
            rejected.append(RejectedRow(row.line, reason, told, row.cells))
    rejected.sort(key=lambda each: each.line)
    added = len(looked.plan.added)
    updated = sum(1 for row in looked.plan.updated if row.changed)
    return ImportReport(
        id=None,
        file=file,
        rows=len(file.rows),
        added=added,
        updated=updated,
        merged=len(file.rows) - added - updated - len(rejected),
        rejected=tuple(rejected),
        notes=_notes(file, looked),
        no_consent=looked.no_consent,
    )


def _notes(file: PeopleFile, looked: _Looked) -> tuple[LineNote, ...]:
    """What must be told about lines that were read, by line; the file's own words before those about who is here."""
    found = [LineNote(row.line, note.code.value, note.told) for row in file.rows for note in row.notes]
    for row in looked.plan.rows:
        match row:
            case LeaveOut():
                continue
            case UpdatePerson(line=line):
                found += [LineNote(line, note.code.value, note.told) for note in row.notes]
            case _:
                found += [LineNote(row.draft.line, note.code.value, note.told) for note in row.notes]
    found += looked.notes
    once = {(note.line, note.code): note for note in reversed(found)}
    return tuple(sorted(once.values(), key=lambda note: note.line))


def _import_row(ready: _Ready, report: ImportReport, now: datetime) -> ImportNew:
    return ImportNew(
        at=now,
        by=ready.order.by,
        file_name=ready.order.file.name,
        kind="people",
        encoding=ready.file.encoding,
        rows=report.rows,
        added=report.added,
        updated=report.updated,
        merged=report.merged,
        rejected=len(report.rejected),
        consent_text=ready.order.consent.strip(),
    )


def _logged(report: ImportReport, import_id: ImportId, order: PeopleOrder, now: datetime) -> LogLine:
    facts: dict[str, str | int | float | bool | None] = {
        "import": import_id,
        "kind": "people",
        "added": report.added,
        "updated": report.updated,
        "merged": report.merged,
        "rejected": len(report.rejected),
        "consent": bool(order.consent.strip()),
    }
    return LogLine(now, "import.done", order.by, facts=facts)
