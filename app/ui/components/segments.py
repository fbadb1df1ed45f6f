"""Filters: joined segments (one of a few), and chips with counts that stand apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QLayout, QSizePolicy, QWidget

from app.ui.components.flow import FlowLayout
from app.ui.components.paint import CENTRE, paint_box, paint_icon, paint_words
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Height, Radius, Type


@dataclass(frozen=True, slots=True)
class Segment:
    """One choice: `key` is what `chosen` carries; `count` stands after the words."""

    key: str
    words: str
    count: str = ""
    icon: Icon | None = None

    @property
    def spoken(self) -> str:
        """Words and count."""
        return f"{self.words}, {self.count}" if self.count else self.words


class _Toggle(QAbstractButton):
    """One choice of a set. Paints itself joined (the frame is the set's) or as a chip of its own."""

    def __init__(self, look: Look, segment: Segment, *, joined: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self._joined = joined
        self._hovered = False
        self.segment = segment
        self.first = self.last = False
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.show_segment(segment)

    def show_segment(self, segment: Segment) -> None:
        """Other words or another count."""
        self.segment = segment
        self.setText(segment.words)
        self.setAccessibleName(segment.spoken)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Room for words and count in the heavier weight, so that a choice moves nothing."""
        look = self._look
        wide = 2 * look.px(11) + look.metrics(Type.CHIP, 600).horizontalAdvance(self.segment.words)
        if self.segment.count:
            wide += look.px(5) + look.metrics(Type.CHIP, 500, True).horizontalAdvance(self.segment.count)
        if self.segment.icon:
            wide += look.px(14 + 6)
        return QSize(wide, look.px(Height.ROW_CONTROL))

    def minimumSizeHint(self) -> QSize:
        """The same: words and counts are not cut."""
        return self.sizeHint()

    def enterEvent(self, event: QEnterEvent) -> None:
        """The pointer came."""
        self._hovered = True
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer went."""
        self._hovered = False
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Ground, icon, words, count."""
        look, theme = self._look, self._look.theme
        painter = QPainter(self)
        on = self.isChecked()
        ground = theme.selected if on else theme.hover if self._hovered else theme.surface
        if self._joined:
            self._paint_joined(painter, ground)
        else:
            edge = theme.accent if on else theme.line_strong
            paint_box(painter, look, self.rect(), ground=ground, edge=edge, radius=Radius.CONTROL)
        self._paint_words(painter, on)
        painter.end()

    def _paint_joined(self, painter: QPainter, ground: str) -> None:
        # A box wider than the segment, cut by the widget's own edge: only the outer corners are round.
        radius = Radius.CONTROL - 1
        box = self.rect().adjusted(0 if self.first else -radius, 0, 0 if self.last else radius, 0)
        paint_box(painter, self._look, box, ground=ground, radius=radius)
        if not self.last:
            painter.fillRect(self.width() - 1, 0, 1, self.height(), self._look.colour(self._look.theme.line))

    def _paint_words(self, painter: QPainter, on: bool) -> None:
        look, theme, segment = self._look, self._look.theme, self.segment
        quiet = self._joined and not on
        ink = theme.text if not quiet else theme.text2
        weight = 600 if on else 500
        words = look.metrics(Type.CHIP, weight).horizontalAdvance(segment.words)
        count = look.metrics(Type.CHIP, 500, True).horizontalAdvance(segment.count) if segment.count else 0
        lead = look.px(14 + 6) if segment.icon else 0
        whole = lead + words + (look.px(5) + count if count else 0)
        x = (self.width() - whole) // 2
        if segment.icon:
            px = look.px(14)
            paint_icon(painter, look, segment.icon, QRect(x, 0, px, self.height()), px, theme.text2)
            x += lead
        paint_words(painter, look, QRect(x, 0, words + 1, self.height()), segment.words, Type.CHIP, ink, weight=weight)
        if count:
            room = QRect(x + words + look.px(5), 0, count + 1, self.height())
            paint_words(painter, look, room, segment.count, Type.CHIP, theme.text2, tabular=True, align=CENTRE)


class _Set(QWidget):
    """One of several is chosen; arrow keys move inside, Tab enters once. Signal: `chosen(key)`, by a person only."""

    chosen = Signal(str)

    def __init__(self, look: Look, name: str, *, joined: bool, parent: QWidget | None) -> None:
        super().__init__(parent)
        self._look = look
        self._joined = joined
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self._toggles: dict[str, _Toggle] = {}
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._row: QLayout = QHBoxLayout(self) if joined else FlowLayout(8, self)
        self._group.buttonClicked.connect(self._on_clicked)
        look.changed.connect(self._on_look_changed)

    def show_segments(self, segments: Sequence[Segment], chosen: str) -> None:
        """Shows these choices. The same keys in the same order keep their widgets, and the focus."""
        if [segment.key for segment in segments] != list(self._toggles):
            for old in self._toggles.values():
                self._group.removeButton(old)
                self._row.removeWidget(old)
                old.hide()
                old.deleteLater()
            self._toggles = {segment.key: self._make(segment) for segment in segments}
        for at, segment in enumerate(segments):
            toggle = self._toggles[segment.key]
            toggle.first, toggle.last = at == 0, at == len(segments) - 1
            toggle.show_segment(segment)
        self.choose(chosen)

    def choose(self, key: str) -> None:
        """Chooses one, without a signal."""
        self._toggles[key].setChecked(True)

    @property
    def chosen_key(self) -> str:
        """The key of the choice; empty before there is one."""
        return next((key for key, toggle in self._toggles.items() if toggle.isChecked()), "")

    def toggles(self) -> list[QAbstractButton]:
        """The buttons, left to right."""
        return list(self._toggles.values())

    def _make(self, segment: Segment) -> _Toggle:
        toggle = _Toggle(self._look, segment, joined=self._joined, parent=self)
        self._group.addButton(toggle)
        self._row.addWidget(toggle)
        return toggle

    def _on_clicked(self, toggle: QAbstractButton) -> None:
        if isinstance(toggle, _Toggle):
            self.chosen.emit(toggle.segment.key)

    def _on_look_changed(self) -> None:
        for toggle in self._toggles.values():
            toggle.updateGeometry()
        self.updateGeometry()
        self.update()


class Segmented(_Set):
    """Joined segments in one frame: “All, Replies 4, Calls 3”."""

    def __init__(self, look: Look, segments: Sequence[Segment], chosen: str, *, name: str) -> None:
        super().__init__(look, name, joined=True, parent=None)
        self._row.setContentsMargins(1, 1, 1, 1)
        self._row.setSpacing(0)
        self.show_segments(segments, chosen)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The frame."""
        painter = QPainter(self)
        paint_box(painter, self._look, self.rect(), ground=self._look.theme.surface, edge=self._look.theme.line_strong)
        painter.end()


class FilterChips(_Set):
    """Chips that stand apart, and wrap when there is no room: “Running 412, With staff 5”."""

    def __init__(self, look: Look, segments: Sequence[Segment], chosen: str, *, name: str) -> None:
        super().__init__(look, name, joined=False, parent=None)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.show_segments(segments, chosen)
