from __future__ import annotations

import pytest

from app.domain.legal_hours_rules import Rules
from app.domain.legal_hours_zones import Candidates, candidates
from app.rules_file import shipped_rules


def who(phone: str | None, country: str = "US", **custom: str) -> Candidates:
    rules = shipped_rules()
    assert isinstance(rules, Rules)
    return candidates(rules, phone, custom, country)


def places(found: Candidates) -> list[str]:
    return [place.code or "unknown" for place in found.places]


@pytest.mark.parametrize(
    ("phone", "zones", "states"),
    [
        ("+12125550142", {"America/New_York"}, ["NY"]),
        # the prefix data say one zone; the state has two
        ("+18505550142", {"America/New_York", "America/Chicago"}, ["FL"]),
        ("+18125550142", {"America/Indiana/Indianapolis", "America/Chicago", "America/New_York"}, ["IN"]),
        ("+13085550142", {"America/Chicago", "America/Denver"}, ["NE"]),
        ("+19065550142", {"America/Detroit", "America/Menominee", "America/New_York"}, ["MI"]),
        ("+14235550142", {"America/New_York", "America/Chicago"}, ["TN"]),
        ("+19075550142", {"America/Anchorage", "America/Adak", "America/Juneau"}, ["AK"]),
        ("+19025550142", {"America/Halifax"}, ["NS", "PE"]),
    ],
)
def test_every_zone_of_every_state_of_the_area_code_counts(phone: str, zones: set[str], states: list[str]) -> None:
    found = who(phone)
    assert zones >= set(found.zones)
    assert {"America/New_York", "America/Chicago"} <= set(found.zones) or phone != "+14235550142"
    assert places(found) == states
    assert not found.confirmed


def test_the_three_territories_of_the_north_are_all_meant_by_their_one_area_code() -> None:
    found = who("+18675550142")
    assert {"America/Whitehorse", "America/Iqaluit", "America/Yellowknife", "America/Resolute"} <= set(found.zones)
    assert places(found) == ["NT", "NU", "YT"]


@pytest.mark.parametrize("phone", ["+18005550142", "+15005550142"])
def test_a_number_of_no_place_may_be_anywhere_in_its_plan(phone: str) -> None:
    found = who(phone)
    assert {"America/Adak", "Pacific/Guam", "America/St_Johns"} <= set(found.zones)
    assert places(found) == ["unknown"]
    assert found.evidence == ("number of no place",)


def test_an_australian_mobile_may_be_on_any_of_the_countrys_clocks() -> None:
    found = who("+61412345678")
    assert len(found.zones) == 8
    assert places(found) == ["AU"]


@pytest.mark.parametrize("phone", [None, "", "nonsense", "+80012345678"])
def test_a_number_that_tells_nothing_gives_no_zone(phone: str | None) -> None:
    found = who(phone)
    assert found.zones == ()
    assert places(found) == ["unknown"]


def test_an_area_code_that_nobody_knows_has_no_state() -> None:
    """Its zones are what the number plan's data say, and the safe window holds."""
    found = who("+12425550142")
    assert places(found) == ["unknown"]


@pytest.mark.parametrize("field", ["zone", "time_zone", "timezone", "Time Zone", "TIMEZONE"])
def test_a_zone_of_ones_own_is_the_only_one(field: str) -> None:
    found = who("+18505550142", **{field: "America/New_York"})
    assert found.zones == ("America/New_York",)
    assert found.confirmed
    assert places(found) == ["FL"]
    assert "time zone set to America/New_York" in found.evidence


def test_a_zone_outside_the_states_of_the_number_adds_the_safe_window() -> None:
    assert places(who("+12125550142", zone="America/Chicago")) == ["NY", "unknown"]
    assert places(who("+12125550142", zone="US/Eastern")) == ["NY"]
    assert places(who("+442079460018", zone="Europe/London")) == ["GB"]
    assert places(who("+442079460018", zone="America/New_York")) == ["GB", "unknown"]


def test_a_word_that_is_no_zone_is_no_zone() -> None:
    found = who("+18505550142", zone="eastern")
    assert not found.confirmed
    assert len(found.zones) == 2


@pytest.mark.parametrize("state", ["FL", "fl", "Florida", " florida "])
def test_a_state_adds_its_zones_and_its_rule_to_the_numbers(state: str) -> None:
    found = who("+13125550142", state=state)
    assert found.zones == ("America/Chicago", "America/New_York")
    assert places(found) == ["FL", "IL"]
    assert found.evidence == ("state given as FL", "number of IL")


def test_a_state_is_enough_for_a_number_of_no_place() -> None:
    found = who("+18005550142", state="OK")
    assert found.zones == ("America/Chicago",)
    assert places(found) == ["OK"]


@pytest.mark.parametrize(
    ("field", "value", "phone", "states"),
    [
        ("province", "Ontario", "+14165550142", ["ON"]),
        ("province", "BC", "+18005550142", ["BC"]),
        ("region", "Quebec", "+12125550142", ["QC", "NY"]),
        ("state", "Bavaria", "+12125550142", ["NY"]),
        ("state", "", "+12125550142", ["NY"]),
    ],
)
def test_provinces_are_known_and_other_words_are_not(field: str, value: str, phone: str, states: list[str]) -> None:
    assert places(who(phone, **{field: value})) == states


def test_a_state_of_an_australian_practice_is_none_of_americas() -> None:
    assert places(who("+61412345678", "AU", state="WA")) == ["AU"]


def test_the_evidence_names_no_number() -> None:
    for found in (who("+12125550142", state="FL", zone="America/New_York"), who("+493023125100")):
        assert not any(any(digit in each for digit in "0123456789") for each in found.evidence)
