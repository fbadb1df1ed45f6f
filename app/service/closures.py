"""Public holidays as closures of a location: proposed by its calendar, closed only where staff say so (RULES F3)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import date

from app.domain.clock import Clock
from app.domain.errors import OperatorError
from app.domain.hours import Hours, parse_hours
from app.domain.hours_format import Closure
from app.domain.problem import nearest
from app.domain.public_holidays import ProposedClosure, proposed_closures
from app.domain.zones import zone_named
from app.engine.office_ports import LocationRow, OfficeUow, OpenOfficeUow
from app.engine.ports import LogLine
from app.service.again import again
from app.service.known_names import closure_documents


class Closures:
    """Proposes closures and closes. by: who did, as it is written in the log."""

    def __init__(self, open_uow: OpenOfficeUow, clock: Clock) -> None:
        self._open_uow = open_uow
        self._clock = clock

    def proposals(self, location: str) -> tuple[ProposedClosure, ...]:
        """The public holidays of the next year there, by date. Raises OperatorError where there is no calendar."""
        with self._open_uow() as uow:
            row = _row(uow, location)
        return self._proposed(row)

    def close(self, location: str, days: Collection[date], *, by: str) -> tuple[date, ...]:
        """Close the location on these whole days; those that were open until now.

        Waits there count their end again, and what was held for hours is asked again, as for every change of hours
        (RULES F12). Raises OperatorError for an unknown location, and for a day that is past.
        """
        now = self._clock.now()

        def write() -> tuple[date, ...]:
            with self._open_uow() as uow:
                row = _row(uow, location)
                hours = _hours(row)
                today = now.astimezone(zone_named(row.zone)).date()
                past = [day for day in days if day < today]
                if past:
                    raise OperatorError(f"{past[0]:%d %B %Y} is past.", "Only a day ahead can be closed.")
                shut = {each.date for each in hours.closures if each.whole_day}
                new = tuple(sorted(set(days) - shut))
                if not new:
                    return ()
                kept = [each for each in hours.closures if each.date not in new]
                after = replace(hours, closures=tuple(sorted([*kept, *map(Closure, new)], key=lambda each: each.date)))
                uow.documents.save_location(replace(row, closures=closure_documents(after)), now)
                facts: dict[str, str | int] = {"location": row.id, "days": ", ".join(day.isoformat() for day in new)}
                uow.log.add([LogLine(now, "location.closed", by, facts=facts)])
                return new

        return again(write)

    def _proposed(self, row: LocationRow) -> tuple[ProposedClosure, ...]:
        if not row.holidays:
            hint = "Write it into its document, as in holidays: US-OR, and: stopwell apply FILE"
            raise OperatorError(f"{row.name} has no holiday calendar.", hint)
        today = self._clock.now().astimezone(zone_named(row.zone)).date()
        return proposed_closures(row.holidays, today, _hours(row))


def _hours(row: LocationRow) -> Hours:
    return parse_hours(row.zone, row.hours, row.closures, may_never_open=True)


def _row(uow: OfficeUow, name: str) -> LocationRow:
    rows = uow.documents.locations()
    found = next((row for row in rows if row.name == name), None)
    if found is None:
        near = nearest(name, (row.name for row in rows))
        raise OperatorError(f"There is no location {name}.", f"Did you mean {near}?" if near else "")
    return found
