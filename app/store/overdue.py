"""What is overdue: the messages that staff decide about with their follow-ups, and the list of it all."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from app.domain.ids import EnrollmentId, MessageId, PersonId
from app.domain.lateness import overdue_since
from app.domain.lines import OverdueLine
from app.domain.reasons import Why
from app.domain.states import Channel
from app.engine.overdue_ports import OverdueMessage
from app.store import tables as t
from app.store.columns import among
from app.store.door import Door, literal
from app.store.reads_people import person_name
from app.store.reads_steps import Steps

_OVERDUE: Final = literal(Why.OVERDUE.value)
_e, _m, _p = t.enrollment, t.message, t.person
_IN_THE_OUTBOX: Final = (_m.c.state.in_([literal("queued"), literal("leased")]), _m.c.hold_why == _OVERDUE)
# locked: a worker that leases one just now waits its turn, so that a decision about hundreds never fails for one
_MESSAGES: Final = (
    sa.select(*(_m.c[name] for name in ("id", "version", "enrollment_id", "attempts", "possible_duplicate")))
    .where(among(_m.c.enrollment_id, "ids"), *_IN_THE_OUTBOX)
    .order_by(_m.c.id)
    .with_for_update(key_share=True)
)
_ALL_MESSAGES: Final = sa.select(_m.c.enrollment_id, _m.c.hold_facts).where(
    _m.c.enrollment_id.is_not(None), *_IN_THE_OUTBOX
)
_ALL_HELD: Final = sa.select(_e.c.id, _e.c.hold_facts).where(_e.c.hold_why == _OVERDUE, _e.c.state == literal("active"))
_LINES: Final = (
    sa.select(
        *(_e.c[name] for name in ("id", "person_id", "journey_version_id", "step")),
        *(_p.c[name] for name in ("first_name", "last_name")),
        t.location.c.name.label("location"),
        t.location.c.zone,
        t.journey.c.name.label("journey"),
    )
    .join(_p, _p.c.id == _e.c.person_id)
    .join(t.location, t.location.c.id == _p.c.location_id)
    .join(t.journey, t.journey.c.id == _e.c.journey_id)
    .where(among(_e.c.id, "ids"), _e.c.state == literal("active"))
)


class OverdueDoor(Door):
    """Implements overdue_ports.OverdueRows."""

    def messages(self, ids: Collection[EnrollmentId]) -> Sequence[OverdueMessage]:
        """The messages of these follow-ups that are in the outbox and held as overdue, locked in id order."""
        return [
            OverdueMessage(
                MessageId(row.id), row.version, EnrollmentId(row.enrollment_id), row.attempts, row.possible_duplicate
            )
            for row in self._rows(_MESSAGES, ids=ids)
        ]


def overdue(connection: Connection, steps: Steps, now: datetime) -> Sequence[OverdueLine]:
    """What waits for staff to decide, oldest first. now: what a clock that ran ahead made late is left out."""
    since = {row.enrollment_id: _since(row.hold_facts) for row in connection.execute(_ALL_MESSAGES)}
    since |= {row.id: _since(row.hold_facts) for row in connection.execute(_ALL_HELD)}
    known = {i: at for i, at in since.items() if at is not None and at <= now}
    rows = connection.execute(_LINES, {"ids": sorted(known)}) if known else ()
    lines = [_line(row, steps, known[row.id]) for row in rows]
    return sorted(lines, key=lambda line: (line.since, line.enrollment_id))


def _since(facts: Mapping[str, str] | None) -> datetime | None:
    return overdue_since(facts or {})


def _line(row: Any, steps: Steps, since: datetime) -> OverdueLine:
    step = steps.line(row.journey_version_id, row.step)
    return OverdueLine(
        enrollment_id=EnrollmentId(row.id),
        person_id=PersonId(row.person_id),
        name=person_name(row.first_name, row.last_name),
        location=row.location,
        zone=row.zone,
        journey=row.journey,
        step=step,
        channel=Channel(step.kind) if step.kind in tuple(Channel) else None,
        since=since,
    )
