"""The tasks that wait for staff: follow-ups that stand at a task, soonest end first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from app.domain.ids import EnrollmentId, PersonId
from app.domain.journey import TaskStep
from app.domain.task_lines import TaskLine
from app.store import tables as t
from app.store.columns import among
from app.store.memory import Memory
from app.store.reads_follow_ups import IS_LIVE
from app.store.reads_steps import Steps
from app.store.versions import Versions

_e, _p, _l = t.enrollment, t.person, t.location
_VERSIONS: Final = sa.select(_e.c.journey_version_id).where(IS_LIVE).distinct()
_STANDING: Final = (
    sa.select(
        *(
            _e.c[name]
            for name in ("id", "person_id", "journey_version_id", "step", "step_entered_at", "wake_at", "state")
        ),
        _p.c.first_name,
        _p.c.last_name,
        _l.c.name.label("location"),
        _l.c.zone,
        t.journey.c.name.label("journey"),
    )
    .join(_p, _p.c.id == _e.c.person_id)
    .join(_l, _l.c.id == _p.c.location_id)
    .join(t.journey, t.journey.c.id == _e.c.journey_id)
    .where(IS_LIVE, _e.c.waits_for == "time", among(_e.c.journey_version_id, "versions"), among(_e.c.step, "steps"))
    .order_by(_e.c.wake_at, _e.c.id)
)


def tasks(connection: Connection, memory: Memory) -> Sequence[TaskLine]:
    """Every task that waits."""
    steps = Steps(Versions(connection, memory))
    notes = {
        (version, step.id): step.note
        for version in connection.execute(_VERSIONS).scalars()
        for step in steps.journey(version).steps.values()
        if isinstance(step, TaskStep)
    }
    if not notes:
        return []
    given = {"versions": sorted({version for version, _ in notes}), "steps": sorted({step for _, step in notes})}
    return [
        TaskLine(
            enrollment_id=EnrollmentId(row.id),
            person_id=PersonId(row.person_id),
            name=f"{row.first_name} {row.last_name}".strip(),
            location=row.location,
            zone=row.zone,
            journey=row.journey,
            step=row.step,
            note=notes[row.journey_version_id, row.step],
            since=row.step_entered_at,
            until=row.wake_at,
            paused=row.state == "paused",
        )
        for row in connection.execute(_STANDING, given)
        if (row.journey_version_id, row.step) in notes
    ]
