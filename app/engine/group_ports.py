"""What the look at groups needs of the store: rules, who is to be looked at, who is in and was, who waits to be let in.

Same rules as ports.py. What each table holds: store/tables_groups.py.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from app.domain.condition_tree import Condition
from app.domain.group_lines import Found, GroupLine, GroupPage, IdleLine
from app.domain.ids import GroupId, JourneyId, JourneyVersionId, PersonId, RecordId
from app.domain.journey import Journey
from app.domain.record import RecordKind
from app.domain.states import Channel
from app.engine.office_rows import JsonDocument
from app.engine.ports import UnitOfWork


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A group in use. looked_for: what everybody was looked at for last, None before the first look.

    looked_to: up to whom that look has come; None when it is done.
    """

    id: GroupId
    name: str
    match: JsonDocument
    enroll: JsonDocument | None
    looked_for: JsonDocument | None
    looked_to: PersonId | None

    @property
    def enrolls_in(self) -> str | None:
        """The journey that the group itself puts people in; None for a list to look at."""
        return None if self.enroll is None else str(self.enroll["journey"])

    @property
    def takes_existing(self) -> bool:
        """Whether also those who match already enter it."""
        return bool(self.enroll and self.enroll.get("existing"))


@dataclass(frozen=True, slots=True)
class LiveJourney:
    """A journey that takes people in, with its live version."""

    id: JourneyId
    name: str
    version_id: JourneyVersionId
    number: int
    send_budget: int
    journey: Journey

    def takes_from(self, group: GroupRow) -> bool:
        """Whether the journey says that the group puts people in, or the group does."""
        enter = self.journey.enter
        return (enter is not None and enter.group == group.name) or group.enrolls_in == self.name


@dataclass(frozen=True, slots=True)
class WaitingEntry:
    """Somebody who entered a group and may not be let into its journey yet. record_id: None for the person.

    from_at: not before this instant; None while another follow-up of theirs in the journey is under way.
    """

    group_id: GroupId
    journey_id: JourneyId
    person_id: PersonId
    record_id: RecordId | None
    entered_at: datetime
    from_at: datetime | None


Records = frozenset[tuple[PersonId, RecordId]]


class Groups(Protocol):
    """Groups, as the engine follows them."""

    def rules(self) -> Sequence[GroupRow]:
        """Every group in use, by id."""
        ...

    def live_journeys(self) -> Sequence[LiveJourney]:
        """Every live journey, by id. Raises DocumentError for one that this Stopwell can't read."""
        ...

    def due(self, now: datetime, limit: int) -> Sequence[PersonId]:
        """Who is to be looked at by now, by id, at most `limit` notes of them, which are taken away.

        Notes that another engine has in hand are left to it. Nobody: nothing is due.
        """
        ...

    def forget_looks(self) -> None:
        """Take every note away: there is no group to look for."""
        ...

    def begin_whole(self, group_id: GroupId, looked_for: JsonDocument) -> None:
        """Look at everybody for this group from the beginning; the look that stood before is over."""
        ...

    def whole_to(self, group_id: GroupId) -> tuple[JsonDocument, PersonId | None] | None:
        """What the look at everybody is for and how far it has come, locked; None before the first."""
        ...

    def came_to(self, group_id: GroupId, person_id: PersonId | None) -> None:
        """The look at everybody has come to this person; None: it is done."""
        ...

    def page(self, after: PersonId, limit: int) -> Sequence[PersonId]:
        """The next people by id, erased ones too."""
        ...

    def matching(self, rule: Condition, ids: Collection[PersonId], now: datetime) -> frozenset[PersonId]:
        """Those of `ids` of whom the rule is true at `now`; nobody who was erased."""
        ...

    def matching_records(self, rule: Condition, kind: RecordKind, ids: Collection[PersonId], now: datetime) -> Records:
        """The records of `kind` of these people, the rule being true with each as the only one of its kind."""
        ...

    def inside(self, ids: Collection[PersonId]) -> Mapping[GroupId, frozenset[PersonId]]:
        """Who of `ids` is in which group."""
        ...

    def records_inside(self, ids: Collection[PersonId], kind: RecordKind) -> Mapping[GroupId, Records]:
        """Which records of `kind` of these people are in which group; one that is gone since counts as every kind."""
        ...

    def enter(self, group_id: GroupId, people: Collection[PersonId], now: datetime) -> None: ...
    def leave(self, group_id: GroupId, people: Collection[PersonId], now: datetime) -> None: ...
    def enter_records(self, group_id: GroupId, records: Records, now: datetime) -> None: ...
    def leave_records(self, group_id: GroupId, records: Records, now: datetime) -> None: ...

    def look_again(self, looks: Mapping[PersonId, datetime]) -> None:
        """Note when to look at these people again."""
        ...

    def forget_looks_at(self, ids: Collection[PersonId]) -> None:
        """Take away when these people were to be looked at again."""
        ...

    def waiting(self, ids: Collection[PersonId]) -> Sequence[WaitingEntry]:
        """Who of these people waits to be let in, longest first."""
        ...

    def wait(self, entries: Sequence[WaitingEntry]) -> None:
        """Note that these wait, in the place of what was noted about the same."""
        ...

    def wait_no_longer(self, entries: Sequence[WaitingEntry]) -> None:
        """They were let in, or there is no reason any more."""
        ...

    def unreachable(self, ids: Collection[PersonId], channels: Collection[Channel]) -> frozenset[PersonId]:
        """Those of `ids` who have an address for some of `channels` and may be contacted by none of them (I10)."""
        ...


class GroupReads(Protocol):
    """SELECTs about groups for screens and commands."""

    def groups(self, since: datetime) -> Sequence[GroupLine]:
        """Every group in use, by name; `entered` counts from `since`."""
        ...

    def group(self, name: str, since: datetime, most: int) -> GroupPage | None:
        """The group of that name; None when there is none. most: members and lines of history."""
        ...

    def found(self, rule: Condition, now: datetime, most: int) -> Found:
        """Of whom the rule is true at `now`, whether or not it is a group's: how many, and the names of `most`."""
        ...

    def idle(self) -> Sequence[IdleLine]:
        """Live journeys in which nobody is and whose groups can bring in nobody as they are now, by name."""
        ...


class GroupsUow(UnitOfWork, Protocol):
    """A transaction with the door to groups beside the engine's."""

    groups: Groups
