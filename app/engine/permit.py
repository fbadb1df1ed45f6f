"""The permission transaction: every guard asked again on live rows, the attempt noted, the message marked `sending`.

The only place that can mark a message `sending` (I6, I7).
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.domain.errors import StopwellError, StoreError
from app.domain.fill import Filled, fill
from app.domain.guard_parts import made_by_staff, purpose_of
from app.domain.guards import GUARDS, ask
from app.domain.ids import EnrollmentId, MessageId, PersonId
from app.domain.journey import CONTACT_STEPS
from app.domain.lateness import late_from, marked_overdue, turn_at
from app.domain.legal_hours import valid_until
from app.domain.reasons import Why
from app.domain.snapshot import MessageSeen, Snapshot
from app.domain.states import LIVE, Channel, MessageState, WaitsFor
from app.domain.verdict import Answered, Ends, Hold, Pass, Skip, Trace, Verdict
from app.domain.workers import LEASE
from app.engine import moves
from app.engine.expired import expired
from app.engine.paced import paced
from app.engine.ports import AttemptNote, Leased, LogLine, MessageMove, Permission, ProblemNote, UnitOfWork

log = logging.getLogger(__name__)

TROUBLE_AGAIN = timedelta(hours=1)

# holds that no clock lifts: a person has to mend something
NEEDS_STAFF = frozenset(
    {Why.TROUBLE, Why.EMPTY_VALUE, Why.TEMPLATE_BROKEN, Why.NO_CONSENT, Why.NEVER_OPEN}
    | {Why.ZONE_UNKNOWN, Why.NEVER_LEGAL, Why.RULES_UNREADABLE, Why.NO_UNSUBSCRIBE_GROUP}
)


@dataclass(frozen=True, slots=True)
class Permitted:
    """notes: attempts to hand over. held, ended: messages that were settled instead."""

    notes: Sequence[AttemptNote]
    held: int
    ended: int


def permit(
    uow: UnitOfWork,
    leased: Sequence[Leased],
    token: str,
    now: datetime,
    providers: Mapping[Channel, str],
    rates: Mapping[Channel, float],
) -> Permitted:
    """Mark `sending` what every guard lets through; its notes may be handed over right after this transaction commits.

    Every other message of `leased` is settled here: held, cancelled, or its enrollment ended, each with its reason.
    The people and their follow-ups must be locked to write: see `lock`. providers: the name of the provider that each
    channel is handed to. rates: the most messages a second of each channel that has a limit.
    """
    snapshots, faults = _read(uow, leased, now)
    permissions: list[tuple[MessageSeen, Permission]] = []
    settled: list[Verdict] = []
    for each in leased:
        if each.message_id in faults:
            settled += _set_aside(uow, each, faults[each.message_id], now)
            continue
        seen = snapshots.get(each.message_id)
        if seen is None or seen.message is None or seen.message.version != each.version:
            continue  # a stop was quicker: the row is no longer ours (I9)
        trace, filled = _decide(seen, seen.message)
        if filled is not None:
            permissions.append((seen.message, _permission(seen, seen.message, filled, trace, providers)))
        else:
            settled.append(_settle(uow, seen, seen.message, trace))
    notes = uow.outbox.permit(paced(uow, permissions, rates, now), token, now, now + LEASE)
    uow.log.add([_noted(note) for note in notes])
    held = sum(isinstance(verdict, Hold) for verdict in settled)
    ended = sum(isinstance(verdict, Ends) for verdict in settled)
    return Permitted(notes, held, ended)


def lock(uow: UnitOfWork, people: Iterable[PersonId], enrollments: Iterable[EnrollmentId | None]) -> None:
    """Lock what a permission rests on, in the order of every transaction: people, then follow-ups (engine/ports.py).

    To write: two workers that note for the same person at the same time would each miss the other's for the caps.
    """
    uow.people.lock(sorted(set(people)), to_write=True)
    uow.enrollments.lock(sorted({each for each in enrollments if each is not None}))


def _read(
    uow: UnitOfWork, leased: Sequence[Leased], now: datetime
) -> tuple[Mapping[MessageId, Snapshot], Mapping[MessageId, Exception]]:
    """Live rows of all, and the fault of each whose rows make no sense here, such as a zone that is not known."""
    try:
        return uow.snapshots.of_messages([each.message_id for each in leased], now), {}
    except StoreError:
        raise
    except Exception:
        log.info("permit.one_by_one", exc_info=True)
    snapshots: dict[MessageId, Snapshot] = {}
    faults: dict[MessageId, Exception] = {}
    for each in leased:
        try:
            snapshots.update(uow.snapshots.of_messages([each.message_id], now))
        except StoreError:
            raise
        except Exception as fault:
            log.exception("permit.unreadable", extra={"message_id": each.message_id})
            faults[each.message_id] = fault
    return snapshots, faults


def _decide(seen: Snapshot, message: MessageSeen) -> tuple[Trace, Filled | None]:
    """Ask and fill. A fault in it holds this message alone, and shows it to staff.

    What the front desk says itself is never noted here: let through, it stands on the call list (ADR 0027).
    """
    try:
        trace = ask(seen, GUARDS)
        if not trace.passed:
            return trace, None
        trace, filled = fill(seen, message, trace)
        return (_on_call_list(trace), None) if filled is not None and made_by_staff(seen) else (trace, filled)
    except Exception as fault:
        log.exception("permit.message_failed", extra={"message_id": message.id})
        return _fault_trace(fault, seen.now), None


def _on_call_list(trace: Trace) -> Trace:
    hold = Hold(None, Why.CALL_LIST, saw="the front desk calls")
    return Trace((*trace.lines, Answered("call_list", f"hold: {hold.why.value}", hold.saw)), hold)


def _fault_trace(fault: Exception, now: datetime) -> Trace:
    because = fault.told if isinstance(fault, StopwellError) else type(fault).__name__
    hold = Hold(now + TROUBLE_AGAIN, Why.TROUBLE, {"because": because}, "fault")
    return Trace((Answered("asked", f"hold: {hold.why.value}", hold.saw),), hold)


def _set_aside(uow: UnitOfWork, each: Leased, fault: Exception, now: datetime) -> list[Verdict]:
    """Hold a message about whose rows nothing can be asked."""
    trace = _fault_trace(fault, now)
    because = trace.verdict.facts if isinstance(trace.verdict, Hold) else {}
    move = MessageMove(
        id=each.message_id,
        seen_version=each.version,
        state=MessageState.QUEUED,
        attempts=each.attempts,
        try_at=now + TROUBLE_AGAIN,
        hold_why=Why.TROUBLE,
        hold_facts=because,
        trace=trace,
    )
    if not uow.outbox.move([move], now):
        return []  # a stop was quicker
    person_id, enrollment_id, message_id = each.person_id, each.enrollment_id, each.message_id
    line = LogLine(now, "message.held", "", person_id, enrollment_id, message_id, facts={"why": Why.TROUBLE.value})
    uow.log.add([line])
    uow.log.problem([ProblemNote(now, Why.TROUBLE, person_id, enrollment_id, message_id, facts=because)])
    return [trace.verdict]


def _settle(uow: UnitOfWork, seen: Snapshot, message: MessageSeen, trace: Trace) -> Verdict:
    match trace.verdict:
        case Hold() as hold:
            _hold(uow, seen, message, hold, trace)
        case Ends() as ends:
            _end(uow, seen, message, ends, trace)
        case Skip() as skip:
            _skip(uow, seen, message, skip, trace)
        case Pass():
            raise AssertionError("a trace that passed comes with its words filled")
    return trace.verdict


def _permission(
    seen: Snapshot, message: MessageSeen, filled: Filled, trace: Trace, providers: Mapping[Channel, str]
) -> Permission:
    return Permission(
        message_id=message.id,
        seen_version=message.version,
        key=uuid.uuid4().hex,
        to=filled.to,
        subject=filled.subject,
        body=filled.body,
        trace=trace,
        provider=providers[message.channel],
        purpose=purpose_of(seen),
        valid_until=valid_until(seen),
    )


def _hold(uow: UnitOfWork, seen: Snapshot, message: MessageSeen, hold: Hold, trace: Trace) -> None:
    overdue = marked_overdue(seen, message.hold_facts)
    hold = overdue or hold  # nothing but staff lifts it, and what else would hold it is asked after that
    uow.outbox.move(
        [
            MessageMove(
                id=message.id,
                seen_version=message.version,
                state=MessageState.QUEUED,
                attempts=message.attempts,
                try_at=moves.ask_again_at(hold, seen.now),
                hold_why=hold.why,
                hold_facts=hold.facts,
                possible_duplicate=message.possible_duplicate,
                trace=trace,
            )
        ],
        seen.now,
    )
    if overdue is not None:
        return
    if _is_news(message, hold):
        uow.log.add([_line(seen, message, "message.held", {"why": hold.why.value, "guard": trace.lines[-1].guard})])
    if hold.why in NEEDS_STAFF:
        note = ProblemNote(
            seen.now,
            hold.why,
            person_id=seen.person.id,
            enrollment_id=message.enrollment_id,
            message_id=message.id,
            facts=hold.facts,
        )
        uow.log.problem([note])


def _is_news(message: MessageSeen, hold: Hold) -> bool:
    """A hold without an end is asked again now and then; the log tells it once. A new end is a new hold."""
    ends = hold.until is not None and hold.why is not Why.CHANNEL_PAUSED
    return ends or message.hold_why is not hold.why


def _end(uow: UnitOfWork, seen: Snapshot, message: MessageSeen, ends: Ends, trace: Trace) -> None:
    guard = trace.lines[-1].guard
    if seen.enrollment is not None and seen.enrollment.state in LIVE:
        uow.enrollments.move([moves.ended(seen.enrollment, ends, seen.now, guard=guard, turn_at=turn_at(seen))])
        facts = {"end": ends.end.value, "why": ends.why.value, "guard": guard, "step": seen.enrollment.step}
        uow.log.add([_line(seen, message, "follow_up.ended", facts)])
        if ends.why is Why.EXPIRED:
            uow.log.problem([expired(seen)])
    _cancel(uow, seen, message, ends.why, trace)


def _skip(uow: UnitOfWork, seen: Snapshot, message: MessageSeen, skip: Skip, trace: Trace) -> None:
    _cancel(uow, seen, message, skip.why, trace)
    enrollment = seen.enrollment
    if enrollment is None or enrollment.state not in LIVE or enrollment.waits_for is not WaitsFor.MESSAGE:
        return
    step = seen.step
    if isinstance(step, CONTACT_STEPS):
        due = late_from(seen) or seen.now  # a step that is passed over makes the next one no less late
        on = moves.moved(enrollment, step=step.next, waits_for=WaitsFor.NOTHING, entered_at=seen.now, wake_at=due)
        uow.enrollments.move([on])


def _cancel(uow: UnitOfWork, seen: Snapshot, message: MessageSeen, why: Why, trace: Trace) -> None:
    move = MessageMove(
        id=message.id,
        seen_version=message.version,
        state=MessageState.CANCELLED,
        attempts=message.attempts,
        reason=why,
        possible_duplicate=message.possible_duplicate,
        trace=trace,
    )
    uow.outbox.move([move], seen.now)
    uow.log.add([_line(seen, message, "message.cancelled", {"why": why.value, "guard": trace.lines[-1].guard})])


def _line(seen: Snapshot, message: MessageSeen, event: str, facts: dict[str, str]) -> LogLine:
    return LogLine(
        seen.now,
        event,
        person_id=seen.person.id,
        enrollment_id=message.enrollment_id,
        message_id=message.id,
        journey_id=seen.journey.id if seen.journey else None,
        facts=dict(facts),
    )


def _noted(note: AttemptNote) -> LogLine:
    return LogLine(
        note.noted_at,
        "attempt.noted",
        person_id=note.person_id,
        enrollment_id=note.enrollment_id,
        message_id=note.message_id,
        attempt_id=note.attempt_id,
        facts={"number": note.number, "channel": note.channel.value},
    )
