"""Every stop, from whatever side it comes: inbox insert-if-absent, person version + 1, follow-ups ended, messages
cancelled or marked `stop_requested`, all in the caller's one transaction (I8).
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from app.domain.errors import OperatorError, StoreError
from app.domain.events import FACT_OF, RECORD_OF, Applied, EndedFollowUp, EventKind, InboxEvent
from app.domain.ids import EnrollmentId, InboxEventId, PersonId
from app.domain.journey import CONTACT_STEPS
from app.domain.person import address_key
from app.domain.reasons import Why
from app.domain.snapshot import Person, Snapshot
from app.domain.states import Channel, Contact, End
from app.domain.stopping import channels_revoked, ended_by
from app.domain.verdict import Ends
from app.engine import moves
from app.engine.checkpoints import reach
from app.engine.ports import EnrollmentRow, LogLine, ProblemNote, UnitOfWork

log = logging.getLogger(__name__)

_SUPPRESSED_FOR = {
    EventKind.OPTED_OUT: Why.OPT_OUT,
    EventKind.COMPLAINED: Why.COMPLAINT,
    EventKind.BOUNCED: Why.HARD_BOUNCE,
    EventKind.DISCONNECTED: Why.DISCONNECTED,
}

_WHY_UNREADABLE = {
    End.STOPPED: Why.STAFF_STOP,
    End.REPLIED: Why.REPLY,
    End.CONVERTED: Why.GOAL,
    End.CLOSED: Why.NO_LONGER_TRUE,
    End.OPTED_OUT: Why.OPT_OUT,
    End.SUPPRESSED: Why.HARD_BOUNCE,
}

LOST = "lost"  # the person's status after a `closed` event (DESIGN section 7, field person.status)


def apply_event(uow: UnitOfWork, event: InboxEvent, now: datetime) -> Applied:
    """Apply `event` once; a second copy changes nothing and says so.

    The first stop that is applied ends the follow-up and stays (I3); a later one adds its fact, its suppression and its
    log line. An event that matches nobody is kept, listed, and its address suppressed where it asks for that (I17).
    """
    matched = _match(uow, event)
    if matched.person_id is not None and uow.people.read(matched.person_id) is None:
        raise OperatorError(f"there is no person {matched.person_id}")
    event_id = uow.events.insert_if_absent(matched)
    if event_id is None:
        return Applied(uow.events.known(event.source, event.key), matched.person_id, duplicate=True)
    if matched.person_id is None:
        return _unmatched(uow, matched, event_id, now)
    uow.people.lock([matched.person_id], to_write=True)
    person = uow.people.read(matched.person_id)
    if person is None:
        raise AssertionError("a person's row is never deleted")
    suppressed = _write_facts(uow, matched, event_id, person, now)
    applied = _end_follow_ups(uow, matched, event_id, person.id, now)
    uow.events.mark_applied(event_id, now)
    uow.log.add([_line(now, "event.applied", matched, event_id, person.id)])
    reach("event.before_commit")
    return Applied(
        event_id=event_id,
        person_id=person.id,
        came_in_at=matched.happened_at,
        changed_at=now,
        ended=applied.ended,
        cancelled=applied.cancelled,
        on_their_way=applied.on_their_way,
        accepted=applied.accepted,
        suppressed=suppressed,
    )


def _match(uow: UnitOfWork, event: InboxEvent) -> InboxEvent:
    """The event with its person, found by address where none is given. Several with one address: the first by id."""
    if event.person_id is not None or event.channel is None or event.address is None:
        return event
    found = uow.people.with_address(event.channel, event.address)
    return replace(event, person_id=found[0]) if found else event


def _unmatched(uow: UnitOfWork, event: InboxEvent, event_id: InboxEventId, now: datetime) -> Applied:
    why = _SUPPRESSED_FOR.get(event.kind)
    done: list[Channel] = []
    if why is not None and event.address and event.channel is not None and _is_address(event.channel, event.address):
        done = [
            channel
            for channel in sorted(channels_revoked(event))
            if (channel is Channel.EMAIL) == (event.channel is Channel.EMAIL)
            and uow.people.suppress(channel, event.address, why, event_id, None, now)
        ]
    uow.log.problem([ProblemNote(now, Why.UNMATCHED, inbox_event_id=event_id)])
    uow.log.add([_line(now, "event.unmatched", event, event_id, None)])
    return Applied(event_id, None, unmatched=True, came_in_at=event.happened_at, suppressed=tuple(done))


def _write_facts(
    uow: UnitOfWork, event: InboxEvent, event_id: InboxEventId, person: Person, now: datetime
) -> tuple[Channel, ...]:
    """What the event says about the person, as live rows; the channels that were suppressed by it."""
    record = RECORD_OF.get(event.kind)
    if record is not None:
        kind, status = record
        uow.people.record_goal(person.id, kind, status, f"event-{event_id}", now)
    if event.kind is EventKind.CLOSED:
        uow.people.set_status(person.id, LOST)
    uow.people.bump(person.id, _contact_after(event, person), now)
    if event.kind is EventKind.OPTED_IN:
        _lift(uow, event, person, now)
        return ()
    why = _SUPPRESSED_FOR.get(event.kind)
    if why is None:
        return ()
    done: list[Channel] = []
    for channel in sorted(channels_revoked(event)):
        address = _address(event, person, channel)
        if address and uow.people.suppress(channel, address, why, event_id, person.id, now):
            done.append(channel)
            facts = {"channel": channel.value, "why": why.value}
            uow.log.add([_line(now, "address.suppressed", event, event_id, person.id, facts)])
    return tuple(done)


def _address(event: InboxEvent, person: Person, channel: Channel) -> str | None:
    """The address that the event is about: its own where it has one on this channel, else the person's."""
    if event.address and event.channel is not None:
        same_kind = (event.channel is Channel.EMAIL) == (channel is Channel.EMAIL)
        if same_kind and _is_address(channel, event.address):
            return event.address
    return person.address(channel)


