"""Doctor: looks whether everything is sound, and says what to do about what is not. It changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import metadata

from app.data_folder import DataFolder, readable_by_others
from app.domain.errors import OperatorError
from app.domain.guards import clock_verdict
from app.domain.reasons import Why, told
from app.domain.snapshot import EngineSeen
from app.domain.soundness import Examined, Finding
from app.domain.verdict import Hold
from app.domain.zones import zone_named
from app.engine.office_ports import LocationRow
from app.service.parts import Parts

SHOWN = 5


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
            self._clock(engine),
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
