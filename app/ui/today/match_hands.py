"""What is done with what came in and fits nobody: say whose it is, or that it is nobody's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.domain.ids import InboxEventId
from app.domain.lines import InboxEventLine, PeopleQuery, PersonLine
from app.engine.office_ports import OpenReader
from app.ui.desk import Desk
from app.ui.look import Look
from app.ui.people.whom import Whom
from app.ui.today.match_panel import MatchPanel
from app.ui.today.things import Trouble

if TYPE_CHECKING:
    from app.ui.today.panel import TodayPanel

MOST = 6  # more is a list to read; a longer search finds fewer


class MatchHands(QObject):
    """Works the problems of a section that are an inbox event without a person."""

    def __init__(self, look: Look, desk: Desk, panel: TodayPanel) -> None:
        super().__init__(panel)
        self._desk = desk
        self._panel = panel
        self._event_id: InboxEventId | None = None
        self._asked = ""
        self.match_panel = MatchPanel(look, desk.country)
        self.match_panel.search_wanted.connect(self._on_search)
        self.match_panel.person_chosen.connect(self._on_person)
        panel.detail.add_panel(self.match_panel)

    def open(self) -> None:
        """Match…: begin with those who have the address."""
        thing = self._panel.thing()
        if not isinstance(thing, Trouble) or thing.event is None:
            return
        self._event_id = thing.event.id
        open_reader, event = self._desk.open_reader, thing.event
        self._panel.detail.to_top()
        self._desk.bridge.read(
            self, lambda: _having(open_reader, event), self.match_panel.open_for, self._panel.read_failed.emit
        )

    def _on_search(self, text: str) -> None:
        self._asked = text
        open_reader = self._desk.open_reader
        self._desk.bridge.read(
            self,
            lambda: _found(open_reader, text),
            lambda lines: self._on_found(text, lines),
            self._panel.read_failed.emit,
        )

    def _on_found(self, text: str, lines: Sequence[PersonLine]) -> None:
        if text == self._asked and self.match_panel.isVisible():
            self.match_panel.show_people(lines)

    def _on_person(self, whom: Whom) -> None:
        if self._event_id is not None:
            self._panel.acts.match(self._event_id, whom)


def _having(open_reader: OpenReader, event: InboxEventLine) -> Sequence[PersonLine]:
    if not event.address:
        return ()
    with open_reader() as reads:
        return reads.people(reads.find_person(event.address)[:MOST])


def _found(open_reader: OpenReader, text: str) -> Sequence[PersonLine]:
    if not text.strip():
        return ()
    with open_reader() as reads:
        return reads.people(reads.people_ids(PeopleQuery(search=text, sort="name"))[:MOST])
