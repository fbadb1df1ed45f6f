"""What the app makes of one case of the hours or the waits data set, in the data set's own words (`stopwell try`).

Here: the translation of a case to the values of hours.py and waits.py, and of their answers back. Nothing is decided.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from app.domain.clock import utc
from app.domain.errors import DocumentError
from app.domain.hours import Hours, parse_hours
from app.domain.hours_format import shown
from app.domain.problem import Problem, nearest
from app.domain.waits import MAX_DAYS, BusinessDays, Calendar, Elapsed, NoBusinessDay, due_after

_UNIT_MINUTES = {"minutes": 1, "hours": 60, "days": 1440, "weeks": 10_080}
_MODES = {"elapsed": tuple(_UNIT_MINUTES), "calendar": ("days", "weeks"), "business": ("days",)}
_FIRST_YEAR, _LAST_YEAR = 1900, 2400
_WEEK_MINUTES = 7 * 1440


def try_hours(case: Mapping[str, object]) -> dict[str, object]:
    """`id`, `open`, `next_open`, `closes_at` at `at`; with `guard_minutes` also when to send. Times in UTC, or None.

    Raises DocumentError that names the key at fault.
    """
    hours, at = _hours(case), _instant(case, "at")
    told: dict[str, object] = {
        "id": case.get("id"),
        "open": hours.is_open(at),
        "next_open": _written(hours.next_open(at)),
        "closes_at": _written(hours.closes_at(at)),
    }
    if case.get("guard_minutes") is not None:
        guard = timedelta(minutes=_whole(case["guard_minutes"], "guard_minutes", 0, _WEEK_MINUTES))
        told["send_ok_with_guard"] = hours.send_ok(at, guard)
        told["next_send_with_guard"] = _written(hours.next_send(at, guard))
    return told


def try_waits(case: Mapping[str, object]) -> dict[str, object]:
    """`id`, and when the wait that began at `start` is `due` and may `send`: UTC, or None where hours never open.

    Raises DocumentError that names the key at fault.
    """
    hours, start, wait = _hours(case), _instant(case, "start"), _wait(_needed(case, "wait"))
    try:
        due = due_after(wait, start, hours)
    except NoBusinessDay:  # to the data set an answer like any other: never
        return {"id": case.get("id"), "due": None, "send": None}
    return {"id": case.get("id"), "due": _written(due), "send": _written(hours.next_open(due))}


def _hours(case: Mapping[str, object]) -> Hours:
    zone, weekly, closures = _needed(case, "zone"), _needed(case, "weekly_hours"), case.get("closures")
    return parse_hours(zone, weekly, closures, path="weekly_hours", may_never_open=True)


def _wait(document: object) -> Elapsed | Calendar | BusinessDays:
    if not isinstance(document, Mapping):
        hint = 'Write {"mode": "calendar", "amount": 2, "unit": "days"}.'
        raise _refused(f"{shown(document)} is not a wait.", "wait", hint)
    mode, unit = document.get("mode"), document.get("unit")
    if not isinstance(mode, str) or mode not in _MODES:
        raise _refused(f"{shown(mode)} is not a mode.", "wait.mode", _one_of(mode, tuple(_MODES)))
    if not isinstance(unit, str) or unit not in _MODES[mode]:
        raise _refused(f"{shown(unit)} is not a unit of {mode} waits.", "wait.unit", _one_of(unit, _MODES[mode]))
    minutes = _UNIT_MINUTES[unit]
    amount = _whole(document.get("amount"), "wait.amount", 0, MAX_DAYS * 1440 // minutes)
    match mode:
        case "elapsed":
            return Elapsed(timedelta(minutes=amount * minutes))
        case "calendar":
            return Calendar(amount * minutes // 1440)
        case _:
            return BusinessDays(amount)


def _needed(case: Mapping[str, object], key: str) -> object:
    if key not in case:
        raise _refused("is missing.", key, "")
    return case[key]


def _instant(case: Mapping[str, object], key: str) -> datetime:
    value = _needed(case, key)
    try:
        at = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        at = None
    if at is None or at.tzinfo is None or not _FIRST_YEAR <= at.year <= _LAST_YEAR:
        hint = f"Write 2026-03-02T14:00:00Z; years {_FIRST_YEAR} to {_LAST_YEAR}."
        raise _refused(f"{shown(value)} is not an instant with its zone.", key, hint)
    return utc(at)


def _whole(value: object, key: str, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise _refused(f"{shown(value)} is not an amount.", key, f"Write a whole number from {least} to {most}.")
    return value


def _one_of(value: object, known: tuple[str, ...]) -> str:
    near = nearest(value, known) if isinstance(value, str) else None
    return f"Did you mean {near}?" if near else f"Known are {', '.join(known)}."


def _refused(told: str, path: str, hint: str) -> DocumentError:
    return DocumentError([Problem(told, path, hint=hint)])


def _written(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat().replace("+00:00", "Z")
