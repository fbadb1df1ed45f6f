"""The packet about one person or one stop: as a document, as a page to print, as a file that is there whole or not."""

from __future__ import annotations

import json
from importlib import metadata

from app import __version__
from app.domain.clock import Clock
from app.domain.errors import OperatorError
from app.domain.evidence import Evidence as Found
from app.domain.evidence import of_stop
from app.domain.evidence_packet import Versions, packet
from app.domain.evidence_page import page as made_page
from app.domain.evidence_redact import redacted
from app.domain.ids import InboxEventId, PersonId
from app.engine.office_ports import JsonDocument, OpenReader


class Evidence:
    """What was said to somebody, when they asked us to stop, and what came of it (DESIGN section 12)."""

    def __init__(self, open_reader: OpenReader, clock: Clock) -> None:
        self._open_reader = open_reader
        self._clock = clock

    def packet(self, person_id: PersonId, *, redact: bool, event_id: InboxEventId | None = None) -> JsonDocument:
        """The document `stopwell.evidence/1`, in JSON's own types, read in one moment.

        redact: without names, addresses and whatever anybody wrote. event_id: only what is about this stop. Raises
        OperatorError when there is no such person, or no such stop of theirs.
        """
        with self._open_reader() as reads:
            found = reads.evidence(person_id)
        if found is None:
            raise OperatorError(f"There is no person {person_id}.", "stopwell people lists them.")
        if event_id is not None:
            found = _narrowed(found, event_id)
        return packet(redacted(found) if redact else found, _versions(), self._clock.now())

    def page(self, document: JsonDocument) -> str:
        """The same packet as one HTML page to print: nothing outside it is needed to show it."""
        return made_page(document)

    def text(self, document: JsonDocument) -> str:
        """The same packet as JSON text, indented, keys in the packet's order."""
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _narrowed(found: Found, event_id: InboxEventId) -> Found:
    try:
        return of_stop(found, event_id)
    except KeyError as exc:
        ids = ", ".join(str(each.id) for each in found.events if each.is_stop) or "there is none"
        raise OperatorError(f"Event {event_id} is no stop of this person.", f"Theirs: {ids}.") from exc


def _versions() -> Versions:
    try:
        tzdata = metadata.version("tzdata")
    except metadata.PackageNotFoundError:
        tzdata = "of the system"
    return Versions(__version__, tzdata)
