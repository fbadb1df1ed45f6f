"""The pages of Settings at the left: each with its icon, and a mark for what works or needs somebody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QFrame, QVBoxLayout, QWidget

from app.ui.components.labels import label
from app.ui.components.paint import paint_box, paint_icon
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Height, Radius, Space, Type
from app.ui.rail_buttons import RAIL_SIDE, RailButton

NAV_WIDE = 212


@dataclass(frozen=True, slots=True)
class NavMark:
    """How a page stands: a shape, and a word for it."""

    icon: Icon | None = None
    ink: str = "text2"
    words: str = ""


class NavButton(RailButton):
    """One page."""

    def __init__(self, look: Look, key: str, icon: Icon, words: str) -> None:
        super().__init__(look, icon, words, Height.CONTROL)
        self.key = key
        self._words = words
        self._mark = NavMark()
        self.setCheckable(True)

    def show_mark(self, mark: NavMark) -> None:
        """How the page stands now."""
        self._mark = mark
        self.set_words(self._words, f"{self._words}, {mark.words}" if mark.words else self._words)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Icon, words, mark; the chosen one on its ground with the accent edge."""
        look, theme = self.look, self.look.theme
        painter = QPainter(self)
        on = self.isChecked()
        if on or self.hovered:
            paint_box(painter, look, self.rect(), ground=theme.selected if on else theme.hover, radius=Radius.CONTROL)
        if on:
            painter.fillRect(0, 6, 3, self.height() - 12, look.colour(theme.accent))
        ink = theme.accent if on else theme.text2
        px = look.px(14)
        tail = px + look.px(8) if self._mark.icon else 0
        self.paint_face(painter, ink, Type.BODY, icon_px=18, gap=10, tail=tail, weight=600 if on else 500)
        if self._mark.icon:
            at = QRect(self.width() - px - look.px(RAIL_SIDE), 0, px, self.height())
            paint_icon(painter, look, self._mark.icon, at, px, getattr(theme, self._mark.ink))
        painter.end()


class Nav(QFrame):
    """The column. Signal: `chosen(key)`, by a person. Arrows walk inside, Tab enters once."""

    chosen = Signal(str)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._buttons: dict[str, NavButton] = {}
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self._group.buttonClicked.connect(self._on_clicked)
        self.setProperty("rule", "right")
        self.setAccessibleName(self.tr("Pages of the settings"))
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(Space.S, Space.M, Space.S, Space.M)
        self._column.setSpacing(2)
        look.changed.connect(self._on_look_changed)
        self._on_look_changed()

    def add_pages(self, head: str, buttons: Sequence[NavButton]) -> None:
        """Pages under a head, below those before."""
        if self._buttons:
            self._column.addSpacing(Space.L)
        title = label(head, Type.LABEL, "text2")
        title.setContentsMargins(RAIL_SIDE, 0, 0, Space.XS)
        self._column.addWidget(title)
        for button in buttons:
            self._buttons[button.key] = button
            self._group.addButton(button)
            self._column.addWidget(button)

    def end_pages(self) -> None:
        """No more pages: what room is left stays below."""
        self._column.addStretch(1)

    def choose(self, key: str) -> None:
        """Mark a page as the one in view, without a signal."""
        self._buttons[key].setChecked(True)

    def show_mark(self, key: str, mark: NavMark) -> None:
        """How a page stands."""
        self._buttons[key].show_mark(mark)

    def button(self, key: str) -> QAbstractButton:
        """The button of a page."""
        return self._buttons[key]

    def first_focus(self) -> QWidget:
        """The page in view."""
        return next((each for each in self._buttons.values() if each.isChecked()), self)

    def _on_clicked(self, button: QAbstractButton) -> None:
        if isinstance(button, NavButton):
            self.chosen.emit(button.key)

    def _on_look_changed(self) -> None:
        self.setFixedWidth(self._look.px(NAV_WIDE))
