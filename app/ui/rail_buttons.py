"""The buttons of the rail; narrow, they are icons with tooltips."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QMenu, QSizePolicy, QWidget

from app.ui.components.paint import RIGHT, key_cap_width, key_caption, paint_box, paint_icon, paint_key_cap, paint_words
from app.ui.frame_facts import Named, Section
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Height, Radius, Type

RAIL_SIDE = 8


class RailButton(QAbstractButton):
    """Base of the rail's buttons: an icon and words; narrow, the icon alone, with the words as its tooltip."""

    def __init__(self, look: Look, icon: Icon, words: str, high: int) -> None:
        super().__init__()
        self.look = look
        self.icon_name = icon
        self.high = high
        self.narrow = False
        self.hovered = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_words(words)
        look.changed.connect(self.updateGeometry)

    def set_words(self, words: str, name: str = "") -> None:
        """Other words; `name` is the accessible name if it is more than the words."""
        self.setText(words)
        self.setAccessibleName(name or words)
        self._tell()

    def set_narrow(self, narrow: bool) -> None:
        """Icon alone, or with its words."""
        self.narrow = narrow
        self._tell()

    def set_high(self, high: int) -> None:
        """Another height at 100 %."""
        if high != self.high:
            self.high = high
            self.updateGeometry()

    def _tell(self) -> None:
        self.setToolTip(self.accessibleName() if self.narrow else "")
        self.update()

    def sizeHint(self) -> QSize:
        """As wide as the rail allows."""
        return QSize(self.look.px(Height.ROW_CONTROL), self.look.px(self.high))

    def enterEvent(self, event: QEnterEvent) -> None:
        """The pointer came."""
        self.hovered = True
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer went."""
        self.hovered = False
        self.update()

    def paint_face(
        self, painter: QPainter, ink: str, type_: Type, *, icon_px: int, gap: int, tail: int, weight: int = 0
    ) -> None:
        """Icon and words; `tail` px at the right stay free."""
        look = self.look
        px = look.px(icon_px)
        if self.narrow:
            paint_icon(painter, look, self.icon_name, self.rect(), px, ink)
            return
        left = look.px(RAIL_SIDE)
        paint_icon(painter, look, self.icon_name, QRect(left, 0, px, self.height()), px, ink)
        x = left + px + look.px(gap)
        words = QRect(x, 0, self.width() - x - left - tail, self.height())
        ink = look.theme.text if weight == 600 else look.theme.text2
        paint_words(painter, look, words, self.text(), type_, ink, weight=weight)


class FindButton(RailButton):
    """Looks like a field, opens the finder."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, Icon.SEARCH, "", Height.CONTROL)
        self.set_words(self.tr("Find anyone"), self.tr("Find anyone, key {key}").format(key=key_caption("/")))

    def paintEvent(self, event: QPaintEvent) -> None:
        """A field's edge, the lens, the key."""
        look, theme = self.look, self.look.theme
        painter = QPainter(self)
        paint_box(painter, look, self.rect(), ground=theme.hover if self.hovered else theme.surface, edge=theme.control)
        wide, high = key_cap_width(look, "/"), look.px(Height.KEY_CAP)
        self.paint_face(painter, theme.text2, Type.SECOND, icon_px=16, gap=8, tail=wide + look.px(8))
        if not self.narrow:
            cap = QRect(self.width() - wide - look.px(RAIL_SIDE), (self.height() - high) // 2, wide, high)
            paint_key_cap(painter, look, cap, "/")
        painter.end()


class ChoiceButton(RailButton):
    """Opens a menu: the location, or who is at the desk. Signal: `chosen(key)`."""

    chosen = Signal(str)

    def __init__(self, look: Look, icon: Icon, name: str, high: int) -> None:
        super().__init__(look, icon, "", high)
        self._name = name
        self._choices: tuple[Named, ...] = ()
        self._key = ""
        self.clicked.connect(self._on_clicked)

    def show_choices(self, choices: Sequence[Named], key: str) -> None:
        """Shows these choices, one of them chosen."""
        self._choices, self._key = tuple(choices), key
        words = next((choice.words for choice in choices if choice.key == key), "")
        self.set_words(words, f"{self._name}: {words}" if words else self._name)
        self.setEnabled(len(choices) > 1)

    def menu(self) -> QMenu:
        """The menu of the choices, made anew."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for choice in self._choices:
            action = menu.addAction(choice.words)
            action.setCheckable(True)
            action.setChecked(choice.key == self._key)
            action.triggered.connect(partial(self._on_chosen, choice.key))
        return menu

    def paintEvent(self, event: QPaintEvent) -> None:
        """Icon, words, arrow."""
        look, theme = self.look, self.look.theme
        painter = QPainter(self)
        if self.hovered and self.isEnabled():
            paint_box(painter, look, self.rect(), ground=theme.hover, radius=Radius.CONTROL)
        several = len(self._choices) > 1
        px = look.px(14)
        self.paint_face(painter, theme.text2, Type.SECOND, icon_px=16, gap=10, tail=px + look.px(4) if several else 0)
        if several and not self.narrow:
            at = QRect(self.width() - px - look.px(RAIL_SIDE), 0, px, self.height())
            paint_icon(painter, look, Icon.DOWN, at, px, theme.text2)
        painter.end()

    def _on_clicked(self) -> None:
        self.menu().popup(self.mapToGlobal(self.rect().bottomLeft()))

    def _on_chosen(self, key: str, _checked: bool = False) -> None:
        self.show_choices(self._choices, key)
        self.chosen.emit(key)


class SectionButton(RailButton):
    """One section, with its count."""

    def __init__(self, look: Look, section: Section) -> None:
        super().__init__(look, section.icon, section.words, Height.CONTROL)
        self.section = section
        self.count = 0
        self.setCheckable(True)

    def set_count(self, count: int) -> None:
        """How many things there are; 0 shows nothing."""
        self.count = count
        words = self.section.words
        self.set_words(words, f"{words}, {count}" if count else words)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Icon, words, count; the chosen one on its ground with the accent edge."""
        look, theme = self.look, self.look.theme
        painter = QPainter(self)
        on = self.isChecked()
        if on or self.hovered:
            paint_box(painter, look, self.rect(), ground=theme.selected if on else theme.hover, radius=Radius.CONTROL)
        count = f"{self.count:,}" if self.count else ""
        tail = look.metrics(Type.CHIP, 0, True).horizontalAdvance(count) + look.px(8) if count else 0
        ink = theme.accent if on else theme.text2
        self.paint_face(painter, ink, Type.BODY, icon_px=20, gap=10, tail=tail, weight=600 if on else 500)
        if count and not self.narrow:
            room = self.rect().adjusted(0, 0, -look.px(RAIL_SIDE), 0)
            paint_words(painter, look, room, count, Type.CHIP, theme.text2, tabular=True, align=RIGHT)
        painter.end()


class RailLine(QWidget):
    """A hairline between groups."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.set_dense(False)

    def set_dense(self, dense: bool) -> None:
        """Less air round it in a low window."""
        self.setFixedHeight(7 if dense else 17)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        middle = self.height() // 2
        painter.fillRect(RAIL_SIDE, middle, self.width() - 2 * RAIL_SIDE, 1, self._look.colour(self._look.theme.line))
        painter.end()
