"""Which follow-ups an event ends, and how: the pure half of a stop. engine/apply_event.py is the other."""

from __future__ import annotations

from datetime import datetime, timedelta

from app.domain.condition import holds
from app.domain.events import FACT_OF, Dated, EventKind, InboxEvent
from app.domain.journey import CONTACT_STEPS, ContactStep, Journey, OnBadAddress
from app.domain.person import address_key
from app.domain.reasons import Why
from app.domain.remaining import messages_ahead
from app.domain.snapshot import Person, Snapshot
from app.domain.states import Channel, End, WaitsFor
from app.domain.verdict import Ends

PHONE_CHANNELS = frozenset({Channel.SMS, Channel.CALL})
CLOSING = frozenset({EventKind.OPTED_OUT, EventKind.COMPLAINED, EventKind.BOUNCED, EventKind.DISCONNECTED})
WILL = frozenset({EventKind.OPTED_OUT, EventKind.COMPLAINED})  # what the person wants, not what an address can do

CLOCKS_DIFFER = timedelta(minutes=2)  # a provider's clock and ours
LONG_BEFORE = timedelta(days=1)  # a lead that wrote this morning is typed in this afternoon


def closing_why(event: InboxEvent) -> Why | None:
    """Why the addresses that `event` closes are on the do-not-contact list; None when it closes none."""
    match event.kind:
        case EventKind.OPTED_OUT:
            return Why.OPT_OUT
        case EventKind.COMPLAINED:
            return Why.COMPLAINT
        case EventKind.BOUNCED if event.why is not None:
            return event.why
        case EventKind.BOUNCED:
            return Why.INVALID_ADDRESS if event.channel in PHONE_CHANNELS else Why.HARD_BOUNCE
        case EventKind.DISCONNECTED:
            return Why.DISCONNECTED
        case _:
            return None


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


def addresses_closed(event: InboxEvent, person: Person | None) -> frozenset[tuple[Channel, str]]:
    """Every (channel, key) that `event` of `person` (None: nobody is known) puts on the do-not-contact list.

    What the person wants holds for all the addresses that they have on the channel, a second number included, and for
    the one that they wrote from; a bounce or a dead number is about one address.
    """
    found: set[tuple[Channel, str]] = set()
    for channel in channels_revoked(event):
        named = key_of(channel, _named(event, channel))
        if named is not None:
            found.add((channel, named))
        if person is not None and (named is None or event.kind in WILL):
            own = [person.address(channel)]
            own += [person.alt_phone] if event.kind in WILL and channel in PHONE_CHANNELS else []
            found |= {(channel, key) for address in own if (key := key_of(channel, address)) is not None}
    return frozenset(found)


def key_of(channel: Channel, address: str | None) -> str | None:
    """The key of `address`, or None when no message could go there: a short code, a garbled sender (I17)."""
    if not address:
        return None
    try:
        return address_key(channel, address)
    except ValueError:
        return None


def _named(event: InboxEvent, channel: Channel) -> str | None:
    """The event's own address, where it is one of this channel's kind."""
    if event.channel is None or (event.channel is Channel.EMAIL) != (channel is Channel.EMAIL):
        return None
    return event.address


def dated(event: InboxEvent, person: Person | None, now: datetime) -> Dated:
    """Whether the time that `event` claims can be right. It is taken in whatever it says."""
    if event.happened_at > now + CLOCKS_DIFFER:
        return Dated.FUTURE
    if person is not None and event.happened_at < person.created_at - LONG_BEFORE:
        return Dated.BEFORE_PERSON
    return Dated.PLAUSIBLE


def ended_by(event: InboxEvent, seen: Snapshot) -> Ends | None:
    """How `event` ends the follow-up that `seen` shows, or None when it goes on.

    seen: read after the event's facts were written, so that a goal is asked of live rows.
    """
    if seen.journey is None:
        return None
    journey = seen.journey.journey
    if event.journey_id is not None and event.journey_id != seen.journey.id:
        return None
    direct = _ended_directly(event, journey, seen.person)
    if direct is not None:
        return direct
    return _ended_by_facts(journey, seen)


def ended_by_shared(event: InboxEvent, closed: frozenset[Channel], seen: Snapshot) -> Ends | None:
    """How `event` of somebody else with the same address ends this person's follow-up: only when nothing is left.

    closed: the channels of this person that it closed; what was closed before counts too. A follow-up that has
    something left to say by another channel goes on, past every step by a closed one.
    """
    if seen.journey is None or seen.enrollment is None:
        return None
    ahead = messages_ahead(seen.journey.journey, seen.enrollment.step)
    if not ahead or any(step.channel not in closed | seen.suppressed for step in ahead):
        return None
    why = Why.SHARED_ADDRESS if event.kind in WILL else closing_why(event) or Why.SHARED_ADDRESS
    return Ends(FACT_OF[event.kind], why)


def stands_at_closed(closed: frozenset[Channel], seen: Snapshot) -> ContactStep | None:
    """The step by a closed channel whose message this follow-up waits for, or None."""
    if seen.enrollment is None or seen.enrollment.waits_for is not WaitsFor.MESSAGE:
        return None
    step = seen.step
    return step if isinstance(step, CONTACT_STEPS) and step.channel in closed else None


def _ended_directly(event: InboxEvent, journey: Journey, person: Person) -> Ends | None:
    match event.kind:
        case EventKind.STOPPED:
            return Ends(End.STOPPED, Why.STAFF_STOP, {"by": event.actor})
        case EventKind.REPLIED:
            return Ends(End.REPLIED, Why.REPLY) if journey.ends.replied else None
        case EventKind.CONVERTED:
            return Ends(End.CONVERTED, Why.GOAL)
        case EventKind.CLOSED:
            return Ends(End.CLOSED, Why.NO_LONGER_TRUE)
        case EventKind.OPTED_OUT | EventKind.COMPLAINED:
            return Ends(End.OPTED_OUT, closing_why(event) or Why.OPT_OUT) if _uses(journey, event) else None
        case EventKind.BOUNCED:
            ends = _about_where_we_write(event, person) and _needs(journey, event)
            return Ends(End.SUPPRESSED, closing_why(event) or Why.HARD_BOUNCE) if ends else None
        case EventKind.DISCONNECTED:
            ends = _about_where_we_write(event, person) and _ends_when_disconnected(journey, event)
            return Ends(End.SUPPRESSED, Why.DISCONNECTED) if ends else None
        case _:
            return None


def _ended_by_facts(journey: Journey, seen: Snapshot) -> Ends | None:
    if journey.ends.converted is not None and holds(journey.ends.converted, seen.facts, seen.now):
        return Ends(End.CONVERTED, Why.GOAL)
    if journey.ends.closed is not None and holds(journey.ends.closed, seen.facts, seen.now):
        return Ends(End.CLOSED, Why.NO_LONGER_TRUE)
    return None


def _about_where_we_write(event: InboxEvent, person: Person) -> bool:
    """Not a second number, and not an address that was put right meanwhile: those end nothing."""
    closed = addresses_closed(event, person)
    return not closed or any(
        (channel, key_of(channel, person.address(channel))) in closed for channel in channels_revoked(event)
    )


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
