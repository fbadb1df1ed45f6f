"""Mistakes in a command line, and the words that arguments are read from. Exit code 2 is theirs alone."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime

from app.domain.problem import nearest


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
    try:
        return at.astimezone(UTC)
    except OverflowError as exc:
        raise UsageError(f"{option}: {text} is out of the calendar.") from exc


def day_or_instant(text: str, option: str) -> date | datetime:
    """A date (2027-01-05), or an instant with its offset. Raises UsageError."""
    word = text.strip()
    if len(word) == len("2027-01-05"):
        try:
            return date.fromisoformat(word)
        except ValueError as exc:
            raise UsageError(f"{option}: {text} is not a date. Write 2027-01-05.") from exc
    return instant(word, option)


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
    """A whole number, above zero. Raises UsageError."""
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 2**63):
        raise UsageError(f"{option}: {text} is not a whole number.")
    return int(text)
