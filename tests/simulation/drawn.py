"""The journeys of a play, as staff draw them, in many versions."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

from app.domain.states import Channel, Purpose
from tests.builders import journey_document

Steps = dict[str, Mapping[str, object]]

LEAD, BACK, CARE = "New lead", "Win back", "Care"
BOOKED: Final = {"record": "appointment", "status": "booked", "since": "enrollment"}
_UNSUBSCRIBE: Final = "Hi {{ person.first_name }}\n{{ location.postal_address }}\n{{ unsubscribe_url }}"
_STOP: Final = "Hi {{ person.first_name }}, this is {{ practice.name }}. Reply STOP to opt out."
WORDS: Final[Mapping[str, tuple[Channel, Purpose, str]]] = {
    "hello": (Channel.EMAIL, Purpose.MARKETING, _UNSUBSCRIBE),
    "nudge": (Channel.SMS, Purpose.MARKETING, _STOP),
    "hi": (Channel.EMAIL, Purpose.CARE, "Hi {{ person.first_name }}"),
    "remind": (Channel.SMS, Purpose.CARE, _STOP),
}


def lead(dice: random.Random | None = None) -> dict[str, object]:
    """An email, two days, a text; with dice, another wait, one step more or less, or a step under another name."""
    length: Mapping[str, object] = {"days": 2}
    steps: Steps = {"hello": {"do": "email", "template": "hello", "next": "pause"}}
    nudge, after = "nudge", "done"
    if dice is not None:
        length = dice.choice(({"days": 1}, {"days": 2}, {"days": 3}, {"hours": 40}, {"days": 2, "at": "09:30"}))
        nudge = dice.choice(("nudge", "nudge", "nudge", "done"))
        after = dice.choice(("done", "done", "more"))
    if dice is not None and dice.random() < 0.2:
        steps["hello"] = {"do": "email", "template": "hello", "next": "rest"}
        steps["rest"] = {"do": "wait", "for": length, "next": nudge}
    else:
        steps["pause"] = {"do": "wait", "for": length, "next": nudge}
    if nudge == "nudge":
        steps["nudge"] = {"do": "sms", "template": "nudge", "next": after}
        if after == "more":
            steps["more"] = {"do": "email", "template": "hello", "next": "done"}
    steps["done"] = {"do": "end", "as": "exhausted"}
    return journey_document(LEAD, steps=steps, converted={"when": BOOKED}, closed="never")


def win_back(dice: random.Random | None = None) -> dict[str, object]:
    """A text and, a day later, an email."""
    hours = 24 if dice is None else dice.choice((12, 24, 30))
    steps: Steps = {
        "nudge": {"do": "sms", "template": "nudge", "on_bad_address": "skip", "next": "day"},
        "day": {"do": "wait", "for": {"hours": hours}, "next": "hello"},
        "hello": {"do": "email", "template": "hello", "next": "done"},
        "done": {"do": "end", "as": "exhausted"},
    }
    return journey_document(BACK, steps=steps, converted={"when": BOOKED}, closed="never")


def care(dice: random.Random | None = None) -> dict[str, object]:
    """An email, three hours, a branch, a text that is of use for a day."""
    hours = 3 if dice is None else dice.choice((1, 3, 5))
    steps: Steps = {
        "hi": {"do": "email", "template": "hi", "on_bad_address": "skip", "next": "hours"},
        "hours": {"do": "wait", "for": {"hours": hours}, "next": "asks"},
        "asks": {"do": "branch", "if": {"field": "person.status", "is": "calm"}, "yes": "done", "no": "remind"},
        "remind": {"do": "sms", "template": "remind", "useless_after": {"days": 1}, "next": "done"},
        "done": {"do": "end", "as": "exhausted"},
    }
    return journey_document(CARE, steps=steps, purpose="care", replied=False, converted="never", closed="never")


DRAWN: Final = {LEAD: lead, BACK: win_back, CARE: care}
