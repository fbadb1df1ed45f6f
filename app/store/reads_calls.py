"""The call list: what waits for the front desk, as far as every guard lets it be made at this moment.

The engine holds such a call and asks now and then; here the guards are asked of live rows, so that whatever closes the
list for somebody (a stop, an opt-out, the hours) does so at once.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from app.domain.call_lines import CallLine, CallWay
from app.domain.call_outcome import CallOutcome, known_outcome, tries_made
from app.domain.fill import fill
from app.domain.guards import GUARDS, ask
from app.domain.ids import EnrollmentId, LocationId, MessageId
from app.domain.journey import CallStep, OnBadAddress
from app.domain.legal_hours import valid_until
from app.domain.legal_hours_rules import NoRules
from app.domain.legal_hours_zones import candidates
from app.domain.reasons import Why
from app.domain.snapshot import Snapshot
from app.domain.states import Channel
from app.store import tables as t
from app.store.columns import among
from app.store.door import literal
from app.store.memory import Memory
from app.store.reads_steps import step_line
from app.store.snapshots import SnapshotDoor

AT_ONCE: Final = 500
_m, _p = t.message, t.person
# a state a SELECT: each has its partial index, which neither database uses for several at once
_WAITING: Final = sa.union_all(
    *(
        sa.select(_m.c.id).where(_m.c.state == literal(state), _m.c.hold_why == literal(Why.CALL_LIST.value))
        for state in ("queued", "leased")
    )
).subquery("waiting")
_LISTED: Final = (
    sa.select(_m.c.id)
    .join(_WAITING, _WAITING.c.id == _m.c.id)
    .join(_p, _p.c.id == _m.c.person_id)
    .where(_p.c.erased_at.is_(None))
    .order_by(_m.c.due_at, _m.c.id)
)
_SAID: Final = (
    sa.select(*(_m.c[name] for name in ("enrollment_id", "step", "channel", "reason_code", "final_at", "accepted_at")))
    .where(among(_m.c.enrollment_id, "ids"), _m.c.accepted_at.is_not(None))
    .order_by(_m.c.id)
)


def call_list(
    connection: Connection, memory: Memory, location_id: LocationId | None, now: datetime
) -> Sequence[CallLine]:
    """The calls that can be made at `now`, those that leave the list first on top, then by when they were due."""
    ready = _ready(connection, memory, location_id, now)
    said: defaultdict[EnrollmentId, list[Any]] = defaultdict(list)
    ids = [seen.enrollment.id for seen in ready.values() if seen.enrollment is not None]
    for row in connection.execute(_SAID, {"ids": ids}) if ids else ():
        said[EnrollmentId(row.enrollment_id)].append(row)
    lines = [line for key, seen in ready.items() if (line := _line(key, seen, said)) is not None]
    return sorted(lines, key=lambda line: (line.until is None, line.until or line.due_at, line.due_at, line.message_id))


def count_calls(connection: Connection, memory: Memory, location_id: LocationId | None, now: datetime) -> int:
    """How many `call_list` has."""
    return len(_ready(connection, memory, location_id, now))


def _ready(
    connection: Connection, memory: Memory, location_id: LocationId | None, now: datetime
) -> Mapping[MessageId, Snapshot]:
    listed = _LISTED if location_id is None else _LISTED.where(_p.c.location_id == location_id)
    ids = [MessageId(row.id) for row in connection.execute(listed)]
    ready: dict[MessageId, Snapshot] = {}
    for start in range(0, len(ids), AT_ONCE):
        snapshots = SnapshotDoor(connection, memory).of_messages(ids[start : start + AT_ONCE], now)
        ready |= {key: seen for key, seen in snapshots.items() if ask(seen, GUARDS).passed}
    return ready


def _line(message_id: MessageId, seen: Snapshot, said: Mapping[EnrollmentId, Sequence[Any]]) -> CallLine | None:
    """None where the words can't be filled in any more: the engine holds it for that, and staff see why."""
    step, enrollment, message = seen.step, seen.enrollment, seen.message
    if not isinstance(step, CallStep) or enrollment is None or message is None or seen.journey is None:
        return None
    words = fill(seen, message, ask(seen, ()))[1]
    if words is None:
        return None
    number = tries_made(seen.said, step.id, message.pass_no)
    journey, rows = seen.journey.journey, said.get(enrollment.id, ())
    before = [(row.final_at, known_outcome(row.reason_code)) for row in rows if row.step == step.id]
    return CallLine(
        message_id=message_id,
        enrollment_id=enrollment.id,
        person_id=seen.person.id,
        name=seen.person.name,
        location=seen.location.name,
        zone=seen.location.hours.zone,
        there=_there(seen),
        phone=words.to,
        journey=seen.journey.name,
        step=step_line(journey, step.id),
        number=number,
        tries=step.tries,
        due_at=message.due_at,
        until=valid_until(seen),
        script=words.body,
        way=CallWay(
            replied=journey.ends.replied,
            next=step_line(journey, step.next),
            every=step.every if number < step.tries else None,
            goes_on=step.on_bad_address is OnBadAddress.SKIP,
        ),
        before=tuple(_told(before, number - 1)),
        source=seen.person.source,
        entered_at=enrollment.entered_at,
        sent=Counter(Channel(row.channel) for row in rows),
    )


def _told(
    before: Sequence[tuple[datetime | None, CallOutcome | None]], most: int
) -> list[tuple[datetime, CallOutcome]]:
    """The last `most` tries of this visit to the step."""
    over = [(at, outcome) for at, outcome in before if at is not None and outcome is not None]
    return over[len(over) - most :] if most > 0 else []


def _there(seen: Snapshot) -> str:
    """The one zone that the person can be in; of several, that of their location, in which all times are told."""
    if isinstance(seen.rules, NoRules):
        return seen.location.hours.zone
    zones = candidates(seen.rules, seen.person.phone, seen.person.custom, seen.practice.country).zones
    return zones[0] if len(zones) == 1 else seen.location.hours.zone
