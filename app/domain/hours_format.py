"""Opening hours as a location document writes them (DESIGN.md section 7): spans, closures, and their one reader.

A reader returns what it could read and adds a Problem for all else. Not here: what the hours mean (hours.py).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TypeGuard

from app.domain.problem import Problem, nearest

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
DAY_MINUTES = 24 * 60
_CLOSURE_KEYS = ("date", "from", "to")

Week = tuple[tuple["Span", ...], ...]
"""Seven tuples of spans, Monday first."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Opening hours of one weekday, in minutes of wall clock after midnight: [start, end).

    start: 0 to 1439. end: 0 to 1440 (24:00); an end at or before the start is on the next date.
    Raises ValueError outside these bounds, and for a start that equals the end.
    """

    start: int
    end: int

    def __post_init__(self) -> None:
        if not (0 <= self.start < DAY_MINUTES and 0 <= self.end <= DAY_MINUTES) or self.start == self.end:
            raise ValueError(f"no span from minute {self.start} to minute {self.end}")

    @property
    def runs_overnight(self) -> bool:
        """Whether it ends on the date after the one it starts on."""
        return self.end < self.start


@dataclass(frozen=True, slots=True)
class Closure:
    """A local date without opening, or the part [start, end) of it in minutes of wall clock.

    A whole date (both None) also cancels the spans that start on it, so an overnight one does not open next morning;
    a part cancels only the time it names (RULES.md F3). Raises ValueError for one bound alone or out of order.
    """

    date: date
    start: int | None = None
    end: int | None = None

    def __post_init__(self) -> None:
        if self.start is None and self.end is None:
            return
        if self.start is None or self.end is None or not 0 <= self.start < self.end <= DAY_MINUTES:
            raise ValueError(f"no closure from minute {self.start} to minute {self.end}")

    @property
    def whole_day(self) -> bool:
        """Whether the date is closed from midnight to midnight."""
        return self.start is None


def read_week(document: object, problems: list[Problem], path: str = "hours") -> Week:
    """The weekly spans, sorted; adds what is wrong to `problems`, below `path`: `hours.mon.0`."""
    if not isinstance(document, Mapping):
        hint = 'Write mon to sun with lists, such as mon: [["09:00", "17:00"]].'
        problems.append(Problem(f"{shown(document)} is not a week of hours.", path, hint=hint))
        return ((),) * len(WEEKDAYS)
    for key in document:
        if key not in WEEKDAYS:
            near = str(key)[:3].casefold() if str(key)[:3].casefold() in WEEKDAYS else nearest(str(key), WEEKDAYS)
            hint = f"Did you mean {near}?" if near else f"The days are {', '.join(WEEKDAYS)}."
            problems.append(Problem(f"{shown(key)} is not a weekday.", path, hint=hint))
    return tuple(_read_day(document[day], f"{path}.{day}", problems) if day in document else () for day in WEEKDAYS)


def _read_day(document: object, path: str, problems: list[Problem]) -> tuple[Span, ...]:
    if not _is_list(document):
        hint = 'Write a list of ["HH:MM", "HH:MM"]; [] is a closed day.'
        problems.append(Problem(f"{shown(document)} is not a list of hours.", path, hint=hint))
        return ()
    spans = [_read_span(pair, f"{path}.{place}", problems) for place, pair in enumerate(document)]
    return tuple(sorted({span for span in spans if span is not None}))


def _read_span(pair: object, path: str, problems: list[Problem]) -> Span | None:
    if not _is_list(pair) or len(pair) != 2:
        hint = 'Write ["HH:MM", "HH:MM"], such as ["09:00", "17:00"].'
        problems.append(Problem(f"{shown(pair)} is not an opening and a closing time.", path, hint=hint))
        return None
    times = (read_time(pair[0], path), read_time(pair[1], path, or_midnight=True))
    start, end = times
    if isinstance(start, Problem) or isinstance(end, Problem):
        problems += [time for time in times if isinstance(time, Problem)]
        return None
    if start == end:
        hint = 'For the whole day write ["00:00", "24:00"]; for a closed day [].'
        problems.append(Problem(f"opens and closes at {pair[0]}.", path, hint=hint))
        return None
    return Span(start, end)


def read_closures(document: object, problems: list[Problem]) -> tuple[Closure, ...]:
    """The closures by date, none for None; adds what is wrong to `problems`, at paths like `closures.0.from`."""
    if document is None:
        return ()
    if not _is_list(document):
        hint = "Write a list, such as [{date: 2026-12-24}]."
        problems.append(Problem(f"{shown(document)} is not a list of closures.", "closures", hint=hint))
        return ()
    found = [_read_closure(closure, f"closures.{place}", problems) for place, closure in enumerate(document)]
    kept = {closure for closure in found if closure is not None}
    return tuple(sorted(kept, key=lambda closure: (closure.date, closure.start or 0, closure.end or 0)))


def _read_closure(document: object, path: str, problems: list[Problem]) -> Closure | None:
    if not isinstance(document, Mapping) or "date" not in document:
        hint = 'Write {date: 2026-12-24}, or {date: 2026-12-24, from: "12:00", to: "24:00"}.'
        problems.append(Problem(f"{shown(document)} is not a closure with a date.", path, hint=hint))
        return None
    unknown = [_unknown_key(key, path) for key in document if key not in _CLOSURE_KEYS]
    day = _read_date(document["date"], f"{path}.date")
    start = read_time(document.get("from", "00:00"), f"{path}.from")
    end = read_time(document.get("to", "24:00"), f"{path}.to", or_midnight=True)
    wrong = [part for part in (*unknown, day, start, end) if isinstance(part, Problem)]
    if wrong or isinstance(day, Problem) or isinstance(start, Problem) or isinstance(end, Problem):
        problems += wrong
        return None
    if "from" not in document and "to" not in document:
        return Closure(day)
    if start >= end:
        hint = 'A closure stays on its date: end it at "24:00" and write a second one for the next date.'
        problems.append(Problem(f"the closure of {day} does not end after it starts.", path, hint=hint))
        return None
    return Closure(day, start, end)


def read_time(value: object, path: str, *, or_midnight: bool = False) -> int | Problem:
    """Minutes after midnight of a "HH:MM", or the Problem with it. or_midnight: take 24:00 as well."""
    if isinstance(value, str) and (found := re.fullmatch(r"([0-9]{1,2}):([0-9]{2})", value)):
        hour, minute = int(found[1]), int(found[2])
        if minute < 60 and hour * 60 + minute < DAY_MINUTES + or_midnight:
            return hour * 60 + minute
    last = "24:00" if or_midnight else "23:59"
    hint = f'Write "HH:MM", from "00:00" to "{last}".'
    if type(value) is int and 0 <= value <= DAY_MINUTES:  # YAML reads a bare 13:30 as a number to base 60
        hint = f'In YAML a time stands in quotes: "{value // 60:02}:{value % 60:02}".'
    return Problem(f"{shown(value)} is not a time of day.", path, hint=hint)


def _unknown_key(key: object, path: str) -> Problem:
    near = nearest(str(key), _CLOSURE_KEYS)
    hint = f"Did you mean {near}?" if near else f"The keys are {', '.join(_CLOSURE_KEYS)}."
    return Problem(f"{shown(key)} is not a key of a closure.", path, hint=hint)


def _read_date(value: object, path: str) -> date | Problem:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    if isinstance(value, str) and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        try:
            return date.fromisoformat(value)
        except ValueError:
            return Problem(f"{value} is not in the calendar.", path, hint="Check the month and the day.")
    return Problem(f"{shown(value)} is not a date.", path, hint="Write YYYY-MM-DD.")


def _is_list(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, Sequence) and not isinstance(value, str)


def shown(value: object) -> str:
    """A document's value as a person would know it again: short, text in quotes."""
    text = f'"{value}"' if isinstance(value, str) else "nothing" if value is None else str(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
