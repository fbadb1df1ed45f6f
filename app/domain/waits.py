"""Waits: how long a step waits, when it is due, and the most that can take (RULES.md F7, DESIGN.md section 7).

A due time is an instant of UTC that follows from the rule and the instant the wait began, so that it can be worked out
again whenever hours or zones change (F12). Not here: whether it may be sent then (hours.py, guards.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import assert_never

from app.domain.clock import utc
from app.domain.errors import DocumentError, OperatorError
from app.domain.hours import LOOK_AHEAD, Hours, zone_named
from app.domain.hours_format import read_time, shown
from app.domain.problem import Problem, nearest
from app.domain.record import RecordKind

RECORDS = tuple(kind.value for kind in RecordKind)
MAX_DAYS = 730
"""The longest wait that a document may ask for, in days: two years."""
MAX_RECORD_DAYS = 366
"""How far ahead a record's time may lie from the start of a wait that counts from it, in days."""

# Two years of each: elapsed ones to the minute, weeks and five-day weeks rounded down.
_LIMITS = {"minutes": MAX_DAYS * 1440, "hours": MAX_DAYS * 24, "days": MAX_DAYS, "weeks": 104, "business_days": 520}
_ANCHORS = ("before", "after")
WAIT_KEYS = (*_LIMITS, *_ANCHORS, "at")

_DAY = timedelta(days=1)
# The most that a zone has set its clocks back at once since 2000 (Antarctica/Casey): a wait over that takes longer.
_SET_BACK = timedelta(hours=3)


@dataclass(frozen=True, slots=True)
class Elapsed:
    """Real time, whatever the clocks on the wall do."""

    amount: timedelta


@dataclass(frozen=True, slots=True)
class Calendar:
    """Local dates: `days` later at the same wall time, or at `at`. A week is 7."""

    days: int
    at: time | None = None


@dataclass(frozen=True, slots=True)
class BusinessDays:
    """The `days`-th later local date that has some opening left after closures, at the same wall time or at `at`."""

    days: int
    at: time | None = None


@dataclass(frozen=True, slots=True)
class RelativeToRecord:
    """An amount before or after the time of the person's record of this kind; when the wait began is of no account."""

    record: str
    before: bool
    amount: Elapsed | Calendar


Wait = Elapsed | Calendar | BusinessDays | RelativeToRecord


class NoRecordTime(OperatorError):
    """There is no record, or none with a time, to count a wait from."""


class RecordTooFar(OperatorError):
    """A record's time is so far ahead that the wait would outlast its journey's proof."""


class NoBusinessDay(OperatorError):
    """The hours have no opening to count to."""


def due_after(wait: Wait, start: datetime, hours: Hours, record_at: datetime | None = None) -> datetime:
    """When a wait that began at `start` is over, in UTC; for a record's time that has passed, an instant in the past.

    A wall time that a clock change leaves out is moved later by the length of the gap; of one that it repeats, the
    first counts. record_at: the time of the record that a RelativeToRecord counts from, aware.
    Raises NoRecordTime, RecordTooFar or NoBusinessDay, each an OperatorError.
    """
    start = utc(start)
    match wait:
        case Elapsed(amount):
            return start + amount
        case Calendar(days, at):
            local = hours.local(start)
            return _instant(hours.zone, local.date() + days * _DAY, local.time() if at is None else at)
        case BusinessDays(days, at):
            local = hours.local(start)
            return _instant(hours.zone, _business_day(hours, local.date(), days), local.time() if at is None else at)
        case RelativeToRecord():
            return _due_by_record(wait, start, hours, record_at)
        case _:
            assert_never(wait)


