"""Match…: whose is what came in from an address that nobody has, or several do. Search, choose, Enter does it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QVBoxLayout, QWidget

from app.domain.ids import PersonId
from app.domain.lines import PersonLine
from app.ui.components.button_paint import ButtonFace, ButtonKind
from app.ui.components.checks import RadioButton
from app.ui.components.fields import SearchField
from app.ui.components.inline_panel import InlinePanel
from app.ui.components.labels import label
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Type
from app.ui.people.whom import Whom, nameless, whom
from app.ui.words import address_words

_TYPED_MS = 150


class MatchPanel(InlinePanel):
    """Signals: `search_wanted(text)`; `person_chosen(Whom)`."""

    search_wanted = Signal(str)
    person_chosen = Signal(object)

    def __init__(self, look: Look, country: str) -> None:
        super().__init__(look, "")
        self._look = look
        self._country = country
        self._found: dict[int, Whom] = {}
        self.setAccessibleName(self.tr("Whose is it"))
        self.body.addWidget(label(self.tr("Whose is it?"), Type.TITLE))
        self.search = SearchField(look, self.tr("Name, number or email"), name=self.tr("Find the person it is from"))
        self.body.addWidget(self.search)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(0)
        self.body.addLayout(self._rows)
        self._none = label("", Type.SECOND, "text2", wraps=True)
        self.body.addWidget(self._none)
        told = self.tr("It is applied to them as if it had come from them: what it stops is stopped at once.")
        self.body.addWidget(label(told, Type.SECOND, "text2", wraps=True))
        face = ButtonFace(self.tr("It is theirs"), Icon.CHECK, ButtonKind.PRIMARY, key="Enter")
        self.go = self.add_feet("", face)
        self._group = QButtonGroup(self)
        self._typed = QTimer(self)
        self._typed.setSingleShot(True)
        self._typed.setInterval(_TYPED_MS)
        self._typed.timeout.connect(lambda: self.search_wanted.emit(self.search.text()))
        self.search.textChanged.connect(lambda _text: self._typed.start())
        self.accepted.connect(self._on_accepted)

    def open_for(self, candidates: Sequence[PersonLine]) -> None:
        """Open. candidates: those who have the address, to begin with."""
        self.search.blockSignals(True)
        self.search.clear()
        self.search.blockSignals(False)
        self.show_people(candidates)
        self.open()

    def show_people(self, lines: Sequence[PersonLine]) -> None:
        """Who was found; the first one is chosen."""
        for button in self._group.buttons():
            self._group.removeButton(button)
            self._rows.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._found = {number: whom(line) for number, line in enumerate(lines, 1)}
        for number, line in enumerate(lines, 1):
            radio = RadioButton(self._look, self._words(line))
            self._group.addButton(radio, number)
            self._rows.addWidget(radio)
            radio.show()
            radio.setChecked(number == 1)
        asked = bool(self.search.text().strip())
        self._none.setVisible(not lines)
        self._none.setText(self.tr("Nobody is found.") if asked else self.tr("Type who it is from."))
        if lines:
            self.go.set_on()
        else:
            self.go.set_off(self.tr("Choose somebody first."))

    def first_focus(self) -> QWidget | None:
        """The search."""
        return self.search

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Down goes from the search into what was found."""
        chosen = self._group.checkedButton()
        if event.key() == Qt.Key.Key_Down and self.search.hasFocus() and chosen is not None:
            chosen.setFocus(Qt.FocusReason.TabFocusReason)
            return
        super().keyPressEvent(event)

    def chosen(self) -> PersonId | None:
        """Who is chosen."""
        found = self._found.get(self._group.checkedId())
        return found.id if found is not None else None

    def _words(self, line: PersonLine) -> str:
        address = line.phone or line.email or ""
        parts = (line.name or nameless(line.id), line.location, address_words(address, self._country))
        return " · ".join(part for part in parts if part)

    def _on_accepted(self) -> None:
        found = self._found.get(self._group.checkedId())
        if found is not None:
            self.close_panel()
            self.person_chosen.emit(found)
