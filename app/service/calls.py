"""The front desk's calls: the list of those that can be made now, and how one went."""

from __future__ import annotations

from collections.abc import Sequence

from app.domain.call_lines import CallLine
from app.domain.call_outcome import CallOutcome
from app.domain.clock import Clock
from app.domain.errors import OperatorError
from app.domain.ids import LocationId, MessageId
from app.domain.problem import nearest
from app.engine.calls import CallNoted, CallTold, note_outcome
from app.engine.office_ports import OpenReader
from app.engine.ports import OpenUow
from app.service.again import again


class Calls:
    """Whom to call, and what came of it."""

    def __init__(self, open_uow: OpenUow, open_reader: OpenReader, clock: Clock) -> None:
        self._open_uow = open_uow
        self._open_reader = open_reader
        self._clock = clock

    def lines(self, location_id: LocationId | None = None) -> Sequence[CallLine]:
        """The calls that every guard lets be made now, those that leave the list first on top. None: everywhere."""
        with self._open_reader() as reads:
            return reads.calls(location_id, self._clock.now())

    def location(self, name: str) -> LocationId:
        """The location of that name. Raises OperatorError, with the nearest name, when there is none."""
        with self._open_reader() as reads:
            places = {place.name: place.id for place in reads.locations(self._clock.now())}
        found = next((id_ for known, id_ in places.items() if known.casefold() == name.strip().casefold()), None)
        if found is None:
            near = nearest(name, list(places))
            raise OperatorError(
                f"There is no location {name}.", f"Did you mean {near}?" if near else f"Known: {', '.join(places)}."
            )
        return found

    def record(self, message_id: MessageId, outcome: CallOutcome, *, by: str, note: str = "") -> CallNoted:
        """Write down how a call went, with all that follows, in one transaction. by: who called; note: theirs to keep.

        Raises CallOver when somebody else was quicker, OperatorError when there is no such call.
        """
        told = CallTold(message_id, outcome, by, note)

        def note_it() -> CallNoted:
            with self._open_uow() as uow:
                return note_outcome(uow, told, self._clock.now())

        return again(note_it)
