"""What has come or moved since a list was read: told at its head, for rows never jump by themselves."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.ui.components.button_paint import ButtonFace, ButtonKind, ButtonSize
from app.ui.components.buttons import Button
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.words import many


class NewsButton(Button):
    """“4 new”, or “Order changed”; hidden while there is nothing to tell. A press reads the list again, as F5 does."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        face = ButtonFace("0", Icon.AGAIN, ButtonKind.PLAIN, ButtonSize.ROW, "F5")
        super().__init__(look, face, parent=parent)
        self.hide()

    def show_news(self, new: int, *, moved: bool = False) -> None:
        """new: rows that aren't in the list yet. moved: the list would stand in another order."""
        self.setVisible(new > 0 or moved)
        words = many(new, self.tr("1 new"), self.tr("{count} new")) if new else self.tr("Order changed")
        self.set_words(words, self.tr("{news}, read the list again").format(news=words))
