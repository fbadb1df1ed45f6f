"""What stands where there are no rows: a sign, a sentence, what to do."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.ui.components.buttons import Button
from app.ui.components.flow import WrapRow
from app.ui.components.labels import IconLabel, Run, label, rich_label, set_runs
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Type


class EmptyState(QFrame):
    """In the middle of where the rows would be. Signal: `link_pressed(link)`, for a run with a link."""

    link_pressed = Signal(str)

    def __init__(
        self,
        look: Look,
        icon: Icon,
        title: str,
        words: Sequence[Run] = (),
        buttons: Sequence[Button] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setProperty("ground", "surface")
        centre = Qt.AlignmentFlag.AlignHCenter
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 24)
        column.setSpacing(6)
        column.addStretch(1)
        column.addWidget(IconLabel(look, icon, 40), 0, centre)
        self._title = label(title, Type.EMPTY, wraps=True)
        self._title.setAlignment(centre)
        column.addWidget(self._title)
        self._words = rich_label(words, Type.BODY, "text2")
        self._words.setAlignment(centre)
        self._words.setMaximumWidth(look.px(400))
        self._words.setVisible(bool(words))
        self._words.linkActivated.connect(self.link_pressed)
        middle = QHBoxLayout()
        middle.addStretch(1)
        middle.addWidget(self._words, 1000)
        middle.addStretch(1)
        column.addLayout(middle)
        if buttons:
            row = WrapRow()
            row.add(*buttons)
            column.addSpacing(8)
            column.addWidget(row, 0, centre)
        column.addStretch(1)

    def set_words(self, title: str, words: Sequence[Run]) -> None:
        """Another sentence."""
        self._title.setText(title)
        set_runs(self._words, words)
        self._words.setVisible(bool(words))
