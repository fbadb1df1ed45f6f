"""What every guard is made of: asking in order, what a snapshot is about, and instants on the location's clock.

The guards themselves: guards_life.py, guards_message.py, legal_hours.py; their order: guards.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, time, timedelta

from app.domain.journey import CONTACT_STEPS, CallBy, CallStep, ContactStep, OnBadAddress
from app.domain.snapshot import Snapshot
from app.domain.states import Channel, Purpose
from app.domain.verdict import Answered, Ends, Hold, Pass, Skip, Trace, Verdict

Guard = Callable[[Snapshot], Verdict]


def ask(seen: Snapshot, guards: Sequence[tuple[str, Guard]]) -> Trace:
    """Ask `guards` in order until one does not pass. The trace holds every answer, that one included."""
    lines: list[Answered] = []
    for name, guard in guards:
        verdict = guard(seen)
        lines.append(Answered(name, _word(verdict), verdict.saw))
        if not isinstance(verdict, Pass):
            return Trace(tuple(lines), verdict)
    return Trace(tuple(lines), Pass())


def _word(verdict: Verdict) -> str:
    match verdict:
        case Pass():
            return "pass"
        case Hold(why=why):
            return f"hold: {why.value}"
        case Ends(end=end, why=why):
            return f"end {end.value}: {why.value}"
        case Skip(why=why):
            return f"skip: {why.value}"


def contact_step(seen: Snapshot) -> ContactStep | None:
    """The step in hand when it makes a message; None at another step, and for a message written by hand."""
    if seen.enrollment is None or seen.journey is None:
        return None
    step = seen.journey.journey.steps.get(seen.enrollment.step)
    return step if isinstance(step, CONTACT_STEPS) else None


def channel_of(seen: Snapshot) -> Channel:
    """The channel of the message in hand, or of the step that makes one. Raises ValueError where there is neither."""
    if seen.message is not None:
        return seen.message.channel
    step = contact_step(seen)
    if step is None:
        raise ValueError("a message guard needs a message or a step that makes one")
    return step.channel


def purpose_of(seen: Snapshot) -> Purpose:
    """The stricter of the journey's and the template's; what staff wrote by hand is care, as for consent."""
    if seen.journey is None:
        return Purpose.CARE
    step = contact_step(seen)
    template = None if step is None else seen.journey.templates.get(step.template)
    purposes = {seen.journey.journey.purpose} | ({template.purpose} if template is not None else set())
    return Purpose.MARKETING if Purpose.MARKETING in purposes else Purpose.CARE


def skips_bad_address(seen: Snapshot) -> bool:
    """Whether the step in hand goes on without an address that can be used."""
    step = contact_step(seen)
    return step is not None and step.on_bad_address is OnBadAddress.SKIP


def made_by_staff(seen: Snapshot) -> bool:
    """Whether the step in hand is a call that the front desk makes: no machine hands it over."""
    step = contact_step(seen)
    return isinstance(step, CallStep) and step.by is CallBy.STAFF


def useful_until(seen: Snapshot) -> datetime | None:
    """The last instant at which the message of the step in hand is of use; None: no limit."""
    step = contact_step(seen)
    if step is None or step.useless_after is None or seen.enrollment is None:
        return None
    return seen.enrollment.step_entered_at + step.useless_after


def next_local_midnight(seen: Snapshot) -> datetime:
    """When the next day begins on the location's clock, in UTC."""
    local = seen.location.hours.local(seen.now)
    tomorrow = local.date() + timedelta(days=1)
    return datetime.combine(tomorrow, time(0), tzinfo=local.tzinfo).astimezone(UTC)
