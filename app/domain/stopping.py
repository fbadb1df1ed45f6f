"""Which follow-ups an event ends, and how: the pure half of a stop. engine/apply_event.py is the other."""

from __future__ import annotations

from app.domain.condition import holds
from app.domain.events import EventKind, InboxEvent
from app.domain.journey import CONTACT_STEPS, Journey, OnBadAddress
from app.domain.reasons import Why
from app.domain.snapshot import Snapshot
from app.domain.states import Channel, End
from app.domain.verdict import Ends

PHONE_CHANNELS = frozenset({Channel.SMS, Channel.CALL})


def channels_revoked(event: InboxEvent) -> frozenset[Channel]:
    """The channels that an opt-out, complaint or dead address closes.

    A text or call opt-out closes both, email stays (RULES B7); one that names no channel closes all.
    """
    match event.kind:
        case EventKind.OPTED_OUT:
            named = frozenset(event.channels) or (frozenset({event.channel}) if event.channel else frozenset(Channel))
            return named | PHONE_CHANNELS if named & PHONE_CHANNELS else named
        case EventKind.COMPLAINED | EventKind.BOUNCED:
            return frozenset({event.channel or Channel.EMAIL})
        case EventKind.DISCONNECTED:
            return PHONE_CHANNELS
        case _:
            return frozenset()


def ended_by(event: InboxEvent, seen: Snapshot) -> Ends | None:
    """How `event` ends the follow-up that `seen` shows, or None when it goes on.

    seen: read after the event's facts were written, so that a goal is asked of live rows.
    """
    if seen.journey is None:
        return None
    journey = seen.journey.journey
    if event.journey_id is not None and event.journey_id != seen.journey.id:
        return None
    direct = _ended_directly(event, journey)
    if direct is not None:
        return direct
    return _ended_by_facts(journey, seen)


def _ended_directly(event: InboxEvent, journey: Journey) -> Ends | None:
    match event.kind:
        case EventKind.STOPPED:
            return Ends(End.STOPPED, Why.STAFF_STOP, {"by": event.actor})
        case EventKind.REPLIED:
            return Ends(End.REPLIED, Why.REPLY) if journey.ends.replied else None
        case EventKind.CONVERTED:
            return Ends(End.CONVERTED, Why.GOAL)
        case EventKind.CLOSED:
            return Ends(End.CLOSED, Why.NO_LONGER_TRUE)
        case EventKind.OPTED_OUT:
            return Ends(End.OPTED_OUT, Why.OPT_OUT) if _uses(journey, event) else None
        case EventKind.COMPLAINED:
            return Ends(End.OPTED_OUT, Why.COMPLAINT) if _uses(journey, event) else None
        case EventKind.BOUNCED:
            return Ends(End.SUPPRESSED, Why.HARD_BOUNCE) if _needs(journey, event) else None
        case EventKind.DISCONNECTED:
            return Ends(End.SUPPRESSED, Why.DISCONNECTED) if _ends_when_disconnected(journey, event) else None
        case _:
            return None


def _ended_by_facts(journey: Journey, seen: Snapshot) -> Ends | None:
    if journey.ends.converted is not None and holds(journey.ends.converted, seen.facts, seen.now):
        return Ends(End.CONVERTED, Why.GOAL)
    if journey.ends.closed is not None and holds(journey.ends.closed, seen.facts, seen.now):
        return Ends(End.CLOSED, Why.NO_LONGER_TRUE)
    return None


def _uses(journey: Journey, event: InboxEvent) -> bool:
    revoked = channels_revoked(event)
    return any(s.channel in revoked for s in journey.steps.values() if isinstance(s, CONTACT_STEPS))


def _needs(journey: Journey, event: InboxEvent) -> bool:
    """Whether a step that can't be skipped uses a closed channel."""
    revoked = channels_revoked(event)
    contacts = [s for s in journey.steps.values() if isinstance(s, CONTACT_STEPS) and s.channel in revoked]
    return any(step.on_bad_address is OnBadAddress.END for step in contacts)


def _ends_when_disconnected(journey: Journey, event: InboxEvent) -> bool:
    """A dead number ends every follow-up, email ones too, unless each phone step says to go on (DESIGN section 4)."""
    revoked = channels_revoked(event)
    contacts = [s for s in journey.steps.values() if isinstance(s, CONTACT_STEPS) and s.channel in revoked]
    return not contacts or any(step.on_bad_address is OnBadAddress.END for step in contacts)
