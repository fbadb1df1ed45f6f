"""Those who came into a group are let into its journey, as far as they may; who may not is told, or waits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from app.domain.entering import NotLetIn
from app.domain.facts import Facts, RecordFact
from app.domain.ids import EnrollmentId, PersonId, RecordId
from app.engine.entering import Entrant, KeptOut, enter
from app.engine.group_ports import WaitingEntry
from app.engine.groups_followed import Feed, Followed
from app.engine.groups_members import Members
from app.engine.office_ports import OfficeUow
from app.engine.ports import LogLine

NOT_STARTED: Final = "follow_up.not_started"

_Wanted = dict[PersonId, set[RecordId | None]]


@dataclass(frozen=True, slots=True)
class LetIn:
    """What came of it. again_at: when to look again at whom, for they wait until then."""

    started: tuple[tuple[PersonId, EnrollmentId], ...] = ()
    again_at: Mapping[PersonId, datetime] = field(default_factory=dict)


def let_in(
    uow: OfficeUow,
    group: Followed,
    feed: Feed,
    members: Members,
    waiting: Iterable[WaitingEntry],
    facts_of: Callable[[PersonId], Facts | None],
    now: datetime,
) -> LetIn:
    """Let in who came, and who waited until now and is still in the group. waiting: for this journey, by this group."""
    came = _came(feed, members)
    wanted: _Wanted = defaultdict(set, {person_id: set(records) for person_id, records in came.items()})
    later: dict[PersonId, datetime] = {}
    done: list[WaitingEntry] = []
    for each in waiting:
        still = _still_in(each, feed, members)
        if still and each.from_at is not None and now < each.from_at:
            later[each.person_id] = each.from_at
            continue
        done.append(each)
        if still:
            wanted[each.person_id].add(each.record_id)
    uow.groups.wait_no_longer(done)
    if not wanted:
        return LetIn(again_at=later)
    closed = uow.groups.unreachable(sorted(wanted), feed.channels) if feed.channels else frozenset()
    entrants = {i: found for i in sorted(wanted) if i not in closed and (found := _entrant(facts_of(i), wanted[i]))}
    entered = enter(uow, feed.entry, entrants, now, facts={"group": group.row.id})
    kept_out = (*entered.kept_out, *(KeptOut(i, NotLetIn.ON_DO_NOT_CONTACT_LIST) for i in sorted(closed)))
    waits = [_wait(each, group, feed, now) for each in kept_out if _comes_again(each)]
    uow.groups.wait(waits)
    for wait in waits:
        if wait.from_at is not None:
            later[wait.person_id] = min(wait.from_at, later.get(wait.person_id, wait.from_at))
    uow.log.add([_line(each, group, feed, now) for each in kept_out if _is_news(each, came)])
    return LetIn(entered.started, later)


def _came(feed: Feed, members: Members) -> _Wanted:
    kind = feed.kind
    if kind is None:
        return {person_id: {None} for person_id in members.came}
    found: _Wanted = defaultdict(set)
    for person_id, record_id in members.came_records[kind]:
        found[person_id].add(record_id)
    return found


def _still_in(each: WaitingEntry, feed: Feed, members: Members) -> bool:
    kind = feed.kind
    if each.record_id is None or kind is None:
        return each.record_id is None and kind is None and each.person_id in members.matching
    return (each.person_id, each.record_id) in members.records[kind]


def _entrant(facts: Facts | None, records: set[RecordId | None]) -> Entrant | None:
    """None for somebody who was erased."""
    if facts is None:
        return None
    if None in records:
        return Entrant(facts)
    own: list[RecordFact] = [record for record in facts.records if record.id in records]
    return Entrant(facts, tuple(own))


def _comes_again(each: KeptOut) -> bool:
    """Whether what kept them out passes by itself: the days until the next time, or another record's follow-up (I1)."""
    return each.again_at is not None or (each.why is NotLetIn.ALREADY_IN and each.record_id is not None)


def _wait(each: KeptOut, group: Followed, feed: Feed, now: datetime) -> WaitingEntry:
    return WaitingEntry(group.row.id, feed.entry.journey_id, each.person_id, each.record_id, now, each.again_at)


def _is_news(each: KeptOut, came: _Wanted) -> bool:
    return each.why is not NotLetIn.ALREADY_IN and each.person_id in came


def _line(each: KeptOut, group: Followed, feed: Feed, now: datetime) -> LogLine:
    facts: dict[str, str | int | float | bool | None] = {"why": each.why.value, "group": group.row.id}
    if each.record_id is not None:
        facts["record"] = each.record_id
    if each.again_at is not None:
        facts["again_from"] = each.again_at.isoformat()
    return LogLine(now, NOT_STARTED, person_id=each.person_id, journey_id=feed.entry.journey_id, facts=facts)
