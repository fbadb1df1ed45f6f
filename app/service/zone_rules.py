"""New time zone data: governments change their clocks, and what waits is counted again by the rules of now (RULES F12).

Asked when an engine starts, and every hour after: a computer takes new data in with its updates.
"""

from __future__ import annotations

from app.domain.clock import Clock
from app.domain.errors import OperatorError
from app.domain.zones import zone_rules
from app.engine.office_ports import OpenOfficeUow
from app.engine.ports import LogLine


class ZoneRules:
    """Compares the rules by which waits were counted with those that this computer knows now."""

    def __init__(self, open_uow: OpenOfficeUow, clock: Clock) -> None:
        self._open_uow = open_uow
        self._clock = clock

    def look(self) -> tuple[str, ...]:
        """Count again the waits of every location whose zone has other rules than before; those zones.

        A zone that this computer does not know is left as it was: `doctor` tells of it. Raises StoreError.
        """
        now = self._clock.now()
        with self._open_uow() as uow:
            zones = sorted({location.zone for location in uow.documents.locations()})
            kept = uow.documents.zone_rules()
            rules = {zone: found for zone in zones if (found := _rules(zone, now.year)) is not None}
            if rules == kept:
                return ()
            # a new year and a new location are no news about those who wait
            changed = tuple(zone for zone in rules if zone in kept and not _same(kept[zone], zone, now.year))
            uow.documents.save_zone_rules(rules, changed, now)
            if changed:
                uow.log.add([LogLine(now, "zones.changed", facts={"zones": ", ".join(changed)})])
        return changed


def _rules(zone: str, year: int) -> str | None:
    try:
        return f"{year}:{zone_rules(zone, year)}"
    except OperatorError:
        return None


def _same(kept: str, zone: str, year: int) -> bool:
    """Whether the rules of now say of the years that were looked at then what was said of them then."""
    then, _, _ = kept.partition(":")
    return kept == _rules(zone, int(then) if then.isdigit() else year)
