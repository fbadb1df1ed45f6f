"""Reconcile: messages in `sending` whose lease has run out; the provider is asked before any new attempt (I13).

found -> accepted, as it is. Surely absent -> the same message, the next attempt. Can't know -> tried once more, marked
`possible_duplicate`; a second time it fails and staff see it. A message that was asked to stop is not tried again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from app.domain.answer import Absent, Accepted, CannotKnow, Found, LookUp, Outage, Permanent, Transient
from app.domain.clock import Clock
from app.domain.errors import StopwellError, StoreError
from app.domain.reasons import Why
from app.domain.states import Channel, MessageState
from app.engine.breaker import pause, wait_of
from app.engine.checkpoints import reach
from app.engine.clock_mark import mark
from app.engine.ports import AttemptNote, LogLine, OpenUow, ProblemNote, Sender, UnitOfWork
from app.engine.record import Result, record

log = logging.getLogger(__name__)

BATCH = 100
LOOKS = 5  # a provider's list lags: absent is believed after this many looks
LOOK_AGAIN = timedelta(minutes=2)  # five looks, ten minutes (DESIGN section 6)
# a channel that rests for one of these can't be asked about messages either
OUT_OF_REACH = frozenset({Why.OFFLINE, Why.BAD_CREDENTIALS, Why.CERTIFICATE_WRONG})


@dataclass(frozen=True, slots=True)
class ReconcileCount:
    """What one run found out."""

    asked: int = 0
    found: int = 0
    absent: int = 0
    unknown: int = 0


@dataclass(frozen=True, slots=True)
class Reconcile:
    """Asks providers about messages whose outcome is unknown, each the one that its note names.

    by_name: who can be asked; None for `senders` alone.
    """

    open_uow: OpenUow
    senders: Mapping[Channel, Sender]
    clock: Clock
    stopping: Callable[[], bool] = field(default=lambda: False)
    by_name: Mapping[str, Sender] | None = None

    def run(self) -> ReconcileCount:
        """Ask about every message whose lease has run out and whose next look is due."""
        with self.open_uow() as uow:
            now = self.clock.now()
            mark(uow, now)
            _wake_stranded(uow, now)
            resting = uow.engine.channels()
            away = {channel for channel, seen in resting.items() if seen.paused_why in OUT_OF_REACH}
            notes = uow.outbox.expired_sending(now, BATCH, self.senders.keys() - away)
        asked = found = absent = unknown = 0
        for note in notes:
            if self.stopping():
                break
            if note.channel in away:
                continue
            said = self._ask(note)
            if isinstance(said, Outage):  # the others of this channel would only wait for the same silence
                away.add(note.channel)
            reach("reconcile.asked")
            self._write(note, said)
            reach("reconcile.recorded")
            asked += 1
            found += isinstance(said, Found)
            absent += isinstance(said, Absent)
            unknown += isinstance(said, CannotKnow | Outage)
        return ReconcileCount(asked, found, absent, unknown)

    def _ask(self, note: AttemptNote) -> LookUp:
        sender = self._named().get(note.provider)
        if sender is None:  # it is here no longer: nobody else can know
            return CannotKnow()
        try:
            return sender.find(note)
        except Exception:
            log.exception("reconcile.sender_raised", extra={"attempt_id": note.attempt_id})
            return CannotKnow()

    def _named(self) -> Mapping[str, Sender]:
        return {sender.name: sender for sender in self.senders.values()} if self.by_name is None else self.by_name

    def _write(self, note: AttemptNote, said: LookUp) -> None:
        """What was said, in a transaction of its own. A fault in it puts this message off alone, and shows it."""
        try:
            with self.open_uow() as uow:
                self._settle(uow, note, said)
                reach("reconcile.before_commit")
        except StoreError:
            raise
        except Exception as fault:
            log.exception("reconcile.failed", extra={"attempt_id": note.attempt_id})
            because = fault.told if isinstance(fault, StopwellError) else type(fault).__name__
            self._put_off(note, because)

    def _put_off(self, note: AttemptNote, because: str) -> None:
        now = self.clock.now()
        with self.open_uow() as uow:
            mark(uow, now)
            uow.outbox.look_again(note.message_id, now, now + LOOK_AGAIN)
            problem = ProblemNote(
                now,
                Why.TROUBLE,
                person_id=note.person_id,
                enrollment_id=note.enrollment_id,
                message_id=note.message_id,
                facts={"because": because},
            )
            uow.log.problem([problem])

    def _settle(self, uow: UnitOfWork, note: AttemptNote, said: LookUp) -> None:
        now = self.clock.now()
        mark(uow, now)
        if not _says_something(uow, note, said):
            self._not_now(uow, note, said, now)
            return
        said = _ours(uow, note, said)
        facts = {"said": type(said).__name__.lower()}
        uow.log.add([_line(note, "message.looked_up", now, facts)])
        match said:
            case Found(provider_id=provider_id, at=at):
                record(uow, [Result(note, Accepted(provider_id, at), note.noted_at, now)], now)
            case Absent(sure=True):
                _absent(uow, note, now)
            case Absent() | CannotKnow(ever=False):
                if note.attempt_id not in uow.outbox.in_hand([note.attempt_id]):  # locks its follow-up before itself
                    return
                looks = uow.outbox.look_again(note.message_id, now, now + LOOK_AGAIN)
                if looks >= LOOKS:
                    _absent(uow, note, now) if isinstance(said, Absent) else _cannot_know(uow, note, now)
            case CannotKnow():
                _cannot_know(uow, note, now)

    def _not_now(self, uow: UnitOfWork, note: AttemptNote, said: LookUp, now: datetime) -> None:
        """A look that could not be made is none of the five: the network's absence makes no duplicate (I13)."""
        uow.outbox.in_hand([note.attempt_id])  # locks its follow-up before itself
        uow.outbox.look_again(note.message_id, now, now + LOOK_AGAIN, counts=False)
        if isinstance(said, Outage):
            pause(uow, note.channel, said, note.provider, now, now + wait_of(said))


