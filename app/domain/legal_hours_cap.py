"""The most texts and calls that one person may get in any 24 hours, whatever they are about (RULES A5)."""

from __future__ import annotations

from app.domain.guard_parts import channel_of
from app.domain.legal_hours_rules import NoRules
from app.domain.reasons import Why
from app.domain.snapshot import Snapshot
from app.domain.states import Channel
from app.domain.verdict import Hold


def phone_cap(seen: Snapshot) -> Hold | None:
    """The hold of a text or call that would be one too many; None where it is not. For the guard `not_too_often`.

    Without rules None: the guard `legal_hours` then holds whatever goes by phone.
    """
    rules = seen.rules
    if channel_of(seen) is Channel.EMAIL or isinstance(rules, NoRules):
        return None
    recent = sorted(at for at in seen.phone_sent_at if at > seen.now - rules.within)
    if len(recent) < rules.most:
        return None
    lifts = recent[len(recent) - rules.most] + rules.within
    return Hold(lifts, Why.PHONE_CAP, {"count": str(len(recent))}, saw=f"{len(recent)} by phone in 24 hours")
