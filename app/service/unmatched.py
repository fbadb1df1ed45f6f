"""The list of what came in and fits nobody, or several: somebody says whose it is, or that it is nobody's (I17)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.clock import Clock
from app.domain.events import Applied
from app.domain.ids import InboxEventId, PersonId
from app.domain.lines import InboxEventLine
from app.engine.apply_event import match_event, set_event_aside
from app.engine.office_ports import OpenReader
from app.engine.ports import OpenUow
from app.service.again import again


@dataclass(frozen=True, slots=True)
class UnmatchedLine:
    """One of the list. candidates: people who have the address that it came from, by id."""

    event: InboxEventLine
    candidates: tuple[PersonId, ...]


class Unmatched:
    """Shows the list and takes things off it. by: who said so, as it is written in the log."""

    def __init__(self, open_uow: OpenUow, open_reader: OpenReader, clock: Clock) -> None:
        self._open_uow = open_uow
        self._open_reader = open_reader
        self._clock = clock

    def lines(self) -> Sequence[UnmatchedLine]:
        """What waits for somebody to say whose it is, newest first."""
        with self._open_reader() as reads:
            return [
                UnmatchedLine(event, tuple(reads.find_person(event.address)) if event.address else ())
                for event in reads.unmatched()
            ]

    def match(self, event_id: InboxEventId, person_id: PersonId, *, by: str) -> Applied:
        """It is this person's: applied, once, with everything that it does.

        Raises OperatorError when it is not on the list (any more), or there is no such person.
        """

        def match() -> Applied:
            with self._open_uow() as uow:
                return match_event(uow, event_id, person_id, by, self._clock.now())

        return again(match)

    def set_aside(self, event_id: InboxEventId, *, by: str) -> None:
        """Nobody's: it is kept, and off the list. Raises OperatorError when it is not on the list (any more)."""

        def set_aside() -> None:
            with self._open_uow() as uow:
                set_event_aside(uow, event_id, by, self._clock.now())

        again(set_aside)
