"""What an event says about a person, written as live rows: goals, contact state, the do-not-contact list.

Which follow-ups it ends: event_ends.py.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from app.domain.events import RECORD_OF, Dated, EventKind, InboxEvent
from app.domain.ids import InboxEventId, PersonId
from app.domain.reasons import Why
from app.domain.snapshot import Person
from app.domain.states import Channel, Contact
from app.domain.stopping import CLOSING, addresses_closed, channels_revoked, closing_why, dated
from app.engine.concerned import Part, closed_for, is_answer
from app.engine.event_consents import follow_consents, is_opt_in, said_no_later
from app.engine.ports import LogLine, ProblemNote, UnitOfWork

LOST = "lost"  # the person's status after a `closed` event (DESIGN section 7, field person.status)


def write_facts(
    uow: UnitOfWork, event: InboxEvent, event_id: InboxEventId, person: Person, now: datetime
) -> tuple[Channel, ...]:
    """What the event says about its person; the channels that were suppressed by it.

    Raises OperatorError for an opt-in without its evidence.
    """
    record = RECORD_OF.get(event.kind)
    if record is not None:
        kind, status = record
        uow.people.record_goal(person.id, kind, status, f"event-{event_id}", now)
    if event.kind is EventKind.CLOSED:
        uow.people.set_status(person.id, LOST)
    later = said_no_later(uow, event, person) if is_opt_in(event) else {}
    uow.people.bump(person.id, _contact_after(event, person, said_no=bool(later)), now)
    follow_consents(uow, event, event_id, person, frozenset(later), now)
    done = close_addresses(uow, event, event_id, person, now)
    if event.kind is EventKind.DISCONNECTED:
        uow.log.problem([ProblemNote(now, Why.DISCONNECTED, person.id, inbox_event_id=event_id)])
    _show_the_unreachable(uow, event, event_id, person, now)
    time = dated(event, person, now)
    facts = {} if time is Dated.PLAUSIBLE else {"dated": time.value}
    uow.log.add([line(now, "event.applied", event, event_id, person.id, facts)])
    return done


def close_addresses(
    uow: UnitOfWork, event: InboxEvent, event_id: InboxEventId, person: Person | None, now: datetime
) -> tuple[Channel, ...]:
    """Put what the event closes on the do-not-contact list; the channels that had not been there."""
    why = closing_why(event)
    person_id = None if person is None else person.id
    done: dict[Channel, None] = {}
    for channel, address in sorted(addresses_closed(event, person)):
        if why is not None and uow.people.suppress(channel, address, why, event_id, person_id, now):
            done[channel] = None
            facts = {"channel": channel.value, "why": why.value}
            uow.log.add([line(now, "address.suppressed", event, event_id, person_id, facts)])
    return tuple(done)


def write_other(uow: UnitOfWork, event: InboxEvent, sender: Person | None, other: Person, now: datetime) -> Part | None:
    """The event's row of somebody else with the address; None when they have it already.

    sender: whose event it is, None while that is open. What closes an address is told as what it is; of an answer only
    that somebody has to look. Nobody's details change.
    """
    copy = replace(
        event,
        person_id=other.id,
        key=f"{event.key} person {other.id}",
        kind=EventKind.OTHER if is_answer(event) else event.kind,
        needs_human=is_answer(event),
        journey_id=None,
    )
    event_id = uow.events.insert_if_absent(copy)
    if event_id is None:
        return None
    held = copy.needs_human and other.contact is Contact.OPEN
    uow.people.bump(other.id, Contact.WITH_STAFF if held else None, now)
    _show_the_unreachable(uow, copy, event_id, other, now)
    uow.events.mark_applied(event_id, now)
    uow.log.add([line(now, "event.applied", copy, event_id, other.id, {"shared": "address"})])
    closed = frozenset[Channel]() if sender is None or event.kind not in CLOSING else closed_for(event, sender, other)
    return Part(copy, event_id, other, closed, own=False)


def _contact_after(event: InboxEvent, person: Person, *, said_no: bool) -> Contact | None:
    """What the person's contact state becomes; None for what it is. said_no: they asked for no more after this yes."""
    if event.kind is EventKind.OPTED_OUT and channels_revoked(event) == frozenset(Channel):
        return None if person.contact is Contact.DO_NOT_CONTACT else Contact.DO_NOT_CONTACT
    if is_opt_in(event):
        opens = person.contact is Contact.DO_NOT_CONTACT and not said_no
        return Contact.OPEN if opens else None
    wants_staff = event.kind is EventKind.REPLIED or event.needs_human
    return Contact.WITH_STAFF if wants_staff and person.contact is Contact.OPEN else None


def _show_the_unreachable(
    uow: UnitOfWork, event: InboxEvent, event_id: InboxEventId, person: Person, now: datetime
) -> None:
    """Somebody who is not to be contacted stands in no list of replies; what they write is shown all the same (I17)."""
    if is_answer(event) and person.contact is Contact.DO_NOT_CONTACT:
        uow.log.problem([ProblemNote(now, Why.NEEDS_A_LOOK, person.id, inbox_event_id=event_id)])


def line(
    now: datetime,
    name: str,
    event: InboxEvent,
    event_id: InboxEventId,
    person_id: PersonId | None,
    facts: dict[str, str] | None = None,
) -> LogLine:
    """A line of the log about an event."""
    return LogLine(
        now,
        name,
        event.actor,
        person_id=person_id,
        inbox_event_id=event_id,
        facts={"kind": event.kind.value, "source": event.source, **(facts or {})},
    )
