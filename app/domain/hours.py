"""Clinic hours: when a location is open, exactly, in any zone and across clock changes (RULES.md F1 to F6 and F9).

Every answer comes from intervals of UTC: an open wall time is carried to UTC by each offset that the zone has on that
date. A wall time that a clock change leaves out thus never happens, and one that it repeats happens twice.
Not here: what to do while closed (guards.py), the recipient's legal hours, and how long a step waits (waits.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from itertools import pairwise

from app.domain.clock import utc
from app.domain.errors import DocumentError, OperatorError
from app.domain.hours_format import DAY_MINUTES, WEEKDAYS, Closure, Span, Week, read_closures, read_week, shown
from app.domain.problem import Problem
from app.domain.zones import offsets_on, zone_named

__all__ = ["LOOK_AHEAD", "WEEKDAYS", "Closure", "Hours", "Span", "Week", "parse_hours", "zone_named"]

LOOK_AHEAD = timedelta(days=370)
"""How far an opening or a closing is looked for (RULES.md F5): what is not found within it counts as never."""

_DAY = timedelta(days=1)

Piece = tuple[datetime, datetime]
"""A stretch of UTC, closed at its start and open at its end."""


@dataclass(frozen=True, slots=True)
class Hours:
    """Opening hours of one location. Instants come in aware, in any zone, and go out in UTC.

    zone: an IANA name, kept as typed. weekly: seven tuples of spans, Monday first; touching and overlapping spans join.
    Raises OperatorError for an unknown zone, so that none is met for the first time when a message is due.
    """

    zone: str
    weekly: Week
    closures: tuple[Closure, ...] = ()
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.weekly) != len(WEEKDAYS):
            raise ValueError(f"a week has 7 days, not {len(self.weekly)}")
        zone_named(self.zone)
        # Hours are the key of the caches below, asked several times a message: hash them once.
        object.__setattr__(self, "_hash", hash((self.zone, self.weekly, self.closures)))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[type[Hours], tuple[object, ...]]:
        # A kept hash is wrong in another process, where text hashes differently.
        return Hours, (self.zone, self.weekly, self.closures)

    @property
    def ever_opens(self) -> bool:
        """Whether any weekday has hours."""
        return any(self.weekly)

    def local(self, at: datetime) -> datetime:
        """`at` on the location's wall clock."""
        return utc(at).astimezone(zone_named(self.zone))

    def closure_on(self, day: date) -> Closure | None:
        """The closure to name for a local date: a whole-day one before a part of it, else the earliest part."""
        return min((c for c in self.closures if c.date == day), key=lambda c: c.start or 0, default=None)

    def opens_on(self, day: date) -> bool:
        """Whether some opening is left on this local date after its closures; False for a date that a zone left out."""
        return bool(_openings(self, day))

    def is_open(self, at: datetime) -> bool:
        """Whether open at `at`: open at the opening instant, closed at the closing instant."""
        return _piece_at(self, utc(at)) is not None

    def next_open(self, at: datetime) -> datetime | None:
        """First open instant at or after `at`; `at` itself when open; None when there is none in 370 days."""
        at = utc(at)
        if not self.ever_opens or _piece_at(self, at) is not None:
            return at if self.ever_opens else None
        found: datetime | None = None
        today = self.local(at).date()
        for ahead in range(-1, LOOK_AHEAD.days + 2):
            # A clock set back at midnight lets parts of two dates change places: look one date to either side.
            starts = [opens for opens, _ in _openings(self, today + ahead * _DAY) if opens > at]
            if found is not None:
                found = min([found, *starts])
                break
            found = starts[0] if starts else None
        return found if found is not None and found <= at + LOOK_AHEAD else None

    def closes_at(self, at: datetime) -> datetime | None:
        """First closed instant after `at`; None when closed at `at`, or when it never closes in 370 days."""
        at = utc(at)
        piece = _piece_at(self, at)
        end = None if piece is None else _joined_end(self, piece[1])
        return end if end is not None and end <= at + LOOK_AHEAD else None

    def send_ok(self, at: datetime, guard: timedelta) -> bool:
        """Whether to hand over at `at`: open, and still open `guard` of real time later (RULES.md F9)."""
        return _closing_within(self, utc(at), guard) is None

    def next_send(self, at: datetime, guard: timedelta) -> datetime | None:
        """First instant at or after `at` when `send_ok`, None when there is none in 370 days.

        An opening not longer than the guard is passed over.
        """
        limit = utc(at) + LOOK_AHEAD
        opens = self.next_open(at)
        while opens is not None and opens <= limit:
            closes = _closing_within(self, opens, guard)
            if closes is None:
                return opens
            opens = self.next_open(closes)
        return None


