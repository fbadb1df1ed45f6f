"""What an event says about consent: a no takes consents back, a yes after it lifts the no (RULES B9, C1, C5)."""

from __future__ import annotations

from datetime import datetime

from app.domain.errors import OperatorError
from app.domain.events import EventKind, InboxEvent
from app.domain.ids import InboxEventId
from app.domain.snapshot import Person
from app.domain.states import Channel, Purpose
from app.domain.stopping import PHONE_CHANNELS, WILL, channels_revoked, key_of
from app.engine.consent_ports import ConsentNew
from app.engine.ports import LogLine, UnitOfWork

GIVEN, REVOKED = "given", "revoked"


def is_opt_in(event: InboxEvent) -> bool:
    """A clear yes; one that somebody has to look at first lifts nothing."""
    return event.kind is EventKind.OPTED_IN and not event.needs_human


def channels_wanted(event: InboxEvent) -> tuple[Channel, ...]:
    """The channels that an opt-in names; its own; or all, when it names none."""
    return event.channels or ((event.channel,) if event.channel else tuple(Channel))


def said_no_later(uow: UnitOfWork, event: InboxEvent, person: Person) -> dict[Channel, datetime]:
    """The channels of an opt-in of which the person asked for no more after it -> when.

    Answers are read in any order: a START that is read late is older than the STOP that was read before it.
    """
    later: dict[Channel, datetime] = {}
    for channel in channels_wanted(event):
        wish = uow.consents.last_wish(person, channel, _addresses(event, person, channel))
        if wish is not None and wish > event.happened_at:
            later[channel] = wish
    return later


def follow_consents(
    uow: UnitOfWork,
    event: InboxEvent,
    event_id: InboxEventId,
    person: Person,
    said_no: frozenset[Channel],
    now: datetime,
) -> None:
    """Append what the event says of the person's consents, and lift what an opt-in lifts.

    said_no: the channels of which they asked for no more after this yes. Raises OperatorError for an opt-in without its
    evidence.
    """
    if is_opt_in(event):
        _lift(uow, event, event_id, person, said_no, now)
    elif event.kind in WILL or event.kind is EventKind.DISCONNECTED:
        _take_back(uow, event, event_id, person, now)


def _take_back(uow: UnitOfWork, event: InboxEvent, event_id: InboxEventId, person: Person, now: datetime) -> None:
    """A wish ends the consent for every address of the person; a dead or wrong number ends it for that number."""
    wish = event.kind in WILL
    rows = []
    for seen in uow.consents.standing(person):
        if seen.channel not in channels_revoked(event):
            continue
        address = "" if wish else key_of(seen.channel, event.address) or person.address(seen.channel) or ""
        if address and address != person.address(seen.channel):
            continue  # the number that is dead is not the one that they agreed for
        how = "asked for no more" if wish else "the number is not theirs, or dead"
        rows.append(_row(event, event_id, person, seen.channel, seen.purpose, REVOKED, address, how, now))
    uow.consents.add(rows, now)


def _lift(
    uow: UnitOfWork,
    event: InboxEvent,
    event_id: InboxEventId,
    person: Person,
    said_no: frozenset[Channel],
    now: datetime,
) -> None:
    """An opt-in lifts what was suppressed before it, with its own words as the evidence (RULES B9).

    What the person had agreed to before their no, they agree to again. It adds no consent that there never was.
    """
    evidence = event.text or event.note
    if not evidence.strip():
        told = "An opt-in needs its evidence: what they wrote or signed, and when."
        raise OperatorError(told, "Give it with --text.")
    wanted = [channel for channel in channels_wanted(event) if channel not in said_no]
    for channel in wanted:
        addresses = sorted(_addresses(event, person, channel))
        lifted = [uow.people.lift_suppression(channel, address, evidence, now) for address in addresses]
        if any(lifted):
            facts = {"channel": channel.value}
            uow.log.add([LogLine(now, "suppression.lifted", event.actor, person_id=person.id, facts=facts)])
    back = sorted(each for each in uow.consents.taken_back(person) if each[0] in wanted)
    rows = [
        _row(event, event_id, person, channel, purpose, GIVEN, address, "asked for it again", now)
        for channel, purpose in back
        if (address := person.address(channel)) is not None
    ]
    uow.consents.add(rows, now)


def _row(
    event: InboxEvent,
    event_id: InboxEventId,
    person: Person,
    channel: Channel,
    purpose: Purpose,
    act: str,
    address: str,
    how: str,
    now: datetime,
) -> ConsentNew:
    return ConsentNew(
        person_id=person.id,
        channel=channel,
        purpose=purpose,
        act=act,
        address=address,
        at=min(event.happened_at, now),
        how=how,
        wording="",  # their words stand in the event, from which erasing takes them
        evidence=f"event {event_id}",
        recorded_by=event.actor or event.source,
    )


def _addresses(event: InboxEvent, person: Person, channel: Channel) -> set[str]:
    """The address that it came from, or where it names none all that the person has on the channel."""
    named = None
    if event.channel is not None and (event.channel is Channel.EMAIL) == (channel is Channel.EMAIL):
        named = key_of(channel, event.address)
    own = [person.address(channel), *([person.alt_phone] if channel in PHONE_CHANNELS else [])]
    return {named} if named else {key for address in own if (key := key_of(channel, address))}
