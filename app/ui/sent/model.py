"""The rows of Sent: one message each, newest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject

from app.domain.ids import MessageId, PersonId
from app.domain.lines import MessageLine
from app.ui.components.chips import Chip
from app.ui.components.columns import STOP_COLUMN, Column
from app.ui.components.roles import Cell, CellButtons, CellChip, CellText, stop_of
from app.ui.desk import Desk
from app.ui.line_model import LineModel
from app.ui.list_sections import Part
from app.ui.people.marks import mark
from app.ui.people.whom import nameless
from app.ui.sent.reading import read_messages
from app.ui.state_chips import channel_icon, message_chip
from app.ui.when import clock_words, date_words
from app.ui.words import Where, capital, hold_words, message_words, why_words


def sent_columns(words: Sequence[str]) -> tuple[Column, ...]:
    """The columns; `words` are their heads. The last one is Stop's."""
    when, person, message, outcome = words
    return (
        Column(when, 164, rigid=True),
        Column(person, 154, 1),
        Column(message, 176, 1.25),
        Column(outcome, 112, rigid=True),
        STOP_COLUMN,
    )


class SentModel(LineModel[MessageId, MessageLine]):
    """Messages, newest first by when they came to the state they are in."""

    def __init__(self, desk: Desk, columns: Sequence[Column], parent: QObject | None = None) -> None:
        open_reader = desk.open_reader
        self._search = ""

        def read(ids: Sequence[MessageId]) -> Mapping[MessageId, MessageLine]:
            return read_messages(open_reader, ids)

        super().__init__(desk, columns, read, parent)

    def set_search(self, search: str) -> None:
        """What the rows to come were found by: it is marked in them."""
        self._search = search

    def person_of(self, line: MessageLine) -> PersonId:
        """To whom the message is."""
        return line.person_id

    def made(self, line: MessageLine, part: Part | None) -> tuple[Cell, ...]:
        """When, person, message, outcome, Stop."""
        now = self._desk.now()
        name = line.name or nameless(line.person_id)
        what = capital(message_words(line.channel, line.template))
        journey = f"{line.journey} v{line.version}" if line.journey else ""
        stop = stop_of(name, running=line.running > 0, pressed=line.person_id in self._pressed)
        found, found_in = (mark(name, self._search), mark(what, self._search)) if self._search else (None, None)
        return (
            CellText(clock_words(line.at, line.zone, seconds=True), date_words(line.at, line.zone, now)),
            CellText(name, line.location, bold=True, marked=found),
            CellText(what, journey, icon=channel_icon(line.channel), marked=found_in),
            CellChip(outcome_chip(line, Where(line.zone, now))),
            CellButtons((stop,)),
        )


def outcome_chip(line: MessageLine, where: Where) -> Chip:
    """What became of a message: shape and word, and why in its tooltip."""
    plain = message_chip(line.state, line.hold)
    why = ""
    if line.cancel_reason is not None:
        facts = {"code": line.reason_code} if line.reason_code else {}
        why = why_words(line.cancel_reason, facts, where)
    elif line.hold is not None:
        why = hold_words(line.hold, where)
    return Chip(plain.kind, plain.words, plain.icon, why.removesuffix("."))
