"""The look at groups: who came into one or left it, and who enters a journey by that.

Only people about whom something changed are looked at, and those for whom time may have turned a rule: notes of them
are in group_look. Everybody is looked at once for a new rule, in portions, and enters nothing by it: whoever is in when
a journey goes live, or a rule changes, is known to be in (CASES 104). One portion is one transaction.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from app.domain.entering import past_of
from app.domain.errors import StoreError
from app.domain.ids import GroupId, JourneyId, PersonId
from app.domain.reasons import Why
from app.engine.again import again
from app.engine.clock_mark import mark
from app.engine.entering import Entrant, enter
from app.engine.group_ports import WaitingEntry
from app.engine.groups_entering import let_in
from app.engine.groups_followed import Coming, Feed, Followed, Unreadable, followed
from app.engine.groups_members import NOBODY, FactsOf, Members, moved, next_looks
from app.engine.office_ports import OfficeUow, OpenOfficeUow
from app.engine.ports import ProblemNote

log = logging.getLogger(__name__)

PORTION: Final = 500
FIRST: Final = PersonId(0)


@dataclass(frozen=True, slots=True)
class GroupCount:
    """What a look did. looked: people; entered, left: into and out of groups; started: follow-ups."""

    looked: int = 0
    entered: int = 0
    left: int = 0
    started: int = 0

    def __add__(self, other: GroupCount) -> GroupCount:
        return GroupCount(
            self.looked + other.looked,
            self.entered + other.entered,
            self.left + other.left,
            self.started + other.started,
        )


@dataclass(frozen=True, slots=True)
class LookAtGroups:
    """Looks at whoever is to be looked at. stopping: asked between portions; True ends the look in good order.

    rests: with the engine; False for a look that has to be made now, so that a journey may go live.
    """

    open_uow: OpenOfficeUow
    stopping: Callable[[], bool] = field(default=lambda: False)
    portion: int = PORTION
    rests: bool = True

    def run(self, now: datetime, coming: Coming | None = None) -> GroupCount:
        """Until nobody is left to be looked at at `now` (aware, UTC). coming: a journey that is about to go live.

        A fault here keeps nobody's message from going out: it is logged with its traceback and is on the problem list.
        Raises StoreError when the database can't be used.
        """
        total = GroupCount()
        try:
            while not self.stopping():
                count = again(lambda: self._portion(now, coming))
                if count is None:
                    break
                total += count
        except StoreError:
            raise
        except Exception as fault:
            log.exception("groups.failed")
            with self.open_uow() as uow:
                uow.log.problem([_note(Unreadable("", type(fault).__name__), now)])
        return total

    def _portion(self, now: datetime, coming: Coming | None) -> GroupCount | None:
        """One transaction's worth; None when there was nothing to do."""
        with self.open_uow() as uow:
            if mark(uow, now) is not None and self.rests:
                return None
            groups, unreadable = followed(uow.groups.rules(), uow.groups.live_journeys(), coming)
            uow.log.problem([_note(each, now) for each in unreadable])
            unfinished = next((each for each in groups if not each.is_complete), None)
            if unfinished is not None:
                count = _look_at_next(uow, unfinished, self.portion, now)
            elif not groups:
                uow.groups.forget_looks()
                return None
            else:
                ids = uow.groups.due(now, self.portion)
                if not ids:
                    return None
                uow.people.lock(ids, to_write=True)
                # once more: a rule that was saved meanwhile has been looked for among these people, or will be
                groups, _ = followed(uow.groups.rules(), uow.groups.live_journeys(), coming)
                count = _look(uow, [each for each in groups if each.is_complete], ids, now)
        return count


def _note(each: Unreadable, now: datetime) -> ProblemNote:
    facts = {"source": f"group {each.name}", "group": each.name, "because": each.because}
    return ProblemNote(now, Why.GROUP_UNREADABLE, facts=facts)


def _look_at_next(uow: OfficeUow, group: Followed, portion: int, now: datetime) -> GroupCount:
    """The next people by id, for one group whose rule is new to them: they are in or out, and enter nothing by it.

    But for a group that says that also those who match already enter: whoever never was in its journey does.
    """
    state = uow.groups.whole_to(group.row.id)
    if state is None or state[0] != group.looked_for:
        uow.groups.begin_whole(group.row.id, group.looked_for)
        come_to: PersonId | None = FIRST
    else:
        come_to = state[1]
    if come_to is None:  # another engine was quicker
        return GroupCount()
    ids = uow.groups.page(come_to, portion)
    count = GroupCount()
    if ids:
        uow.people.lock(ids, to_write=True)
        members = moved(uow, group, ids, uow.groups.inside(ids).get(group.row.id, NOBODY), now)
        facts_of = FactsOf(uow, ids, now)
        uow.groups.look_again(next_looks([group], ids, facts_of, now))
        started = 0
        for feed in group.feeds:
            if feed.existing:
                started += len(enter(uow, feed.entry, _existing(feed, members, facts_of), now).started)
        count = GroupCount(len(ids), len(members.came), len(members.left), started)
    uow.groups.came_to(group.row.id, ids[-1] if len(ids) == portion else None)
    return count


def _existing(feed: Feed, members: Members, facts_of: FactsOf) -> dict[PersonId, Entrant]:
    """Everybody who matches and never was in the journey; or every record that does."""
    found: dict[PersonId, Entrant] = {}
    records = members.records[feed.kind] if feed.kind is not None else frozenset()
    for person_id in sorted({person_id for person_id, _ in records} or members.matching):
        facts = facts_of(person_id)
        if facts is None:
            continue
        if feed.kind is not None:
            own = tuple(record for record in facts.records if (person_id, record.id) in records)
            found[person_id] = Entrant(facts, own)
        elif not past_of(feed.entry.name, facts):
            found[person_id] = Entrant(facts)
    return found


def _look(uow: OfficeUow, groups: Collection[Followed], ids: Collection[PersonId], now: datetime) -> GroupCount:
    """These people, for every group; the people are locked."""
    inside = uow.groups.inside(ids)
    waiting: dict[tuple[GroupId, JourneyId], list[WaitingEntry]] = defaultdict(list)
    for each in uow.groups.waiting(ids):
        waiting[each.group_id, each.journey_id].append(each)
    facts_of = FactsOf(uow, ids, now)
    count = GroupCount(looked=len(ids))
    again_at: list[Mapping[PersonId, datetime]] = []
    for group in groups:
        members = moved(uow, group, ids, inside.get(group.row.id, NOBODY), now)
        count += GroupCount(entered=len(members.came), left=len(members.left))
        for feed in group.feeds:
            mine = waiting.pop((group.row.id, feed.entry.journey_id), [])
            done = let_in(uow, group, feed, members, mine, facts_of, now)
            count += GroupCount(started=len(done.started))
            again_at.append(done.again_at)
    # what takes no longer from its group, or from a group that is gone
    uow.groups.wait_no_longer([each for entries in waiting.values() for each in entries])
    uow.groups.forget_looks_at(ids)
    uow.groups.look_again(_earliest([next_looks(groups, ids, facts_of, now), *again_at]))
    return count


def _earliest(looks: Iterable[Mapping[PersonId, datetime]]) -> dict[PersonId, datetime]:
    found: dict[PersonId, datetime] = {}
    for each in looks:
        for person_id, at in each.items():
            found[person_id] = min(at, found.get(person_id, at))
    return found
