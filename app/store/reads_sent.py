"""The sent list: every message of the outbox, newest first by when it reached its state; and why it went out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import sqlalchemy as sa
from sqlalchemy import ColumnElement
from sqlalchemy.engine import Connection, Row

from app.domain.ids import AttemptId, EnrollmentId, InboxEventId, MessageId, PersonId
from app.domain.lines import (
    AttemptLine,
    HoldLine,
    InboxEventLine,
    MessageLine,
    SentCounts,
    SentFilter,
    SentQuery,
    TraceLine,
    WhyLines,
)
from app.domain.reasons import Why
from app.domain.states import AttemptAnswer, Channel, MessageState
from app.store import tables as t
from app.store.columns import among
from app.store.door import known_why, literal
from app.store.person_search import found_by, search_words
from app.store.reads_follow_ups import IS_LIVE, hold_of_message, ids_in_order
from app.store.reads_people import person_name

_m: Final = t.message.c
# the expression of ix_message_reached, word for word
REACHED: Final = sa.func.coalesce(_m.final_at, _m.accepted_at, _m.noted_at, _m.created_at)
IS_UNMATCHED: Final = t.inbox_event.c.state == literal("unmatched")
_NOT_SENT: Final = _m.state.in_([MessageState.CANCELLED.value, MessageState.FAILED.value])
_PROBLEMS: Final = sa.or_(
    _m.state.in_([MessageState.FAILED.value, MessageState.UNDELIVERED.value]), _m.possible_duplicate
)


def sent_ids(connection: Connection, query: SentQuery) -> Sequence[MessageId]:
    """Messages that `query` finds, newest first."""
    found = _asked(sa.select(_m.id), query)
    match query.only:
        case SentFilter.ALL:
            pass
        case SentFilter.NOT_SENT:
            found = found.where(_NOT_SENT)
        case SentFilter.PROBLEMS:
            found = found.where(_PROBLEMS)
    return cast(list[MessageId], ids_in_order(connection, found.order_by(REACHED.desc(), _m.id.desc())))


def sent_counts(connection: Connection, query: SentQuery) -> SentCounts:
    """How many each chip would show under the same search, location and person."""
    counts = (sa.func.sum(sa.case((condition, 1), else_=0)) for condition in (_NOT_SENT, _PROBLEMS))
    everything, not_sent, problems = connection.execute(_asked(sa.select(sa.func.count(_m.id), *counts), query)).one()
    return SentCounts(everything, not_sent or 0, problems or 0)


def sent(connection: Connection, ids: Sequence[MessageId]) -> Sequence[MessageLine]:
    """Lines for `ids`, in that order."""
    found = connection.execute(message_rows().where(among(_m.id, "ids")), {"ids": ids})
    lines = {row.id: message_line(row) for row in found}
    return [lines[i] for i in ids if i in lines]


def why(connection: Connection, message_id: MessageId) -> WhyLines | None:
    """Why a message went out, or did not; None when there is none."""
    row = connection.execute(message_rows().where(_m.id == message_id)).one_or_none()
    if row is None:
        return None
    a = t.attempt
    tries = connection.execute(sa.select(a).where(a.c.message_id == message_id).order_by(a.c.number)).all()
    attempts = tuple(_attempt(each) for each in tries)
    stopped_by = row.stop_event_id
    if stopped_by is None and row.state == MessageState.CANCELLED.value:
        stopped_by = row.ended_by_event_id
    stop = None if stopped_by is None else inbox_events(connection, t.inbox_event.c.id == stopped_by)[0]
    return WhyLines(message_line(row), row.body, _trace(row, attempts), attempts, stop)


def message_rows() -> sa.Select[Any]:
    """Messages with what `message_line` needs of other tables."""
    running = sa.select(sa.func.count(t.enrollment.c.id)).where(t.enrollment.c.person_id == _m.person_id, IS_LIVE)
    # the enrollment of the message itself is another one than those that are counted
    own = t.enrollment.alias("own")
    return (
        sa.select(
            t.message,
            *(t.person.c[name] for name in ("first_name", "last_name", "email", "phone")),
            t.location.c.name.label("location"),
            t.location.c.zone,
            t.journey.c.name.label("journey"),
            t.journey_version.c.number.label("journey_version"),
            own.c.ended_by_event_id,
            REACHED.label("reached_at"),
            running.scalar_subquery().label("running"),
        )
        .join(t.person, t.person.c.id == _m.person_id)
        .join(t.location, t.location.c.id == _m.location_id)
        .outerjoin(own, own.c.id == _m.enrollment_id)
        .outerjoin(t.journey, t.journey.c.id == own.c.journey_id)
        .outerjoin(t.journey_version, t.journey_version.c.id == own.c.journey_version_id)
    )


def message_line(row: Row[Any]) -> MessageLine:
    """The line of a row of `message_rows`. to: where it went, or before that where it would go now."""
    channel = Channel(row.channel)
    address = row.email if channel is Channel.EMAIL else row.phone
    return MessageLine(
        id=MessageId(row.id),
        person_id=PersonId(row.person_id),
        name=person_name(row.first_name, row.last_name),
        location=row.location,
        zone=row.zone,
        enrollment_id=None if row.enrollment_id is None else EnrollmentId(row.enrollment_id),
        journey=row.journey,
        version=row.journey_version,
        step=row.step,
        pass_no=row.pass_no,
        channel=channel,
        template=row.template,
        to=row.to_address or address or "",
        subject=row.subject,
        state=MessageState(row.state),
        attempts=row.attempts,
        at=row.reached_at,
        due_at=row.due_at,
        try_at=row.try_at if row.state == MessageState.QUEUED.value else None,
        accepted_at=row.accepted_at,
        provider=row.provider,
        provider_id=row.provider_id,
        stop_requested_at=row.stop_requested_at,
        cancel_reason=known_why(row.reason),
        reason_code=row.reason_code,
        hold=_hold(row),
        possible_duplicate=row.possible_duplicate,
        running=row.running,
    )


def inbox_events(connection: Connection, *conditions: ColumnElement[bool]) -> list[InboxEventLine]:
    """Inbox events, newest first."""
    i = t.inbox_event
    found = sa.select(i).where(*conditions).order_by(i.c.happened_at.desc(), i.c.id.desc())
    return [_event(row) for row in connection.execute(found)]


def _asked(found: Any, query: SentQuery) -> Any:
    words = search_words(query.search)
    if words:
        found = found.join(t.person, t.person.c.id == _m.person_id)
        found = found.where(*found_by(words, t.person.c.search_text, sa.func.lower(_m.template)))
    if query.location_id is not None:
        found = found.where(_m.location_id == query.location_id)
    if query.person_id is not None:
        found = found.where(_m.person_id == query.person_id)
    return found


def _hold(row: Row[Any]) -> HoldLine | None:
    if row.state == MessageState.SENDING.value and row.lookups:
        return HoldLine(Why.CHECKING, None)
    return hold_of_message(row.state, row.hold_why, row.try_at, row.hold_facts)


def _trace(row: Row[Any], attempts: Sequence[AttemptLine]) -> tuple[TraceLine, ...]:
    """What the guards said that explains the message as it stands.

    The trace at the message is of the guards that held or stopped it last: it counts when its last answer is the reason
    that the message has now. Otherwise the newest try's counts, whose guards let it through.
    """
    refused = _trace_lines(row.trace or ())
    reason = row.hold_why if row.state == MessageState.QUEUED.value else row.reason
    if refused and reason is not None and refused[-1].answer.endswith(f": {reason}"):
        return refused
    return attempts[-1].trace if attempts else refused


def _trace_lines(document: Sequence[Mapping[str, str]]) -> tuple[TraceLine, ...]:
    return tuple(TraceLine(line["guard"], line["answer"], line["saw"]) for line in document)


def _attempt(row: Row[Any]) -> AttemptLine:
    return AttemptLine(
        id=AttemptId(row.id),
        number=row.number,
        noted_at=row.noted_at,
        handed_at=row.handed_at,
        answered_at=row.answered_at,
        answer=AttemptAnswer(row.answer),
        why=known_why(row.why),
        code=row.code,
        provider=row.provider,
        provider_id=row.provider_id,
        trace=_trace_lines(row.trace),
    )


def _event(row: Row[Any]) -> InboxEventLine:
    return InboxEventLine(
        id=InboxEventId(row.id),
        source=row.source,
        kind=row.kind,
        channel=None if row.channel is None else Channel(row.channel),
        text=row.text,
        note=row.note,
        actor=row.actor,
        happened_at=row.happened_at,
        received_at=row.received_at,
        applied_at=row.applied_at,
        person_id=None if row.person_id is None else PersonId(row.person_id),
        address=row.address,
    )
