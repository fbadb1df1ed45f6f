"""Groups: which there are, who is in, whom a rule would find; and the look to be made before a journey goes live."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from app.domain.clock import Clock
from app.domain.condition_format import parse_condition
from app.domain.documents import RawDocument
from app.domain.errors import OperatorError
from app.domain.group_lines import Found, GroupLine, GroupPage, IdleLine
from app.domain.journey_format import read_journey
from app.domain.problem import nearest
from app.domain.proof import Unprovable, prove
from app.engine.groups import LookAtGroups
from app.engine.groups_followed import Coming
from app.engine.office_ports import JourneyRow, JsonDocument, OfficeUow, OpenOfficeUow, OpenReader

LATELY: Final = timedelta(days=7)
SHOWN: Final = 50
SAMPLE: Final = 5


@dataclass(frozen=True, slots=True)
class AlreadyIn:
    """Who is in a journey's group as it goes live, and does not enter by that (CASES 104).

    each: the most messages that one of them would get. existing: the group says that they enter all the same.
    """

    group: str
    found: Found
    each: int
    existing: bool


class GroupLists:
    """What is shown of groups."""

    def __init__(self, open_uow: OpenOfficeUow, open_reader: OpenReader, clock: Clock) -> None:
        self._open_uow = open_uow
        self._open_reader = open_reader
        self._clock = clock

    def groups(self) -> Sequence[GroupLine]:
        """Every group, by name, with who came in within the last seven days."""
        with self._open_reader() as reads:
            return reads.groups(self._clock.now() - LATELY)

    def group(self, name: str) -> GroupPage:
        """One group whole. Raises OperatorError for a name that there is not."""
        with self._open_reader() as reads:
            page = reads.group(name, self._clock.now() - LATELY, SHOWN)
            if page is None:
                near = nearest(name, (line.name for line in reads.groups(self._clock.now())))
                raise OperatorError(f"There is no group {name}.", f"Did you mean {near}?" if near else "")
        return page

    def found(self, rule: Mapping[str, object], most: int = SAMPLE) -> Found:
        """Whom a rule, as a document writes it, would find now. Raises DocumentError for one that is wrong."""
        condition = parse_condition(rule, in_journey=False)
        with self._open_reader() as reads:
            return reads.found(condition, self._clock.now(), most)

    def idle(self) -> Sequence[IdleLine]:
        """Live journeys that nobody is left for."""
        with self._open_reader() as reads:
            return reads.idle()

    def already_in(self, journey: str) -> Sequence[AlreadyIn]:
        """For each group that the journey takes from, as it would be published: who matches now.

        Nothing for a journey that there is not. Raises DocumentError for one, or a rule, that can't be read.
        """
        with self._open_uow() as uow:
            row = uow.documents.journey(journey)
            document = None if row is None else _to_publish(row)
            if row is None or document is None:
                return []
            read = read_journey(RawDocument(document))
            takes = _takes(uow, row)
        proof = prove(read)
        each = 0 if isinstance(proof, Unprovable) else proof.send_budget
        return [AlreadyIn(name, self.found(match), each, existing) for name, match, existing in takes]


def know_members(open_uow: OpenOfficeUow, journey: str | None, now: datetime) -> None:
    """Look at everybody who is to be looked at, so that who is in a group is known before anything takes from it.

    journey: about to go live; None for after a group's rule was saved. Whatever changed up to now brings nobody into
    it. Other journeys take in whom they would have taken at the next pass.
    """
    coming: Coming | None = None
    if journey is not None:
        with open_uow() as uow:
            coming = _coming(uow.documents.journey(journey))
    LookAtGroups(open_uow, rests=False).run(now, coming)


def _coming(row: JourneyRow | None) -> Coming | None:
    document = None if row is None else _to_publish(row)
    enter = None if document is None else read_journey(RawDocument(document)).enter
    return None if enter is None or enter.group is None else Coming(enter.group, enter.per.record_kind)


def _to_publish(row: JourneyRow) -> JsonDocument | None:
    return row.draft if row.draft is not None else row.live_document


def _takes(uow: OfficeUow, row: JourneyRow) -> list[tuple[str, Mapping[str, object], bool]]:
    coming = _coming(row)
    groups = [
        group
        for group in uow.groups.rules()
        if (coming is not None and group.name == coming.group) or group.enrolls_in == row.name
    ]
    return [(group.name, group.match, group.takes_existing and group.enrolls_in == row.name) for group in groups]
