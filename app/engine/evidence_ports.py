"""What the packet about one person needs of the store, in one read transaction."""

from __future__ import annotations

from typing import Protocol

from app.domain.evidence import Evidence
from app.domain.ids import PersonId


class EvidenceReads(Protocol):
    """Reads evidence."""

    def evidence(self, person_id: PersonId) -> Evidence | None:
        """Everything that is kept about one person, for the packet that is handed out; None when there is none."""
        ...
