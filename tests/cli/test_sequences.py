from __future__ import annotations

import pytest

from tests.shop import Shop

OLD = """
format: stopwell.sequence/1
name: Old welcome
steps:
  - {day: 0, channel: sms, body: "Hi {{ person.first_name }}, this is {{ practice.name }}. Reply STOP to opt out."}
  - {day: 2, channel: sms, template: nudge}
  - {day: 2, channel: call, body: "Ask {{ person.first_name }} how it goes."}
  - {day: 5, channel: sms, template: nudge}
"""
CHOSEN = ("--replied", "yes", "--converted", "appointment:booked", "--closed", "never")


def listed(shop: Shop, text: str = OLD) -> None:
    shop.done("apply", shop.write("old.yaml", text))


def test_an_old_sequence_becomes_a_draft_that_is_proven_and_is_retired(any_fernhollow: Shop) -> None:
    listed(any_fernhollow)

    made = any_fernhollow.json("sequence", "convert", "Old welcome", *CHOSEN)

    assert made["journey"] == "Old welcome"
    assert made["templates"] == ["old-welcome-day-0-sms", "old-welcome-day-2-call"]
    assert (made["proof"]["texts"], made["proof"]["calls"], made["proof"]["days"]) == (3, 1, 5)
    [line] = any_fernhollow.json("sequences")
    assert line == {"name": "Old welcome", "state": "retired", "messages": 4, "days": 5, "journey": "Old welcome"}
    [journey] = [each for each in any_fernhollow.json("journeys") if each["name"] == "Old welcome"]
    assert (journey["state"], journey["draft"]) == ("draft", True)
    assert "is retired: it became the journey Old welcome" in any_fernhollow.refused(
        "sequence", "convert", "Old welcome", *CHOSEN
    )
    any_fernhollow.done("publish", "Old welcome")


@pytest.mark.parametrize("missing", ["--replied", "--converted", "--closed"])
def test_what_ends_it_is_asked_for_first(fernhollow: Shop, missing: str) -> None:
    listed(fernhollow)
    at = CHOSEN.index(missing)

    told = fernhollow.refused("sequence", "convert", "Old welcome", *CHOSEN[:at], *CHOSEN[at + 2 :])

    assert f"What ends the journey is chosen first, and {missing} is missing." in told
    assert fernhollow.json("sequences")[0]["state"] == "listed"


@pytest.mark.parametrize(
    ("converted", "told"),
    [
        ("apointment:booked", "Did you mean appointment?"),
        ("appointment:bookd", "Did you mean booked?"),
        ("appointment", "names no status"),
        ("{recrd: appointment}", "Did you mean record?"),
    ],
)
def test_an_end_that_cannot_be_read_is_told_with_the_nearest_word(fernhollow: Shop, converted: str, told: str) -> None:
    listed(fernhollow)

    chosen = ("--replied", "yes", "--converted", converted, "--closed", "never")
    assert told in fernhollow.refused("sequence", "convert", "Old welcome", *chosen)


def test_a_template_that_the_lint_refuses_keeps_everything_as_it_was(fernhollow: Shop) -> None:
    body = "OLD: {{ person.frst_name }}"
    listed(fernhollow, f'{{format: stopwell.sequence/1, name: Bad, steps: [{{day: 0, channel: sms, body: "{body}"}}]}}')

    told = fernhollow.refused("sequence", "convert", "Bad", *CHOSEN)

    assert "template bad-day-0-sms" in told
    assert "first_name" in told
    assert fernhollow.json("sequences")[0]["state"] == "listed"
    assert "Bad" not in [each["name"] for each in fernhollow.json("journeys")]


def test_a_sequence_comes_from_a_spreadsheet(fernhollow: Shop) -> None:
    path = fernhollow.write("old.csv", 'Day,Channel,Template,Subject,Body\n0,SMS,nudge,,\n3,sms,,,"Hi, STOP ends it"\n')

    said = fernhollow.json("sequence", "import", path, "--name", "From a sheet")

    assert (said["messages"], said["changed"]) == (2, True)
    assert fernhollow.json("sequence", "import", path, "--name", "From a sheet")["changed"] is False
    fernhollow.done("sequence", "convert", "From a sheet", *CHOSEN)


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (
            "day,channel,template\n0,smss,nudge\n",
            'old.csv:2 steps.0.channel: "smss" is not known here. Did you mean sms?',
        ),
        ("day,channel,template\n0,sms,nugde\n", "old.csv:2 steps.0.template: no template is called nugde."),
        ("day,channel,body\n0,sms,\n", "old.csv:2 steps.0: a step has either a template or a body."),
        ("day,channel,template\nsoon,sms,nudge\n", "should be a whole number"),
        ("day,channel,template\n-1,sms,nudge\n", "should be at least 0"),
        ("day,chanel,template\n0,sms,nudge\n", "unknown column chanel. Did you mean channel?"),
        ("day,template\n0,nudge\n", "there is no column channel."),
        ("day,channel,template\n0,sms,nudge,more\n", "more cells than there are columns"),
        ("day,channel,template\n" + "0,sms,nudge\n" * 201, "at most 200"),
    ],
)
def test_what_is_wrong_in_a_spreadsheet_is_told_with_its_line(fernhollow: Shop, rows: str, told: str) -> None:
    path = fernhollow.write("old.csv", rows)

    assert told in fernhollow.refused("sequence", "import", path, "--name", "Old")


def test_days_that_go_backwards_are_told_and_taken_by_day(fernhollow: Shop) -> None:
    path = fernhollow.write("old.csv", "day,channel,template\n3,sms,nudge\n0,sms,nudge\n")

    said = fernhollow.json("sequence", "import", path, "--name", "Old")

    assert said["warnings"][0]["problem"] == "day 0 stands after day 3."
    assert said["warnings"][0]["line"] == 3
    assert fernhollow.json("sequence", "convert", "Old", *CHOSEN)["proof"]["days"] == 3


def test_there_is_no_such_sequence_and_a_name_that_is_taken_are_told(fernhollow: Shop) -> None:
    listed(fernhollow)

    assert "Did you mean Old welcome?" in fernhollow.refused("sequence", "convert", "Old welcom", *CHOSEN)
    told = fernhollow.refused("sequence", "convert", "Old welcome", *CHOSEN, "--as", "New lead")
    assert "There is a journey New lead already." in told
    assert "Old welcome  listed" in fernhollow.done("sequences").out
