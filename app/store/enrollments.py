"""The engine's one door to enrollments: claim, lock, and write a new picture where the old one still stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam

from app.domain.ids import EnrollmentId, JourneyId, PersonId
from app.domain.reasons import Why
from app.domain.states import LIVE, EnrollmentState, may_become
from app.engine.ports import EnrollmentMove, EnrollmentRow
from app.store.columns import ID, UtcDateTime, among
from app.store.door import Door, given_why, literal
from app.store.laps import write_laps
from app.store.many import Many
from app.store.rows import ENROLLMENT_COLUMNS, enrollment_seen
from app.store.tables import enrollment as e
from app.store.tables import message as m
from app.store.waking import count_waits_again
from app.store.whose_turn import wake_next

_ACTIVE: Final = literal("active")
_PAUSED: Final = literal("paused")
_NOW = bindparam("now", type_=UtcDateTime())

_DUE = (
    sa.select(e.c.id, e.c.wake_at.label("at"))
    .where(e.c.state == _ACTIVE, e.c.wake_at <= _NOW)
    .order_by(e.c.wake_at)
    .limit(bindparam("most", type_=sa.Integer()))
    .with_for_update(skip_locked=True, key_share=True)
)
_RESUMING = (
    sa.select(e.c.id, e.c.paused_until.label("at"))
    .where(e.c.state == _PAUSED, e.c.paused_until.is_not(None), e.c.paused_until <= _NOW)
    .order_by(e.c.paused_until)
    .limit(bindparam("most", type_=sa.Integer()))
    .with_for_update(skip_locked=True, key_share=True)
)
_LIVE_OF = (
    sa.select(e.c.id)
    .where(e.c.person_id == bindparam("person"), e.c.state.in_([_ACTIVE, _PAUSED]))
    .order_by(e.c.id)
    .with_for_update(key_share=True)
)
_LOCK = sa.select(e.c.id).where(among(e.c.id, "ids")).order_by(e.c.id).with_for_update(key_share=True)
_SEEN = (
    sa.select(e.c.id, e.c.version, e.c.state, e.c.paused_by)
    .where(among(e.c.id, "ids"))
    .order_by(e.c.id)
    .with_for_update(key_share=True)
)
_ROWS = sa.select(*ENROLLMENT_COLUMNS, e.c.person_id, e.c.journey_id).where(among(e.c.id, "ids"))
_WRITTEN = (
    *("state", "step", "pass_no", "waits_for", "step_entered_at", "wake_at"),
    *("hold_why", "hold_until", "hold_facts", "paused_until", "paused_by"),
    *("ended_at", "end_detail", "ended_by_guard", "ended_by_event_id"),
)
_MOVE: Final = Many(
    {"move_id": ID, "seen_version": sa.Integer()} | {f"to_{name}": e.c[name].type for name in _WRITTEN},
    lambda value: (
        sa.update(e)
        .where(e.c.id == value("move_id"), e.c.version == value("seen_version"))
        .values({name: value(f"to_{name}") for name in _WRITTEN} | {"version": e.c.version + 1})
    ),
)
_on_its_way = sa.exists().where(
    m.c.enrollment_id == e.c.id,
    m.c.step == e.c.step,
    m.c.pass_no == e.c.pass_no,
    sa.or_(
        m.c.state.in_([literal("queued"), literal("leased"), literal("sending")]),
        sa.and_(m.c.state == literal("accepted"), m.c.channel == literal("call")),
    ),
)
_stranded = (
    sa.select(e.c.id)
    .where(e.c.state == _ACTIVE, e.c.wake_at.is_(None), ~_on_its_way)
    .with_for_update(skip_locked=True, key_share=True)
    .cte("stranded")
)
_WAKE_STRANDED = (
    sa.update(e)
    .where(e.c.id.in_(sa.select(_stranded.c.id)))
    .values(wake_at=_NOW, version=e.c.version + 1)
    .returning(e.c.id, e.c.person_id)
)
_NUDGE = (
    sa.update(e)
    .where(
        e.c.person_id == bindparam("person"),
        e.c.state == _ACTIVE,
        among(e.c.hold_why, "why"),
        e.c.wake_at > _NOW,
    )
    .values(wake_at=_NOW, version=e.c.version + 1)
)


_ENTER = (
    sa.update(e)
    .where(e.c.state == _ACTIVE, e.c.waits_for == literal("nothing"), e.c.hold_why.is_(None))
    .where(e.c.step_entered_at == e.c.entered_at, e.c.wake_at == e.c.entered_at, e.c.entered_at != _NOW)
    .values(entered_at=_NOW, step_entered_at=_NOW, wake_at=_NOW, version=e.c.version + 1)
)


class EnrollmentDoor(Door):
    """Implements ports.Enrollments."""

    def claim_due(self, now: datetime, limit: int) -> Sequence[EnrollmentId]:
        """Active with wake_at <= now, or paused with paused_until <= now; oldest first, row-locked (SKIP LOCKED)."""
        due = self._rows(_DUE, now=now, most=limit) + self._rows(_RESUMING, now=now, most=limit)
        due.sort(key=lambda row: (row.at, row.id))
        return [EnrollmentId(row.id) for row in due[:limit]]

    def enter_at(self, now: datetime) -> int:
        """Follow-ups that were never walked, but are to be at once, enter at `now`; how many."""
        return self._connection.execute(_ENTER, {"now": now}).rowcount

    def live_of(self, person_id: PersonId) -> Sequence[EnrollmentId]:
        """The person's active and paused enrollments, locked, by id."""
        return [EnrollmentId(row.id) for row in self._rows(_LIVE_OF, person=person_id)]

    def lock(self, ids: Collection[EnrollmentId]) -> None:
        """Lock rows in id order. SQLite: nothing, BEGIN IMMEDIATE has the whole file."""
        if not self._is_sqlite:
            self._rows(_LOCK, ids=ids)

    def rows(self, ids: Collection[EnrollmentId]) -> Mapping[EnrollmentId, EnrollmentRow]:
        """The bare rows, for where a snapshot is not needed, or can't be made."""
        return {
            EnrollmentId(row.id): EnrollmentRow(
                enrollment_seen(row), PersonId(row.person_id), JourneyId(row.journey_id)
            )
            for row in (self._rows(_ROWS, ids=ids) if ids else ())
        }

    def move(self, moves: Sequence[EnrollmentMove]) -> frozenset[EnrollmentId]:
        """Write the moves whose version still stands (I9); the ids that were written.

        Whoever waits for the turn of one that ends here is woken. Raises ValueError for a way that ENROLLMENT_EXITS
        does not know (I3).
        """
        if not moves:
            return frozenset()
        seen = {row.id: row for row in self._rows(_SEEN, ids=[move.id for move in moves])}
        standing = [move for move in moves if move.id in seen and seen[move.id].version == move.seen_version]
        for move in standing:
            _check_way(EnrollmentState(seen[move.id].state), move)
        if standing:
            rows = [_values(move, seen[move.id].paused_by) for move in standing]
            if _MOVE.run(self._connection, rows) != len(standing):
                raise RuntimeError("an enrollment was moved twice in one go, or changed under its lock")
            write_laps(self._connection, standing)
        for (now, turn_at), ended in _ended(standing).items():
            wake_next(self._connection, ended, now, turn_at)
        return frozenset(move.id for move in standing)

    def wake_stranded(self, now: datetime) -> Sequence[tuple[EnrollmentId, PersonId]]:
        """Make due at `now` whatever waits for a message that is over, or for none; which ones, and whose."""
        return [(EnrollmentId(row.id), PersonId(row.person_id)) for row in self._rows(_WAKE_STRANDED, now=now)]

    def ask_waits(self, people: Sequence[PersonId], now: datetime) -> None:
        """Whatever of theirs waits is asked again at `now`: something has happened. They must be locked to write."""
        count_waits_again(self._connection, people, now)

    def nudge(self, person_id: PersonId, why: Collection[Why], now: datetime) -> int:
        """Wake this person's active enrollments that are held for one of `why`, at `now`; how many."""
        given = {"person": person_id, "why": [each.value for each in why], "now": now}
        return self._connection.execute(_NUDGE, given).rowcount


