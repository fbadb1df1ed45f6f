"""What the queue asks the database, for a reader's thread. Captures values, never widgets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from itertools import pairwise

from app.domain.ids import EnrollmentId, JourneyId, LocationId
from app.domain.lines import HourBar, QueueCounts, QueueFilter, QueueLine, QueueQuery
from app.domain.states import JourneyState
from app.engine.office_ports import OpenReader, Reads
from app.ui.list_feed import Listing
from app.ui.pages import PAGE
from app.ui.when import local

HOURS = 24
_DAYS = 31  # days with a head of their own; what is due after them stands under one
_EVER = timedelta(days=36_500)
_INSTANT = timedelta(microseconds=1)  # due at this instant is due now


@dataclass(frozen=True, slots=True)
class QueueDays:
    """How many rows stand under each head. today: on the clock of `zone`. days: from tomorrow on.

    timeless: what nothing but a person moves on; they stand last.
    """

    zone: str
    today: date
    due: int
    later_today: int
    days: tuple[tuple[date, int], ...]
    later: int
    timeless: int


@dataclass(frozen=True, slots=True)
class QueueTold:
    """What stands around the rows. found: the counts on the chips; all: whatever journey and channel are chosen.

    hours: the coming day, whatever chip is chosen. journeys: those that can be chosen.
    """

    found: QueueCounts
    all: QueueCounts
    hours: tuple[HourBar, ...]
    days: QueueDays
    journeys: tuple[tuple[JourneyId, str], ...]


QueueListing = Listing[EnrollmentId, QueueLine, QueueTold]


def read_queue(open_reader: OpenReader, query: QueueQuery, now: datetime) -> QueueListing:
    """Ids in order, the first page of lines, and what stands around them, in one transaction."""
    with open_reader() as reads:
        ids = reads.queue_ids(query, now)
        lines = {line.enrollment_id: line for line in reads.queue(ids[:PAGE])}
        return Listing(ids, lines, _told(reads, query, now))


def count_queue(open_reader: OpenReader, query: QueueQuery, now: datetime) -> QueueTold:
    """What stands around the rows, alone."""
    with open_reader() as reads:
        return _told(reads, query, now)


def find_queue(open_reader: OpenReader, query: QueueQuery, now: datetime) -> Sequence[EnrollmentId]:
    """The ids alone."""
    with open_reader() as reads:
        return reads.queue_ids(query, now)


def read_rows(open_reader: OpenReader, ids: Sequence[EnrollmentId]) -> Mapping[EnrollmentId, QueueLine]:
    """Rows that are in the list already: also those that have ended since."""
    with open_reader() as reads:
        return {line.enrollment_id: line for line in reads.queue(ids, ended=True)}


def count_of(only: QueueFilter, counts: QueueCounts) -> int:
    """The figure on a chip."""
    return {
        QueueFilter.EVERYTHING: counts.everything,
        QueueFilter.DUE_NOW: counts.due_now,
        QueueFilter.HELD: counts.held,
        QueueFilter.WAITING: counts.waiting,
        QueueFilter.WITH_STAFF: counts.with_staff,
    }[only]


def _told(reads: Reads, query: QueueQuery, now: datetime) -> QueueTold:
    found = reads.queue_counts(query, now)
    wider = replace(query, journey_id=None, channel=None)
    hours = reads.queue_hours(replace(query, only=QueueFilter.EVERYTHING), now, HOURS)
    journeys = [each for each in reads.journeys() if each.inside or each.state is JourneyState.LIVE]
    return QueueTold(
        found=found,
        all=found if wider == query else reads.queue_counts(wider, now),
        hours=tuple(hours),
        days=_days(reads, query, now, count_of(query.only, found)),
        journeys=tuple((each.id, each.name) for each in journeys),
    )


def _days(reads: Reads, query: QueueQuery, now: datetime, rows: int) -> QueueDays:
    zone = _zone(reads, query.location_id, now)
    today = local(now, zone).date()
    dates = [today + timedelta(days=ahead) for ahead in range(_DAYS + 2)]
    clock = local(now, zone).tzinfo
    midnights = [datetime.combine(each, time(0), tzinfo=clock) for each in dates[1:]]
    due, *until, timed = reads.queue_before(query, now, [now + _INSTANT, *midnights, now + _EVER])
    between = [after - before for before, after in pairwise((due, *until))]
    return QueueDays(
        zone=zone,
        today=today,
        due=due,
        later_today=between[0],
        days=tuple(zip(dates[1:-1], between[1:], strict=True)),
        later=timed - until[-1],
        timeless=rows - timed,
    )


def _zone(reads: Reads, location_id: LocationId | None, now: datetime) -> str:
    """On whose clock the days are: the chosen location's, else that of the one made first, as the bars are."""
    places = [each for each in reads.locations(now) if location_id in (None, each.id)]
    return min(places, key=lambda each: each.id).zone if places else "UTC"
