"""The JSON shapes of DESIGN section 11, one function a shape. Keys are stable; new ones are added at the end."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from app.cli.output import local, local_iso
from app.domain.events import Applied
from app.domain.lateness import SINCE, overdue_since
from app.domain.lines import (
    AttemptLine,
    HoldLine,
    JourneyLine,
    LoggedLine,
    MessageLine,
    OverdueLine,
    PersonLine,
    ProblemLine,
    QueueLine,
    TraceLine,
    WhyLines,
)
from app.domain.person_lines import EnrollmentLine
from app.domain.problem import Problem
from app.domain.reasons import Why, told, told_inside
from app.domain.remedies import command, remedy
from app.domain.states import Channel
from app.domain.unread import LAST_READ
from app.engine.once import PassReport
from app.service.unmatched import UnmatchedLine

Shape = dict[str, object]
CHANNEL_WORDS: Mapping[str, str] = {Channel.EMAIL: "email", Channel.SMS: "text", Channel.CALL: "call"}


def tick_shape(report: PassReport) -> Shape:
    """`tick`."""
    return {
        "at": report.at,
        "claimed": report.claimed,
        "queued": report.queued,
        "accepted": report.accepted,
        "held": report.held,
        "ended": report.ended,
        "failed": report.failed,
        "problems": report.problems,
        "paused": report.paused,
    }


def message_shape(line: MessageLine) -> Shape:
    """One of `messages`."""
    return {
        "id": line.id,
        "person": line.person_id,
        "journey": line.journey,
        "version": line.version,
        "step": line.step,
        "channel": line.channel,
        "to": line.to,
        "state": line.state,
        "attempts": line.attempts,
        "accepted_at": line.accepted_at,
        "provider_id": line.provider_id,
        "stop_requested_at": line.stop_requested_at,
        "cancel_reason": line.cancel_reason,
        "name": line.name,
        "location": line.location,
        "zone": line.zone,
        "accepted_local": local_iso(line.accepted_at, line.zone),
        "enrollment": line.enrollment_id,
        "pass": line.pass_no,
        "template": line.template,
        "subject": line.subject,
        "due_at": line.due_at,
        "try_at": line.try_at,
        "hold": hold_shape(line.hold, line.zone),
        "provider": line.provider,
        "reason_code": line.reason_code,
        "possible_duplicate": line.possible_duplicate,
    }


def hold_shape(hold: HoldLine | None, zone: str) -> Shape | None:
    """Why something is held and until when, with the sentence that staff read; None when it is not."""
    if hold is None:
        return None
    return {"why": hold.why, "until": hold.until, "told": told_hold(hold, zone), "facts": hold.facts}


def overdue_shape(line: OverdueLine) -> Shape:
    """One of `overdue`."""
    return {
        "id": line.enrollment_id,
        "person": line.person_id,
        "name": line.name,
        "location": line.location,
        "journey": line.journey,
        "step": line.step.id,
        "channel": line.channel,
        "since": line.since,
        "local_time": local_iso(line.since, line.zone),
    }


def told_hold(hold: HoldLine, zone: str) -> str:
    """The sentence of a hold, its times on the location's clock."""
    facts: dict[str, object] = dict(hold.facts)
    if hold.until is not None:
        facts["until"] = local(hold.until, zone)
    since = overdue_since(hold.facts)
    if since is not None:
        facts[SINCE] = local(since, zone)
    if LAST_READ in hold.facts:
        facts[LAST_READ] = local(datetime.fromisoformat(hold.facts[LAST_READ]), zone)
    return told_with(hold.why, facts)


def told_with(why: Why, facts: Mapping[str, object]) -> str:
    """The sentence of `why`; a reason among its facts is a sentence too."""
    because = facts.get("because")
    if not isinstance(because, str) or because not in set(Why):
        return told(why, facts)
    return told(why, {**facts, "because": told_inside(Why(because), {"provider": "its provider", **facts})})


def told_end(line: EnrollmentLine) -> str:
    """The sentence of why a follow-up ended; "" for one that runs."""
    if line.end_detail is None:
        return ""
    return told(line.end_detail, {"by": line.ended_by or "Staff", "channel": CHANNEL_WORDS.get(line.step.kind, "it")})


def queue_shape(line: QueueLine) -> Shape:
    """One of `queue`."""
    return {
        "person": line.person_id,
        "journey": line.journey,
        "step": line.step.id,
        "wake_at": line.wake_at,
        "local_time": local_iso(line.at if line.wake_at is None else line.wake_at, line.zone),
        "hold": hold_shape(line.hold, line.zone),
        "zone": line.zone,
        "name": line.name,
        "location": line.location,
        "version": line.version,
        "state": line.state,
        "contact": line.contact,
        "enrollment": line.enrollment_id,
        "message": line.message_id,
        "message_state": line.message_state,
    }


