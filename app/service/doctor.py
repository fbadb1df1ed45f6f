"""Doctor: looks whether everything is sound, and says what to do about what is not. It changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from importlib import metadata

from app.data_folder import DataFolder, readable_by_others
from app.domain.errors import OperatorError
from app.domain.guards import clock_verdict
from app.domain.legal_hours_rules import OWN_COPY, NoRules, RulesRead
from app.domain.reasons import Why, told
from app.domain.snapshot import EngineSeen
from app.domain.soundness import Examined, Finding
from app.domain.verdict import Hold
from app.domain.workers import WorkerLine
from app.domain.zones import zone_named
from app.engine.office_ports import LocationRow
from app.service.parts import Parts
from app.service.workers import who_works

SHOWN = 5
TOLD_SKEW_S = 2.0


class Doctor:
    """Examines one practice."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def examine(self) -> Examined:
        """Every check, in order, and how many rows there are. Raises StoreError for a database that can't be read."""
        parts = self._parts
        with parts.open_uow() as uow:
            engine = uow.engine.read()
            locations = uow.documents.locations()
        found = (
            self._folder(),
            *parts.soundness.findings(parts.clock.now()),
            _zones(locations),
            _legal_hours(parts.rules()),
            self._clock(engine),
            *self._skew(),
            self._workers(),
            _engine(engine),
        )
        return Examined(found, parts.soundness.counts())

    def _folder(self) -> Finding:
        open_to_others = readable_by_others(DataFolder(self._parts.folder))
        if not open_to_others:
            return Finding("folder", True, f"{self._parts.folder} is yours alone.")
        names = ", ".join(str(path) for path in open_to_others[:SHOWN])
        hint = f"Type: chmod -R go= {self._parts.folder}"
        return Finding("folder", False, f"Other users of this computer can read {names}.", hint)

    def _clock(self, engine: EngineSeen) -> Finding:
        verdict = clock_verdict(engine.clock_seen_at, self._parts.clock.now())
        if isinstance(verdict, Hold):
            saw = f"The computer's clock {verdict.saw} since the engine last looked."
            return Finding("clock", False, saw, "Set it right; then: stopwell unpause")
        return Finding("clock", True, "The clock is in step with what the engine last saw.")

    def _skew(self) -> tuple[Finding, ...]:
        """On a server: how far this computer's clock is off. Nothing to do: nobody goes by it (ADR 0019)."""
        if self._parts.clock_ahead is None:
            return ()
        off_s = self._parts.clock_ahead().total_seconds()
        if abs(off_s) < TOLD_SKEW_S:
            return (Finding("skew", True, "This computer's clock is in step with the database's."),)
        side = "ahead of" if off_s > 0 else "behind"
        told_off = f"This computer's clock is {_length(abs(off_s))} {side} the database's"
        return (Finding("skew", True, f"{told_off}; Stopwell goes by the database's."),)

    def _workers(self) -> Finding:
        """Who runs an engine here. One that is not heard of holds nobody up: others take over what it had."""
        now = self._parts.clock.now()
        lines = who_works(self._parts.open_uow)
        at_work = [_worker(line, line.started_at, "since") for line in lines if not line.silent(now)]
        lost = [_worker(line, line.seen_at, "last heard of") for line in lines if line.silent(now)]
        said = f"At work: {'; '.join(at_work)}." if at_work else "No engine is at work right now."
        return Finding("workers", True, f"{said} Ended without a word: {'; '.join(lost)}." if lost else said)


def _worker(line: WorkerLine, at: datetime, word: str) -> str:
    return f"{line.host} (process {line.pid}) {word} {at:%Y-%m-%d %H:%M} UTC"


def _length(length_s: float) -> str:
    """A length of time in its largest whole unit. length_s: seconds, at least 1."""
    for unit, unit_s in (("days", 86_400), ("hours", 3_600), ("min", 60)):
        if length_s >= 2 * unit_s:
            return f"{length_s / unit_s:.0f} {unit}"
    return f"{length_s:.0f} s"


def _legal_hours(rules: RulesRead) -> Finding:
    """Whether the rule pack can be read, and of which day it is (RULES 0.3)."""
    if isinstance(rules, NoRules):
        told_broken = f"The rules of legal hours can't be read, so no text and no call goes out: {rules.because}"
        return Finding("legal_hours", False, told_broken, f"Mend {OWN_COPY} in the data folder, or take it away.")
    open_rows = [row.code for row in rules.rows() if not row.confirmed]
    told_open = f"; not confirmed, and read strictly: {', '.join(open_rows)}" if open_rows else ""
    return Finding("legal_hours", True, f"Legal hours go by the rules of {rules.as_of.isoformat()}{told_open}.")


def _zones(locations: Sequence[LocationRow]) -> Finding:
    """Whether the zone of every location is known here, and by which data."""
    unknown: list[str] = []
    for location in locations:
        try:
            zone_named(location.zone)
        except OperatorError:
            unknown.append(f"{location.zone} ({location.name})")
    if unknown:
        told_unknown = f"This computer does not know the time zone {', '.join(unknown)}."
        return Finding("zones", False, told_unknown, "Install a newer tzdata.")
    return Finding("zones", True, f"The time zone of every location is known; tzdata {_tzdata()}.")


def _tzdata() -> str:
    try:
        return metadata.version("tzdata")
    except metadata.PackageNotFoundError:
        return "of the system"


def _engine(engine: EngineSeen) -> Finding:
    if engine.paused_why is None:
        return Finding("engine", True, "Sending is not paused.")
    if engine.paused_why is Why.SENDING_PAUSED:
        by = f" by {engine.paused_by}" if engine.paused_by else ""
        return Finding("engine", True, f"All sending is paused{by}; stopwell unpause lets it go on.")
    return Finding("engine", False, told(engine.paused_why), "When it is well: stopwell unpause")
