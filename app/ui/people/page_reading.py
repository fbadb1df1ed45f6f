"""What a person's page asks the database, for a reader's thread. Captures values, never widgets."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from app.domain.ids import PersonId
from app.domain.person_lines import PersonPage
from app.domain.states import JourneyState
from app.engine.office_ports import OpenReader
from app.ui.when import local


class Journeys(NamedTuple):
    """The journeys that somebody can be started in."""

    live: tuple[str, ...]


def read_page(open_reader: OpenReader, person_id: PersonId, now: datetime) -> PersonPage | None:
    """Everything about one person; None when there is no such person."""
    with open_reader() as reads:
        return reads.person(person_id, now)


def read_live_journeys(open_reader: OpenReader) -> Journeys:
    """The names of the journeys that take people in, as they are listed."""
    with open_reader() as reads:
        return Journeys(tuple(line.name for line in reads.journeys() if line.state is JourneyState.LIVE))


def next_opening(open_reader: OpenReader, location: str, now: datetime) -> datetime | None:
    """When the location opens next: later today or, while it is open, on another day. None: not in a year."""
    with open_reader() as reads:
        place = next((line for line in reads.locations(now) if line.name == location), None)
        if place is None or not place.open_now:
            return place.next_open if place is not None else None
        tomorrow = local(now, place.zone).replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
        later = next((line for line in reads.locations(tomorrow) if line.name == location), None)
        return later.next_open if later is not None else None


def opening_from(open_reader: OpenReader, location: str, at: datetime) -> datetime | None:
    """The first instant from `at` on at which the location is open; None: not in a year."""
    with open_reader() as reads:
        return next((line.next_open for line in reads.locations(at) if line.name == location), None)
