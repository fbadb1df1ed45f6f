"""What screens and commands read of groups, in one read transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam

from app.domain.condition_format import parse_condition
from app.domain.condition_tree import Condition
from app.domain.condition_words import told
from app.domain.errors import DocumentError
from app.domain.group_lines import Found, GroupLine, GroupPage, IdleLine, MemberLine
from app.domain.ids import PersonId
from app.domain.journey import CONTACT_STEPS
from app.domain.states import Contact
from app.engine.group_ports import GroupRow, LiveJourney
from app.store.columns import UtcDateTime
from app.store.condition_sql import matches
from app.store.door import Door
from app.store.groups import GroupDoor
from app.store.reads_follow_ups import IS_LIVE
from app.store.reads_people import person_name
from app.store.tables import enrollment as e
from app.store.tables import group_entry as w
from app.store.tables import group_member as m
from app.store.tables import location as l
from app.store.tables import person as p

_GROUP: Final = bindparam("of_group", type_=sa.BigInteger())
_IN: Final = m.c.left_at.is_(None)
_MEMBERS: Final = sa.select(m.c.group_id, sa.func.count().label("many")).where(_IN).group_by(m.c.group_id)
_ENTERED: Final = (
    sa.select(m.c.group_id, sa.func.count().label("many"))
    .where(m.c.entered_at >= bindparam("since", type_=UtcDateTime()))
    .group_by(m.c.group_id)
)
_WAITING: Final = sa.select(w.c.group_id, sa.func.count().label("many")).group_by(w.c.group_id)
_STAYS: Final = (
    sa.select(m.c.person_id, m.c.entered_at, m.c.left_at, p.c.first_name, p.c.last_name, l.c.zone)
    .join(p, p.c.id == m.c.person_id)
    .join(l, l.c.id == p.c.location_id)
    .where(m.c.group_id == _GROUP)
    .limit(bindparam("most", type_=sa.Integer()))
)
_IN_NOW: Final = _STAYS.where(_IN).order_by(m.c.entered_at.desc(), m.c.id.desc())
_HISTORY: Final = _STAYS.order_by(sa.func.coalesce(m.c.left_at, m.c.entered_at).desc(), m.c.id.desc())
_INSIDE: Final = sa.select(e.c.journey_id).where(IS_LIVE).distinct()
_REACHED: Final = (
    sa.select(m.c.person_id)
    .join(p, p.c.id == m.c.person_id)
    .where(m.c.group_id == _GROUP, _IN, m.c.person_id > bindparam("after", type_=sa.BigInteger()))
    .where(p.c.contact != Contact.DO_NOT_CONTACT.value, sa.or_(p.c.email.is_not(None), p.c.phone.is_not(None)))
    .order_by(m.c.person_id)
    .limit(500)
)


class GroupReads(Door):
    """Implements group_ports.GroupReads."""

    def groups(self, since: datetime) -> Sequence[GroupLine]:
        """Every group in use, by name."""
        journeys = self._door.live_journeys()
        members = self._counts(_MEMBERS)
        entered = self._counts(_ENTERED, since=since)
        waiting = self._counts(_WAITING)
        lines = [
            GroupLine(
                id=row.id,
                name=row.name,
                rule=_words(row),
                members=members.get(row.id, 0),
                entered=entered.get(row.id, 0),
                journeys=tuple(each.name for each in journeys if each.takes_from(row)),
                waiting=waiting.get(row.id, 0),
                complete=row.looked_for is not None and row.looked_to is None and row.looked_for["match"] == row.match,
            )
            for row in self._door.rules()
        ]
        return sorted(lines, key=lambda line: line.name)

    def group(self, name: str, since: datetime, most: int) -> GroupPage | None:
        """The group of that name; None when there is none. most: members and lines of history."""
        line = next((line for line in self.groups(since) if line.name == name), None)
        if line is None:
            return None
        given = {"of_group": line.id, "most": most}
        return GroupPage(
            line=line,
            members=tuple(_member(row) for row in self._rows(_IN_NOW, **given)),
            history=tuple(_member(row) for row in self._rows(_HISTORY, **given)),
        )

    def found(self, rule: Condition, now: datetime, most: int) -> Found:
        """Of whom the rule is true at `now`, whether or not it is a group's: how many, and the names of `most`."""
        asked = sa.and_(p.c.erased_at.is_(None), matches(rule, now))
        some = sa.select(p.c.id, p.c.first_name, p.c.last_name).where(asked).order_by(p.c.id).limit(most)
        count = self._connection.scalar(sa.select(sa.func.count()).select_from(p).where(asked))
        names = tuple(person_name(row.first_name, row.last_name) or f"person {row.id}" for row in self._rows(some))
        return Found(count or 0, names)

    def idle(self) -> Sequence[IdleLine]:
        """Live journeys in which nobody is and whose groups can bring in nobody as they are now, by name."""
        inside = {row.journey_id for row in self._rows(_INSIDE)}
        members = self._counts(_MEMBERS)
        groups = self._door.rules()
        found: list[IdleLine] = []
        for live in self._door.live_journeys():
            mine = [] if live.id in inside else [group for group in groups if live.takes_from(group)]
            if mine and not any(self._anybody(group, live) for group in mine):
                names = " and ".join(group.name for group in mine)
                found.append(IdleLine(live.name, names, sum(members.get(group.id, 0) for group in mine)))
        return sorted(found, key=lambda line: line.journey)

    @property
    def _door(self) -> GroupDoor:
        return GroupDoor(self._connection, self._memory)

    def _counts(self, statement: sa.Select[Any], **given: object) -> dict[int, int]:
        return {row.group_id: row.many for row in self._rows(statement, **given)}

    def _anybody(self, group: GroupRow, live: LiveJourney) -> bool:
        """Whether anybody is in the group whom the journey could say something, or who could be called."""
        steps = live.journey.steps.values()
        channels = frozenset(step.channel for step in steps if isinstance(step, CONTACT_STEPS))
        return any(len(self._door.reachable(page, channels)) for page in self._pages(group))

    def _pages(self, group: GroupRow) -> Iterator[Collection[PersonId]]:
        after = 0
        while page := [PersonId(row.person_id) for row in self._rows(_REACHED, of_group=group.id, after=after)]:
            yield page
            after = page[-1]


def _words(row: GroupRow) -> str:
    try:
        return told(parse_condition(row.match, in_journey=False))
    except DocumentError:
        return ""  # the problem list says what is the matter with it


def _member(row: Any) -> MemberLine:
    return MemberLine(
        person_id=PersonId(row.person_id),
        name=person_name(row.first_name, row.last_name),
        entered_at=row.entered_at,
        left_at=row.left_at,
        zone=row.zone,
    )
