"""The guard `legal_hours`: a text or a call goes only when it is legal wherever the person may be (RULES A; I6).

Email has no legal hours. The windows stand in the rule pack (legal_hours_format.py); where a person may be:
legal_hours_zones.py; the instants: legal_hours_windows.py.
"""

from __future__ import annotations

from functools import lru_cache

from app.domain.guard_parts import channel_of, contact_step
from app.domain.guards_message import CLOSING_GUARD
from app.domain.journey import SendHours
from app.domain.legal_hours_rules import NoRules, Place, Rules
from app.domain.legal_hours_windows import has_room, legal_now, next_joint
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
    who = candidates(rules, seen.person.phone, seen.person.custom, seen.practice.country)
    if not who.zones:
        return Hold(None, Why.ZONE_UNKNOWN, saw="nothing tells the time zone")
    places = who.places if _purpose(seen) is Purpose.MARKETING else (rules.care,)
    weekday = seen.now.astimezone(zone_named(who.zones[0])).weekday()
    told = _told(rules, places, len(who.zones), weekday)
    step = contact_step(seen)
    hours = None if step is not None and step.hours is SendHours.ANY else seen.location.hours
    in_doubt = len(who.zones) > 1
    if in_doubt and not has_room(who.zones, places, hours, seen.now.date()):
        return Hold(None, Why.ZONE_UNKNOWN, saw=f"no hour is left: {told}")
    guard = CLOSING_GUARD[channel]
    if legal_now(who.zones, places, seen.now, guard):
        return Pass(told)
    until = next_joint(who.zones, places, hours, seen.now, guard)
    if until is None:
        return Hold(None, Why.NEVER_LEGAL, {"location": seen.location.name}, saw=f"no hour in 30 days: {told}")
    return Hold(until, Why.QUIET_HOURS, saw=f"outside {told}")


def _purpose(seen: Snapshot) -> Purpose:
    """The stricter of the journey's and the template's; what staff wrote by hand is care, as for consent."""
    if seen.journey is None:
        return Purpose.CARE
    step = contact_step(seen)
    template = None if step is None else seen.journey.templates.get(step.template)
    purposes = {seen.journey.journey.purpose} | ({template.purpose} if template is not None else set())
    return Purpose.MARKETING if Purpose.MARKETING in purposes else Purpose.CARE


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
