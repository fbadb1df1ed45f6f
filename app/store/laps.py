"""How often the repeats of a follow-up have jumped back: read where a journey has one, written with what counts it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from app.domain.ids import EnrollmentId, StepId
from app.domain.journey import Journey, RepeatStep
from app.engine.ports import EnrollmentMove
from app.store.columns import among
from app.store.tables import lap

_READ: Final = sa.select(lap.c.enrollment_id, lap.c.step, lap.c.jumps).where(among(lap.c.enrollment_id, "ids"))
_FORGET: Final = sa.delete(lap).where(among(lap.c.enrollment_id, "ids"))


def laps_of(
    connection: Connection, journeys: Mapping[EnrollmentId, Journey]
) -> Mapping[EnrollmentId, Mapping[StepId, int]]:
    """The counts of those whose journey has a repeat; those that count nothing are left out."""
    ids = [each for each, journey in journeys.items() if has_repeat(journey)]
    found: dict[EnrollmentId, dict[StepId, int]] = {}
    for row in connection.execute(_READ, {"ids": ids}) if ids else ():
        found.setdefault(EnrollmentId(row.enrollment_id), {})[StepId(row.step)] = row.jumps
    return found


def write_laps(connection: Connection, moves: Sequence[EnrollmentMove]) -> None:
    """Keep what the moves count anew, and nothing else of those follow-ups."""
    counted: Collection[EnrollmentMove] = [move for move in moves if move.laps is not None]
    if not counted:
        return
    connection.execute(_FORGET, {"ids": [move.id for move in counted]})
    rows = [
        {"enrollment_id": move.id, "step": step, "jumps": jumps}
        for move in counted
        for step, jumps in (move.laps or {}).items()
    ]
    if rows:
        connection.execute(sa.insert(lap), rows)


def has_repeat(journey: Journey) -> bool:
    """Whether any of its steps jumps back."""
    return any(isinstance(step, RepeatStep) for step in journey.steps.values())
