"""Lengths of elapsed time as documents write them: {days: 3}, {hours: 4, minutes: 30}.

Not here: a wait's calendar days (waits.py). A day of a duration is 24 hours, whatever the clock does.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from app.domain.errors import DocumentError
from app.domain.problem import Problem, nearest

UNITS: Mapping[str, timedelta] = {
    "weeks": timedelta(weeks=1),
    "days": timedelta(days=1),
    "hours": timedelta(hours=1),
    "minutes": timedelta(minutes=1),
}
LONGEST = timedelta(days=3660)
_HINT = "Write it like {days: 3} or {hours: 4}."


def parse_duration(data: object) -> timedelta:
    """The length that a document's mapping tells. Raises DocumentError, with paths relative to the mapping."""
    if not isinstance(data, Mapping) or not data:
        raise DocumentError([Problem("should be a length of time.", hint=_HINT)])
    problems: list[Problem] = []
    total = timedelta(0)
    for key, value in data.items():
        unit = UNITS.get(key) if isinstance(key, str) else None
        if unit is None:
            near = nearest(str(key), UNITS)
            hint = f"Did you mean {near}?" if near else f"Known: {', '.join(UNITS)}."
            problems.append(Problem(f"unknown key {key}.", str(key), hint=hint))
        elif isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:  # not: NaN is refused too
            problems.append(Problem("should be a number of 0 or more.", str(key)))
        elif value > LONGEST / unit:
            problems.append(Problem(f"is longer than {LONGEST.days} days.", str(key)))
        else:
            total += unit * value
    if not problems and not timedelta(0) < total <= LONGEST:
        problems.append(Problem(f"should be more than nothing and at most {LONGEST.days} days.", hint=_HINT))
    if problems:
        raise DocumentError(problems)
    return total


def duration_document(length: timedelta) -> dict[str, int | float]:
    """The mapping that `parse_duration` reads as `length`, in the largest units that fit."""
    found: dict[str, int | float] = {}
    rest = length
    for name in ("days", "hours"):
        count, rest = divmod(rest, UNITS[name])
        if count:
            found[name] = count
    if rest or not found:
        minutes = rest / UNITS["minutes"]
        found["minutes"] = int(minutes) if minutes.is_integer() else minutes
    return found


def told_duration(length: timedelta) -> str:
    """`length` in words: "3 days", "4 hours", "1 day 2 hours"."""
    return " ".join(
        f"{count:g} {unit if count != 1 else unit[:-1]}" for unit, count in duration_document(length).items()
    )
