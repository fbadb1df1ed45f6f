"""Booked, Paid, Accepted: which of them the button of a person stands for."""

from __future__ import annotations

from collections.abc import Sequence

from app.domain.events import EventKind
from app.domain.person_lines import EnrollmentLine
from app.domain.states import LIVE

# on the button's menu, the journey's own first
GOALS = (EventKind.BOOKED, EventKind.PAID, EventKind.ACCEPTED, EventKind.COMPLETED)

_BY_WORD = {
    "booked": EventKind.BOOKED,
    "paid": EventKind.PAID,
    "accepted": EventKind.ACCEPTED,
    "completed": EventKind.COMPLETED,
    "complete": EventKind.COMPLETED,
}


def goal_kind(word: str) -> EventKind:
    """The event that a journey's goal word stands for; a goal of another kind is reached by hand as such."""
    return _BY_WORD.get(word.strip().lower(), EventKind.CONVERTED)


def goal_of(enrollments: Sequence[EnrollmentLine]) -> EventKind:
    """The goal of what runs, else of what ran last; a booking for someone who never was in a journey with a goal."""
    with_goal = [each for each in enrollments if each.goal_word]
    running = [each for each in with_goal if each.state in LIVE]
    chosen = running or sorted(with_goal, key=lambda each: each.entered_at, reverse=True)
    return goal_kind(chosen[0].goal_word) if chosen else EventKind.BOOKED