def _is_address(channel: Channel, address: str) -> bool:
    """Whether a message could go there. A stop from a short code or a garbled sender is taken in all the same (I17)."""
    try:
        address_key(channel, address)
    except ValueError:
        return False
    return True


def _contact_after(event: InboxEvent, person: Person) -> Contact | None:
    if event.kind is EventKind.OPTED_OUT and channels_revoked(event) == frozenset(Channel):
        return None if person.contact is Contact.DO_NOT_CONTACT else Contact.DO_NOT_CONTACT
    if event.kind is EventKind.OPTED_IN:
        return Contact.OPEN if person.contact is Contact.DO_NOT_CONTACT else None
    wants_staff = event.kind is EventKind.REPLIED or event.needs_human
    return Contact.WITH_STAFF if wants_staff and person.contact is Contact.OPEN else None


def _lift(uow: UnitOfWork, event: InboxEvent, person: Person, now: datetime) -> None:
    """An opt-in lifts what was suppressed, with its own words as the evidence (RULES B9)."""
    evidence = event.text or event.note
    if not evidence.strip():
        told = "An opt-in needs its evidence: what they wrote or signed, and when."
        raise OperatorError(told, "Give it with --text.")
    channels = event.channels or ((event.channel,) if event.channel else tuple(Channel))
    for channel in channels:
        address = _address(event, person, channel)
        if address and uow.people.lift_suppression(channel, address, evidence, now):
            facts = {"channel": channel.value}
            uow.log.add([LogLine(now, "suppression.lifted", event.actor, person_id=person.id, facts=facts)])


