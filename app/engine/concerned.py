"""Whom an event is about: its person, and everybody else who has the address that it closes or came from."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.events import EventKind, InboxEvent
from app.domain.ids import InboxEventId, PersonId
from app.domain.snapshot import Person
from app.domain.states import Channel
from app.domain.stopping import CLOSING, addresses_closed, key_of
from app.engine.ports import UnitOfWork


@dataclass(frozen=True, slots=True)
class Whom:
    """Who an event is from. person_id None: nobody is known; candidates: or nothing tells which of these it is."""

    person_id: PersonId | None
    candidates: tuple[PersonId, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """What one person has of an event: a row of their own in the inbox, so that their timeline shows it.

    closed: the channels on which the address that we write to is closed by it. own: it is their event, and not that of
    somebody else with the same address.
    """

    event: InboxEvent
    event_id: InboxEventId
    person: Person
    closed: frozenset[Channel]
    own: bool


def whom(uow: UnitOfWork, event: InboxEvent) -> Whom:
    """The person who is named, else the one who has the address that it came from.

    Of several it is the one whose message went there last. An opt-out is never left open: without such a message it is
    the first one's, and the address is closed for all. An answer is left open where nothing tells whose it is, and
    where it is an email outside any thread (ADR 0015).
    """
    if event.person_id is not None or event.channel is None or event.address is None:
        return Whom(event.person_id)
    address = key_of(event.channel, event.address) or event.address
    found = uow.people.with_address(event.channel, address)
    if len(found) < 2:
        return Whom(found[0] if found else None)
    last = uow.stops.written_to_last(found, address)
    if is_answer(event) and (last is None or event.channel is Channel.EMAIL):
        return Whom(None, tuple(found))
    return Whom(last or found[0])


def is_answer(event: InboxEvent) -> bool:
    """Whether a person has to read it, and it closes nothing."""
    return event.kind not in CLOSING and (event.kind is EventKind.REPLIED or event.needs_human)


def others(uow: UnitOfWork, event: InboxEvent, person: Person) -> frozenset[PersonId]:
    """Everybody else whom `event` of `person` concerns."""
    found: set[PersonId] = set()
    for channel, address in {(_family(channel), address) for channel, address in _addresses(event, person)}:
        found.update(uow.people.with_address(channel, address))
    return frozenset(found - {person.id})


def closed_for(event: InboxEvent, sender: Person, person: Person) -> frozenset[Channel]:
    """The channels on which `event` of `sender` closes the address that `person` is written to."""
    closed = addresses_closed(event, sender)
    return frozenset(channel for channel in Channel if (channel, key_of(channel, person.address(channel))) in closed)


def _addresses(event: InboxEvent, person: Person) -> frozenset[tuple[Channel, str]]:
    if event.kind in CLOSING:
        return addresses_closed(event, person)
    if event.channel is None or not (is_answer(event) or event.kind is EventKind.OPTED_IN):
        return frozenset()
    address = key_of(event.channel, event.address)
    return frozenset() if address is None else frozenset({(event.channel, address)})


def _family(channel: Channel) -> Channel:
    """Texts and calls share the phone: one question for both."""
    return Channel.EMAIL if channel is Channel.EMAIL else Channel.SMS
