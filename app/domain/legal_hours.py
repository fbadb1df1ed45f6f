"""The guard `legal_hours`: a text or a call goes only when it is legal wherever the person may be (RULES A; I6).

Email has no legal hours. The windows stand in the rule pack (legal_hours_format.py); where a person may be:
legal_hours_zones.py; the instants: legal_hours_windows.py.
"""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache

from app.domain.guard_parts import channel_of, contact_step, purpose_of, useful_until
from app.domain.guards_message import CLOSING_GUARD
from app.domain.hours import Hours
from app.domain.journey import SendHours
from app.domain.legal_hours_rules import NoRules, Place, Rules
from app.domain.legal_hours_windows import has_room, legal_now, legal_until, next_joint
from app.domain.legal_hours_zones import candidates
from app.domain.reasons import Why
from app.domain.snapshot import Snapshot
from app.domain.states import Channel, Purpose
from app.domain.verdict import Hold, Pass, Verdict
from app.domain.zones import zone_named

_MOST_NAMED = 4


def legal_hours(seen: Snapshot) -> Verdict:
    """Inside the window of every place and zone where the person may be, and not about to leave it (RULES A13, F9).

    A hold ends at the next instant that is legal and, where the clinic's hours count, in them: else the two would take
    turns. Where doubt about the zone leaves no hour at all, staff are asked for it.
    """
    channel = channel_of(seen)
    if channel is Channel.EMAIL:
        return Pass("none for email")
    rules = seen.rules
    if isinstance(rules, NoRules):
        return Hold(None, Why.RULES_UNREADABLE, saw="the rules can't be read")
    zones, places = _where(seen, rules)
    if not zones:
        return Hold(None, Why.ZONE_UNKNOWN, saw="nothing tells the time zone")
    weekday = seen.now.astimezone(zone_named(zones[0])).weekday()
    told = _told(rules, places, len(zones), weekday)
    hours = _hours(seen)
    in_doubt = len(zones) > 1
    if in_doubt and not has_room(zones, places, hours, seen.now.date()):
        return Hold(None, Why.ZONE_UNKNOWN, saw=f"no hour is left: {told}")
    guard = CLOSING_GUARD[channel]
    if legal_now(zones, places, seen.now, guard):
        return Pass(told)
    until = next_joint(zones, places, hours, seen.now, guard)
    if until is None:
        return Hold(None, Why.NEVER_LEGAL, {"location": seen.location.name}, saw=f"no hour in 30 days: {told}")
    return Hold(until, Why.QUIET_HOURS, saw=f"outside {told}")


def valid_until(seen: Snapshot) -> datetime | None:
    """When a message that is handed over now must not be delivered any more (RULES F10); None: no limit.

    The earliest of: no longer useful, the clinic closes where its hours count, no longer legal. To be asked of a
    message that every guard let through.
    """
    ends = [seen.message.useful_until if seen.message else useful_until(seen)]
    hours = _hours(seen)
    if hours is not None:
        ends.append(hours.closes_at(seen.now))
    if channel_of(seen) is not Channel.EMAIL and not isinstance(seen.rules, NoRules):
        ends.append(legal_until(*_where(seen, seen.rules), seen.now))
    return min((end for end in ends if end is not None), default=None)


def _where(seen: Snapshot, rules: Rules) -> tuple[tuple[str, ...], tuple[Place, ...]]:
    """The zones in which the person may be, none when nothing tells, and the places whose windows count."""
    who = candidates(rules, seen.person.phone, seen.person.custom, seen.practice.country)
    return who.zones, who.places if purpose_of(seen) is Purpose.MARKETING else (rules.care,)


def _hours(seen: Snapshot) -> Hours | None:
    """The clinic's hours where they count for the message in hand."""
    step = contact_step(seen)
    return None if step is not None and step.hours is SendHours.ANY else seen.location.hours


@lru_cache(maxsize=4_096)
def _told(rules: Rules, places: tuple[Place, ...], zones: int, weekday: int) -> str:
    """What is kept in the trace: 08:00-20:00 for FL; 2 zones; rules of 2026-11. weekday: 0 is Monday."""
    spans = [place.week[weekday] for place in places]
    opens, closes = max((s[0] for s in spans if s), default=0), min((s[1] for s in spans if s), default=0)
    window = f"{_clock(opens)}-{_clock(closes)}" if all(spans) and opens < closes else "no hour that day"
    names = [place.code or ("care" if place is rules.care else "an unknown state") for place in places]
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    many = "1 zone" if zones == 1 else f"{zones} zones"
    return f"{window} for {', '.join(names[:_MOST_NAMED])}{more}; {many}; rules of {rules.month}"


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"
