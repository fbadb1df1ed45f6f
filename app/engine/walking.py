"""What every part of a walk shares: its outcome, the next place, a line of the log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from app.domain.ids import StepId
from app.domain.snapshot import EnrollmentSeen, JourneySeen, Snapshot
from app.domain.states import WaitsFor
from app.engine.ports import EnrollmentMove, LogLine, MessageDraft


@dataclass(frozen=True, slots=True)
class Walked:
    """What comes of one enrollment's turn. move None: nothing changes."""

    move: EnrollmentMove | None
    draft: MessageDraft | None = None
    logs: tuple[LogLine, ...] = ()


def parts_of(seen: Snapshot) -> tuple[EnrollmentSeen, JourneySeen]:
    """The enrollment and its journey. Raises ValueError where there is none."""
    if seen.enrollment is None or seen.journey is None:
        raise ValueError("only an enrollment can be walked")
    return seen.enrollment, seen.journey


def at_step(enrollment: EnrollmentSeen, step: StepId, entered_at: datetime) -> EnrollmentSeen:
    """The enrollment as it stands once it has come to `step`, to be walked from there."""
    return replace(
        enrollment,
        step=step,
        waits_for=WaitsFor.NOTHING,
        step_entered_at=entered_at,
        hold_why=None,
        hold_until=None,
        hold_facts={},
    )


def log_line(seen: Snapshot, event: str, facts: Mapping[str, str]) -> LogLine:
    """A line of the log about the enrollment."""
    enrollment, journey = parts_of(seen)
    return LogLine(
        at=seen.now,
        event=event,
        person_id=seen.person.id,
        enrollment_id=enrollment.id,
        journey_id=journey.id,
        facts=dict(facts),
    )
