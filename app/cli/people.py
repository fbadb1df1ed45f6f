"""import, people, person: who is here, and where they came from."""

from __future__ import annotations

import argparse
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from app.cli import shapes
from app.cli.desk import DONE, Desk, find_person, staff
from app.cli.output import counted, local, write_json, write_json_list, write_table
from app.cli.person_shape import person_shape
from app.cli.usage import UsageError, whole
from app.domain.errors import OperatorError
from app.domain.ids import ImportId, PersonId
from app.domain.lines import PeopleQuery, PersonLine
from app.domain.people_file import mend_file
from app.domain.person_lines import PersonPage
from app.domain.reasons import told
from app.domain.spreadsheet_columns import ColumnRead
from app.domain.states import Channel
from app.service.files import check_target, write_file
from app.service.import_people import ImportReport, PeopleImport, PeopleOrder
from app.service.import_records import RecordsImport, RecordsOrder, RecordsReport
from app.service.imports import Imports, LineNote, RejectedRow
from app.service.queues import Lists, Pages
from app.service.zones import Zones

SHOWN = 20


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Run one command of this family."""
    match args.call:
        case "import_people":
            _import_people(args, desk)
        case "records":
            _import_records(args, desk)
        case "undo":
            _undo(args, desk)
        case "list":
            _list(args, desk)
        case _:
            _person(args, desk)
    return DONE


def _import_people(args: argparse.Namespace, desk: Desk) -> None:
    file = _source(args)
    order = PeopleOrder(file, staff(), args.location, args.consent or "", _mapping(args.map))
    with _cut_off_in_good_order(), desk.open() as parts:
        imports = PeopleImport(parts.open_uow, parts.clock)
        report = imports.dry_run(order) if args.dry_run else imports.run(order)
    _save_rejected(args.rejected, report.file.header, report.rejected)
    if desk.as_json:
        shape = _import_shape(report)
        write_json(desk.out, {**shape, "no_consent": report.no_consent})
        return
    _tell_columns(desk, report.file.columns, report.file.encoding)
    _tell_counts(desk, report, args.rejected)
    if report.no_consent:
        many = counted(report.no_consent, "person has", "people have")
        desk.say(f"{many} no consent recorded: their marketing texts will be held, not sent.")
        desk.say('  If they agreed, say how and when: import the file again with --consent "…"')


def _import_records(args: argparse.Namespace, desk: Desk) -> None:
    file = _source(args)
    order = RecordsOrder(file, staff(), _mapping(args.map))
    with _cut_off_in_good_order(), desk.open() as parts:
        imports = RecordsImport(parts.open_uow, parts.clock)
        report = imports.dry_run(order) if args.dry_run else imports.run(order)
    _save_rejected(args.rejected, report.file.header, report.rejected)
    if desk.as_json:
        write_json(desk.out, _import_shape(report))
        return
    _tell_columns(desk, report.file.columns, report.file.encoding)
    _tell_counts(desk, report, args.rejected)


@contextmanager
def _cut_off_in_good_order() -> Iterator[None]:
    """While open, TERM, and a terminal that is closed, do what Ctrl+C does: what is half written is taken back."""
    names = ("SIGTERM", "SIGHUP")  # Windows has no HUP
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    if threading.current_thread() is not threading.main_thread():
        numbers = []  # only the main thread can be told by a signal
    before = {number: signal.signal(number, signal.default_int_handler) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _import_shape(report: ImportReport | RecordsReport) -> dict[str, object]:
    return {
        "rows": report.rows,
        "added": report.added,
        "updated": report.updated,
        "merged": report.merged,
        "rejected": [{"line": row.line, "reason": row.reason, "told": row.told} for row in report.rejected],
        "id": report.id,
        "dry_run": report.id is None,
        "encoding": report.file.encoding,
        "delimiter": report.file.delimiter,
        "columns": [{"column": column.name, "field": column.field} for column in report.file.columns],
        "notes": [{"line": note.line, "code": note.code, "told": note.told} for note in report.notes],
        "warnings": report.file.warnings,
    }


def _tell_columns(desk: Desk, columns: Sequence[ColumnRead], encoding: str) -> None:
    desk.say(f"Read as {encoding}:")
    rows = [(f"  {column.name or f'#{column.number}'}", column.field or "not read") for column in columns]
    write_table(desk.out, ("  COLUMN", "READ AS"), rows, "")
    desk.say("")


def _tell_counts(desk: Desk, report: ImportReport | RecordsReport, saved: str | None) -> None:
    for warning in report.file.warnings:
        desk.say(warning)
    for each in report.rejected[:SHOWN]:
        desk.say(f"line {each.line} left out: {each.told}")
    if len(report.rejected) > SHOWN:
        desk.say(f"and {len(report.rejected) - SHOWN} more are left out; --rejected FILE saves them all")
    _tell_notes(desk, report.notes)
    counts = (
        f"{report.added:,} added",
        f"{report.updated:,} updated",
        f"{report.merged:,} merged",
        f"{len(report.rejected):,} left out",
    )
    desk.say(f"{counted(report.rows, 'row', 'rows')}: {', '.join(counts)}.")
    if saved and report.rejected:
        desk.say(f"The rows that were left out are in {saved}: mend them and import it.")
    if report.id is None:
        desk.say("Nothing was changed: this was a dry run.")
    else:
        desk.say(f"To take it back: stopwell import undo {report.id}")


def _tell_notes(desk: Desk, notes: Sequence[LineNote]) -> None:
    for note in notes[:SHOWN]:
        desk.say(f"line {note.line}: {note.told}")
    if len(notes) > SHOWN:
        desk.say(f"and {len(notes) - SHOWN} more notes; --json lists them all")


def _source(args: argparse.Namespace) -> Path:
    """The file to import. Raises OperatorError when the rejected rows could not be saved where they are wanted."""
    file = Path(args.file)
    if args.rejected is not None:
        check_target(Path(args.rejected), not_over=file)
    return file


def _save_rejected(name: str | None, header: tuple[str, ...], rejected: tuple[RejectedRow, ...]) -> None:
    if name is None or not rejected:
        return
    try:
        write_file(Path(name), mend_file(header, rejected))
    except OperatorError as refused:
        raise OperatorError(f"{refused.told} The import itself is done.", refused.hint) from refused


def _mapping(given: Sequence[str]) -> Mapping[str, str]:
    """--map COLUMN=FIELD, as often as given. A column's name may hold `=`; a field's never does."""
    mapping: dict[str, str] = {}
    for each in given:
        column, equals, field = each.rpartition("=")
        if not equals or not column.strip() or not field.strip():
            raise UsageError(f"--map: {each} is not COLUMN=FIELD.")
        mapping[column.strip()] = field.strip()
    return mapping


def _undo(args: argparse.Namespace, desk: Desk) -> None:
    import_id = ImportId(whole(args.id, "ID"))
    with desk.open() as parts:
        gone = Imports(parts.open_uow, parts.clock).undo(import_id, by=staff())
    if desk.as_json:
        write_json(desk.out, {"id": import_id, "taken_back": gone})
    else:
        desk.say(f"Import {import_id} is taken back: {counted(gone, 'row', 'rows')} less.")


def _list(args: argparse.Namespace, desk: Desk) -> None:
    with desk.open() as parts:
        lines = Lists(parts.open_reader, parts.clock).people(PeopleQuery(search=args.search))
        if desk.as_json:
            write_json_list(desk.out, (shapes.person_line_shape(line) for line in lines))
            return
        headings = ("ID", "NAME", "PHONE", "EMAIL", "LOCATION", "JOURNEY", "NEXT")
        nobody = "Nobody here yet. Import a file: stopwell import people FILE"
        write_table(desk.out, headings, map(_person_row, lines), "Nobody fits that." if args.search.strip() else nobody)


def _person_row(line: PersonLine) -> tuple[str, ...]:
    if line.journey is None:
        journey, following = "–", line.contact.value if line.contact != "open" else ""
    else:
        journey = f"{line.journey} v{line.version}: {line.state}"
        following = shapes.told_hold(line.hold, line.zone) if line.hold else local(line.wake_at, line.zone)
    return (str(line.id), line.name, line.phone or "–", line.email or "–", line.location, journey, following)


def _person(args: argparse.Namespace, desk: Desk) -> None:
    with desk.open() as parts:
        person_id = find_person(parts, args.person)
        if args.zone is not None:
            _set_zone(Zones(parts.open_uow, parts.clock), person_id, args.zone, desk)
        page = Pages(parts.open_reader, parts.clock).person(person_id)
    if desk.as_json:
        write_json(desk.out, person_shape(page))
    else:
        _tell_person(desk, page)


def _set_zone(zones: Zones, person_id: PersonId, zone: str, desk: Desk) -> None:
    before = zones.set(person_id, zone, by=staff())
    if desk.as_json:
        return
    was = "as before" if before == zone else f"it was {before}" if before else "none was set"
    desk.say(f"Their time zone is {zone} ({was}): legal hours go by it alone.")


def _tell_person(desk: Desk, page: PersonPage) -> None:
    line = page.line
    name = line.name or ("details were erased" if page.erased_at else "no name")
    desk.say(f"{name} (person {line.id}), {line.location}: {line.contact}")
    reached = [each for each in (line.phone, page.alt_phone, line.email) if each]
    desk.say(f"  {', '.join(reached) or 'no address'}")
    if page.stop:
        stop = page.stop
        desk.say(
            f"  stop: {stop.kind}, came in {local(stop.came_in_at, line.zone)}, read {local(stop.read_at, line.zone)}"
        )
        desk.say(f"    changed {local(stop.changed_at, line.zone)}, cancelled {len(stop.cancelled)},")
        before, after = len(stop.accepted_before), len(stop.accepted_after)
        desk.say(f"    accepted before it {before}, after it {after}, not known {len(stop.unknown)}")
    for each in page.enrollments:
        end = f" ({shapes.told_end(each)})" if each.end_detail else ""
        where = f"at {each.step.id}" if each.ended_at is None else f"ended {local(each.ended_at, line.zone)}"
        desk.say(f"  {each.journey} v{each.version}: {each.state}{end}, {where}")
        if each.hold:
            desk.say(f"    held: {shapes.told_hold(each.hold, line.zone)}")
        elif each.wake_at:
            desk.say(f"    next {local(each.wake_at, line.zone)}")
    for closed in page.suppressions:
        desk.say(f"  do not contact by {shapes.CHANNEL_WORDS[closed.channel]}: {told(closed.why)}")
    for record in page.records:
        at = f", {local(record.starts_at, line.zone)}" if record.starts_at else ""
        desk.say(f"  {record.kind} {record.label or record.external_id}: {record.status}{at}")
    rows = [
        (local(each.at, line.zone), each.event, each.actor, each.journey or "", _by(each.channel), each.text)
        for each in page.timeline
    ]
    desk.say("")
    write_table(desk.out, ("WHEN", "WHAT", "BY", "JOURNEY", "CHANNEL", "WORDS"), rows, "Nothing happened yet.")


def _by(channel: Channel | None) -> str:
    return "" if channel is None else shapes.CHANNEL_WORDS[channel]
