"""The open problems: one by its id, and those whose cause is gone as far as rows can tell. Behind LogDoor."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam
from sqlalchemy.engine import Connection, Row

from app.domain.ids import EnrollmentId, InboxEventId, MessageId, PersonId, ProblemId
from app.domain.reasons import Why
from app.domain.states import LIVE, UNDER_WAY, EnrollmentState
from app.engine.ports import OpenProblem, ProblemNote
from app.store import tables as t
from app.store.columns import UtcDateTime, among

# a follow-up that was put aside is tried again after an hour: before that nothing is known
PUT_ASIDE: Final = timedelta(hours=1)
# what holds a message until somebody mends it; by their words, some are put on the list by nobody yet
_HOLDS: Final = (
    *(Why.TROUBLE.value, Why.EMPTY_VALUE.value, Why.TEMPLATE_BROKEN.value, Why.NO_CONSENT.value),
    *(Why.NEVER_OPEN.value, "never_legal", "zone_unknown", "rules_unreadable", "shared_address"),
    Why.NO_UNSUBSCRIBE_GROUP.value,
)
_ABOUT_AN_EVENT: Final = (Why.UNMATCHED.value, "whose_reply")

_p: Final = t.problem.c
_m: Final = t.message.c
_e: Final = t.enrollment.c
_c: Final = t.consent.c
_later: Final = t.consent.alias("later")
_DOORS: Final = (
    t.problem.outerjoin(t.message, _m.id == _p.message_id)
    .outerjoin(t.enrollment, _e.id == _p.enrollment_id)
    .outerjoin(t.inbox_event, t.inbox_event.c.id == _p.inbox_event_id)
)
_OPEN: Final = sa.select(t.problem).select_from(_DOORS).where(_p.solved_at.is_(None)).order_by(_p.id)
_BY_ID: Final = _OPEN.where(among(_p.id, "ids")).with_for_update(of=t.problem)

# its message went out, or will never go
_MESSAGE_OVER: Final = sa.and_(
    _p.why.in_(_HOLDS), _m.id.is_not(None), _m.state.not_in(sorted(state.value for state in UNDER_WAY))
)
# its follow-up ended, or has gone on to a later step
_FOLLOW_UP_ON: Final = sa.and_(
    _p.why.in_(_HOLDS),
    _m.id.is_(None),
    sa.or_(
        _e.state.not_in(sorted(state.value for state in LIVE)),
        sa.and_(
            _e.state == EnrollmentState.ACTIVE.value,
            _e.hold_why.is_(None),
            _e.step_entered_at > _p.at,
            _p.at <= bindparam("put_aside", type_=UtcDateTime()),
        ),
    ),
)
_CONSENT_GIVEN: Final = sa.and_(
    _p.why == Why.NO_CONSENT.value,
    sa.exists(
        sa.select(_c.id).where(
            _c.person_id == _p.person_id,
            _c.channel == _m.channel,
            _c.purpose == "marketing",
            _c.act == "given",
            _c.recorded_at > _p.at,
            ~sa.exists(
                sa.select(_later.c.id).where(
                    _later.c.person_id == _c.person_id,
                    _later.c.channel == _c.channel,
                    _later.c.purpose == _c.purpose,
                    _later.c.act == "revoked",
                    sa.or_(_later.c.at > _c.at, sa.and_(_later.c.at == _c.at, _later.c.id > _c.id)),
                )
            ),
        )
    ),
)
_EVENT_SETTLED: Final = sa.and_(_p.why.in_(_ABOUT_AN_EVENT), t.inbox_event.c.state.in_(["applied", "set_aside"]))
_CLOCK_TRUSTED: Final = sa.and_(
    _p.why == Why.CLOCK_MOVED.value,
    ~sa.exists(sa.select(t.engine_state.c.id).where(t.engine_state.c.paused_why == Why.CLOCK_MOVED.value)),
)
_GONE: Final = _OPEN.where(
    sa.or_(_MESSAGE_OVER, _FOLLOW_UP_ON, _CONSENT_GIVEN, _EVENT_SETTLED, _CLOCK_TRUSTED)
).with_for_update(of=t.problem, skip_locked=True)


def open_problems(connection: Connection, ids: Collection[ProblemId]) -> Sequence[OpenProblem]:
    """Those of `ids` that are open, locked."""
    return [_problem(row) for row in connection.execute(_BY_ID, {"ids": ids}).all()]


def gone(connection: Connection, now: datetime) -> Sequence[OpenProblem]:
    """Open problems whose cause is gone, locked; those that another transaction has in hand are left to it.

    A message that failed stays on the list, and so does a channel that rests: the one needs a look, the other is taken
    off by whoever brings it back.
    """
    return [_problem(row) for row in connection.execute(_GONE, {"put_aside": now - PUT_ASIDE}).all()]


def _problem(row: Row[Any]) -> OpenProblem:
    note = ProblemNote(
        at=row.at,
        why=Why(row.why),
        person_id=None if row.person_id is None else PersonId(row.person_id),
        enrollment_id=None if row.enrollment_id is None else EnrollmentId(row.enrollment_id),
        message_id=None if row.message_id is None else MessageId(row.message_id),
        inbox_event_id=None if row.inbox_event_id is None else InboxEventId(row.inbox_event_id),
        facts=row.facts,
    )
    return OpenProblem(ProblemId(row.id), note)
