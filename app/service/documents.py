"""Documents: checked together, and taken in together or not at all. Applying the same again changes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path

from app.domain.check import CheckResult, KnownNames, check_documents
from app.domain.clock import Clock
from app.domain.documents import MAX_BYTES, Format
from app.domain.errors import DocumentError
from app.domain.hours import parse_hours
from app.domain.problem import Problem
from app.domain.zones import zone_named
from app.engine.office_ports import LocationRow, OfficeUow, OpenOfficeUow
from app.engine.ports import LogLine
from app.service.again import again
from app.service.document_rules import own_problems, own_warnings
from app.service.document_saving import save
from app.service.files import read_file
from app.service.groups import know_members
from app.service.known_names import known_names
from app.service.practice_setup import FIRST_LOCATION, first_location

# a practice before its locations, whose phones are read for its country
_ORDER = (
    Format.PRACTICE,
    Format.LOCATION,
    Format.TEMPLATE,
    Format.GROUP,
    Format.SEQUENCE,
    Format.JOURNEY,
    Format.PROVIDERS,
)


@dataclass(frozen=True, slots=True)
class AppliedDocument:
    """One document that was taken in. changed: False when it says what was stored already."""

    format: Format
    name: str
    changed: bool


@dataclass(frozen=True, slots=True)
class AppliedSet:
    """What became of a set of documents. notes: what else staff should know, a line each."""

    documents: tuple[AppliedDocument, ...]
    warnings: tuple[Problem, ...]
    notes: tuple[str, ...]


def check_files(paths: Sequence[Path], known: KnownNames | None, country: str | None) -> CheckResult:
    """Everything that is wrong with the documents of these files, as `apply` would find it; nothing is saved.

    known: what is stored already, None for nothing. country: the stored practice's, for phones. Raises OperatorError
    for a file that can't be read at all.
    """
    return _checked(read_texts(paths), known, country)


def read_texts(paths: Sequence[Path]) -> Mapping[str, bytes]:
    """The files' bytes by their names as given; a file named twice counts once. Raises OperatorError."""
    return {str(path): read_file(path, MAX_BYTES) for path in paths}


def _checked(texts: Mapping[str, bytes], known: KnownNames | None, country: str | None) -> CheckResult:
    result = check_documents(texts, known)
    problems = (*result.problems, *own_problems(result.documents, country))
    warnings = (*result.warnings, *own_warnings(result.documents))
    return replace(result, problems=problems, warnings=warnings)


class Documents:
    """Takes documents in."""

    def __init__(self, open_uow: OpenOfficeUow, clock: Clock) -> None:
        self._open_uow = open_uow
        self._clock = clock

    def check(self, paths: Sequence[Path]) -> CheckResult:
        """As `check_files`, beside what is stored."""
        texts = read_texts(paths)
        with self._open_uow() as uow:
            known, country = known_names(uow), _country(uow)
        return _checked(texts, known, country)

    def apply(self, paths: Sequence[Path], *, by: str) -> AppliedSet:
        """Take in every document of these files, in one transaction. A journey becomes a draft, live when published.

        Raises DocumentError with every problem, each with its file and line, and then nothing was taken in.
        """
        texts = read_texts(paths)
        with self._open_uow() as uow:
            seen = known_names(uow), _country(uow)
        # linting and proving take their time: not while others wait to write
        result = _checked(texts, *seen)

        def take_in() -> AppliedSet:
            with self._open_uow() as uow:
                now_known = known_names(uow), _country(uow)
                # somebody may have saved meanwhile
                current = result if now_known == seen else _checked(texts, *now_known)
                if current.problems:
                    raise DocumentError(current.problems)
                return _apply(uow, current, by, self._clock.now())

        applied = again(take_in)  # two locations lock their people one after the other
        if any(each.format is Format.GROUP and each.changed for each in applied.documents):
            know_members(self._open_uow, None, self._clock.now())
        return applied


def _country(uow: OfficeUow) -> str | None:
    practice = uow.documents.practice()
    return practice.country if practice else None


def _apply(uow: OfficeUow, result: CheckResult, by: str, now: datetime) -> AppliedSet:
    applied: list[AppliedDocument] = []
    shut = {row.name: _whole_days(row) for row in uow.documents.locations()}
    for document in sorted(result.documents, key=lambda each: _ORDER.index(each.format)):
        changed = save(uow, document, now)
        applied.append(AppliedDocument(document.format, document.name, changed))
        if changed:
            facts = {"format": document.format.value}
            uow.log.add([LogLine(now, "document.applied", by, facts=dict(facts))])
    notes = [*_first_location_gone(uow, applied), *_opened_again(uow, shut, now), *_pinned(uow, applied)]
    return AppliedSet(tuple(applied), result.warnings, tuple(notes))


def _first_location_gone(uow: OfficeUow, applied: Sequence[AppliedDocument]) -> list[str]:
    """The location that init made goes when staff write their own: untouched, and nobody belongs to it."""
    own = [each.name for each in applied if each.format is Format.LOCATION]
    first = next((row for row in uow.documents.locations() if row.name == FIRST_LOCATION), None)
    if not own or FIRST_LOCATION in own or first is None:
        return []
    untouched = replace(first_location(first.zone), id=first.id) == replace(first, closures=tuple(first.closures))
    if untouched and uow.documents.archive_location(FIRST_LOCATION):
        return [f"The location {FIRST_LOCATION}, which init made, is gone: nobody belonged to it."]
    return []


def _whole_days(row: LocationRow) -> frozenset[date]:
    hours = parse_hours(row.zone, row.hours, row.closures, may_never_open=True)
    return frozenset(each.date for each in hours.closures if each.whole_day)


def _opened_again(uow: OfficeUow, shut: Mapping[str, frozenset[date]], now: datetime) -> list[str]:
    """A document says all closures of its location: which days ahead it opens again, such as confirmed holidays."""
    told = []
    for row in uow.documents.locations():
        today = now.astimezone(zone_named(row.zone)).date()
        lost = sorted(day for day in shut.get(row.name, frozenset()) - _whole_days(row) if day >= today)
        if lost:
            days = ", ".join(f"{day:%Y-%m-%d}" for day in lost)
            told.append(f"{row.name} was closed on {days} and is open then now: the document does not close on them.")
    return told


def _pinned(uow: OfficeUow, applied: Sequence[AppliedDocument]) -> list[str]:
    """Which live journeys go on with the words that they were published with."""
    changed = {each.name for each in applied if each.format is Format.TEMPLATE and each.changed}
    if not changed:
        return []
    return [
        f"{row.name} goes on with the words it was published with; to use the new ones: stopwell publish"
        for row in uow.documents.journeys()
        if row.live_document is not None and changed & _templates_of(row.live_document)
    ]


def _templates_of(document: Mapping[str, object]) -> set[str]:
    steps = document.get("steps")
    parts = steps.values() if isinstance(steps, Mapping) else ()
    return {
        str(step[key]) for step in parts if isinstance(step, Mapping) for key in ("template", "script") if key in step
    }
