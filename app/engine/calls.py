"""How a call ended: written under its message, with what follows for its person and its follow-up, in one transaction.

A call of the front desk waits in the outbox, held for the call list (permit.py), until somebody says how it went
(`note_outcome`). A call that a provider makes is accepted like any message; how it ended comes later (`settle_call`).
Either way it is the outcome that moves the follow-up on (ADR 0027).
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from app.domain.call_outcome import (
    DESK,
    OUTCOME_WORDS,
    CallOutcome,
    Consequence,
    consequence,
    known_outcome,
    tries_made,
)
from app.domain.delivery_status import CallEnded
from app.domain.errors import OperatorError
from app.domain.events import Applied, EventKind, InboxEvent
from app.domain.fill import fill
from app.domain.guards import GUARDS, ask
from app.domain.ids import MessageId, PersonId, StepId
from app.domain.journey import CallStep
from app.domain.reasons import Why, told
from app.domain.snapshot import Snapshot
from app.domain.states import LIVE, NOT_YET_HANDED, AttemptAnswer, Channel, MessageState, WaitsFor
from app.domain.verdict import Pass, Trace, Verdict
from app.engine import moves
from app.engine.apply_event import apply_event
from app.engine.concerned import others
from app.engine.ports import (
    AcceptedNote,
    AttemptResult,
    CallNote,
    CallRow,
    EnrollmentMove,
    LogLine,
    MessageMove,
    ProblemNote,
    UnitOfWork,
)

OUTCOME_WITHIN = timedelta(hours=2)  # a call rings for half a minute; whoever has not told by then won't

_PERHAPS_A_PERSON = "The automated call was answered, perhaps by a person."


@dataclass(frozen=True, slots=True)
class CallTold:
    """How a call went, as somebody says. by: who; note: what else they want to keep, "" for nothing."""

    message_id: MessageId
    outcome: CallOutcome
    by: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class CallNoted:
    """What an outcome did.

    number, tries: which try it was, of how many; 0 where no journey's step stands behind it any more. again_at: when
    the next one is due. next_step: where the follow-up is now; None when it does not go on. applied: what its event
    did; None when the outcome says nothing about the person. against: what a guard answered that would not have let it
    be made now; too_late: it had been cancelled meanwhile, for that reason, so that only the fact was kept.
    """

    message_id: MessageId
    person_id: PersonId
    outcome: CallOutcome
    at: datetime
    number: int = 0
    tries: int = 0
    again_at: datetime | None = None
    next_step: StepId | None = None
    applied: Applied | None = None
    against: Verdict | None = None
    too_late: Why | None = None


class CallOver(OperatorError):
    """Somebody else was quicker (I9). row: how the call stands."""

    def __init__(self, row: CallRow) -> None:
        super().__init__(_stands(row))
        self.row = row


@dataclass(frozen=True, slots=True)
class _End:
    """How one call ended, whoever says so. key: of its event, unique within the source."""

    outcome: CallOutcome
    at: datetime
    source: str
    key: str
    actor: str
    note: str = ""
    code: str = ""
    unsure: bool = False


def note_outcome(uow: UnitOfWork, told: CallTold, now: datetime) -> CallNoted:
    """Write down how a call of the call list went, or one that a provider has made and not told of yet.

    The guards are asked once more and their answers kept with the attempt (I6, I7). One that forbids the call does not
    undo that it was made: it is kept, and says so. So is what is told of a call that was cancelled meanwhile.
    Raises CallOver when its outcome is known already, OperatorError when there is no such call or it is being made.
    """
    end = _End(told.outcome, now, DESK, f"call {told.message_id} {told.outcome.value}", told.by, told.note.strip())
    row = _lock(uow, _known(uow, told.message_id), end)
    if row.state is MessageState.CANCELLED:
        return _only_the_fact(uow, row, end, now)
    if row.state is MessageState.SENDING:
        raise OperatorError("This call is being handed over just now.", "Look again in a minute.")
    if row.state is MessageState.ACCEPTED:
        return _over(uow, row, end, now)
    if row.state not in NOT_YET_HANDED:
        raise CallOver(row)
    against = _note_made(uow, row, now)
    return _over(uow, _again(uow, row), end, now, against)


def settle_call(uow: UnitOfWork, note: AcceptedNote, said: CallEnded, now: datetime) -> MessageState | None:
    """Write down how a call ended that a provider made; how its message ends. None when that was known already."""
    end = _End(said.outcome, min(said.at, now), note.provider, f"{note.key} call", note.provider, code=said.code)
    end = replace(end, unsure=said.unsure, note=_PERHAPS_A_PERSON if _needs_a_look(said) else "")
    row = _lock(uow, _known(uow, note.message_id), end)
    if row.state is not MessageState.ACCEPTED:
        return None
    noted = _over(uow, row, end, now)
    if said.unsure and said.outcome is CallOutcome.DISCONNECTED and noted.again_at is None:
        facts = {"code": said.code, "provider": note.provider}
        ids = (note.person_id, note.enrollment_id, note.message_id)
        uow.log.problem([ProblemNote(now, Why.NUMBER_DOUBTED, *ids, facts=facts)])
    return _consequence(end, tries_left=0).state


def give_up_call(uow: UnitOfWork, note: AcceptedNote, now: datetime) -> MessageState | None:
    """Nobody has told how the call ended: it counts as not answered, and staff see it. None when it was known."""
    state = settle_call(uow, note, CallEnded(CallOutcome.NO_ANSWER, now), now)
    if state is None:
        return None
    facts = {"provider": note.provider}
    ids = (note.person_id, note.enrollment_id, note.message_id)
    uow.log.problem([ProblemNote(now, Why.NO_OUTCOME, *ids, facts=facts)])
    return state


# ---- who is concerned, and how it stands


def _known(uow: UnitOfWork, message_id: MessageId) -> CallRow:
    row = uow.calls.find(message_id)
    if row is None or row.channel is not Channel.CALL:
        raise OperatorError(f"There is no call {message_id}.", "stopwell calls shows the calls to make.")
    return row


def _again(uow: UnitOfWork, row: CallRow) -> CallRow:
    found = uow.calls.locked(row.message_id)
    if found is None:
        raise AssertionError("a message is never deleted")
    return found


def _lock(uow: UnitOfWork, row: CallRow, end: _End) -> CallRow:
    """Everybody whom the outcome concerns, then their follow-ups, then the call: the order of every transaction."""
    event = _event(uow, row, end, end.at)
    person = uow.people.read(row.person_id)
    concerned = others(uow, event, person) if event is not None and person is not None else frozenset()
    uow.people.lock(sorted({row.person_id, *concerned}), to_write=True)
    uow.stops.live_of({row.person_id, *concerned})
    return _again(uow, row)


def _stands(row: CallRow) -> str:
    outcome = known_outcome(row.outcome)
    if outcome is not None:
        return f"This call is over: {row.over_by or 'somebody'} noted “{OUTCOME_WORDS[outcome]}”."
    because = (
        "" if row.reason is None else f" {told(row.reason, {'code': row.outcome, 'provider': row.provider or ''})}"
    )
    return f"This call is over.{because}"


# ---- the attempt


def _note_made(uow: UnitOfWork, row: CallRow, now: datetime) -> Verdict | None:
    """Note that staff made the call, with the guards' answers of now; the one that would not have let it be made."""
    seen = uow.snapshots.of_messages([row.message_id], now)[row.message_id]
    trace = ask(seen, GUARDS)
    words = None if seen.message is None else fill(seen, seen.message, Trace((), Pass()))[1]
    to = words.to if words is not None else seen.person.phone or ""
    subject, body = (words.subject, words.body) if words is not None else ("", "")
    note = CallNote(row, uuid.uuid4().hex, DESK, to, subject, body, trace)
    attempt_id = uow.calls.note(note, now)
    if attempt_id is None:
        raise AssertionError("a locked message changed under its lock")
    made = f"{DESK}-{row.message_id}"  # an id as a provider would give it
    uow.outbox.finish_attempts([AttemptResult(attempt_id, AttemptAnswer.ACCEPTED, None, "", made, now, now)])
    standing = _again(uow, row)
    taken = MessageMove(
        id=row.message_id,
        seen_version=standing.version,
        state=MessageState.ACCEPTED,
        attempts=standing.attempts + 1,
        provider=DESK,
        provider_id=made,
        accepted_at=now,
    )
    if not uow.outbox.move([taken], now):
        raise AssertionError("a locked message changed under its lock")
    return None if trace.passed else trace.verdict


