from __future__ import annotations

import re
from datetime import date, timedelta
from functools import lru_cache
from pathlib import Path

import pytest

from app.domain.errors import DocumentError
from app.domain.legal_hours_format import read_rules
from app.domain.legal_hours_rules import OWN_COPY, NoRules, Rules
from app.domain.zones import zone_named
from app.resources import resource_path
from app.rules_file import rules_of, shipped_rules

PACK = resource_path("rules", "legal_hours.yaml").read_text(encoding="utf-8")
DAYTIME = ((480, 1260),) * 7


@lru_cache
def shipped() -> Rules:
    return read_rules(PACK)


def refused(text: str) -> str:
    with pytest.raises(DocumentError) as fault:
        read_rules(text, "rules.yaml")
    return " | ".join(problem.told() for problem in fault.value.problems)


def changed(before: str, after: str) -> str:
    assert PACK.count(before) >= 1, before
    return PACK.replace(before, after, 1)


def test_the_pack_that_ships_is_read_and_says_its_date() -> None:
    assert shipped().as_of == date(2026, 11, 30)
    assert shipped().month == "2026-11"
    assert (shipped().most, shipped().within) == (3, timedelta(hours=24))


def test_every_state_and_province_has_its_zones_and_every_zone_is_known() -> None:
    states = shipped().countries["US"].states
    assert len(states) == 50 + 1 + 5  # the states, the District of Columbia, the territories
    assert len(shipped().countries["CA"].states) == 13
    for place in (*states.values(), *shipped().countries["CA"].states.values()):
        assert place.zones
        assert all(zone_named(zone) for zone in place.zones)


def test_the_states_of_two_clocks_have_both() -> None:
    states = shipped().countries["US"].states
    split = {code for code, place in states.items() if len(place.zones) > 1}
    assert {"AK", "FL", "ID", "IN", "KS", "KY", "MI", "ND", "NE", "NV", "OR", "SD", "TN", "TX"} <= split


def test_the_safe_window_lies_inside_every_row_that_is_confirmed() -> None:
    unknown = shipped().unknown
    for country in shipped().countries.values():
        for place in (country.place, *country.states.values()):
            for day, span in enumerate(unknown.week):
                own = place.week[day]
                if span is not None and place.confirmed:
                    assert own is not None, place.code
                    assert own[0] <= span[0], place.code
                    assert span[1] <= own[1], place.code


def test_no_states_window_is_wider_than_the_federal_one() -> None:
    for place in shipped().countries["US"].states.values():
        assert all(span is None or (span[0] >= 480 and span[1] <= 1260) for span in place.week), place.code


def test_area_codes_stand_in_one_state_but_for_those_of_canadas_east_and_north() -> None:
    several = {code: [p.code for p in places] for code, places in shipped().area_codes.items() if len(places) > 1}
    assert several == {"782": ["NS", "PE"], "902": ["NS", "PE"], "867": ["NT", "NU", "YT"]}


def test_the_area_codes_agree_with_the_number_plans_own_data() -> None:
    """Where phonenumbers names a state for a number of the area code, it is the one of the pack."""
    import phonenumbers
    from phonenumbers import geocoder

    named = {"Washington State": "Washington", "Washington D.C.": "District of Columbia"}
    agreed = 0
    for area_code, places in shipped().area_codes.items():
        told = geocoder.description_for_number(phonenumbers.parse(f"+1{area_code}5550142"), "en").rpartition(", ")[2]
        own = {name for place in places for name in (place.code, place.name)}
        if set(named.get(told, told).split("/")) & own:
            agreed += 1
        else:
            assert told in ("", "United States", "Canada", "British Colombia"), area_code
    assert agreed > 400


def test_a_state_without_a_window_of_its_own_has_the_countrys() -> None:
    states = shipped().countries["US"].states
    assert states["NY"].week == DAYTIME
    assert states["FL"].week == ((480, 1200),) * 7
    assert states["TX"].week == (*((540, 1260),) * 6, (720, 1260))
    assert not states["AL"].confirmed
    assert states["AL"].week[6] is None


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("format: stopwell.rules/1", "format: stopwell.rules/2", "format"),
        ("as_of: 2026-11-30", "as_of: soon", "soon is not a date"),
        ('daily: ["08:00", "21:00"]', 'daily: ["8:00", "21:00"]', "is not a time of day"),
        ('daily: ["08:00", "21:00"]', 'daily: ["21:00", "08:00"]', "is no window of one day"),
        ('daily: ["08:00", "21:00"]', 'daily: ["08:00", "24:30"]', "is not a time of day"),
        ('daily: ["08:00", "21:00"]', 'everyday: ["08:00", "21:00"]', "everyday"),
        ('{mon-fri: ["10:00", "18:00"], sat:', '{mon-sat: ["10:00", "18:00"], sat:', "one day has two windows"),
        ("zones: [America/Chicago]", "zones: [America/Chicargo]", "America/Chicargo"),
        ("holidays: [US-AL]", "holidays: [US-QQ]", "US-QQ is not a holiday calendar"),
        ("area_codes: [907]", "area_codes: [90]", "area_codes"),
        ("phone_cap: {most: 3,", "phone_cap: {most: 30,", "most"),
        ("sources: [4, 9]", "sources: [4, 99]", "source 99 is not in the list of sources"),
        ("    calling_code: 1\n", "    calling_code: 1\n    wndow: {}\n", "wndow"),
    ],
)
def test_a_pack_with_a_mistake_is_refused_whole_and_the_mistake_is_named(before: str, after: str, told: str) -> None:
    said = refused(changed(before, after))
    assert told in said
    assert re.search(r"rules\.yaml:\d+", said)


def test_a_pack_is_one_document() -> None:
    assert "more than one" in refused(f"{PACK}\n---\n{PACK}")


def test_a_data_folders_own_copy_takes_the_place_of_the_shipped_one(tmp_path: Path) -> None:
    assert rules_of(tmp_path)() is shipped_rules()
    (tmp_path / OWN_COPY).write_text(changed("as_of: 2026-11-30", "as_of: 2027-02-01"), encoding="utf-8")
    own = rules_of(tmp_path)
    read = own()
    assert isinstance(read, Rules)
    assert read.as_of == date(2027, 2, 1)
    assert own() is read  # read once


@pytest.mark.expects_warning("rules.unreadable")
@pytest.mark.parametrize("text", ["", "format: stopwell.rules/1", "[", "\x00"])
def test_a_copy_that_can_not_be_read_is_no_rules_and_never_the_shipped_ones(tmp_path: Path, text: str) -> None:
    (tmp_path / OWN_COPY).write_text(text, encoding="utf-8")
    read = rules_of(tmp_path)()
    assert isinstance(read, NoRules)
    assert OWN_COPY in read.because
