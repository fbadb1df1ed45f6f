"""Deliver: the whole road of one message. START READING HERE.

lease (queued -> leased) -> permit (guards on live rows, attempt noted, `sending`) -> the provider's call, with no
transaction open -> record (the answer under the same attempt, the enrollment moves on).

One transaction records the results of one window and notes the next (ENGINE.md C1): about one durable commit a message
with one in flight, a sixteenth of that with sixteen.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime

from app.domain.answer import Answer, NotMade, Unknown
from app.domain.clock import Clock
from app.domain.errors import StoreError
from app.domain.ids import PersonId
from app.domain.pace import Pace
from app.domain.reasons import Why
from app.domain.states import Channel
from app.domain.workers import LEASE
from app.engine.checkpoints import reach
from app.engine.clock_mark import mark
from app.engine.permit import Permitted, lock, permit
from app.engine.ports import AttemptNote, Leased, OpenUow, Sender, StopsSinceNote, UnitOfWork
from app.engine.record import Recorded, Result, record
from app.engine.status import take_refusals

log = logging.getLogger(__name__)

LEASE_BATCH = 100
MOST_IN_FLIGHT = 32  # ENGINE.md C1: after a kill, what was noted and not answered is unknown; keep that set small
NOTE_GOOD_FOR_S = 15.0  # an older note means that the machine slept: the call is not made


@dataclass(frozen=True, slots=True)
class DeliverCount:
    """What one run did. permitted: attempts that were noted; held, ended: what the guards said instead.

    again_at: when a sender's rate lets more go; None when none waits for that. Not added up: the later run's counts.
    """

    leased: int = 0
    permitted: int = 0
    accepted: int = 0
    failed: int = 0
    held: int = 0
    ended: int = 0
    again_at: datetime | None = None

    def __add__(self, other: DeliverCount) -> DeliverCount:
        return DeliverCount(
            self.leased + other.leased,
            self.permitted + other.permitted,
            self.accepted + other.accepted,
            self.failed + other.failed,
            self.held + other.held,
            self.ended + other.ended,
            other.again_at,
        )


@dataclass(frozen=True, slots=True)
class Deliver:
    """Hands over what is queued and due.

    token: this worker's own, random per process. in_flight: messages handed over at once, 1 to 32.
    stopping: asked between windows; True finishes the messages in hand and ends the run.
    kept: answers that are not written yet. They are written with the next notes; when the database is away by then,
    first thing when it is back, so that a provider that can't be asked is not called again.
    """

    open_uow: OpenUow
    senders: Mapping[Channel, Sender]
    stopped_since_note: StopsSinceNote
    clock: Clock
    token: str
    in_flight: int = 1
    stopping: Callable[[], bool] = field(default=lambda: False)
    kept: list[Result] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        if not 1 <= self.in_flight <= MOST_IN_FLIGHT:
            raise ValueError(f"in_flight is 1 to {MOST_IN_FLIGHT}, not {self.in_flight}")

    def run(self) -> DeliverCount:
        """Hand over everything that is due now."""
        total = self.write_kept()
        try:
            while not self.stopping():
                leased, again_at = self._lease()
                if not leased:
                    return replace(total, again_at=again_at)
                total += self._hand_over(leased)
        except Exception:
            self._rescue()
            raise
        return total

    def write_kept(self) -> DeliverCount:
        """Write the answers that could not be written when they came. Raises StoreError while they still can't be."""
        return _counted(None, self._record(give_back=False))

    def _rescue(self) -> None:
        try:
            self.write_kept()
        except StoreError:
            log.warning("deliver.results_kept", extra={"count": len(self.kept)})

    def _lease(self) -> tuple[Sequence[Leased], datetime | None]:
        """What this worker has a sender for and may go now; and when a sender's rate lets more go."""
        reach("deliver.before_lease")
        with self.open_uow() as uow:
            now = self.clock.now()
            if mark(uow, now) is not None:
                return (), None
            uow.outbox.release_expired(now)
            paces = self._paces(uow)
            freely = self.senders.keys() - paces.keys()
            leased = list(uow.outbox.lease(now, now + LEASE, self.token, LEASE_BATCH, freely)) if freely else []
            for channel, pace in paces.items():
                most = min(pace.free(now), LEASE_BATCH - len(leased))
                if most:
                    leased += uow.outbox.lease(now, now + LEASE, self.token, most, {channel})
        reach("deliver.leased")
        slots = [pace.slot(0, now) for pace in paces.values() if not pace.free(now)]
        return leased, min(slots, default=None)

    def _paces(self, uow: UnitOfWork) -> Mapping[Channel, Pace]:
        """The channels that have a rate and work: what is due on others may all be asked at once."""
        rates = self._rates
        channels = uow.engine.channels() if rates else {}
        return {
            channel: Pace(rate, channels[channel].paced_until)
            for channel, rate in rates.items()
            if channels[channel].paused_why is None
        }

    @property
    def _rates(self) -> Mapping[Channel, float]:
        return {channel: sender.rate for channel, sender in self.senders.items() if sender.rate is not None}

    def _hand_over(self, leased: Sequence[Leased]) -> DeliverCount:
        count = DeliverCount(leased=len(leased))
        left = list(_windows(leased, self.in_flight))
        while left:
            permitted, recorded, noted_s = self._permit(left.pop(0))
            count += _counted(permitted, recorded)
            self.kept.extend(self._call_all(permitted.notes, noted_s))
            if self.stopping():
                break
        return count + _counted(None, self._record(give_back=bool(left)))

    def _permit(self, window: Sequence[Leased]) -> tuple[Permitted, Recorded, float]:
        """Write the last window's answers and note this one. The float: monotonic seconds when it was noted."""
        providers = {channel: sender.name for channel, sender in self.senders.items()}
        results = tuple(self.kept)
        take_refusals(self.open_uow, results, self.clock)
        concerned: list[AttemptNote | Leased] = [*(result.note for result in results), *window]
        with self.open_uow() as uow:
            mark(uow, self.clock.now())
            lock(uow, (each.person_id for each in concerned), (each.enrollment_id for each in concerned))
            now, noted_s = self.clock.now(), self.clock.monotonic_s()
            recorded = record(uow, results, now) if results else Recorded()
            permitted = permit(uow, window, self.token, now, providers, self._rates)
            reach("deliver.before_note_commit")
        del self.kept[: len(results)]
        reach("deliver.permitted")
        return permitted, recorded, noted_s

    def _record(self, *, give_back: bool) -> Recorded:
        if not self.kept and not give_back:
            return Recorded()
        try:
            return self._write(tuple(self.kept), give_back=give_back)
        except StoreError:
            raise
        except Exception:
            log.exception("deliver.record_failed")
        return self._record_each()

    def _record_each(self) -> Recorded:
        """One answer a transaction: only the faulty one stays behind, `sending`, and reconcile asks about it."""
        total = Recorded()
        for result in tuple(self.kept):
            try:
                total += self._write([result], give_back=False)
            except StoreError:
                raise
            except Exception:
                log.exception("deliver.result_left", extra={"attempt_id": result.note.attempt_id})
                self.kept.remove(result)
        return total

    def _write(self, results: Sequence[Result], *, give_back: bool) -> Recorded:
        take_refusals(self.open_uow, results, self.clock)
        with self.open_uow() as uow:
            now = self.clock.now()
            mark(uow, now)
            recorded = record(uow, results, now)
            if give_back:
                uow.outbox.release(self.token)
            reach("deliver.before_record_commit")
        del self.kept[: len(results)]
        reach("deliver.recorded")
        return recorded

    def _call_all(self, notes: Sequence[AttemptNote], noted_s: float) -> Sequence[Result]:
        if len(notes) <= 1:
            return [self._call(note, noted_s) for note in notes]
        with ThreadPoolExecutor(max_workers=len(notes), thread_name_prefix="deliver") as pool:
            return list(pool.map(lambda note: self._call(note, noted_s), notes))

    def _call(self, note: AttemptNote, noted_s: float) -> Result:
        """One call, with no transaction open. The last look before it: has a stop come since the note?

        A stop of somebody else with the same address counts: the message is queued again, and the guards settle it.
        """
        reach("deliver.before_call")
        try:
            stopped = note.message_id in self.stopped_since_note([note.message_id])
        except StoreError:
            return Result(note, NotMade(Why.NO_LAST_LOOK), None, self.clock.now())
        if stopped:
            return Result(note, NotMade(Why.STOPPED_BEFORE_CALL), None, self.clock.now())
        if self._seconds_since(note, noted_s) > NOTE_GOOD_FOR_S:
            return Result(note, NotMade(Why.NOTE_TOO_OLD), None, self.clock.now())
        handed_at = self.clock.now()
        answer = self._send(note)
        reach("deliver.answered")
        return Result(note, answer, handed_at, self.clock.now())

    def _seconds_since(self, note: AttemptNote, noted_s: float) -> float:
        """By whichever clock went further: a machine that was stopped from outside may have missed it on one."""
        return max(self.clock.monotonic_s() - noted_s, (self.clock.now() - note.noted_at).total_seconds())

    def _send(self, note: AttemptNote) -> Answer:
        try:
            return self.senders[note.channel].send(note)
        except Exception:
            # a sender returns its errors as values; if one raises all the same, the call may have arrived
            log.exception("deliver.sender_raised", extra={"attempt_id": note.attempt_id})
            return Unknown(Why.NO_ANSWER, "sender raised")


def _counted(permitted: Permitted | None, recorded: Recorded) -> DeliverCount:
    return DeliverCount(
        permitted=len(permitted.notes) if permitted else 0,
        accepted=recorded.accepted,
        failed=recorded.failed,
        held=permitted.held if permitted else 0,
        ended=recorded.ended + (permitted.ended if permitted else 0),
    )


def _windows(leased: Sequence[Leased], size: int) -> Iterator[Sequence[Leased]]:
    """At most `size` messages each, no person twice in one: the caps of the second must see the first."""
    left = list(leased)
    while left:
        persons: set[PersonId] = set()
        window: list[Leased] = []
        later: list[Leased] = []
        for each in left:
            if len(window) < size and each.person_id not in persons:
                persons.add(each.person_id)
                window.append(each)
            else:
                later.append(each)
        yield window
        left = later
