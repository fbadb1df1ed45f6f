"""What setting a person's time zone needs of the store. As office_ports.py, apart from it for its length."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from app.domain.ids import PersonId
from app.engine.ports import UnitOfWork


class ZoneRows(Protocol):
    """The door for the time zone that a person has confirmed, or staff for them."""

    def set(self, person_id: PersonId, zone: str, at: datetime) -> str | None:
        """Keep `zone` (IANA) as the person's own field `zone`, in place of any other; what they had, or empty.

        None for somebody who is not here or whose details were erased.
        """
        ...


class ZonesUow(UnitOfWork, Protocol):
    """A transaction that can set people's time zones."""

    zones: ZoneRows
