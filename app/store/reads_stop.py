"""The four facts of a person's last stop: it came in, the state changed, what was cancelled, what had gone out.

Nothing is guessed: a message that was with the provider when the stop came counts by the provider's own answer, and as
long as there is none it is `unknown`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam
from sqlalchemy.engine import Connection

from app.domain.events import FACT_OF, EventKind
from app.domain.ids import EnrollmentId
from app.domain.lines import InboxEventLine, MessageLine
from app.domain.person_lines import StopFacts
from app.domain.states import MessageState
from app.store import tables as t
from app.store.columns import among
from app.store.reads_sent import REACHED, message_line, message_rows

MOST_ACCEPTED: Final = 20

_m: Final = t.message.c
_ENDED: Final = sa.select(t.enrollment.c.id, t.enrollment.c.ended_at).where(
    t.enrollment.c.ended_by_event_id == bindparam("event"), t.enrollment.c.person_id == bindparam("person")
)
_newest_first: Final = message_rows().order_by(REACHED.desc(), _m.id.desc())
_STOPPED: Final = _newest_first.where(_m.stop_event_id == bindparam("event"), _m.person_id == bindparam("person"))
_ACCEPTED: Final = (
    message_rows()
    .order_by(_m.accepted_at.desc(), _m.id.desc())
    .where(_m.person_id == bindparam("person"), _m.accepted_at.is_not(None))
)


def stop_facts(connection: Connection, events: Sequence[InboxEventLine]) -> StopFacts | None:
    """The facts of the newest event that stops anything, or None. events: of one person, newest first.

    accepted_before: the newest, at most 20, of the follow-ups that it ended; when it ended none, of all.
    accepted_after: accepted after the stop came in, although it ended the follow-up or asked the message to stop;
    `accepted_at` beside `changed_at` tells whether we knew of the stop by then.
    """
    stop = next((event for event in events if EventKind(event.kind) in FACT_OF), None)
    if stop is None or stop.person_id is None:
        return None
    given: dict[str, Any] = {"event": stop.id, "person": stop.person_id}
    ended = connection.execute(_ENDED, given).all()
    stopped = [message_line(row) for row in connection.execute(_STOPPED, given)]
    accepted = _accepted(connection, given, [EnrollmentId(row.id) for row in ended])
    came_in = min(stop.happened_at, stop.received_at)  # one dated in the future was here when it was read
    before = [line for line in accepted if line.accepted_at is not None and line.accepted_at <= came_in]
    after = accepted if ended else [line for line in stopped if line.accepted_at is not None]
    return StopFacts(
        kind=stop.kind,
        end=FACT_OF[EventKind(stop.kind)],
        channel=stop.channel,
        actor=stop.actor,
        came_in_at=stop.happened_at,
        read_at=stop.received_at,
        changed_at=min((row.ended_at for row in ended), default=stop.applied_at),
        cancelled=tuple(line for line in stopped if line.state is MessageState.CANCELLED),
        accepted_before=tuple(before[:MOST_ACCEPTED]),
        accepted_after=tuple(line for line in after if line.accepted_at is not None and line.accepted_at > came_in),
        unknown=tuple(line for line in stopped if line.state is MessageState.SENDING),
    )


def _accepted(connection: Connection, given: dict[str, Any], ended: Sequence[EnrollmentId]) -> list[MessageLine]:
    found = _ACCEPTED
    if ended:
        found, given = found.where(among(_m.enrollment_id, "ids")), given | {"ids": ended}
    return [message_line(row) for row in connection.execute(found, given)]
