"""What is done to overdue follow-ups: choosing several, and release, skip or re-time for all of them in one go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.domain.ids import EnrollmentId
from app.domain.lines import OverdueLine
from app.ui.actions import ActionId, key_action
from app.ui.desk import Desk
from app.ui.look import Look
from app.ui.people.whom import nameless
from app.ui.today.reading import Openings, read_openings
from app.ui.today.retime_panel import NEXT_OPENING, RetimePanel
from app.ui.today.things import Late, Thing
from app.ui.today.told_late import RELEASE, RETIME, SKIP
from app.ui.when import local, time_words
from app.ui.words import Where

if TYPE_CHECKING:
    from app.ui.today.panel import TodayPanel


class LateHands(QObject):
    """Works the group Overdue of a section."""

    def __init__(self, look: Look, desk: Desk, panel: TodayPanel) -> None:
        super().__init__(panel)
        self._desk = desk
        self._panel = panel
        self._lines: Sequence[OverdueLine] = ()
        self._openings: Mapping[str, Openings] = {}
        self.retime_panel = RetimePanel(look)
        self.retime_panel.time_chosen.connect(self._on_time)
        panel.detail.add_panel(self.retime_panel)
        panel.list.rows.check_pressed.connect(self.toggle)
        self.actions = tuple(
            key_action(look, action, panel, do)
            for action, do in (
                (ActionId.CHOOSE, self._choose),
                (ActionId.CHOOSE_DOWN, partial(self._choose_and_go, 1)),
                (ActionId.CHOOSE_UP, partial(self._choose_and_go, -1)),
                (ActionId.CHOOSE_ALL, self._choose_all),
            )
        )

    def press(self, action: str) -> None:
        """A button of the card: for all that are chosen, else for the one in hand."""
        lines = self._in_hand()
        if not lines:
            return
        match action:
            case str() if action == RELEASE:
                self._panel.acts.release(lines)
            case str() if action == SKIP:
                self._panel.acts.skip(lines)
            case str() if action == RETIME:
                self._open_retime(lines)

    def toggle(self, id_: int) -> None:
        """X, or the check box of a row: chosen beside others, or not."""
        if self._panel.model.toggle(id_):
            row = self._panel.model.row_of(id_)
            if row is not None:
                self._panel.choose_row(row)
            self._panel.teller.tell()

    def _choose(self) -> None:
        chosen = self._panel.list.rows.current_row_id()
        if chosen is not None:
            self.toggle(chosen)

    def _choose_and_go(self, step: int) -> None:
        """Choose this one, and the next one is in hand; those that are chosen stay so."""
        thing, id_ = self._panel.thing(), self._panel.list.rows.current_row_id()
        if isinstance(thing, Late) and id_ is not None:
            if thing.line not in self._panel.model.chosen:
                self.toggle(id_)
            self._panel.step(step)

    def _choose_all(self) -> None:
        """All of the group, or none when all are chosen already."""
        late = [thing for thing in self._panel.model.lines if _open(thing, self._panel)]
        self._panel.model.choose_late(every=len(self._panel.model.chosen) < len(late))
        if late and not isinstance(self._panel.thing(), Late):
            self._panel.choose_thing(late[0])
        self._panel.teller.tell()

    def _in_hand(self) -> Sequence[OverdueLine]:
        thing = self._panel.thing()
        if not isinstance(thing, Late):
            return ()
        return self._panel.model.chosen or [thing.line]

    # another time -----------------------------------------------------------------------------------------------------

    def _open_retime(self, lines: Sequence[OverdueLine]) -> None:
        self._lines = tuple(lines)
        zones = {line.location: line.zone for line in lines}
        open_reader, now = self._desk.open_reader, self._desk.now()
        self._desk.bridge.read(
            self, lambda: read_openings(open_reader, zones, now), self._on_openings, self._panel.read_failed.emit
        )

    def _on_openings(self, openings: Mapping[str, Openings]) -> None:
        self._openings = openings
        first = self._lines[0]
        title = self.tr("Re-time {name}").format(name=first.name or nameless(first.person_id))
        if len(self._lines) > 1:
            title = self.tr("Re-time {count} overdue follow-ups").format(count=f"{len(self._lines):,}")
        known = openings[first.location]
        self._panel.detail.to_top()
        self.retime_panel.open_for(title, Where(first.zone, self._desk.now()), (known.next, known.tomorrow))

    def _on_time(self, when: int | datetime) -> None:
        times: dict[datetime, list[EnrollmentId]] = {}
        for line in self._lines:
            times.setdefault(self._at(line, when), []).append(line.enrollment_id)
        first = self._lines[0]
        told = time_words(next(iter(times)), first.zone, self._desk.now())
        if len(times) > 1:
            told = self.tr("the time chosen, on each one’s own clock")
        self._panel.acts.retime(times, told)

    def _at(self, line: OverdueLine, when: int | datetime) -> datetime:
        """At a location that never opens it comes up in a day, and its own guard says what is missing."""
        if isinstance(when, datetime):
            return when.replace(tzinfo=local(self._desk.now(), line.zone).tzinfo)
        known = self._openings[line.location]
        opening = known.next if when == NEXT_OPENING else known.tomorrow
        return opening or self._desk.now() + timedelta(days=1)


def _open(thing: Thing, panel: TodayPanel) -> bool:
    return isinstance(thing, Late) and not panel.model.is_settled(thing)
