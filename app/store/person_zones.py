"""The time zone that a person has confirmed, or staff for them: one of the person's own fields."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from app.domain.ids import PersonId
from app.domain.legal_hours_zones import ZONE_FIELDS, field_word
from app.store.door import Door
from app.store.office_people import OfficePeople
from app.store.people import PeopleDoor

FIELD: Final = "zone"


class PersonZoneDoor(Door):
    """Implements zone_ports.ZoneRows."""

    def set(self, person_id: PersonId, zone: str, at: datetime) -> str | None:
        """Keep `zone` in place of any other; what they had, or empty. None for somebody who is not here or erased."""
        PeopleDoor(self._connection, self._memory).lock([person_id], to_write=True)
        people = OfficePeople(self._connection, self._memory)
        row = people.stored([person_id]).get(person_id)
        if row is None:
            return None
        before = {name: value for name, value in row["custom"].items() if field_word(name) in ZONE_FIELDS}
        if set(before.values()) != {zone}:
            others = {name: value for name, value in row["custom"].items() if name not in before}
            people.write({person_id: {**row, "custom": {**others, FIELD: zone}}}, at)
        return next((value for value in before.values() if value), "")
