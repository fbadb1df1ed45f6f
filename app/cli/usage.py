"""Mistakes in a command line, and the words that arguments are read from. Exit code 2 is theirs alone."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import TypeVar

from app.domain.problem import nearest

_YEARS = range(1900, 2200)
_DIGITS = 20  # more than any id has; a longer row of digits is not even read

Day = TypeVar("Day", bound=date)


class UsageError(Exception):
    """The command line itself can't be understood. Its text is one clear line."""


def instant(text: str, option: str) -> datetime:
    """The instant of an ISO 8601 time with its offset, in UTC. Raises UsageError; a time without one is none."""
    try:
        at = datetime.fromisoformat(text.strip())
    except ValueError as exc:
        raise UsageError(f"{option}: {text} is not a time. Write 2027-01-05T13:30:00-08:00 or …Z.") from exc
    if at.tzinfo is None:
        raise UsageError(f"{option}: {text} has no zone. Write 2027-01-05T13:30:00-08:00 or …Z.")
    return _in_calendar(at, text, option).astimezone(UTC)


def day_or_instant(text: str, option: str) -> date | datetime:
    """A date (2027-01-05), or an instant with its offset. Raises UsageError."""
    word = text.strip()
    if len(word) == len("2027-01-05"):
        try:
            return _in_calendar(date.fromisoformat(word), text, option)
        except ValueError as exc:
            raise UsageError(f"{option}: {text} is not a date. Write 2027-01-05.") from exc
    return instant(word, option)


def _in_calendar(day: Day, text: str, option: str) -> Day:
    """`day` when nothing that is counted from it can leave the calendar of datetime."""
    if day.year not in _YEARS:
        raise UsageError(f"{option}: {text} is out of the calendar: {_YEARS[0]} to {_YEARS[-1]}.")
    return day


def one_of(word: str, known: Iterable[str], option: str) -> str:
    """`word` when it is one of `known`. Raises UsageError with the nearest one."""
    words = tuple(known)
    if word in words:
        return word
    near = nearest(word, words)
    raise UsageError(
        f"{option}: {word} is not known. {f'Did you mean {near}?' if near else 'Known: ' + ', '.join(words)}"
    )


def seconds(text: str, option: str) -> float:
    """A length of time in seconds, above zero. Raises UsageError."""
    try:
        length = float(text)
    except ValueError:
        length = 0
    if not 0 < length < 10_000_000:
        raise UsageError(f"{option}: {text} is not a number of seconds.")
    return length


def whole(text: str, option: str) -> int:
    """A whole number from 1 to 2^63 - 1. Raises UsageError."""
    if not (text.isascii() and text.isdigit()):
        raise UsageError(f"{option}: {text or 'nothing'} is not a whole number.")
    if not 0 < int(text[:_DIGITS]) < 2**63 or len(text) > _DIGITS:
        raise UsageError(f"{option}: {text[:_DIGITS]} is no number that is ever given here.")
    return int(text)


def version_number(text: str, option: str) -> int:
    """The number of a version. Raises UsageError."""
    if not text.isascii() or not text.isdigit() or not 0 < len(text) <= 9:
        raise UsageError(f"{option} {text[:40]} is no number of a version.")
    return int(text)
