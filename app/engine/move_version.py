"""Move those who are inside a journey to its new version, in the transaction that publishes it (DESIGN section 7).

A message that is queued, leased or on its way keeps the words it was planned with: they were linted with its version,
and somebody may be reading them in the list of what goes out next. What comes after it is the new version's (ADR 0020).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from app.domain.errors import OperatorError, StoreError
from app.domain.ids import EnrollmentId, JourneyId, JourneyVersionId
from app.domain.journey import Journey
from app.domain.moving import Insider, MovePlan, Mover, Target, plan_move, with_changed_wait
from app.domain.snapshot import Snapshot
from app.engine.moving_ports import MovingUow, VersionMove
from app.engine.ports import LogLine
from app.engine.walk_waits import Waiting, over_at

AT_ONCE = 500  # snapshots in one go: a hundred thousand people are never in memory at once


@dataclass(frozen=True, slots=True)
class Insiders:
    """Who is inside on which versions, as a plan is made from it."""

    people: Sequence[Insider]
    old: Mapping[JourneyVersionId, Journey]


@dataclass(frozen=True, slots=True)
class Made:
    """The version that people move to."""

    journey_id: JourneyId
    version_id: JourneyVersionId
    number: int


def who_is_inside(uow: MovingUow, journey_id: JourneyId, but: JourneyVersionId | None) -> Insiders:
    """Everybody who is inside on a version other than `but`. Call `lock_inside` first when they are to be moved."""
    people = uow.moving.inside(journey_id, but)
    return Insiders(people, uow.moving.journeys({each.version_id for each in people}))


def plan(uow: MovingUow, inside: Insiders, target: Target, now: datetime) -> MovePlan:
    """Who moves to `target`, how, and who can't. Writes nothing."""
    waits = with_changed_wait(inside.people, inside.old, target.journey)
    due: dict[EnrollmentId, datetime | None] = {}
    ids = iter(waits)
    while batch := list(islice(ids, AT_ONCE)):
        snapshots = _snapshots(uow, batch, now)
        due |= {each: _due(snapshots.get(each), waits[each]) for each in batch}
    return plan_move(inside.people, inside.old, target, due, now)


def move(uow: MovingUow, planned: Sequence[Mover], to: Made, by: str, now: datetime) -> int:
    """Write the plan and a line of the log for each; how many were moved. The people must be locked to write."""
    wanted = [
        VersionMove(each.seen.id, each.seen.row_version, to.version_id, each.send_budget, each.waits_for, each.wake_at)
        for each in planned
    ]
    written = uow.moving.move(wanted)
    uow.log.add([_line(each, to, by, now) for each in planned if each.seen.id in written])
    return len(written)


def _snapshots(uow: MovingUow, ids: Collection[EnrollmentId], now: datetime) -> Mapping[EnrollmentId, Snapshot]:
    """Live rows; whose rows make no sense here is left out, and met by the tick, which tells staff."""
    try:
        return uow.snapshots.of_enrollments(ids, now)
    except StoreError:
        raise
    except (OperatorError, ValueError, LookupError):
        if len(ids) == 1:
            return {}
    found: dict[EnrollmentId, Snapshot] = {}
    for each in ids:
        found.update(_snapshots(uow, [each], now))
    return found


def _due(seen: Snapshot | None, step: Waiting) -> datetime | None:
    """When the new wait is over, counted from when they entered it; None when that can't be told."""
    if seen is None or seen.enrollment is None:
        return None
    try:
        return over_at(seen, step)
    except OperatorError:
        return None


def _line(each: Mover, to: Made, by: str, now: datetime) -> LogLine:
    facts: dict[str, str | int] = {"from": each.seen.number, "to": to.number, "step": each.seen.step}
    if each.recounted and each.wake_at is not None:
        facts["until"] = each.wake_at.isoformat()
    return LogLine(
        now,
        "follow_up.moved",
        by,
        person_id=each.seen.person_id,
        enrollment_id=each.seen.id,
        journey_id=to.journey_id,
        facts=dict(facts),
    )
