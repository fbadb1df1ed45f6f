"""What happened to a person, newest first: the log, messages and inbox events in one list, nothing twice.

A message stands once, with the state that it has, so the log's lines about messages and attempts are left out; an inbox
event stands once, so its line in the log is left out; what waits to go out is not history and stands under `next`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam
from sqlalchemy.engine import Connection, Row

from app.domain.ids import MessageId
from app.domain.lines import InboxEventLine
from app.domain.person_lines import TimelineLine
from app.domain.states import Channel, MessageState
from app.store import tables as t
from app.store.reads_sent import REACHED, message_line, message_rows

MOST: Final = 200
ADDED: Final = "person.added"

_l: Final = t.log_entry.c
_LOGGED: Final = (
    sa.select(
        *(_l[name] for name in ("at", "event", "actor", "facts")),
        t.journey.c.name.label("journey"),
        t.journey_version.c.number.label("version"),
    )
    .select_from(
        t.log_entry.outerjoin(t.enrollment, t.enrollment.c.id == _l.enrollment_id)
        .outerjoin(t.journey_version, t.journey_version.c.id == t.enrollment.c.journey_version_id)
        .outerjoin(t.journey, t.journey.c.id == sa.func.coalesce(_l.journey_id, t.enrollment.c.journey_id))
    )
    .where(
        _l.person_id == bindparam("person"),
        *(sa.not_(_l.event.like(f"{told_elsewhere}.%")) for told_elsewhere in ("message", "attempt", "event")),
    )
    .order_by(_l.id.desc())
    .limit(MOST)
)
_MESSAGES: Final = (
    message_rows()
    .where(
        t.message.c.person_id == bindparam("person"),
        sa.or_(
            t.message.c.state.not_in([MessageState.QUEUED.value, MessageState.LEASED.value]),
            t.message.c.enrollment_id.is_(None),
        ),
    )
    .order_by(REACHED.desc(), t.message.c.id.desc())
    .limit(MOST)
)


def timeline(connection: Connection, person: Row[Any], events: Sequence[InboxEventLine]) -> tuple[TimelineLine, ...]:
    """The newest 200 lines. person: the row; events: theirs, newest first.

    event: the log's name of it, `message.` or `event.` with the state or kind, or `person.added`.
    """
    given = {"person": person.id}
    lines = [_message(row) for row in connection.execute(_MESSAGES, given)]
    lines += [_logged(row) for row in connection.execute(_LOGGED, given)]
    lines += [_event(line) for line in events[:MOST]]
    lines += _added(person, lines)
    # at one instant the cause stands below what came of it; the sort keeps that order
    return tuple(sorted(lines, key=lambda line: line.at, reverse=True)[:MOST])


def _message(row: Row[Any]) -> TimelineLine:
    line = message_line(row)
    facts: dict[str, object] = {"step": line.step, "possible_duplicate": line.possible_duplicate}
    if line.cancel_reason is not None:
        facts["why"] = line.cancel_reason.value
    return TimelineLine(
        at=line.at,
        event=f"message.{line.state.value}",
        actor=row.created_by,
        journey=line.journey,
        version=line.version,
        channel=line.channel,
        template=line.template or None,
        message_id=MessageId(line.id),
        message_state=line.state,
        text=line.subject,
        facts=facts,
    )


def _logged(row: Any) -> TimelineLine:
    channel = row.facts.get("channel")
    return TimelineLine(
        at=row.at,
        event=row.event,
        actor=row.actor,
        journey=row.journey,
        version=row.version,
        channel=Channel(channel) if channel in set(Channel) else None,
        template=None,
        message_id=None,
        message_state=None,
        text="",
        facts=row.facts,
    )


def _event(line: InboxEventLine) -> TimelineLine:
    return TimelineLine(
        at=line.happened_at,
        event=f"event.{line.kind}",
        actor=line.actor,
        journey=None,
        version=None,
        channel=line.channel,
        template=None,
        message_id=None,
        message_state=None,
        text=line.text or line.note,
        facts={"source": line.source, "read_at": line.received_at.isoformat()},
    )


def _added(person: Row[Any], lines: Sequence[TimelineLine]) -> Iterator[TimelineLine]:
    """The row itself tells when somebody came, unless the log does."""
    if not any(line.event == ADDED for line in lines):
        facts = {"source": person.source, "import": person.import_id}
        yield TimelineLine(person.created_at, ADDED, "", None, None, None, None, None, None, "", facts)
