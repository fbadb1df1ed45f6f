"""Which of a person's records counts where only one can: for a template's words, for a wait, for a goal event. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, tzinfo
from typing import Final

from app.domain.facts import RecordFact
from app.domain.ids import RecordId
from app.domain.record import RecordKind

# statuses after which a record is nothing to look forward to any more; a practice's own words are open
OVER: Final = (
    *("done", "missed", "cancelled", "complete", "accepted", "declined", "expired", "paid", "void"),
    *("canceled", "completed", "no_show", "lost", "closed"),
)
# a goal event finds these at their goal already
GOAL_REACHED: Final = ("booked", "confirmed")


def chosen(
    records: Iterable[RecordFact], kind: RecordKind, started: RecordId | None, now: datetime, zone: tzinfo
) -> RecordFact | None:
    """The record that started the enrollment, when it is of `kind`; else the person's next open one (DESIGN section 8).

    Next: the earliest that is not past; when all are past, or have no time, the newest.
    """
    of_kind = [record for record in records if record.kind is kind]
    own = next((record for record in of_kind if started is not None and record.id == started), None)
    if own is not None:
        return own
    is_open = [record for record in of_kind if record.status not in OVER]
    ahead = [(at, record) for record in is_open if (at := instant_of(record, zone)) is not None and at >= now]
    if ahead:
        return min(ahead, key=lambda pair: pair[0])[1]
    return max(is_open, key=_newest, default=None)


def timed(
    records: Iterable[RecordFact], kind: RecordKind, started: RecordId | None, now: datetime, zone: tzinfo
) -> datetime | None:
    """The time that a wait before or after a record of `kind` counts from, UTC; None when there is none.

    Of the chosen record; when nothing is open, of the one with the latest time: a wait may count from what is over.
    """
    listed = [record for record in records if record.kind is kind]
    record = chosen(listed, kind, started, now, zone)
    if record is not None and (at := instant_of(record, zone)) is not None:
        return at
    if record is not None and record.id == started and started is not None:
        return None  # its own record has no time: another one's would be a wrong one
    return max((at for each in listed if (at := instant_of(each, zone)) is not None), default=None)


def instant_of(record: RecordFact, zone: tzinfo) -> datetime | None:
    """When a record starts, else the midnight (in `zone`) of the day it is due; None when it has neither."""
    if record.starts_at is not None:
        return record.starts_at
    return None if record.due_on is None else _midnight(record.due_on, zone)


def _midnight(day: date, zone: tzinfo) -> datetime:
    return datetime.combine(day, time(0), tzinfo=zone).astimezone(UTC)


def _newest(record: RecordFact) -> tuple[datetime, int]:
    return record.created_at or record.status_changed_at, record.id or 0
