"""A row of widgets that wraps to a second one when there is no room: action bars and filters."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QFrame, QLayout, QLayoutItem, QSizePolicy, QWidget


class WrapRow(QFrame):
    """A row of filters and actions that wraps. `margins` are left, top, right, bottom in px."""

    def __init__(self, margins: tuple[int, int, int, int] = (0, 0, 0, 0), gap: int = 8) -> None:
        super().__init__()
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._flow = FlowLayout(gap, self)
        self._flow.setContentsMargins(*margins)

    def add(self, *widgets: QWidget) -> None:
        """Puts widgets in, in order."""
        for widget in widgets:
            self._flow.addWidget(widget)


class FlowLayout(QLayout):
    """Left to right, then on the next line. `gap` px between widgets and lines."""

    def __init__(self, gap: int = 8, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap = gap
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        """Qt's own hook."""
        self._items.append(item)

    def count(self) -> int:
        """How many there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """One of them."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Takes one out."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """Neither."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """Narrower is higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height of all lines at a width, in px."""
        margins = self.contentsMargins()
        inside = width - margins.left() - margins.right()
        return self._place(QRect(0, 0, inside, 0), move=False) + margins.top() + margins.bottom()

    def setGeometry(self, rect: QRect) -> None:
        """Places every widget."""
        super().setGeometry(rect)
        margins = self.contentsMargins()
        self._place(rect.adjusted(margins.left(), margins.top(), -margins.right(), -margins.bottom()), move=True)

    def sizeHint(self) -> QSize:
        """All on one line."""
        shown = [item.sizeHint() for item in self._items if not item.isEmpty()]
        wide = sum(size.width() for size in shown) + self._gap * max(0, len(shown) - 1)
        return self._with_margins(QSize(wide, max((size.height() for size in shown), default=0)))

    def minimumSize(self) -> QSize:
        """The widest widget alone."""
        size = QSize()
        for item in self._items:
            if not item.isEmpty():
                size = size.expandedTo(item.minimumSize())
        return self._with_margins(size)

    def _with_margins(self, size: QSize) -> QSize:
        margins = self.contentsMargins()
        return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom())

    def _place(self, rect: QRect, *, move: bool) -> int:
        x, y, high = rect.x(), rect.y(), 0
        line: list[tuple[QLayoutItem, QPoint, QSize]] = []
        for item in self._items:
            if item.isEmpty():
                continue
            size = self._size(item, rect.width())
            if line and x + size.width() > rect.right() + 1:
                self._settle(line, high, move)
                line, x, y, high = [], rect.x(), y + high + self._gap, 0
            line.append((item, QPoint(x, y), size))
            x += size.width() + self._gap
            high = max(high, size.height())
        self._settle(line, high, move)
        return y + high - rect.y()

    @staticmethod
    def _size(item: QLayoutItem, room: int) -> QSize:
        size = item.sizeHint()
        if size.width() > room:
            size.setWidth(max(room, item.minimumSize().width()))
            if item.hasHeightForWidth():
                size.setHeight(item.heightForWidth(size.width()))
        return size

    @staticmethod
    def _settle(line: list[tuple[QLayoutItem, QPoint, QSize]], high: int, move: bool) -> None:
        if move:
            for item, at, size in line:
                item.setGeometry(QRect(at + QPoint(0, (high - size.height()) // 2), size))
