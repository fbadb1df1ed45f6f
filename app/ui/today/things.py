"""The things on Today, one value each: a reply, a call, a follow-up that is late, a problem, a paused channel, what
comes next.

Pure. Each has a key by which it is found again, the group it stands in, and perhaps the person that it names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from app.domain.call_lines import CallLine
from app.domain.ids import EnrollmentId, PersonId
from app.domain.lines import EngineLine, InboxEventLine, MessageLine, OverdueLine, PersonLine, ProblemLine, QueueLine
from app.domain.reasons import Why
from app.domain.today_lines import ChannelLine, ReplyLine, TodayCounts
from app.ui.people.whom import Whom, nameless, whom, whom_of


class Group(StrEnum):
    """The groups, in their order."""

    REPLIES = "replies"
    CALLS = "calls"
    OVERDUE = "overdue"
    PROBLEMS = "problems"
    NEXT = "next"


@dataclass(frozen=True, slots=True)
class Reply:
    """Somebody's reply waits for staff."""

    line: ReplyLine


@dataclass(frozen=True, slots=True)
class Call:
    """A call that the front desk can make now."""

    line: CallLine


@dataclass(frozen=True, slots=True)
class Late:
    """A follow-up that came too late to go out by itself: staff decide."""

    line: OverdueLine


@dataclass(frozen=True, slots=True)
class Outage:
    """A channel is paused."""

    line: ChannelLine


@dataclass(frozen=True, slots=True)
class Trouble:
    """An open problem, with the person, the message and the event that it is about, as far as there are any."""

    line: ProblemLine
    person: PersonLine | None = None
    message: MessageLine | None = None
    event: InboxEventLine | None = None


@dataclass(frozen=True, slots=True)
class Next:
    """A follow-up whose message goes out soon."""

    line: QueueLine


Thing = Reply | Call | Late | Outage | Trouble | Next


@dataclass(frozen=True, slots=True)
class TodayFacts:
    """An answer. things: in the order shown. counts: of everything, also beyond the location chosen when it is None.

    people, follow_ups: how those stand who were in the list before. anybody: whether there is anyone at all.
    """

    things: tuple[Thing, ...]
    counts: TodayCounts
    engine: EngineLine
    people: Mapping[PersonId, PersonLine] = field(default_factory=dict)
    follow_ups: Mapping[EnrollmentId, QueueLine] = field(default_factory=dict)
    anybody: bool = True


def key_of(thing: Thing) -> str:
    """What a thing is found by again."""
    match thing:
        case Reply(line):
            return f"reply-{line.person.id}"
        case Call(line):
            return f"call-{line.message_id}"
        case Late(line):
            return f"late-{line.enrollment_id}"
        case Outage(line):
            return f"channel-{line.channel}"
        case Trouble(line):
            return f"problem-{line.id}"
        case Next(line):
            return f"next-{line.enrollment_id}"


def group_of(thing: Thing) -> Group:
    """Under which head it stands."""
    match thing:
        case Reply():
            return Group.REPLIES
        case Call():
            return Group.CALLS
        case Late():
            return Group.OVERDUE
        case Outage() | Trouble():
            return Group.PROBLEMS
        case Next():
            return Group.NEXT


def person_of(thing: Thing) -> Whom | None:
    """The person it names; None for what is nobody's."""
    match thing:
        case Reply(line):
            return whom(line.person)
        case Call(line) | Late(line):
            return Whom(line.person_id, line.name or nameless(line.person_id), line.zone)
        case Trouble(person=PersonLine() as person):
            return whom(person)
        case Next(line):
            return whom_of(line)
        case _:
            return None


def zone_of(thing: Thing, practice: str) -> str:
    """On whose clock its times are told. practice: the zone of what is nobody's."""
    named = person_of(thing)
    return named.zone if named is not None else practice


def is_unmatched(thing: Thing) -> bool:
    """Something that came in, of which somebody has to say whose it is."""
    return isinstance(thing, Trouble) and thing.event is not None and thing.line.why in (Why.UNMATCHED, Why.WHOSE_REPLY)


def by_group(things: Sequence[Thing]) -> Mapping[Group, tuple[Thing, ...]]:
    """The things under each head, in the order given."""
    return {group: tuple(thing for thing in things if group_of(thing) is group) for group in Group}
