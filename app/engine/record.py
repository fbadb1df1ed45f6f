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
from app.domain.journey import CONTACT_STEPS, OnBadAddress
from app.domain.pace import backoff
from app.domain.reasons import Why
from app.domain.snapshot import MessageSeen, Snapshot
from app.domain.states import LIVE, MAX_ATTEMPTS, NOT_YET_HANDED, AttemptAnswer, End, MessageState, WaitsFor
from app.domain.verdict import Ends
from app.engine import moves
from app.engine.ports import AttemptNote, AttemptResult, InHand, LogLine, MessageMove, ProblemNote, UnitOfWork
from app.engine.sheet import Sheet

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
    sheet = Sheet()
    late: list[Result] = []
    total = Recorded()
    for result in results:
        held = in_hand.get(result.note.attempt_id)
        if held is not None and held.state is MessageState.SENDING:
            total += _settle(sheet, held, result, now)
        elif not isinstance(result.answer, Unknown):
            sheet.lines.append(_line(result, "attempt.answered_late", now))
            late += [result] if isinstance(result.answer, Accepted) else []
    if late:
        _take_back(uow, sheet, late, now)
    sheet.write(uow, now)
    uow.outbox.finish_attempts([_result(result) for result in results if not isinstance(result.answer, Unknown)])
    _breakers(uow, results, now)
    return total


def _take_back(uow: UnitOfWork, sheet: Sheet, late: Sequence[Result], now: datetime) -> None:
    """The provider has it after all. Where it was given up meanwhile and waits to go again, it must not."""
    uow.enrollments.lock([result.note.enrollment_id for result in late if result.note.enrollment_id is not None])
    snapshots = uow.snapshots.of_messages([result.note.message_id for result in late], now)
    for result in late:
        seen = snapshots.get(result.note.message_id)
        if seen is not None and seen.message is not None and seen.message.state in NOT_YET_HANDED:
            _said_already(sheet, result, seen, seen.message)


def _said_already(sheet: Sheet, result: Result, seen: Snapshot, message: MessageSeen) -> None:
    why = Why.ALREADY_SENT
    move = MessageMove(
        id=message.id,
        seen_version=message.version,
        state=MessageState.CANCELLED,
        attempts=message.attempts,
        reason=why,
        possible_duplicate=message.possible_duplicate,
    )
    sheet.messages.append(move)
    sheet.lines.append(_line(result, "message.cancelled", seen.now, {"why": why.value}))
    sheet.problems.append(ProblemNote(seen.now, why, seen.person.id, message.enrollment_id, message.id))
    enrollment = seen.enrollment
    if enrollment is None or enrollment.state not in LIVE or enrollment.waits_for is not WaitsFor.MESSAGE:
        return
    step = seen.step
    if isinstance(step, CONTACT_STEPS):
        at = result.answered_at
        on = moves.moved(enrollment, step=step.next, waits_for=WaitsFor.NOTHING, entered_at=at, wake_at=seen.now)
        sheet.enrollments.append(on)


def _breakers(uow: UnitOfWork, results: Sequence[Result], now: datetime) -> None:
    """An outage pauses its channel, or puts off the next try of one that is paused; an acceptance brings it back."""
    for result in results:
        channel = result.note.channel
        if isinstance(result.answer, Outage):
            why = result.answer.why
            if uow.engine.pause_channel(channel, why, result.note.provider, now, now + OUTAGE_AGAIN):
                facts = {"channel": channel.value, "why": why.value}
                uow.log.add([LogLine(now, "channel.paused", facts=facts)])
                uow.log.problem(
                    [ProblemNote(now, Why.CHANNEL_PAUSED, facts={"channel": channel.value} | {"because": why.value})]
                )
    for channel in {result.note.channel for result in results if isinstance(result.answer, Accepted)}:
        if uow.engine.resume_channel(channel, now):
            uow.log.add([LogLine(now, "channel.resumed", facts={"channel": channel.value})])


