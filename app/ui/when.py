"""Times and lengths in words. Every time has its zone; today's go without the day; the locale decides 12 or 24 hours.

Pure: `at` and `now` are aware, `zone` is an IANA name, the locale is Qt's default one unless another is given.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from PySide6.QtCore import QCoreApplication, QLocale

translate = QCoreApplication.translate

_SOON = timedelta(minutes=1)
_SHORT = QLocale.FormatType.ShortFormat
_LONG = QLocale.FormatType.LongFormat
_FAR_DAYS = 183  # further away than this, a day without its year could be either of two


class _Shape(NamedTuple):
    """What a locale decides. half_days: 9:30 AM rather than 09:30. day_first: 13 Jan rather than Jan 13."""

    half_days: bool
    day_first: bool
    locale: QLocale


@lru_cache(maxsize=8)
def _shape_of(name: str) -> _Shape:
    # The C locale is what a bare system says: nobody chose it, so the app's own language decides.
    locale = QLocale("en_US") if name == "C" else QLocale(name)
    order = locale.dateFormat(_SHORT)
    month, day = order.find("M"), order.find("d")
    return _Shape("a" in locale.timeFormat(_SHORT).lower(), -1 < day < month, locale)


def _shape() -> _Shape:
    return _shape_of(QLocale().name())


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def local(at: datetime, zone: str) -> datetime:
    """`at` on the clock of `zone`."""
    return at.astimezone(_zone(zone))


# times ----------------------------------------------------------------------------------------------------------------


def clock_words(at: datetime, zone: str, *, seconds: bool = False) -> str:
    """The time of day: “9:30 AM PST”; with seconds “10:42:07 AM PST”."""
    there = local(at, zone)
    return f"{_time_of_day(there, seconds)} {_zone_word(there)}"


def time_words(at: datetime, zone: str, now: datetime, *, seconds: bool = False) -> str:
    """“Wed Jan 13, 9:30 AM PST”; today's without the day."""
    clock = clock_words(at, zone, seconds=seconds)
    if local(at, zone).date() == local(now, zone).date():
        return clock
    return f"{day_words(at, zone, now)}, {clock}"


def next_words(at: datetime, zone: str, now: datetime) -> str:
    """As `time_words`, with “today” where a column of days is read down: “today 10:50 AM PST”."""
    if local(at, zone).date() == local(now, zone).date():
        return translate("when", "today {time}").format(time=clock_words(at, zone))
    return time_words(at, zone, now)


def short_words(at: datetime, zone: str, now: datetime) -> str:
    """As `time_words`, for chips: the coming six days by their weekday alone, “Tue 9:00 AM PST”."""
    ahead = (local(at, zone).date() - local(now, zone).date()).days
    if 0 < ahead < 7:
        return f"{_weekday(local(at, zone).date())} {clock_words(at, zone)}"
    return time_words(at, zone, now)


def time_of_day_words(at: datetime, zone: str) -> str:
    """The time without its zone, where the words beside it name the zone already: “9:30 AM”."""
    return _time_of_day(local(at, zone), seconds=False)


def hour_words(at: datetime, zone: str) -> str:
    """A full hour under a column: “1 PM”, “13:00”."""
    words = _time_of_day(local(at, zone), seconds=False)
    return words.replace(":00", "", 1) if _shape().half_days else words


def zone_words(at: datetime, zone: str) -> str:
    """What the zone is called at that instant: “PST”, “PDT”; “UTC+3” where it has no letters."""
    return _zone_word(local(at, zone))


# days -----------------------------------------------------------------------------------------------------------------


def day_words(at: datetime, zone: str, now: datetime) -> str:
    """“Wed Jan 13”, with its year when that is not plain."""
    day = local(at, zone).date()
    return f"{_weekday(day)} {_month_and_day(day, local(now, zone).date())}"


def date_words(at: datetime, zone: str, now: datetime) -> str:
    """“Jan 8”, or “today”; with its year when that is not plain."""
    day, today = local(at, zone).date(), local(now, zone).date()
    return translate("when", "today") if day == today else _month_and_day(day, today)


def plain_date_words(day: date, today: date) -> str:
    """A date that has no zone: “Jan 8”, with its year when that is not plain."""
    return _month_and_day(day, today)


def long_day_words(day: date) -> str:
    """“Tuesday, January 12”: the head over a day's rows."""
    shape = _shape()
    weekday = shape.locale.dayName(day.isoweekday(), _LONG)
    month = shape.locale.monthName(day.month, _LONG)
    return f"{weekday}, {day.day} {month}" if shape.day_first else f"{weekday}, {month} {day.day}"


# lengths --------------------------------------------------------------------------------------------------------------


def length_words(length: timedelta) -> str:
    """A length in its largest unit, rounded: “35 seconds”, “8 minutes”, “17 hours”, “3 days”. Never negative."""
    seconds = max(0, round(length.total_seconds()))
    if seconds < 60:
        return _unit(seconds, translate("when", "1 second"), translate("when", "{count} seconds"))
    minutes = round(seconds / 60)
    if minutes < 60:
        return _unit(minutes, translate("when", "1 minute"), translate("when", "{count} minutes"))
    hours = round(seconds / 3600)
    if hours < 48:
        return _unit(hours, translate("when", "1 hour"), translate("when", "{count} hours"))
    return _unit(round(seconds / 86400), translate("when", "1 day"), translate("when", "{count} days"))


def away_words(at: datetime, now: datetime) -> str:
    """How far `at` is from `now`: “in 8 minutes”, “2 hours ago”, “now” within a minute to come, “just now” after."""
    if now <= at < now + _SOON:
        return translate("when", "now")
    if at >= now:
        return translate("when", "in {length}").format(length=length_words(at - now))
    if now - at < _SOON:
        return translate("when", "just now")
    return translate("when", "{length} ago").format(length=length_words(now - at))


def _unit(count: int, one: str, other: str) -> str:
    return one if count == 1 else other.format(count=f"{count:,}")


def _time_of_day(there: datetime, seconds: bool) -> str:
    shape = _shape()
    tail = f":{there.second:02}" if seconds else ""
    if not shape.half_days:
        return f"{there.hour:02}:{there.minute:02}{tail}"
    half = shape.locale.amText() if there.hour < 12 else shape.locale.pmText()
    return f"{there.hour % 12 or 12}:{there.minute:02}{tail} {half}"


def _zone_word(there: datetime) -> str:
    name = there.tzname() or ""
    if name[:1] in "+-":  # zones without letters: +03, +0530
        hours, minutes = name[1:3].lstrip("0") or "0", name[3:]
        return f"UTC{name[:1]}{hours}{':' + minutes if minutes else ''}"
    return name


def _weekday(day: date) -> str:
    return _shape().locale.dayName(day.isoweekday(), _SHORT)


def _month_and_day(day: date, today: date) -> str:
    shape = _shape()
    month = shape.locale.monthName(day.month, _SHORT)
    words = f"{day.day} {month}" if shape.day_first else f"{month} {day.day}"
    if day.year == today.year or abs((day - today).days) < _FAR_DAYS:
        return words
    return f"{words}, {day.year}" if not shape.day_first else f"{words} {day.year}"
