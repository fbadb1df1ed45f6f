"""Small pieces of the pages: the head of a page, and a line that says how something stands."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from app.ui.components.labels import IconLabel, label
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Space, Type

COLUMN_WIDE = 820


class StandLine(QWidget):
    """A shape and a sentence; below it what to do. Empty words hide it."""

    def __init__(self, look: Look, type_: Type = Type.BODY) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(Space.S)
        self._icon = IconLabel(look, Icon.INFO, 16)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(2)
        self._told = label("", type_, wraps=True)
        self._hint = label("", Type.SECOND, "text2", wraps=True)
        column.addWidget(self._told)
        column.addWidget(self._hint)
        row.addLayout(column, 1)
        self.tell(Icon.INFO, "text2", "")

    @property
    def words(self) -> str:
        """What it says."""
        return f"{self._told.text()} {self._hint.text()}".strip()

    def tell(self, icon: Icon, ink: str, told: str, hint: str = "") -> None:
        """Say how it stands."""
        self._icon.show_icon(icon, ink)
        self._told.setText(told)
        self._hint.setText(hint)
        self._hint.setVisible(bool(hint))
        self.setVisible(bool(told))
        self.setAccessibleName(self.words)


class PageColumn(QScrollArea):
    """A page that scrolls: a column of cards, no wider than can be read. Put them into `body`."""

    def __init__(self, look: Look, name: str) -> None:
        super().__init__()
        self._look = look
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(name)
        inside = QWidget()
        across = QHBoxLayout(inside)
        across.setContentsMargins(Space.PAGE, Space.L, Space.PAGE, Space.XXL)
        self._holder = QWidget()
        self._holder.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        across.addWidget(self._holder, 100)
        across.addStretch(1)
        self.body = QVBoxLayout(self._holder)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(Space.CARDS)
        self.setWidget(inside)
        look.changed.connect(self._on_look_changed)
        self._on_look_changed()

    def _on_look_changed(self) -> None:
        self._holder.setMaximumWidth(self._look.px(COLUMN_WIDE))
