"""What stands outside in a rehearsal: a clock that jumps, and a sender that keeps what it is given and sends nothing.

The engine between them is the real one, on a practice of its own that is thrown away.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from app.domain.answer import Absent, Accepted, Answer, Found, Health, LookUp, Works
from app.domain.ids import MessageId, PersonId
from app.domain.states import Channel
from app.engine.office_ports import OfficeUow, Reads
from app.engine.ports import AttemptNote


class Scratch(Protocol):
    """A throw-away practice: every door of a real one."""

    def open_uow(self) -> AbstractContextManager[OfficeUow]: ...
    def open_reader(self) -> AbstractContextManager[Reads]: ...
    def stops_since_note(self, message_ids: Collection[MessageId]) -> frozenset[MessageId]: ...


class OpenScratch(Protocol):
    """Opens one with the practice's documents and one person's rows.

    person_id: None for nobody. pinned: a journey and the number of the version of it that is to be live there.
    Raises OperatorError when there is no such version.
    """

    def __call__(
        self, person_id: PersonId | None, at: datetime, pinned: tuple[str, int] | None, /
    ) -> AbstractContextManager[Scratch]: ...


class VirtualClock:
    """A made-up time that goes only where it is set. Implements Clock."""

    def __init__(self, at: datetime) -> None:
        self._began = at
        self._at = at

    def now(self) -> datetime:
        """Where it stands. UTC."""
        return self._at

    def monotonic_s(self) -> float:
        """Seconds since it began: it is never set back."""
        return (self._at - self._began).total_seconds()

    def set(self, at: datetime) -> None:
        """Go on to `at`. Raises ValueError for a time that is over."""
        if at < self._at:
            raise ValueError(f"{at.isoformat()} is over")
        self._at = at


@dataclass(slots=True)
class KeepingSender:
    """Accepts everything, keeps it by its message's id, and sends nothing. Implements Sender."""

    clock: VirtualClock
    name: str = "rehearsal"
    channels: frozenset[Channel] = frozenset(Channel)
    rate: float | None = None
    kept: dict[MessageId, AttemptNote] = field(default_factory=dict)

    def send(self, note: AttemptNote) -> Answer:
        """Keep it."""
        self.kept[note.message_id] = note
        return Accepted(f"rehearsal-{note.message_id}", self.clock.now())

    def find(self, note: AttemptNote) -> LookUp:
        """Whether it was kept."""
        there = note.message_id in self.kept
        return Found(f"rehearsal-{note.message_id}", note.noted_at) if there else Absent(sure=True)

    def test(self) -> Health:
        """It works."""
        return Works()
