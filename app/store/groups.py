"""The engine's door to groups: rules, who is to be looked at, who is in and was, who waits to be let in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam

from app.domain.condition_tree import Condition
from app.domain.ids import GroupId, JourneyId, JourneyVersionId, PersonId, RecordId
from app.domain.record import RecordKind
from app.domain.states import Channel, JourneyState
from app.engine.group_ports import GroupRow, LiveJourney, Records, WaitingEntry
from app.engine.office_ports import JsonDocument
from app.store.columns import UtcDateTime, among
from app.store.condition_sql import matches, matches_record
from app.store.documents_groups import plain
from app.store.door import Door, literal
from app.store.suppressions import Suppressions
from app.store.tables import group as g
from app.store.tables import group_entry as w
from app.store.tables import group_look as k
from app.store.tables import group_member as m
from app.store.tables import group_record as gr
from app.store.tables import group_state as s
from app.store.tables import journey as j
from app.store.tables import journey_version as v
from app.store.tables import person as p
from app.store.tables import record as r
from app.store.versions import Versions

_NOW: Final = bindparam("now", type_=UtcDateTime())
_OF: Final = bindparam("of_group", type_=sa.BigInteger())
_RULES: Final = (
    sa.select(g.c.id, g.c.name, g.c.match, g.c.enroll, s.c.looked_for, s.c.looked_to)
    .select_from(g.outerjoin(s, s.c.group_id == g.c.id))
    .where(sa.not_(g.c.archived))
    .order_by(g.c.id)
)
_LIVE: Final = (
    sa.select(j.c.id, j.c.name, j.c.live_version_id, v.c.number, v.c.send_budget)
    .join(v, v.c.id == j.c.live_version_id)
    .where(j.c.state == literal(JourneyState.LIVE.value))
    .order_by(j.c.id)
)
_MOST: Final = bindparam("most", type_=sa.Integer())


def _taken(due: sa.ColumnElement[bool], order: sa.ColumnElement[Any]) -> Any:
    """A DELETE of the notes that are due, those that others have in hand left to them (ENGINE C4)."""
    noted = sa.select(k.c.id).where(due).order_by(order).limit(_MOST).with_for_update(skip_locked=True).cte("noted")
    return sa.delete(k).where(k.c.id.in_(sa.select(noted.c.id))).returning(k.c.person_id)


_CHANGED: Final = _taken(k.c.look_at.is_(None), k.c.id)
_TURNED: Final = _taken(sa.and_(k.c.look_at.is_not(None), k.c.look_at <= _NOW), k.c.look_at)
_PLANNED_GONE: Final = sa.delete(k).where(among(k.c.person_id, "ids"), k.c.look_at.is_not(None))
_STATE: Final = sa.select(s.c.looked_for, s.c.looked_to).where(s.c.group_id == _OF).with_for_update()
_PAGE: Final = sa.select(p.c.id).where(p.c.id > bindparam("after", type_=sa.BigInteger())).order_by(p.c.id).limit(_MOST)
_INSIDE: Final = sa.select(m.c.group_id, m.c.person_id).where(among(m.c.person_id, "ids"), m.c.left_at.is_(None))
_RECORDS_INSIDE: Final = (
    sa.select(gr.c.group_id, gr.c.person_id, gr.c.record_id)
    .select_from(gr.outerjoin(r, r.c.id == gr.c.record_id))
    .where(
        among(gr.c.person_id, "ids"),
        gr.c.left_at.is_(None),
        sa.or_(r.c.kind.is_(None), r.c.kind == bindparam("of_kind")),
    )
)
_LEAVE: Final = (
    sa.update(m).where(m.c.group_id == _OF, among(m.c.person_id, "ids"), m.c.left_at.is_(None)).values(left_at=_NOW)
)
_LEAVE_RECORDS: Final = (
    sa.update(gr).where(gr.c.group_id == _OF, among(gr.c.record_id, "ids"), gr.c.left_at.is_(None)).values(left_at=_NOW)
)
_WAITING: Final = sa.select(w).where(among(w.c.person_id, "ids")).order_by(w.c.entered_at, w.c.id)
_WAIT_NO_LONGER: Final = sa.delete(w).where(
    w.c.person_id == bindparam("of_person"),
    w.c.journey_id == bindparam("of_journey"),
    w.c.record_id == bindparam("of_record"),
)
_ADDRESSES: Final = sa.select(p.c.id, p.c.email, p.c.phone).where(among(p.c.id, "ids"))
_NO_RECORD: Final = 0


class GroupDoor(Door):
    """Implements group_ports.Groups."""

    def rules(self) -> Sequence[GroupRow]:
        """Every group in use, by id."""
        return [_group(row) for row in self._rows(_RULES)]

    def live_journeys(self) -> Sequence[LiveJourney]:
        """Every live journey, by id. Raises DocumentError for one that this Stopwell can't read."""
        rows = self._rows(_LIVE)
        kept = Versions(self._connection, self._memory).take([JourneyVersionId(row.live_version_id) for row in rows])
        return [
            LiveJourney(
                id=JourneyId(row.id),
                name=row.name,
                version_id=JourneyVersionId(row.live_version_id),
                number=row.number,
                send_budget=row.send_budget,
                journey=kept[JourneyVersionId(row.live_version_id)].journey,
            )
            for row in rows
        ]

    # ---- who is to be looked at

    def due(self, now: datetime, limit: int) -> Sequence[PersonId]:
        """Who is to be looked at by now, by id; the notes of it are taken away."""
        found = self._rows(_CHANGED, most=limit)
        if len(found) < limit:
            found += self._rows(_TURNED, most=limit - len(found), now=now)
        return [PersonId(person_id) for person_id in sorted({row.person_id for row in found})]

    def forget_looks(self) -> None:
        """Take every note away: there is no group to look for."""
        self._connection.execute(sa.delete(k))

    def look_again(self, looks: Mapping[PersonId, datetime]) -> None:
        """Note when to look at these people again."""
        if looks:
            rows = [{"person_id": person_id, "look_at": at} for person_id, at in looks.items()]
            self._connection.execute(sa.insert(k), rows)

    def forget_looks_at(self, ids: Collection[PersonId]) -> None:
        """Take away when these people were to be looked at again."""
        self._connection.execute(_PLANNED_GONE, {"ids": ids})

    def begin_whole(self, group_id: GroupId, looked_for: JsonDocument) -> None:
        """Look at everybody for this group from the beginning."""
        self._connection.execute(self._absent(s), {"group_id": group_id, "looked_for": {}, "looked_to": 0})
        begun = sa.update(s).where(s.c.group_id == _OF).values(looked_for=plain(looked_for), looked_to=0)
        self._connection.execute(begun, {"of_group": group_id})

    def whole_to(self, group_id: GroupId) -> tuple[JsonDocument, PersonId | None] | None:
        """What the look at everybody is for and how far it has come, locked; None before the first."""
        found = self._rows(_STATE, of_group=group_id)
        if not found:
            return None
        return found[0].looked_for, None if found[0].looked_to is None else PersonId(found[0].looked_to)

    def came_to(self, group_id: GroupId, person_id: PersonId | None) -> None:
        """The look at everybody has come to this person; None: it is done."""
        self._connection.execute(
            sa.update(s).where(s.c.group_id == _OF).values(looked_to=person_id), {"of_group": group_id}
        )

    def page(self, after: PersonId, limit: int) -> Sequence[PersonId]:
        """The next people by id, erased ones too."""
        return [PersonId(row.id) for row in self._rows(_PAGE, after=after, most=limit)]

    # ---- who matches, and who is in

    def matching(self, rule: Condition, ids: Collection[PersonId], now: datetime) -> frozenset[PersonId]:
        """Those of `ids` of whom the rule is true at `now`; nobody who was erased."""
        asked = sa.select(p.c.id).where(among(p.c.id, "ids"), p.c.erased_at.is_(None), matches(rule, now))
        return frozenset(PersonId(row.id) for row in self._rows(asked, ids=ids))

    def matching_records(self, rule: Condition, kind: RecordKind, ids: Collection[PersonId], now: datetime) -> Records:
        """The records of `kind` of these people, the rule being true with each as the only one of its kind."""
        asked = (
            sa.select(r.c.id, r.c.person_id)
            .join(p, p.c.id == r.c.person_id)
            .where(among(r.c.person_id, "ids"), r.c.kind == kind.value, p.c.erased_at.is_(None))
            .where(matches_record(rule, kind, r, now))
        )
        return frozenset((PersonId(row.person_id), RecordId(row.id)) for row in self._rows(asked, ids=ids))

    def inside(self, ids: Collection[PersonId]) -> Mapping[GroupId, frozenset[PersonId]]:
        """Who of `ids` is in which group."""
        found: defaultdict[GroupId, set[PersonId]] = defaultdict(set)
        for row in self._rows(_INSIDE, ids=ids):
            found[GroupId(row.group_id)].add(PersonId(row.person_id))
        return {group_id: frozenset(people) for group_id, people in found.items()}

    def records_inside(self, ids: Collection[PersonId], kind: RecordKind) -> Mapping[GroupId, Records]:
        """Which records of `kind` of these people are in which group; one that is gone since counts as every kind."""
        found: defaultdict[GroupId, set[tuple[PersonId, RecordId]]] = defaultdict(set)
        for row in self._rows(_RECORDS_INSIDE, ids=ids, of_kind=kind.value):
            found[GroupId(row.group_id)].add((PersonId(row.person_id), RecordId(row.record_id)))
        return {group_id: frozenset(records) for group_id, records in found.items()}

    def enter(self, group_id: GroupId, people: Collection[PersonId], now: datetime) -> None:
        """They are in from now on."""
        if people:
            rows = [{"group_id": group_id, "person_id": person_id, "entered_at": now} for person_id in sorted(people)]
            self._connection.execute(self._absent(m), rows)

    def leave(self, group_id: GroupId, people: Collection[PersonId], now: datetime) -> None:
        """They are in no longer; that they were stays."""
        if people:
            self._connection.execute(_LEAVE, {"of_group": group_id, "ids": people, "now": now})

    def enter_records(self, group_id: GroupId, records: Records, now: datetime) -> None:
        """These records are in from now on."""
        if records:
            rows = [
                {"group_id": group_id, "person_id": person_id, "record_id": record_id, "entered_at": now}
                for person_id, record_id in sorted(records)
            ]
            self._connection.execute(self._absent(gr), rows)

    def leave_records(self, group_id: GroupId, records: Records, now: datetime) -> None:
        """These records are in no longer."""
        if records:
            ids = [record_id for _, record_id in records]
            self._connection.execute(_LEAVE_RECORDS, {"of_group": group_id, "ids": ids, "now": now})

    # ---- who waits to be let in

    def waiting(self, ids: Collection[PersonId]) -> Sequence[WaitingEntry]:
        """Who of these people waits to be let in, longest first."""
        return [_entry(row) for row in self._rows(_WAITING, ids=ids)]

    def wait(self, entries: Sequence[WaitingEntry]) -> None:
        """Note that these wait, in the place of what was noted about the same."""
        self.wait_no_longer(entries)
        if entries:
            self._connection.execute(sa.insert(w), [_waits(entry) for entry in entries])

    def wait_no_longer(self, entries: Sequence[WaitingEntry]) -> None:
        """They were let in, or there is no reason any more."""
        if entries:
            self._connection.execute(
                _WAIT_NO_LONGER,
                [
                    {
                        "of_person": entry.person_id,
                        "of_journey": entry.journey_id,
                        "of_record": entry.record_id or _NO_RECORD,
                    }
                    for entry in entries
                ],
            )

    def unreachable(self, ids: Collection[PersonId], channels: Collection[Channel]) -> frozenset[PersonId]:
        """Those of `ids` who have an address for some of `channels` and may be contacted by none of them (I10)."""
        wanted = self._addresses(ids, channels)
        open_ones = self._open(wanted)
        return frozenset(person_id for person_id, own in wanted.items() if own and person_id not in open_ones)

    def reachable(self, ids: Collection[PersonId], channels: Collection[Channel]) -> frozenset[PersonId]:
        """Those of `ids` who have an address on one of `channels` that may be used; all of them for no channel."""
        return self._open(self._addresses(ids, channels)) if channels else frozenset(ids)

    def _open(self, wanted: Mapping[PersonId, frozenset[tuple[Channel, str]]]) -> frozenset[PersonId]:
        closed = Suppressions(self._connection, self._memory).among({each for own in wanted.values() for each in own})
        return frozenset(person_id for person_id, own in wanted.items() if own - closed)

    def _addresses(
        self, ids: Collection[PersonId], channels: Collection[Channel]
    ) -> dict[PersonId, frozenset[tuple[Channel, str]]]:
        return {
            PersonId(row.id): frozenset(
                (channel, address)
                for channel in channels
                if (address := row.email if channel is Channel.EMAIL else row.phone)
            )
            for row in self._rows(_ADDRESSES, ids=ids)
        }


def _group(row: Any) -> GroupRow:
    return GroupRow(
        id=GroupId(row.id),
        name=row.name,
        match=row.match,
        enroll=row.enroll,
        looked_for=row.looked_for,
        looked_to=None if row.looked_to is None else PersonId(row.looked_to),
    )


def _entry(row: Any) -> WaitingEntry:
    return WaitingEntry(
        group_id=GroupId(row.group_id),
        journey_id=JourneyId(row.journey_id),
        person_id=PersonId(row.person_id),
        record_id=None if row.record_id == _NO_RECORD else RecordId(row.record_id),
        entered_at=row.entered_at,
        from_at=row.from_at,
    )


def _waits(entry: WaitingEntry) -> dict[str, Any]:
    return {
        "group_id": entry.group_id,
        "journey_id": entry.journey_id,
        "person_id": entry.person_id,
        "record_id": entry.record_id or _NO_RECORD,
        "entered_at": entry.entered_at,
        "from_at": entry.from_at,
    }
