"""Fields: the search field, a drop-down that paints itself, and a field with its label, hint and error."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QAction, QEnterEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QStyledItemDelegate,
    QVBoxLayout,
    QWidget,
)

from app.ui.components.labels import IconLabel, label
from app.ui.components.paint import paint_box, paint_icon, paint_words
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Height, Radius, Type


class SearchField(QLineEdit):
    """A field with a magnifier; Esc empties it, and a cross does when there is something in it. Use `textChanged`."""

    def __init__(self, look: Look, placeholder: str, *, name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(name or placeholder)
        self.setMinimumWidth(look.px(160))
        self._lens = QAction(self)
        self.addAction(self._lens, QLineEdit.ActionPosition.LeadingPosition)
        self._clear = QAction(self.tr("Clear"), self)
        self._clear.triggered.connect(self.clear)
        self.addAction(self._clear, QLineEdit.ActionPosition.TrailingPosition)
        self._clear.setVisible(False)
        self.textChanged.connect(self._on_text_changed)
        look.changed.connect(self._on_look_changed)
        self._on_look_changed()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc empties first; in an empty field it goes on to the panel."""
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            return
        super().keyPressEvent(event)

    def _on_text_changed(self, text: str) -> None:
        self._clear.setVisible(bool(text))

    def _on_look_changed(self) -> None:
        self._lens.setIcon(self._look.icon(Icon.SEARCH))
        self._clear.setIcon(self._look.icon(Icon.X))


class Select(QComboBox):
    """A drop-down. `name` is its accessible name. `small` is 32 px high, for filters."""

    def __init__(self, look: Look, *, name: str, small: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._small = small
        self._hovered = False
        self.setAccessibleName(name)
        self.setItemDelegate(QStyledItemDelegate(self))  # the one of a combo box heeds no height
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        """The widest of its items."""
        metrics = self._look.metrics(self._type)
        widest = max((metrics.horizontalAdvance(self.itemText(at)) for at in range(self.count())), default=0)
        high = Height.ROW_CONTROL if self._small else Height.CONTROL
        return QSize(widest + self._look.px(10 + 12 + 16 + 10), self._look.px(high))

    def minimumSizeHint(self) -> QSize:
        """Some letters of an item."""
        whole = self.sizeHint()
        return QSize(min(whole.width(), self._look.px(96)), whole.height())

    def enterEvent(self, event: QEnterEvent) -> None:
        """The pointer came."""
        self._hovered = True
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer went."""
        self._hovered = False
        super().leaveEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The field, its words, the arrow."""
        look, theme = self._look, self._look.theme
        painter = QPainter(self)
        on = self.isEnabled()
        ground = theme.sunken if not on else theme.hover if self._hovered else theme.surface
        paint_box(
            painter, look, self.rect(), ground=ground, edge=theme.control if on else theme.line, radius=Radius.CONTROL
        )
        side, px = look.px(10), look.px(16)
        words = QRect(side, 0, self.width() - 2 * side - px - look.px(8), self.height())
        paint_words(painter, look, words, self.currentText(), self._type, theme.text if on else theme.text3)
        arrow = QRect(self.width() - side - px, 0, px, self.height())
        paint_icon(painter, look, Icon.DOWN, arrow, px, theme.text2 if on else theme.text3)
        painter.end()

    @property
    def _type(self) -> Type:
        return Type.SECOND if self._small else Type.BODY


def as_field(spin: QAbstractSpinBox) -> None:
    """Gives a spin box, a date or a time the margin of the other fields. Its arrows are keys: Up and Down.

    Not `NoButtons`: with a style sheet Qt then leaves the text one pixel of room.
    """
    spin.lineEdit().setTextMargins(10, 0, 10, 0)


class LabelledField(QWidget):
    """A field with its label above and its hint below; an error in words takes the hint's place, with a red edge."""

    def __init__(self, look: Look, words: str, field: QWidget, hint: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = field
        self._hint = hint
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        above = label(words, Type.LABEL)
        above.setBuddy(field)
        column.addWidget(above)
        column.addWidget(field)
        below = QHBoxLayout()
        below.setSpacing(6)
        self._sign = IconLabel(look, Icon.ALERTF, 14, "stop")
        self._below = label(hint, Type.SECOND, "text2", wraps=True)
        below.addWidget(self._sign)
        below.addWidget(self._below, 1)
        column.addLayout(below)
        field.setAccessibleName(words)
        self.set_error("")

    def set_error(self, words: str) -> None:
        """Says what is wrong; empty words take it back."""
        wrong = bool(words)
        self._sign.setVisible(wrong)
        self._below.setText(words or self._hint)
        self._below.setVisible(wrong or bool(self._hint))
        self._below.setProperty("ink", "stop" if wrong else "text2")
        self.field.setProperty("wrong", wrong)
        self.field.setAccessibleDescription(words or self._hint)
        for widget in (self.field, self._below):
            widget.style().unpolish(widget)
            widget.style().polish(widget)