def person_line_shape(line: PersonLine) -> Shape:
    """One of `people`."""
    return {
        "id": line.id,
        "name": line.name,
        "email": line.email,
        "phone": line.phone,
        "location": line.location,
        "zone": line.zone,
        "contact": line.contact,
        "running": line.running,
        "journey": line.journey,
        "version": line.version,
        "state": line.state,
        "end_detail": line.end_detail,
        "ended_at": line.ended_at,
        "step": line.step.id if line.step else None,
        "wake_at": line.wake_at,
        "hold": hold_shape(line.hold, line.zone),
    }


def why_shape(lines: WhyLines) -> Shape:
    """`why`."""
    return {
        "message": {**message_shape(lines.message), "body": lines.body},
        "trace": [trace_shape(each) for each in lines.trace],
        "attempts": [_attempt(each) for each in lines.attempts],
        "stop": None
        if lines.stop is None
        else {
            "id": lines.stop.id,
            "kind": lines.stop.kind,
            "source": lines.stop.source,
            "channel": lines.stop.channel,
            "happened_at": lines.stop.happened_at,
            "received_at": lines.stop.received_at,
        },
    }


def trace_shape(line: TraceLine) -> Shape:
    """One guard's answer."""
    return {"guard": line.guard, "answer": line.answer, "saw": line.saw}


def _attempt(line: AttemptLine) -> Shape:
    return {
        "id": line.id,
        "number": line.number,
        "answer": line.answer,
        "noted_at": line.noted_at,
        "handed_at": line.handed_at,
        "answered_at": line.answered_at,
        "why": line.why,
        "code": line.code,
        "provider": line.provider,
        "provider_id": line.provider_id,
        "trace": [trace_shape(each) for each in line.trace],
    }


def problem_line_shape(line: ProblemLine) -> Shape:
    """One of `problems`."""
    return {
        "id": line.id,
        "at": line.at,
        "why": line.why,
        "told": told_with(line.why, line.facts),
        "person": line.person_id,
        "name": line.name,
        "enrollment": line.enrollment_id,
        "message": line.message_id,
        "inbox_event": line.inbox_event_id,
        "facts": line.facts,
        "location": line.location,
        "zone": line.zone,
        "to_do": remedy(line.why, line.facts),
        "command": command(line.why, line.person_id, line.message_id, line.facts),
    }


def logged_shape(line: LoggedLine) -> Shape:
    """One of `log`."""
    return {
        "id": line.id,
        "at": line.at,
        "event": line.event,
        "actor": line.actor,
        "person": line.person_id,
        "enrollment": line.enrollment_id,
        "message": line.message_id,
        "attempt": line.attempt_id,
        "inbox_event": line.inbox_event_id,
        "journey": line.journey_id,
        "facts": line.facts,
    }


def journey_shape(line: JourneyLine, idle: str | None = None) -> Shape:
    """One of `journeys`. idle: why nobody can enter it by itself as things are; None when somebody can."""
    return {
        "id": line.id,
        "name": line.name,
        "state": line.state,
        "version": line.version,
        "draft": line.has_draft,
        "inside": line.inside,
        "ended": line.ended,
        "emails": line.emails,
        "texts": line.texts,
        "calls": line.calls,
        "days": line.days,
        "idle": idle,
    }


def applied_shape(applied: Applied) -> Shape:
    """The four facts of an event: came in, changed, cancelled, already accepted."""
    return {
        "event": applied.event_id,
        "person": applied.person_id,
        "duplicate": applied.duplicate,
        "unmatched": applied.unmatched,
        "other_text": applied.other_text,
        "came_in_at": applied.came_in_at,
        "read_at": applied.read_at,
        "dated": applied.dated,
        "changed_at": applied.changed_at,
        "ended": [{"journey": each.journey, "end": each.end, "steps_left": each.steps_left} for each in applied.ended],
        "cancelled": [
            {"message": each.message_id, "channel": each.channel, "template": each.template, "due_at": each.due_at}
            for each in applied.cancelled
        ],
        "on_their_way": [
            {"message": each.message_id, "channel": each.channel, "template": each.template, "due_at": each.due_at}
            for each in applied.on_their_way
        ],
        "accepted": [
            {
                "message": each.message_id,
                "channel": each.channel,
                "template": each.template,
                "accepted_at": each.accepted_at,
            }
            for each in applied.accepted
        ],
        "suppressed": applied.suppressed,
        "others": [applied_shape(other) for other in applied.others],
    }


def unmatched_shape(line: UnmatchedLine) -> Shape:
    """One of `unmatched`."""
    event = line.event
    return {
        "event": event.id,
        "source": event.source,
        "kind": event.kind,
        "channel": event.channel,
        "from": event.address,
        "text": event.text,
        "came_in_at": event.happened_at,
        "read_at": event.received_at,
        "candidates": line.candidates,
    }


def problem_shape(problem: Problem) -> Mapping[str, object]:
    """One problem of a document, as `check` tells it."""
    return {
        "file": problem.file,
        "path": problem.path,
        "line": problem.line,
        "problem": problem.problem,
        "hint": problem.hint,
    }
