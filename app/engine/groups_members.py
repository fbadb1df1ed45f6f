"""Who of some people is in a group now, and who came or left by that: written down, people and records alike."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from app.domain.condition_changes import changes_at
from app.domain.facts import Facts
from app.domain.ids import PersonId
from app.domain.record import RecordKind
from app.engine.group_ports import Records
from app.engine.groups_followed import Followed
from app.engine.office_ports import OfficeUow

NOBODY: frozenset[PersonId] = frozenset()
NOTHING: Records = frozenset()


@dataclass(frozen=True, slots=True)
class Members:
    """Of the people who were looked at: who matches, came and left; and which records, where they are followed."""

    matching: frozenset[PersonId]
    came: frozenset[PersonId]
    left: frozenset[PersonId]
    records: Mapping[RecordKind, Records]
    came_records: Mapping[RecordKind, Records]


def moved(
    uow: OfficeUow, group: Followed, ids: Collection[PersonId], was: frozenset[PersonId], now: datetime
) -> Members:
    """Ask the group's rule of `ids` and write who came and who left. was: who of them was in; all are locked."""
    group_id = group.row.id
    matching = uow.groups.matching(group.rule, ids, now)
    uow.groups.enter(group_id, matching - was, now)
    uow.groups.leave(group_id, was - matching, now)
    records: dict[RecordKind, Records] = {}
    came: dict[RecordKind, Records] = {}
    for kind in group.kinds:
        records[kind] = uow.groups.matching_records(group.rule, kind, ids, now)
        before = uow.groups.records_inside(ids, kind).get(group_id, NOTHING)
        came[kind] = records[kind] - before
        uow.groups.leave_records(group_id, before - records[kind], now)
        uow.groups.enter_records(group_id, came[kind], now)
    return Members(matching, matching - was, was - matching, records, came)


@dataclass(slots=True)
class FactsOf:
    """The facts of some people, read when the first is asked for: many a look asks for nobody's."""

    uow: OfficeUow
    ids: Collection[PersonId]
    now: datetime
    _read: Mapping[PersonId, Facts] | None = field(default=None)

    def __call__(self, person_id: PersonId) -> Facts | None:
        """None for somebody who was erased."""
        if self._read is None:
            self._read = self.uow.office.facts_of(self.ids, self.now)
        return self._read.get(person_id)


def next_looks(
    groups: Collection[Followed], ids: Collection[PersonId], facts_of: Callable[[PersonId], Facts | None], now: datetime
) -> dict[PersonId, datetime]:
    """For each of `ids` for whom time alone may turn a rule, the earliest instant at which it may."""
    timed = [group for group in groups if group.timed]
    looks: dict[PersonId, datetime] = {}
    for person_id in ids if timed else ():
        facts = facts_of(person_id)
        turns = [changes_at(group.rule, facts, now) for group in timed] if facts is not None else []
        earliest = min((at for at in turns if at is not None), default=None)
        if earliest is not None:
            looks[person_id] = earliest
    return looks
