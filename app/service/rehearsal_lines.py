"""What a rehearsal's log says, as lines with words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from app.domain.call_outcome import OUTCOME_WORDS, known_outcome
from app.domain.ids import MessageId, StepId
from app.domain.journey import BranchStep, Journey, TaskStep, WaitForStep
from app.domain.lines import LoggedLine, MessageLine
from app.domain.reasons import Why, told
from app.domain.rehearsal import LineKind, RehearsalLine
from app.engine.ports import AttemptNote


def lines_of(
    logged: Sequence[LoggedLine],
    journey: Journey,
    messages: Mapping[MessageId, MessageLine],
    kept: Mapping[MessageId, AttemptNote],
    scripts: Mapping[MessageId, str],
) -> list[RehearsalLine]:
    """The lines that are shown, oldest first. kept: what was handed over; scripts: what the front desk reads out."""
    found = []
    for each in logged:
        message = messages.get(each.message_id) if each.message_id is not None else None
        line = _of_message(each, message, kept, scripts) if message is not None else _of_step(each, journey)
        if line is not None:
            found.append(line)
    return found


def _of_message(
    logged: LoggedLine,
    message: MessageLine,
    kept: Mapping[MessageId, AttemptNote],
    scripts: Mapping[MessageId, str],
) -> RehearsalLine | None:
    step = StepId(message.step) if message.step else None
    match logged.event:
        case "message.accepted":
            note = kept[message.id]
            return RehearsalLine(
                logged.at,
                LineKind.SENT,
                "",
                step,
                channel=note.channel,
                to=note.to,
                subject=note.subject,
                body=note.body,
            )
        case "call.ended":
            outcome = known_outcome(str(logged.facts["outcome"]))
            words = OUTCOME_WORDS[outcome] if outcome is not None else str(logged.facts["outcome"])
            body = scripts.get(message.id, "")
            return RehearsalLine(
                logged.at, LineKind.CALLED, words, step, channel=message.channel, to=message.to, body=body
            )
        case "message.cancelled" | "message.failed":
            why = Why(str(logged.facts["why"]))
            return RehearsalLine(logged.at, LineKind.CANCELLED, told(why), step, channel=message.channel)
        case _:
            return None


def _of_step(logged: LoggedLine, journey: Journey) -> RehearsalLine | None:
    step = StepId(str(logged.facts["step"])) if "step" in logged.facts else None
    match logged.event:
        case "step.waiting":
            until = datetime.fromisoformat(str(logged.facts["until"]))
            return RehearsalLine(logged.at, LineKind.WAITS, "", step, until)
        case "task.asked":
            drawn = journey.steps.get(step) if step is not None else None
            note = drawn.note if isinstance(drawn, TaskStep) else ""
            until = datetime.fromisoformat(str(logged.facts["until"]))
            return RehearsalLine(logged.at, LineKind.WAITS, f"Staff are asked: {note}", step, until)
        case "task.not_done":
            return RehearsalLine(logged.at, LineKind.WENT, "The task was not ticked in time.", step)
        case "step.branched" | "step.waited_for" | "step.split" | "step.repeated":
            return RehearsalLine(logged.at, LineKind.WENT, _way(logged, journey, step), step)
        case "step.skipped":
            return RehearsalLine(logged.at, LineKind.SKIPPED, told(Why(str(logged.facts["why"]))), step)
        case "follow_up.ended":
            return RehearsalLine(logged.at, LineKind.ENDED, str(logged.facts["end"]), step)
        case _:
            return None


def _way(logged: LoggedLine, journey: Journey, step: StepId | None) -> str:
    """Which way it went."""
    drawn = journey.steps.get(step) if step is not None else None
    answer = str(logged.facts.get("answer", ""))
    match drawn:
        case BranchStep() | WaitForStep():
            return f"{answer}, on to {drawn.yes if answer == 'yes' else drawn.no}"
        case _:
            return f"on to {logged.facts.get('to')}"
