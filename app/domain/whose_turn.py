"""One thing at a time: whose turn it is among a person's follow-ups in marketing journeys (DESIGN section 6)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from app.domain.reasons import Why
from app.domain.snapshot import Snapshot, TurnSeen
from app.domain.states import Purpose
from app.domain.verdict import Hold, Pass, Verdict


def one_at_a_time(seen: Snapshot) -> Verdict:
    """No other marketing follow-up of this person comes first. Care journeys neither wait nor are counted."""
    if seen.enrollment is None or seen.journey is None:
        return Pass("written by hand")
    if seen.journey.journey.purpose is Purpose.CARE:
        return Pass("care waits for nothing")
    if not seen.practice.one_marketing:
        return Pass("any number at a time")
    first = first_of(seen.turns)
    if first is None or first.enrollment_id == seen.enrollment.id:
        return Pass("its turn")
    return Hold(None, Why.ONE_AT_A_TIME, {"journey": first.journey}, saw=f"after {first.journey}")


def first_of(turns: Iterable[TurnSeen]) -> TurnSeen | None:
    """The one whose turn it is; None when there is none.

    Whatever has begun keeps its turn, paused ones too: first what was handed to a provider, then what is on its way.
    Among those that have not begun the journey's priority decides, then who entered first.
    """
    return min(turns, key=_place, default=None)


def _place(turn: TurnSeen) -> tuple[int, int, datetime, int]:
    if turn.handed:
        return 0, 0, turn.entered_at, turn.enrollment_id
    if turn.begun:
        return 1, 0, turn.entered_at, turn.enrollment_id
    return 2, -turn.priority, turn.entered_at, turn.enrollment_id
