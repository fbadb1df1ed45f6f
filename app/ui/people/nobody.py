"""What stands where there are no people: none at all, none under this filter, none by this search."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.domain.ids import PersonId
from app.domain.lines import PeopleFilter, PeopleQuery
from app.ui.components.buttons import Button, plain_button
from app.ui.components.empty_state import EmptyState
from app.ui.components.labels import Run
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.people.reading import PeopleTold
from app.ui.people.whom import nameless


class Nobody(QWidget):
    """Signals: `person_chosen(person_id)`, one of the close matches; `everyone_wanted()`."""

    person_chosen = Signal(object)
    everyone_wanted = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._shown: EmptyState | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    def show_why(self, query: PeopleQuery, told: PeopleTold) -> None:
        """Says why nobody is here, and what to do."""
        if self._shown is not None:
            self._column.removeWidget(self._shown)
            self._shown.hide()
            self._shown.deleteLater()
        self._shown = self._made(query, told)
        self._column.addWidget(self._shown)

    def words(self) -> str:
        """What it says, for a test and for a reader."""
        labels = self._shown.findChildren(QLabel) if self._shown is not None else []
        return " ".join(each.accessibleName() or each.text() for each in labels)

    def _made(self, query: PeopleQuery, told: PeopleTold) -> EmptyState:
        search = query.search.strip()
        if search:
            return self._none_found(search, query, told)
        if told.all is not None and told.all.everyone:
            return self._none_so(query)
        if query.location_id is not None:
            return EmptyState(self._look, Icon.PEOPLE, self.tr("Nobody at this location yet"))
        words = (
            Run(self.tr("People come in from a spreadsheet: ")),
            Run("stopwell import people FILE", bold=True),
            Run("."),
        )
        return EmptyState(self._look, Icon.PEOPLE, self.tr("Nobody here yet"), words)

    def _none_so(self, query: PeopleQuery) -> EmptyState:
        titles = {
            PeopleFilter.RUNNING: self.tr("Nothing is running for anybody"),
            PeopleFilter.WITH_STAFF: self.tr("Nobody waits for an answer"),
            PeopleFilter.HELD: self.tr("Nobody is held"),
            PeopleFilter.ENDED: self.tr("No follow-up has ended yet"),
        }
        title = titles.get(query.only, self.tr("Nobody here yet"))
        return EmptyState(self._look, Icon.PEOPLE, title, (), (self._everyone(self.tr("Show everyone"), Icon.PEOPLE),))

    def _none_found(self, search: str, query: PeopleQuery, told: PeopleTold) -> EmptyState:
        kinds = {
            PeopleFilter.RUNNING: self.tr("Nobody called “{search}” is running"),
            PeopleFilter.WITH_STAFF: self.tr("Nobody called “{search}” waits for staff"),
            PeopleFilter.HELD: self.tr("Nobody called “{search}” is held"),
            PeopleFilter.ENDED: self.tr("Nobody called “{search}” has ended"),
        }
        title = kinds.get(query.only, self.tr("Nobody called “{search}”")).format(search=search)
        words = list(self._close(told))
        buttons: tuple[Button, ...] = ()
        if query.only is not PeopleFilter.ALL:
            wider = (
                self.tr(" Or look among everyone, ended ones too.") if words else self.tr("Look among everyone too.")
            )
            words.append(Run(wider))
            buttons = (self._everyone(self.tr("Search everyone"), Icon.SEARCH),)
        elif not words:
            words.append(Run(self.tr("Any part of a name, of a number or of an email finds people.")))
        state = EmptyState(self._look, Icon.SEARCH, title, words, buttons)
        state.link_pressed.connect(self._on_link)
        return state

    def _close(self, told: PeopleTold) -> Iterator[Run]:
        """“Close matches: Dale Hutchins, Boise; …”, each name a link."""
        for at, line in enumerate(told.close):
            yield Run("; " if at else self.tr("Close matches: "))
            yield Run(line.name or nameless(line.id), bold=True, link=str(line.id))
            yield Run(f", {line.location}" + ("." if at + 1 == len(told.close) else ""))

    def _on_link(self, link: str) -> None:
        self.person_chosen.emit(PersonId(int(link)))

    def _everyone(self, words: str, icon: Icon) -> Button:
        button = plain_button(self._look, words, icon)
        button.clicked.connect(self.everyone_wanted)
        return button
