"""What became of accepted messages: accepted -> delivered | undelivered, as the provider says later.

A provider that blocks a number because its owner opted out there has told us of an opt-out that we missed (RULES B4):
it goes through apply_event like any other, whether it comes with the refusal or only later with the status.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import assert_never

from app.domain.answer import Permanent
from app.domain.clock import Clock
from app.domain.delivery_status import FOLLOWED_FOR, CallEnded, Delivered, DeliveryStatus, NotYet, Undelivered
from app.domain.errors import StopwellError, StoreError
from app.domain.events import EventKind, InboxEvent
from app.domain.ids import LocationId, PersonId
from app.domain.reasons import Why
from app.domain.states import Channel, MessageState
from app.engine.apply_event import apply_event
from app.engine.breaker import pause, wait_of
from app.engine.calls import OUTCOME_WITHIN, give_up_call, settle_call
from app.engine.clock_mark import mark
from app.engine.ports import AcceptedNote, Follower, LogLine, MessageMove, OpenUow, ProblemNote, Sender, UnitOfWork
from app.engine.record import Result

log = logging.getLogger(__name__)

BATCH = 100


@dataclass(frozen=True, slots=True)
class StatusCount:
    """What one run found out."""

    asked: int = 0
    delivered: int = 0
    undelivered: int = 0

    def __add__(self, other: StatusCount) -> StatusCount:
        return StatusCount(
            self.asked + other.asked, self.delivered + other.delivered, self.undelivered + other.undelivered
        )


@dataclass(frozen=True, slots=True)
class StatusCheck:
    """Asks the senders that can say what became of accepted messages; the others are left in peace.

    senders: whoever can be asked, by channel or by name: each is asked about what it accepted itself.
    """

    open_uow: OpenUow
    senders: Mapping[Channel, Sender] | Mapping[str, Sender]
    clock: Clock
    stopping: Callable[[], bool] = field(default=lambda: False)

    def run(self) -> StatusCount:
        """Ask about everything that is due to be asked about, oldest first, in batches."""
        total = StatusCount()
        for name, sender in {sender.name: sender for sender in self.senders.values()}.items():
            if isinstance(sender, Follower):
                total += self._follow(name, sender)
        return total + self._give_up_calls()

    def _give_up_calls(self) -> StatusCount:
        """Calls of which nobody has told how they ended go on as not answered, also those of who can't be asked."""
        now = self.clock.now()
        with self.open_uow() as uow:
            silent = uow.calls.silent(now - OUTCOME_WITHIN, BATCH)
        return sum((self._settled(note, partial(give_up_call, note=note, now=now)) for note in silent), StatusCount())

    def _follow(self, provider: str, follower: Follower) -> StatusCount:
        total = StatusCount()
        while not self.stopping():
            now = self.clock.now()
            with self.open_uow() as uow:
                mark(uow, now)
                notes = uow.statuses.claim(provider, now - FOLLOWED_FOR, now, BATCH)
            if not notes:
                break
            said = _ask(follower, notes)
            total += StatusCount(asked=len(notes))
            for note in notes:
                total += self._write(note, said.get(note.key, NotYet()))
        return total

    def _write(self, note: AcceptedNote, said: DeliveryStatus) -> StatusCount:
        """What was said, in a transaction of its own. A fault in it leaves this message for the next question."""
        match said:
            case NotYet():
                return StatusCount()
            case CallEnded():
                return self._settled(note, partial(settle_call, note=note, said=said, now=self.clock.now()))
            case Delivered() | Undelivered():
                return self._settled(note, partial(settle, note=note, said=said, now=self.clock.now()))
            case _:
                assert_never(said)

    def _settled(self, note: AcceptedNote, write: Callable[[UnitOfWork], MessageState | None]) -> StatusCount:
        try:
            with self.open_uow() as uow:
                state = write(uow)
        except StoreError:
            raise
        except Exception as fault:
            log.exception("status.failed", extra={"message_id": note.message_id})
            self._show(note, fault.told if isinstance(fault, StopwellError) else type(fault).__name__)
            return StatusCount()
        if state is None:
            return StatusCount()
        return StatusCount(delivered=1) if state is MessageState.DELIVERED else StatusCount(undelivered=1)

    def _show(self, note: AcceptedNote, because: str) -> None:
        now = self.clock.now()
        facts = {"because": because}
        problem = ProblemNote(now, Why.TROUBLE, note.person_id, note.enrollment_id, note.message_id, facts=facts)
        with self.open_uow() as uow:
            uow.log.problem([problem])


