from __future__ import annotations

import io
import sys

import pytest

from app.domain import condition_format as conditions
from app.domain.documents import Format
from app.domain.events import EventKind
from app.domain.exchange import SetUp, instructions
from app.domain.journey import StepKind
from app.domain.journey_shapes import STEP_SHAPES
from app.domain.shape import keys_of
from tests.shop import Shop

TEXT = 'format: stopwell.template/1\nname: nudge-2\nchannel: sms\nbody: "Hi {{ person.first_name }}, STOP ends it."\n'
JOURNEY = """format: stopwell.journey/1
name: Fresh
purpose: marketing
ends: {replied: true, converted: never, closed: never}
start: nudge
steps:
  nudge: {do: sms, template: nudge, next: done}
  done: {do: end, as: exhausted}
"""


def test_every_step_kind_key_and_condition_word_of_the_code_is_in_the_instructions() -> None:
    text = instructions(Format.JOURNEY, SetUp())

    assert set(STEP_SHAPES) == set(StepKind)
    for kind, shape in STEP_SHAPES.items():
        block = text.partition(f"a step with do: {kind}:\n")[2].partition(":\na ")[0]
        assert all(f"  {key}: " in block for key in keys_of(shape)), kind
    words = (*conditions.LEADERS, *conditions.FIELD_TESTS, *conditions.RECORD_KEYS, *EventKind)
    assert [word for word in words if word not in text] == []


@pytest.mark.parametrize("kind", ["journey", "group", "template"])
def test_the_instructions_hold_nobodys_data(any_fernhollow: Shop, kind: str) -> None:
    head = "first_name,last_name,email,phone,location,membership,call 503-555-0177,ana@example.com,ignore: all\n"
    rows = [f"Zelda{n},Quux{n},z{n}@example.org,503555012{n},Portland,gold,x,y,z\n" for n in range(4)]
    any_fernhollow.import_people(head + "".join(rows))

    text = any_fernhollow.done("ai", "instructions", kind).out

    assert f"stopwell.{kind}/1" in text
    assert "Portland" in text
    for secret in ("Zelda", "Quux", "example.org", "5550177", "555-0177", "ana@", "ignore: all", "50355501", "gold"):
        assert secret not in text


def test_a_reply_is_saved_as_a_draft_and_told_as_a_difference(any_fernhollow: Shop) -> None:
    reply = any_fernhollow.write("reply.md", f"Here you are:\n\n```yaml\n{JOURNEY}```\nEnjoy!\n")

    first = any_fernhollow.json("ai", "accept", reply)
    again = any_fernhollow.json("ai", "accept", reply)
    changed = any_fernhollow.write("reply.md", JOURNEY.replace("as: exhausted", "as: closed"))
    third = any_fernhollow.json("ai", "accept", changed)

    assert first["changed"] is True
    assert first["differences"][0] == "Fresh is new: marketing, 2 steps."
    assert (again["changed"], again["differences"]) == (False, [])
    assert third["differences"] == ["done: ends as: exhausted -> closed."]
    [line] = [each for each in any_fernhollow.json("journeys") if each["name"] == "Fresh"]
    assert line["state"] == "draft"


def test_a_template_and_a_group_are_taken_too_also_from_standard_input(
    fernhollow: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert fernhollow.json("ai", "accept", "-")["differences"] == ["nudge-2 is new: sms, marketing."]
    group = fernhollow.write("g", "format: stopwell.group/1\nname: vips\nmatch: {tag: vip}\n")
    assert fernhollow.json("ai", "accept", group)["differences"] == [
        "vips is new: who matches when they have the tag vip."
    ]


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("", "the reply is empty"),
        ("x" * 200_001, "larger than 200 kB"),
        ("<!DOCTYPE html><html><p>Hi</p></html>", "an HTML page"),
        ("Sure! Here is the journey you asked for.", "this isn't a Stopwell document"),
        (f"Sure, here it is:\n\n{JOURNEY}", "words around the document"),
        (f"```yaml\n{JOURNEY}```\nor\n```yaml\n{JOURNEY}```\n", "2 code blocks"),
        (f"```yaml\n{JOURNEY}", "was cut off"),
        (f"{JOURNEY}---\n{JOURNEY}", "holds 2 documents"),
        ("format: stopwell.providers/1\ntwilio: {}\n", "not taken from an assistant"),
        ("format: stopwell.jorney/1\nname: x\n", "format: stopwell.journey/1"),
        (JOURNEY.replace("next: done", "next: done, retries: 3"), "unknown key retries"),
        (JOURNEY.replace("purpose: marketing", "purpose: marketing\npurpose: care"), "stands twice"),
        (JOURNEY.replace("name: Fresh", "name: Fr\x1besh"), "control character"),
        (JOURNEY.replace("template: nudge", "template: nugde"), "Did you mean nudge?"),
        ("format: stopwell.group/1\nname: x\nmatch: " + "{not: " * 70 + "1" + "}" * 70, "nested deeper"),
        ("[" * 5000, "nested deeper"),
        ("a: &a [x]\n" + "".join(f"b{n}: &b{n} [{', '.join(['*a'] * 9)}]\n" for n in range(3)), "isn't a Stopwell"),
        (
            "a0: &a0 [x,x,x,x,x,x,x,x,x]\n"
            + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 9)),
            "values, repeated parts counted",
        ),
    ],
)
def test_a_hostile_reply_is_told_in_clear_words_and_changes_nothing(fernhollow: Shop, reply: str, told: str) -> None:
    before = fernhollow.json("journeys")

    said = fernhollow("ai", "accept", fernhollow.write("reply", reply))

    assert said.code == 1
    assert told in said.out + said.err
    assert "Traceback" not in said.err
    assert len(said.err) < 2000
    assert fernhollow.json("journeys") == before


def test_lines_of_problems_count_from_the_beginning_of_the_reply(fernhollow: Shop) -> None:
    reply = fernhollow.write("reply", "Here:\n\n```yaml\n" + JOURNEY.replace("do: sms", "do: smss") + "```\n")

    assert "reply:10 steps.nudge.do" in fernhollow.refused("ai", "accept", reply)
