"""Dates and times out of spreadsheets: which order a file writes them in, then each value by that order.

A value that means two different days is never guessed: a wrong day is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from enum import StrEnum

from app.domain.people_text import clean_address, fold_for_search, is_blank_address


class DateOrder(StrEnum):
    """How a file writes day and month, as far as its own values tell."""

    MDY = "mdy"
    DMY = "dmy"
    MIXED = "mixed"
    UNKNOWN = "unknown"


class DateFault(StrEnum):
    """Why a cell gave no date."""

    BLANK = "blank"
    BAD = "bad_date"
    AMBIGUOUS = "ambiguous_date"


@dataclass(frozen=True, slots=True)
class DateRead:
    """One cell's date. value is set exactly when `fault` is None."""

    value: date | None
    fault: DateFault | None = None


@dataclass(frozen=True, slots=True)
class MomentRead:
    """A date and time. at: aware when the cell named an offset, else naive. has_time: False for a bare date."""

    at: datetime | None
    has_time: bool = False
    fault: DateFault | None = None


_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january janvier janv enero ene januar januari gennaio janeiro",
            "feb february fevrier fevr febrero februar februari febbraio fevereiro",
            "mar march mars marzo marz marco maart",
            "apr april avril avr abril abr aprile",
            "may mai mayo mei maggio maio",
            "jun june juin junio juni giugno junho",
            "jul july juillet juil julio juli luglio julho",
            "aug august aout agosto ago augustus",
            "sep sept september septembre septiembre settembre setembro",
            "oct october octobre octubre okt oktober ottobre outubro",
            "nov november novembre noviembre novembro",
            "dec december decembre diciembre dic dez dezember desember dicembre dezembro",
        ),
        start=1,
    )
    for name in names.split()
}
_FILLERS = frozenset({"de", "del", "of", "the", "le", "den", "st", "nd", "rd", "th", "er"})
_TIME = (
    r"(?P<hour>[0-9]{1,2})(?:[:.h](?P<minute>[0-9]{2})(?:[:.](?P<second>[0-9]{2})(?:[.,][0-9]+)?)?)?"
    r"\s?(?P<half>[ap]\.?m\.?)?\s?(?P<offset>z|utc|gmt|[+-][0-9]{2}(?::?[0-9]{2})?)?"
)
_TIME_ALONE = re.compile(_TIME)
_TIME_AT_END = re.compile(rf"(?:(?<=[0-9])t|[\s,]+(?:(?:at|a|um|om)\s+)?){_TIME}$")
_YEAR_FIRST = re.compile(r"([0-9]{4})([-/. ])([0-9]{1,2})\2([0-9]{1,2})|([0-9]{4})([0-9]{2})([0-9]{2})")
_YEAR_LAST = re.compile(r"([0-9]{1,2})([-/. ])([0-9]{1,2})\2([0-9]{4}|[0-9]{2})")
_WEEKDAY_BEFORE = re.compile(r"^[^\W\d_]{2,10}\.?,?\s+(?=[0-9]{1,4}[-/.])")
_WORDS = re.compile(r"[^\W\d_]+|[0-9]+")
_YEARS = range(1900, 2101)


def decide_order(cells: Iterable[str]) -> DateOrder:
    """The order of a column, by those of its values that are a real day in one order only."""
    seen: set[DateOrder] = set()
    for cell in cells:
        days = _day_by_order(_parted(cell)[0])
        if len(days) == 1:
            seen.update(days)
    if len(seen) == 2:
        return DateOrder.MIXED
    return seen.pop() if seen else DateOrder.UNKNOWN


def read_date(cell: str, order: DateOrder) -> DateRead:
    """The date of a cell; a time after it is left aside. Years 00 to 69 are 20xx, 70 to 99 are 19xx."""
    return DateRead(None, DateFault.BLANK) if is_blank_address(cell) else _day(_parted(cell)[0], order)


