"""Carry one enrollment from step to step to a message, a wait, a hold, an end. Pure: a snapshot in, a Walked out.

The tick writes what comes of it; the rehearsal shows it.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import assert_never

from app.domain.call_outcome import tries_made
from app.domain.condition import holds
from app.domain.errors import OperatorError
from app.domain.guards import MESSAGE_GUARDS, WAKE_GUARDS, ask, not_suppressed, useful_until
from app.domain.journey import (
    CONTACT_STEPS,
    BranchStep,
    CallStep,
    ContactStep,
    EmailStep,
    EndStep,
    RepeatStep,
    SmsStep,
    SplitStep,
    Step,
    TaskStep,
    WaitForStep,
    WaitStep,
    wait_of,
)
from app.domain.lateness import asked_at, due_at, marked_overdue, not_before, turn_at
from app.domain.reasons import Why
from app.domain.snapshot import EnrollmentSeen, Snapshot
from app.domain.states import End, EnrollmentState, WaitsFor, under_way
from app.domain.verdict import Ends, Hold, Pass, Skip, Trace, Verdict
from app.domain.ways import LAP_GAP, lap, split_way
from app.engine import moves
from app.engine.ports import LogLine, MessageDraft
from app.engine.walk_waits import waited, waiting
from app.engine.walking import Walked, at_step, log_line, parts_of

# asked before a message is queued; the wake guards were asked when the enrollment woke
QUEUE_GUARDS = (("not_suppressed", not_suppressed), *MESSAGE_GUARDS)

# more steps than any journey has between two waits, repeats included: the proof allows no endless run
MOST_STEPS = 5_000

_DETAIL_OF_END = {End.EXHAUSTED: Why.LAST_STEP, End.CONVERTED: Why.GOAL, End.CLOSED: Why.JOURNEY_END}


def walk(seen: Snapshot) -> Walked:
    """Ask the guards, then go from step to step until a message is to be queued, or there is a hold, a wait, an end.

    Raises OperatorError for a step that can't be walked, such as a wait for a record's time without the record.
    """
    enrollment, journey = parts_of(seen)
    logs: list[LogLine] = []
    seen = replace(seen, asked_at=due_at(enrollment))
    if enrollment.state is EnrollmentState.PAUSED:
        if enrollment.paused_until is None or enrollment.paused_until > seen.now:
            return Walked(None)  # staff were quicker than the tick that claimed it
        enrollment = replace(enrollment, state=EnrollmentState.ACTIVE, paused_until=None)
        seen = replace(seen, enrollment=enrollment)
        logs.append(log_line(seen, "follow_up.resumed", {"because": "date"}))
    earliest = not_before(enrollment.hold_facts)
    if earliest is not None and earliest > seen.now:
        return Walked(moves.timed(enrollment, earliest), logs=tuple(logs))
    trace = ask(seen, WAKE_GUARDS)
    if not trace.passed:
        return _settled(seen, trace, logs)
    if enrollment.waits_for is WaitsFor.MESSAGE:
        found = _waits_for_message(seen, enrollment, logs)
        if isinstance(found, Walked):
            return found
        enrollment = found
        seen = replace(seen, enrollment=enrollment)
    laps = enrollment.laps
    for _ in range(MOST_STEPS):
        step = journey.journey.steps[enrollment.step]
        outcome = _one_step(seen, enrollment, step, logs)
        if isinstance(outcome, Walked):
            if outcome.move is None or enrollment.laps == laps:
                return outcome
            return replace(outcome, move=replace(outcome.move, laps=enrollment.laps))
        enrollment = outcome
        seen = replace(seen, enrollment=enrollment, asked_at=_asked_at(seen, enrollment, step))
    raise OperatorError(f"journey {journey.name!r} goes round without waiting", "Draw it again and publish it.")


def _asked_at(seen: Snapshot, enrollment: EnrollmentSeen, behind: Step) -> datetime | None:
    """When the step that follows `behind` should have been asked: after whatever waits, at its end."""
    if seen.asked_at is None or wait_of(behind) is None:
        return seen.asked_at
    return max(seen.asked_at, enrollment.step_entered_at)


def _waits_for_message(seen: Snapshot, enrollment: EnrollmentSeen, logs: list[LogLine]) -> Walked | EnrollmentSeen:
    """Woken while its message is under way, as by a hold that lifted: it waits on; the message has its own guards.

    Once that message is over, whatever became of it, the step was said.
    """
    mine = [s for step, no, s in seen.said if (step, no) == (enrollment.step, enrollment.pass_no)]
    if any(under_way(state, call=isinstance(seen.step, CallStep)) for state in mine):
        entered_at = enrollment.step_entered_at
        move = moves.moved(
            enrollment, step=enrollment.step, waits_for=WaitsFor.MESSAGE, entered_at=entered_at, wake_at=None
        )
        return Walked(move, logs=tuple(logs))
    step = seen.step
    if not mine or not isinstance(step, CONTACT_STEPS):
        return enrollment
    logs.append(log_line(seen, "step.skipped", {"step": step.id, "why": Why.ALREADY_SENT.value}))
    return at_step(enrollment, step.next, seen.now)


def _one_step(seen: Snapshot, enrollment: EnrollmentSeen, step: Step, logs: list[LogLine]) -> Walked | EnrollmentSeen:
    """Walk one step: the outcome, or the enrollment as it stands at the next step."""
    match step:
        case WaitStep() | TaskStep() | WaitForStep():
            return waited(seen, enrollment, step, logs)
        case SplitStep():
            way = split_way(step, parts_of(seen)[1].id, seen.person.id)
            logs.append(log_line(seen, "step.split", {"step": step.id, "to": way}))
            return at_step(enrollment, way, enrollment.step_entered_at)
        case RepeatStep():
            return _repeat(seen, enrollment, step, logs)
        case BranchStep():
            yes = holds(step.condition, seen.facts, seen.now)
            logs.append(log_line(seen, "step.branched", {"step": step.id, "answer": "yes" if yes else "no"}))
            return at_step(enrollment, step.yes if yes else step.no, enrollment.step_entered_at)
        case EndStep():
            ends = Ends(step.end, _DETAIL_OF_END.get(step.end, Why.JOURNEY_END))
            return _ended(seen, ends, f"step:{step.id}", logs)
        case EmailStep() | SmsStep():
            return _message(seen, enrollment, step, logs)
        case CallStep():
            return _call(seen, enrollment, step, logs)
        case _:
            assert_never(step)


def _repeat(seen: Snapshot, enrollment: EnrollmentSeen, step: RepeatStep, logs: list[LogLine]) -> EnrollmentSeen:
    """Back once more, with a pass of its own for every message that is said again (I4), or on."""
    to = lap(parts_of(seen)[1].journey, step, enrollment.laps)
    logs.append(log_line(seen, "step.repeated", {"step": step.id, "to": to.next}))
    passes = enrollment.pass_no + (LAP_GAP if to.jumps else 0)
    return replace(at_step(enrollment, to.next, enrollment.step_entered_at), laps=to.laps, pass_no=passes)


def _call(seen: Snapshot, enrollment: EnrollmentSeen, step: CallStep, logs: list[LogLine]) -> Walked | EnrollmentSeen:
    """A try of a call. Between two of them the enrollment waits for its time, whoever wakes it meanwhile."""
    if enrollment.waits_for is WaitsFor.TIME:
        if enrollment.wake_at is not None and enrollment.wake_at > seen.now:
            return Walked(waiting(enrollment, step, enrollment.wake_at), logs=tuple(logs))
        if tries_made(seen.said, step.id, enrollment.pass_no) >= step.tries:  # a newer version allows fewer
            return at_step(enrollment, step.next, seen.now)
    return _message(seen, enrollment, step, logs)


def _message(
    seen: Snapshot, enrollment: EnrollmentSeen, step: ContactStep, logs: list[LogLine]
) -> Walked | EnrollmentSeen:
    trace = ask(seen, QUEUE_GUARDS)
    match trace.verdict:
        case Pass():
            move = moves.moved(
                enrollment,
                step=step.id,
                waits_for=WaitsFor.MESSAGE,
                entered_at=enrollment.step_entered_at,
                wake_at=None,
            )
            return Walked(move, _draft(seen, enrollment, step), tuple(logs))
        case Skip(why=why):
            logs.append(log_line(seen, "step.skipped", {"step": step.id, "why": why.value}))
            return at_step(enrollment, step.next, seen.now)
        case _:
            return _settled(seen, trace, logs)


def _draft(seen: Snapshot, enrollment: EnrollmentSeen, step: ContactStep) -> MessageDraft:
    _, journey = parts_of(seen)
    name = step.template
    template = journey.templates.get(name)
    if template is None:
        raise OperatorError(f"template {name!r} is not part of version {journey.number} of {journey.name!r}")
    return MessageDraft(
        enrollment_id=enrollment.id,
        person_id=seen.person.id,
        location_id=seen.location.id,
        step=step.id,
        pass_no=enrollment.pass_no,
        channel=step.channel,
        template=name,
        template_version_id=template.version_id,
        due_at=asked_at(seen) or seen.now,
        useful_until=useful_until(seen),
    )


def _settled(seen: Snapshot, trace: Trace, logs: list[LogLine]) -> Walked:
    """What a guard that did not pass comes to."""
    enrollment, _ = parts_of(seen)
    verdict: Verdict = trace.verdict
    match verdict:
        case Hold(why=Why.SENDING_PAUSED | Why.CLOCK_MOVED):
            return Walked(None)  # the whole engine rests: everyone stays due, and nothing is rewritten
        case Hold():
            overdue = marked_overdue(seen, enrollment.hold_facts)
            if overdue is not None:  # nothing but staff lifts it, and what else would hold it is asked after that
                return Walked(moves.held(enrollment, overdue, seen.now), logs=tuple(logs))
            if (enrollment.hold_why, enrollment.hold_until) != (verdict.why, verdict.until):
                facts = {"step": enrollment.step, "why": verdict.why.value, "guard": trace.lines[-1].guard}
                logs.append(log_line(seen, "follow_up.held", facts))
            return Walked(moves.held(enrollment, verdict, seen.now), logs=tuple(logs))
        case Ends():
            return _ended(seen, verdict, trace.lines[-1].guard, logs)
        case _:
            return Walked(None)


def _ended(seen: Snapshot, ends: Ends, guard: str, logs: list[LogLine]) -> Walked:
    enrollment, _ = parts_of(seen)
    facts = {"end": ends.end.value, "why": ends.why.value, "guard": guard, "step": enrollment.step}
    logs.append(log_line(seen, "follow_up.ended", facts))
    return Walked(moves.ended(enrollment, ends, seen.now, guard=guard, turn_at=turn_at(seen)), logs=tuple(logs))
