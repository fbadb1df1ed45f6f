"""The JSON shape of `person` (DESIGN section 11). Keys are stable; new ones are added at the end."""

from __future__ import annotations

from app.cli.shapes import Shape, hold_shape
from app.domain.person_lines import (
    ConsentLine,
    EnrollmentLine,
    PersonPage,
    RecordLine,
    StopFacts,
    SuppressionLine,
    TimelineLine,
)


def person_shape(page: PersonPage) -> Shape:
    """`person`."""
    line = page.line
    return {
        "id": line.id,
        "first_name": page.first_name,
        "last_name": page.last_name,
        "email": line.email,
        "phone": line.phone,
        "phone_ext": page.phone_ext,
        "alt_phone": page.alt_phone,
        "location": line.location,
        "zone": line.zone,
        "status": page.status,
        "source": page.source,
        "tags": page.tags,
        "custom": page.custom,
        "created_at": page.created_at,
        "contact": line.contact,
        "outcome": page.outcome,
        "enrollments": [_enrollment(each, line.zone) for each in page.enrollments],
        "suppressions": [_suppression(each) for each in page.suppressions],
        "timeline": [_timeline(each) for each in page.timeline],
        "stop": _stop(page.stop),
        "consents": [consent_shape(each) for each in page.consents],
        "records": [_record(each) for each in page.records],
        "erased_at": page.erased_at,
    }


def _enrollment(line: EnrollmentLine, zone: str) -> Shape:
    return {
        "journey": line.journey,
        "version": line.version,
        "state": line.state,
        "end_detail": line.end_detail,
        "step": line.step.id,
        "wake_at": line.wake_at,
        "id": line.id,
        "entered_at": line.entered_at,
        "entered_by": line.entered_by,
        "reason": line.reason,
        "ended_at": line.ended_at,
        "ended_by": line.ended_by,
        "paused_until": line.paused_until,
        "hold": hold_shape(line.hold, zone),
        "sent": line.sent,
        "most": line.most,
    }


def _timeline(line: TimelineLine) -> Shape:
    return {
        "at": line.at,
        "event": line.event,
        "actor": line.actor,
        "journey": line.journey,
        "version": line.version,
        "channel": line.channel,
        "template": line.template,
        "message": line.message_id,
        "message_state": line.message_state,
        "text": line.text,
        "facts": line.facts,
    }


def _stop(facts: StopFacts | None) -> Shape | None:
    if facts is None:
        return None
    return {
        "kind": facts.kind,
        "end": facts.end,
        "channel": facts.channel,
        "actor": facts.actor,
        "came_in_at": facts.came_in_at,
        "read_at": facts.read_at,
        "changed_at": facts.changed_at,
        "cancelled": [line.id for line in facts.cancelled],
        "accepted_before": [line.id for line in facts.accepted_before],
        "accepted_after": [line.id for line in facts.accepted_after],
        "unknown": [line.id for line in facts.unknown],
    }


def _suppression(line: SuppressionLine) -> Shape:
    return {"channel": line.channel, "address": line.address, "why": line.why, "at": line.at}


def consent_shape(line: ConsentLine) -> Shape:
    """One of `consent show`, and of `person`."""
    return {
        "channel": line.channel,
        "purpose": line.purpose,
        "act": line.act,
        "at": line.at,
        "how": line.how,
        "wording": line.wording,
        "evidence": line.evidence,
        "recorded_by": line.recorded_by,
    }


def _record(line: RecordLine) -> Shape:
    return {
        "kind": line.kind,
        "label": line.label,
        "status": line.status,
        "external_id": line.external_id,
        "starts_at": line.starts_at,
        "due_on": line.due_on,
        "amount": line.amount,
    }
