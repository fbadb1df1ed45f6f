"""Which groups are followed: each group's rule, the live journeys that take from it, and what a look is for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.condition_changes import is_timed
from app.domain.condition_format import parse_condition
from app.domain.condition_tree import Condition
from app.domain.errors import DocumentError
from app.domain.journey import CONTACT_STEPS
from app.domain.record import RecordKind
from app.domain.states import Channel
from app.engine.entering import Entry
from app.engine.group_ports import GroupRow, LiveJourney
from app.engine.office_ports import JsonDocument

_BY_ITSELF: Final = ""


@dataclass(frozen=True, slots=True)
class Feed:
    """A live journey that takes from a group. entry: as by itself. existing: also those who match already."""

    entry: Entry
    existing: bool

    @property
    def kind(self) -> RecordKind | None:
        """The kind of record that one follow-up stands for; None for the person."""
        return self.entry.per.record_kind

    @property
    def channels(self) -> frozenset[Channel]:
        """The channels on which it says anything."""
        steps = self.entry.journey.steps.values()
        return frozenset(step.channel for step in steps if isinstance(step, CONTACT_STEPS))


@dataclass(frozen=True, slots=True)
class Followed:
    """A group with its rule read, and what takes from it. kinds: of records that are followed beside the people.

    looked_for: what everybody has to have been looked at for, once.
    """

    row: GroupRow
    rule: Condition
    feeds: tuple[Feed, ...]
    kinds: tuple[RecordKind, ...]
    looked_for: JsonDocument

    @property
    def timed(self) -> bool:
        """Whether the passing of time alone may bring people in or out."""
        return is_timed(self.rule)

    @property
    def is_complete(self) -> bool:
        """Whether everybody was looked at by the rule as it stands."""
        return self.row.looked_for == self.looked_for and self.row.looked_to is None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A group whose rule this Stopwell can't read, and why."""

    name: str
    because: str


@dataclass(frozen=True, slots=True)
class Coming:
    """A journey that is about to take from a group: so that who is in before is known before it does."""

    group: str
    kind: RecordKind | None


def followed(
    rows: Iterable[GroupRow], journeys: Sequence[LiveJourney], coming: Coming | None = None
) -> tuple[list[Followed], list[Unreadable]]:
    """Every group, and those that can't be followed."""
    found: list[Followed] = []
    unreadable: list[Unreadable] = []
    for row in rows:
        try:
            rule = parse_condition(row.match, in_journey=False)
        except DocumentError as refused:
            unreadable.append(Unreadable(row.name, refused.told))
            continue
        feeds = tuple(_feed(row, rule, each) for each in journeys if each.takes_from(row))
        kinds = {feed.kind for feed in feeds} | ({coming.kind} if coming and coming.group == row.name else set())
        followed_kinds = tuple(sorted(kind for kind in kinds if kind is not None))
        looked_for = {
            "match": row.match,
            "records": [kind.value for kind in followed_kinds],
            "existing": sorted(feed.entry.journey_id for feed in feeds if feed.existing),
        }
        found.append(Followed(row, rule, feeds, followed_kinds, looked_for))
    return found, unreadable


def _feed(row: GroupRow, rule: Condition, live: LiveJourney) -> Feed:
    entry = Entry(
        journey_id=live.id,
        name=live.name,
        version_id=live.version_id,
        number=live.number,
        journey=live.journey,
        send_budget=live.send_budget,
        by=_BY_ITSELF,
        reason=f"came into the group {row.name}",
        rule=rule,
    )
    return Feed(entry, row.enrolls_in == live.name and row.takes_existing)
