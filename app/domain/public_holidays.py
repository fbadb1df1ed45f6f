"""Public holidays by country and state, by the `holidays` library: proposals to close on, and days without hours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from app.domain.hours import Hours

AHEAD = timedelta(days=366)


@dataclass(frozen=True, slots=True)
class ProposedClosure:
    """A public holiday ahead. closed: the location is closed that whole day already, or has no hours on it."""

    date: date
    name: str
    closed: bool


@lru_cache(maxsize=1_024)
def public_holidays(calendar: str, year: int) -> Mapping[date, str]:
    """The public holidays of a country (US) or a part of it (US-LA), observed days too, with their names.

    None where the country is not known.
    """
    import holidays

    country, _, part = calendar.partition("-")
    if country not in holidays.list_supported_countries():
        return {}
    return dict(holidays.country_holidays(country, subdiv=part or None, years=year, language="en_US"))


def proposed_closures(calendar: str, today: date, hours: Hours) -> tuple[ProposedClosure, ...]:
    """The holidays of the year from `today` on, by date: staff close on each that they keep (RULES F3)."""
    shut = {each.date for each in hours.closures if each.whole_day}
    days = {**public_holidays(calendar, today.year), **public_holidays(calendar, today.year + 1)}
    return tuple(
        ProposedClosure(day, name, day in shut or not hours.weekly[day.weekday()])
        for day, name in sorted(days.items())
        if today <= day <= today + AHEAD
    )