def _ended(moves: Sequence[EnrollmentMove]) -> Mapping[tuple[datetime, datetime], Sequence[EnrollmentId]]:
    """Those that end, by when they do and since when it is the turn of whoever waits for them."""
    found: defaultdict[tuple[datetime, datetime], list[EnrollmentId]] = defaultdict(list)
    for move in moves:
        if move.ended_at is not None:
            found[move.ended_at, move.turn_at or move.ended_at].append(move.id)
    return found


def _check_way(seen: EnrollmentState, move: EnrollmentMove) -> None:
    stays = seen is move.state and seen in LIVE
    if not stays and not may_become(seen, move.state):
        raise ValueError(f"I3: an enrollment can't go from {seen.value} to {move.state.value}")


def _values(move: EnrollmentMove, paused_by: str) -> dict[str, Any]:
    if move.hold_why is Why.PAUSED_BY_STAFF:
        paused_by = move.hold_facts.get("by", "")
    return {
        "move_id": move.id,
        "seen_version": move.seen_version,
        "to_state": move.state.value,
        "to_step": move.step,
        "to_pass_no": move.pass_no,
        "to_waits_for": move.waits_for.value,
        "to_step_entered_at": move.step_entered_at,
        "to_wake_at": move.wake_at,
        "to_hold_why": given_why(move.hold_why),
        "to_hold_until": move.hold_until,
        "to_hold_facts": dict(move.hold_facts) or None,
        "to_paused_until": move.paused_until,
        "to_paused_by": paused_by if move.state is EnrollmentState.PAUSED else "",
        "to_ended_at": move.ended_at,
        "to_end_detail": given_why(move.end_detail),
        "to_ended_by_guard": move.ended_by_guard,
        "to_ended_by_event_id": move.ended_by_event,
    }
