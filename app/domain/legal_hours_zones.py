"""Where a person may be, as far as what is known of them tells: zones and places, with the evidence (RULES A11-A13).

A number is evidence, and no proof: people move and keep their numbers. So every zone and every place that it may mean
counts, and the hours must be legal in all. The location's own zone says nothing about a person and is never used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

from app.domain.errors import OperatorError
from app.domain.legal_hours_rules import Place, Rules, unknown_in
from app.domain.zones import zone_named

ZONE_FIELDS = frozenset({"zone", "time zone", "timezone"})
STATE_FIELDS = frozenset({"state", "province", "region"})


@dataclass(frozen=True, slots=True)
class Candidates:
    """Where a person may be. zones: IANA names, in order; none when nothing tells. places: whose rules may hold.

    confirmed: the zone was set by staff or said by the person. evidence: what told it, without the number itself.
    """

    zones: tuple[str, ...]
    places: tuple[Place, ...]
    confirmed: bool
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Number:
    """What a number tells. country: two letters or empty. zones: none where it tells no place; plan: all of its plan's.

    places: the states of its area code; for a country without states, the country.
    """

    country: str = ""
    zones: tuple[str, ...] = ()
    plan: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()


def candidates(rules: Rules, phone: str | None, custom: Mapping[str, str], country: str) -> Candidates:
    """Where the person with this number may be. phone: E.164, or None. custom: the person's own fields.

    country: the practice's, two letters, in which a state is named that the number's country does not know.
    """
    zone = state = ""
    if custom:
        zone, state = _said(custom, ZONE_FIELDS), _said(custom, STATE_FIELDS)
    return _candidates(rules, phone or "", zone, state, country)


def _said(custom: Mapping[str, str], names: frozenset[str]) -> str:
    for name, value in custom.items():
        if value and field_word(name) in names:
            return value.strip()
    return ""


def field_word(name: str) -> str:
    """The name of a person's own field as ZONE_FIELDS and STATE_FIELDS have it: `Time_Zone` is `time zone`."""
    return name.casefold().replace("_", " ")


@lru_cache(maxsize=65_536)
def _candidates(rules: Rules, phone: str, zone: str, state: str, country: str) -> Candidates:
    number = _number(rules, phone)
    confirmed = zone if _is_zone(zone) else ""
    stated = _stated(rules, state, (number.country, country))
    own = (stated,) if stated is not None else ()
    places = (*own, *number.places)
    if not places or (confirmed and not _within(confirmed, (*_zones_of(places), *number.zones), rules)):
        # not known, or known to be elsewhere: a number of New York on a clock of Chicago
        places = (*places, unknown_in(rules, number.country or country))
    if confirmed:
        zones: Iterable[str] = (confirmed,)
    elif stated is not None:
        zones = (*stated.zones, *number.zones)
    else:
        zones = number.zones or number.plan
    return Candidates(
        tuple(sorted(set(zones))),
        tuple(dict.fromkeys(places)),
        bool(confirmed),
        tuple(_evidence(number, confirmed, stated)),
    )


def _evidence(number: _Number, confirmed: str, stated: Place | None) -> Iterable[str]:
    if confirmed:
        yield f"time zone set to {confirmed}"
    if stated is not None:
        yield f"state given as {stated.code}"
    if number.places:
        yield f"number of {', '.join(place.code for place in number.places)}"
    elif number.zones:
        yield f"number of {number.country}"
    elif number.plan:
        yield "number of no place"
    else:
        yield "number that tells nothing"


def _stated(rules: Rules, state: str, countries: tuple[str, ...]) -> Place | None:
    """The state of that name in the first country that has one: the number's, the practice's, and next door."""
    if not state:
        return None
    next_door = ("US", "CA") if {"US", "CA"} & set(countries) else ()
    for code in dict.fromkeys((*countries, *next_door)):
        found = rules.countries[code].named(state) if code in rules.countries else None
        if found is not None:
            return found
    return None


@lru_cache(maxsize=65_536)
def _number(rules: Rules, phone: str) -> _Number:
    # phonenumbers and its zone data take a while to load: only where a number is asked about
    import phonenumbers
    from phonenumbers import timezone
    from phonenumbers.tzdata import TIMEZONE_DATA

    try:
        number = phonenumbers.parse(phone, None)
    except phonenumbers.NumberParseException:
        return _Number()
    calling_code = number.country_code or 0
    plan = tuple(TIMEZONE_DATA.get(str(calling_code), ()))
    country = phonenumbers.region_code_for_number(number) or ""
    if phonenumbers.number_type(number) not in _geographic():
        return _Number(country, plan=plan)
    told = timezone.time_zones_for_number(number)
    zones = () if set(told) in ({timezone.UNKNOWN_TIMEZONE}, set()) else tuple(told)
    states = rules.area_codes.get(str(number.national_number)[:3], ()) if calling_code == 1 else ()
    if states:
        sure = () if set(zones) == set(plan) else zones  # all of the plan: its data do not know the area code yet
        home = next(c.code for c in rules.countries.values() if states[0] in c.states.values())
        return _Number(home, tuple(dict.fromkeys((*sure, *_zones_of(states)))), plan, states)
    rule = rules.countries.get(country)
    return _Number(country, zones, plan, (rule.place,) if rule is not None and not rule.states else ())


@lru_cache(maxsize=1)
def _geographic() -> frozenset[int]:
    from phonenumbers import PhoneNumberType as Type

    return frozenset({Type.FIXED_LINE, Type.MOBILE, Type.FIXED_LINE_OR_MOBILE})


def _zones_of(places: Iterable[Place]) -> tuple[str, ...]:
    return tuple(zone for place in places for zone in place.zones)


def _is_zone(name: str) -> bool:
    if not name:
        return False
    try:
        zone_named(name)
    except OperatorError:
        return False
    return True


def _within(zone: str, zones: Iterable[str], rules: Rules) -> bool:
    """Whether one of `zones` keeps the same time as `zone`, summer and winter: US/Eastern is America/New_York."""
    return _times(zone, rules.as_of.year) in {_times(each, rules.as_of.year) for each in zones}


def _times(zone: str, year: int) -> tuple[object, ...]:
    clock = zone_named(zone)
    return tuple(datetime(year, month, 15, 12, tzinfo=UTC).astimezone(clock).utcoffset() for month in (1, 4, 7, 10))
