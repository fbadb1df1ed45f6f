"""What Today asks the database, for a reader's thread: one transaction, plain values back. Captures no widgets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.domain.ids import EnrollmentId, LocationId, MessageId, PersonId
from app.domain.lines import PeopleQuery, ProblemLine, WhyLines
from app.domain.person_lines import PersonPage
from app.domain.reasons import Why
from app.domain.today_lines import ChannelLine
from app.engine.office_ports import OpenReader, Reads
from app.ui.people.page_reading import next_opening, opening_from
from app.ui.today.things import Call, Late, Next, Outage, Reply, Thing, TodayFacts, Trouble
from app.ui.when import local

NEXT = 6  # a look ahead; the queue has them all
TOLD = 12  # messages of a conversation whose words are read


@dataclass(frozen=True, slots=True)
class Shown:
    """Who stands in the list already: how they stand now is read too, also when they need nobody any more."""

    people: tuple[PersonId, ...] = ()
    follow_ups: tuple[EnrollmentId, ...] = ()


@dataclass(frozen=True, slots=True)
class Openings:
    """When a location opens next, later than now, and first tomorrow; None: not in a year."""

    next: datetime | None
    tomorrow: datetime | None


@dataclass(frozen=True, slots=True)
class Conversation:
    """A person with what was said: their page, and the words of the newest messages."""

    page: PersonPage
    words: tuple[WhyLines, ...]


def read_today(open_reader: OpenReader, location_id: LocationId | None, now: datetime, shown: Shown) -> TodayFacts:
    """Everything that needs somebody, in the order shown."""
    with open_reader() as reads:
        engine = reads.engine(now)
        things: list[Thing] = [Reply(line) for line in reads.replies(location_id)]
        things += [Call(line) for line in reads.calls(location_id, now)]
        places = _places(reads, location_id, now)
        things += [Late(line) for line in reads.overdue(now) if places is None or line.location in places]
        paused = reads.channels()
        things += [Outage(line) for line in paused]
        things += _problems(reads, places, paused)
        things += [Next(line) for line in reads.going_out(location_id, NEXT)]
        people = {line.id: line for line in reads.people(shown.people)}
        follow_ups = {line.enrollment_id: line for line in reads.queue(shown.follow_ups, ended=True)}
        anybody = bool(things) or reads.people_counts(PeopleQuery(location_id=location_id)).everyone > 0
        counts = reads.today_counts(location_id, now)
    return TodayFacts(tuple(things), counts, engine, people, follow_ups, anybody)


def read_conversation(open_reader: OpenReader, person_id: PersonId, now: datetime) -> Conversation | None:
    """What was said to and by a person, newest last; None when there is no such person."""
    with open_reader() as reads:
        page = reads.person(person_id, now)
        if page is None:
            return None
        sent = [MessageId(line.message_id) for line in page.timeline if line.message_id is not None][:TOLD]
        return Conversation(page, tuple(why for each in sent if (why := reads.why(each)) is not None))


def read_openings(open_reader: OpenReader, zones: Mapping[str, str], now: datetime) -> Mapping[str, Openings]:
    """By location. zones: of each location that is asked for, by its name."""
    found = {}
    for name, zone in zones.items():
        midnight = local(now, zone).replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
        found[name] = Openings(next_opening(open_reader, name, now), opening_from(open_reader, name, midnight))
    return found


def _places(reads: Reads, location_id: LocationId | None, now: datetime) -> frozenset[str] | None:
    """The name of the location that is chosen; None for all of them."""
    if location_id is None:
        return None
    return frozenset(place.name for place in reads.locations(now) if place.id == location_id)


def _problems(reads: Reads, places: frozenset[str] | None, paused: Sequence[ChannelLine]) -> list[Trouble]:
    """Open problems with what they are about. A channel that is paused still stands there as itself."""
    lines = [line for line in reads.problems() if not _told_above(line, paused)]
    people = {line.id: line for line in reads.people(sorted({p.person_id for p in lines if p.person_id is not None}))}
    messages = {line.id: line for line in reads.sent(sorted({p.message_id for p in lines if p.message_id is not None}))}
    events = {e.id: e for e in reads.inbox({p.inbox_event_id for p in lines if p.inbox_event_id is not None})}
    troubles = [
        Trouble(
            line,
            people.get(line.person_id) if line.person_id is not None else None,
            messages.get(line.message_id) if line.message_id is not None else None,
            events.get(line.inbox_event_id) if line.inbox_event_id is not None else None,
        )
        for line in lines
    ]
    if places is None:
        return troubles
    return [each for each in troubles if each.person is None or each.person.location in places]


def _told_above(line: ProblemLine, paused: Sequence[ChannelLine]) -> bool:
    return line.why is Why.CHANNEL_PAUSED and line.facts.get("channel") in {each.channel.value for each in paused}
