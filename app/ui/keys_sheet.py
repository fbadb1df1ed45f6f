"""The sheet of keys, shown by `?`: made from the one table of actions."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QGraphicsDropShadowEffect,
    QHBoxLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.ui.actions import ACTIONS, Place
from app.ui.components.button_paint import ButtonFace, ButtonKind, ButtonSize
from app.ui.components.buttons import Button
from app.ui.components.labels import ElidedLabel, KeyCap, label
from app.ui.components.paint import paint_box
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Radius, Space, Type

_WIDE = 1000


class PopUp(QFrame):
    """A panel raised over the window, with its shadow. Esc or a click beside it closes it: `closed()`.

    Tab goes round inside.
    """

    closed = Signal()

    def __init__(self, look: Look, name: str, window: QWidget) -> None:
        super().__init__(window)
        self._look = look
        self._came_from: QWidget | None = None
        self.setAccessibleName(name)
        shadow = QGraphicsDropShadowEffect(self)
        shadow.setBlurRadius(28)
        shadow.setOffset(0, 8)
        colour = look.colour(look.theme.shadow).toHsl()
        colour.setAlphaF(0.24)
        shadow.setColor(colour)
        self.setGraphicsEffect(shadow)
        window.installEventFilter(self)
        self.hide()

    def wanted_size(self, room: QSize) -> QSize:
        """How large it is in a window of `room`."""
        return self.sizeHint().boundedTo(room)

    def open(self) -> None:
        """Shows itself and takes the focus."""
        self._came_from = QApplication.focusWidget()
        self._place()
        self.show()
        self.raise_()
        for child in self.findChildren(QWidget):
            if _by_tab(child):
                child.setFocus(Qt.FocusReason.PopupFocusReason)
                break
        _application().focusChanged.connect(self._on_focus_changed)

    def close_pop_up(self) -> None:
        """Goes away and gives the focus back."""
        if self.isHidden():
            return
        back, self._came_from = self._came_from, None
        _application().focusChanged.disconnect(self._on_focus_changed)
        inside = self._holds(QApplication.focusWidget())
        self.hide()
        if inside and back is not None and back.isVisible():
            back.setFocus(Qt.FocusReason.OtherFocusReason)
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes; nothing goes through to the window below."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_pop_up()
        event.accept()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes round inside."""
        inside = [child for child in self.findChildren(QWidget) if _by_tab(child)]
        now = QApplication.focusWidget()
        if not inside:
            return False
        at = inside.index(now) if now in inside else -1
        inside[(at + (1 if forward else -1)) % len(inside)].setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def paintEvent(self, event: QPaintEvent) -> None:
        """A raised card."""
        painter = QPainter(self)
        theme = self._look.theme
        paint_box(painter, self._look, self.rect(), ground=theme.raised, edge=theme.line_strong, radius=Radius.POP_UP)
        painter.end()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keeps its place when the window changes its size."""
        if watched is self.parentWidget() and self.isVisible() and event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def _on_focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        if now is not None and not self._holds(now):
            self.close_pop_up()

    def _holds(self, widget: QWidget | None) -> bool:
        return widget is not None and (widget is self or self.isAncestorOf(widget))

    def _place(self) -> None:
        window = self.parentWidget()
        if window is None:
            return
        room = window.size() - QSize(2 * Space.XXL, 2 * Space.XXL)
        size = self.wanted_size(room)
        x = (window.width() - size.width()) // 2
        y = min(72, max(Space.XXL, (window.height() - size.height()) // 2))
        self.setGeometry(x, y, size.width(), size.height())


def _by_tab(widget: QWidget) -> bool:
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.isVisible() and widget.isEnabled()


def _application() -> QApplication:
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        raise RuntimeError("a pop-up needs the application")
    return app


class KeysSheet(PopUp):
    """Three columns: the person in hand, in a list, anywhere."""

    def __init__(self, look: Look, window: QWidget) -> None:
        super().__init__(look, window.tr("Keys"), window)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.XXL, 18, Space.XXL, Space.XL)
        column.setSpacing(Space.M)
        head = QHBoxLayout()
        head.setSpacing(Space.S)
        head.addWidget(label(self.tr("Keys"), Type.PANEL))
        hint = self.tr("Single letters work while a list or a person has the focus, never while you type in a field.")
        head.addWidget(ElidedLabel(look, hint), 1)
        close = Button(look, ButtonFace(self.tr("Close"), Icon.X, ButtonKind.PLAIN, ButtonSize.ROW, "Esc"))
        close.clicked.connect(self.close_pop_up)
        head.addWidget(close)
        column.addLayout(head)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(self._columns())
        column.addWidget(area, 1)
        self._area = area

    def wanted_size(self, room: QSize) -> QSize:
        """1000 px wide, as high as its lines."""
        inside = self._area.widget()
        lines = inside.sizeHint().height() if inside is not None else 0
        wanted = QSize(self._look.px(_WIDE), lines + self._look.px(32) + 18 + Space.M + Space.XL + 2)
        return wanted.boundedTo(room)

    def _columns(self) -> QWidget:
        inside = QWidget()
        row = QHBoxLayout(inside)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(40)
        for title, place in (
            (self.tr("The person in hand"), Place.PERSON),
            (self.tr("In a list"), Place.LIST),
            (self.tr("Anywhere"), Place.ANYWHERE),
        ):
            row.addLayout(self._column(title, place), 1)
        return inside

    def _column(self, title: str, place: Place) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(label(title, Type.TITLE))
        column.addSpacing(6)
        for spec in ACTIONS:
            if spec.place is place:
                for words, keys in spec.sheet:
                    column.addLayout(self._line(words, keys))
        column.addStretch(1)
        return column

    def _line(self, words: str, keys: tuple[str, ...]) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(6)
        row.setContentsMargins(0, 3, 0, 4)
        row.addWidget(label(words, Type.SECOND))
        row.addStretch(1)
        for key in keys:
            row.addWidget(KeyCap(self._look, key))
        return row
