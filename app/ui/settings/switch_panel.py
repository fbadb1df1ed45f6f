"""Go live…, and back: says what it does before it does it."""

from __future__ import annotations

from PySide6.QtCore import Signal

from app.ui.components.button_paint import ButtonFace, ButtonKind
from app.ui.components.inline_panel import InlinePanel
from app.ui.components.labels import label
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Type


class SwitchPanel(InlinePanel):
    """Signal: `wanted(live)`."""

    wanted = Signal(bool)

    def __init__(self, look: Look) -> None:
        super().__init__(look, "")
        self._live = False
        self._title = label("", Type.TITLE)
        self._told = label("", Type.BODY, wraps=True)
        self._first = label("", Type.BODY, wraps=True)
        for each in (self._title, self._told, self._first):
            self.body.addWidget(each)
        self._go = self.add_feet("", ButtonFace(self.tr("Go live"), kind=ButtonKind.PRIMARY, key="Enter"))
        self.accepted.connect(self._on_accepted)

    def open_for(self, *, live: bool, first: str) -> None:
        """Open it. live: to go there, else back to practice mode. first: what goes out first, a sentence."""
        self._live = live
        if live:
            title = self.tr("From the next message on, they leave this computer")
            told = self.tr(
                "Texts, calls and emails go to real people, within opening hours, legal hours and caps. Every stop and"
                " every opt-out holds as before. What was sent to the practice phone is not sent again."
            )
            face = ButtonFace(self.tr("Go live"), Icon.SENT, ButtonKind.PRIMARY, key="Enter")
        else:
            title = self.tr("From the next message on, nothing leaves this computer")
            told = self.tr(
                "What providers have taken already can’t be called back, and no answer is read until the practice is"
                " live again. What is due goes to the practice phone and mailbox here instead of the people. To keep it"
                " for later, pause all sending instead."
            )
            face = ButtonFace(self.tr("Back to practice mode"), Icon.DEVICE, ButtonKind.PRIMARY, key="Enter")
        self._title.setText(title)
        self._told.setText(told)
        self._first.setText(first)
        self._first.setVisible(bool(first))
        self._go.show_face(face, face.words)
        self.setAccessibleName(title)
        self.setAccessibleDescription(f"{told} {first}".strip())
        self.open()

    def _on_accepted(self) -> None:
        self.close_panel()
        self.wanted.emit(self._live)
