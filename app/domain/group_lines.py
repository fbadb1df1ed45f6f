"""What is shown of groups: one a line, one whole, who a rule would find, and journeys that nobody is left for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.domain.ids import GroupId, PersonId


@dataclass(frozen=True, slots=True)
class GroupLine:
    """One group. rule: in words; "" for one that can't be read. members: who is in now, as of the last look.

    entered: who came in since `since`. journeys: the live ones that take from it. waiting: who came and waits.
    complete: False while everybody is still being looked at for a new rule.
    """

    id: GroupId
    name: str
    rule: str
    members: int
    entered: int
    journeys: tuple[str, ...]
    waiting: int
    complete: bool


@dataclass(frozen=True, slots=True)
class MemberLine:
    """Somebody's stay in a group. left_at: None while they are in. zone: of their location."""

    person_id: PersonId
    name: str
    entered_at: datetime
    left_at: datetime | None
    zone: str


@dataclass(frozen=True, slots=True)
class GroupPage:
    """One group whole. members: who came last, of those who are in; history: comings and leavings, newest first."""

    line: GroupLine
    members: tuple[MemberLine, ...]
    history: tuple[MemberLine, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """Of whom a rule is true now: how many, and the names of some."""

    count: int
    sample: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IdleLine:
    """A live journey in which nobody is, and whose group can bring in nobody.

    members: how many are in the group: none, or none who may be contacted on a channel of the journey.
    """

    journey: str
    group: str
    members: int

    def told(self) -> str:
        """Why, in words."""
        if not self.members:
            return f"idle: nobody is in its group {self.group}"
        who = "the 1 person" if self.members == 1 else f"all {self.members} people"
        return f"idle: {who} in its group {self.group} may not be contacted"
