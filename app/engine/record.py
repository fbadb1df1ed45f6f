"""The result transaction: a provider's answer recorded under its attempt, the message moved on, the enrollment with it.

Retries and steps are counted apart (I11); an outage uses up nobody's attempts (I12); an unknown outcome stays `sending`
until reconcile has asked (I13).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import assert_never

from app.domain.answer import Accepted, Answer, NotMade, Outage, Permanent, Transient, Unknown
from app.domain.journey import OnBadAddress
from app.domain.pace import backoff
from app.domain.reasons import Why
from app.domain.states import LIVE, MAX_ATTEMPTS, AttemptAnswer, End, MessageState, WaitsFor
from app.domain.verdict import Ends
from app.engine import moves
from app.engine.ports import AttemptNote, AttemptResult, InHand, LogLine, MessageMove, ProblemNote, UnitOfWork

OUTAGE_AGAIN = timedelta(
    minutes=5
)  # a message put back by an outage is looked at again by then, or when the channel is back


@dataclass(frozen=True, slots=True)
class Result:
    """One attempt and what came of it. handed_at: when the call was made, None when it was not."""

    note: AttemptNote
    answer: Answer
    handed_at: datetime | None
    answered_at: datetime
    not_found: bool = False  # the provider was asked and never had it: closes the attempt as such
    may_be_there: bool = False  # the provider can't be asked: the next try is flagged `possible_duplicate`


@dataclass(frozen=True, slots=True)
class Recorded:
    """How many messages were accepted, failed for good, and follow-ups ended by it."""

    accepted: int = 0
    failed: int = 0
    ended: int = 0

    def __add__(self, other: Recorded) -> Recorded:
        return Recorded(self.accepted + other.accepted, self.failed + other.failed, self.ended + other.ended)


def record(uow: UnitOfWork, results: Sequence[Result], now: datetime) -> Recorded:
    """Write down what came of these attempts.

    A result whose message was settled meanwhile is still kept under its attempt: late, and never lost.
    """
    in_hand = uow.outbox.in_hand([result.note.attempt_id for result in results])
    total = Recorded()
    for result in results:
        held = in_hand.get(result.note.attempt_id)
        if held is not None and held.state is MessageState.SENDING:
            total += _settle(uow, held, result, now)
        elif not isinstance(result.answer, Unknown):
            _line(uow, result, "attempt.answered_late", now)
    uow.outbox.finish_attempts([_result(result) for result in results if not isinstance(result.answer, Unknown)])
    return total


def _settle(uow: UnitOfWork, held: InHand, result: Result, now: datetime) -> Recorded:
    answer = result.answer
    match answer:
        case Accepted():
            _accepted(uow, held, answer, result, now)
            return Recorded(accepted=1)
        case Transient():
            return _again(uow, held, result, now, answer)
        case Permanent():
            return _failed(uow, held, result, now, answer.why, answer.code, bad_address=answer.bad_address)
        case Outage():
            _put_back(uow, held, result, now, answer.why, answer.code)
        case NotMade():
            _not_made(uow, held, result, now, answer.why)
        case Unknown():
            _line(uow, result, "attempt.unknown", now)
        case _:
            assert_never(answer)
    return Recorded()


def _accepted(uow: UnitOfWork, held: InHand, answer: Accepted, result: Result, now: datetime) -> None:
    move = MessageMove(
        id=held.note.message_id,
        seen_version=held.version,
        state=MessageState.ACCEPTED,
        attempts=held.attempts,
        provider_id=answer.provider_id,
        accepted_at=answer.at,
        possible_duplicate=held.possible_duplicate,
    )
    uow.outbox.move([move], now)
    facts: dict[str, str | int] = {"number": held.note.number}
    if held.stop_requested_at is not None:
        before = answer.at <= held.stop_requested_at
        facts["against_stop"] = "before the stop" if before else "after the stop"
    _line(uow, result, "message.accepted", now, facts)
    _advance(uow, held, answer.at, now)


def _again(uow: UnitOfWork, held: InHand, result: Result, now: datetime, answer: Transient) -> Recorded:
    if held.stop_requested_at is not None:
        _cancelled(uow, held, result, now, Why.FOLLOW_UP_ENDED, held.attempts)
        return Recorded()
    if held.attempts >= MAX_ATTEMPTS:
        return _failed(uow, held, result, now, Why.DELIVERY_FAILED, answer.code, bad_address=False)
    at_once = result.not_found or result.may_be_there  # the ten minutes of looking were the wait
    try_at = now if at_once else now + backoff(held.attempts, held.note.key, answer.wait)
    facts = {"number": str(held.attempts + 1), "until": try_at.isoformat(), "because": answer.why.value}
    flagged = replace(held, possible_duplicate=held.possible_duplicate or result.may_be_there)
    _queued(uow, flagged, now, try_at, Why.TRY_AGAIN, facts, held.attempts)
    _line(uow, result, "attempt.failed", now, {"why": answer.why.value, "code": answer.code})
    return Recorded()


def _put_back(uow: UnitOfWork, held: InHand, result: Result, now: datetime, why: Why, code: str) -> None:
    """A provider-wide failure: the attempt is given back and the channel rests (I12)."""
    if held.stop_requested_at is not None:
        _cancelled(uow, held, result, now, Why.FOLLOW_UP_ENDED, held.attempts - 1)
    else:
        facts = {"channel": held.note.channel.value, "because": why.value}
        _queued(uow, held, now, now + OUTAGE_AGAIN, Why.CHANNEL_PAUSED, facts, held.attempts - 1)
    _line(uow, result, "attempt.outage", now, {"why": why.value, "code": code})
    if uow.engine.pause_channel(held.note.channel, why, code, now):
        uow.log.add([LogLine(now, "channel.paused", facts={"channel": held.note.channel.value, "why": why.value})])
        uow.log.problem([ProblemNote(now, Why.CHANNEL_PAUSED, facts={"channel": held.note.channel.value})])


def _not_made(uow: UnitOfWork, held: InHand, result: Result, now: datetime, why: Why) -> None:
    if held.stop_requested_at is not None:
        _cancelled(uow, held, result, now, Why.STOPPED_BEFORE_CALL, held.attempts - 1)
        return
    _queued(uow, held, now, now, None, {}, held.attempts - 1)
    _line(uow, result, "attempt.not_made", now, {"why": why.value})


def _failed(
    uow: UnitOfWork, held: InHand, result: Result, now: datetime, why: Why, code: str, *, bad_address: bool
) -> Recorded:
    move = MessageMove(
        id=held.note.message_id,
        seen_version=held.version,
        state=MessageState.FAILED,
        attempts=held.attempts,
        reason=why,
        reason_code=code,
        possible_duplicate=held.possible_duplicate,
    )
    uow.outbox.move([move], now)
    _line(uow, result, "message.failed", now, {"why": why.value, "code": code})
    uow.log.problem(
        [
            ProblemNote(
                now,
                why,
                person_id=held.note.person_id,
                enrollment_id=held.note.enrollment_id,
                message_id=held.note.message_id,
                facts={"code": code, "channel": held.note.channel.value},
            )
        ]
    )
    if bad_address and held.on_bad_address == OnBadAddress.SKIP:
        _advance(uow, held, now, now)
        return Recorded(failed=1)
    detail = Why.INVALID_ADDRESS if bad_address else Why.DELIVERY_FAILED
    return Recorded(failed=1, ended=_end(uow, held, Ends(End.SUPPRESSED, detail), now))


def _cancelled(uow: UnitOfWork, held: InHand, result: Result, now: datetime, why: Why, attempts: int) -> None:
    move = MessageMove(
        id=held.note.message_id,
        seen_version=held.version,
        state=MessageState.CANCELLED,
        attempts=attempts,
        reason=why,
        possible_duplicate=held.possible_duplicate,
    )
    uow.outbox.move([move], now)
    _line(uow, result, "message.cancelled", now, {"why": why.value})


def _queued(
    uow: UnitOfWork,
    held: InHand,
    now: datetime,
    try_at: datetime,
    why: Why | None,
    facts: dict[str, str],
    attempts: int,
) -> None:
    move = MessageMove(
        id=held.note.message_id,
        seen_version=held.version,
        state=MessageState.QUEUED,
        attempts=attempts,
        try_at=try_at,
        hold_why=why,
        hold_facts=facts,
        possible_duplicate=held.possible_duplicate,
    )
    uow.outbox.move([move], now)


def _advance(uow: UnitOfWork, held: InHand, at: datetime, now: datetime) -> None:
    """On to the next step, counted from the real send time. An enrollment that has ended stays ended (I3)."""
    seen = held.enrollment
    if seen is None or held.next_step is None or seen.state not in LIVE or seen.waits_for is not WaitsFor.MESSAGE:
        return
    on = moves.moved(seen, step=held.next_step, waits_for=WaitsFor.NOTHING, entered_at=at, wake_at=now)
    uow.enrollments.move([on])


def _end(uow: UnitOfWork, held: InHand, ends: Ends, now: datetime) -> int:
    seen = held.enrollment
    if seen is None or seen.state not in LIVE:
        return 0
    if uow.enrollments.move([moves.ended(seen, ends, now, guard="delivery")]):
        line = LogLine(
            now,
            "follow_up.ended",
            person_id=held.note.person_id,
            enrollment_id=seen.id,
            message_id=held.note.message_id,
            facts={"end": ends.end.value, "why": ends.why.value, "step": seen.step},
        )
        uow.log.add([line])
        return 1
    return 0


_ANSWERS: dict[type[Answer], AttemptAnswer] = {
    Accepted: AttemptAnswer.ACCEPTED,
    Transient: AttemptAnswer.TRANSIENT,
    Permanent: AttemptAnswer.PERMANENT,
    Outage: AttemptAnswer.OUTAGE,
    NotMade: AttemptAnswer.NOT_MADE,
    Unknown: AttemptAnswer.UNKNOWN,
}


def _result(result: Result) -> AttemptResult:
    answer = result.answer
    return AttemptResult(
        attempt_id=result.note.attempt_id,
        answer=AttemptAnswer.NOT_FOUND if result.not_found else _ANSWERS[type(answer)],
        why=None if isinstance(answer, Accepted) else answer.why,
        code=answer.code if isinstance(answer, Transient | Permanent | Outage | Unknown) else "",
        provider_id=answer.provider_id if isinstance(answer, Accepted) else None,
        answered_at=result.answered_at,
        handed_at=result.handed_at,
    )


def _line(
    uow: UnitOfWork,
    result: Result,
    event: str,
    now: datetime,
    facts: dict[str, str | int] | dict[str, str] | None = None,
) -> None:
    note = result.note
    line = LogLine(
        now,
        event,
        person_id=note.person_id,
        enrollment_id=note.enrollment_id,
        message_id=note.message_id,
        attempt_id=note.attempt_id,
        facts=dict(facts or {}),
    )
    uow.log.add([line])
