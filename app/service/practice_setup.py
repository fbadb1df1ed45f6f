"""A new practice: its name, its zone, and a first location with ordinary office hours to begin with."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from app.domain.clock import Clock
from app.domain.errors import OperatorError
from app.domain.ids import LocationId
from app.domain.people_phone import check_region
from app.domain.snapshot import Practice
from app.domain.zones import zone_named
from app.engine.office_ports import LocationRow, OpenOfficeUow
from app.engine.ports import LogLine

FIRST_LOCATION = "Main"
PER_DAY, PER_WEEK = 1, 3  # RULES A5
OFFICE_HOURS = {day: [["09:00", "17:00"]] for day in ("mon", "tue", "wed", "thu", "fri")}


@dataclass(frozen=True, slots=True)
class NewPractice:
    """A practice to be made. zone: an IANA name. country: two letters. Raises OperatorError for a wrong one."""

    name: str
    zone: str
    country: str = "US"

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise OperatorError("The practice has no name.", "Give it with --practice NAME.")
        if any(unicodedata.category(letter) == "Cc" for letter in self.name.strip()):
            raise OperatorError("The practice's name holds a line break or a control character.", "Take it away.")
        zone_named(self.zone)
        check_region(self.country)


class PracticeSetup:
    """Makes the first rows of an empty database."""

    def __init__(self, open_uow: OpenOfficeUow, clock: Clock) -> None:
        self._open_uow = open_uow
        self._clock = clock

    def make(self, new: NewPractice, *, by: str) -> None:
        """Write the practice, in practice mode, and its first location. Raises OperatorError when there is one."""
        with self._open_uow() as uow:
            there = uow.documents.practice()
            if there is not None:
                raise OperatorError(f"This database holds the practice {there.name} already.", "Name another database.")
            now = self._clock.now()
            practice = Practice(new.name.strip(), new.country.upper(), "", "", PER_DAY, PER_WEEK)
            uow.documents.save_practice(practice, now)
            uow.documents.set_practice_mode(True)
            uow.documents.save_location(first_location(new.zone), now)
            uow.log.add([LogLine(now, "practice.made", by)])


def first_location(zone: str) -> LocationRow:
    """The location that a new practice begins with; it gives way to the first one that staff write themselves."""
    return LocationRow(
        id=LocationId(0),  # given by the database
        name=FIRST_LOCATION,
        zone=zone,
        hours=OFFICE_HOURS,
        closures=(),
        holidays=None,
        phone=None,
        email=None,
        postal_address="",
    )
