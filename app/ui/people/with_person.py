"""A section of rows that name people: its list, and over it the page of the person who was opened from there.

People, Queue and Sent are all such sections. Esc goes back to the row one came from; arrows walk the list.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.domain.ids import PersonId
from app.ui.people.list_panel import ListPanel
from app.ui.people.person_page import PersonPage


class WithPerson(QStackedWidget):
    """Signals: `titled(name)`: a person's page is in view, or with "" the list; `read_failed`, `read_well` as above."""

    titled = Signal(str)
    read_failed = Signal(object)
    read_well = Signal()

    def __init__(self, panel: ListPanel, make_page: Callable[[], PersonPage], words: str) -> None:
        super().__init__()
        self.panel = panel
        self._make_page = make_page
        self._words = words
        self._page: PersonPage | None = None
        self._left = False
        self.addWidget(panel)
        panel.person_opened.connect(self.open_person)
        _pass_on(panel.read_failed, self.read_failed)
        _pass_on(panel.read_well, self.read_well)

    @property
    def page(self) -> PersonPage | None:
        """The person page, once somebody was opened."""
        return self._page

    @property
    def title(self) -> str:
        """Whose page is in view; "" for the list."""
        return self._page.name if self._page is not None and self.currentWidget() is self._page else ""

    def parts(self) -> Sequence[QWidget]:
        """The parts of what is in view."""
        if self._page is not None and self.currentWidget() is self._page:
            return self._page.parts()
        return self.panel.parts()

    def came(self) -> None:
        """The section is shown: after it was left, rows that match no more go."""
        if self._left:
            self._left = False
            self.panel.ask()

    def went(self) -> None:
        """Another section is shown."""
        self._left = True

    def open_person(self, person_id: PersonId, panel: str = "") -> None:
        """Show someone's page. panel: as in `ListPanel.person_opened`."""
        page = self._page or self._made_page()
        self.panel.seek(person_id)
        self.setCurrentWidget(page)
        in_list = self.panel.person() == person_id
        page.show_person(person_id, self.panel.place() if in_list else (0, 0), panel)

    def back(self) -> None:
        """Show the list again, with the focus on the row one came from."""
        self.setCurrentWidget(self.panel)
        self.panel.parts()[0].setFocus(Qt.FocusReason.OtherFocusReason)
        self.titled.emit("")

    def _made_page(self) -> PersonPage:
        page = self._make_page()
        page.set_came_from(self._words)
        page.back_wanted.connect(self.back)
        page.walk_wanted.connect(self._on_walk)
        page.titled.connect(self.titled)
        _pass_on(page.read_failed, self.read_failed)
        _pass_on(page.read_well, self.read_well)
        self.addWidget(page)
        self._page = page
        return page

    def _on_walk(self, step: int) -> None:
        person_id = self.panel.walk(step)
        if person_id is not None and self._page is not None:
            self._page.show_person(person_id, self.panel.place())


def _pass_on(one: SignalInstance, other: SignalInstance) -> None:
    one.connect(other)
