"""The note for the problem list about a follow-up that the backstop has ended."""

from __future__ import annotations

from app.domain.reasons import Why
from app.domain.snapshot import Snapshot
from app.engine.ports import ProblemNote


def expired(seen: Snapshot) -> ProblemNote:
    """Its journey was proven to end 90 days before, so somebody should look at why it had not (DESIGN section 7)."""
    journey = "" if seen.journey is None else seen.journey.name
    enrollment_id = None if seen.enrollment is None else seen.enrollment.id
    return ProblemNote(seen.now, Why.EXPIRED, seen.person.id, enrollment_id, facts={"journey": journey})
