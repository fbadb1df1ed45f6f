"""Guards about the follow-up itself, asked whenever it wakes: clock, engine, journey, person, and whether it is over.

Each is a pure function from a snapshot to a verdict. Their order: guards.py.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from app.domain.condition import holds
from app.domain.reasons import Why
from app.domain.snapshot import Snapshot
from app.domain.states import LIVE, Contact, End, EnrollmentState, JourneyState
from app.domain.verdict import Ends, Hold, Pass, Skip, Verdict

CLOCK_JUMP = timedelta(days=31)  # DESIGN section 6: further than this the engine pauses
CLOCK_SLACK = timedelta(minutes=2)  # NTP corrections step a clock back by seconds
EXPIRY_GRACE = timedelta(days=90)  # DESIGN section 7, backstop


def clock_verdict(last: datetime | None, now: datetime) -> Pass | Hold:
    """Whether `now` is believable after `last`, the latest instant that any tick has seen (None: no tick yet)."""
    if last is None:
        return Pass("first look")
    if now < last - CLOCK_SLACK:
        return Hold(None, Why.CLOCK_MOVED, saw="went back")
    if now > last + CLOCK_JUMP:
        return Hold(None, Why.CLOCK_MOVED, saw="went forward by more than 31 days")
    return Pass("in step with the last check")


def clock_sane(seen: Snapshot) -> Verdict:
    """The clock has not gone back, nor forward by more than 31 days, since any tick last looked."""
    return clock_verdict(seen.engine.clock_seen_at, seen.now)


def engine_running(seen: Snapshot) -> Verdict:
    """Nobody has paused all sending."""
    if seen.engine.paused_why is not None:
        return Hold(None, seen.engine.paused_why, {"by": seen.engine.paused_by}, saw="paused")
    return Pass("running")


def journey_live(seen: Snapshot) -> Verdict:
    """The journey is live, or retired with those inside finishing; a follow-up past its backstop ends."""
    if seen.journey is None or seen.enrollment is None:
        return Pass("written by hand")
    if seen.journey.state is JourneyState.DRAFT:
        return Hold(None, Why.TROUBLE, saw="draft")
    oldest = seen.enrollment.entered_at + timedelta(days=seen.journey.max_days) + EXPIRY_GRACE
    if seen.now > oldest:
        return Ends(End.CLOSED, Why.EXPIRED, saw=f"entered {seen.enrollment.entered_at.date().isoformat()}")
    return Pass(f"{seen.journey.state.value}, version {seen.journey.number}")


def enrollment_active(seen: Snapshot) -> Verdict:
    """The follow-up is running."""
    if seen.enrollment is None:
        return Pass("written by hand")
    if seen.enrollment.state is EnrollmentState.PAUSED:
        return Hold(seen.enrollment.paused_until, Why.PAUSED_BY_STAFF, saw="paused")
    if seen.enrollment.state not in LIVE:
        return Skip(Why.FOLLOW_UP_ENDED, saw=seen.enrollment.state.value)
    return Pass(f"{seen.enrollment.state.value}, step {seen.enrollment.step}")


def person_contactable(seen: Snapshot) -> Verdict:
    """The person may be contacted at all."""
    if seen.person.contact is Contact.DO_NOT_CONTACT:
        return Ends(End.OPTED_OUT, Why.DO_NOT_CONTACT, saw="do not contact")
    return Pass(seen.person.contact.value)


def no_stop_waiting(seen: Snapshot) -> Verdict:
    """No stop has been stored that is not applied yet."""
    if seen.unread_stops:
        return Hold(None, Why.FOLLOW_UP_ENDED, saw=f"{seen.unread_stops} not applied")
    return Pass("none waiting")


def goal_not_reached(seen: Snapshot) -> Verdict:
    """The journey's converted condition does not hold yet."""
    goal = seen.journey.journey.ends.converted if seen.journey else None
    if goal is not None and holds(goal, seen.facts, seen.now):
        return Ends(End.CONVERTED, Why.GOAL, saw="goal reached")
    return Pass("not reached" if goal is not None else "no goal")


def still_true(seen: Snapshot) -> Verdict:
    """The journey's closed condition does not hold."""
    closed = seen.journey.journey.ends.closed if seen.journey else None
    if closed is not None and holds(closed, seen.facts, seen.now):
        return Ends(End.CLOSED, Why.NO_LONGER_TRUE, saw="closed")
    return Pass("still true" if closed is not None else "no condition")
