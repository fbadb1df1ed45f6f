"""The rows of the queue: one live follow-up each, under heads by when they are due."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject

from app.domain.ids import EnrollmentId, PersonId
from app.domain.lines import QueueLine
from app.domain.states import LIVE
from app.ui.components.columns import STOP_COLUMN, Column
from app.ui.components.roles import Cell, CellButtons, CellChip, CellText, Tile, stop_of
from app.ui.desk import Desk
from app.ui.line_model import LineModel
from app.ui.list_sections import Part
from app.ui.people.whom import nameless
from app.ui.queue.due_words import due_of, goes_by_itself, held_of
from app.ui.queue.reading import read_rows
from app.ui.state_chips import step_icon
from app.ui.words import Where, address_words, step_name

_LOCATION_FROM = 820  # in a narrower table the other columns need its room; the time tells the zone


def queue_columns(words: Sequence[str]) -> tuple[Column, ...]:
    """The columns; `words` are their heads. The last one is Stop's."""
    due, person, step, location, held = words
    return (
        Column(due, 178, rigid=True),
        Column(person, 196, 1),
        Column(step, 242, 1.25),
        Column(location, 102, shown_from=_LOCATION_FROM),
        Column(held, 274),
        STOP_COLUMN,
    )


class QueueModel(LineModel[EnrollmentId, QueueLine]):
    """Follow-ups, in the order of their instant."""

    def __init__(self, desk: Desk, columns: Sequence[Column], parent: QObject | None = None) -> None:
        open_reader = desk.open_reader

        def read(ids: Sequence[EnrollmentId]) -> Mapping[EnrollmentId, QueueLine]:
            return read_rows(open_reader, ids)

        super().__init__(desk, columns, read, parent)

    def person_of(self, line: QueueLine) -> PersonId:
        """Whom the follow-up is with."""
        return line.person_id

    def made(self, line: QueueLine, part: Part | None) -> tuple[Cell, ...]:
        """Due, person, step, location, what holds it, Stop."""
        where = Where(line.zone, self._desk.now())
        name = line.name or nameless(line.person_id)
        due, then = due_of(line, where, part, paused=self._paused)
        address = address_words(_address(line), self._desk.country)
        journey = f"{line.journey} v{line.version}"
        stop = stop_of(name, running=line.state in LIVE, pressed=line.person_id in self._pressed)
        return (
            CellText(due, then, bold=goes_by_itself(line)),
            CellText(name, address, bold=True),
            CellText(step_name(line.step), journey, tile=Tile(step_icon(line.step.kind))),
            CellText(line.location, quiet=True),
            CellChip(held_of(line, where, paused=self._paused), self.tr("not held")),
            CellButtons((stop,)),
        )


def _address(line: QueueLine) -> str:
    first, second = (line.email, line.phone) if line.step.kind == "email" else (line.phone, line.email)
    return first or second or ""
