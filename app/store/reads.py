"""What screens and commands read, in one read transaction. One file a screen: reads_*.py."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy.engine import Connection

from app.domain.call_lines import CallLine
from app.domain.evidence import Evidence
from app.domain.going_live import Waiting
from app.domain.ids import EnrollmentId, InboxEventId, LocationId, MessageId, PersonId
from app.domain.lines import (
    EngineLine,
    HourBar,
    InboxEventLine,
    JourneyLine,
    LocationLine,
    LoggedLine,
    MessageLine,
    OverdueLine,
    PeopleCounts,
    PeopleQuery,
    PersonLine,
    ProblemLine,
    QueueCounts,
    QueueLine,
    QueueQuery,
    SentCounts,
    SentQuery,
    WhyLines,
)
from app.domain.person_lines import PersonPage
from app.domain.source_line import SourceLine
from app.domain.task_lines import TaskLine
from app.domain.today_lines import ChannelLine, Pulse, ReplyLine, TodayCounts
from app.store import reads_calls, reads_live, reads_people, reads_queue, reads_sent, reads_tasks, reads_today
from app.store.door import Door
from app.store.memory import Memory
from app.store.office_find import find_person
from app.store.overdue import overdue
from app.store.reads_engine import EngineReads
from app.store.reads_evidence import EvidenceReads
from app.store.reads_groups import GroupReads
from app.store.reads_person import PersonReads
from app.store.reads_steps import Steps
from app.store.versions import Versions


class ReadsDoor(GroupReads, Door):
    """Implements office_ports.Reads."""

    def __init__(self, connection: Connection, memory: Memory) -> None:
        super().__init__(connection, memory)
        self._steps = Steps(Versions(connection, memory))
        self._engine = EngineReads(connection, memory)

    def engine(self, now: datetime) -> EngineLine:
        """The status bar."""
        return self._engine.engine(now)

    def locations(self, now: datetime) -> Sequence[LocationLine]:
        """Every location in use, by name."""
        return self._engine.locations(now)

    def sources(self) -> Sequence[SourceLine]:
        """Where what comes in is read, by name."""
        return self._engine.sources()

    def waiting(self, now: datetime) -> Waiting:
        """What goes out when the practice goes live, and what is on its way."""
        return reads_live.waiting(self._connection, now)

    def people_ids(self, query: PeopleQuery) -> Sequence[PersonId]:
        """Ids in the order shown. Raises ValueError for an order that there is not."""
        return reads_people.people_ids(self._connection, query)

    def people(self, ids: Sequence[PersonId]) -> Sequence[PersonLine]:
        """Lines for `ids`, in that order; ids that are gone are left out."""
        return reads_people.people(self._connection, self._steps, ids)

    def people_counts(self, query: PeopleQuery) -> PeopleCounts:
        """How many each chip would show."""
        return reads_people.people_counts(self._connection, query)

    def find_person(self, ref: str) -> Sequence[PersonId]:
        """Whom staff mean by an id, an email or a phone number."""
        return find_person(self._connection, ref)

    def person(self, person_id: PersonId, now: datetime) -> PersonPage | None:
        """Everything about one person; None when there is none."""
        return PersonReads(self._connection, self._memory, self._steps).page(person_id)

    def queue_ids(self, query: QueueQuery, now: datetime) -> Sequence[EnrollmentId]:
        """Live follow-ups, soonest first."""
        return reads_queue.queue_ids(self._connection, self._steps, query, now)

    def queue(self, ids: Sequence[EnrollmentId], *, ended: bool = False) -> Sequence[QueueLine]:
        """Lines for `ids`, in that order; those that have ended are left out unless `ended`."""
        return reads_queue.queue(self._connection, self._steps, ids, ended=ended)

    def queue_before(self, query: QueueQuery, now: datetime, instants: Sequence[datetime]) -> Sequence[int]:
        """How many rows of the queue come before each of `instants`."""
        return reads_queue.queue_before(self._connection, self._steps, query, now, instants)

    def queue_counts(self, query: QueueQuery, now: datetime) -> QueueCounts:
        """How many each chip would show."""
        return reads_queue.queue_counts(self._connection, self._steps, query, now)

    def queue_hours(self, query: QueueQuery, now: datetime, hours: int) -> Sequence[HourBar]:
        """One bar for each of the next `hours` hours, the present one first."""
        places = self._engine.hours()
        return reads_queue.queue_hours(self._connection, self._steps, query, places, now, hours)

    def overdue(self, now: datetime) -> Sequence[OverdueLine]:
        """What came too late to go out by itself and waits for staff, oldest first."""
        return overdue(self._connection, self._steps, now)

    def sent_ids(self, query: SentQuery) -> Sequence[MessageId]:
        """Messages, newest first."""
        return reads_sent.sent_ids(self._connection, query)

    def sent(self, ids: Sequence[MessageId]) -> Sequence[MessageLine]:
        """Lines for `ids`, in that order."""
        return reads_sent.sent(self._connection, ids)

    def sent_counts(self, query: SentQuery) -> SentCounts:
        """How many each chip would show."""
        return reads_sent.sent_counts(self._connection, query)

    def why(self, message_id: MessageId) -> WhyLines | None:
        """Why a message went out, or did not; None when there is none."""
        return reads_sent.why(self._connection, message_id)

    def problems(self) -> Sequence[ProblemLine]:
        """What is open on the problem list, newest first."""
        return self._engine.problems()

    def evidence(self, person_id: PersonId) -> Evidence | None:
        """Everything that is kept about one person; None when there is none."""
        return EvidenceReads(self._connection, self._memory).of(person_id)

    def log(self, person_id: PersonId | None, limit: int) -> Sequence[LoggedLine]:
        """The newest `limit` lines of the log, newest first."""
        return self._engine.log(person_id, limit)

    def journeys(self) -> Sequence[JourneyLine]:
        """Every journey, by name."""
        return self._engine.journeys()

    def replies(self, location_id: LocationId | None) -> Sequence[ReplyLine]:
        """Everyone with staff, newest reply first, with what they last wrote or said."""
        return reads_today.replies(self._connection, self._steps, location_id)

    def inbox(self, ids: Collection[InboxEventId]) -> Sequence[InboxEventLine]:
        """Inbox events by id, newest first."""
        return reads_today.inbox(self._connection, ids)

    def unmatched(self) -> Sequence[InboxEventLine]:
        """Inbox events that wait for somebody to say whose they are, newest first."""
        return reads_sent.inbox_events(self._connection, reads_sent.IS_UNMATCHED)

    def channels(self) -> Sequence[ChannelLine]:
        """The channels that are paused, and how much waits for each."""
        return reads_today.channels(self._connection)

    def going_out(self, location_id: LocationId | None, most: int) -> Sequence[QueueLine]:
        """The soonest follow-ups that nothing holds and that stand at a message, at most `most`."""
        return reads_today.going_out(self._connection, self._steps, location_id, most)

    def calls(self, location_id: LocationId | None, now: datetime) -> Sequence[CallLine]:
        """The calls that the front desk can make at `now`, those that leave the list first on top."""
        return reads_calls.call_list(self._connection, self._memory, location_id, now)

    def tasks(self) -> Sequence[TaskLine]:
        """The tasks of journeys that wait for staff, the oldest first."""
        return reads_tasks.tasks(self._connection, self._memory)

    def today_counts(self, location_id: LocationId | None, now: datetime) -> TodayCounts:
        """How many things need somebody."""
        calls = reads_calls.count_calls(self._connection, self._memory, location_id, now)
        return reads_today.today_counts(self._connection, location_id, calls)

    def pulse(self) -> Pulse:
        """Another value whenever another process has committed something."""
        return reads_today.pulse(self._connection)
