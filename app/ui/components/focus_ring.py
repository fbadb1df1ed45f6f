"""The focus ring: 2 px in `focus`, 2 px off the edge, when the focus came by the keyboard."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QWindow
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QFocusFrame,
    QLineEdit,
    QPlainTextEdit,
    QProxyStyle,
    QStyle,
    QStyleHintReturn,
    QStyleOption,
    QTextEdit,
    QWidget,
)

from app.ui.components.paint import paint_box
from app.ui.components.row_hands import RowHands
from app.ui.look import Look
from app.ui.measures import Radius

_MARGIN = 4
# These show the focus by their own 2 px edge, also after a click: what is typed goes there.
_FIELDS = (QLineEdit, QAbstractSpinBox, QPlainTextEdit, QTextEdit)


class _Margins(QProxyStyle):
    """Only for the ring itself: a style in Python under every widget would slow all painting down."""

    def pixelMetric(
        self, metric: QStyle.PixelMetric, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> int:
        if metric in (QStyle.PixelMetric.PM_FocusFrameHMargin, QStyle.PixelMetric.PM_FocusFrameVMargin):
            return _MARGIN
        return super().pixelMetric(metric, option, widget)

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returned: QStyleHintReturn | None = None,
    ) -> int:
        if hint == QStyle.StyleHint.SH_FocusFrame_AboveWidget:
            return 1
        if hint == QStyle.StyleHint.SH_FocusFrame_Mask:
            return 0
        return super().styleHint(hint, option, widget, returned)


class _Ring(QFocusFrame):
    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self._margins = _Margins("Fusion")
        self.setStyle(self._margins)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        rect = QRect(self.rect())
        paint_box(painter, self._look, rect, edge=self._look.theme.focus, radius=Radius.CONTROL + _MARGIN, width=2)
        painter.end()


class FocusRing(QObject):
    """The ring of one window. Make it with the window; it follows the focus by itself.

    A click is told from a key by what the window saw last: focus that code sets after a click shows no ring, either.
    """

    def __init__(self, look: Look, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._ring = _Ring(look, window)
        self._ring.hide()
        self._by_pointer = True  # until a key is pressed
        self._handle: QWindow | None = None
        self._list: RowHands | None = None
        window.installEventFilter(self)
        self._watch_handle()
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus_changed)
        look.changed.connect(self._ring.update)

    @property
    def around(self) -> QWidget | None:
        """The widget that has the ring now."""
        return self._ring.widget()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notes what was used last; finds the native window once there is one."""
        kind = event.type()
        if watched is self._window:
            if kind == QEvent.Type.Show:
                self._watch_handle()
        elif kind in (QEvent.Type.MouseButtonPress, QEvent.Type.TouchBegin, QEvent.Type.TabletPress):
            self._by_pointer = True
            self._put_round(None)
        elif kind == QEvent.Type.KeyPress:
            self._by_pointer = False
        return False

    def _watch_handle(self) -> None:
        handle: QWindow | None = self._window.windowHandle()
        if handle is not None and handle is not self._handle:
            handle.installEventFilter(self)
            self._handle = handle

    def _on_focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        if now is not None and now.window() is not self._window:
            now = None
        self._put_round(None if self._by_pointer else now)

    def _put_round(self, widget: QWidget | None) -> None:
        if self._list is not None:
            self._list.set_ring(False)
            self._list = None
        if isinstance(widget, QAbstractItemView):
            self._list = widget.findChild(RowHands)
            if self._list is not None:
                self._list.set_ring(True)
                widget = None
        if widget is not None and (isinstance(widget, _FIELDS) or widget is self._window):
            widget = None
        if widget is not None:
            self._ring.setWidget(widget)
            self._ring.raise_()
        elif self._ring.widget() is not None:
            self._ring.setWidget(None)  # type: ignore[arg-type]  # Qt's own way to take it off
            self._ring.hide()
