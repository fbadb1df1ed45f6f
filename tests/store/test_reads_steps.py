"""Where somebody stands on a chart: the longest way through their step, told in a word."""

from __future__ import annotations

import pytest

from app.domain.documents import RawDocument
from app.domain.ids import StepId
from app.domain.journey import Journey
from app.domain.journey_format import read_journey
from app.domain.states import Channel
from app.store.reads_steps import proven_most, step_line, steps_of_channel, steps_through
from tests.builders import journey_document

# the journey of DESIGN section 7, with a repeat and a split at its end
STEPS: dict[str, dict[str, object]] = {
    "hello": {"do": "email", "template": "hello", "next": "two-days"},
    "two-days": {"do": "wait", "for": {"days": 2, "at": "09:30"}, "next": "booked"},
    "booked": {"do": "branch", "if": {"record": "appointment", "status": "booked"}, "yes": "won", "no": "nudge"},
    "nudge": {"do": "sms", "template": "nudge", "next": "ring"},
    "ring": {"do": "call", "script": "ring-script", "by": "staff", "tries": 2, "every": {"hours": 4}, "next": "again"},
    "again": {"do": "repeat", "times": 2, "back_to": "nudge", "next": "ask"},
    "ask": {"do": "task", "note": "Look them up", "up_to": {"days": 1}, "next": "before"},
    "before": {"do": "wait", "for": {"hours": 24, "before": "appointment"}, "next": "parting"},
    "parting": {"do": "split", "ways": [{"percent": 40, "next": "last-wait"}, {"percent": 60, "next": "done"}]},
    "last-wait": {
        "do": "wait_for",
        "if": {"record": "appointment", "status": "booked"},
        "up_to": {"days": 5},
        "yes": "won",
        "no": "done",
    },
    "won": {"do": "end", "as": "converted"},
    "done": {"do": "end", "as": "exhausted"},
}
MAIN = ["hello", "two-days", "booked", "nudge", "ring", "again", "ask", "before", "parting", "last-wait"]


@pytest.fixture(scope="module")
def journey() -> Journey:
    """The chart."""
    return read_journey(RawDocument(journey_document("New lead", steps=STEPS)))


@pytest.mark.parametrize("step", MAIN)
def test_a_step_of_the_main_line_has_its_place_on_it(journey: Journey, step: str) -> None:
    line = step_line(journey, StepId(step))
    assert (line.number, line.of) == (MAIN.index(step) + 1, len(MAIN))
    assert [each.id for each in steps_through(journey, StepId(step))] == [*MAIN, "won"]


def test_an_end_is_no_step_to_do_so_who_stands_there_has_done_them_all(journey: Journey) -> None:
    for end in ("won", "done"):
        line = step_line(journey, StepId(end))
        assert (line.kind, line.number, line.of) == ("end", 10, 10)


def test_a_shorter_way_counts_for_who_goes_it() -> None:
    steps: dict[str, dict[str, object]] = {
        "ask": {"do": "branch", "if": {"tag": "vip"}, "yes": "short", "no": "long"},
        "short": {"do": "email", "template": "hello", "next": "done"},
        "long": {"do": "email", "template": "hello", "next": "longer"},
        "longer": {"do": "email", "template": "hello", "next": "done"},
        "done": {"do": "end", "as": "exhausted"},
    }
    journey = read_journey(RawDocument(journey_document("Ways", steps=steps)))
    lines = [step_line(journey, StepId(step)) for step in steps]
    told = {line.id: (line.number, line.of) for line in lines}
    assert told == {"ask": (1, 3), "short": (2, 2), "long": (2, 3), "longer": (3, 3), "done": (3, 3)}


def test_every_kind_of_step_is_told_in_a_word(journey: Journey) -> None:
    told = {line.id: (line.kind, line.title) for line in steps_through(journey, StepId("hello"))}
    assert told == {
        "hello": ("email", "hello"),
        "two-days": ("wait", "Wait 2 days at 9:30 AM"),
        "booked": ("branch", "an appointment is booked?"),
        "nudge": ("sms", "nudge"),
        "ring": ("call", "ring-script"),
        "again": ("repeat", "Repeat 2 times"),
        "ask": ("task", "Look them up"),
        "before": ("wait", "Wait until 24 hours before the appointment"),
        "parting": ("split", "Split 40 / 60"),
        "last-wait": ("wait_for", "Wait until an appointment is booked"),
        "won": ("end", "End: converted"),
    }


def test_a_step_that_is_not_on_the_chart_keeps_its_name(journey: Journey) -> None:
    line = step_line(journey, StepId("gone"))
    assert (line.id, line.kind, line.title, line.number, line.of) == ("gone", "", "gone", 0, 0)
    assert steps_through(journey, StepId("gone")) == ()


def test_a_channel_has_the_steps_that_make_its_messages(journey: Journey) -> None:
    assert steps_of_channel(journey, Channel.CALL) == {"ring"}
    assert steps_of_channel(journey, Channel.EMAIL) == {"hello"}


def test_a_proof_that_says_nothing_allows_nothing() -> None:
    assert proven_most({}) == {Channel.EMAIL: 0, Channel.SMS: 0, Channel.CALL: 0}
    assert proven_most({"emails": 2, "texts": 1, "calls": 3})[Channel.CALL] == 3
