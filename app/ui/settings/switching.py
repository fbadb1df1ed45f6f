"""Go live, and back: done away from the UI's thread, because it looks for the keys; told in a bar."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.service.channel_settings import Switched
from app.ui.components.bar_facts import BarFacts, BarKind
from app.ui.components.labels import Run
from app.ui.desk import Desk
from app.ui.faults import Fault
from app.ui.icons import Icon
from app.ui.settings.live_page import LivePage

translate = QCoreApplication.translate
BAR = "going-live"


class Switching(QObject):
    """Signals: `told(BarFacts)`; `done()`: it is switched; `refused()`: it is not, so look what has changed."""

    told = Signal(object)
    done = Signal()
    refused = Signal()

    def __init__(self, desk: Desk, page: LivePage) -> None:
        super().__init__(page)
        self._desk = desk
        self._page = page
        page.switch_wanted.connect(self._on_wanted)

    def _on_wanted(self, live: bool) -> None:
        settings, me, confirmed = self._desk.acts.settings, self._desk.me, frozenset(self._page.confirmed)

        def switch() -> Switched:
            return settings.go_live(by=me, confirmed=confirmed) if live else settings.go_to_practice(by=me)

        self._page.set_busy(True)
        self._desk.bridge.wait_for(self, switch, self._on_switched, self._on_failed)

    def _on_switched(self, switched: Switched) -> None:
        self._page.set_busy(False)
        icon = Icon.SENT if switched.live else Icon.DEVICE
        self.told.emit(BarFacts(BAR, BarKind.NOTE, switched.told, icon=icon))
        self.done.emit()

    def _on_failed(self, fault: Fault) -> None:
        self._page.set_busy(False)
        beside = (Run(fault.hint),) if fault.hint else ()
        self.told.emit(BarFacts(BAR, BarKind.ERROR, fault.told, beside))
        self.refused.emit()
