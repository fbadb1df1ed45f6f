"""What moving people to a new version needs of the store. As office_ports.py, apart from it for its length."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from app.domain.ids import EnrollmentId, JourneyId, JourneyVersionId
from app.domain.journey import Journey
from app.domain.moving import Insider
from app.domain.states import WaitsFor
from app.engine.ports import UnitOfWork


@dataclass(frozen=True, slots=True)
class VersionMove:
    """One follow-up on another version, written only if `seen_version` of its row still stands (I9)."""

    id: EnrollmentId
    seen_version: int
    journey_version_id: JourneyVersionId
    send_budget: int
    waits_for: WaitsFor
    wake_at: datetime | None


class Moving(Protocol):
    """The door for moving those who are inside a journey to another version of it."""

    def lock_inside(self, journey_id: JourneyId) -> None:
        """Lock everybody who is inside, people first, then their follow-ups in this journey (ADR 0013)."""
        ...

    def inside(self, journey_id: JourneyId, but: JourneyVersionId | None) -> Sequence[Insider]:
        """Every live follow-up of the journey on any version but `but`, by id."""
        ...

    def journeys(self, ids: Collection[JourneyVersionId]) -> Mapping[JourneyVersionId, Journey]:
        """The documents of these versions, read. Raises DocumentError for one that this Stopwell can't read."""
        ...

    def move(self, moves: Sequence[VersionMove]) -> frozenset[EnrollmentId]:
        """Write the moves whose version still stands; the ids that were written."""
        ...


class MovingUow(UnitOfWork, Protocol):
    """A transaction that can move people to another version."""

    moving: Moving
