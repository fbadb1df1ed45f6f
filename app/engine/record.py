"""The result transaction: a provider's answer recorded under its attempt, the message moved on, the enrollment with it.

Retries and steps are counted apart (I11); an outage uses up nobody's attempts (I12); an unknown outcome stays `sending`
until reconcile has asked (I13).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import assert_never

from app.domain.answer import Accepted, Answer, NotMade, Outage, Permanent, Transient, Unknown
from app.domain.ids import AttemptId
from app.domain.journey import OnBadAddress
from app.domain.pace import backoff
from app.domain.reasons import Why
from app.domain.states import (
    LIVE,
    MAX_ATTEMPTS,
    NOT_YET_HANDED,
    AttemptAnswer,
    Channel,
    End,
    MessageState,
    WaitsFor,
)
from app.domain.verdict import Ends
from app.engine import moves
from app.engine.breaker import AGAIN, Calls, Weighed, settle, wait_of, weigh
from app.engine.ports import AttemptNote, AttemptResult, InHand, LogLine, MessageMove, ProblemNote, UnitOfWork
from app.engine.sheet import Sheet

CLOCKS_AGREE = timedelta(seconds=2)  # providers tell whole seconds


@dataclass(frozen=True, slots=True)
class Result:
    """One attempt and what came of it. handed_at: when the call was made, None when it was not."""

    note: AttemptNote
    answer: Answer
    handed_at: datetime | None
    answered_at: datetime
    not_found: bool = False  # the provider was asked and never had it: closes the attempt as such
    may_be_there: bool = False  # the provider can't be asked: whether it has it stays unknown, a next try is flagged
    behind: datetime | None = None  # it failed as one of a row, so it does not count, and goes again after the others

    @property
    def call_failed(self) -> bool:
        """Whether the call itself failed, for nobody's known fault. A look-up's answer is about a call of before."""
        looked_up = self.not_found or self.may_be_there
        return isinstance(self.answer, Transient | Unknown) and not looked_up

    @property
    def why(self) -> Why:
        """Why it was not accepted. Raises ValueError when it was."""
        if isinstance(self.answer, Accepted):
            raise ValueError("it was accepted")
        return self.answer.why


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
    open_ones = {key for key, held in in_hand.items() if held.state is MessageState.SENDING}
    calls = _heard(results, open_ones)
    weighed = {channel: weigh(uow, channel, calls[channel], now) for channel in sorted(calls)}
    total = Recorded()
    told = [_excused(result, weighed[result.note.channel], now) for result in results]
    for result in told:
        if result.note.attempt_id in open_ones:
            total += _settle(sheet, in_hand[result.note.attempt_id], result, now)
        elif isinstance(result.answer, Accepted):
            late.append(result)
        elif not isinstance(result.answer, Unknown):
            sheet.lines.append(_line(result, "attempt.answered_late", now, {"answer": _answer(result).value}))
    if late:
        total += _accepted_after_all(uow, sheet, late, now)
    sheet.write(uow, now)
    uow.outbox.finish_attempts([_result(result) for result in told if not isinstance(result.answer, Unknown)])
    in_doubt = [result.note.message_id for result in told if isinstance(result.answer, Unknown)]
    if in_doubt:
        uow.outbox.doubt(in_doubt)
    for channel, each in weighed.items():
        settle(uow, channel, calls[channel], each, now)
    return total


def _heard(results: Sequence[Result], open_ones: Collection[AttemptId]) -> Mapping[Channel, Calls]:
    """What the breaker is to know, by channel. What only a look-up found out says nothing of how calls go now."""
    calls: dict[Channel, Calls] = {}
    for channel in {result.note.channel for result in results}:
        own = [result for result in results if result.note.channel is channel]
        accepted = [result for result in own if isinstance(result.answer, Accepted)]
        failed = [each for each in own if each.call_failed and each.note.attempt_id in open_ones]
        calls[channel] = Calls(
            provider=own[-1].note.provider,
            outages=[result.answer for result in own if isinstance(result.answer, Outage)],
            failed=[(result.note, result.why) for result in failed],
            in_doubt={result.note.attempt_id for result in failed if isinstance(result.answer, Unknown)},
            accepted=bool(accepted),
            handed_at=max((each.handed_at for each in accepted if each.handed_at is not None), default=None),
        )
    return calls


def _excused(result: Result, weighed: Weighed, now: datetime) -> Result:
    if weighed.excuses and result.call_failed:
        return replace(result, behind=weighed.again(now))
    return result


def _accepted_after_all(uow: UnitOfWork, sheet: Sheet, late: Sequence[Result], now: datetime) -> Recorded:
    """The provider has what was given up meanwhile: it is not tried again, and shown as what it is.

    What is over by then, cancelled or failed, stays so; the log and the problem list say that it went out.
    """
    standing = uow.outbox.settled([result.note.attempt_id for result in late])
    total = Recorded()
    for result in late:
        held, answer = standing.get(result.note.attempt_id), result.answer
        if held is None or not isinstance(answer, Accepted):
            continue
        if held.state in NOT_YET_HANDED:
            _accepted(sheet, held, answer, result, now)
            total += Recorded(accepted=1)
            continue
        at = _accepted_at(result, answer)
        facts = {"answer": "accepted", "state": held.state.value, "provider_id": answer.provider_id}
        facts |= {"accepted_at": at.isoformat()} | _against_stop(result, answer, held.stop_requested_at)
        if held.state is MessageState.CANCELLED and held.stop_requested_at is None:
            facts |= _against_stop(result, answer, held.final_at)
        sheet.lines.append(_line(result, "attempt.answered_late", now, facts))
        if held.state in (MessageState.CANCELLED, MessageState.FAILED):
            note = held.note
            about = {"channel": note.channel.value, "provider": note.provider}
            ids = (note.person_id, note.enrollment_id, note.message_id)
            sheet.problems.append(ProblemNote(now, Why.ALREADY_SENT, *ids, facts=about))
    return total


def _accepted_at(result: Result, answer: Accepted) -> datetime:
    """When the provider had it, on our clock: its own time, as far as the call leaves room for it."""
    earliest = answer.at if result.handed_at is None else max(answer.at, result.handed_at)
    return min(earliest, result.answered_at)


def _against_stop(result: Result, answer: Accepted, stopped_at: datetime | None) -> dict[str, str]:
    """Whether it was accepted before or after the stop, never guessed.

    A stop that came before the call began or after its answer leaves no doubt. One in between is told by the provider's
    own time, unless that is of a clock that differs from ours.
    """
    if stopped_at is None:
        return {}
    at = _accepted_at(result, answer)
    told = {"against_stop": "before the stop" if at <= stopped_at else "after the stop"}
    if abs(at - answer.at) > CLOCKS_AGREE:
        told["provider_at"] = answer.at.isoformat()
        if (result.handed_at or at) <= stopped_at < result.answered_at:
            told["against_stop"] = "while it was on its way"
    return told


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
    at = _accepted_at(result, answer)
    move = _moved(held, MessageState.ACCEPTED, held.attempts)
    sheet.messages.append(replace(move, provider_id=answer.provider_id, accepted_at=at))
    facts: dict[str, str | int] = {"number": held.note.number, **_against_stop(result, answer, held.stop_requested_at)}
    sheet.lines.append(_line(result, "message.accepted", now, facts))
    if held.note.channel is not Channel.CALL:  # a call goes on with how it ended (calls.py)
        _advance(sheet, held, at, now)


def _again(sheet: Sheet, held: InHand, result: Result, now: datetime, answer: Transient) -> Recorded:
    attempts = held.attempts if result.behind is None else held.attempts - 1
    if held.stop_requested_at is not None:
        _cancelled(sheet, held, result, now, Why.FOLLOW_UP_ENDED, attempts)
        return Recorded()
    if attempts >= MAX_ATTEMPTS:
        why = Why.NO_ANSWER if result.may_be_there else Why.DELIVERY_FAILED
        return _failed(sheet, held, result, now, why, answer.code, bad_address=False)
    at_once = result.not_found or result.may_be_there  # the ten minutes of looking were the wait
    noted_at = min(held.note.noted_at, now)  # late since then: the computer may have been off before anybody looked
    try_at = noted_at if at_once else now + backoff(attempts, held.note.key, answer.wait)
    if result.behind is not None:
        try_at = max(try_at, result.behind)
    facts = {"number": str(attempts + 1), "until": max(try_at, now).isoformat(), "because": answer.why.value}
    flagged = replace(held, possible_duplicate=held.possible_duplicate or result.may_be_there)
    _queued(sheet, flagged, try_at, Why.TRY_AGAIN, facts, attempts)
    event = "attempt.failed" if result.behind is None else "attempt.outage"
    sheet.lines.append(_line(result, event, now, {"why": answer.why.value, "code": answer.code}))
    return Recorded()


def _put_back(sheet: Sheet, held: InHand, result: Result, now: datetime, why: Why, code: str) -> None:
    """A provider-wide failure: the attempt is given back and the channel rests (I12)."""
    if held.stop_requested_at is not None:
        _cancelled(sheet, held, result, now, Why.FOLLOW_UP_ENDED, held.attempts - 1)
    else:
        facts = {"channel": held.note.channel.value, "because": why.value}
        again = now + (wait_of(result.answer) if isinstance(result.answer, Outage) else AGAIN)
        _queued(sheet, held, again, Why.CHANNEL_PAUSED, facts, held.attempts - 1)
    sheet.lines.append(_line(result, "attempt.outage", now, {"why": why.value, "code": code}))


def _not_made(sheet: Sheet, held: InHand, result: Result, now: datetime, why: Why) -> None:
    if held.stop_requested_at is not None:
        _cancelled(sheet, held, result, now, Why.STOPPED_BEFORE_CALL, held.attempts - 1)
        return
    _queued(sheet, held, None, None, {}, held.attempts - 1)  # due since when it was, whatever the clock says by now
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
    sheet: Sheet, held: InHand, try_at: datetime | None, why: Why | None, facts: dict[str, str], attempts: int
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
    due = min(at, now)  # found out late, as after a crash, it makes what follows no less late
    on = moves.moved(seen, step=held.next_step, waits_for=WaitsFor.NOTHING, entered_at=at, wake_at=due)
    sheet.enrollments.append(on)


def _end(sheet: Sheet, held: InHand, ends: Ends, now: datetime) -> int:
    seen = held.enrollment
    if seen is None or seen.state not in LIVE:
        return 0
    noted_at = min(held.note.noted_at, now)
    sheet.enrollments.append(moves.ended(seen, ends, now, guard="delivery", turn_at=noted_at))
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


def _answer(result: Result) -> AttemptAnswer:
    if result.not_found:
        return AttemptAnswer.NOT_FOUND
    if result.may_be_there:
        return AttemptAnswer.UNKNOWN
    if result.behind is not None and isinstance(result.answer, Transient):
        return AttemptAnswer.OUTAGE
    return _ANSWERS[type(result.answer)]


def _result(result: Result) -> AttemptResult:
    answer = result.answer
    return AttemptResult(
        attempt_id=result.note.attempt_id,
        answer=_answer(result),
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
