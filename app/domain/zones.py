"""Time zones by name, and the offsets that one has around a date.

Names are those of the tzdata package on every machine; the machine's own zone is never asked. Not here: opening hours.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, date, datetime, time, timedelta
from difflib import get_close_matches
from functools import lru_cache
from importlib import resources
from zoneinfo import ZoneInfo

from app.domain.errors import OperatorError

_DAY = timedelta(days=1)
# No zone of the IANA data has two changes of its offset within 48 hours, so looking every 12 misses none.
_OFFSET_STEP = timedelta(hours=12)


def zone_named(name: str) -> ZoneInfo:
    """The zone of an IANA name, aliases such as US/Pacific included, from the system or else from the tzdata package.

    Raises OperatorError, with the nearest name, for a name the tzdata package does not list: it is the same on every
    machine, whatever its file system thinks of capitals and whatever the machine's own zone is.
    """
    if name not in _zone_names():
        near = _nearest_zone(name)
        hint = f"Did you mean {near}?" if near else "Use an IANA name, such as America/New_York."
        raise OperatorError(f'"{name}" is not a time zone.', hint)
    return _zone(name)


@lru_cache(maxsize=8_192)
def offsets_on(zone: str, day: date) -> tuple[tuple[datetime, datetime, timedelta], ...]:
    """Stretches of UTC on which the zone's offset stays the same, over every instant that can read `day`."""
    clock = zone_named(zone)

    def offset_at(at: datetime) -> timedelta:
        return at.astimezone(clock).utcoffset() or timedelta(0)

    start = datetime.combine(day, time.min, UTC) - _DAY  # an offset is under 24 hours, either way
    end = start + 3 * _DAY
    stretches = []
    here, offset = start, offset_at(start)
    while here < end:
        here += _OFFSET_STEP
        if offset_at(here) != offset:
            before, after = here - _OFFSET_STEP, here
            while after - before > timedelta(seconds=1):  # offsets change at whole seconds
                middle = before + timedelta(seconds=(after - before) // timedelta(seconds=2))
                before, after = (middle, after) if offset_at(middle) == offset else (before, middle)
            stretches.append((start, after, offset))
            start, offset = after, offset_at(after)
    return (*stretches, (start, end, offset))


def zone_rules(name: str, year: int) -> str:
    """A fingerprint of the zone's offsets from the start of `year` to the end of the year after the next.

    It changes when the time zone data of this computer says something else about these years than it did. Raises
    OperatorError for a name that is not known.
    """
    clock = zone_named(name)
    first, last = datetime(year, 1, 1, tzinfo=UTC), datetime(year + 3, 1, 1, tzinfo=UTC)
    steps = int((last - first) / _OFFSET_STEP)
    offsets = (str((first + step * _OFFSET_STEP).astimezone(clock).utcoffset()) for step in range(steps))
    return hashlib.sha256("\n".join(offsets).encode()).hexdigest()[:16]


@lru_cache(maxsize=1_024)
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


@lru_cache(maxsize=1)
def _zone_names() -> frozenset[str]:
    listed = resources.files("tzdata").joinpath("zones").read_text(encoding="utf-8").split()
    return frozenset(listed) - {"Factory"}  # Factory means that nobody has set a zone


# Not IANA names, so they are never taken, only suggested: most have no clock change or mean two places.
_SPOKEN_ZONES = {
    "eastern": "America/New_York", "et": "America/New_York", "edt": "America/New_York",
    "central": "America/Chicago", "ct": "America/Chicago", "cst": "America/Chicago", "cdt": "America/Chicago",
    "mountain": "America/Denver", "mt": "America/Denver", "mdt": "America/Denver",
    "pacific": "America/Los_Angeles", "pt": "America/Los_Angeles", "pst": "America/Los_Angeles",
    "pdt": "America/Los_Angeles", "bst": "Europe/London", "cest": "Europe/Paris", "aest": "Australia/Sydney",
}  # fmt: skip


def _nearest_zone(name: str) -> str | None:
    """The zone most like `name`, by its whole name or by its city alone."""
    typed = "_".join(name.casefold().split())
    if spoken := _SPOKEN_ZONES.get(typed.removesuffix("_time").removesuffix("_standard")):
        return spoken
    known = {zone.rpartition("/")[2].casefold(): zone for zone in sorted(_zone_names(), reverse=True)}
    known |= {zone.casefold(): zone for zone in _zone_names()}
    near = get_close_matches(typed, known, n=1, cutoff=0.7)
    return known[near[0]] if near else None