def read_moment(cell: str, order: DateOrder) -> MomentRead:
    """The date and time of a cell. Without a time it is midnight, and `has_time` says so."""
    if is_blank_address(cell):
        return MomentRead(None, fault=DateFault.BLANK)
    text, clock = _parted(cell)
    day = _day(text, order)
    if day.value is None:
        return MomentRead(None, fault=day.fault)
    if clock is None:
        return MomentRead(datetime.combine(day.value, time()))
    read = _time_of(clock)
    if read is None:
        return MomentRead(None, fault=DateFault.BAD)
    return MomentRead(datetime.combine(day.value, read), has_time=True)


def read_time(cell: str) -> time | None:
    """The time of day in a cell of its own, such as `3:30 pm` or `15.30`; None when it holds none."""
    clock = _TIME_ALONE.fullmatch(_folded(cell))
    return _time_of(clock) if clock and (clock["minute"] or clock["half"]) else None


def _folded(cell: str) -> str:
    return fold_for_search(clean_address(cell)).strip("'\"= ")


def _parted(cell: str) -> tuple[str, re.Match[str] | None]:
    """A cell's text before its time of day, folded, and that time."""
    text = _folded(cell)
    clock = _TIME_AT_END.search(text)
    if clock and (clock["minute"] or clock["half"]):
        return text[: clock.start()].rstrip(" ,."), clock
    return text.rstrip(" ,."), None


def _time_of(clock: re.Match[str]) -> time | None:
    """The time that was matched, aware when an offset was named; None for such as 25:00."""
    hour, minute, second = int(clock["hour"]), int(clock["minute"] or 0), int(clock["second"] or 0)
    if clock["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if clock["half"][0] == "p" else 0)
    zone = None
    if clock["offset"]:
        digits = re.sub(r"[^0-9]", "", clock["offset"]).ljust(4, "0")
        ahead = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
        if ahead >= timedelta(hours=24):
            return None
        zone = timezone(-ahead if clock["offset"].startswith("-") else ahead)
    try:
        return time(hour, minute, second, tzinfo=zone)
    except ValueError:
        return None


def _day(text: str, order: DateOrder) -> DateRead:
    """The day that a folded text without a time means."""
    plain = _one_way(text)
    if plain is not None:
        return DateRead(plain)
    days = _day_by_order(text)
    if not days:
        return DateRead(None, DateFault.BAD)
    different = set(days.values())
    if len(different) == 1:
        return DateRead(different.pop())
    return DateRead(days[order]) if order in days else DateRead(None, DateFault.AMBIGUOUS)


def _one_way(text: str) -> date | None:
    """A date that reads one way only: the year first, or the month in letters."""
    year_first = _YEAR_FIRST.fullmatch(_WEEKDAY_BEFORE.sub("", text))
    if year_first:
        year, month, day = (part for part in year_first.group(1, 3, 4) + year_first.group(5, 6, 7) if part)
        return _real(year, int(month), int(day))
    words = [word for word in _WORDS.findall(text) if word not in _FILLERS]
    numbers = [word for word in words if word[0].isdigit()]
    letters = [word for word in words if not word[0].isdigit()]
    if len(numbers) != 2 or not letters or letters[-1] not in _MONTHS:
        return None
    if len(letters) > 2 or (len(letters) == 2 and words[0] != letters[0]):  # a weekday may stand before all
        return None
    day, year = (numbers[1], numbers[0]) if len(numbers[0]) == 4 else (numbers[0], numbers[1])
    return _real(year, _MONTHS[letters[-1]], int(day)) if len(year) in (2, 4) else None


def _day_by_order(text: str) -> dict[DateOrder, date]:
    """The day of a numeric date in each order in which there is such a day."""
    numeric = _YEAR_LAST.fullmatch(_WEEKDAY_BEFORE.sub("", text))
    if not numeric:
        return {}
    first, second, year = int(numeric[1]), int(numeric[3]), numeric[4]
    both = {DateOrder.MDY: _real(year, first, second), DateOrder.DMY: _real(year, second, first)}
    return {order: day for order, day in both.items() if day}


def _real(year: str, month: int, day: int) -> date | None:
    """The date, or None when there is no such day within living memory."""
    number = int(year)
    if len(year) == 2:
        number += 2000 if number < 70 else 1900
    try:
        return date(number, month, day) if number in _YEARS else None
    except ValueError:
        return None
