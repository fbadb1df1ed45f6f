"""The rail: find anyone, the location, the sections with their counts, and who signs what is done here."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QScrollArea, QVBoxLayout, QWidget

from app.ui.frame_facts import FrameFacts, Named, RailGroup, Section
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import RAIL_NARROW, RAIL_WIDE, Height
from app.ui.rail_buttons import RAIL_SIDE, ChoiceButton, FindButton, RailLine, SectionButton


class Rail(QFrame):
    """The rail.

    Signals: `section_chosen(key)`, `find_wanted()`, `location_chosen(key)` (empty: all), `staff_chosen(key)`.
    """

    section_chosen = Signal(str)
    find_wanted = Signal()
    location_chosen = Signal(str)
    staff_chosen = Signal(str)

    def __init__(self, look: Look, facts: FrameFacts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._narrow = False
        self._sections: dict[str, SectionButton] = {}
        self.setProperty("ground", "rail")
        self.setAccessibleName(self.tr("Sections"))
        column = QVBoxLayout(self)
        column.setContentsMargins(RAIL_SIDE, 10, RAIL_SIDE + 1, 10)
        column.setSpacing(8)
        self._find = FindButton(look)
        self._find.clicked.connect(self.find_wanted)
        column.addWidget(self._find)
        self._location = ChoiceButton(look, Icon.PIN, self.tr("Location"), Height.ROW_CONTROL)
        self._location.chosen.connect(self.location_chosen)
        column.addWidget(self._location)
        self._area = self._scrolled()
        column.addWidget(self._area, 1)
        self._me = ChoiceButton(look, Icon.STAFF, self.tr("At the desk"), Height.CONTROL)
        self._me.chosen.connect(self.staff_chosen)
        column.addWidget(self._me)
        look.changed.connect(self._on_look_changed)
        self.show_facts(facts)
        self._on_look_changed()

    def _scrolled(self) -> QScrollArea:
        # At 130 % text in the smallest window the sections don't all fit.
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inside = QWidget()
        self._list = QVBoxLayout(inside)
        self._list.setContentsMargins(0, 0, 0, 0)
        self._list.setSpacing(2)
        area.setWidget(inside)
        area.verticalScrollBar().setProperty("slim", True)
        area.verticalScrollBar().valueChanged.connect(self.update)
        area.setFrameShape(QFrame.Shape.NoFrame)
        return area

    def show_facts(self, facts: FrameFacts) -> None:
        """Shows whose window it is, and what can be chosen."""
        everywhere = Named("", self.tr("All locations"))
        choices = (everywhere, *facts.locations) if len(facts.locations) != 1 else facts.locations
        chosen = facts.location if len(facts.locations) != 1 else facts.locations[0].key
        self._location.show_choices(choices, chosen)
        self._me.show_choices(facts.staff, facts.me)

    def show_sections(self, sections: Sequence[Section]) -> None:
        """Shows these sections, in the order of their groups and, within one, as given."""
        while (item := self._list.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.setParent(None)
                widget.deleteLater()
        self._sections = {}
        before: RailGroup | None = None
        for section in sorted(sections, key=_group_of):
            if before is not None and section.group is not before:
                self._list.addWidget(RailLine(self._look))
            before = section.group
            self._list.addWidget(self._button(section))
        self._list.addStretch(1)
        self._fit()
        # What is made later comes later by Tab, unless told.
        walk: list[QWidget] = [self._location, *self._sections.values(), self._me]
        for one, following in pairwise(walk):
            QWidget.setTabOrder(one, following)

    def show_section(self, key: str) -> None:
        """Marks the section in view."""
        for name, button in self._sections.items():
            button.setChecked(name == key)
        self.update()

    def set_count(self, key: str, count: int) -> None:
        """How many things a section has to tell of; 0 shows none. A section that isn't here has no place for it."""
        if key in self._sections:
            self._sections[key].set_count(count)

    def set_narrow(self, narrow: bool) -> None:
        """Icons with tooltips, or icons and words."""
        self._narrow = narrow
        for button in (self._find, self._location, self._me, *self._sections.values()):
            button.set_narrow(narrow)
        self._on_look_changed()

    def section_button(self, key: str) -> QAbstractButton:
        """The button of a section. Raises KeyError when it isn't shown."""
        return self._sections[key]

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a low window the sections stand closer."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        roomy = len(self._sections) * (self._look.px(Height.CONTROL) + 2) + 19 * len(self.findChildren(RailLine))
        around = self._look.px(2 * Height.CONTROL + Height.ROW_CONTROL) + 3 * 8 + 20
        dense = roomy > self.height() - around
        for button in self._sections.values():
            button.set_high(Height.ROW_CONTROL if dense else Height.CONTROL)
        for line in self.findChildren(RailLine):
            line.set_dense(dense)
        self._list.setSpacing(1 if dense else 2)

    def last_focus(self) -> QWidget:
        """What Tab leaves the rail from."""
        return self._me

    def first_focus(self) -> QWidget:
        """Where F6 lands: the section in view."""
        return next((button for button in self._sections.values() if button.isChecked()), self._find)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The line at the right, and the accent edge beside the chosen section."""
        look, theme = self._look, self._look.theme
        painter = QPainter(self)
        painter.fillRect(self.rect(), look.colour(theme.rail))
        painter.fillRect(self.width() - theme.edge_px, 0, theme.edge_px, self.height(), look.colour(theme.line))
        for button in self._sections.values():
            if button.isChecked():
                top = button.mapTo(self, button.rect().topLeft()).y() + 6
                painter.setClipRect(self._area.geometry().adjusted(-RAIL_SIDE, 0, 0, 0))
                painter.fillRect(0, top, 3, button.height() - 12, look.colour(theme.accent))
        painter.end()

    def _button(self, section: Section) -> SectionButton:
        button = SectionButton(self._look, section)
        button.set_narrow(self._narrow)
        button.clicked.connect(partial(self._on_clicked, section.key))
        self._sections[section.key] = button
        return button

    def _on_clicked(self, key: str, _checked: bool = False) -> None:
        self.show_section(key)
        self.section_chosen.emit(key)

    def _on_look_changed(self) -> None:
        self.setFixedWidth(self._look.px(RAIL_NARROW if self._narrow else RAIL_WIDE))
        self.update()


def _group_of(section: Section) -> int:
    return int(section.group.value)
