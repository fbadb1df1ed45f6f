"""Lateness: how long after it should have been asked something is asked, and what is too late to go out by itself.

Only an engine that was off, asleep or paused makes it: a hold sets when it is asked next, and lateness counts from
then (DESIGN section 6, after a long sleep). What is overdue is marked as such with the instant it is late from, and
stays so, whatever else holds it meanwhile, until staff release, skip or re-time it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from app.domain.reasons import Why
from app.domain.snapshot import EnrollmentSeen, Snapshot
from app.domain.verdict import Hold, Pass, Verdict

SINCE = "since"  # the fact of a hold that says: overdue, and nobody has decided yet
RETIMED = "at"  # the fact of a follow-up that staff gave another time: it is not asked before
_MINUTE = timedelta(minutes=1)
_HOUR = timedelta(hours=1)
_DAY = timedelta(days=1)


def not_overdue(seen: Snapshot) -> Verdict:
    """It is not later than the practice's overdue days, or staff have decided that it goes out all the same."""
    if seen.enrollment is None:
        return Pass("written by hand")
    since = late_from(seen)
    if since is None:
        return Pass("in time")
    if is_overdue(seen, since):
        return overdue_hold(since, f"{_words(seen.now - since)} late")
    late = seen.now - since
    return Pass("in time" if late < _MINUTE else f"{_words(late)} late")


def is_overdue(seen: Snapshot, since: datetime) -> bool:
    """Whether what should have been asked at `since` is too late by now. Right again after a clock that ran ahead."""
    return seen.now - since > timedelta(days=seen.practice.overdue_days)


def marked_overdue(seen: Snapshot, facts: Mapping[str, str]) -> Hold | None:
    """The hold that stays whatever else would hold what has these facts of a hold; None when it is not overdue."""
    since = overdue_since(facts)
    return overdue_hold(since) if since is not None and is_overdue(seen, since) else None


def asked_at(seen: Snapshot) -> datetime | None:
    """When what is in hand should have been asked, never after now; None when that is not known."""
    if seen.message is not None:
        at = seen.message.try_at
    elif seen.asked_at is not None:
        at = seen.asked_at
    else:
        at = None if seen.enrollment is None else due_at(seen.enrollment)
    return at if at is None else min(at, seen.now)


def late_from(seen: Snapshot) -> datetime | None:
    """From when on what is in hand is late: what is marked as overdue from its mark; None when that is not known."""
    return _marked(seen) or asked_at(seen)


def turn_at(seen: Snapshot) -> datetime:
    """Since when whoever waited for the turn of what ends now has had it: since this one should have been asked.

    What was overdue ends just when it does: staff had it in hand, and nobody behind it is late for that.
    """
    return seen.now if _marked(seen) else asked_at(seen) or seen.now


def due_at(enrollment: EnrollmentSeen) -> datetime | None:
    """When the follow-up should have been asked: when it wakes, or when what held it was over, whichever is later."""
    marked = overdue_since(enrollment.hold_facts)
    if marked is not None:
        return marked
    known = [at for at in (enrollment.wake_at, enrollment.hold_until, enrollment.paused_until) if at is not None]
    return max(known, default=None)


def overdue_since(facts: Mapping[str, str]) -> datetime | None:
    """From when on it is late, by the facts of its hold; None when it was never overdue, or staff have decided."""
    return _instant(facts, SINCE)


def not_before(facts: Mapping[str, str]) -> datetime | None:
    """The instant before which it is not asked, whatever lifts meanwhile; None when there is none.

    Staff have given it that time, or a clock that ran ahead had made it late then.
    """
    known = [at for at in (_instant(facts, SINCE), _instant(facts, RETIMED)) if at is not None]
    return max(known, default=None)


def overdue_hold(since: datetime, saw: str = "") -> Hold:
    """Held until staff decide."""
    return Hold(None, Why.OVERDUE, {SINCE: since.isoformat()}, saw)


def _marked(seen: Snapshot) -> datetime | None:
    held = seen.message or seen.enrollment
    return overdue_since(held.hold_facts) if held is not None else None


def _instant(facts: Mapping[str, str], name: str) -> datetime | None:
    told = facts.get(name)
    return None if told is None else datetime.fromisoformat(told).astimezone(UTC)


def _words(late: timedelta) -> str:
    """20 min, 5 h, 4 days: whole ones, of the largest that there are two of."""
    if late < _HOUR:
        return f"{late // _MINUTE} min"
    if late < 2 * _DAY:
        return f"{late // _HOUR} h"
    return f"{late // _DAY} days"