def parse_hours(
    zone: object, weekly: object, closures: object = None, *, path: str = "hours", may_never_open: bool = False
) -> Hours:
    """Hours from the `zone`, `hours` and `closures` of a location document (DESIGN.md section 7).

    weekly: mon to sun, each a list of ["HH:MM", "HH:MM"]. closures: a list of {date, from?, to?}, or None.
    path: the key that `weekly` stands under. may_never_open: take a week without any opening, otherwise a problem.
    Raises DocumentError with every problem found, at paths `zone`, `hours.mon.0`, `closures.0.from`.
    """
    problems: list[Problem] = []
    week = read_week(weekly, problems, path)
    if not any(week) and not problems and not may_never_open:
        hint = 'Give at least one weekday its hours, such as mon: [["09:00", "17:00"]].'
        problems.append(Problem("no opening hours: nothing would ever be sent.", path, hint=hint))
    closed = read_closures(closures, problems)
    name = zone if isinstance(zone, str) else ""
    try:
        zone_named(name)
    except OperatorError as refused:
        told = refused.told if name else f"{shown(zone)} is not a time zone."
        problems.insert(0, Problem(told, "zone", hint=refused.hint))
    if problems:
        raise DocumentError(problems)
    return Hours(name, week, closed)


@lru_cache(maxsize=16_384)
def _openings(hours: Hours, day: date) -> tuple[Piece, ...]:
    """The instants that read `day` on the wall clock and are open, in order, touching ones joined."""
    found: list[Piece] = []
    # The wall clock reading, labelled UTC; less the offset it is the instant.
    midnight = datetime.combine(day, time.min, UTC)
    for opens, closes in _wall_openings(hours, day):
        for start, end, offset in offsets_on(hours.zone, day):
            first = max(start, midnight + timedelta(minutes=opens) - offset)
            last = min(end, midnight + timedelta(minutes=closes) - offset)
            if first < last:
                found.append((first, last))
    joined: list[Piece] = []
    for first, last in sorted(found):
        if joined and joined[-1][1] == first:
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    return tuple(joined)


def _wall_openings(hours: Hours, day: date) -> list[tuple[int, int]]:
    """Open minutes of wall clock on `day`, disjoint, after closures (RULES.md F2 and F3)."""
    whole = {closure.date for closure in hours.closures if closure.whole_day}
    if day in whole:
        return []
    today, day_before = hours.weekly[day.weekday()], day - _DAY
    cuts = [(span.start, DAY_MINUTES if span.runs_overnight else span.end) for span in today]
    if day_before not in whole:
        cuts += [(0, span.end) for span in hours.weekly[day_before.weekday()] if span.runs_overnight and span.end]
    closed = [(c.start, c.end) for c in hours.closures if c.date == day and c.start is not None and c.end is not None]
    edges = sorted({edge for cut in (*cuts, *closed) for edge in cut})
    return [
        (a, b)
        for a, b in pairwise(edges)
        if any(start <= a < end for start, end in cuts) and not any(start <= a < end for start, end in closed)
    ]


def _piece_at(hours: Hours, at: datetime) -> Piece | None:
    """The piece of one date's openings that holds `at` (UTC)."""
    for opens, closes in _openings(hours, at.astimezone(zone_named(hours.zone)).date()):
        if opens <= at < closes:
            return opens, closes
    return None


@lru_cache(maxsize=4_096)
def _joined_end(hours: Hours, end: datetime) -> datetime | None:
    """Where the opening with a piece that ends at `end` closes; None when it still goes on after 370 days."""
    limit = end + LOOK_AHEAD
    while end <= limit:
        piece = _piece_at(hours, end)
        if piece is None:
            return end
        end = piece[1]
    return None


def _closing_within(hours: Hours, at: datetime, guard: timedelta) -> datetime | None:
    """The first closed instant from `at` to `at + guard`, both included; None when open throughout."""
    if guard < timedelta(0):
        raise ValueError(f"a guard of {guard} is below zero")
    until = at + guard
    while at <= until:
        piece = _piece_at(hours, at)
        if piece is None:
            return at
        at = piece[1]
    return None
