"""calls and call: whom the front desk is to call, and how it went."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.cli.main import OUTCOMES
from app.domain.call_outcome import CallOutcome
from tests.shop import Shop

MONDAY = "2027-03-01T19:00:00Z"
EVENING = "2027-03-02T05:00:00Z"
RING = """
format: stopwell.template/1
name: ring-script
channel: call
purpose: care
body: "Hi {{ person.first_name }}, shall we find a time this week?"
---
format: stopwell.journey/1
name: Ring
purpose: care
ends: {replied: true, converted: never, closed: never}
start: ring
steps:
  ring: {do: call, script: ring-script, by: staff, tries: 2, every: {hours: 4}, next: pause}
  pause: {do: wait, for: {days: 2}, next: done}
  done: {do: end, as: exhausted}
"""


@pytest.fixture
def ringing(fernhollow: Shop) -> Shop:
    """Ana and Bo are to be called on Monday at 11 in Portland, and in New York."""
    fernhollow.done("apply", fernhollow.write("ring.yaml", RING))
    fernhollow.done("publish", "Ring")
    text = "Name,Email,Phone,Location\nAna Diaz,ana@example.com,503-555-0142,Portland\n"
    fernhollow.import_people(text + "Bo Chen,bo@example.com,503-555-0143,New York\n", "--consent", "web form")
    for person in ("1", "2"):
        fernhollow.done("enroll", "Ring", "--person", person, "--at", MONDAY)
    assert fernhollow.json("tick", "--at", MONDAY)["accepted"] == 0
    return fernhollow


def test_the_list_says_whom_where_until_when_and_what_to_say(ringing: Shop) -> None:
    lines = {line["name"]: line for line in ringing.json("calls")}

    ana = lines["Ana Diaz"]
    assert (ana["phone"], ana["number"], ana["tries"], ana["step"]) == ("+15035550142", 1, 2, "ring")
    assert ana["script"] == "Hi Ana, shall we find a time this week?"
    assert ana["until"] is not None
    assert ana["local_time"] == "2027-03-01T11:00:00-08:00"
    assert [line["name"] for line in ringing.json("calls", "--location", "new york")] == ["Bo Chen"]
    assert "Ana Diaz" in ringing.done("calls").out
    assert "Did you mean Portland?" in ringing.refused("calls", "--location", "Portlnad")


def test_an_outcome_is_noted_and_what_follows_is_said(ringing: Shop) -> None:
    message = str(next(line["message"] for line in ringing.json("calls") if line["name"] == "Ana Diaz"))

    said = ringing.done("call", message, "no_answer", "--note", "after six").out
    assert "noted      no answer, try 1 of 2\nagain      Mon 2027-03-01 15:00" in said
    assert "call of the front desk" not in ringing.refused("call", message, "reached")
    assert "noted “no answer”" in ringing.refused("call", message, "reached")
    assert [line["name"] for line in ringing.json("calls")] == ["Bo Chen"]

    ringing.done("tick", "--at", "2027-03-01T23:00:00Z")
    again = next(line for line in ringing.json("calls") if line["name"] == "Ana Diaz")
    assert (again["number"], [each["outcome"] for each in again["before"]]) == (2, ["no_answer"])
    reached = ringing.json("call", str(again["message"]), "reached")
    assert [each["end"] for each in reached["applied"]["ended"]] == ["replied"]
    assert reached["against"] is None


def test_the_hours_take_everybody_off_the_list_and_a_call_made_all_the_same_is_kept(ringing: Shop) -> None:
    message = str(ringing.json("calls")[0]["message"])
    ringing.done("tick", "--at", EVENING)

    assert ringing.json("calls") == []
    said = ringing.done("call", message, "voicemail").out
    assert "although   Opens" in said
    assert "goes on    pause" in said


def test_what_a_stop_cancelled_is_kept_as_told_and_says_so(ringing: Shop) -> None:
    line = ringing.json("calls")[0]
    ringing.done("stop", "--person", str(line["person"]))

    assert [each["message"] for each in ringing.json("calls")] != [line["message"]]
    said = ringing.done("call", str(line["message"]), "asked_not_to_call").out
    assert "too late   the call had been cancelled" in said
    assert "no more    sms and call" in said or "no more    call and sms" in said


def test_the_outcomes_of_the_command_are_those_of_a_call() -> None:
    assert list(OUTCOMES) == [outcome.value for outcome in CallOutcome]


def test_the_evidence_tells_who_made_the_call_and_how_it_ended(ringing: Shop, tmp_path: Path) -> None:
    line = ringing.json("calls", "--location", "Portland")[0]
    ringing.done("call", str(line["message"]), "voicemail")

    ringing.done("evidence", "--person", str(line["person"]), "--out", tmp_path / "ana.html")

    page = (tmp_path / "ana.html").read_text(encoding="utf-8")
    assert "(ring-script) to +15035550142: somebody at the front desk made it" in page
    assert "(ring-script) ended: voicemail left" in page
    assert "by the front desk as desk-" in ringing.done("why", str(line["message"])).out