def settle(uow: UnitOfWork, note: AcceptedNote, said: Delivered | Undelivered, now: datetime) -> MessageState | None:
    """Write down what became of the message, with all that follows from it; None when that was known already."""
    if isinstance(said, Undelivered):
        _what_follows(uow, note, said, now)  # first: it locks people and follow-ups, which come before messages
    standing = uow.statuses.standing(note.message_id)
    if standing is None:
        return None
    undelivered = said if isinstance(said, Undelivered) else None
    state = MessageState.DELIVERED if undelivered is None else MessageState.UNDELIVERED
    move = MessageMove(
        id=note.message_id,
        seen_version=standing.version,
        state=state,
        attempts=standing.attempts,
        reason=undelivered.why if undelivered else None,
        reason_code=undelivered.code if undelivered else "",
    )
    if not uow.outbox.move([move], now):
        raise AssertionError("a locked message changed under its lock")
    facts = {"at": said.at.isoformat(), "provider": note.provider}
    facts |= said.billed
    if undelivered is not None:
        facts |= {"why": undelivered.why.value, "code": undelivered.code}
    uow.log.add([_line(note, f"message.{state.value}", now, facts)])
    if undelivered is not None and not undelivered.opted_out:
        told = {"code": undelivered.code, "channel": note.channel.value, "provider": note.provider}
        uow.log.problem(
            [ProblemNote(now, undelivered.why, note.person_id, note.enrollment_id, note.message_id, facts=told)]
        )
    if undelivered is not None and undelivered.outage is not None:  # the channel's row is locked last
        pause(uow, note.channel, undelivered.outage, note.provider, now, now + wait_of(undelivered.outage))
    return state


def take_refusals(open_uow: OpenUow, results: Sequence[Result], clock: Clock) -> None:
    """Apply the opt-outs that refusals told us of, before the refusals themselves are recorded.

    So the follow-up ends `opted_out`, and a crash in between loses nothing: the message is still noted, and its key
    makes a second telling of the same opt-out a copy. Each in a transaction of its own, which locks people in order.
    """
    for result in results:
        answer = result.answer
        if not isinstance(answer, Permanent) or not answer.opted_out:
            continue
        note = result.note
        told = _OptOut(note.provider, note.key, note.person_id, note.location_id, note.channel, note.to, answer.code)
        now = clock.now()
        with open_uow() as uow:
            _opted_out_there(uow, told, result.answered_at, now)


@dataclass(frozen=True, slots=True)
class _OptOut:
    """An opt-out that a provider knows of. key: of the attempt that it told us by."""

    provider: str
    key: str
    person_id: PersonId
    location_id: LocationId
    channel: Channel
    to: str
    code: str


def _what_follows(uow: UnitOfWork, note: AcceptedNote, said: Undelivered, now: datetime) -> None:
    if said.opted_out:
        told = _OptOut(note.provider, note.key, note.person_id, note.location_id, note.channel, note.to, said.code)
        _opted_out_there(uow, told, said.at, now)
    elif said.bad_address:
        apply_event(uow, _event(note, EventKind.BOUNCED, said, now), now)


def _event(note: AcceptedNote, kind: EventKind, said: Undelivered, now: datetime) -> InboxEvent:
    return InboxEvent(
        source=note.provider,
        key=f"{note.key} {kind.value}",
        kind=kind,
        happened_at=said.at,
        received_at=now,
        person_id=note.person_id,
        channel=note.channel,
        address=note.to,
        note=said.code,
        actor=note.provider,
    )


def _opted_out_there(uow: UnitOfWork, told: _OptOut, at: datetime, now: datetime) -> None:
    """An opt-out that the provider holds. Where we had recorded a new consent, only they can lift its block."""
    had_come_back = uow.stops.was_lifted(told.channel, told.to)
    event = InboxEvent(
        source=told.provider,
        key=f"{told.key} {EventKind.OPTED_OUT.value}",
        kind=EventKind.OPTED_OUT,
        happened_at=at,
        received_at=now,
        person_id=told.person_id,
        channel=told.channel,
        address=told.to,
        note=told.code,
        actor=told.provider,
    )
    applied = apply_event(uow, event, now)
    if had_come_back and not applied.duplicate:
        number = uow.stops.phone_of(told.location_id)
        facts = {"channel": told.channel.value} | ({"number": number} if number else {})
        uow.log.problem(
            [ProblemNote(now, Why.ASK_FOR_START, told.person_id, inbox_event_id=applied.event_id, facts=facts)]
        )


def _ask(follower: Follower, notes: Sequence[AcceptedNote]) -> Mapping[str, DeliveryStatus]:
    try:
        return follower.statuses(notes)
    except Exception:
        # a sender returns its errors as values; one that raises all the same is asked again later
        log.exception("status.sender_raised", extra={"count": len(notes)})
        return {}


def _line(note: AcceptedNote, event: str, now: datetime, facts: dict[str, str]) -> LogLine:
    return LogLine(
        now,
        event,
        person_id=note.person_id,
        enrollment_id=note.enrollment_id,
        message_id=note.message_id,
        facts=dict(facts),
    )