# ---- what follows


def _over(uow: UnitOfWork, row: CallRow, end: _End, now: datetime, against: Verdict | None = None) -> CallNoted:
    """The message is over, what the outcome says is applied, and a follow-up that it does not end goes on."""
    seen = uow.snapshots.of_messages([row.message_id], now)[row.message_id]
    step = _step(seen, row)
    number = 0 if step is None else tries_made(seen.said, step.id, row.pass_no)
    tries = 0 if step is None else step.tries
    follows = _consequence(end, tries_left=max(0, tries - number))
    move = MessageMove(
        id=row.message_id,
        seen_version=row.version,
        state=follows.state,
        attempts=row.attempts,
        reason=follows.reason,
        reason_code=end.outcome.value,
    )
    if not uow.outbox.move([move], now):
        raise AssertionError("a locked message changed under its lock")
    event = _event(uow, row, end, now)
    applied = None if event is None else apply_event(uow, event, now)
    noted = CallNoted(row.message_id, row.person_id, end.outcome, end.at, number, tries, None, None, applied, against)
    on = None if step is None else _go_on(uow, row, step, follows, end.at, now)
    if on is not None:
        noted = replace(noted, again_at=on.wake_at) if follows.again else replace(noted, next_step=on.step)
    uow.log.add([_line(row, end, noted, now)])
    return noted


