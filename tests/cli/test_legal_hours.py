"""The rule pack and the time zone of a person, as the command line tells and sets them."""

from __future__ import annotations

import pytest

from app.domain.legal_hours_rules import OWN_COPY
from app.resources import resource_path
from tests.shop import Shop

MONDAY = "2027-03-01T19:00:00Z"
TEXT = """
format: stopwell.journey/1
name: Check-in
purpose: care
ends: {replied: true}
start: ask
steps:
  ask: {do: sms, template: check-in, next: done}
  done: {do: end, as: exhausted}
---
format: stopwell.template/1
name: check-in
channel: sms
purpose: care
body: "{{ practice.name }}: is all well? Reply STOP to opt out."
"""


@pytest.fixture
def asked(fernhollow: Shop) -> Shop:
    """Ana, with a number of no country and in a journey of one text that is due."""
    file = fernhollow.folder.parent / "check-in.yaml"
    file.write_text(TEXT, encoding="utf-8")
    fernhollow.done("apply", file)
    fernhollow.done("publish", "Check-in")
    fernhollow.import_people("Name,Phone,Location\nAna Diaz,+800 1234 5678,Portland\n")
    fernhollow.done("enroll", "Check-in", "--person", "1", "--at", MONDAY)
    return fernhollow


def held(shop: Shop) -> str | None:
    shop.done("tick", "--at", MONDAY)
    lines = shop.json("queue")
    hold = lines[0]["hold"] if lines else None
    return None if hold is None else str(hold["why"])


def texts(shop: Shop) -> int:
    return len(shop.json("messages"))


def test_doctor_tells_of_which_day_the_rules_are_and_which_rows_nobody_has_confirmed(any_fernhollow: Shop) -> None:
    check = next(each for each in any_fernhollow.json("doctor")["checks"] if each["check"] == "legal_hours")
    assert check["ok"] is True
    assert "rules of 2026-11-30" in check["told"]
    assert "AL" in check["told"]
    assert "FL" not in check["told"]


def test_an_own_copy_of_the_rules_holds_in_place_of_the_shipped_ones(fernhollow: Shop) -> None:
    text = resource_path("rules", "legal_hours.yaml").read_text(encoding="utf-8")
    own = text.replace("as_of: 2026-11-30", "as_of: 2027-02-01")
    (fernhollow.folder / OWN_COPY).write_text(own, encoding="utf-8")
    assert "rules of 2027-02-01" in fernhollow.done("doctor").out


@pytest.mark.expects_warning("rules.unreadable")
def test_rules_that_can_not_be_read_are_told_by_doctor_and_hold_what_goes_by_phone(asked: Shop) -> None:
    (asked.folder / OWN_COPY).write_text("format: stopwell.rules/1\nas_of: soon\n", encoding="utf-8")
    said = asked("doctor")
    assert said.code == 1
    assert "no text and no call goes out" in said.out
    assert OWN_COPY in said.err
    assert held(asked) == "rules_unreadable"
    assert texts(asked) == 0


def test_a_held_person_goes_once_their_zone_is_set(asked: Shop) -> None:
    assert held(asked) == "zone_unknown"
    assert "Set their time zone" in asked.done("queue").out
    asked.done("person", "1", "--zone", "America/Los_Angeles")
    assert held(asked) is None
    assert texts(asked) == 1


def test_a_held_person_goes_once_an_import_brings_their_zone(asked: Shop) -> None:
    assert held(asked) == "zone_unknown"
    asked.import_people("Name,Phone,Location,custom.zone\nAna Diaz,+800 1234 5678,Portland,America/Los_Angeles\n")
    assert held(asked) is None
    assert texts(asked) == 1
