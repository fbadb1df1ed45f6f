"""The legal hours as values: which window holds where, as the dated rule pack says. Read by legal_hours_format.py.

Not here: which places a person may be in (legal_hours_zones.py), and the instants of a window (legal_hours_windows.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache

Minutes = tuple[int, int] | None
"""One day's hours in minutes of wall clock, the end not included; None: no hour of that day."""

OWN_COPY = "rules.yaml"
"""The name of a practice's own copy of the pack, in its data folder."""

COUNTRY = "country"
"""Among a place's holidays: the calendar of the country that the number belongs to."""


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A state, a province or a country, or everywhere (code empty): the window there. Each is itself only.

    week: Monday first. holidays: calendars on whose days there is no hour. also_zones: clocks on which the window must
    hold too. confirmed: False where published lists differ and the strictest reading stands.
    """

    code: str
    name: str
    week: tuple[Minutes, ...]
    holidays: tuple[str, ...] = ()
    zones: tuple[str, ...] = ()
    also_zones: tuple[str, ...] = ()
    confirmed: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Country:
    """A country's rule, and its states where it has them, by code."""

    code: str
    calling_code: int
    place: Place
    states: Mapping[str, Place]

    def named(self, text: str) -> Place | None:
        """The state of that code or name, whatever its capitals; None for anything else."""
        wanted = text.strip().casefold()
        return next((s for s in self.states.values() if wanted in (s.code.casefold(), s.name.casefold())), None)


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """The rule pack. as_of: the day it tells the law of.

    care: for care messages, everywhere. unknown: for marketing where no place's rule is known. most, within: texts and
    calls to one person. area_codes: the states of each area code of North America.
    """

    as_of: date
    care: Place
    unknown: Place
    most: int
    within: timedelta
    countries: Mapping[str, Country]
    area_codes: Mapping[str, tuple[Place, ...]]

    def rows(self) -> Iterator[Place]:
        """Every row of the pack: countries, each followed by its states."""
        for country in self.countries.values():
            yield country.place
            yield from country.states.values()

    @property
    def month(self) -> str:
        """The pack's month, as it is shown: 2026-11."""
        return f"{self.as_of:%Y-%m}"


@dataclass(frozen=True, slots=True)
class NoRules:
    """The rule pack can't be read: no text and no call goes out (RULES 0.3). because: what is wrong with it."""

    because: str = "none was read"


RulesRead = Rules | NoRules


@lru_cache(maxsize=512)
def unknown_in(rules: Rules, country: str) -> Place:
    """The window where the place's own rule is not known, with the holidays of `country` (two letters, or empty)."""
    own = (country,) if country else ()
    kept = tuple(each for each in rules.unknown.holidays if each != COUNTRY)
    return replace(rules.unknown, holidays=kept + own if COUNTRY in rules.unknown.holidays else kept)
