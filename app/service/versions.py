"""A journey's versions: which there are, and what is another between two."""

from __future__ import annotations

from collections.abc import Sequence

from app.domain.documents import RawDocument
from app.domain.errors import OperatorError
from app.domain.journey_diff import journey_differences
from app.domain.journey_format import read_journey
from app.domain.problem import nearest
from app.engine.office_ports import JourneyRow, JsonDocument, OfficeUow, OpenOfficeUow, VersionRow

DRAFT = "draft"


class Versions:
    """Reads a journey's versions."""

    def __init__(self, open_uow: OpenOfficeUow) -> None:
        self._open_uow = open_uow

    def of(self, name: str) -> tuple[JourneyRow, Sequence[VersionRow]]:
        """The journey and its versions, the oldest first. Raises OperatorError for an unknown journey."""
        with self._open_uow() as uow:
            return _read(uow, name)

    def compare(self, name: str, old: str, new: str) -> tuple[str, ...]:
        """What is another in `new` than in `old`, a sentence each; each a number, or `draft`. Raises OperatorError."""
        row, versions = self.of(name)
        told: dict[str, JsonDocument] = {str(each.number): each.document for each in versions}
        if row.draft is not None:
            told[DRAFT] = row.draft
        for word in (old, new):
            if word not in told:
                raise OperatorError(f"{name} has no version {word}.", f"There are: {', '.join(told)}.")
        return journey_differences(read_journey(RawDocument(told[old])), read_journey(RawDocument(told[new])))


def _read(uow: OfficeUow, name: str) -> tuple[JourneyRow, Sequence[VersionRow]]:
    row = uow.documents.journey(name)
    if row is not None:
        return row, uow.documents.versions(row.id)
    near = nearest(name, (each.name for each in uow.documents.journeys()))
    hint = f"Did you mean {near}?" if near else "stopwell journeys lists them."
    raise OperatorError(f"There is no journey {name}.", hint)
