"""What the list of messages asks the database, for a reader's thread. Captures values, never widgets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.domain.ids import MessageId
from app.domain.lines import MessageLine, QueueLine, QueueQuery, SentCounts, SentQuery
from app.domain.states import Channel
from app.engine.office_ports import OpenReader, Reads
from app.ui.list_feed import Listing
from app.ui.pages import PAGE


@dataclass(frozen=True, slots=True)
class SentTold:
    """What stands around the rows. found: the counts on the chips. first: who gets the first message of all.

    first is looked up only while nothing has gone out: None then says that nobody waits for a message.
    """

    found: SentCounts
    first: QueueLine | None = None


SentListing = Listing[MessageId, MessageLine, SentTold]


def read_sent(open_reader: OpenReader, query: SentQuery, now: datetime) -> SentListing:
    """Ids in order, the first page of lines, the counts, in one transaction."""
    with open_reader() as reads:
        ids = reads.sent_ids(query)
        lines = {line.id: line for line in reads.sent(ids[:PAGE])}
        return Listing(ids, lines, _told(reads, query, now))


def count_sent(open_reader: OpenReader, query: SentQuery, now: datetime) -> SentTold:
    """The counts alone."""
    with open_reader() as reads:
        return _told(reads, query, now)


def find_sent(open_reader: OpenReader, query: SentQuery) -> Sequence[MessageId]:
    """The ids alone."""
    with open_reader() as reads:
        return reads.sent_ids(query)


def read_messages(open_reader: OpenReader, ids: Sequence[MessageId]) -> Mapping[MessageId, MessageLine]:
    """Rows that are in the list already."""
    with open_reader() as reads:
        return {line.id: line for line in reads.sent(ids)}


def _told(reads: Reads, query: SentQuery, now: datetime) -> SentTold:
    found = reads.sent_counts(query)
    if found.everything or query.search.strip():
        return SentTold(found)
    return SentTold(found, _first(reads, query, now))


def _first(reads: Reads, query: SentQuery, now: datetime) -> QueueLine | None:
    """The follow-up that stands at a message and comes up first."""
    firsts = [
        line
        for channel in Channel
        for line in reads.queue(reads.queue_ids(QueueQuery(location_id=query.location_id, channel=channel), now)[:1])
        if line.at is not None
    ]
    return min(firsts, key=lambda line: line.at or now, default=None)