def _only_the_fact(uow: UnitOfWork, row: CallRow, end: _End, now: datetime) -> CallNoted:
    """The call was cancelled while somebody made it: what they were told counts, and moves nothing that has ended."""
    event = _event(uow, row, end, now) or _fact(row, end, now)
    applied = apply_event(uow, event, now)
    if applied.duplicate:
        raise CallOver(replace(_again(uow, row), outcome=""))
    why = row.reason or Why.FOLLOW_UP_ENDED
    noted = CallNoted(row.message_id, row.person_id, end.outcome, end.at, applied=applied, too_late=why)
    uow.log.add([_line(row, end, noted, now)])
    return noted


def _step(seen: Snapshot, row: CallRow) -> CallStep | None:
    """The step that the call is of, while its follow-up stands there at this very try."""
    at = seen.enrollment
    if at is None or (at.step, at.pass_no) != (row.step, row.pass_no):
        return None
    return seen.step if isinstance(seen.step, CallStep) else None


def _go_on(
    uow: UnitOfWork, row: CallRow, step: CallStep, follows: Consequence, at: datetime, now: datetime
) -> EnrollmentMove | None:
    """The follow-up's next try, or its next step; None when the outcome ended it, or staff had taken it further."""
    if row.enrollment_id is None:
        return None
    standing = uow.enrollments.rows([row.enrollment_id])[
        row.enrollment_id
    ].seen  # read again: the event may have moved it
    if standing.state not in LIVE or standing.waits_for is not WaitsFor.MESSAGE:
        return None
    if follows.again:
        move = moves.another_try(standing, at + (step.every or timedelta(0)))
    else:
        move = moves.moved(standing, step=step.next, waits_for=WaitsFor.NOTHING, entered_at=at, wake_at=at)
    if not uow.enrollments.move([move]):
        raise AssertionError("a locked enrollment changed under its lock")
    return move


def _needs_a_look(said: CallEnded) -> bool:
    return said.unsure and said.outcome is CallOutcome.NO_ANSWER


def _consequence(end: _End, *, tries_left: int) -> Consequence:
    """Nothing is closed for a number of which the provider only thinks that it is wrong."""
    doubted = end.unsure and end.outcome is CallOutcome.DISCONNECTED
    return consequence(CallOutcome.NO_ANSWER if doubted else end.outcome, tries_left=tries_left)


def _event(uow: UnitOfWork, row: CallRow, end: _End, now: datetime) -> InboxEvent | None:
    """What the outcome says about the person; None when it says nothing.

    Somebody who was reached is themselves, so nobody else with the number is held for it. What closes a number is about
    everybody who has it.
    """
    follows = _consequence(end, tries_left=0)
    if follows.event is None:
        return _fact(row, end, now) if end.note else None
    person = uow.people.read(row.person_id)
    number = row.to or (person.phone if person is not None else None)
    closes = follows.event is not EventKind.REPLIED
    channels = (Channel.CALL,) if follows.event is EventKind.OPTED_OUT else ()
    return replace(
        _fact(row, end, now),
        kind=follows.event,
        address=number if closes else None,
        channels=channels,
        needs_human=False,
    )


def _fact(row: CallRow, end: _End, now: datetime) -> InboxEvent:
    """A note about the call. One that may have spoken with a person holds everything until staff have looked."""
    asks = end.unsure and end.outcome is CallOutcome.NO_ANSWER
    return InboxEvent(
        source=end.source,
        key=end.key,
        kind=EventKind.OTHER,
        happened_at=end.at,
        received_at=now,
        person_id=row.person_id,
        channel=Channel.CALL,
        note=end.note or end.code,
        actor=end.actor,
        needs_human=asks,
    )


def _line(row: CallRow, end: _End, noted: CallNoted, now: datetime) -> LogLine:
    facts: dict[str, str | int] = {"outcome": end.outcome.value}
    if noted.tries:
        facts |= {"number": noted.number, "of": noted.tries}
    if noted.again_at is not None:
        facts["until"] = noted.again_at.isoformat()
    if noted.against is not None and not isinstance(noted.against, Pass):
        facts["against"] = noted.against.why.value
    if noted.too_late is not None:
        facts["against"] = noted.too_late.value
    if end.code:
        facts["code"] = end.code
    return LogLine(
        now,
        "call.ended",
        end.actor,
        person_id=row.person_id,
        enrollment_id=row.enrollment_id,
        message_id=row.message_id,
        facts=dict(facts),
    )
