"""Bars across the top of the content: they push it down, one at a time, and never vanish by a clock."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEasingCurve, QPropertyAnimation, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.ui.components.bar_facts import BarButton, BarFacts, BarKind
from app.ui.components.buttons import Button, ButtonFace, ButtonKind, ButtonSize, tool_button
from app.ui.components.labels import IconLabel, Run, rich_label
from app.ui.components.speech import announce
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import BAR_MS, Space, Type

_LOOKS = {
    BarKind.STOP: (Icon.STATE_STOPPED, "stop", "surface", "line_strong"),
    BarKind.ERROR: (Icon.ALERTF, "stop", "stop_soft", "stop_line"),
    BarKind.WARN: (Icon.ALERTF, "warn", "warn_soft", "warn_line"),
    BarKind.NOTE: (Icon.INFO, "info", "info_soft", "info_line"),
}
_EDGE = 4
_NO_LIMIT = 16777215


class Bar(QFrame):
    """One bar. Signals: `button_pressed(action)`, `closed()`."""

    button_pressed = Signal(str)
    closed = Signal()

    def __init__(self, look: Look, facts: BarFacts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.facts = facts
        icon, self._ink, self._ground, self._line = _LOOKS[facts.kind]
        self.setAccessibleName(facts.spoken)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        row = QHBoxLayout(self)
        row.setContentsMargins(_EDGE + Space.L, 10, Space.L, 11)
        row.setSpacing(Space.M)
        row.addWidget(IconLabel(look, facts.icon or icon, 20, self._ink, ground=self._ground))
        row.addLayout(self._sentences(facts), 1)
        for button in facts.buttons:
            row.addWidget(self._button(button))
        if facts.closable:
            close = tool_button(look, Icon.X, self.tr("Close"))
            close.clicked.connect(self.closed)
            row.addWidget(close)
        look.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Ground, the edge at the left, the line below."""
        painter = QPainter(self)
        look, theme = self._look, self._look.theme
        rect = self.rect()
        painter.fillRect(rect, look.colour(getattr(theme, self._ground)))
        painter.fillRect(
            0, rect.height() - theme.edge_px, rect.width(), theme.edge_px, look.colour(getattr(theme, self._line))
        )
        painter.fillRect(0, 0, _EDGE, rect.height(), look.colour(getattr(theme, self._ink)))
        painter.end()

    def _sentences(self, facts: BarFacts) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(0)
        gap = (Run(" "),) if facts.beside else ()
        column.addWidget(rich_label((Run(facts.title, bold=True), *gap, *facts.beside), Type.BODY))
        for line in facts.lines:
            column.addWidget(rich_label(line, Type.SECOND))
        return column

    def _button(self, button: BarButton) -> Button:
        kind = ButtonKind.PRIMARY if button.primary else ButtonKind.PLAIN
        made = Button(self._look, ButtonFace(button.words, button.icon, kind, ButtonSize.ROW, button.key))
        made.clicked.connect(partial(self._on_clicked, button.action))
        return made

    def _on_clicked(self, action: str, _checked: bool = False) -> None:
        self.button_pressed.emit(action)


class BarArea(QWidget):
    """Where bars show: the newest on top, the others behind “and 3 more”.

    Signals: `button_pressed(key, action)`, `closed(key)`; `rebuilt()` after other buttons came.
    """

    button_pressed = Signal(str, str)
    closed = Signal(str)
    rebuilt = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._waiting: list[BarFacts] = []
        self._bar: Bar | None = None
        self._glide: QPropertyAnimation | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.hide()

    @property
    def shown(self) -> BarFacts | None:
        """The bar on top."""
        return self._waiting[-1] if self._waiting else None

    def buttons(self) -> list[Button]:
        """The buttons of the bar on top, left to right."""
        return self._bar.findChildren(Button) if self._bar is not None else []

    def show_bar(self, facts: BarFacts) -> None:
        """Shows a bar on top, and announces it: errors and stops at once, else when the reader is free."""
        empty = not self._waiting
        self._waiting = [bar for bar in self._waiting if bar.key != facts.key]
        self._waiting.append(facts)
        self._rebuild(glide=empty)
        announce(self, facts.spoken, assertive=facts.kind in (BarKind.STOP, BarKind.ERROR))

    def update_bar(self, facts: BarFacts) -> None:
        """The same bar with newer figures, where it stands; nothing if it was closed. Announced only by its title."""
        at = next((n for n, bar in enumerate(self._waiting) if bar.key == facts.key), -1)
        if at < 0 or self._waiting[at] == facts:
            return
        before, self._waiting[at] = self._waiting[at], facts
        if at == len(self._waiting) - 1:
            focused = [button.hasFocus() for button in self.buttons()]
            self._rebuild(glide=False)
            for button, had in zip(self.buttons(), focused, strict=False):
                if had:
                    button.setFocus(Qt.FocusReason.OtherFocusReason)
        if before.title != facts.title:
            announce(self, facts.spoken, assertive=facts.kind in (BarKind.STOP, BarKind.ERROR))

    def close_bar(self, key: str) -> None:
        """Takes a bar away; nothing happens if it isn't there."""
        if any(bar.key == key for bar in self._waiting):
            self._waiting = [bar for bar in self._waiting if bar.key != key]
            self._rebuild(glide=False)
            self.closed.emit(key)

    def next_act(self) -> None:
        """The next act of the person at the desk, or a change of section: stops and notes go, errors stay."""
        for bar in [bar for bar in self._waiting if bar.passes]:
            self.close_bar(bar.key)

    def _rebuild(self, *, glide: bool) -> None:
        if self._bar is not None:
            self._bar.hide()
            self._bar.setParent(None)
            self._bar.deleteLater()
            self._bar = None
        facts = self.shown
        self.setVisible(facts is not None)
        if facts is None:
            return
        self._bar = Bar(self._look, self._with_more(facts), self)
        self._bar.button_pressed.connect(self._on_button)
        self._bar.closed.connect(partial(self.close_bar, facts.key))
        self._column.addWidget(self._bar)
        self._bar.show()
        self.rebuilt.emit()
        if glide and self._look.moves:
            self._start_glide()

    def _with_more(self, facts: BarFacts) -> BarFacts:
        more = len(self._waiting) - 1
        if not more:
            return facts
        words = self.tr("and {count} more").format(count=more)
        return replace(facts, buttons=(*facts.buttons, BarButton(_MORE, words)))

    def _on_button(self, action: str) -> None:
        facts = self.shown
        if facts is None:
            return
        if action == _MORE:
            self._waiting.insert(0, self._waiting.pop())
            self._rebuild(glide=False)
            for button in self.buttons()[-1:]:
                button.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.button_pressed.emit(facts.key, action)

    def _start_glide(self) -> None:
        glide = QPropertyAnimation(self, b"maximumHeight", self)
        glide.setDuration(BAR_MS)
        glide.setStartValue(0)
        glide.setEndValue(self.sizeHint().height())
        glide.setEasingCurve(QEasingCurve.Type.OutCubic)
        glide.finished.connect(partial(self.setMaximumHeight, _NO_LIMIT))
        self._glide = glide
        glide.start(QPropertyAnimation.DeletionPolicy.DeleteWhenStopped)


_MORE = "\u0000more"