def _ours(uow: UnitOfWork, note: AttemptNote, said: LookUp) -> LookUp:
    """The first of what was found that is not another message's; where all are, this one is not there yet."""
    if not isinstance(said, Found):
        return said
    found = (said, *said.others)
    of_others = uow.statuses.of_others(note.message_id, note.provider, [each.provider_id for each in found])
    return next((each for each in found if each.provider_id not in of_others), Absent(sure=False))


def _says_something(uow: UnitOfWork, note: AttemptNote, said: LookUp) -> bool:
    """Whether the provider was reached. While its channel rests, a shrug is taken for its absence."""
    if isinstance(said, CannotKnow) and not said.ever:
        seen = uow.engine.channels().get(note.channel)
        return seen is None or seen.paused_why is None
    return not isinstance(said, Outage)


def _wake_stranded(uow: UnitOfWork, now: datetime) -> None:
    """A follow-up that waits for a message which is over would sleep for ever: it goes on, and staff see it."""
    because = "its message was over and it had not gone on."
    for enrollment_id, person_id in uow.enrollments.wake_stranded(now):
        log.error("follow_up.stranded", extra={"enrollment_id": enrollment_id})
        uow.log.add([LogLine(now, "follow_up.stranded", person_id=person_id, enrollment_id=enrollment_id)])
        uow.log.problem([ProblemNote(now, Why.TROUBLE, person_id, enrollment_id, facts={"because": because})])


def _absent(uow: UnitOfWork, note: AttemptNote, now: datetime) -> None:
    """The provider never had it: the same message, the next attempt at once, or cancelled when a stop came."""
    answer = Transient(Why.NOT_AT_PROVIDER)
    record(uow, [Result(note, answer, note.noted_at, now, not_found=True)], now)


def _cannot_know(uow: UnitOfWork, note: AttemptNote, now: datetime) -> None:
    held = uow.outbox.in_hand([note.attempt_id]).get(note.attempt_id)
    if held is None or held.state is not MessageState.SENDING:
        return
    if held.possible_duplicate or held.stop_requested_at is not None:
        gives_up = Permanent(Why.NO_ANSWER, "outcome unknown")
        record(uow, [Result(note, gives_up, note.noted_at, now, may_be_there=True)], now)
        return
    answer = Transient(Why.NO_ANSWER, "outcome unknown")
    record(uow, [Result(note, answer, note.noted_at, now, may_be_there=True)], now)


def _line(note: AttemptNote, event: str, now: datetime, facts: dict[str, str]) -> LogLine:
    return LogLine(
        now,
        event,
        person_id=note.person_id,
        enrollment_id=note.enrollment_id,
        message_id=note.message_id,
        attempt_id=note.attempt_id,
        facts=dict(facts),
    )