def _settle(sheet: Sheet, held: InHand, result: Result, now: datetime) -> Recorded:
    answer = result.answer
    match answer:
        case Accepted():
            _accepted(sheet, held, answer, result, now)
            return Recorded(accepted=1)
        case Transient():
            return _again(sheet, held, result, now, answer)
        case Permanent(opted_out=True):
            return _opted_out(sheet, held, answer, result, now)
        case Permanent():
            return _failed(sheet, held, result, now, answer.why, answer.code, bad_address=answer.bad_address)
        case Outage():
            _put_back(sheet, held, result, now, answer.why, answer.code)
        case NotMade():
            _not_made(sheet, held, result, now, answer.why)
        case Unknown():
            sheet.lines.append(_line(result, "attempt.unknown", now))
        case _:
            assert_never(answer)
    return Recorded()


def _accepted(sheet: Sheet, held: InHand, answer: Accepted, result: Result, now: datetime) -> None:
    move = _moved(held, MessageState.ACCEPTED, held.attempts)
    sheet.messages.append(replace(move, provider_id=answer.provider_id, accepted_at=answer.at))
    facts: dict[str, str | int] = {"number": held.note.number}
    if held.stop_requested_at is not None:
        before = answer.at <= held.stop_requested_at
        facts["against_stop"] = "before the stop" if before else "after the stop"
    sheet.lines.append(_line(result, "message.accepted", now, facts))
    _advance(sheet, held, answer.at, now)


def _again(sheet: Sheet, held: InHand, result: Result, now: datetime, answer: Transient) -> Recorded:
    if held.stop_requested_at is not None:
        _cancelled(sheet, held, result, now, Why.FOLLOW_UP_ENDED, held.attempts)
        return Recorded()
    if held.attempts >= MAX_ATTEMPTS:
        why = Why.NO_ANSWER if result.may_be_there else Why.DELIVERY_FAILED
        return _failed(sheet, held, result, now, why, answer.code, bad_address=False)
    at_once = result.not_found or result.may_be_there  # the ten minutes of looking were the wait
    try_at = now if at_once else now + backoff(held.attempts, held.note.key, answer.wait)
    facts = {"number": str(held.attempts + 1), "until": try_at.isoformat(), "because": answer.why.value}
    flagged = replace(held, possible_duplicate=held.possible_duplicate or result.may_be_there)
    _queued(sheet, flagged, try_at, Why.TRY_AGAIN, facts, held.attempts)
    sheet.lines.append(_line(result, "attempt.failed", now, {"why": answer.why.value, "code": answer.code}))
    return Recorded()


def _put_back(sheet: Sheet, held: InHand, result: Result, now: datetime, why: Why, code: str) -> None:
    """A provider-wide failure: the attempt is given back and the channel rests (I12)."""
    if held.stop_requested_at is not None:
        _cancelled(sheet, held, result, now, Why.FOLLOW_UP_ENDED, held.attempts - 1)
    else:
        facts = {"channel": held.note.channel.value, "because": why.value}
        _queued(sheet, held, now + OUTAGE_AGAIN, Why.CHANNEL_PAUSED, facts, held.attempts - 1)
    sheet.lines.append(_line(result, "attempt.outage", now, {"why": why.value, "code": code}))


def _not_made(sheet: Sheet, held: InHand, result: Result, now: datetime, why: Why) -> None:
    if held.stop_requested_at is not None:
        _cancelled(sheet, held, result, now, Why.STOPPED_BEFORE_CALL, held.attempts - 1)
        return
    _queued(sheet, held, now, None, {}, held.attempts - 1)
    sheet.lines.append(_line(result, "attempt.not_made", now, {"why": why.value}))


