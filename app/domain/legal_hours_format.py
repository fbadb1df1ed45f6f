"""Reads the rule pack of the legal hours, `stopwell.rules/1`, strictly: its form is told in docs/rules.md."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta
from functools import lru_cache
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from app.domain.documents import Problems, read_documents
from app.domain.errors import DocumentError, OperatorError
from app.domain.hours_format import WEEKDAYS
from app.domain.legal_hours_rules import COUNTRY, Country, Minutes, Place, Rules
from app.domain.problem import Problem
from app.domain.shape import Name, Shape, Text, read_shape, refusal
from app.domain.zones import zone_named

FORMAT = "stopwell.rules/1"

_DAYS: Mapping[str, tuple[str, ...]] = {
    **{day: (day,) for day in WEEKDAYS},
    "daily": WEEKDAYS,
    "mon-fri": WEEKDAYS[:5],
    "mon-sat": WEEKDAYS[:6],
    "weekend": WEEKDAYS[5:],
}
_CLOCK = re.compile(r"([01][0-9]|2[0-4]):([0-5][0-9])")


def _minutes(text: str) -> int:
    found = _CLOCK.fullmatch(text)
    minutes = int(found[1]) * 60 + int(found[2]) if found else -1
    if not 0 <= minutes <= 24 * 60:
        raise refusal(f"{text[:20]} is not a time of day.", 'Write "08:00".')
    return minutes


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as fault:
        raise refusal(f"{text[:20]} is not a date.", "Write 2026-11-30.") from fault


def _zone(name: str) -> str:
    try:
        zone_named(name)
    except OperatorError as unknown:
        raise refusal(unknown.told, unknown.hint) from unknown
    return name


def _calendar(name: str) -> str:
    if name != COUNTRY and name not in _known_calendars(name[:2]):
        raise refusal(f"{name[:20]} is not a holiday calendar.", "Write a country, or country and state: US-LA.")
    return name


@lru_cache(maxsize=64)
def _known_calendars(country: str) -> frozenset[str]:
    import holidays

    found = holidays.list_supported_countries().get(country)
    return frozenset() if found is None else frozenset({country, *(f"{country}-{each}" for each in found)})


def _week(window: Mapping[str, tuple[str, str]]) -> Mapping[str, tuple[str, str]]:
    taken = [day for key in window for day in _DAYS[key]]
    if len(set(taken)) != len(taken):
        raise refusal("one day has two windows.", "Name each day once.")
    for start, end in window.values():
        if _minutes(start) >= _minutes(end):
            raise refusal(f"{start} to {end} is no window of one day.", "The end stands after the start.")
    return window


def _listed(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


DayKey = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun", "daily", "mon-fri", "mon-sat", "weekend"]
Span = Annotated[tuple[Text, Text], BeforeValidator(_listed)]
Window = Annotated[dict[DayKey, Span], AfterValidator(_week), Field(min_length=1)]
Zone = Annotated[Text, AfterValidator(_zone)]
Calendar = Annotated[Text, AfterValidator(_calendar)]
Day = Annotated[Text, AfterValidator(lambda text: str(_day(text)))]
AreaCode = Annotated[int, Field(ge=200, le=999)]


class _Everywhere(Shape):
    window: Window
    holidays: list[Calendar] = Field(default_factory=list)
    sources: list[int] = Field(min_length=1)


class _State(Shape):
    name: Name
    zones: list[Zone] = Field(min_length=1)
    area_codes: list[AreaCode] = Field(min_length=1)
    window: Window | None = None
    holidays: list[Calendar] | None = None
    also_zones: list[Zone] = Field(default_factory=list)
    sources: list[int] = Field(default_factory=list)
    confirmed: bool = True


class _Country(Shape):
    name: Name
    calling_code: Annotated[int, Field(ge=1, le=999)]
    window: Window
    holidays: list[Calendar] = Field(default_factory=list)
    sources: list[int] = Field(min_length=1)
    confirmed: bool = True
    states: dict[str, _State] = Field(default_factory=dict)


class _Cap(Shape):
    most: Annotated[int, Field(ge=1, le=3)]
    hours: Annotated[int, Field(ge=24, le=168)]
    sources: list[int] = Field(min_length=1)


class _Pack(Shape):
    format: Literal["stopwell.rules/1"]
    as_of: Day
    care: _Everywhere
    unknown: _Everywhere
    phone_cap: _Cap
    countries: dict[Annotated[str, Field(pattern="^[A-Z]{2}$")], _Country] = Field(min_length=1)
    sources: dict[str, Text]


def read_rules(text: str | bytes, file: str = "") -> Rules:
    """The rule pack in `text`. Raises DocumentError with every problem and its line; nothing of it holds then."""
    documents = read_documents(text, file)
    if len(documents) != 1:
        raise DocumentError([Problem("holds more than one document.", file=file)])
    problems = Problems(documents[0])
    pack = read_shape(_Pack, documents[0].data, problems)
    if pack is not None:
        _check_sources(pack, problems)
    problems.raise_if_any()
    assert pack is not None, "read_shape notes what keeps it from reading"
    countries = {code: _country(code, each) for code, each in pack.countries.items()}
    return Rules(
        as_of=date.fromisoformat(pack.as_of),
        care=_everywhere(pack.care),
        unknown=_everywhere(pack.unknown),
        most=pack.phone_cap.most,
        within=timedelta(hours=pack.phone_cap.hours),
        countries=countries,
        area_codes=_area_codes(pack, countries),
    )


def _check_sources(pack: _Pack, problems: Problems) -> None:
    """A number without an address proves nothing."""
    named: list[tuple[str, list[int]]] = [
        ("care", pack.care.sources),
        ("unknown", pack.unknown.sources),
        ("phone_cap", pack.phone_cap.sources),
    ]
    for code, country in pack.countries.items():
        named.append((f"countries.{code}", country.sources))
        named += [(f"countries.{code}.states.{name}", state.sources) for name, state in country.states.items()]
    for path, numbers in named:
        for number in numbers:
            if str(number) not in pack.sources:
                problems.add(f"source {number} is not in the list of sources.", f"{path}.sources")


def _everywhere(shape: _Everywhere) -> Place:
    return Place("", "", _minutes_of(shape.window), tuple(shape.holidays))


def _country(code: str, shape: _Country) -> Country:
    place = Place(code, shape.name, _minutes_of(shape.window), tuple(shape.holidays), confirmed=shape.confirmed)
    states = {name: _state(name, each, place) for name, each in shape.states.items()}
    return Country(code, shape.calling_code, place, states)


def _state(code: str, shape: _State, country: Place) -> Place:
    """A state without a window of its own has the country's."""
    return Place(
        code,
        shape.name,
        country.week if shape.window is None else _minutes_of(shape.window),
        country.holidays if shape.holidays is None else tuple(shape.holidays),
        tuple(shape.zones),
        tuple(shape.also_zones),
        shape.confirmed if shape.window is not None else country.confirmed,
    )


def _minutes_of(window: Mapping[DayKey, tuple[str, str]]) -> tuple[Minutes, ...]:
    days = {day: (_minutes(start), _minutes(end)) for key, (start, end) in window.items() for day in _DAYS[key]}
    return tuple(days.get(day) for day in WEEKDAYS)


def _area_codes(pack: _Pack, countries: Mapping[str, Country]) -> Mapping[str, tuple[Place, ...]]:
    found: dict[str, tuple[Place, ...]] = {}
    for code, country in pack.countries.items():
        for name, state in country.states.items():
            for area_code in state.area_codes:
                key = str(area_code)
                found[key] = (*found.get(key, ()), countries[code].states[name])
    return found
