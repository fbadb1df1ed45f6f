"""Reads for commands: lists in the order shown, a page at a time, and the pages of one person or one message."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from app.domain.clock import Clock
from app.domain.errors import OperatorError
from app.domain.ids import EnrollmentId, MessageId, PersonId
from app.domain.lines import (
    JourneyLine,
    LoggedLine,
    MessageLine,
    PeopleQuery,
    PersonLine,
    ProblemLine,
    QueueLine,
    QueueQuery,
    SentQuery,
    WhyLines,
)
from app.domain.person_lines import PersonPage
from app.engine.office_ports import OpenReader

PAGE = 500

_Id = TypeVar("_Id")
_Line = TypeVar("_Line")


class Lists:
    """The lists, whole: ids first, then the lines page by page, each page in a short transaction of its own.

    So a long list keeps no reader open (an open one makes SQLite's write-ahead file grow); a row that is gone by the
    time its page is read is left out.
    """

    def __init__(self, open_reader: OpenReader, clock: Clock) -> None:
        self._open_reader = open_reader
        self._clock = clock

    def people(self, query: PeopleQuery) -> Iterator[PersonLine]:
        """Everyone whom `query` finds, in its order."""
        with self._open_reader() as reads:
            ids = reads.people_ids(query)
        return self._pages(ids, self._people)

    def queue(self, query: QueueQuery) -> Iterator[QueueLine]:
        """Every live follow-up that `query` finds, soonest first."""
        with self._open_reader() as reads:
            ids = reads.queue_ids(query, self._clock.now())
        return self._pages(ids, self._queue)

    def messages(self, query: SentQuery) -> Iterator[MessageLine]:
        """Every message that `query` finds, newest first."""
        with self._open_reader() as reads:
            ids = reads.sent_ids(query)
        return self._pages(ids, self._messages)

    def _pages(self, ids: Sequence[_Id], read: Callable[[Sequence[_Id]], Sequence[_Line]]) -> Iterator[_Line]:
        for start in range(0, len(ids), PAGE):
            yield from read(ids[start : start + PAGE])

    def _people(self, ids: Sequence[PersonId]) -> Sequence[PersonLine]:
        with self._open_reader() as reads:
            return reads.people(ids)

    def _queue(self, ids: Sequence[EnrollmentId]) -> Sequence[QueueLine]:
        with self._open_reader() as reads:
            return reads.queue(ids)

    def _messages(self, ids: Sequence[MessageId]) -> Sequence[MessageLine]:
        with self._open_reader() as reads:
            return reads.sent(ids)


class Pages:
    """One person, one message, and the short lists."""

    def __init__(self, open_reader: OpenReader, clock: Clock) -> None:
        self._open_reader = open_reader
        self._clock = clock

    def person(self, person_id: PersonId) -> PersonPage:
        """Everything about one person. Raises OperatorError when there is none."""
        with self._open_reader() as reads:
            page = reads.person(person_id, self._clock.now())
        if page is None:
            raise OperatorError(f"There is no person {person_id}.", "stopwell people lists them.")
        return page

    def why(self, message_id: MessageId) -> WhyLines:
        """Why a message went out, or did not: guards, answers, attempts. Raises OperatorError when there is none."""
        with self._open_reader() as reads:
            lines = reads.why(message_id)
        if lines is None:
            raise OperatorError(f"There is no message {message_id}.", "stopwell messages lists them.")
        return lines

    def problems(self) -> Sequence[ProblemLine]:
        """What needs someone to look at it."""
        with self._open_reader() as reads:
            return reads.problems()

    def log(self, person_id: PersonId | None, limit: int) -> Sequence[LoggedLine]:
        """The newest `limit` lines of the log, about one person or (None) about everything."""
        with self._open_reader() as reads:
            return reads.log(person_id, limit)

    def journeys(self) -> Sequence[JourneyLine]:
        """The journeys, with what they send at most and how many are inside."""
        with self._open_reader() as reads:
            return reads.journeys()
