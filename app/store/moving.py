"""Moving follow-ups to another version of their journey: who is inside, and many of them written in one statement."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam

from app.domain.ids import EnrollmentId, JourneyId, JourneyVersionId, PersonId, StepId
from app.domain.journey import Journey
from app.domain.moving import Insider
from app.domain.states import EnrollmentState, WaitsFor
from app.engine.moving_ports import VersionMove
from app.store.columns import ID, among
from app.store.door import Door, known_why, literal
from app.store.many import Many
from app.store.tables import enrollment as e
from app.store.tables import journey_version as v
from app.store.tables import location as l
from app.store.tables import message as m
from app.store.tables import person as p
from app.store.versions import Versions

_IS_LIVE: Final = e.c.state.in_([literal("active"), literal("paused")])
_INSIDE: Final = (_IS_LIVE, e.c.journey_id == bindparam("journey"))

_LOCK_PEOPLE: Final = (
    sa.select(p.c.id)
    .where(p.c.id.in_(sa.select(e.c.person_id).where(*_INSIDE)))
    .order_by(p.c.id)
    .with_for_update(key_share=True)
)
_LOCK_FOLLOW_UPS: Final = sa.select(e.c.id).where(*_INSIDE).order_by(e.c.id).with_for_update(key_share=True)

_here = sa.and_(m.c.enrollment_id == e.c.id, m.c.step == e.c.step, m.c.pass_no == e.c.pass_no)
_said: Final = sa.select(sa.func.count()).where(m.c.enrollment_id == e.c.id).scalar_subquery()
_said_here: Final = (
    sa.select(sa.func.count()).where(m.c.enrollment_id == e.c.id, m.c.step == e.c.step).scalar_subquery()
)
_free: Final = sa.and_(_here, m.c.state == literal("queued"), m.c.hold_why.is_(None))
_INSIDERS: Final = (
    sa.select(
        *(e.c[name] for name in ("id", "version", "person_id", "journey_version_id", "state", "step", "waits_for")),
        *(e.c[name] for name in ("entered_at", "step_entered_at", "wake_at", "hold_why")),
        p.c.first_name,
        p.c.last_name,
        l.c.zone,
        v.c.number,
        _said.label("said"),
        _said_here.label("said_here"),
        sa.select(m.c.try_at).where(_free).scalar_subquery().label("message_at"),
    )
    .join(p, p.c.id == e.c.person_id)
    .join(l, l.c.id == p.c.location_id)
    .join(v, v.c.id == e.c.journey_version_id)
    .where(*_INSIDE, e.c.journey_version_id != bindparam("but"))
    .order_by(e.c.id)
)
# who entered after everybody inside was locked may be in somebody's hand, and is left to them: no lock out of order
_SEEN: Final = (
    sa.select(e.c.id, e.c.version)
    .where(among(e.c.id, "ids"), _IS_LIVE)
    .order_by(e.c.id)
    .with_for_update(skip_locked=True, key_share=True)
)
_WRITTEN: Final = ("journey_version_id", "send_budget", "waits_for", "wake_at")
_MOVE: Final = Many(
    {"move_id": ID, "seen_version": sa.Integer()} | {f"to_{name}": e.c[name].type for name in _WRITTEN},
    lambda value: (
        sa.update(e)
        .where(e.c.id == value("move_id"), e.c.version == value("seen_version"))
        .values({name: value(f"to_{name}") for name in _WRITTEN} | {"version": e.c.version + 1})
    ),
)
_NONE: Final = 0  # no version has this id


class MovingDoor(Door):
    """Implements moving_ports.Moving."""

    def lock_inside(self, journey_id: JourneyId) -> None:
        """Lock everybody who is inside, people first (ADR 0013). SQLite: nothing, BEGIN has the file."""
        if not self._is_sqlite:
            self._rows(_LOCK_PEOPLE, journey=journey_id)
            self._rows(_LOCK_FOLLOW_UPS, journey=journey_id)

    def inside(self, journey_id: JourneyId, but: JourneyVersionId | None) -> Sequence[Insider]:
        """Every live follow-up of the journey on any version but `but`, by id."""
        return [_insider(row) for row in self._rows(_INSIDERS, journey=journey_id, but=_NONE if but is None else but)]

    def journeys(self, ids: Collection[JourneyVersionId]) -> Mapping[JourneyVersionId, Journey]:
        """The documents of these versions, read. Raises DocumentError for one that this Stopwell can't read."""
        kept = Versions(self._connection, self._memory).take(ids)
        return {version_id: version.journey for version_id, version in kept.items()}

    def move(self, moves: Sequence[VersionMove]) -> frozenset[EnrollmentId]:
        """Write the moves whose version still stands (I9); the ids that were written."""
        if not moves:
            return frozenset()
        seen = {row.id: row.version for row in self._rows(_SEEN, ids=[move.id for move in moves])}
        standing = [move for move in moves if seen.get(move.id) == move.seen_version]
        if _MOVE.run(self._connection, [_values(move) for move in standing]) != len(standing):
            raise RuntimeError("a follow-up changed under the lock of whoever moves it to another version")
        return frozenset(move.id for move in standing)


def _insider(row: Any) -> Insider:
    return Insider(
        id=EnrollmentId(row.id),
        row_version=row.version,
        person_id=PersonId(row.person_id),
        name=f"{row.first_name} {row.last_name}".strip(),
        zone=row.zone,
        version_id=JourneyVersionId(row.journey_version_id),
        number=row.number,
        state=EnrollmentState(row.state),
        step=StepId(row.step),
        waits_for=WaitsFor(row.waits_for),
        entered_at=row.entered_at,
        step_entered_at=row.step_entered_at,
        wake_at=row.wake_at,
        hold_why=known_why(row.hold_why),
        said=row.said,
        said_here=row.said_here,
        message_at=row.message_at,
    )


def _values(move: VersionMove) -> dict[str, Any]:
    return {
        "move_id": move.id,
        "seen_version": move.seen_version,
        "to_journey_version_id": move.journey_version_id,
        "to_send_budget": move.send_budget,
        "to_waits_for": move.waits_for.value,
        "to_wake_at": move.wake_at,
    }
