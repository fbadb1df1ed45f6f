"""The section Settings: its pages, what they read, and what is pressed on them; all of it away from the UI's thread."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.domain.connection_words import Connection
from app.domain.provider_settings import ProviderKind
from app.service.changes import Change
from app.ui.components.page_head import PageHead
from app.ui.desk import Desk
from app.ui.faults import Fault
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.settings.forms import form_of
from app.ui.settings.hands import SenderHands
from app.ui.settings.live_page import LivePage
from app.ui.settings.nav import Nav, NavButton, NavMark
from app.ui.settings.parts import PageColumn
from app.ui.settings.seen import SettingsSeen, read_settings
from app.ui.settings.sender_page import SenderPage
from app.ui.settings.switching import Switching
from app.ui.settings.words import page_mark
from app.ui.window_memory import WindowMemory
from app.ui.words import Where

SETTINGS = "settings"
LIVE = "live"
GATHER_MS = 400


class SettingsPanel(QWidget):
    """Signals: `read_failed(Fault)`, `read_well()`; `told(BarFacts)`; `switched()`: practice mode or live;
    `section_wanted(key)` of the window.
    """

    read_failed = Signal(object)
    read_well = Signal()
    told = Signal(object)
    switched = Signal()
    section_wanted = Signal(str)

    def __init__(self, look: Look, desk: Desk, memory: WindowMemory) -> None:
        super().__init__()
        self._look = look
        self._desk = desk
        self._memory = memory
        self._reading = self._again = False
        self._pages: dict[str, PageColumn] = {}
        self._nav = Nav(look)
        self._stack = QStackedWidget()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        line = self.tr("Who carries your messages, and whether they leave this computer. What is saved is logged.")
        column.addWidget(PageHead(look, self.tr("Settings"), line))
        across = QHBoxLayout()
        across.setSpacing(0)
        across.addWidget(self._nav)
        across.addWidget(self._stack, 1)
        column.addLayout(across, 1)
        self._add_pages()
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(GATHER_MS)
        self._soon.timeout.connect(self.ask)
        self._nav.chosen.connect(self.show_page)
        desk.bridge.changed.connect(self._on_changed)
        kept = memory.text("settings/page", ProviderKind.TWILIO.value)
        self.show_page(kept if kept in self._pages else ProviderKind.TWILIO.value)
        self.ask()

    def parts(self) -> Sequence[QWidget]:
        """The list of pages, and the page."""
        return [self._nav.first_focus(), self._stack]

    def ask(self) -> None:
        """Read how everything stands, once: the keyring may take its time."""
        if self._reading:
            self._again = True
            return
        self._reading = True
        settings, open_reader, now = self._desk.acts.settings, self._desk.open_reader, self._desk.now()
        self._desk.bridge.wait_for(
            self, lambda: read_settings(settings, open_reader, now), self._on_read, self._on_failed
        )

    @Slot(str)
    def show_page(self, key: str) -> None:
        """Show one of the pages."""
        self._nav.choose(key)
        self._stack.setCurrentWidget(self._pages[key])
        self._memory.keep_text("settings/page", key)

    def sender_page(self, kind: ProviderKind) -> SenderPage:
        """The page of an account."""
        page = self._pages[kind.value]
        assert isinstance(page, SenderPage)
        return page

    @property
    def live_page(self) -> LivePage:
        """The page Going live."""
        page = self._pages[LIVE]
        assert isinstance(page, LivePage)
        return page

    # how it is made ---------------------------------------------------------------------------------------------------

    def _add_pages(self) -> None:
        buttons = []
        for kind in ProviderKind:
            form = form_of(kind)
            page = SenderPage(self._look, form)
            hands = SenderHands(self._desk, page)
            hands.done.connect(self._on_done)
            self._add_page(kind.value, page)
            buttons.append(NavButton(self._look, kind.value, form.icon, form.title))
        self._nav.add_pages(self.tr("Keys and connections"), buttons)
        live = LivePage(self._look)
        switching = Switching(self._desk, live)
        switching.told.connect(self.told)
        switching.done.connect(self._on_switched)
        switching.refused.connect(self.ask)
        live.page_wanted.connect(self._on_page_wanted)
        live.section_wanted.connect(self.section_wanted)
        self._add_page(LIVE, live)
        self._nav.add_pages(self.tr("The switch"), [NavButton(self._look, LIVE, Icon.SENT, self.tr("Going live"))])
        self._nav.end_pages()

    def _add_page(self, key: str, page: PageColumn) -> None:
        self._pages[key] = page
        self._stack.addWidget(page)

    # what it shows ----------------------------------------------------------------------------------------------------

    def _on_read(self, seen: SettingsSeen) -> None:
        self._reading = False
        where = Where(seen.zone, self._desk.now())
        for kind in ProviderKind:
            self.sender_page(kind).show_seen(seen, where)
        self.live_page.show_seen(seen)
        for connection in Connection:
            self._nav.show_mark(connection.value, page_mark(seen.of(connection)))
        live = seen.standing.live
        words = self.tr("live") if live else self.tr("practice mode")
        self._nav.show_mark(LIVE, NavMark(Icon.CHECK if live else Icon.DEVICE, "ok" if live else "text2", words))
        self.read_well.emit()
        if self._again:
            self._again = False
            self.ask()

    def _on_failed(self, fault: Fault) -> None:
        self._reading = self._again = False
        self.read_failed.emit(fault)

    def _on_changed(self, _change: Change) -> None:
        if self.isVisible() and not self._soon.isActive():
            self._soon.start()

    def _on_page_wanted(self, key: str) -> None:
        self.show_page(key)
        self._nav.button(key).setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_done(self) -> None:
        """Something was saved, kept or tested here."""
        self._desk.acts.engine.runner.knock()
        self._desk.bridge.tell(Change())
        self.ask()

    def _on_switched(self) -> None:
        self._on_done()
        self.switched.emit()
