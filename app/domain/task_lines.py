"""One task of staff, as a list shows it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.domain.ids import EnrollmentId, PersonId


@dataclass(frozen=True, slots=True)
class TaskLine:
    """A follow-up that waits for staff. since: when it came to the task; until: when it goes on by itself.

    paused: staff hold it; the task can be done all the same.
    """

    enrollment_id: EnrollmentId
    person_id: PersonId
    name: str
    location: str
    zone: str
    journey: str
    step: str
    note: str
    since: datetime
    until: datetime | None
    paused: bool
