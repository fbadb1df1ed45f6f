"""holidays: what a location's calendar proposes, what staff close on, and what a later document opens again."""

from __future__ import annotations

import pytest

from tests.shop import Shop

PORTLAND = """
format: stopwell.location/1
name: Portland
zone: America/Los_Angeles
hours: {mon: [["09:00", "17:00"]], tue: [["09:00", "17:00"]], wed: [["09:00", "17:00"]], thu: [["09:00", "17:00"]]}
holidays: US-OR
"""


@pytest.fixture
def shop(fernhollow: Shop) -> Shop:
    """Portland keeps the calendar of Oregon, and is open from Monday to Thursday."""
    fernhollow.done("apply", fernhollow.write("portland.yaml", PORTLAND))
    return fernhollow


def days(shop: Shop) -> dict[str, bool]:
    """Whether each proposed day is closed, by the holiday's name."""
    return {each["name"]: each["closed"] for each in shop.json("holidays", "Portland")["holidays"]}


def test_holidays_are_proposed_and_close_nothing_by_themselves(shop: Shop) -> None:
    """RULES F3: staff confirm each date."""
    proposed = days(shop)
    assert proposed["Thanksgiving Day"] is False
    assert proposed["Memorial Day"] is False
    said = shop.done("holidays", "Portland").out
    assert "To close: --close DATE, or --close-all." in said


def test_a_holiday_is_closed_on_request_and_is_then_a_closure_like_any_other(shop: Shop) -> None:
    thanksgiving = next(
        each["date"] for each in shop.json("holidays", "Portland")["holidays"] if each["name"] == "Thanksgiving Day"
    )
    assert shop.json("holidays", "Portland", "--close", thanksgiving) == {
        "location": "Portland",
        "closed": [thanksgiving],
    }
    assert days(shop)["Thanksgiving Day"] is True
    assert shop.json("holidays", "Portland", "--close", thanksgiving)["closed"] == []


def test_all_are_closed_at_once_and_a_document_without_them_says_what_it_opens(shop: Shop) -> None:
    closed = shop.json("holidays", "Portland", "--close-all")["closed"]
    assert len(closed) >= 5
    assert all(days(shop).values())
    said = shop.done("apply", shop.write("again.yaml", PORTLAND)).out
    assert f"Portland was closed on {closed[0]}" in said
    assert not all(days(shop).values())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("Portlnd",), "Did you mean Portland?"),
        (("New York",), "has no holiday calendar"),
        (("Portland", "--close", "2020-01-01"), "is past"),
    ],
)
def test_what_is_wrong_is_said(shop: Shop, arguments: tuple[str, ...], told: str) -> None:
    assert told in shop.refused("holidays", *arguments)


def test_a_day_that_is_none_is_a_wrong_command_line(shop: Shop) -> None:
    said = shop("holidays", "Portland", "--close", "Christmas")
    assert (said.code, "2027-12-24" in said.err) == (2, True)
