"""The section Today: what needs a person, top to bottom, and beside it everything about the chosen row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from app.domain.ids import LocationId, PersonId
from app.service.changes import Change
from app.ui.actions import ActingGate
from app.ui.beside import Beside
from app.ui.channel_trials import ChannelTrials
from app.ui.components.loading_line import LoadingLine
from app.ui.components.page_head import PageHead
from app.ui.components.segments import Segment, Segmented
from app.ui.components.views import StopList
from app.ui.desk import Desk
from app.ui.faults import Fault
from app.ui.look import Look
from app.ui.news_button import NewsButton
from app.ui.people.list_panel import ListPanel
from app.ui.people.presses import Presses
from app.ui.today.acts import TodayActs
from app.ui.today.call_hands import CallHands
from app.ui.today.detail import TodayDetail
from app.ui.today.keys import TodayKeys
from app.ui.today.late_hands import LateHands
from app.ui.today.match_hands import MatchHands
from app.ui.today.model import EVERYTHING, TodayModel
from app.ui.today.nothing import NothingNeedsYou, all_caught_up, nobody_here
from app.ui.today.reading import read_today
from app.ui.today.teller import Hands, Teller
from app.ui.today.things import Group, Thing, TodayFacts, group_of, key_of
from app.ui.when import clock_words, local, long_day_words
from app.ui.window_memory import WindowMemory
from app.ui.words import many

TODAY = "today"
SAY_AGAIN_MS = 30_000
COMPARE_MS = 700  # news gather for a moment, then the rows that are there are told anew
_DETAIL = 596


@dataclass(frozen=True, slots=True)
class Pressed:
    """What carries out what is pressed: for one person, for other things, and for a channel."""

    presses: Presses
    acts: TodayActs
    trials: ChannelTrials


class TodayPanel(ListPanel):
    """Everything that needs somebody. Its figure on the rail is the status feed's, whichever section is in view."""

    def __init__(self, look: Look, desk: Desk, pressed: Pressed, memory: WindowMemory, gate: ActingGate) -> None:
        super().__init__()
        self.presses, self.acts, self.trials = pressed.presses, pressed.acts, pressed.trials
        self._desk = desk
        self._memory = memory
        self._location: LocationId | None = None
        self._reading = self._wanted = self._replace = self._missed = False
        self._new = 0
        self.head = PageHead(look, self.tr("Today"))
        self.only = Segmented(look, self._segments(None), EVERYTHING, name=self.tr("What to show"))
        self.news = NewsButton(look)
        self.nothing = NothingNeedsYou(look)
        self.loading = LoadingLine(look)
        self.list = StopList(look, name=self.tr("What needs somebody"))
        self.model = TodayModel(desk.country, parent=self)
        self.list.setModel(self.model)
        self.detail = TodayDetail(look)
        self.late = LateHands(look, desk, self)
        self.calls = CallHands(look, self, gate)
        self.matching = MatchHands(look, desk, self)
        self.teller = Teller(look, desk, self.model, self.detail, Hands(self.late.press, self.trials, self.calls))
        self.beside = Beside(look, self._list_side(), self.detail, memory, TODAY)
        self.beside.set_first_width(_DETAIL)
        self.beside.keep_open()
        self._lay_out()
        self.keys = TodayKeys(look, self, gate)
        self._soon = _timer(self, COMPARE_MS, self.read_now, once=True)
        self._clock = _timer(self, SAY_AGAIN_MS, self._on_time, once=False)
        self._connect()
        self.ask()

    # what a section is asked ------------------------------------------------------------------------------------------

    def parts(self) -> Sequence[QWidget]:
        """F6: the list, what stands beside it, the filter."""
        beside = (self.detail,) if self.beside.is_open else ()
        return (self.list, *beside, self.only)

    def set_location(self, location_id: LocationId | None) -> None:
        """The location chosen on the rail."""
        if location_id != self._location:
            self._location = location_id
            self.ask()

    def set_paused(self, paused: bool) -> None:
        """All sending is paused, or goes on."""
        self.model.set_paused(paused)
        self.teller.tell()

    def walk(self, step: int) -> PersonId | None:
        """The person `step` rows on, who is chosen now; rows that name nobody are passed over. None at either end."""
        row = self.list.currentIndex().row() + step
        while 0 <= row < self.model.rows():
            id_ = self.model.row_id(row)
            whom = self.model.whom(id_) if id_ is not None else None
            if whom is not None:
                self.choose_row(row)
                return whom.id
            row += step
        return None

    def person(self) -> PersonId | None:
        """The person of the chosen row."""
        whom = self.keys.whom()
        return whom.id if whom is not None else None

    def place(self) -> tuple[int, int]:
        """Which thing is chosen, from 1, and of how many; 0 when there is none."""
        thing = self.thing()
        keys = [key_of(each) for each in self.model.lines]
        return (keys.index(key_of(thing)) + 1 if thing is not None else 0), len(keys)

    def thing(self) -> Thing | None:
        """What is chosen."""
        return self.model.thing_at(self.list.currentIndex().row())

    def step(self, step: int) -> bool:
        """Choose the thing `step` rows on, whether it names somebody or not. False at either end."""
        row = self.list.currentIndex().row() + step
        while 0 <= row < self.model.rows() and self.model.row_id(row) is None:
            row += 1 if step > 0 else -1
        if not 0 <= row < self.model.rows():
            return False
        self.choose_row(row)
        return True

    def choose_row(self, row: int) -> None:
        """Choose a row of the list."""
        self.list.setCurrentIndex(self.model.index(row, 0))

    def choose_thing(self, thing: Thing) -> None:
        """Choose a thing that is in the list."""
        id_ = self.model.id_of(key_of(thing))
        row = self.model.row_of(id_) if id_ is not None else None
        if row is not None:
            self.choose_row(row)

    def open_thing(self, key: str) -> None:
        """Choose the thing of that key and show what stands beside it: a click on a mark of the status bar."""
        self.only.choose(EVERYTHING)
        self.model.show_only(EVERYTHING)
        id_ = self.model.id_of(key)
        row = self.model.row_of(id_) if id_ is not None else None
        self._memory.keep_text("today/chosen", key)
        if row is not None:
            self.choose_row(row)
            self.beside.open_side()
        else:
            self.ask()

    @property
    def country(self) -> str:
        """Where numbers are written the local way."""
        return self._desk.country

    # asking -----------------------------------------------------------------------------------------------------------

    def ask(self) -> None:
        """Read the list anew: what needs nobody any more goes, what is new comes."""
        self._replace = True
        self._read()

    @Slot()
    def read_now(self) -> None:
        """Look how the rows stand; they stay where they are."""
        self._read()

    def _read(self) -> None:
        if self._reading:
            self._wanted = True
            return
        self._reading = True
        self.loading.begin()
        open_reader, place, now, shown = self._desk.open_reader, self._location, self._desk.now(), self.model.shown
        done = partial(self._on_read, place, self._replace)
        self._replace = False
        self._desk.bridge.read(self, lambda: read_today(open_reader, place, now, shown), done, self._on_failed)

    def _on_read(self, place: LocationId | None, replace: bool, facts: TodayFacts) -> None:
        self._reading = False
        self.loading.end()
        if self._wanted or place != self._location:
            self._wanted = False
            self._replace = self._replace or place != self._location
            self._read()
        if place != self._location:
            return
        if replace or self._nobody_looks():
            self._put(facts)
        else:
            self._new = self.model.follow(facts, self._desk.now())
            self.teller.show(self.thing())
        self._show_around(facts)
        self.read_well.emit()

    def _put(self, facts: TodayFacts) -> None:
        """Other rows; the chosen one stays, where it stood on the screen."""
        chosen, bar = self.list.rows.current_row_id(), self.list.verticalScrollBar()
        top = self.list.visualRect(self.list.currentIndex()).top() if chosen is not None else 0
        scrolled = bar.value()
        self.model.show(facts, self._desk.now())
        self._new = 0
        if chosen is None:
            chosen = self.model.id_of(self._memory.text("today/chosen"))
        row = self.model.row_of(chosen) if chosen is not None else None
        if row is not None:
            self.choose_row(row)
            bar.setValue(bar.value() + self.list.visualRect(self.model.index(row, 0)).top() - top if top else scrolled)
        elif self.model.rows() > 1:
            self.choose_row(1)
        self.teller.show(self.thing())

    def _nobody_looks(self) -> bool:
        """Nobody works here, or points at the list: rows may come and go."""
        focused = QApplication.focusWidget()
        there = (focused is not None and self.isAncestorOf(focused)) or self.list.underMouse()
        return not self.model.lines or not there

    def _show_around(self, facts: TodayFacts) -> None:
        """Title, figures, news, and what stands there when there is nothing to do."""
        now, zone = self._desk.now(), facts.engine.zone
        day = long_day_words(local(now, zone).date())
        all_ = facts.counts.all
        needs = many(all_, self.tr("1 thing needs you"), self.tr("{count} things need you"))
        self.head.set_words(self.tr("Today"), f"{day} · {needs if all_ else self.tr('nothing needs you')}")
        self.only.show_segments(self._segments(facts), self.only.chosen_key)
        self.news.show_news(self._new)
        self.nothing.setVisible(not all_ and facts.anybody)
        self.nothing.show_since(clock_words(now, zone))
        if self.thing() is None:
            empty = all_caught_up() if facts.anybody else nobody_here(location=self._location is not None)
            self.detail.show_nothing(*empty)

    def _segments(self, facts: TodayFacts | None) -> list[Segment]:
        counts = facts.counts if facts is not None else None
        coming = sum(1 for thing in facts.things if group_of(thing) is Group.NEXT) if facts is not None else 0
        figures: tuple[tuple[str, str, int | None], ...] = (
            (EVERYTHING, self.tr("All"), None),
            (Group.REPLIES.value, self.tr("Replies"), counts.replies if counts else None),
            (Group.CALLS.value, self.tr("Calls"), counts.calls if counts else None),
            (Group.OVERDUE.value, self.tr("Overdue"), counts.overdue if counts else None),
            (Group.PROBLEMS.value, self.tr("Problems"), counts.problems if counts else None),
            (Group.NEXT.value, self.tr("Going out"), coming if counts else None),
        )
        return [Segment(key, words, f"{figure:,}" if figure is not None else "") for key, words, figure in figures]

    # news -------------------------------------------------------------------------------------------------------------

    @Slot(object)
    def _on_changed(self, _change: Change) -> None:
        if not self.isVisible():
            self._missed = True
        elif not self._soon.isActive():
            self._soon.start()

    @Slot()
    def _on_trial(self) -> None:
        self.teller.tell()
        self.read_now()

    @Slot()
    def _on_time(self) -> None:
        if self.isVisible():
            self.model.tell_time(self._desk.now())
            self._on_changed(Change())

    def showEvent(self, event: QShowEvent) -> None:
        """What changed while another page was in view is read now."""
        super().showEvent(event)
        if self._missed:
            self._missed = False
            self.read_now()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc goes back to the list, where one of both has room."""
        if event.key() == Qt.Key.Key_Escape and not self.list.isVisible():
            self.beside.close_side()
            self.beside.keep_open()
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        super().keyPressEvent(event)

    # how --------------------------------------------------------------------------------------------------------------

    def _connect(self) -> None:
        self.only.chosen.connect(self._on_only)
        self.news.clicked.connect(self.ask)
        self.list.rows.head_pressed.connect(self._on_head)
        self.list.rows.current_row_changed.connect(self._on_chosen)
        self.teller.failed.connect(self.read_failed)
        self.acts.moved.connect(self.read_now)
        self.trials.changed.connect(self._on_trial)
        self._desk.bridge.changed.connect(self._on_changed)

    def _on_only(self, key: str) -> None:
        chosen = self.list.rows.current_row_id()
        self.model.show_only(key)
        row = self.model.row_of(chosen) if chosen is not None else None
        if row is not None:
            self.choose_row(row)
        elif self.model.rows() > 1:
            self.choose_row(1)
        else:
            self.teller.show(None)
            self.detail.show_nothing(*all_caught_up())

    def _on_head(self, key: str) -> None:
        self.model.fold(key)
        self.list.scheduleDelayedItemsLayout()

    def _on_chosen(self, _id: object) -> None:
        thing = self.thing()
        if thing is not None:
            self._memory.keep_text("today/chosen", key_of(thing))
            self.teller.show(thing)

    def _on_failed(self, fault: Fault) -> None:
        self._reading = False
        self.loading.end()
        self.read_failed.emit(fault)

    def _list_side(self) -> QWidget:
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.nothing, self.loading):
            column.addWidget(widget)
        column.addWidget(self.list, 1)
        return side

    def _lay_out(self) -> None:
        self.head.add(self.news, self.only)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.beside, 1)


def _timer(owner: TodayPanel, every_ms: int, do: Callable[[], None], *, once: bool) -> QTimer:
    made = QTimer(owner)
    made.setInterval(every_ms)
    made.setSingleShot(once)
    made.timeout.connect(do)
    if not once:
        made.start()
    return made
