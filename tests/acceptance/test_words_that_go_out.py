"""What goes wrong with words in the field, tried on the whole product from the command line."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.shop import PRACTICE, Shop

START = datetime(2027, 3, 9, 18, 0, tzinfo=UTC)  # a Tuesday, 10:00 in Portland

DOCUMENTS = """format: stopwell.location/1
name: Portland
zone: America/Los_Angeles
hours: {mon: [["09:00", "17:00"]], tue: [["09:00", "17:00"]], fri: [["09:00", "17:00"]]}
phone: "+15035550100"
email: portland@example.com
---
format: stopwell.template/1
name: hello
channel: email
purpose: care
subject: "A word for {{ person.first_name }}"
body: "Hi {{ person.first_name }}, we are at {{ location.phone }}."
---
format: stopwell.template/1
name: later
channel: email
purpose: care
subject: "Your visit, {{ person.first_name }}"
body: "Hi {{ person.first_name }}, it is on {{ appointment.date }}. Call {{ location.phone }}."
---
format: stopwell.journey/1
name: Words
purpose: care
ends: {replied: true}
start: hello
steps:
  hello: {do: email, template: hello, next: ten-days}
  ten-days: {do: wait, for: {days: 10}, next: later}
  later: {do: email, template: later, next: done}
  done: {do: end, as: exhausted}
"""


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    """A practice with a journey that speaks now, and again in ten days."""
    shop = Shop(tmp_path / "data")
    shop.done("init", *PRACTICE)
    shop.done("apply", shop.write("words.yaml", DOCUMENTS))
    shop.done("publish", "Words")
    return shop


def _try(shop: Shop, *bodies: str) -> list[Any]:
    cases = [json.dumps({"id": body[:5], "channel": "sms", "template": body, "data": {}}) for body in bodies]
    said = shop.done("try", "template", shop.write("cases.jsonl", "\n".join(cases)))
    return [json.loads(line)["expected"] for line in said.out.splitlines()]


@pytest.mark.parametrize("name", ["", " "])
def test_nobody_gets_a_greeting_without_a_name(shop: Shop, name: str) -> None:
    """Case 110."""
    shop.import_people(f'First name,Email\n"{name}",ana@example.com\n')
    shop.done("enroll", "Words", "--person", "ana@example.com", "--at", START.isoformat())
    shop.done("tick", "--at", START.isoformat())
    assert [each["accepted_at"] for each in shop.json("messages")] == [None]
    problems = shop("problems", "--json").json
    assert [each["why"] for each in problems] == ["empty_value"]


def test_a_misspelled_field_never_gets_as_far_as_a_person(shop: Shop) -> None:
    """Case 110."""
    wrong = DOCUMENTS.replace("Hi {{ person.first_name }}, we", "Hi {{ person.frist_name }}, we")
    assert "person.first_name" in shop.refused("apply", shop.write("wrong.yaml", wrong))


def test_one_curly_quote_is_counted_as_what_it_costs(shop: Shop) -> None:
    """Case 112."""
    curly, straight, whole, over = _try(shop, "a" * 100 + "\u2019", "a" * 100 + "'", "a" * 160, "a" * 161)
    assert curly["sms"] == {"encoding": "UCS-2", "units": 101, "segments": 2}
    assert straight["sms"] == {"encoding": "GSM-7", "units": 101, "segments": 1}
    assert (whole["sms"]["segments"], over["sms"]["segments"]) == (1, 2)


def test_a_late_message_speaks_of_what_is_so_then_in_the_words_it_was_published_with(shop: Shop) -> None:
    """Case 116."""
    shop.import_people("First name,Email\nAna,ana@example.com\n")
    visit = "person,kind,status,external_id,starts_at\nana@example.com,appointment,booked,visit-1,{}T10:00:00-07:00\n"
    shop.done("import", "records", shop.write("records.csv", visit.format("2027-04-01")))
    shop.done("enroll", "Words", "--person", "ana@example.com", "--at", START.isoformat())
    shop.done("tick", "--at", START.isoformat())

    shop.done("import", "records", shop.write("records.csv", visit.format("2027-04-08")))
    edited = DOCUMENTS.replace("+15035550100", "+15035550199").replace("it is on", "never published, it is on")
    shop.done("apply", shop.write("edited.yaml", edited))
    shop.done("tick", "--at", (START + timedelta(days=10)).isoformat())

    first, second = sorted(shop.json("messages"), key=lambda each: each["id"])
    assert "+15035550100" in _body(shop, first["id"])
    said = _body(shop, second["id"])
    assert "April 8" in said
    assert "+15035550199" in said
    assert "never published" not in said


def _body(shop: Shop, message_id: int) -> str:
    """As the pretend mailbox got it."""
    from app.providers.practice import PracticeOutbox
    from app.providers.system_clock import SystemClock

    (path,) = shop.folder.glob("*outbox*")
    (found,) = [each for each in PracticeOutbox(path, SystemClock()).messages() if each.message_id == message_id]
    return found.body


def test_a_text_that_is_too_long_for_one_person_is_stopped_before_the_provider(shop: Shop) -> None:
    """Case 114."""
    words = "b" * 1_500
    text = (
        DOCUMENTS.split("---")[0]
        + "---\nformat: stopwell.template/1\nname: long\nchannel: sms\npurpose: care\n"
        + f'body: "{words} {{{{ person.custom.note }}}}"\n'
        + "---\nformat: stopwell.journey/1\nname: Long\npurpose: care\nends: {replied: true}\nstart: long\nsteps:\n"
        + "  long: {do: sms, template: long, next: done}\n  done: {do: end, as: exhausted}\n"
    )
    assert "goes out as 10 texts" in shop.done("apply", shop.write("long.yaml", text)).out
    shop.done("publish", "Long")
    people = f"First name,Phone,note\nAna,(503) 555-0101,short\nBen,(503) 555-0102,{'c' * 200}\n"
    shop.import_people(people, "--map", "note=custom.note")
    for person in ("1", "2"):
        shop.done("enroll", "Long", "--person", person, "--at", START.isoformat())
    shop.done("tick", "--at", START.isoformat())
    states = {each["person"]: (each["accepted_at"] is not None, each["attempts"]) for each in shop.json("messages")}
    assert states == {1: (True, 1), 2: (False, 0)}
    assert [each["why"] for each in shop("problems", "--json").json] == ["template_broken"]
