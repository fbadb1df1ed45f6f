"""What Today says when nothing needs anybody, and before there is anybody at all."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from app.ui.components.labels import Run, label
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Height, Space, Type
from app.ui.people.timeline import TileLabel
from app.ui.theme import Tone

translate = QCoreApplication.translate


class NothingNeedsYou(QFrame):
    """Over the list: a tick, and that there is nothing to do. `show_since` says as of when."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setProperty("ground", "surface")
        self.setProperty("rule", "below")
        row = QHBoxLayout(self)
        row.setContentsMargins(Space.L, Space.L, Space.L, Space.L)
        row.setSpacing(Space.M)
        row.addWidget(TileLabel(look, Icon.CHECK, Tone.OK))
        column = QVBoxLayout()
        column.setSpacing(0)
        self._title = label(translate("today", "Nothing needs you"), Type.TITLE)
        self._line = label("", Type.SECOND, "text2", wraps=True)
        column.addWidget(self._title)
        column.addWidget(self._line)
        row.addLayout(column, 1)
        self.setMinimumHeight(look.px(Height.LIST_ROW))
        self.setAccessibleName(translate("today", "Nothing needs you"))

    def show_since(self, time: str) -> None:
        """time: of the last look, with its zone."""
        told = translate("today", "No replies, nothing overdue, no problems at {time}.").format(time=time)
        self._line.setText(told)


def all_caught_up() -> tuple[str, tuple[Run, ...]]:
    """Beside an empty list."""
    words = (
        Run(translate("today", "Replies and problems show up here by themselves. Press ")),
        Run("/", bold=True),
        Run(translate("today", " to find anyone, or ")),
        Run("?", bold=True),
        Run(translate("today", " for all the keys.")),
    )
    return translate("today", "All caught up"), words


def nobody_here(*, location: bool) -> tuple[str, tuple[Run, ...]]:
    """Before the first person. location: at the one that is chosen."""
    if location:
        return translate("today", "Nobody at this location yet"), ()
    words = (
        Run(translate("today", "People come in from a spreadsheet: ")),
        Run("stopwell import people FILE", bold=True),
        Run("."),
    )
    return translate("today", "Nobody here yet"), words
