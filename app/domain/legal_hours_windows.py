"""The instants at which texting and calling is legal: a window in every zone and for every place at once (RULES A13).

As with clinic hours (hours.py) a wall time is carried to UTC by each offset of its date. What is asked again and again,
a place's day, the week of a set of candidates, is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache

from app.domain.hours import Hours, Piece
from app.domain.legal_hours_rules import Place
from app.domain.public_holidays import public_holidays
from app.domain.zones import offsets_on

LIMIT = timedelta(days=30)
"""How far an instant is looked for at which all agree (RULES F8)."""

ROOM = timedelta(minutes=60)
"""The shortest stretch worth waiting for where it is the doubt about the zone that makes it short (RULES A13)."""

_DAY = timedelta(days=1)
_NO_GUARD = timedelta(0)
_AHEAD = 8  # days of a week of stretches that are whole; a few more are looked at, for zones do not share their dates


def legal_now(zones: tuple[str, ...], places: tuple[Place, ...], at: datetime, guard: timedelta) -> bool:
    """Whether `at` (UTC) is legal everywhere, and stays so for longer than `guard` (RULES F9)."""
    end = legal_until(zones, places, at)
    return end is not None and at + guard < end


def legal_until(zones: tuple[str, ...], places: tuple[Place, ...], at: datetime) -> datetime | None:
    """The first instant after `at` that is not legal everywhere; None when `at` itself is not."""
    for opens, closes in _stretches(zones, places, at.date()):
        if opens <= at < closes:
            return closes
    return None


def next_legal(
    zones: tuple[str, ...], places: tuple[Place, ...], at: datetime, guard: timedelta = _NO_GUARD
) -> datetime | None:
    """The first instant at or after `at` that is `legal_now`; None when there is none in 30 days."""
    day = at.date()
    while _midnight(day) <= at + LIMIT:
        for opens, closes in _stretches(zones, places, day):
            first = max(opens, at)
            if first + guard < closes and first < _midnight(day + _AHEAD * _DAY):
                return first if first <= at + LIMIT else None
        day += _AHEAD * _DAY
    return None


def next_joint(
    zones: tuple[str, ...], places: tuple[Place, ...], hours: Hours | None, at: datetime, guard: timedelta = _NO_GUARD
) -> datetime | None:
    """The first instant at or after `at` that is legal and, with `hours`, in them; None when there is none in 30 days.

    Both must last longer than `guard`. Found by going from edge to edge until both agree (RULES F8).
    """
    here = at
    while here <= at + LIMIT:
        legal = next_legal(zones, places, here, guard)
        if legal is None or legal > at + LIMIT:
            return None
        opens = legal if hours is None else hours.next_send(legal, guard)
        if opens is None:
            return None
        if opens == legal:
            return legal
        here = opens
    return None


@lru_cache(maxsize=4_096)
def has_room(zones: tuple[str, ...], places: tuple[Place, ...], hours: Hours | None, day: date) -> bool:
    """Whether about `day` or in the 30 days after it there is a stretch of an hour, legal and in `hours`."""
    start = _midnight(day - _DAY)
    here = next_joint(zones, places, hours, start)
    while here is not None and here <= start + LIMIT:
        ends = [legal_until(zones, places, here), None if hours is None else hours.closes_at(here)]
        end = min(each for each in ends if each is not None)
        if end - here >= ROOM:
            return True
        here = next_joint(zones, places, hours, end)
    return False


@lru_cache(maxsize=4_096)
def _stretches(zones: tuple[str, ...], places: tuple[Place, ...], day: date) -> tuple[Piece, ...]:
    """Stretches of UTC that are legal in every zone for every place, in order: whole from the day before `day` on,
    for _AHEAD days."""
    days = [day + ahead * _DAY for ahead in range(-3, _AHEAD + 3)]
    common: Sequence[Piece] | None = None
    for place in places:
        for zone in dict.fromkeys((*zones, *place.also_zones)):
            own = _joined(piece for each in days for piece in _open(place, zone, each))
            common = own if common is None else _both(common, own)
    return tuple(common or ())


@lru_cache(maxsize=65_536)
def _open(place: Place, zone: str, day: date) -> tuple[Piece, ...]:
    """The instants that read `day` on the clock of `zone` and are in the place's window."""
    span = place.week[day.weekday()]
    if span is None or any(day in public_holidays(calendar, day.year) for calendar in place.holidays):
        return ()
    found = []
    for start, end, offset in offsets_on(zone, day):
        first = max(start, _midnight(day) + timedelta(minutes=span[0]) - offset)
        last = min(end, _midnight(day) + timedelta(minutes=span[1]) - offset)
        if first < last:
            found.append((first, last))
    return tuple(found)


def _joined(pieces: Iterable[Piece]) -> list[Piece]:
    joined: list[Piece] = []
    for first, last in sorted(pieces):
        if joined and joined[-1][1] >= first:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    return joined


def _both(left: Sequence[Piece], right: Sequence[Piece]) -> list[Piece]:
    """What two lists of stretches, each in order and apart, have in common."""
    common: list[Piece] = []
    a = b = 0
    while a < len(left) and b < len(right):
        first, last = max(left[a][0], right[b][0]), min(left[a][1], right[b][1])
        if first < last:
            common.append((first, last))
        if left[a][1] < right[b][1]:
            a += 1
        else:
            b += 1
    return common


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, UTC)