def _end_follow_ups(
    uow: UnitOfWork, event: InboxEvent, event_id: InboxEventId, person_id: PersonId, now: datetime
) -> Applied:
    live = uow.enrollments.live_of(person_id)
    rows = uow.enrollments.rows(live)
    snapshots = _read(uow, live, now)
    ends = {i: end for i in live if (end := _ended_by(event, rows[i], snapshots.get(i))) is not None}
    wanted = [moves.ended(rows[i].seen, end, now, event_id=event_id) for i, end in ends.items()]
    written = uow.enrollments.move(wanted)
    if len(written) != len(wanted):
        raise AssertionError("a locked enrollment changed under its lock")
    ids = sorted(written)
    why = next(iter(ends.values())).why if ends else Why.FOLLOW_UP_ENDED
    cancelled = uow.outbox.cancel_waiting(ids, why, event_id, now) if ids else ()
    on_their_way = uow.outbox.request_stop(ids, event_id, now) if ids else ()
    accepted = uow.outbox.last_accepted(ids) if ids else ()
    uow.log.add(_lines(event, event_id, [rows[i] for i in ids], ends, now))
    uow.log.add(
        [
            LogLine(
                now,
                "message.cancelled",
                person_id=person_id,
                message_id=m.message_id,
                inbox_event_id=event_id,
                facts={"why": why.value},
            )
            for m in cancelled
        ]
        + [
            LogLine(
                now, "message.stop_requested", person_id=person_id, message_id=m.message_id, inbox_event_id=event_id
            )
            for m in on_their_way
        ]
    )
    ended = tuple(
        EndedFollowUp(_journey_name(snapshots.get(i)), ends[i].end, _steps_left(snapshots.get(i))) for i in ids
    )
    return Applied(
        event_id,
        person_id,
        ended=ended,
        cancelled=tuple(cancelled),
        on_their_way=tuple(on_their_way),
        accepted=tuple(accepted),
    )


def _read(uow: UnitOfWork, live: Sequence[EnrollmentId], now: datetime) -> Mapping[EnrollmentId, Snapshot]:
    """Live rows of all; those of which something can't be read here, such as a newer journey's version, left out."""
    try:
        return uow.snapshots.of_enrollments(live, now)
    except StoreError:
        raise
    except Exception:
        log.info("event.one_by_one", exc_info=True)
    snapshots: dict[EnrollmentId, Snapshot] = {}
    for enrollment_id in live:
        try:
            snapshots.update(uow.snapshots.of_enrollments([enrollment_id], now))
        except StoreError:
            raise
        except Exception:
            log.exception("event.unreadable", extra={"enrollment_id": enrollment_id})
    return snapshots


def _ended_by(event: InboxEvent, row: EnrollmentRow, seen: Snapshot | None) -> Ends | None:
    """How the event ends it. Where nothing can be asked about it, whatever may be a stop is one: rather too silent."""
    if seen is not None:
        return ended_by(event, seen)
    end = FACT_OF.get(event.kind)
    if end is None or event.journey_id not in (None, row.journey_id):
        return None
    return Ends(end, _WHY_UNREADABLE[end])


def _lines(
    event: InboxEvent,
    event_id: InboxEventId,
    ended: Sequence[EnrollmentRow],
    ends: Mapping[EnrollmentId, Ends],
    now: datetime,
) -> list[LogLine]:
    lines = []
    for row in ended:
        end = ends[row.seen.id]
        facts = {"end": end.end.value, "why": end.why.value}
        lines.append(
            LogLine(
                now,
                "follow_up.ended",
                event.actor,
                person_id=row.person_id,
                enrollment_id=row.seen.id,
                inbox_event_id=event_id,
                journey_id=row.journey_id,
                facts=dict(facts),
            )
        )
    return lines


def _journey_name(seen: Snapshot | None) -> str:
    return seen.journey.name if seen is not None and seen.journey else ""


def _steps_left(seen: Snapshot | None) -> int:
    """How many messages of the journey were not said: those after the step it stood at count by what was said."""
    if seen is None or seen.journey is None:
        return 0
    contacts = [step for step in seen.journey.journey.steps.values() if isinstance(step, CONTACT_STEPS)]
    said = {step for step, _, _ in seen.said}
    return sum(1 for step in contacts if step.id not in said)


def _line(
    now: datetime,
    name: str,
    event: InboxEvent,
    event_id: InboxEventId,
    person_id: PersonId | None,
    facts: dict[str, str] | None = None,
) -> LogLine:
    return LogLine(
        now,
        name,
        event.actor,
        person_id=person_id,
        inbox_event_id=event_id,
        facts={"kind": event.kind.value, "source": event.source, **(facts or {})},
    )
