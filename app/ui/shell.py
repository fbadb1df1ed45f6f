"""An open practice in the window: its sections, its bars, its status bar, wired to each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from app.domain.ids import LocationId, PersonId
from app.ui.actions import ActingGate
from app.ui.app_window import AppWindow
from app.ui.channel_trials import ChannelTrials
from app.ui.components.bar_facts import BarButton, BarFacts, BarKind
from app.ui.components.labels import Run
from app.ui.desk import Desk
from app.ui.faults import Fault
from app.ui.frame_facts import FrameFacts, RailGroup, Section
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.people.list_panel import ListPanel
from app.ui.people.panel import PEOPLE, PeoplePanel
from app.ui.people.person_page import PersonPage
from app.ui.people.presses import Presses
from app.ui.people.with_person import WithPerson
from app.ui.pulse import PulseFeed
from app.ui.queue.panel import QUEUE, QueuePanel
from app.ui.sent.panel import SENT, SentPanel
from app.ui.settings.panel import SETTINGS, SettingsPanel
from app.ui.status_feed import StatusFeed
from app.ui.today.acts import TodayActs
from app.ui.today.panel import TODAY, Pressed, TodayPanel

_TRY_AGAIN = "read_again"


@dataclass(frozen=True, slots=True)
class _Place:
    """A section: where it stands on the rail, and how its list is made."""

    key: str
    words: str
    icon: Icon
    group: RailGroup
    make: Callable[[], ListPanel]


class Shell(QObject):
    """On the UI thread. `presses`, `feed` and `pulse` are the window's own."""

    def __init__(self, window: AppWindow, look: Look, desk: Desk) -> None:
        super().__init__(window)
        self._window = window
        self._look = look
        self._desk = desk
        self._gate = ActingGate()
        self._location: LocationId | None = None
        self._paused = False
        self._shown = ""
        self.presses = Presses(desk, self)
        self.acts = TodayActs(desk, self)
        self.trials = ChannelTrials(desk, self)
        self.feed = StatusFeed(desk, self.trials, self)
        self.pulse = PulseFeed(desk, self)
        self._connect()
        for place in self._places():
            window.register_section(self._section(place))
        window.register_section(
            Section(SETTINGS, self.tr("Settings"), Icon.SETTINGS, RailGroup.SETTINGS, self._made_settings)
        )
        window.show_first_section(TODAY)
        self.feed.start()
        self.pulse.read()

    def section(self, key: str) -> WithPerson | None:
        """A section that was shown; None for one that never was."""
        widget = self._window.section_widget(key)
        return widget if isinstance(widget, WithPerson) else None

    @property
    def _settings(self) -> SettingsPanel | None:
        widget = self._window.section_widget(SETTINGS)
        return widget if isinstance(widget, SettingsPanel) else None

    @Slot(object)
    def tell_fault(self, fault: Fault) -> None:
        """A fault that nobody asked to hear of: a bar says so."""
        beside = (Run(fault.hint),) if fault.hint else ()
        self._window.bars.show_bar(BarFacts("fault", BarKind.ERROR, fault.told, beside))

    # sections ---------------------------------------------------------------------------------------------------------

    def _places(self) -> tuple[_Place, ...]:
        look, desk, presses, memory, gate = self._look, self._desk, self.presses, self._window.memory, self._gate
        return (
            _Place(
                TODAY,
                self.tr("Today"),
                Icon.TODAY,
                RailGroup.PEOPLE,
                lambda: TodayPanel(look, desk, Pressed(presses, self.acts, self.trials), memory, gate),
            ),
            _Place(
                PEOPLE,
                self.tr("People"),
                Icon.PEOPLE,
                RailGroup.PEOPLE,
                lambda: PeoplePanel(look, desk, presses, memory, gate),
            ),
            _Place(
                QUEUE,
                self.tr("Queue"),
                Icon.QUEUE,
                RailGroup.PEOPLE,
                lambda: QueuePanel(look, desk, presses, memory, gate),
            ),
            _Place(
                SENT,
                self.tr("Sent"),
                Icon.SENT,
                RailGroup.LEARNING,
                lambda: SentPanel(look, desk, presses, memory, gate),
            ),
        )

    def _section(self, place: _Place) -> Section:
        return Section(place.key, place.words, place.icon, place.group, lambda: self._made(place))

    def _made(self, place: _Place) -> QWidget:
        panel = place.make()
        panel.set_location(self._location)
        panel.set_paused(self._paused)
        made = WithPerson(panel, self._page, place.words)
        made.titled.connect(self._on_titled)
        made.read_failed.connect(lambda fault: self._on_read_failed(place.key, fault))
        made.read_well.connect(lambda: self._window.bars.close_bar(_read_key(place.key)))
        return made

    def _made_settings(self) -> SettingsPanel:
        made = SettingsPanel(self._look, self._desk, self._window.memory)
        made.told.connect(self._on_acts_told)
        made.switched.connect(self.feed.read)
        made.section_wanted.connect(self._window.show_section)
        made.read_failed.connect(lambda fault: self._on_read_failed(SETTINGS, fault))
        made.read_well.connect(lambda: self._window.bars.close_bar(_read_key(SETTINGS)))
        return made

    def _page(self) -> PersonPage:
        return PersonPage(self._look, self._desk, self.presses, self._gate)

    def _on_section_shown(self, key: str) -> None:
        left, self._shown = self.section(self._shown), key
        if left is not None:
            left.went()
        shown = self.section(key)
        if shown is not None:
            shown.came()
            self._on_titled(shown.title)
        settings = self._settings
        if key == SETTINGS and settings is not None:
            settings.ask()

    def _on_titled(self, name: str) -> None:
        shown = self.section(self._shown)
        if shown is not None and (name or not shown.title):
            self._window.show_title(name or self._words_of(self._shown))

    def _words_of(self, key: str) -> str:
        return next((place.words for place in self._places() if place.key == key), "")

    def _every(self) -> list[WithPerson]:
        return [made for place in self._places() if (made := self.section(place.key)) is not None]

    # what the frame tells ---------------------------------------------------------------------------------------------

    def _connect(self) -> None:
        window, presses, feed = self._window, self.presses, self.feed
        window.section_shown.connect(self._on_section_shown)
        window.find_wanted.connect(self._on_find)
        window.rail.location_chosen.connect(self._on_location)
        window.status.pause_wanted.connect(feed.pause)
        window.status.resume_wanted.connect(feed.resume)
        window.status.problem_opened.connect(feed.show_problem)
        window.bars.button_pressed.connect(self._on_bar_button)
        presses.begun.connect(self._on_begun)
        presses.told.connect(window.bars.show_bar)
        presses.retold.connect(window.bars.update_bar)
        presses.untold.connect(window.bars.close_bar)
        presses.page_wanted.connect(self._on_page_wanted)
        self.acts.told.connect(self._on_acts_told)
        self.trials.told.connect(self._on_acts_told)
        self.acts.untold.connect(window.bars.close_bar)
        feed.told.connect(window.status.show_facts)
        feed.framed.connect(self._on_framed)
        feed.paused_changed.connect(self._on_paused)
        feed.counted.connect(partial(window.rail.set_count, TODAY))
        feed.today_wanted.connect(self._on_today_wanted)
        feed.bar_told.connect(window.bars.show_bar)
        feed.bar_retold.connect(window.bars.update_bar)
        feed.bar_untold.connect(window.bars.close_bar)
        self._desk.bridge.failed.connect(self.tell_fault)

    @Slot(object)
    def _on_begun(self, _person_id: PersonId) -> None:
        self._window.bars.next_act()

    @Slot(object)
    def _on_acts_told(self, facts: BarFacts) -> None:
        self._window.bars.next_act()
        self._window.bars.show_bar(facts)

    def _on_page_wanted(self, person_id: PersonId, panel: str) -> None:
        shown = self.section(self._shown)
        if shown is None:
            self._window.show_section(PEOPLE)
            shown = self.section(PEOPLE)
        if shown is not None:
            shown.open_person(person_id, panel)

    def _on_bar_button(self, key: str, action: str) -> None:
        if action == _TRY_AGAIN:
            name = key.removeprefix("read-")
            section = self.section(name)
            if section is not None:
                section.panel.ask()
            if name == SETTINGS and self._settings is not None:
                self._settings.ask()
            return
        self.presses.on_bar_button(key, action)
        self.acts.on_bar_button(key, action)
        self.feed.on_bar_button(key, action)

    @Slot(str)
    def _on_today_wanted(self, key: str) -> None:
        """A mark of the status bar, or a bar's button: its row on Today, with what stands beside it."""
        self._window.show_section(TODAY)
        today = self.section(TODAY)
        if today is not None and isinstance(today.panel, TodayPanel):
            today.back()
            today.panel.open_thing(key)

    @Slot(object)
    def _on_framed(self, facts: FrameFacts) -> None:
        location = str(self._location) if self._location is not None else ""
        known = location in {place.key for place in facts.locations}
        self._window.show_facts(
            FrameFacts(facts.practice, facts.locations, location if known else "", facts.staff, facts.me)
        )
        shown = self.section(self._shown)
        if shown is not None:
            self._on_titled(shown.title)

    @Slot(str)
    def _on_location(self, key: str) -> None:
        self._location = LocationId(int(key)) if key.isdigit() else None
        for made in self._every():
            made.panel.set_location(self._location)

    @Slot(bool)
    def _on_paused(self, paused: bool) -> None:
        self._paused = paused
        for made in self._every():
            made.panel.set_paused(paused)

    @Slot()
    def _on_find(self) -> None:
        self._window.show_section(PEOPLE)
        people = self.section(PEOPLE)
        if people is not None and isinstance(people.panel, PeoplePanel):
            people.back()
            people.panel.find_anyone()

    def _on_read_failed(self, key: str, fault: Fault) -> None:
        again = BarButton(_TRY_AGAIN, self.tr("Try again"), Icon.AGAIN)
        title = self.tr("The list could not be read.")
        beside = (Run(f"{fault.told} {fault.hint}".strip()),)
        self._window.bars.show_bar(BarFacts(_read_key(key), BarKind.ERROR, title, beside, buttons=(again,)))


def _read_key(section: str) -> str:
    return f"read-{section}"
