from __future__ import annotations

import pytest

from app.domain.documents import read_documents
from app.domain.journey import Journey
from app.domain.journey_diff import journey_differences, text_differences
from app.domain.journey_format import read_journey

BASE = """
format: stopwell.journey/1
name: New lead
purpose: marketing
ends: {replied: true, converted: {when: {record: appointment, status: booked}}, closed: never}
start: hello
steps:
  hello: {do: email, template: hello, next: pause}
  pause: {do: wait, for: {days: 2}, next: asked}
  asked: {do: branch, if: {tag: vip}, yes: ring, no: again}
  ring: {do: call, script: ring, next: again}
  again: {do: repeat, times: 2, back_to: pause, next: parts}
  parts: {do: split, ways: [{percent: 50, next: look}, {percent: 50, next: done}]}
  look: {do: wait_for, if: {tag: warm}, up_to: {days: 1}, yes: chore, no: done}
  chore: {do: task, note: Look, up_to: {days: 1}, next: done}
  done: {do: end, as: exhausted}
"""


def journey(text: str) -> Journey:
    [raw] = read_documents(text)
    return read_journey(raw)


def differences(old: str, new: str) -> tuple[str, ...]:
    return journey_differences(journey(BASE), journey(BASE.replace(old, new)))


def test_the_same_journey_has_no_difference() -> None:
    assert journey_differences(journey(BASE), journey(BASE)) == ()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("{days: 2}", "{days: 5}", "pause: waits: 2 days -> 5 days."),
        ("template: hello", "template: hi", "hello: template: hello -> hi."),
        ("replied: true", "replied: false", "a reply: ends it -> does not end it."),
        ("closed: never", "closed: {when: {tag: lost}}", "closed: never -> when they have the tag lost."),
        ("as: exhausted", "as: closed", "done: ends as: exhausted -> closed."),
        ("start: hello", "start: pause", "starts at: hello -> pause."),
        ("times: 2", "times: 3", "again: times in all: 2 -> 3."),
        ("tag: vip", "tag: gold", "asked: asks whether: they have the tag vip -> they have the tag gold."),
        ("note: Look", "note: Look twice", "chore: note: “Look” -> “Look twice”."),
        ("script: ring,", "script: ring, hours: any,", "ring: hours: clinic -> any."),
        ("purpose: marketing", "purpose: care", "purpose: marketing -> care."),
    ],
)
def test_what_changed_is_told_in_words(old: str, new: str, told: str) -> None:
    assert differences(old, new) == (told,)


def test_a_step_that_went_one_that_came_and_one_that_does_something_else_are_told() -> None:
    told = journey_differences(
        journey(BASE),
        journey(
            BASE.replace("ring: {do: call, script: ring,", "text: {do: sms, template: t,")
            .replace("yes: ring", "yes: text")
            .replace("chore: {do: task, note: Look, up_to: {days: 1}, next: done}", "chore: {do: end, as: closed}")
        ),
    )

    assert "ring (call) is removed." in told
    assert any(line.startswith("text (sms) is added: template t") for line in told)
    assert "chore: task -> end, ends as closed." in told
    assert "asked: if so: ring -> text." in told


def test_a_new_journey_is_told_whole() -> None:
    told = journey_differences(None, journey(BASE))

    assert told[0] == "New lead is new: marketing, 9 steps."
    assert len(told) == 10


def test_changed_lines_of_a_text_are_told_by_their_number() -> None:
    assert text_differences("a\nb", "a\nc\nd") == ("line 2: b -> c", "line 3: (none) -> d")