def longest_days(wait: Wait) -> float:
    """The most days of 24 hours that a wait can take, for the proof (I14).

    Calendar: its days, almost one more when it ends `at` a time, and 3 hours for clocks set back on the way.
    BusinessDays: a week for each, since some weekday has hours; closed dates come on top, as every hold for hours does.
    RelativeToRecord: the amount and 366 days, beyond which `due_after` refuses to wait.
    """
    match wait:
        case Elapsed(amount):
            return amount / _DAY
        case Calendar(days, at):
            return days + _round_the_clock(at)
        case BusinessDays(days, at):
            return 7 * days + _round_the_clock(at)
        case RelativeToRecord(_, _, amount):
            return MAX_RECORD_DAYS + longest_days(amount)
        case _:
            assert_never(wait)


def told_wait(wait: Wait) -> str:
    """A wait in a few words: "2 days at 9:30 AM", "48 hours", "24 hours before the appointment"."""
    match wait:
        case Elapsed(amount):
            minutes = amount // timedelta(minutes=1)
            return _counted(minutes // 60, "hour") if minutes % 60 == 0 else _counted(minutes, "minute")
        case Calendar(days, at):
            return _counted(days, "day") + _told_at(at)
        case BusinessDays(days, at):
            return _counted(days, "working day") + _told_at(at)
        case RelativeToRecord(record, before, amount):
            side = f"{'before' if before else 'after'} the {record}"
            if isinstance(amount, Calendar) and amount.at is not None:
                # The comma keeps 9:30 from being taken for the appointment's own time.
                return f"{_counted(amount.days, 'day')} {side},{_told_at(amount.at)}"
            return f"{told_wait(amount)} {side}"
        case _:
            assert_never(wait)


def parse_wait(document: object, path: str = "for") -> Wait:
    """The wait of a step's `for` mapping (DESIGN.md section 7).

    Exactly one of minutes, hours, days, weeks, business_days; beside it `before` or `after` with a record (but not
    with business_days), and `at` "HH:MM" (but not with minutes or hours). No more than 730 days.
    Raises DocumentError with every problem found, at paths that begin with `path`.
    """
    if not isinstance(document, Mapping):
        hint = 'Write a mapping, such as {days: 2, at: "09:30"}.'
        raise DocumentError([Problem(f"{shown(document)} is not a wait.", path, hint=hint)])
    problems = [_unknown_key(key, path) for key in document if key not in WAIT_KEYS]
    unit = _read_unit(document, path, problems)
    count = 0 if unit is None else _read_count(document[unit], unit, f"{path}.{unit}", problems)
    at = _read_at(document, unit, path, problems)
    anchor = _read_anchor(document, unit, path, problems)
    if problems or unit is None:
        raise DocumentError(problems)
    if unit == "business_days":
        return BusinessDays(count, at)
    amount = Elapsed(timedelta(**{unit: count})) if unit in ("minutes", "hours") else _calendar(unit, count, at)
    return amount if anchor is None else RelativeToRecord(document[anchor], anchor == "before", amount)


def _instant(zone: str, day: date, wall: time) -> datetime:
    # fold=0 is the first of two readings and, for a missing one, the offset before the gap (PEP 495).
    return datetime.combine(day, wall.replace(fold=0), zone_named(zone)).astimezone(UTC)


def _business_day(hours: Hours, day: date, count: int) -> date:
    looked = 0
    while count:
        day, looked = day + _DAY, looked + 1
        if hours.opens_on(day):
            count, looked = count - 1, 0
        elif not hours.ever_opens or looked == LOOK_AHEAD.days:
            raise NoBusinessDay(
                f"The location has no opening in {LOOK_AHEAD.days} days, so no working day to wait for.",
                "Give it opening hours, end its closures, or wait in days.",
            )
    return day


def _due_by_record(wait: RelativeToRecord, start: datetime, hours: Hours, record_at: datetime | None) -> datetime:
    if record_at is None:
        raise NoRecordTime(
            f"There is no {wait.record} with a time to count {told_wait(wait)} from.",
            f"Give the person's {wait.record} its time, or move them on by hand.",
        )
    sign = -1 if wait.before else 1
    match wait.amount:
        case Elapsed(amount):
            due = utc(record_at) + sign * amount
        case Calendar(days, at):
            due = due_after(Calendar(sign * days, at), record_at, hours)
        case _:
            assert_never(wait.amount)
    if due - start > timedelta(days=longest_days(wait)):
        raise RecordTooFar(
            f"The {wait.record} is more than {MAX_RECORD_DAYS} days ahead: too far for {told_wait(wait)}.",
            f"Check the date of the {wait.record}, or start the journey later.",
        )
    return due


def _round_the_clock(at: time | None) -> float:
    return (_SET_BACK + (timedelta(0) if at is None else _DAY)) / _DAY


def _calendar(unit: str, count: int, at: time | None) -> Calendar:
    return Calendar(count * 7 if unit == "weeks" else count, at)


def _unknown_key(key: object, path: str) -> Problem:
    if str(key).casefold() in ("month", "months"):
        return Problem(f"{shown(key)} is not a length of a wait.", path, hint="Months differ: write days: 30.")
    near = nearest(str(key), WAIT_KEYS)
    hint = f"Did you mean {near}?" if near else f"The keys are {', '.join(WAIT_KEYS)}."
    return Problem(f"{shown(key)} is not a key of a wait.", path, hint=hint)


def _read_unit(document: Mapping[object, object], path: str, problems: list[Problem]) -> str | None:
    units = [unit for unit in _LIMITS if unit in document]
    if len(units) == 1:
        return units[0]
    if units:
        problems.append(Problem(f"{' and '.join(units)} in one wait.", path, hint="Keep one of them."))
    elif not problems:  # a misspelled unit has been named already
        hint = f"Give one of {', '.join(_LIMITS)}, such as days: 2."
        problems.append(Problem("the wait has no length.", path, hint=hint))
    return None


def _read_count(value: object, unit: str, path: str, problems: list[Problem]) -> int:
    if type(value) is not int or not 1 <= value <= _LIMITS[unit]:
        hint = f"Write a whole number from 1 to {_LIMITS[unit]}: a wait is {MAX_DAYS} days at the most."
        problems.append(Problem(f"{shown(value)} is not a number of {unit}.", path, hint=hint))
        return 0
    return value


def _read_at(document: Mapping[object, object], unit: str | None, path: str, problems: list[Problem]) -> time | None:
    if "at" not in document:
        return None
    minute = read_time(document["at"], f"{path}.at")
    if isinstance(minute, Problem):
        problems.append(minute)
        return None
    if unit in ("minutes", "hours"):
        hint = "Give days, weeks or business_days with it, or take `at` away."
        problems.append(Problem(f"`at` does not go with {unit}, which are real time.", f"{path}.at", hint=hint))
    return time(minute // 60, minute % 60)


def _read_anchor(document: Mapping[object, object], unit: str | None, path: str, problems: list[Problem]) -> str | None:
    anchors = [anchor for anchor in _ANCHORS if anchor in document]
    if len(anchors) == 2:
        problems.append(Problem("before and after in one wait.", path, hint="Keep one of them."))
    if unit == "business_days" and anchors:
        hint = "Give minutes, hours, days or weeks instead."
        problems.append(Problem(f"business_days cannot be counted {anchors[0]} a record.", path, hint=hint))
    for anchor in anchors:
        record = document[anchor]
        if record not in RECORDS:
            near = nearest(str(record), RECORDS)
            hint = f"Did you mean {near}?" if near else f"The records are {', '.join(RECORDS)}."
            problems.append(Problem(f"{shown(record)} is not a record.", f"{path}.{anchor}", hint=hint))
    return anchors[0] if anchors else None


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _told_at(at: time | None) -> str:
    return "" if at is None else f" at {at.hour % 12 or 12}:{at.minute:02} {'AM' if at.hour < 12 else 'PM'}"