def _failed(
    sheet: Sheet, held: InHand, result: Result, now: datetime, why: Why, code: str, *, bad_address: bool
) -> Recorded:
    move = _moved(held, MessageState.FAILED, held.attempts)
    sheet.messages.append(replace(move, reason=why, reason_code=code))
    sheet.lines.append(_line(result, "message.failed", now, {"why": why.value, "code": code}))
    sheet.problems.append(
        ProblemNote(
            now,
            why,
            person_id=held.note.person_id,
            enrollment_id=held.note.enrollment_id,
            message_id=held.note.message_id,
            facts={"code": code, "channel": held.note.channel.value, "provider": held.note.provider},
        )
    )
    if bad_address and held.on_bad_address == OnBadAddress.SKIP:
        _advance(sheet, held, now, now)
        return Recorded(failed=1)
    detail = Why.INVALID_ADDRESS if bad_address else Why.DELIVERY_FAILED
    return Recorded(failed=1, ended=_end(sheet, held, Ends(End.SUPPRESSED, detail), now))


def _opted_out(sheet: Sheet, held: InHand, answer: Permanent, result: Result, now: datetime) -> Recorded:
    """Refused because they opted out at the provider: the opt-out itself was applied before (engine/status.py)."""
    move = _moved(held, MessageState.FAILED, held.attempts)
    sheet.messages.append(replace(move, reason=answer.why, reason_code=answer.code))
    sheet.lines.append(_line(result, "message.failed", now, {"why": answer.why.value, "code": answer.code}))
    return Recorded(failed=1, ended=_end(sheet, held, Ends(End.OPTED_OUT, Why.OPT_OUT), now))


def _cancelled(sheet: Sheet, held: InHand, result: Result, now: datetime, why: Why, attempts: int) -> None:
    sheet.messages.append(replace(_moved(held, MessageState.CANCELLED, attempts), reason=why))
    sheet.lines.append(_line(result, "message.cancelled", now, {"why": why.value}))


def _queued(
    sheet: Sheet, held: InHand, try_at: datetime, why: Why | None, facts: dict[str, str], attempts: int
) -> None:
    move = _moved(held, MessageState.QUEUED, attempts)
    sheet.messages.append(replace(move, try_at=try_at, hold_why=why, hold_facts=facts))


def _moved(held: InHand, state: MessageState, attempts: int) -> MessageMove:
    return MessageMove(
        id=held.note.message_id,
        seen_version=held.version,
        state=state,
        attempts=attempts,
        possible_duplicate=held.possible_duplicate,
    )


def _advance(sheet: Sheet, held: InHand, at: datetime, now: datetime) -> None:
    """On to the next step, counted from the real send time. An enrollment that has ended stays ended (I3)."""
    seen = held.enrollment
    if seen is None or held.next_step is None or seen.state not in LIVE or seen.waits_for is not WaitsFor.MESSAGE:
        return
    on = moves.moved(seen, step=held.next_step, waits_for=WaitsFor.NOTHING, entered_at=at, wake_at=now)
    sheet.enrollments.append(on)


def _end(sheet: Sheet, held: InHand, ends: Ends, now: datetime) -> int:
    seen = held.enrollment
    if seen is None or seen.state not in LIVE:
        return 0
    sheet.enrollments.append(moves.ended(seen, ends, now, guard="delivery"))
    line = LogLine(
        now,
        "follow_up.ended",
        person_id=held.note.person_id,
        enrollment_id=seen.id,
        message_id=held.note.message_id,
        facts={"end": ends.end.value, "why": ends.why.value, "step": seen.step},
    )
    sheet.lines.append(line)
    return 1


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
    result: Result, event: str, now: datetime, facts: dict[str, str | int] | dict[str, str] | None = None
) -> LogLine:
    note = result.note
    return LogLine(
        now,
        event,
        person_id=note.person_id,
        enrollment_id=note.enrollment_id,
        message_id=note.message_id,
        attempt_id=note.attempt_id,
        facts=dict(facts or {}),
    )
