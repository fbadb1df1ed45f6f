"""What the engine needs of consents: those that stand, those taken back, and when somebody last said no."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from app.domain.ids import ImportId, PersonId
from app.domain.snapshot import ConsentSeen, Person
from app.domain.states import Channel, Purpose


@dataclass(frozen=True, slots=True)
class ConsentNew:
    """A consent row to be appended."""

    person_id: PersonId
    channel: Channel
    purpose: Purpose
    act: str  # given | revoked
    address: str
    at: datetime
    how: str
    wording: str
    evidence: str
    recorded_by: str
    import_id: ImportId | None = None


class Consents(Protocol):
    """Consent rows: appended, never changed (RULES C1)."""

    def standing(self, person: Person) -> tuple[ConsentSeen, ...]:
        """Given, and not taken back since, for the addresses that the person has now."""
        ...

    def taken_back(self, person: Person) -> frozenset[tuple[Channel, Purpose]]:
        """Given once for the addresses that the person has now, and taken back since."""
        ...

    def add(self, rows: Sequence[ConsentNew], now: datetime) -> None:
        """Append; what was held for want of one that is given is asked again at `now`."""
        ...

    def last_wish(self, person: Person, channel: Channel, keys: Collection[str]) -> datetime | None:
        """When the person last asked for no more by `channel`; None for never.

        keys: the normalised addresses. What was asked for from one of them before anybody was known counts.
        """
        ...

    def has(self, person_id: PersonId, channel: Channel, purpose: Purpose) -> bool:
        """Whether a consent stands for the address that the person has now."""
        ...
